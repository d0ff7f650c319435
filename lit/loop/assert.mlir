// RUN: ROUNDTRIP

// CHECK:       loop.assert (%k >= 0, %k < %n), "expected an index below {}, but got {}" (%n, %k)
// CHECK-NEXT:  loop.assert (%k + %n < 9), "too large" ()
func.func private @main(%k: index, %n: index) {
  loop.assert (%k >= 0, %k < %n), "expected an index below {}, but got {}" (%n, %k)
  loop.assert (%k + %n < 9), "too large" ()
  func.return
}
