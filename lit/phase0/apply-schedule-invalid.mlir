// RUN: not opt-tool --pass 'apply-schedule{file="%S/Inputs/split.schedule"}' %s 2>&1 | filecheck %s

// CASE errs: the sequence is for a function that is not here; the error points into the schedule.
// CHECK: split.schedule:1:1: error[TW0407]: expected a function @scale, but the functions are @scales; did you mean 'scales'?
func.func private @scales(%A: memref<57xf32>, %B: memref<57xf32> {tw.output}) {
  loop.for %i = 0 to 57 {
    loop.block "B" (%vi = spatial(%i) in 57) {
      %a = loop.load %A[%vi] : memref<57xf32>
      loop.store %a, %B[%vi] : memref<57xf32>
    }
  }
  func.return
}
