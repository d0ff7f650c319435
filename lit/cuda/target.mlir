// RUN: ROUNDTRIP

// CHECK: builtin.module attributes {tw.target = #target.cuda<arch "sm_90", max_threads 1024, shared 49152, warp 32>}
builtin.module attributes {tw.target = #target.cuda<arch "sm_90", max_threads 1024, shared 49152, warp 32>} {
}

// -----

// CHECK: builtin.module attributes {tw.target = #target.cuda<arch "sm_80", max_threads 512, shared 98304, warp 32>}
builtin.module attributes {tw.target = #target.cuda<arch "sm_80", max_threads 512, shared 98304, warp 32>} {
}
