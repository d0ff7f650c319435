// RUN: ROUNDTRIP

// CHECK: builtin.module attributes {tw.target = #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 2>}
builtin.module attributes {
  tw.target = #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 2>
} {
}
