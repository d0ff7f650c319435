// RUN: opt-tool --load %S/Inputs/library.py --schedule %S/Inputs/tensorize.schedule %s | filecheck %s
// RUN: opt-tool --load %S/Inputs/library.py --schedule %S/Inputs/tensorize.schedule --pass lower-blocks,flatten-buffers --target none %s | filecheck %s --check-prefix=LOWERED
// RUN: opt-tool --schedule %S/Inputs/blockize.schedule %s | filecheck %s --check-prefix=BLOCK
// RUN: opt-tool --schedule %S/Inputs/blockize.schedule --pass lower-blocks %s | filecheck %s --check-prefix=FLAT
// RUN: not opt-tool --load %S/Inputs/library.py --schedule %S/Inputs/guarded.schedule %s 2>&1 | filecheck %s --check-prefix=GUARDED
// RUN: not opt-tool --schedule %S/Inputs/unknown.schedule %s 2>&1 | filecheck %s --check-prefix=UNKNOWN

// CHECK-LABEL: func.func @add(
// CHECK-SAME:      tw.foreign = [#loop.foreign<"c", "void add_8(float *c, const float *a, const float *b);">]
// CHECK-NEXT:    loop.for %i = 0 to 4 {
// CHECK-NEXT:      loop.for %jo = 0 to 3 {
// CHECK-NEXT:        loop.block "C_o" (%vio = spatial(%i) in 4, %vjo = spatial(%jo) in 3) {
// CHECK-NEXT:          loop.call_extern "add_8"(write %C[%vio, %vjo * 8] box [1, 8] : memref<4x24xf32>, read %A[%vio, %vjo * 8] box [1, 8] : memref<4x24xf32>, read %B[%vjo * 8] box [8] : memref<24xf32>)
// CHECK-NEXT:        }

// LOWERED:      loop.call_extern "add_8"(write %{{.*}}[%i * 24 + %jo * 8] box [8] : memref<96xf32>, read %{{.*}}[%i * 24 + %jo * 8] box [8] : memref<96xf32>, read %B[%jo * 8] box [8] : memref<24xf32>)

// BLOCK:      loop.block "C_o" (%vio = spatial(%i) in 4, %vjo = spatial(%jo) in 3) {
// BLOCK-NEXT:   loop.for %ji = 0 to 8 {
// BLOCK-NEXT:     loop.block "C" (%vi = spatial(%vio) in 4, %vj = spatial(%vjo * 8 + %ji) in 24) {

// FLAT:      loop.for %ji = 0 to 8 {
// FLAT-NEXT:   loop.load %A[%i, %jo * 8 + %ji] : memref<4x24xf32>
func.func @add(%A: memref<4x24xf32>, %B: memref<24xf32>, %C: memref<4x24xf32> {tw.output}) {
  loop.for %i = 0 to 4 {
    loop.for %jo = 0 to 3 {
      loop.for %ji = 0 to 8 {
        loop.block "C" (%vi = spatial(%i) in 4, %vj = spatial(%jo * 8 + %ji) in 24) {
          %a = loop.load %A[%vi, %vj] : memref<4x24xf32>
          %b = loop.load %B[%vj] : memref<24xf32>
          %c = arith.addf %a, %b : f32
          loop.store %c, %C[%vi, %vj] : memref<4x24xf32>
        }
      }
    }
  }
  func.return
}

// GUARDED: guarded.schedule:3:12: error[TW0434]: tensorize: the nest under loop %ji is guarded by
// GUARDED: help: split by factors that divide the extents
// UNKNOWN: unknown.schedule:3:12: error[TW0431]: expected a registered tensor intrinsic, but got 'library.unknown'
func.func @guarded(%A: memref<20xf32>, %B: memref<20xf32>, %C: memref<20xf32> {tw.output}) {
  loop.for %jo = 0 to 3 {
    loop.for %ji = 0 to 8 {
      loop.block "C" (%vj = spatial(%jo * 8 + %ji) in 20) where (%jo * 8 + %ji < 20) {
        %a = loop.load %A[%vj] : memref<20xf32>
        %b = loop.load %B[%vj] : memref<20xf32>
        %c = arith.addf %a, %b : f32
        loop.store %c, %C[%vj] : memref<20xf32>
      }
    }
  }
  func.return
}
