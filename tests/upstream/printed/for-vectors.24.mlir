#loc2 = loc("for-vectors.mlir":1:17)
#loc3 = loc("for-vectors.mlir":1:38)
#loc9 = loc("for-vectors.mlir":6:16)
#loc10 = loc("for-vectors.mlir":6:51)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<5x8xf32>, memref<8xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<5x8xf32> loc("for-vectors.mlir":1:17), %arg1: memref<8xf32> loc("for-vectors.mlir":1:38)):
    %0 = "arith.constant"() <{value = dense<0.000000e+00> : vector<8xf32>}> : () -> vector<8xf32> loc(#loc4)
    %1 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc5)
    %2 = "arith.constant"() <{value = 1 : index}> : () -> index loc(#loc6)
    %3 = "arith.constant"() <{value = 5 : index}> : () -> index loc(#loc7)
    %4 = "scf.for"(%1, %3, %2, %0) ({
    ^bb0(%arg2: index loc("for-vectors.mlir":6:16), %arg3: vector<8xf32> loc("for-vectors.mlir":6:51)):
      %5 = "vector.load"(%arg0, %arg2, %1) : (memref<5x8xf32>, index, index) -> vector<8xf32> loc(#loc11)
      %6 = "arith.addf"(%arg3, %5) <{fastmath = #arith.fastmath<none>}> : (vector<8xf32>, vector<8xf32>) -> vector<8xf32> loc(#loc12)
      "scf.yield"(%6) : (vector<8xf32>) -> () loc(#loc13)
    }) : (index, index, index, vector<8xf32>) -> vector<8xf32> loc(#loc8)
    "vector.store"(%4, %arg1, %1) : (vector<8xf32>, memref<8xf32>, index) -> () loc(#loc14)
    "func.return"() : () -> () loc(#loc15)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("for-vectors.mlir":0:0)
#loc1 = loc("for-vectors.mlir":1:1)
#loc4 = loc("for-vectors.mlir":2:11)
#loc5 = loc("for-vectors.mlir":3:9)
#loc6 = loc("for-vectors.mlir":4:9)
#loc7 = loc("for-vectors.mlir":5:9)
#loc8 = loc("for-vectors.mlir":6:8)
#loc11 = loc("for-vectors.mlir":7:10)
#loc12 = loc("for-vectors.mlir":8:11)
#loc13 = loc("for-vectors.mlir":9:5)
#loc14 = loc("for-vectors.mlir":11:3)
#loc15 = loc("for-vectors.mlir":12:3)

