// RUN: opt-tool --phase 0 %s | filecheck %s --check-prefix PHASE0
// RUN: opt-tool --phase 1 %s | filecheck %s --check-prefix PHASE1
// RUN: opt-tool --phase 3 %s | filecheck %s --check-prefix PHASE3
// RUN: opt-tool --phase 0 %s | opt-tool --phase 3 | filecheck %s --check-prefix PHASE3

// Each phase leaves what the next one starts from; a module that stopped after one can go on from there.
// PHASE0: loop.block
// PHASE1-NOT: loop.block
// PHASE1: loop.store
// PHASE3-NOT: kind vectorized
// PHASE3: vector<{{[0-9]+}}xf32>
builtin.module attributes {tw.target = #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 2>} {
  func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %s = graph.add %x, %y : tensor<64x64xf32>
    func.return %s : tensor<64x64xf32>
  }
}
