#loc2 = loc("a")
#loc3 = loc(unknown)
#loc5 = loc("locations.mlir":5:16)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<() -> (0)>
#map3 = affine_map<() -> (8)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<8xf32>, memref<9xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<8xf32> loc("a"), %arg1: memref<9xf32> loc(unknown)):
    "affine.for"() <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map3}> ({
    ^bb0(%arg2: index loc("locations.mlir":5:16)):
      %0 = "affine.load"(%arg0, %arg2) <{map = #map}> : (memref<8xf32>, index) -> f32 loc(#loc1)
      "affine.store"(%0, %arg1, %arg2) <{map = #map1}> : (f32, memref<9xf32>, index) -> () loc(#loc10)
      "affine.yield"() : () -> () loc(#loc7)
    }) : () -> () loc(#loc9)
    "func.return"() : () -> () loc(#loc8)
  }) {llvm.emit_c_interface} : () -> () loc(#loc1)
}) {llvm.target_triple = ""} : () -> () loc(#loc)
#loc = loc("locations.mlir":3:1)
#loc1 = loc("x.mlir":1:1)
#loc4 = loc("f")
#loc6 = loc("p")
#loc7 = loc("locations.mlir":5:5)
#loc8 = loc("x.mlir":3:1)
#loc9 = loc(callsite(#loc4 at #loc1))
#loc10 = loc(fused[#loc6, #loc1])

