// RUN: not opt-tool --pass "partition-loops{max-op=3}" %s 2>&1 | filecheck %s

// CASE errs: the option has another name.
// CHECK: error[TW0202]: pass 'partition-loops' has no option 'max-op'; did you mean 'max-ops'?
func.func private @f() { func.return }
