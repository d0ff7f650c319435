#loc2 = loc("a")
#loc3 = loc(unknown)
#loc5 = loc("locations.mlir":5:16)
module attributes {llvm.target_triple = ""} {
  func.func @main(%arg0: memref<8xf32> loc("a"), %arg1: memref<9xf32> loc(unknown)) attributes {llvm.emit_c_interface} {
    affine.for %arg2 loc("locations.mlir":5:16) = 0 to 8 {
      %0 = affine.load %arg0[%arg2] : memref<8xf32> loc(#loc1)
      affine.store %0, %arg1[%arg2 + 1] : memref<9xf32> loc(#loc9)
    } loc(#loc8)
    return loc(#loc7)
  } loc(#loc1)
} loc(#loc)
#loc = loc("locations.mlir":3:1)
#loc1 = loc("x.mlir":1:1)
#loc4 = loc("f")
#loc6 = loc("p")
#loc7 = loc("x.mlir":3:1)
#loc8 = loc(callsite(#loc4 at #loc1))
#loc9 = loc(fused[#loc6, #loc1])

