// RUN: opt-tool --pass "tile{sizes=16,32}" --target none %s | filecheck %s
// RUN: opt-tool --pass tile --target none %s | filecheck %s --check-prefix DEFAULT
// RUN: not opt-tool --pass "tile{sizes=0}" --target none %s 2>&1 | filecheck %s --check-prefix ERROR

// CASE errs: a tile has at least one iteration.
// ERROR: tile.mlir:{{.*}}:27: error[TW0403]: split: expected positive integers as factors, but got 0
// ERROR: note: in pass 'tile{sizes=0}'

// CASE fires: the last two loops become tiles; the block is guarded where they do not come out even.
// CHECK-LABEL: func.func private @scale(
// CHECK-SAME:      attributes {tw.scheduled}
// CHECK-NEXT:    loop.for %io = 0 to 4 {
// CHECK-NEXT:      loop.for %jo = 0 to 2 {
// CHECK-NEXT:        loop.for %ii = 0 to 16 {
// CHECK-NEXT:          loop.for %ji = 0 to 32 {
// CHECK-NEXT:            loop.block "B" (%vi = spatial(%io * 16 + %ii) in 64, %vj = spatial(%jo * 32 + %ji) in 57) where (%jo * 32 + %ji < 57) {
// DEFAULT-LABEL: func.func private @scale(
// DEFAULT-NEXT:    loop.for %io = 0 to 2 {
// DEFAULT-NEXT:      loop.for %jo = 0 to 2 {
// DEFAULT-NEXT:        loop.for %ii = 0 to 32 {
// DEFAULT-NEXT:          loop.for %ji = 0 to 32 {
func.func private @scale(%A: memref<64x57xf32>, %B: memref<64x57xf32> {tw.output}) {
  loop.for %i = 0 to 64 { loop.for %j = 0 to 57 {
    loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 57) {
      %a = loop.load %A[%vi, %vj] : memref<64x57xf32>
      %b = arith.addf %a, %a : f32
      loop.store %b, %B[%vi, %vj] : memref<64x57xf32>
    }
  } }
  func.return
}

// CASE fires: loops of reductions, and those no longer than their tile, stay whole inside.
// CHECK-LABEL: func.func private @sums(
// CHECK:         loop.for %io = 0 to 3 {
// CHECK-NEXT:      loop.for %ii = 0 to 16 {
// CHECK-NEXT:        loop.for %j = 0 to 8 {
// CHECK-NEXT:          loop.for %k = 0 to 16 {
// CHECK-NEXT:            loop.block "S" (%vi = spatial(%io * 16 + %ii) in 40, %vj = spatial(%j) in 8, %vk = reduce(%k) in 16) where (%io * 16 + %ii < 40) {
func.func private @sums(%A: memref<40x16x8xf32>, %S: memref<40x8xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 40 { loop.for %j = 0 to 8 { loop.for %k = 0 to 16 {
    loop.block "S" (%vi = spatial(%i) in 40, %vj = spatial(%j) in 8, %vk = reduce(%k) in 16) {
      loop.init { loop.store %zero, %S[%vi, %vj] : memref<40x8xf32> }
      %a = loop.load %A[%vi, %vk, %vj] : memref<40x16x8xf32>
      %s = loop.load %S[%vi, %vj] : memref<40x8xf32>
      %t = arith.addf %s, %a : f32
      loop.store %t, %S[%vi, %vj] : memref<40x8xf32>
    }
  } } }
  func.return
}

// CASE leaves alone: blocks that share a loop.
// CHECK-LABEL: func.func private @shared(
// CHECK-NEXT:    loop.for %i = 0 to 64 {
// CHECK-NEXT:      loop.block "B" (%vi = spatial(%i) in 64) {
func.func private @shared(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}, %C: memref<64xf32> {tw.output}) {
  loop.for %i = 0 to 64 {
    loop.block "B" (%vi = spatial(%i) in 64) {
      %a = loop.load %A[%vi] : memref<64xf32>
      loop.store %a, %B[%vi] : memref<64xf32>
    }
    loop.block "C" (%vi = spatial(%i) in 64) {
      %a = loop.load %B[%vi] : memref<64xf32>
      loop.store %a, %C[%vi] : memref<64xf32>
    }
  }
  func.return
}
