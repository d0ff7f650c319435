#loc2 = loc("if-index-result.mlir":1:17)
#loc3 = loc("if-index-result.mlir":1:37)
#loc4 = loc("if-index-result.mlir":1:57)
#loc13 = loc("if-index-result.mlir":11:11)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, memref<16xf32>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<16xf32> loc("if-index-result.mlir":1:17), %arg1: memref<16xf32> loc("if-index-result.mlir":1:37), %arg2: index loc("if-index-result.mlir":1:57)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc5)
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index loc(#loc6)
    %2 = "arith.constant"() <{value = 16 : index}> : () -> index loc(#loc7)
    %3 = "arith.cmpi"(%arg2, %2) <{predicate = 2 : i64}> : (index, index) -> i1 loc(#loc8)
    %4 = "scf.if"(%3) ({
      "scf.yield"(%arg2) : (index) -> () loc(#loc10)
    }, {
      "scf.yield"(%2) : (index) -> () loc(#loc11)
    }) : (i1) -> index loc(#loc9)
    "scf.for"(%0, %4, %1) ({
    ^bb0(%arg3: index loc("if-index-result.mlir":11:11)):
      %5 = "memref.load"(%arg0, %arg3) : (memref<16xf32>, index) -> f32 loc(#loc14)
      "memref.store"(%5, %arg1, %arg3) : (f32, memref<16xf32>, index) -> () loc(#loc15)
      "scf.yield"() : () -> () loc(#loc12)
    }) : (index, index, index) -> () loc(#loc12)
    "func.return"() : () -> () loc(#loc16)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("if-index-result.mlir":0:0)
#loc1 = loc("if-index-result.mlir":1:1)
#loc5 = loc("if-index-result.mlir":2:9)
#loc6 = loc("if-index-result.mlir":3:9)
#loc7 = loc("if-index-result.mlir":4:10)
#loc8 = loc("if-index-result.mlir":5:11)
#loc9 = loc("if-index-result.mlir":6:10)
#loc10 = loc("if-index-result.mlir":7:5)
#loc11 = loc("if-index-result.mlir":9:5)
#loc12 = loc("if-index-result.mlir":11:3)
#loc14 = loc("if-index-result.mlir":12:10)
#loc15 = loc("if-index-result.mlir":13:5)
#loc16 = loc("if-index-result.mlir":15:3)

