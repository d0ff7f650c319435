// RUN: not opt-tool --pass "vectorize{width=1}" %s 2>&1 | filecheck %s --check-prefix=WIDTH
// RUN: not opt-tool --pass "unroll{factor=0}" %s 2>&1 | filecheck %s --check-prefix=FACTOR
// RUN: not opt-tool --pass "partition-loops{max-op=3}" %s 2>&1 | filecheck %s --check-prefix=NAME

// WIDTH: error[TW0202]: pass 'vectorize': expected a width of at least 2, but got 1
// FACTOR: error[TW0202]: pass 'unroll': expected a factor of at least 1, but got 0
// NAME: error[TW0202]: pass 'partition-loops' has no option 'max-op'
func.func private @f() { func.return }
