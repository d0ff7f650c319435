// RUN: opt-tool --split-input-file --verify-diagnostics %s

func.func private @empty(%x: f32) {
  // expected-error @+1 {{expected a function to call, but got an empty name}}
  %y = loop.call_intrin ""(%x) : (f32) -> f32
  func.return
}

// -----

func.func private @lanes(%x: vector<4xf32>) {
  // expected-error @+1 {{expected vectors of one shape, but got}}
  %y = loop.call_pure_extern "logf"(%x) : (vector<4xf32>) -> vector<8xf32>
  func.return
}

// -----

func.func private @buffer(%x: memref<4xf32>) {
  // expected-error @+1 {{expected scalars or vectors, but got memref<4xf32>}}
  %y = loop.call_intrin "mylog"(%x) : (memref<4xf32>) -> f32
  func.return
}
