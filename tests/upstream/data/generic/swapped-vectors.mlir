"builtin.module"() ({
  "func.func"() <{function_type = (memref<2x2xf32>, memref<2x2xf32>, memref<?xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<2x2xf32>, %arg1: memref<2x2xf32>, %arg2: memref<?xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "memref.dim"(%arg2, %0) : (memref<?xf32>, index) -> index
    %3 = "vector.load"(%arg0, %0, %0) : (memref<2x2xf32>, index, index) -> vector<2x2xf32>
    %4 = "vector.load"(%arg1, %0, %0) : (memref<2x2xf32>, index, index) -> vector<2x2xf32>
    %5:2 = "scf.for"(%0, %2, %1, %3, %4) ({
    ^bb0(%arg3: index, %arg4: vector<2x2xf32>, %arg5: vector<2x2xf32>):
      %6 = "vector.transpose"(%arg4) <{permutation = array<i64: 1, 0>}> : (vector<2x2xf32>) -> vector<2x2xf32>
      "scf.yield"(%arg5, %6) : (vector<2x2xf32>, vector<2x2xf32>) -> ()
    }) : (index, index, index, vector<2x2xf32>, vector<2x2xf32>) -> (vector<2x2xf32>, vector<2x2xf32>)
    "vector.store"(%5#0, %arg0, %0, %0) : (vector<2x2xf32>, memref<2x2xf32>, index, index) -> ()
    "vector.store"(%5#1, %arg1, %0, %0) : (vector<2x2xf32>, memref<2x2xf32>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
