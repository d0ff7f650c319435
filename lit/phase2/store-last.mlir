// RUN: opt-tool --pass store-last %s | filecheck %s

builtin.module attributes {tw.target = #target.cpu<features ["avx512f", "fma"], vector_bits 512, caches [32768, 1048576, 33554432], threads 1>} {

// CASE fires: sums that are added to what lies there, in rows at a distance of whole pages: all of it is loaded first.
// CHECK-LABEL: func.func private @added(
// CHECK:         %C_new = loop.alloc : memref<3x2x16xf32, "register">
// CHECK-NEXT:    loop.for %p = 0 to 3 kind unrolled {
// CHECK-NEXT:      loop.for %o = 0 to 2 kind unrolled {
// CHECK-NEXT:        %old = loop.load %C[%o * 1024 + %p * 16 + lane]
// CHECK-NEXT:        %sum = loop.load %A[%o * 48 + %p * 16 + lane]
// CHECK-NEXT:        %new = arith.addf %old, %sum
// CHECK-NEXT:        loop.store %new, %C_new[%p, %o, lane] : vector<16xf32>, memref<3x2x16xf32, "register">
// CHECK:         loop.for %p_1 = 0 to 3 kind unrolled {
// CHECK-NEXT:      loop.for %o_1 = 0 to 2 kind unrolled {
// CHECK-NEXT:        %[[NEW:.*]] = loop.load %C_new[%p_1, %o_1, lane]
// CHECK-NEXT:        loop.store %[[NEW]], %C[%o_1 * 1024 + %p_1 * 16 + lane]
func.func private @added(%A: memref<96xf32>, %C: memref<2048xf32>) {
  loop.for %p = 0 to 3 kind unrolled {
    loop.for %o = 0 to 2 kind unrolled {
      %old = loop.load %C[%o * 1024 + %p * 16 + lane] : memref<2048xf32>, vector<16xf32>
      %sum = loop.load %A[%o * 48 + %p * 16 + lane] : memref<96xf32>, vector<16xf32>
      %new = arith.addf %old, %sum : vector<16xf32>
      loop.store %new, %C[%o * 1024 + %p * 16 + lane] : vector<16xf32>, memref<2048xf32>
    }
  }
  func.return
}

// CASE fires: rows that start late, with what they share before them and a border that unrolling decides.
// CHECK-LABEL: func.func private @border(
// CHECK:         %C_new = loop.alloc : memref<2x3xf32, "register">
// CHECK-NEXT:    loop.for %o = 4 to 6 kind unrolled {
// CHECK-NEXT:      %b = loop.load %B[%o]
// CHECK-NEXT:      loop.for %p = 0 to 3 kind unrolled {
// CHECK-NEXT:        loop.if (%p < 2) {
// CHECK-NEXT:          %new = arith.negf %b
// CHECK-NEXT:          loop.store %new, %C_new[%o - 4, %p]
// CHECK:         loop.for %o_1 = 4 to 6 kind unrolled {
// CHECK-NEXT:      loop.for %p_1 = 0 to 3 kind unrolled {
// CHECK-NEXT:        loop.if (%p_1 < 2) {
// CHECK-NEXT:          %{{.*}} = loop.load %C_new[%o_1 - 4, %p_1]
// CHECK-NEXT:          loop.store %{{.*}}, %C[%o_1, %p_1] where (%o_1 < 5)
func.func private @border(%B: memref<8xf32>, %C: memref<8x3xf32>) {
  loop.for %o = 4 to 6 kind unrolled {
    %b = loop.load %B[%o] : memref<8xf32>
    loop.for %p = 0 to 3 kind unrolled {
      loop.if (%p < 2) {
        %new = arith.negf %b : f32
        loop.store %new, %C[%o, %p] where (%o < 5) : memref<8x3xf32>
      }
    }
  }
  func.return
}

// CASE fires: the view that is stored through stands in the nest, and so does the one that the copy needs.
// CHECK-LABEL: func.func private @viewed(
// CHECK:         %T_new = loop.alloc : memref<4xf32, "register">
// CHECK-NEXT:    loop.for %p = 0 to 4 kind unrolled {
// CHECK-NEXT:      %T = loop.view %arena[%p * 64]
// CHECK:           loop.store %new, %T_new[%p]
// CHECK:         loop.for %p_1 = 0 to 4 kind unrolled {
// CHECK-NEXT:      %T_1 = loop.view %arena[%p_1 * 64]
// CHECK-NEXT:      %[[HELD:.*]] = loop.load %T_new[%p_1]
// CHECK-NEXT:      loop.store %[[HELD]], %T_1[2]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func private @viewed(%B: memref<8xf32>, %arena: memref<256xi8>) {
  loop.for %p = 0 to 4 kind unrolled {
    %T = loop.view %arena[%p * 64] : memref<256xi8> to memref<16xf32>
    %b = loop.load %B[%p] : memref<8xf32>
    %new = arith.negf %b : f32
    loop.store %new, %T[2] : memref<16xf32>
  }
  func.return
}

// CASE fires: the loop around a nest is not unrolled.
// CHECK-LABEL: func.func private @inside(
// CHECK:         loop.for %r = 0 to 8 {
// CHECK-NEXT:      %C_new = loop.alloc : memref<4xf32, "register">
// CHECK:           loop.store %new, %C_new[%p]
// CHECK:           loop.store %{{.*}}, %C[%r * 1024 + %p_1]
func.func private @inside(%C: memref<8192xf32>) {
  loop.for %r = 0 to 8 {
    loop.for %p = 0 to 4 kind unrolled {
      %old = loop.load %C[%r * 1024 + %p] : memref<8192xf32>
      %new = arith.negf %old : f32
      loop.store %new, %C[%r * 1024 + %p] : memref<8192xf32>
    }
  }
  func.return
}

// CASE leaves alone: the nest has two stores, and its unrolled form is no sequence of its parts.
// CHECK-LABEL: func.func private @parts(
// CHECK-NOT:     "register"
// CHECK:         func.return
func.func private @parts(%C: memref<64xf32>, %D: memref<4xf32>) {
  loop.for %o = 0 to 4 kind unrolled {
    loop.for %p = 0 to 4 kind unrolled {
      %old = loop.load %C[%o * 16 + %p] : memref<64xf32>
      %new = arith.negf %old : f32
      loop.store %new, %C[%o * 16 + %p] : memref<64xf32>
    }
    %d = loop.load %D[%o] : memref<4xf32>
    loop.store %d, %C[%o * 16 + 8] : memref<64xf32>
  }
  func.return
}

// CASE leaves alone: an iteration loads what the one before it stored.
// CHECK-LABEL: func.func private @carried(
// CHECK-NOT:     "register"
// CHECK:         func.return
func.func private @carried(%C: memref<8xf32>) {
  loop.for %p = 0 to 4 kind unrolled {
    %old = loop.load %C[%p] : memref<8xf32>
    loop.store %old, %C[%p + 1] : memref<8xf32>
  }
  func.return
}

// CASE leaves alone: what is stored is loaded again, and the index of a store is computed beside it.
// CHECK-LABEL: func.func private @after(
// CHECK-NOT:     "register"
// CHECK:         func.return
func.func private @after(%A: memref<8xf32>, %C: memref<8xf32>, %P: memref<8xi32>) {
  loop.for %p = 0 to 4 kind unrolled {
    %a = loop.load %A[%p] : memref<8xf32>
    loop.store %a, %C[%p] : memref<8xf32>
    %c = loop.load %C[%p] : memref<8xf32>
  }
  loop.for %p = 0 to 4 kind unrolled {
    %i = loop.load %P[%p] : memref<8xi32>
    %n = arith.index_cast %i : i32 to index
    %a = loop.load %A[%p] : memref<8xf32>
    loop.store %a, %C[%n] : memref<8xf32>
  }
  func.return
}

// CASE leaves alone: more results than registers, conditions that are known only when it runs, and nothing to load.
// CHECK-LABEL: func.func private @others(
// CHECK-NOT:     "register"
// CHECK:         func.return
func.func private @others(%A: memref<4096xf32>, %C: memref<4096xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %p = 0 to 33 kind unrolled {
    %a = loop.load %A[%p * 16 + lane] : memref<4096xf32>, vector<16xf32>
    loop.store %a, %C[%p * 16 + lane] : vector<16xf32>, memref<4096xf32>
  }
  loop.for %i = 0 to 64 {
    loop.for %p = 0 to 4 kind unrolled {
      loop.if (%i < 40) {
        %a = loop.load %A[%i * 4 + %p] : memref<4096xf32>
        loop.store %a, %C[%i * 4 + %p] : memref<4096xf32>
      }
    }
  }
  loop.for %p = 0 to 4 kind unrolled {
    loop.store %z, %C[%p] : memref<4096xf32>
  }
  func.return
}
}
