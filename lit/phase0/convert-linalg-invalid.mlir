// RUN: opt-tool --pass convert-linalg --split-input-file --verify-diagnostics %s

// CASE errs: no operand says how long the loop is.
func.func @window(%A: memref<9xf32>, %B: memref<4xf32>) {
  // expected-error@+1 {{TW0571: expected an operand whose dimension is loop 1 of linalg.generic alone}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 2 + d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%A : memref<9xf32>) outs(%B : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}
