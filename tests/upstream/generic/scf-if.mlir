"builtin.module"() ({
  "func.func"() <{function_type = (memref<20xi32>, memref<20xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<20xi32>, %arg1: memref<20xi32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 20 : index}> : () -> index
    %3 = "arith.constant"() <{value = 7 : index}> : () -> index
    %4 = "arith.constant"() <{value = 100 : i32}> : () -> i32
    "scf.for"(%0, %2, %1) ({
    ^bb0(%arg2: index):
      %5 = "memref.load"(%arg0, %arg2) : (memref<20xi32>, index) -> i32
      %6 = "arith.cmpi"(%5, %4) <{predicate = 2 : i64}> : (i32, i32) -> i1
      %7 = "scf.if"(%6) ({
        %10 = "arith.addi"(%5, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        "scf.yield"(%10) : (i32) -> ()
      }, {
        "scf.yield"(%4) : (i32) -> ()
      }) : (i1) -> i32
      %8 = "arith.cmpi"(%arg2, %3) <{predicate = 6 : i64}> : (index, index) -> i1
      "scf.if"(%8) ({
        "memref.store"(%7, %arg1, %arg2) : (i32, memref<20xi32>, index) -> ()
        "scf.yield"() : () -> ()
      }, {
        %9 = "arith.subi"(%4, %7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        "memref.store"(%9, %arg1, %arg2) : (i32, memref<20xi32>, index) -> ()
        "scf.yield"() : () -> ()
      }) : (i1) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

