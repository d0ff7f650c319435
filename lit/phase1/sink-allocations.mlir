// RUN: opt-tool --pass sink-allocations %s | filecheck %s

// CASE fires: a register tile: into the loops around all of its accesses, as large as one run of them touches, tails
// included.
// CHECK-LABEL: func.func @tile
// CHECK:         loop.for %jo = 0 to 4 {
// CHECK-NEXT:      %acc = loop.alloc : memref<6x16xf32, "register">
// CHECK:             loop.store %zero, %acc[%{{.*}}, %{{.*}}] : memref<6x16xf32, "register">
// CHECK:           loop.for %k = 0 to 8 {
// CHECK:             %c = loop.load %acc[%{{.*}}, %{{.*}}] : memref<6x16xf32, "register">
// CHECK:           loop.load %acc[%ii{{.*}}, %ji{{.*}}] : memref<6x16xf32, "register">
// CHECK-NEXT:      loop.store %{{.*}}, %C[%io * 6 + %ii{{.*}}, %jo * 16 + %ji{{.*}}] : memref<96x60xf32>
func.func @tile(%A: memref<96x8xf32>, %C: memref<96x60xf32>) {
  %zero = arith.constant 0.0 : f32
  %acc = loop.alloc : memref<96x60xf32, "register">
  loop.for %io = 0 to 16 kind parallel { loop.for %jo = 0 to 4 {
    loop.for %ii = 0 to 6 kind unrolled { loop.for %ji = 0 to 16 kind vectorized { loop.if (%jo * 16 + %ji < 60) {
      loop.store %zero, %acc[%io * 6 + %ii, %jo * 16 + %ji] : memref<96x60xf32, "register">
    } } }
    loop.for %k = 0 to 8 {
      loop.for %ii = 0 to 6 kind unrolled { loop.for %ji = 0 to 16 kind vectorized { loop.if (%jo * 16 + %ji < 60) {
        %a = loop.load %A[%io * 6 + %ii, %k] : memref<96x8xf32>
        %c = loop.load %acc[%io * 6 + %ii, %jo * 16 + %ji] : memref<96x60xf32, "register">
        %s = arith.addf %a, %c : f32
        loop.store %s, %acc[%io * 6 + %ii, %jo * 16 + %ji] : memref<96x60xf32, "register">
      } } }
    }
    loop.for %ii = 0 to 6 kind unrolled { loop.for %ji = 0 to 16 kind vectorized { loop.if (%jo * 16 + %ji < 60) {
      %c = loop.load %acc[%io * 6 + %ii, %jo * 16 + %ji] : memref<96x60xf32, "register">
      loop.store %c, %C[%io * 6 + %ii, %jo * 16 + %ji] : memref<96x60xf32>
    } } }
  } }
  func.return
}

// CASE fires: the lanes of a vector are as much of an iteration as a loop inside would be.
// CHECK-LABEL: func.func @lanes
// CHECK:           %t = loop.alloc : memref<8xf32>
// CHECK-NEXT:      loop.store %a, %t[lane] : vector<8xf32>, memref<8xf32>
func.func @lanes(%A: memref<64xf32>, %C: memref<64xf32>) {
  %t = loop.alloc : memref<64xf32>
  loop.for %i = 0 to 8 {
    %a = loop.load %A[%i * 8 + lane] : memref<64xf32>, vector<8xf32>
    loop.store %a, %t[%i * 8 + lane] : vector<8xf32>, memref<64xf32>
    %b = loop.load %t[%i * 8 + lane] : memref<64xf32>, vector<8xf32>
    loop.store %b, %C[%i * 8 + lane] : vector<8xf32>, memref<64xf32>
  }
  func.return
}

// CASE fires: and so is the box of a foreign call.
// CHECK-LABEL: func.func @box
// CHECK:           %t = loop.alloc : memref<8xf32>
// CHECK-NEXT:      loop.call_extern "copy8"(write %t[0] box [8] : memref<8xf32>, read %A[%i * 8] box [8]
func.func @box(%A: memref<64xf32>, %C: memref<64xf32>) {
  %t = loop.alloc : memref<64xf32>
  loop.for %i = 0 to 8 {
    loop.call_extern "copy8"(write %t[%i * 8] box [8] : memref<64xf32>, read %A[%i * 8] box [8] : memref<64xf32>)
    loop.for %j = 0 to 8 {
      %b = loop.load %t[%i * 8 + %j] : memref<64xf32>
      loop.store %b, %C[%i * 8 + %j] : memref<64xf32>
    }
  }
  func.return
}

// CASE fires: rows that overlap between the iterations of a serial loop: each iteration writes what it reads, so they
// shrink.
// CHECK-LABEL: func.func @halo
// CHECK:         loop.for %i = 0 to 14 {
// CHECK-NEXT:      %p = loop.alloc : memref<6x58xf32>
// CHECK:             loop.store %v, %p[%a, %b] : memref<6x58xf32>
// CHECK:             loop.load %p[%ii + 2, %j + 2] : memref<6x58xf32>
func.func @halo(%X: memref<56x56xf32>, %Y: memref<54x56xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = loop.alloc : memref<58x58xf32>
  loop.for %i = 0 to 14 {
    loop.for %a = 0 to 6 { loop.for %b = 0 to 58 { loop.if (%i * 4 + %a < 58) {
      %v = loop.load %X[%i * 4 + %a - 1, %b - 1]
          where (%i * 4 + %a >= 1, %i * 4 + %a < 57, %b >= 1, %b < 57) else %zero : memref<56x56xf32>
      loop.store %v, %p[%i * 4 + %a, %b] : memref<58x58xf32>
    } } }
    loop.for %ii = 0 to 4 { loop.for %j = 0 to 56 { loop.if (%i * 4 + %ii < 54) {
      %v = loop.load %p[%i * 4 + %ii + 2, %j + 2] : memref<58x58xf32>
      %w = loop.load %p[%i * 4 + %ii, %j] : memref<58x58xf32>
      %s = arith.addf %v, %w : f32
      loop.store %s, %Y[%i * 4 + %ii, %j] : memref<54x56xf32>
    } } }
  }
  func.return
}

// CASE fires: the first instance of a reduction writes what the others read: private to the loop around, not to that of
// the reduction.
// CHECK-LABEL: func.func @accumulator
// CHECK:         loop.for %i = 0 to 8 {
// CHECK-NEXT:      %s = loop.alloc : memref<1xf32, "local">
// CHECK-NEXT:      loop.for %k = 0 to 8 {
func.func @accumulator(%A: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = loop.alloc : memref<1xf32, "local">
  loop.for %i = 0 to 8 { loop.for %k = 0 to 8 {
    loop.if (%k < 1) { loop.store %zero, %s[0] : memref<1xf32, "local"> }
    %a = loop.load %A[%i, %k] : memref<8x8xf32>
    %b = loop.load %s[0] : memref<1xf32, "local">
    %c = arith.addf %a, %b : f32
    loop.store %c, %s[0] : memref<1xf32, "local">
    loop.store %c, %A[%i, %k] : memref<8x8xf32>
  } }
  func.return
}

// CASE leaves alone: a running sum, a line that only the first iteration fills, a line whose last element is left over:
// each iteration of %i reads what another one wrote, so the buffers stay.
// CHECK-LABEL: func.func @carried
// CHECK-DAG:     %sum = loop.alloc : memref<1xf32>
// CHECK-DAG:     %line = loop.alloc : memref<8xf32>
// CHECK-DAG:     %part = loop.alloc : memref<8xf32>
// CHECK:         loop.for %i = 0 to 8 {
// CHECK-NOT:     loop.alloc
func.func @carried(%A: memref<8xf32>) {
  %sum = loop.alloc : memref<1xf32>
  %line = loop.alloc : memref<8xf32>
  %part = loop.alloc : memref<8xf32>
  loop.for %i = 0 to 8 {
    %a = loop.load %A[%i] : memref<8xf32>
    %s = loop.load %sum[0] : memref<1xf32>
    %t = arith.addf %a, %s : f32
    loop.store %t, %sum[0] : memref<1xf32>
    loop.for %j = 0 to 8 { loop.if (%i < 1) { loop.store %a, %line[%j] : memref<8xf32> } }
    loop.for %j = 0 to 8 {
      %l = loop.load %line[%j] : memref<8xf32>
      loop.store %l, %A[%j] : memref<8xf32>
    }
    loop.for %j = 0 to 7 { loop.store %a, %part[%j] : memref<8xf32> }
    loop.for %j = 0 to 8 {
      %l = loop.load %part[%j] : memref<8xf32>
      loop.store %l, %A[%j] : memref<8xf32>
    }
  }
  func.return
}

// CASE fires: in a parallel loop a small global buffer is private, and becomes local; a large one and a symbolic one
// stay global.
// CHECK-LABEL: func.func @parallel
// CHECK:         loop.for %i = 0 to 8 kind parallel {
// CHECK:           %small = loop.alloc : memref<1x16xf32, "local">
// CHECK:           %large = loop.alloc : memref<100000xf32>
// CHECK:           %symbolic = loop.alloc (%n) : memref<?xf32>
func.func @parallel(%A: memref<8xf32>, %n: index) {
  %small = loop.alloc : memref<8x16xf32>
  %large = loop.alloc : memref<100000xf32>
  %symbolic = loop.alloc (%n) : memref<?xf32>
  loop.for %i = 0 to 8 kind parallel {
    %a = loop.load %A[%i] : memref<8xf32>
    loop.for %j = 0 to 16 { loop.store %a, %small[%i, %j] : memref<8x16xf32> }
    loop.for %j = 0 to 16 { %b = loop.load %small[%i, %j] : memref<8x16xf32> loop.store %b, %A[%i] : memref<8xf32> }
    loop.for %j = 0 to 100000 { loop.store %a, %large[%j] : memref<100000xf32> }
    loop.for %j = 0 to 100000 { %b = loop.load %large[%j] : memref<100000xf32> loop.store %b, %A[%i] : memref<8xf32> }
    loop.for %j = 0 to %n { loop.store %a, %symbolic[%j] : memref<?xf32> }
    loop.for %j = 0 to %n { %b = loop.load %symbolic[%j] : memref<?xf32> loop.store %b, %A[%i] : memref<8xf32> }
  }
  func.return
}

// CASE fires: loops whose bounds depend on the loops around them.
// CHECK-LABEL: func.func @dependent
// CHECK:         loop.for %i = 0 to 8 {
// CHECK-NEXT:      %t = loop.alloc : memref<4x31xf32>
// CHECK:             loop.store %{{.*}}, %t[-%i * 4 + %j, %k] : memref<4x31xf32>
func.func @dependent(%A: memref<32xf32>) {
  %t = loop.alloc : memref<32x32xf32>
  loop.for %i = 0 to 8 {
    loop.for %j = %i * 4 to %i * 4 + 4 { loop.for %k = 0 to %j {
      %a = loop.load %A[%j] : memref<32xf32>
      loop.store %a, %t[%j, %k] : memref<32x32xf32>
    } }
    loop.for %j = %i * 4 to %i * 4 + 4 { loop.for %k = 0 to %j {
      %b = loop.load %t[%j, %k] : memref<32x32xf32>
      loop.store %b, %A[%j] : memref<32xf32>
    } }
  }
  func.return
}

// CASE fires: a buffer that a call or a view takes whole stays as it is; one that nobody uses disappears.
// CHECK-LABEL: func.func @escapes
// CHECK-NEXT:    %t = loop.alloc : memref<8x8xf32>
// CHECK-NEXT:    loop.for
func.func @escapes(%A: memref<8xf32>) {
  %t = loop.alloc : memref<8x8xf32>
  %unused = loop.alloc : memref<8xf32>
  loop.for %i = 0 to 8 {
    %v = loop.view %t[0] : memref<8x8xf32> to memref<64xf32>
    %a = loop.load %v[%i] : memref<64xf32>
    loop.store %a, %A[%i] : memref<8xf32>
  }
  func.return
}

// CASE fires: a write that stands in the loop itself, at an element that the loop's variable does not decide.
// CHECK-LABEL: func.func @scalar
// CHECK:         loop.for %i = 0 to 8 {
// CHECK-NEXT:      %a = loop.load %X[%i]
// CHECK-NEXT:      %t = loop.alloc : memref<1xf32>
// CHECK-NEXT:      loop.store %a, %t[0]
func.func @scalar(%X: memref<8xf32>, %Y: memref<8xf32>) {
  %t = loop.alloc : memref<1xf32>
  loop.for %i = 0 to 8 {
    %a = loop.load %X[%i] : memref<8xf32>
    loop.store %a, %t[0] : memref<1xf32>
    %b = loop.load %t[0] : memref<1xf32>
    loop.store %b, %Y[%i] : memref<8xf32>
  }
  func.return
}

// CASE fires: tails count where lanes write them.
// CHECK-LABEL: func.func @tail_of_lanes
// CHECK:         %t = loop.alloc : memref<32xf32>
func.func @tail_of_lanes(%A: memref<32xf32>, %C: memref<128xf32>) {
  %t = loop.alloc : memref<128xf32>
  loop.for %io = 0 to 4 {
    loop.for %i = 0 to 8 { loop.if (%i < 5) {
      %a = loop.load %A[%i * 4 + lane] : memref<32xf32>, vector<4xf32>
      loop.store %a, %t[%io * 32 + %i * 4 + lane] : vector<4xf32>, memref<128xf32>
    } }
    loop.for %j = 0 to 20 {
      %b = loop.load %t[%io * 32 + %j] : memref<128xf32>
      loop.store %b, %C[%io * 32 + %j] : memref<128xf32>
    }
  }
  func.return
}

// CASE fires: tails of boxes.
// CHECK-LABEL: func.func @tail_of_boxes
// CHECK:         %t = loop.alloc : memref<32xf32>
func.func @tail_of_boxes(%A: memref<32xf32>, %C: memref<128xf32>) {
  %t = loop.alloc : memref<128xf32>
  loop.for %io = 0 to 4 {
    loop.for %i = 0 to 8 { loop.if (%i < 5) {
      loop.call_extern "copy4"(write %t[%io * 32 + %i * 4] box [4] : memref<128xf32>, read %A[%i * 4] box [4] : memref<32xf32>)
    } }
    loop.for %j = 0 to 20 {
      %b = loop.load %t[%io * 32 + %j] : memref<128xf32>
      loop.store %b, %C[%io * 32 + %j] : memref<128xf32>
    }
  }
  func.return
}

// CASE fires: indices that are between bounds together, though none is for itself: a difference of two that are data,
// and one to an index that a loop carries.
// CHECK-LABEL: func.func @together
// CHECK:         %t = loop.alloc : memref<4xf32>
// CHECK:         loop.store %{{.*}}, %t[%k - %m] : memref<4xf32>
// CHECK:         %u = loop.alloc : memref<4xf32>
// CHECK:         loop.store %{{.*}}, %u[%i{{.*}} - %n] : memref<4xf32>
func.func @together(%I: memref<8x2xi32>, %C: memref<4xf32>, %D: memref<4xf32>) {
  %one = arith.constant 1.0 : f32
  %first = arith.constant 0 : index
  %t = loop.alloc : memref<32xf32>
  %u = loop.alloc : memref<32xf32>
  loop.for %j = 0 to 4 { loop.store %one, %t[%j] : memref<32xf32> }
  loop.for %i = 0 to 8 {
    %0 = loop.load %I[%i, 0] : memref<8x2xi32>
    %k = arith.index_cast %0 : i32 to index
    %1 = loop.load %I[%i, 1] : memref<8x2xi32>
    %m = arith.index_cast %1 : i32 to index
    loop.if (%k >= 0, %k < 32, %m >= 0, %m < 32, %k - %m >= 0, %k - %m < 4) {
      %a = loop.load %t[%k - %m] : memref<32xf32>
      %b = arith.addf %a, %one : f32
      loop.store %b, %t[%k - %m] : memref<32xf32>
    }
  }
  loop.for %j = 0 to 4 {
    %c = loop.load %t[%j] : memref<32xf32>
    loop.store %c, %C[%j] : memref<4xf32>
  }
  loop.for %j = 0 to 4 { loop.store %one, %u[%j] : memref<32xf32> }
  %last = loop.for %i = 0 to 32 iter_args(%n = %first) -> (index) {
    loop.if (%n >= 0, %n < 32, %i - %n >= 0, %i - %n < 4) {
      %a = loop.load %u[%i - %n] : memref<32xf32>
      %b = arith.addf %a, %one : f32
      loop.store %b, %u[%i - %n] : memref<32xf32>
    }
    %next = loop.apply (%n * 2 + 1) : index
    loop.yield %next : index
  }
  loop.for %j = 0 to 4 {
    %d = loop.load %u[%j] : memref<32xf32>
    loop.store %d, %D[%j] : memref<4xf32>
  }
  func.return
}
