// RUN: opt-tool --pass fuse,tile --print-pipeline --target none %s 2>&1 | filecheck %s --check-prefix PIPELINE
// RUN: opt-tool --pass fuse,tile --target none %s | opt-tool | filecheck %s
// RUN: opt-tool --pass fuse,tile --target none %s | opt-tool --print-op-generic | opt-tool | filecheck %s

// A pass on blocks, a module of graph operators: the conversions in between are inserted, and what comes out reads back.
// PIPELINE: {{^}}fuse,materialize-region-results,outline,lower-graph,lower-te,tile{{$}}
// CHECK: func.func @main(%x: memref<64x64xf32>,
// CHECK: func.func private
// CHECK: loop.for
// CHECK: loop.block
// CHECK-NOT: graph.
// CHECK-NOT: te.
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = graph.add %x, %y : tensor<64x64xf32>
  %r = graph.relu %s : tensor<64x64xf32>
  func.return %r : tensor<64x64xf32>
}
