// One kernel for different kinds of machines: what is vectorised, fused and rounded follows from the target alone.

// RUN: opt-tool --emit asm --phase 3 --target "llvm -mtriple=aarch64-linux-gnu" %s | filecheck %s --check-prefix NEON
// RUN: opt-tool --emit asm --phase 3 --target "llvm -mtriple=x86_64-linux-gnu" %s | filecheck %s --check-prefix SSE2
// RUN: opt-tool --emit asm --phase 3 --target "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3" %s | filecheck %s --check-prefix AVX2
// RUN: opt-tool --emit asm --phase 3 --target "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4" %s | filecheck %s --check-prefix AVX512
// RUN: opt-tool --emit asm --phase 3 --target riscv64 %s | filecheck %s --check-prefix RISCV
// RUN: opt-tool --emit asm --phase 3 --target "riscv64 -mcpu=rv64gcv" %s | filecheck %s --check-prefix RVV
// RUN: opt-tool --emit asm --phase 3 --target wasm32 %s | filecheck %s --check-prefix WASM
// RUN: opt-tool --emit mlir --phase 3 --target "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v2" %s | filecheck %s --check-prefix LOOPS

// NEON-LABEL: tw_entry:
// NEON: frintm v{{[0-9]+}}.4s
// NEON: fmla v{{[0-9]+}}.4s
// NEON-NOT: bl

// SSE2-LABEL: tw_entry:
// SSE2-NOT: floorf
// SSE2: mulps %xmm
// SSE2: addps
// SSE2-NOT: ymm

// AVX2-LABEL: tw_entry:
// AVX2: vroundps ${{[0-9]+}}, {{.*}}%ymm
// AVX2: vfmadd{{[0-9]+}}ps {{.*}}%ymm

// AVX512-LABEL: tw_entry:
// AVX512: vrndscaleps ${{[0-9]+}}, {{.*}}%zmm
// AVX512: vfmadd{{[0-9]+}}ps {{.*}}%zmm

// RISCV-LABEL: tw_entry:
// RISCV: fmadd.s
// RISCV-NOT: vset

// RVV-LABEL: tw_entry:
// RVV: vset{{i?}}vli
// RVV: vfmadd.vv
// RVV-NOT: call

// WASM-LABEL: tw_entry:
// WASM: v128.load
// WASM: f32x4.floor
// WASM: f32x4.mul
// WASM: f32x4.add
// WASM: v128.store
// WASM-NOT: call{{ }}

// LOOPS: tw.target = #target.cpu<features ["cmov", {{.*}}"ssse3"], vector_bits 128, caches [32768, 262144, 8388608], threads 4, triple "x86_64-linux-gnu">
// LOOPS: arith.mulf %f, %v : f32
// LOOPS-NOT: math.fma
func.func @main(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}) {
  loop.for %i = 0 to 64 {
    %v = loop.load %x[%i] : memref<64xf32>
    %f = math.floor %v : f32
    %p = arith.mulf %f, %v : f32
    %s = arith.addf %p, %v : f32
    loop.store %s, %y[%i] : f32, memref<64xf32>
  }
  func.return
}
