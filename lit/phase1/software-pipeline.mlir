// RUN: opt-tool --pass software-pipeline %s | filecheck %s

// CASE fires: each iteration fills a buffer for the next one, in the other of two versions.
// CHECK-LABEL: func.func @copy_and_compute(
// CHECK:      %b = loop.alloc : memref<2x8xf32>
// CHECK-NEXT: loop.for %[[J:.*]] = 0 to 8 {
// CHECK-NEXT:   %{{.*}} = loop.load %A[%[[J]]] : memref<128xf32>
// CHECK-NEXT:   loop.store %{{.*}}, %b[0, %[[J]]] : memref<2x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: loop.for %i = 1 to 16 {
// CHECK-NEXT:   loop.for %[[J:.*]] = 0 to 8 {
// CHECK-NEXT:     %{{.*}} = loop.load %A[%i * 8 + %[[J]]] : memref<128xf32>
// CHECK-NEXT:     loop.store %{{.*}}, %b[(%i mod 2), %[[J]]] : memref<2x8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   loop.for %[[J:.*]] = 0 to 8 {
// CHECK-NEXT:     %{{.*}} = loop.load %b[((%i + 1) mod 2), %[[J]]] : memref<2x8xf32>
// CHECK-NEXT:     loop.store %{{.*}}, %C[%i * 8 + %[[J]] - 8] : memref<128xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: loop.for %[[J:.*]] = 0 to 8 {
// CHECK-NEXT:   %{{.*}} = loop.load %b[1, %[[J]]] : memref<2x8xf32>
// CHECK-NEXT:   loop.store %{{.*}}, %C[%[[J]] + 120] : memref<128xf32>
func.func @copy_and_compute(%A: memref<128xf32>, %C: memref<128xf32> {tw.output}) {
  loop.for %i = 0 to 16 attributes {software_pipeline_stage = [0, 1], software_pipeline_order = [0, 1]} {
    %b = loop.alloc : memref<8xf32>
    loop.for %j = 0 to 8 {
      %x = loop.load %A[%i * 8 + %j] : memref<128xf32>
      loop.store %x, %b[%j] : memref<8xf32>
    }
    loop.for %j = 0 to 8 {
      %y = loop.load %b[%j] : memref<8xf32>
      loop.store %y, %C[%i * 8 + %j] : memref<128xf32>
    }
  }
  func.return
}

// CASE fires: of a symbolic trip count it is not known whether it fills the pipeline.
// CHECK-LABEL: func.func @symbolic(
// CHECK:      %b = loop.alloc : memref<3x1xf32>
// CHECK-NEXT: loop.if (%n >= 1) {
// CHECK:        loop.store %{{.*}}, %b[0, 0]
// CHECK:      loop.if (%n >= 2) {
// CHECK:        loop.store %{{.*}}, %b[1, 0]
// CHECK:      loop.for %i = 2 to %n {
// CHECK:        loop.store %{{.*}}, %b[(%i mod 3), 0]
// CHECK:        loop.load %b[((%i + 1) mod 3), 0]
// CHECK:        loop.store %{{.*}}, %C[%i - 2]
// CHECK:      loop.if (%n >= 2) {
// CHECK-NEXT:   loop.load %b[((%n + 1) mod 3), 0]
// CHECK-NEXT:   loop.store %{{.*}}, %C[%n - 2]
// CHECK:      loop.if (%n >= 1) {
// CHECK-NEXT:   loop.load %b[((%n + 2) mod 3), 0]
// CHECK-NEXT:   loop.store %{{.*}}, %C[%n - 1]
func.func @symbolic(%A: memref<?xf32>, %C: memref<?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.for %i = 0 to %n attributes {pragma.num_stages = 3} {
    %b = loop.alloc : memref<1xf32>
    %x = loop.load %A[%i] : memref<?xf32>
    loop.store %x, %b[0] : memref<1xf32>
    %y = loop.load %b[0] : memref<1xf32>
    loop.store %y, %C[%i] : memref<?xf32>
  }
  func.return
}

// CASE fires: with several bounds the first iteration has no expression, so each statement has its condition.
// CHECK-LABEL: func.func @several_bounds(
// CHECK:      loop.for %i = max(0, %m) to min(%m + 5, 10) {
// CHECK-NEXT:   loop.if (%i < %m + 4, %i < 9) {
// CHECK:          loop.store %{{.*}}, %b[(%i mod 2), 0]
// CHECK:        loop.if (%i >= 1, %m < %i) {
// CHECK-NEXT:     loop.load %b[((%i + 1) mod 2), 0]
func.func @several_bounds(%A: memref<9xf32>, %m: index, %C: memref<9xf32> {tw.output}) {
  loop.for %i = max(0, %m) to min(%m + 4, 9) attributes {num_stages = 2} {
    %b = loop.alloc : memref<1xf32>
    %x = loop.load %A[%i] : memref<9xf32>
    loop.store %x, %b[0] : memref<1xf32>
    %y = loop.load %b[0] : memref<1xf32>
    loop.store %y, %C[%i] : memref<9xf32>
  }
  func.return
}

// CASE leaves alone: nobody asks for a pipeline.
// CHECK-LABEL: func.func @plain(
// CHECK:      loop.for %i = 0 to 16 {
// CHECK-NEXT:   %b = loop.alloc : memref<1xf32>
func.func @plain(%A: memref<16xf32>, %C: memref<16xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    %b = loop.alloc : memref<1xf32>
    %x = loop.load %A[%i] : memref<16xf32>
    loop.store %x, %b[0] : memref<1xf32>
    %y = loop.load %b[0] : memref<1xf32>
    loop.store %y, %C[%i] : memref<16xf32>
  }
  func.return
}
