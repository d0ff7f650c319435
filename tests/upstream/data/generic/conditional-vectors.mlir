"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x4xf32>, memref<4x4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4x4xf32>, %arg1: memref<4x4xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 2 : index}> : () -> index
    %3 = "arith.constant"() <{value = 4 : index}> : () -> index
    "scf.for"(%0, %3, %1) ({
    ^bb0(%arg2: index):
      %4 = "vector.load"(%arg0, %arg2, %0) : (memref<4x4xf32>, index, index) -> vector<1x4xf32>
      %5 = "arith.cmpi"(%arg2, %2) <{predicate = 2 : i64}> : (index, index) -> i1
      %6 = "scf.if"(%5) ({
        %7 = "arith.negf"(%4) <{fastmath = #arith.fastmath<none>}> : (vector<1x4xf32>) -> vector<1x4xf32>
        "scf.yield"(%7) : (vector<1x4xf32>) -> ()
      }, {
        "scf.yield"(%4) : (vector<1x4xf32>) -> ()
      }) : (i1) -> vector<1x4xf32>
      "vector.store"(%6, %arg1, %arg2, %0) : (vector<1x4xf32>, memref<4x4xf32>, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
