// RUN: ROUNDTRIP

// CHECK: builtin.module attributes {tw.target = #target.cpu<features [], vector_bits 8, caches [32768, 524288, 0], threads 2, language "c">}
builtin.module attributes {
  tw.target = #target.cpu<features [], vector_bits 8, caches [32768, 524288, 0], threads 2, language "c">
} {
}

// CHECK: builtin.module attributes {tw.target = #target.opencl}
builtin.module attributes {tw.target = #target.opencl} {
}
