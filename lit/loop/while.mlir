// RUN: ROUNDTRIP

// CHECK:       loop.while %i to %n holds %going : memref<i1> {
// CHECK:       loop.while %j holds %going : memref<i1> attributes {note} {
func.func private @main(%n: index, %going: memref<i1>, %false: i1) {
  loop.while %i to %n holds %going : memref<i1> {
    loop.if (%i >= 4) { loop.store %false, %going[] : memref<i1> }
  }
  loop.while %j holds %going : memref<i1> attributes {note} {
    loop.store %false, %going[] : memref<i1>
  }
  func.return
}
