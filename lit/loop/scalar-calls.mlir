// RUN: ROUNDTRIP

// CHECK-LABEL: func.func private @calls(
func.func private @calls(%x: f32, %v: vector<8xf32>, %n: vector<8xi32>) -> vector<8xf32> {
  // CHECK-NEXT: %y = loop.call_intrin "mylog"(%x, %x) attributes {note = "x"} : (f32, f32) -> f32
  %y = loop.call_intrin "mylog"(%x, %x) attributes {note = "x"} : (f32, f32) -> f32
  // CHECK-NEXT: %z = loop.call_intrin "seed"() : () -> i32
  %z = loop.call_intrin "seed"() : () -> i32
  // CHECK-NEXT: %w = loop.call_pure_extern "ldexpf"(%v, %n) : (vector<8xf32>, vector<8xi32>) -> vector<8xf32>
  %w = loop.call_pure_extern "ldexpf"(%v, %n) : (vector<8xf32>, vector<8xi32>) -> vector<8xf32>
  func.return %w : vector<8xf32>
}
