// RUN: opt-tool --pass convert-memref --split-input-file --verify-diagnostics %s

// CASE errs: what changes is no constant.
memref.global "private" @state : memref<3xi32> = dense<0>
func.func @mutable(%A: memref<3xi32>) {
  // expected-error@+1 {{TW0571: expected a constant global @state with a value in the module}}
  %w = memref.get_global @state : memref<3xi32>
  memref.copy %w, %A : memref<3xi32> to memref<3xi32>
  return
}

// -----

func.func @atomic(%A: memref<3xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{TW0570: 'memref.memory_space_cast' is not converted}}
  %w = "memref.memory_space_cast"(%A) : (memref<3xi32>) -> memref<3xi32, 1>
  return
}

// -----

func.func private @callee(%A: memref<4xf32, strided<[8]>>)
func.func @passed(%A: memref<8xf32>, %B: memref<4xf32>) {
  %s = memref.subview %A[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  // expected-error@+1 {{TW0571: expected a whole buffer in 'func.call', but got a view}}
  call @taken(%s) : (memref<4xf32, strided<[2]>>) -> ()
  return
}
func.func private @taken(%A: memref<4xf32, strided<[2]>>)
