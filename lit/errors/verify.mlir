// RUN: opt-tool --split-input-file --verify-diagnostics %s

func.func @mismatch(%a: f32) -> i32 {
  func.return %a : f32 // expected-error {{TW0103: 'func.return'}}
}

// -----

// expected-error @+1 {{TW0103: 'func.func': Operation func.func contains empty block}}
func.func @empty(%a: i32) {
}

// -----

// A value used before its definition.
func.func @order(%a: i32) {
  %b = arith.addi %a, %c : i32 // expected-error {{TW0104: value %c is used where its definition does not reach}}
  %c = arith.addi %a, %a : i32
  func.return
}

// -----

// A cycle.
func.func @cycle(%a: i32) {
  %b = arith.addi %a, %c : i32 // expected-error {{TW0104: value %c}}
  %c = arith.addi %a, %b : i32
  func.return
}

// -----

func.func @own_result(%a: i32) {
  %b = arith.addi %a, %b : i32 // expected-error {{TW0104: 'arith.addi' uses its own result %b}}
  func.return
}

// -----

// Blocks: the definition stands in one branch only.
func.func @branch(%p: i1, %a: i32) -> i32 {
  cf.cond_br %p, ^left, ^right
^left:
  %b = arith.addi %a, %a : i32
  cf.br ^right
^right:
  func.return %b : i32 // expected-error {{TW0104: value %b is used where its definition does not reach}}
}

// -----

// A definition that dominates, also through an unreachable predecessor.
func.func @fine(%p: i1, %a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  cf.cond_br %p, ^left, ^right
^left:
  cf.br ^right
^unreachable:
  cf.br ^right
^right:
  func.return %b : i32
}
