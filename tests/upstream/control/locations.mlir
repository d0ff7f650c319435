#map = affine_map<(d0) -> (d0 + 1)>
#loc = loc("x.mlir":1:1)
module attributes {llvm.target_triple = ""} {
  func.func @main(%A: memref<8xf32> loc("a"), %B: memref<9xf32> loc(unknown)) attributes {llvm.emit_c_interface} {
    affine.for %i = 0 to 8 {
      %0 = affine.load %A[%i] : memref<8xf32> loc(#loc)
      affine.store %0, %B[%i + 1] : memref<9xf32> loc(fused["p", #loc])
    } loc(callsite("f" at #loc))
    return loc(#loc1)
  } loc(#loc)
}
#loc1 = loc("x.mlir":3:1)
