// RUN: opt-tool --pass trim-loops %s | filecheck %s

// CASE fires: tiles of 4 rows, of which the last outer tile of 128 has fewer: the empty ones are not run.
// CHECK-LABEL: func.func @tiles
// CHECK:       loop.for %o = 0 to 8 {
// CHECK-NEXT:    loop.for %io = 0 to min(-%o * 32 + 250, 32) {
// CHECK-NEXT:      loop.for %ii = 0 to 4 kind unrolled {
func.func @tiles(%x: memref<1000xf32>, %y: memref<1000xf32>) {
  loop.for %o = 0 to 8 {
    loop.for %io = 0 to 32 {
      loop.for %ii = 0 to 4 kind unrolled {
        loop.if (%o * 128 + %io * 4 + %ii < 1000) {
          %v = loop.load %x[%o * 128 + %io * 4 + %ii] : memref<1000xf32>
          loop.store %v, %y[%o * 128 + %io * 4 + %ii] : memref<1000xf32>
        }
      }
    }
  }
  func.return
}

// CASE fires: two stores: the loop ends with the later one.
// CHECK-LABEL: func.func @two
// CHECK:       loop.for %i = 2 to 30 {
func.func @two(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  loop.for %i = 0 to 64 {
    loop.store %c, %x[%i] where (%i >= 5, %i < 30) : memref<64xf32>
    loop.if (%i >= 2, %i < 20) {
      loop.store %c, %y[%i] : memref<64xf32>
    }
  }
  func.return
}

// CASE fires: what is fetched ahead in empty tiles is for nobody.
// CHECK-LABEL: func.func @fetching
// CHECK:       loop.for %io = 0 to min(-%o * 32 + 250, 32) {
// CHECK-NEXT:    loop.prefetch
func.func @fetching(%x: memref<1000xf32>, %y: memref<1000xf32>) {
  loop.for %o = 0 to 8 {
    loop.for %io = 0 to 32 {
      loop.prefetch %x[%o * 128 + %io * 4 + 64] : memref<1000xf32>
      loop.if (%o * 128 + %io * 4 < 1000) {
        %v = loop.load %x[%o * 128 + %io * 4] : memref<1000xf32>
        loop.store %v, %y[%o * 128 + %io * 4] : memref<1000xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: a store without a condition, an else, and registers keep the extent.
// CHECK-LABEL: func.func @kept
// CHECK:       loop.for %i = 0 to 64 {
// CHECK:       loop.for %j = 0 to 64 {
// CHECK:       loop.for %k = 0 to 8 {
func.func @kept(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  loop.for %i = 0 to 64 {
    loop.store %c, %x[%i] where (%i < 30) : memref<64xf32>
    loop.store %c, %y[%i] : memref<64xf32>
  }
  loop.for %j = 0 to 64 {
    loop.if (%j < 30) {
      loop.store %c, %x[%j] : memref<64xf32>
    } else {
      loop.store %c, %y[%j] : memref<64xf32>
    }
  }
  %r = loop.alloc : memref<8xf32, "register">
  loop.for %k = 0 to 8 {
    loop.store %c, %r[%k] where (%k < 5) : memref<8xf32, "register">
  }
  func.return
}

// CASE leaves alone: what is to be registers keeps the numbers that they have.
// CHECK-LABEL: func.func @to_be_registers(
// CHECK:      loop.for %i = 0 to 4 {
func.func @to_be_registers(%A: memref<100xf32>, %t: index) {
  %a = loop.alloc attributes {tw.words_at_once = 4 : i64} : memref<4xf32, "local">
  loop.for %i = 0 to 4 {
    loop.if (%t + %i * 32 < 100) {
      %x = loop.load %A[%t + %i * 32] : memref<100xf32>
      loop.store %x, %a[%i] : memref<4xf32, "local">
    }
  }
  func.return
}
