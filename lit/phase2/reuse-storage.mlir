// RUN: opt-tool --pass reuse-storage %s | filecheck %s
// RUN: opt-tool --pass reuse-storage --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// CASE fires: the last reader of %a works in place, since it reads each element before it writes it.
// CHECK-LABEL: func.func @takes_over(
// CHECK-COUNT-1: loop.alloc : memref<64xf32, "local">
// CHECK:      loop.for %{{.*}} = 0 to 48 {
// CHECK-NEXT:   %{{.*}} = loop.load %a[%[[I:.*]] + 16] : memref<64xf32, "local">
// CHECK-NEXT:   loop.store %{{.*}}, %a[%[[I]]] : memref<64xf32, "local">
// REMARK: remark[TW0544]: 2 buffers in local memory share one: 192 bytes saved
func.func @takes_over(%A: memref<64xf32>, %C: memref<64xf32> {tw.output}) {
  %a = loop.alloc : memref<64xf32, "local">
  %b = loop.alloc : memref<48xf32, "local">
  loop.for %i = 0 to 64 {
    %x = loop.load %A[%i] : memref<64xf32>
    loop.store %x, %a[%i] : memref<64xf32, "local">
  }
  loop.for %i = 0 to 48 {
    %y = loop.load %a[%i + 16] : memref<64xf32, "local">
    loop.store %y, %b[%i] : memref<48xf32, "local">
  }
  loop.for %i = 0 to 48 {
    %z = loop.load %b[%i] : memref<48xf32, "local">
    loop.store %z, %C[%i] : memref<64xf32>
  }
  func.return
}

// CASE leaves alone: the first iteration writes where the last one reads.
// CHECK-LABEL: func.func @reversed(
// CHECK-COUNT-2: loop.alloc
func.func @reversed(%A: memref<64xf32>, %C: memref<64xf32> {tw.output}) {
  %a = loop.alloc : memref<64xf32, "local">
  %b = loop.alloc : memref<64xf32, "local">
  loop.for %i = 0 to 64 {
    %x = loop.load %A[%i] : memref<64xf32>
    loop.store %x, %a[%i] : memref<64xf32, "local">
  }
  loop.for %i = 0 to 64 {
    %y = loop.load %a[63 - %i] : memref<64xf32, "local">
    loop.store %y, %b[%i] : memref<64xf32, "local">
  }
  loop.for %i = 0 to 64 {
    %z = loop.load %b[%i] : memref<64xf32, "local">
    loop.store %z, %C[%i] : memref<64xf32>
  }
  func.return
}

// CASE fires: in each iteration one is dead before the other begins; the larger one is known of two symbolic sizes.
// CHECK-LABEL: func.func @symbolic(
// CHECK:      %a = loop.alloc (%n + 8) : memref<?xf32>
// CHECK-NOT:  loop.alloc
// REMARK: remark[TW0544]: 2 buffers in global memory share one: memory of symbolic size saved
func.func @symbolic(%A: memref<?xf32>, %C: memref<?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.for %r = 0 to 4 {
    %a = loop.alloc (%n) : memref<?xf32>
    loop.for %i = 0 to %n {
      %x = loop.load %A[%i] : memref<?xf32>
      loop.store %x, %a[%i] : memref<?xf32>
    }
    loop.for %i = 0 to %n {
      %y = loop.load %a[%i] : memref<?xf32>
      loop.store %y, %C[%i] : memref<?xf32>
    }
    %b = loop.alloc (%n + 8) : memref<?xf32>
    loop.for %i = 0 to %n {
      %x = loop.load %C[%i] : memref<?xf32>
      loop.store %x, %b[%i + 8] : memref<?xf32>
    }
    loop.for %i = 0 to %n {
      %y = loop.load %b[%i + 8] : memref<?xf32>
      loop.store %y, %C[%i] : memref<?xf32>
    }
  }
  func.return
}

// CASE leaves alone: iterations that run at once need a buffer each.
// CHECK-LABEL: func.func @at_once(
// CHECK-COUNT-2: loop.alloc
func.func @at_once(%A: memref<4x8xf32>, %C: memref<4x8xf32> {tw.output}) {
  loop.for %i = 0 to 4 kind parallel {
    %a = loop.alloc : memref<8xf32, "local">
    loop.for %j = 0 to 8 {
      %x = loop.load %A[%i, %j] : memref<4x8xf32>
      loop.store %x, %a[%j] : memref<8xf32, "local">
    }
    loop.for %j = 0 to 8 {
      %x = loop.load %a[7 - %j] : memref<8xf32, "local">
      loop.store %x, %C[%i, %j] : memref<4x8xf32>
    }
  }
  loop.for %i = 0 to 4 kind parallel {
    %b = loop.alloc : memref<8xf32, "local">
    loop.for %j = 0 to 8 {
      %x = loop.load %C[%i, %j] : memref<4x8xf32>
      loop.store %x, %b[%j] : memref<8xf32, "local">
    }
    loop.for %j = 0 to 8 {
      %x = loop.load %b[7 - %j] : memref<8xf32, "local">
      loop.store %x, %C[%i, %j] : memref<4x8xf32>
    }
  }
  func.return
}

// CASE fires: all threads are done with %s behind the barrier.
// CHECK-LABEL: func.func @behind_a_barrier(
// CHECK-COUNT-1: loop.alloc : memref<64xf32, "shared">
func.func @behind_a_barrier(%A: memref<64xf32>, %C: memref<64xf32> {tw.output}) {
  %s = loop.alloc : memref<64xf32, "shared">
  %t = loop.alloc : memref<64xf32, "shared">
  loop.for %i = 0 to 64 kind thread<"threadIdx.x"> {
    %x = loop.load %A[%i] : memref<64xf32>
    loop.store %x, %s[%i] : memref<64xf32, "shared">
    loop.barrier <"shared">
    %y = loop.load %s[63 - %i] : memref<64xf32, "shared">
    loop.barrier <"shared">
    loop.store %y, %t[%i] : memref<64xf32, "shared">
    loop.barrier <"shared">
    %z = loop.load %t[63 - %i] : memref<64xf32, "shared">
    loop.store %z, %C[%i] : memref<64xf32>
  }
  func.return
}

// CASE leaves alone: of so little memory, reuse is not worth the barrier that it may take.
// CHECK-LABEL: func.func @little(
// CHECK-COUNT-2: loop.alloc : memref<8xf32, "shared">
func.func @little(%A: memref<8xf32>, %C: memref<8xf32> {tw.output}) {
  %s = loop.alloc : memref<8xf32, "shared">
  %t = loop.alloc : memref<8xf32, "shared">
  loop.for %i = 0 to 8 kind thread<"threadIdx.x"> {
    %x = loop.load %A[%i] : memref<8xf32>
    loop.store %x, %s[%i] : memref<8xf32, "shared">
    loop.barrier <"shared">
    %y = loop.load %s[7 - %i] : memref<8xf32, "shared">
    loop.barrier <"shared">
    loop.store %y, %t[%i] : memref<8xf32, "shared">
    loop.barrier <"shared">
    %z = loop.load %t[7 - %i] : memref<8xf32, "shared">
    loop.store %z, %C[%i] : memref<8xf32>
  }
  func.return
}

// CASE leaves alone: a thread may still read %s while another one writes %t.
// CHECK-LABEL: func.func @without_a_barrier(
// CHECK-COUNT-2: loop.alloc
func.func @without_a_barrier(%A: memref<64xf32>, %C: memref<64xf32> {tw.output}) {
  %s = loop.alloc : memref<64xf32, "shared">
  %t = loop.alloc : memref<64xf32, "shared">
  loop.for %i = 0 to 64 kind thread<"threadIdx.x"> {
    %x = loop.load %A[%i] : memref<64xf32>
    loop.store %x, %s[%i] : memref<64xf32, "shared">
    loop.barrier <"shared">
    %y = loop.load %s[63 - %i] : memref<64xf32, "shared">
    loop.store %y, %t[%i] : memref<64xf32, "shared">
    loop.barrier <"shared">
    %z = loop.load %t[63 - %i] : memref<64xf32, "shared">
    loop.store %z, %C[%i] : memref<64xf32>
  }
  func.return
}

// CASE fires: the threads of the first loop have all run when those of the second one start.
// CHECK-LABEL: func.func @in_turn(
// CHECK-COUNT-1: loop.alloc : memref<64xf32, "shared">
// CHECK-NOT:  loop.alloc
func.func @in_turn(%A: memref<64xf32>, %C: memref<64xf32> {tw.output}) {
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<64xf32, "shared">
    %t = loop.alloc : memref<64xf32, "shared">
    loop.for %i = 0 to 64 kind thread<"threadIdx.x"> {
      %x = loop.load %A[%i] : memref<64xf32>
      loop.store %x, %s[%i] : memref<64xf32, "shared">
    }
    loop.for %i = 0 to 64 kind thread<"threadIdx.x"> {
      %y = loop.load %s[63 - %i] : memref<64xf32, "shared">
      loop.store %y, %C[%i] : memref<64xf32>
    }
    loop.for %i = 0 to 64 kind thread<"threadIdx.x"> {
      %x = loop.load %A[%i] : memref<64xf32>
      loop.store %x, %t[%i] : memref<64xf32, "shared">
    }
    loop.for %i = 0 to 64 kind thread<"threadIdx.x"> {
      %y = loop.load %t[63 - %i] : memref<64xf32, "shared">
      loop.store %y, %C[%i] : memref<64xf32>
    }
  }
  func.return
}
