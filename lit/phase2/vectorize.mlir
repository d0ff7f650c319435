// RUN: opt-tool --pass vectorize --target none %s | filecheck %s

// CASE fires: uniform values stay scalars and are broadcast where they meet vectors; inner loops are carried through;
// the private accumulator gets an element for each lane; the condition on the lane becomes masks.
// CHECK-LABEL: func.func private @matmul_row(
// CHECK:       loop.for %jo = 0 to 8 {
// CHECK-NEXT:    %acc = loop.alloc : memref<1x8xf32, "register">
// CHECK-NEXT:    %zero_1 = vector.broadcast %zero : f32 to vector<8xf32>
// CHECK-NEXT:    loop.store %zero_1, %acc[0, lane] : vector<8xf32>, memref<1x8xf32, "register">
// CHECK-NEXT:    loop.for %k = 0 to 64 {
// CHECK-NEXT:      %a = loop.load %A[%k] : memref<64xf32>
// CHECK-NEXT:      %b = loop.load %B[%k, %jo * 8 + lane] where (%jo * 8 + lane < 60) else %zero : memref<64x60xf32>, vector<8xf32>
// CHECK-NEXT:      %a_1 = vector.broadcast %a : f32 to vector<8xf32>
// CHECK-NEXT:      %p = arith.mulf %a_1, %b : vector<8xf32>
// CHECK-NEXT:      %c = loop.load %acc[0, lane] : memref<1x8xf32, "register">, vector<8xf32>
// CHECK-NEXT:      %s = arith.addf %c, %p : vector<8xf32>
// CHECK-NEXT:      loop.store %s, %acc[0, lane] : vector<8xf32>, memref<1x8xf32, "register">
// CHECK:         loop.store %{{.*}}, %C[%jo * 8 + lane] where (%jo * 8 + lane < 60) : vector<8xf32>, memref<60xf32>
func.func private @matmul_row(%A: memref<64xf32>, %B: memref<64x60xf32>, %C: memref<60xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for %jo = 0 to 8 {
    loop.for %j = 0 to 8 kind vectorized {
      %acc = loop.alloc : memref<1xf32, "register">
      loop.store %zero, %acc[0] : memref<1xf32, "register">
      loop.for %k = 0 to 64 {
        %a = loop.load %A[%k] : memref<64xf32>
        %b = loop.load %B[%k, %jo * 8 + %j] where (%jo * 8 + %j < 60) else %zero : memref<64x60xf32>
        %p = arith.mulf %a, %b : f32
        %c = loop.load %acc[0] : memref<1xf32, "register">
        %s = arith.addf %c, %p : f32
        loop.store %s, %acc[0] : memref<1xf32, "register">
      }
      loop.if (%jo * 8 + %j < 60) {
        %c = loop.load %acc[0] : memref<1xf32, "register">
        loop.store %c, %C[%jo * 8 + %j] : memref<60xf32>
      }
    }
  }
  func.return
}

// CASE fires: values carried by an inner loop become vectors, and so does the variable where it is a value. A load that
// every lane may make needs no mask.
// CHECK-LABEL: func.func private @carried(
// CHECK:         %j = loop.apply (lane) : vector<4xindex>
// CHECK-NEXT:    %f = arith.index_cast %j : vector<4xindex> to vector<4xi32>
// CHECK:         %sum = loop.for %k = 0 to 16 iter_args(%acc = %{{.*}}) -> (vector<4xi32>) {
// CHECK:           loop.yield %n : vector<4xi32>
// CHECK:         loop.store %sum, %C[lane] where (lane < 3) : vector<4xi32>, memref<4xi32>
func.func private @carried(%A: memref<16x4xi32>, %C: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  loop.for %j = 0 to 4 kind vectorized {
    %f = arith.index_cast %j : index to i32
    %sum = loop.for %k = 0 to 16 iter_args(%acc = %zero) -> (i32) {
      %a = loop.load %A[%k, %j] : memref<16x4xi32>
      %p = arith.muli %a, %f : i32
      %n = arith.addi %acc, %p : i32
      loop.yield %n : i32
    }
    loop.if (%j < 3) { loop.store %sum, %C[%j] : memref<4xi32> }
  }
  func.return
}

// CASE fires: the two branches of a condition on the lane run one after the other; a divisor of an absent lane is 1.
// CHECK-LABEL: func.func private @branches(
// CHECK:         %a = loop.load %A[lane] : memref<8xi32>, vector<8xi32>
// CHECK:         %[[RUNS:.*]] = loop.test (lane < 5) : vector<8xi1>
// CHECK-NEXT:    %[[SAFE:.*]] = arith.select %[[RUNS]], %a, %{{.*}} : vector<8xi1>, vector<8xi32>
// CHECK-NEXT:    %q = arith.divsi %{{.*}}, %[[SAFE]] : vector<8xi32>
// CHECK-NEXT:    loop.store %q, %C[lane] where (lane < 5) : vector<8xi32>, memref<8xi32>
// CHECK:         loop.store %{{.*}}, %C[lane] where (lane >= 5) : vector<8xi32>, memref<8xi32>
func.func private @branches(%A: memref<8xi32>, %C: memref<8xi32>) {
  %hundred = arith.constant 100 : i32
  loop.for %j = 0 to 8 kind vectorized {
    loop.if (%j < 5) {
      %a = loop.load %A[%j] : memref<8xi32>
      %q = arith.divsi %hundred, %a : i32
      loop.store %q, %C[%j] : memref<8xi32>
    } else {
      loop.store %hundred, %C[%j] : memref<8xi32>
    }
  }
  func.return
}

// CASE fires: a quotient of uniform values would trap where no lane runs: it is as under any condition on the lane.
// CHECK-LABEL: func.func private @uniform_quotient(
// CHECK:         %[[RUNS:.*]] = loop.test (lane < %n) : vector<8xi1>
// CHECK-NEXT:    %[[SAFE:.*]] = arith.select %[[RUNS]]
// CHECK-NEXT:    %q = arith.divsi %{{.*}}, %[[SAFE]] : vector<8xi32>
func.func private @uniform_quotient(%n: index, %d: i32, %C: memref<8xi32>) {
  %hundred = arith.constant 100 : i32
  loop.for %j = 0 to 8 kind vectorized {
    loop.if (%j < %n) {
      %q = arith.divsi %hundred, %d : i32
      loop.store %q, %C[%j] : memref<8xi32>
    }
  }
  func.return
}

// CASE fires: a uniform condition stays.
// CHECK-LABEL: func.func private @uniform_condition(
// CHECK:         loop.if (%n >= 3) {
// CHECK:           loop.store %{{.*}}, %C[lane] : vector<8xf32>, memref<8xf32>
func.func private @uniform_condition(%n: index, %C: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for %j = 0 to 8 kind vectorized {
    loop.if (%n >= 3) { loop.store %one, %C[%j] : memref<8xf32> }
  }
  func.return
}

// CASE fires: the shorter of two upper bounds masks; unless the first lane is known to run, everything is under its
// condition.
// CHECK-LABEL: func.func private @symbolic_rest(
// CHECK:         loop.if (%i * 8 < %n) {
// CHECK:           loop.load %A[%i * 8 + lane] where (%i * 8 + lane < %n) else %{{.*}} : memref<?xf32>, vector<8xf32>
// CHECK:           loop.store %{{.*}}, %C[%i * 8 + lane] where (%i * 8 + lane < %n) : vector<8xf32>, memref<?xf32>
func.func private @symbolic_rest(%n: index, %m: index, %A: memref<?xf32>, %C: memref<?xf32>) {
  loop.for %i = 0 to %m {
    loop.for %j = %i * 8 to min(%i * 8 + 8, %n) kind vectorized {
      %a = loop.load %A[%j] : memref<?xf32>
      loop.store %a, %C[%j] : memref<?xf32>
    }
  }
  func.return
}

// CASE fires: of nested vectorized loops the inner one is vectorised, the outer one unrolled.
// CHECK-LABEL: func.func private @nested(
// CHECK:         loop.for %i = 0 to 2 kind unrolled {
// CHECK:           loop.store %{{.*}}, %C[%i, lane] : vector<8xf32>, memref<2x8xf32>
func.func private @nested(%C: memref<2x8xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for %i = 0 to 2 kind vectorized {
    loop.for %j = 0 to 8 kind vectorized { loop.store %one, %C[%i, %j] : memref<2x8xf32> }
  }
  func.return
}

// CASE fires: long and symbolic loops are split first.
// CHECK-LABEL: func.func private @split(
// CHECK:         loop.for %io = 0 to 125 {
// CHECK-NEXT:      loop.load %A[%io * 8 + lane] : memref<1000xf32>, vector<8xf32>
func.func private @split(%A: memref<1000xf32>, %C: memref<1000xf32>) {
  loop.for %i = 0 to 1000 kind vectorized {
    %a = loop.load %A[%i] : memref<1000xf32>
    loop.store %a, %C[%i] : memref<1000xf32>
  }
  func.return
}

// Must not fire: an iteration reads what the one before wrote.
// CHECK-LABEL: func.func private @recurrence(
// CHECK:         loop.for %i = 1 to 8 {
// CHECK-NEXT:      loop.load %A[%i - 1] : memref<8xf32>
func.func private @recurrence(%A: memref<8xf32>) {
  loop.for %i = 1 to 8 kind vectorized {
    %a = loop.load %A[%i - 1] : memref<8xf32>
    loop.store %a, %A[%i] : memref<8xf32>
  }
  func.return
}

// CASE fires: a uniform load under a condition on the lane runs where some lane does, which is known of one end.
// CHECK-LABEL: func.func private @uniform_load(
// CHECK:         %a = loop.load %A[%i] where (%n >= 1) else %{{.*}} : memref<9xf32>
// CHECK-NEXT:    %{{.*}} = vector.broadcast %a : f32 to vector<8xf32>
// CHECK-NEXT:    loop.store %{{.*}}, %C[%i, lane] where (lane < %n) : vector<8xf32>, memref<9x8xf32>
func.func private @uniform_load(%n: index, %A: memref<9xf32>, %C: memref<9x8xf32>) {
  loop.for %i = 0 to 9 {
    loop.for %j = 0 to 8 kind vectorized {
      loop.if (%j < %n) {
        %a = loop.load %A[%i] : memref<9xf32>
        loop.store %a, %C[%i, %j] : memref<9x8xf32>
      }
    }
  }
  func.return
}

// CASE fires: one assertion stands for those of all lanes, which agree.
// CHECK-LABEL: func.func @assertion(
// CHECK-NEXT:    loop.assert (%k < 8), "outside: {}, {}" (%k, 0)
// CHECK-NEXT:    %a = loop.load %A[%k, lane] : memref<8x4xf32>, vector<4xf32>
func.func @assertion(%k: index, %A: memref<8x4xf32>, %C: memref<4xf32>) {
  loop.for %j = 0 to 4 kind vectorized {
    loop.assert (%k < 8), "outside: {}, {}" (%k, %j)
    %a = loop.load %A[%k, %j] : memref<8x4xf32>
    loop.store %a, %C[%j] : memref<4xf32>
  }
  func.return
}
