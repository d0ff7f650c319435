// RUN: opt-tool --split-input-file --verify-diagnostics %s

// expected-error {{TW0106: expected an operation, but the input is empty}}

// -----

hello // expected-error {{TW0101: expected an operation, but got 'hello'}}

// -----

// expected-error @+1 {{TW0101: unknown dialect 'lop'; did you mean 'loop'?}}
lop.for

// -----

func.func @f() {
  // expected-error @+1 {{TW0101: unknown operation 'arith.adi'; did you mean 'arith.andi' or 'arith.addi'?}}
  %c = arith.adi %a, %b : i32
}

// -----

func.func @f(%count: i32) {
  // expected-error @+1 {{TW0102: value %cuont is used but not defined; did you mean '%count'?}}
  %c = arith.addi %count, %cuont : i32
  func.return
}

// -----

func.func @f() {
  func.return // expected-error {{TW0101: expected an operation or '}', but the input ends}}

// -----

func.func @f(%a: i32) {
  %a = arith.constant 0 : i32 // expected-error {{TW0101: SSA value %a is already defined}}
}
