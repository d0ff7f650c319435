// RUN: opt-tool --pass 'apply-schedule{file="%S/Inputs/split.schedule"}' %s | filecheck %s

// CASE fires: the file has a sequence for this function.
// CHECK-LABEL: func.func private @scale(
// CHECK-SAME:      attributes {tw.scheduled}
// CHECK-NEXT:    loop.for %io = 0 to 4 kind parallel {
// CHECK-NEXT:      loop.for %ii = 0 to 16 {
// CHECK-NEXT:        loop.block "B" (%vi = spatial(%io * 16 + %ii) in 57) where (%io * 16 + %ii < 57) {
func.func private @scale(%A: memref<57xf32>, %B: memref<57xf32> {tw.output}) {
  loop.for %i = 0 to 57 {
    loop.block "B" (%vi = spatial(%i) in 57) {
      %a = loop.load %A[%vi] : memref<57xf32>
      %b = arith.addf %a, %a : f32
      loop.store %b, %B[%vi] : memref<57xf32>
    }
  }
  func.return
}

// CASE leaves alone: no sequence is for this one.
// CHECK-LABEL: func.func private @copy(
// CHECK-NEXT:    loop.for %i = 0 to 57 {
func.func private @copy(%A: memref<57xf32>, %B: memref<57xf32> {tw.output}) {
  loop.for %i = 0 to 57 {
    loop.block "B" (%vi = spatial(%i) in 57) {
      %a = loop.load %A[%vi] : memref<57xf32>
      loop.store %a, %B[%vi] : memref<57xf32>
    }
  }
  func.return
}
