// RUN: opt-tool --pass auto-schedule %s | filecheck %s
// RUN: opt-tool --pass auto-schedule --remarks %s 2>&1 | filecheck %s --check-prefix REMARK
// RUN: not opt-tool --pass lower-blocks,auto-schedule %s 2>&1 | filecheck %s --check-prefix ERROR

// CASE errs: blocks are what a schedule works on.
// ERROR: error[TW0205]: pass 'auto-schedule' works at level block, but the module is at level loop

builtin.module attributes {
  tw.target = #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 2>
} {
  // CASE fires: a contraction: outer tiles in parallel, accumulators in registers that start and end within a tile,
  // unrolled vectors.
  // CHECK-LABEL: func.func private @matmul(
  // CHECK-SAME:      attributes {tw.scheduled}
  // CHECK:         loop.for %{{.*}} kind parallel {
  // CHECK-NEXT:      %C = loop.alloc : memref<96x64xf32, "register">
  // CHECK:           loop.block "C_init"
  // CHECK:           loop.for %k = 0 to 64 {
  // CHECK-NEXT:        loop.for %{{.*}} kind unrolled {
  // CHECK:               loop.for %{{.*}} = 0 to 8 kind vectorized {
  // CHECK-NEXT:            loop.block "C" (
  // CHECK:           loop.for %{{.*}} = 0 to 8 kind vectorized {
  // CHECK-NEXT:        loop.block "E" (
  func.func private @matmul(%A: memref<96x64xf32>, %B: memref<64x64xf32>, %D: memref<64xf32>, %E: memref<96x64xf32> {tw.output}) {
    %zero = arith.constant 0.0 : f32
    %C = loop.alloc : memref<96x64xf32>
    loop.for %i = 0 to 96 { loop.for %j = 0 to 64 { loop.for %k = 0 to 64 {
      loop.block "C" (%vi = spatial(%i) in 96, %vj = spatial(%j) in 64, %vk = reduce(%k) in 64) {
        loop.init { loop.store %zero, %C[%vi, %vj] : memref<96x64xf32> }
        %a = loop.load %A[%vi, %vk] : memref<96x64xf32>
        %b = loop.load %B[%vk, %vj] : memref<64x64xf32>
        %c = loop.load %C[%vi, %vj] : memref<96x64xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        loop.store %s, %C[%vi, %vj] : memref<96x64xf32>
      }
    } } }
    loop.for %x = 0 to 96 { loop.for %y = 0 to 64 {
      loop.block "E" (%vx = spatial(%x) in 96, %vy = spatial(%y) in 64) {
        %c = loop.load %C[%vx, %vy] : memref<96x64xf32>
        %d = loop.load %D[%vy] : memref<64xf32>
        %e = arith.addf %c, %d : f32
        loop.store %e, %E[%vx, %vy] : memref<96x64xf32>
      }
    } }
    func.return
  }

  // CASE fires: a reduction along rows: vectors of partial results in several chains, then halves of them.
  // CHECK-LABEL: func.func private @rows(
  // CHECK:         %S_register_rf = loop.alloc : memref<6x64xf32, "register">
  // CHECK:         loop.for %{{.*}} = 0 to 2 {
  // CHECK-NEXT:      loop.for %{{.*}} = 0 to 8 kind unrolled {
  // CHECK-NEXT:        loop.for %{{.*}} = 0 to 8 kind vectorized {
  // CHECK-NEXT:          loop.block "S_rf" (
  // CHECK:             loop.for %{{.*}} = 0 to 4 kind vectorized {
  // CHECK-NEXT:          loop.block "S_rf3" (
  // CHECK:             loop.block "S_rf4" (
  // CHECK:           loop.for %{{.*}} = 0 to 2 kind unrolled {
  // CHECK-NEXT:        loop.block "S" (
  func.func private @rows(%A: memref<6x100xf32>, %S: memref<6xf32> {tw.output}) {
    %zero = arith.constant 0.0 : f32
    loop.for %i = 0 to 6 { loop.for %k = 0 to 100 {
      loop.block "S" (%vi = spatial(%i) in 6, %vk = reduce(%k) in 100) {
        loop.init { loop.store %zero, %S[%vi] : memref<6xf32> }
        %a = loop.load %A[%vi, %vk] : memref<6x100xf32>
        %s = loop.load %S[%vi] : memref<6xf32>
        %t = arith.addf %s, %a : f32
        loop.store %t, %S[%vi] : memref<6xf32>
      }
    } }
    func.return
  }

  // CASE fires: what is done with the rows of a result is done row by row.
  // CHECK-LABEL: func.func private @centered(
  // CHECK-NOT:     func.func
  // CHECK:         loop.for %[[ROW:.*]] = 0 to 6 {
  // CHECK:           loop.block "S_rf" (
  // CHECK:           loop.block "S" (
  // CHECK:           loop.for %{{.*}} = 0 to 8 kind vectorized {
  // CHECK-NEXT:        loop.block "D" (%{{.*}} = spatial(%[[ROW]]) in 6,
  func.func private @centered(%A: memref<6x100xf32>, %D: memref<6x100xf32> {tw.output}) {
    %zero = arith.constant 0.0 : f32
    %S = loop.alloc : memref<6xf32>
    loop.for %i = 0 to 6 { loop.for %k = 0 to 100 {
      loop.block "S" (%vi = spatial(%i) in 6, %vk = reduce(%k) in 100) {
        loop.init { loop.store %zero, %S[%vi] : memref<6xf32> }
        %a = loop.load %A[%vi, %vk] : memref<6x100xf32>
        %s = loop.load %S[%vi] : memref<6xf32>
        %t = arith.addf %s, %a : f32
        loop.store %t, %S[%vi] : memref<6xf32>
      }
    } }
    loop.for %i = 0 to 6 { loop.for %j = 0 to 100 {
      loop.block "D" (%vi = spatial(%i) in 6, %vj = spatial(%j) in 100) {
        %a = loop.load %A[%vi, %vj] : memref<6x100xf32>
        %s = loop.load %S[%vi] : memref<6xf32>
        %d = arith.subf %a, %s : f32
        loop.store %d, %D[%vi, %vj] : memref<6x100xf32>
      }
    } }
    func.return
  }

  // CASE fires: sums of columns read rows in groups; results that no cache holds are streamed, and what comes from far
  // away is fetched ahead.
  // CHECK-LABEL: func.func private @columns(
  // CHECK-NOT:     func.func
  // CHECK:         %S_local = loop.alloc : memref<1024xf32, "local">
  // CHECK:         loop.for %{{.*}} = 0 to 2 {
  // CHECK-NEXT:      loop.for %{{.*}} = 0 to 64 {
  // CHECK-NEXT:        loop.for %{{.*}} = 0 to 8 kind unrolled {
  // CHECK-NEXT:          loop.for %{{.*}} = 0 to 8 kind vectorized {
  // CHECK-NEXT:            loop.block "S" (
  func.func private @columns(%A: memref<16x1024xf32>, %S: memref<1024xf32> {tw.output}) {
    %zero = arith.constant 0.0 : f32
    loop.for %i = 0 to 1024 { loop.for %k = 0 to 16 {
      loop.block "S" (%vi = spatial(%i) in 1024, %vk = reduce(%k) in 16) {
        loop.init { loop.store %zero, %S[%vi] : memref<1024xf32> }
        %a = loop.load %A[%vk, %vi] : memref<16x1024xf32>
        %s = loop.load %S[%vi] : memref<1024xf32>
        %t = arith.addf %s, %a : f32
        loop.store %t, %S[%vi] : memref<1024xf32>
      }
    } }
    func.return
  }

  // CHECK-LABEL: func.func private @large(
  // CHECK-NOT:     func.func
  // CHECK:         loop.for %{{.*}} = 0 to 4096 kind parallel attributes {pragma.streaming_stores = true} {
  // CHECK-NEXT:      loop.for %{{.*}} = 0 to 8 {
  // CHECK-NEXT:        loop.prefetch_ahead %A, 128 : memref<4096x64xf32>
  func.func private @large(%A: memref<4096x64xf32>, %B: memref<4096x64xf32> {tw.output}) {
    loop.for %i = 0 to 4096 { loop.for %j = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 4096, %vj = spatial(%j) in 64) {
        %a = loop.load %A[%vi, %vj] : memref<4096x64xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %B[%vi, %vj] : memref<4096x64xf32>
      }
    } }
    func.return
  }

  // CASE fires: elementwise work of which all loops are shared is arranged as one.
  // CHECK-LABEL: func.func private @pair(
  // CHECK:         loop.for %[[V:.*]] = 0 to 8 kind vectorized {
  // CHECK-NEXT:      loop.block "B" {{.*}} where (%{{.*}} * 8 + %[[V]] < 37) {
  // CHECK:           loop.block "C" {{.*}} where (%{{.*}} * 8 + %[[V]] < 37) {
  func.func private @pair(%A: memref<37xf32>, %B: memref<37xf32> {tw.output}, %C: memref<37xf32> {tw.output}) {
    loop.for %i = 0 to 37 {
      loop.block "B" (%vi = spatial(%i) in 37) {
        %a = loop.load %A[%vi] : memref<37xf32>
        loop.store %a, %B[%vi] : memref<37xf32>
      }
      loop.block "C" (%vi = spatial(%i) in 37) {
        %a = loop.load %B[%vi] : memref<37xf32>
        loop.store %a, %C[%vi] : memref<37xf32>
      }
    }
    func.return
  }

  // CASE leaves alone: what a schedule has arranged, reductions that share loops, loops tiled already.
  // CHECK-LABEL: func.func private @by_hand(
  // CHECK-NEXT:    loop.for %i = 0 to 64 {
  // CHECK-NEXT:      loop.block "B"
  func.func private @by_hand(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) attributes {tw.scheduled} {
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) {
        %a = loop.load %A[%vi] : memref<64xf32>
        loop.store %a, %B[%vi] : memref<64xf32>
      }
    }
    func.return
  }

  // CASE fires: a size that only the call knows is taken to be long.
  // CHECK-LABEL: func.func private @symbolic(
  // CHECK:         loop.for %ia = 0 to ((%n + 31) floordiv 32) {
  // CHECK-NEXT:      loop.for %ib = 0 to 4 kind unrolled {
  // CHECK-NEXT:        loop.for %ic = 0 to 8 kind vectorized {
  // CHECK-NEXT:          loop.block "B" (%vi = spatial(%ia * 32 + %ib * 8 + %ic) in %n) where (%ia * 32 + %ib * 8 + %ic < %n) {
  func.func private @symbolic(%A: memref<?xf32>, %B: memref<?xf32> {tw.output}) {
    %n = loop.dim %A, 0 : memref<?xf32>
    loop.for %i = 0 to %n {
      loop.block "B" (%vi = spatial(%i) in %n) {
        %a = loop.load %A[%vi] : memref<?xf32>
        loop.store %a, %B[%vi] : memref<?xf32>
      }
    }
    func.return
  }

  // CHECK-LABEL: func.func private @sum_and_more(
  // CHECK:         loop.for %i = 0 to 8 {
  // CHECK-NEXT:      loop.for %k = 0 to 8 {
  // CHECK-NEXT:        loop.block "S"
  // CHECK:           loop.block "T"
  func.func private @sum_and_more(%A: memref<8x8xf32>, %S: memref<8xf32> {tw.output}, %T: memref<8xf32> {tw.output}) {
    %zero = arith.constant 0.0 : f32
    loop.for %i = 0 to 8 {
      loop.for %k = 0 to 8 {
        loop.block "S" (%vi = spatial(%i) in 8, %vk = reduce(%k) in 8) {
          loop.init { loop.store %zero, %S[%vi] : memref<8xf32> }
          %a = loop.load %A[%vi, %vk] : memref<8x8xf32>
          %s = loop.load %S[%vi] : memref<8xf32>
          %t = arith.addf %s, %a : f32
          loop.store %t, %S[%vi] : memref<8xf32>
        }
      }
      loop.block "T" (%vi = spatial(%i) in 8) {
        %s = loop.load %S[%vi] : memref<8xf32>
        loop.store %s, %T[%vi] : memref<8xf32>
      }
    }
    func.return
  }

  // CASE leaves alone: a loop is split already.
  // CHECK-LABEL: func.func private @tiled(
  // CHECK-NEXT:    loop.for %io = 0 to 8 {
  // CHECK-NEXT:      loop.for %ii = 0 to 8 {
  // CHECK-NEXT:        loop.block "B"
  func.func private @tiled(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
    loop.for %io = 0 to 8 { loop.for %ii = 0 to 8 {
      loop.block "B" (%vi = spatial(%io * 8 + %ii) in 64) {
        %a = loop.load %A[%vi] : memref<64xf32>
        loop.store %a, %B[%vi] : memref<64xf32>
      }
    } }
    func.return
  }

  // CASE remarks: vectors would change what is computed: the block stays as it is, and a remark says so.
  // CHECK-LABEL: func.func private @halves(%A: memref<64xf32>)
  // CHECK-NEXT:    loop.for %i = 0 to 64 {
  // CHECK-NEXT:      loop.block "A"
  // REMARK: remark[TW0409]: default schedule of @halves refused: rule spatial for block 'A': vectorize: vectorizing loop %ic of block 'A' is illegal: {{.*}} must run before
  func.func private @halves(%A: memref<64xf32>) {
    loop.for %i = 0 to 64 {
      loop.block "A" (%vi = spatial(%i) in 64) {
        %a = loop.load %A[%vi floordiv 2] : memref<64xf32>
        loop.store %a, %A[%vi] : memref<64xf32>
      }
    }
    func.return
  }

  // CASE fires: a recurrence: the loop over the steps stays, and in its body sums along rows get vectors of partial
  // results, rows that share an operand together, and elementwise blocks vectors.
  // CHECK-LABEL: func.func private @recurrence(
  // CHECK:         loop.for %t = 1 to 9 {
  // CHECK-NEXT:      loop.for %{{.*}} = 0 to 16 {
  // CHECK:             loop.for %ko = 0 to 4 {
  // CHECK-NEXT:          loop.for %{{.*}} = 0 to 4 kind unrolled {
  // CHECK:                 loop.for %{{.*}} = 0 to 8 kind vectorized {
  // CHECK-NEXT:              loop.block "P_rf" (
  // CHECK:             loop.for %{{.*}} = 0 to 4 kind unrolled {
  // CHECK:               loop.block "P" (
  // CHECK:           loop.for %{{.*}} = 0 to 8 kind vectorized {
  // CHECK-NEXT:        loop.block "H" (
  func.func private @recurrence(%R: memref<64x64xf32>, %H: memref<9x64xf32> {tw.output}) {
    %zero = arith.constant 0.0 : f32
    %P = loop.alloc : memref<9x64xf32>
    loop.for %t = 1 to 9 {
      loop.for %j = 0 to 64 { loop.for %k = 0 to 64 {
        loop.block "P" (%vt = spatial(%t) in 9, %vj = spatial(%j) in 64, %vk = reduce(%k) in 64) {
          loop.init { loop.store %zero, %P[%vt, %vj] : memref<9x64xf32> }
          %h = loop.load %H[%vt - 1, %vk] : memref<9x64xf32>
          %r = loop.load %R[%vj, %vk] : memref<64x64xf32>
          %p = loop.load %P[%vt, %vj] : memref<9x64xf32>
          %m = arith.mulf %h, %r : f32
          %s = arith.addf %p, %m : f32
          loop.store %s, %P[%vt, %vj] : memref<9x64xf32>
        }
      } }
      loop.for %j = 0 to 64 {
        loop.block "H" (%vt = spatial(%t) in 9, %vj = spatial(%j) in 64) {
          %p = loop.load %P[%vt, %vj] : memref<9x64xf32>
          %a = math.absf %p : f32
          loop.store %a, %H[%vt, %vj] : memref<9x64xf32>
        }
      }
    }
    func.return
  }
}
