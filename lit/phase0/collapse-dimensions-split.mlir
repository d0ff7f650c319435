// RUN: opt-tool --pass collapse-dimensions %s | filecheck %s

// CASE fires: channels that are taken out of blocks: with blocks and positions as separate axes it is a transpose.
// CHECK-LABEL: func.func private @unblock(%X: tensor<4x96x16xf32>) -> tensor<4x16x96xf32>
// CHECK:         te.compute "u" [%c to 4, %{{.*}} to 16, %h to 96] -> tensor<4x16x96xf32> {
// CHECK-NEXT:    te.read %X[%c, %h, %{{.*}}] : tensor<4x96x16xf32>
func.func private @unblock(%X: tensor<1x4x8x12x16xf32>) -> tensor<1x64x8x12xf32> {
  %u = te.compute "u" [%n to 1, %c to 64, %h to 8, %w to 12] -> tensor<1x64x8x12xf32> {
    %x = te.read %X[%n, %c floordiv 16, %h, %w, %c mod 16] : tensor<1x4x8x12x16xf32>
    te.yield %x : f32
  }
  func.return %u : tensor<1x64x8x12xf32>
}

// CASE fires: channels that are put into blocks.
// CHECK-LABEL: func.func private @block(%X: tensor<4x16x96xf32>) -> tensor<4x96x16xf32>
// CHECK:         te.read %X[%b, %c, %h] : tensor<4x16x96xf32>
func.func private @block(%X: tensor<1x64x8x12xf32>) -> tensor<1x4x8x12x16xf32> {
  %u = te.compute "b" [%n to 1, %b to 4, %h to 8, %w to 12, %c to 16] -> tensor<1x4x8x12x16xf32> {
    %x = te.read %X[%n, %b * 16 + %c, %h, %w] : tensor<1x64x8x12xf32>
    te.yield %x : f32
  }
  func.return %u : tensor<1x4x8x12x16xf32>
}

// CASE fires: a convolution in groups is a matrix product in each of them; the bias and what follows go along.
// CHECK-LABEL: func.func private @groups(
// CHECK-SAME:      %X: tensor<3x10x40xf32>, %W: tensor<3x12x10xf32>, %b: tensor<3x12xf32>) -> tensor<3x12x40xf32>
// CHECK:         te.compute "conv" [%o to 3, %[[O:.*]] to 12, %h to 40] reduce [%i to 10] -> tensor<3x12x40xf32> {
// CHECK-NEXT:    te.read %X[%o, %i, %h]
// CHECK-NEXT:    te.read %W[%o, %[[O]], %i]
// CHECK:         te.compute "bias" [%[[G:.*]] to 3, %[[P:.*]] to 12, %{{.*}} to 40]
// CHECK:         te.read %b[%[[G]], %[[P]]]
func.func private @groups(%X: tensor<1x30x40xf32>, %W: tensor<36x10xf32>, %b: tensor<36xf32>) -> tensor<1x36x40xf32> {
  %c = te.compute "conv" [%n to 1, %o to 36, %h to 40] reduce [%i to 10] -> tensor<1x36x40xf32> {
    %x = te.read %X[%n, %o floordiv 12 * 10 + %i, %h] : tensor<1x30x40xf32>
    %w = te.read %W[%o, %i] : tensor<36x10xf32>
    %p = arith.mulf %x, %w : f32
    te.reduce <add> %p : f32
  }
  %r = te.compute "bias" [%n to 1, %o to 36, %h to 40] -> tensor<1x36x40xf32> {
    %x = te.read %c[%n, %o, %h] : tensor<1x36x40xf32>
    %bb = te.read %b[%o] : tensor<36xf32>
    %p = arith.addf %x, %bb : f32
    te.yield %p : f32
  }
  func.return %r : tensor<1x36x40xf32>
}

// CASE leaves alone: the axis is also used as a whole, in a condition.
// CHECK-LABEL: func.func private @condition(%X: tensor<4x20x16xf32>) -> tensor<64x20xf32>
func.func private @condition(%X: tensor<4x20x16xf32>) -> tensor<64x20xf32> {
  %u = te.compute "u" [%c to 64, %h to 20] -> tensor<64x20xf32> {
    %z = arith.constant 0.0 : f32
    %x = te.read %X[%c floordiv 16, %h, %c mod 16] where (%c < 50) else %z : tensor<4x20x16xf32>
    te.yield %x : f32
  }
  func.return %u : tensor<64x20xf32>
}

// CASE leaves alone: parts of three and of four do not go together.
// CHECK-LABEL: func.func private @odd(%X: tensor<12x8xf32>, %Y: tensor<8x12xf32>) -> tensor<96x20xf32>
func.func private @odd(%X: tensor<12x8xf32>, %Y: tensor<8x12xf32>) -> tensor<96x20xf32> {
  %u = te.compute "u" [%c to 96, %h to 20] -> tensor<96x20xf32> {
    %x = te.read %X[%c floordiv 8, %c mod 8] : tensor<12x8xf32>
    %y = te.read %Y[%c floordiv 12, %c mod 12] : tensor<8x12xf32>
    %s = arith.addf %x, %y : f32
    te.yield %s : f32
  }
  func.return %u : tensor<96x20xf32>
}

// CASE leaves alone: rows of two elements would fill no vector.
// CHECK-LABEL: func.func private @upsample(%X: tensor<4x8xf32>) -> tensor<4x64xf32>
func.func private @upsample(%X: tensor<4x8xf32>) -> tensor<4x64xf32> {
  %u = te.compute "u" [%c to 4, %w to 64] -> tensor<4x64xf32> {
    %x = te.read %X[%c, %w floordiv 8] : tensor<4x8xf32>
    te.yield %x : f32
  }
  func.return %u : tensor<4x64xf32>
}

// CASE leaves alone: the last axis reads rows of 32, which would become rows of 8.
// CHECK-LABEL: func.func private @rows_read(%X: tensor<20x32xf32>) -> tensor<4x20x8xf32>
func.func private @rows_read(%X: tensor<20x32xf32>) -> tensor<4x20x8xf32> {
  %u = te.compute "u" [%b to 4, %h to 20, %w to 8] -> tensor<4x20x8xf32> {
    %x = te.read %X[%h, %b * 8 + %w] : tensor<20x32xf32>
    te.yield %x : f32
  }
  func.return %u : tensor<4x20x8xf32>
}

// CASE fires: the last axis reads a column, whose elements do not lie side by side.
// CHECK-LABEL: func.func private @columns_read(%X: tensor<4x8x20xf32>) -> tensor<4x20x8xf32>
// CHECK:         te.read %X[%b, %w, %h] : tensor<4x8x20xf32>
func.func private @columns_read(%X: tensor<32x20xf32>) -> tensor<4x20x8xf32> {
  %u = te.compute "u" [%b to 4, %h to 20, %w to 8] -> tensor<4x20x8xf32> {
    %x = te.read %X[%b * 8 + %w, %h] : tensor<32x20xf32>
    te.yield %x : f32
  }
  func.return %u : tensor<4x20x8xf32>
}

// CASE fires: another axis reads the row, which the last one does not go along.
// CHECK-LABEL: func.func private @rows_across(%X: tensor<20x4x8xf32>) -> tensor<4x20x8x3xf32>
func.func private @rows_across(%X: tensor<20x32xf32>) -> tensor<4x20x8x3xf32> {
  %u = te.compute "u" [%b to 4, %h to 20, %c to 8, %w to 3] -> tensor<4x20x8x3xf32> {
    %x = te.read %X[%h, %b * 8 + %c] : tensor<20x32xf32>
    te.yield %x : f32
  }
  func.return %u : tensor<4x20x8x3xf32>
}

// CASE leaves alone: rows of 15 elements are short too.
// CHECK-LABEL: func.func private @odd_rows(%X: tensor<20x60xf32>) -> tensor<4x20x15xf32>
func.func private @odd_rows(%X: tensor<20x60xf32>) -> tensor<4x20x15xf32> {
  %u = te.compute "u" [%b to 4, %h to 20, %w to 15] -> tensor<4x20x15xf32> {
    %x = te.read %X[%h, %b * 15 + %w] : tensor<20x60xf32>
    te.yield %x : f32
  }
  func.return %u : tensor<4x20x15xf32>
}

// CASE fires: rows of 16 elements fill a vector.
// CHECK-LABEL: func.func private @vectors(%X: tensor<20x4x16xf32>) -> tensor<4x20x16xf32>
func.func private @vectors(%X: tensor<20x64xf32>) -> tensor<4x20x16xf32> {
  %u = te.compute "u" [%b to 4, %h to 20, %w to 16] -> tensor<4x20x16xf32> {
    %x = te.read %X[%h, %b * 16 + %w] : tensor<20x64xf32>
    te.yield %x : f32
  }
  func.return %u : tensor<4x20x16xf32>
}

// CASE fires: what reads another result of the kernel reads it in parts.
// CHECK-LABEL: func.func private @chain(
// CHECK:         te.compute "pad" [%c to 3, %{{.*}} to 10, %h to 42]
// CHECK:         te.compute "conv" [%o to 3, %{{.*}} to 12, %{{.*}} to 40] reduce [%i to 10, %r to 3]
// CHECK-NEXT:    te.read %{{.*}}[%o, %i, %{{.*}} + %r] : tensor<3x10x42xf32>
func.func private @chain(%X: tensor<30x40xf32>, %W: tensor<36x10x3xf32>) -> tensor<36x40xf32> {
  %q = te.compute "pad" [%c to 30, %h to 42] -> tensor<30x42xf32> {
    %z = arith.constant 0.0 : f32
    %x = te.read %X[%c, %h - 1] where (%h >= 1, %h < 41) else %z : tensor<30x40xf32>
    te.yield %x : f32
  }
  %c = te.compute "conv" [%o to 36, %h to 40] reduce [%i to 10, %r to 3] -> tensor<36x40xf32> {
    %x = te.read %q[%o floordiv 12 * 10 + %i, %h + %r] : tensor<30x42xf32>
    %w = te.read %W[%o, %i, %r] : tensor<36x10x3xf32>
    %p = arith.mulf %x, %w : f32
    te.reduce <add> %p : f32
  }
  func.return %c : tensor<36x40xf32>
}

// CHECK-LABEL: func.func @main(
// CHECK:       te.reshape %X : tensor<1x64x8x12xf32> to tensor<4x16x96xf32>
// CHECK:       te.reshape {{.*}} : tensor<4x16x96xf32> to tensor<1x64x8x12xf32>
func.func @main(%X: tensor<1x64x8x12xf32>) -> tensor<1x64x8x12xf32> {
  %y = func.call @block(%X) : (tensor<1x64x8x12xf32>) -> tensor<1x4x8x12x16xf32>
  %z = func.call @unblock(%y) : (tensor<1x4x8x12x16xf32>) -> tensor<1x64x8x12xf32>
  func.return %z : tensor<1x64x8x12xf32>
}
