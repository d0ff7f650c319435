// RUN: opt-tool --split-input-file --verify-diagnostics %s

// expected-error@+1 {{expected an arch of sm_75}}
builtin.module attributes {tw.target = #target.cuda<arch "sm_1", max_threads 1024, shared 49152, warp 32>} {
}

// -----

// expected-error@+1 {{expected shared from 0 to 65536 bytes on sm_75, but got 65537}}
builtin.module attributes {tw.target = #target.cuda<arch "sm_75", max_threads 1024, shared 65537, warp 32>} {
}
