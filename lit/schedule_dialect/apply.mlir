// RUN: opt-tool --schedule %S/Inputs/tile.schedule %s | filecheck %s
// RUN: opt-tool --pass 'apply-schedule{file="%S/Inputs/tile.schedule"}' %s | filecheck %s
// RUN: not opt-tool --schedule %S/Inputs/refused.schedule %s 2>&1 | filecheck %s --check-prefix REFUSED
// RUN: not opt-tool --schedule %S/Inputs/twice.schedule %s 2>&1 | filecheck %s --check-prefix TWICE
// RUN: not opt-tool --schedule %S/Inputs/unknown.schedule %s 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: not opt-tool --schedule %s %s 2>&1 | filecheck %s --check-prefix PROGRAM
// RUN: not opt-tool --schedule %S/Inputs/none.schedule %s 2>&1 | filecheck %s --check-prefix NONE
// RUN: opt-tool --emit schedule --target host %s | filecheck %s --check-prefix DEFAULT

// CHECK-LABEL: func.func private @scale(
// CHECK-SAME:      attributes {tw.scheduled}
// CHECK-NEXT:    loop.for %io = 0 to 4 kind parallel {
// CHECK-NEXT:      loop.for %j = 0 to 64 {
// CHECK-NEXT:        loop.for %ii = 0 to 16 {
// CHECK-NEXT:          loop.block "B" (%vi = spatial(%io * 16 + %ii) in 57, %vj = spatial(%j) in 64) where (%io * 16 + %ii < 57) {

// REFUSED:      refused.schedule:3:14: error[TW0403]: split: the factors [2, 16] give 32 iterations, too few for the 57 of loop %i
// REFUSED-NEXT:   %io, %ii = schedule.split %i factors [2, 16]
// REFUSED-NEXT: {{^}}             ^
// REFUSED-NEXT: note: {{.*}}apply.mlir:[[#]]:3: loop.for %i = 0 to 57 {

// TWICE: twice.schedule:4:1: error[TW0435]: expected one sequence for @scale, but got another

// UNKNOWN: unknown.schedule:1:1: error[TW0407]: expected a function @scal, but the functions are @scale, @copy; did you mean 'scale'?

// PROGRAM: error[TW0435]: expected schedule.sequence operations, but got 'func.func'

// NONE: error[TW0106]: expected an operation, but the input is empty

// DEFAULT:      schedule.sequence @scale {
// DEFAULT-NEXT:   %B = schedule.get_block "B"
// DEFAULT:      schedule.sequence @copy {
func.func private @scale(%A: memref<57x64xf32>, %B: memref<57x64xf32> {tw.output}) {
  loop.for %i = 0 to 57 {
    loop.for %j = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 57, %vj = spatial(%j) in 64) {
        %a = loop.load %A[%vi, %vj] : memref<57x64xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %B[%vi, %vj] : memref<57x64xf32>
      }
    }
  }
  func.return
}

// Must not fire: no sequence is for this function.
// CHECK-LABEL: func.func private @copy(
// CHECK-NOT:       tw.scheduled
// CHECK:         loop.for %i = 0 to 64 {
func.func private @copy(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
  loop.for %i = 0 to 64 {
    loop.block "B" (%vi = spatial(%i) in 64) {
      %a = loop.load %A[%vi] : memref<64xf32>
      loop.store %a, %B[%vi] : memref<64xf32>
    }
  }
  func.return
}
