// RUN: opt-tool --pass contract-fma --split-input-file --target none %s | filecheck %s

builtin.module attributes {tw.target = #target.cpu<features ["fma"], vector_bits 256, caches [1, 1, 1], threads 1>} {
  // CASE fires: a product that is used once and the sum that uses it are one operation.
  // CHECK-LABEL: func.func private @sums(
  // CHECK-NEXT:    %s = math.fma %a, %b, %c : vector<8xf32>
  // CHECK-NEXT:    %t = math.fma %b, %c, %s : vector<8xf32>
  // CHECK-NEXT:    %[[N:.*]] = arith.negf %a : vector<8xf32>
  // CHECK-NEXT:    %u = math.fma %[[N]], %a, %t : vector<8xf32>
  // CHECK-NEXT:    %[[M:.*]] = arith.negf %u : vector<8xf32>
  // CHECK-NEXT:    %v = math.fma %b, %b, %[[M]] : vector<8xf32>
  func.func private @sums(%a: vector<8xf32>, %b: vector<8xf32>, %c: vector<8xf32>) -> vector<8xf32> {
    %p = arith.mulf %a, %b : vector<8xf32>
    %s = arith.addf %p, %c : vector<8xf32>
    %q = arith.mulf %b, %c : vector<8xf32>
    %t = arith.addf %s, %q : vector<8xf32>
    %r = arith.mulf %a, %a : vector<8xf32>
    %u = arith.subf %t, %r : vector<8xf32>
    %w = arith.mulf %b, %b : vector<8xf32>
    %v = arith.subf %w, %u : vector<8xf32>
    func.return %v : vector<8xf32>
  }

  // CASE leaves alone: the product is used twice, or computed outside of the loop.
  // CHECK-LABEL: func.func private @others(
  // CHECK-NOT:     math.fma
  func.func private @others(%a: f32, %b: f32, %C: memref<8xf32>) -> f32 {
    %p = arith.mulf %a, %b : f32
    loop.for %i = 0 to 8 {
      %c = loop.load %C[%i] : memref<8xf32>
      %s = arith.addf %c, %p : f32
      loop.store %s, %C[%i] : memref<8xf32>
    }
    %q = arith.mulf %a, %a : f32
    %t = arith.addf %q, %q : f32
    func.return %t : f32
  }
}

// -----

// CASE leaves alone: without a target that can, nothing is contracted.
// CHECK-LABEL: func.func private @no_target(
// CHECK-NOT:     math.fma
func.func private @no_target(%a: f32, %b: f32, %c: f32) -> f32 {
  %p = arith.mulf %a, %b : f32
  %s = arith.addf %p, %c : f32
  func.return %s : f32
}
