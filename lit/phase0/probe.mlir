// RUN: opt-tool --pass probe %s | filecheck %s
// RUN: opt-tool --pass "probe{block=C}" %s | filecheck %s --check-prefix NAMED
// RUN: not opt-tool --pass "probe{block=D}" %s 2>&1 | filecheck %s --check-prefix ERROR

// CASE errs: no block has the name.
// ERROR: error[TW0403]: probe: there is no block 'D'

// CASE fires: behind each store of a block, and not in an init; halves are printed as floats.
// CHECK-LABEL: func.func private @main(
// CHECK:         loop.store %a, %B[%vi] : memref<8xf16>
// CHECK-NEXT:    [[WIDE:%[^ ]+]] = arith.extf %a : f16 to f32
// CHECK-NEXT:    loop.print "probe.mlir:{{[0-9]+}}: B[{}] = {}" (%vi) [[WIDE]] : f32
// CHECK:         loop.store %zero, %C[] : memref<f32>
// CHECK-NEXT:    }
// CHECK:         loop.store %t, %C[] : memref<f32>
// CHECK-NEXT:    loop.print "probe.mlir:{{[0-9]+}}: C[] = {}" () %t : f32
// NAMED-LABEL: func.func private @main(
// NAMED:         loop.block "B"
// NAMED-NOT:     loop.print
// NAMED:         loop.block "C"
// NAMED:         loop.print "probe.mlir:{{[0-9]+}}: C[] = {}" () %t : f32
func.func private @main(%A: memref<8xf16>, %B: memref<8xf16> {tw.output}, %D: memref<8xf32>, %C: memref<f32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 {
    loop.block "B" (%vi = spatial(%i) in 8) {
      %a = loop.load %A[%vi] : memref<8xf16>
      loop.store %a, %B[%vi] : memref<8xf16>
    }
  }
  loop.for %k = 0 to 8 {
    loop.block "C" (%vk = reduce(%k) in 8) {
      loop.init { loop.store %zero, %C[] : memref<f32> }
      %d = loop.load %D[%vk] : memref<8xf32>
      %c = loop.load %C[] : memref<f32>
      %t = arith.addf %c, %d : f32
      loop.store %t, %C[] : memref<f32>
    }
  }
  func.return
}

// CASE leaves alone: a block that stores vectors.
// CHECK-LABEL: func.func private @vectors(
// CHECK-NOT:     loop.print
func.func private @vectors(%A: memref<8xf32>, %E: memref<8xf32> {tw.output}) {
  loop.block "E" () {
    %a = loop.load %A[lane] : memref<8xf32>, vector<8xf32>
    loop.store %a, %E[lane] : vector<8xf32>, memref<8xf32>
  }
  func.return
}
