// RUN: not opt-tool --pass narrow-datatypes{bits=16} %s 2>&1 | filecheck %s

// CASE errs: the width is that of the machine's vectors of integers, and no option.
// CHECK: error[TW0202]: {{.*}}bits
func.func @main() {
  func.return
}
