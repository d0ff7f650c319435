// RUN: opt-tool --verify-diagnostics --split-input-file --pass lower-cross-thread-reduction %s

// CASE errs: differences of differences are not the same in another order.
func.func private @operator(%A: memref<6xf32>, %B: memref<1xf32>) {
  loop.for %k = 0 to 6 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{the reduction of block 'B' cannot be shared by threads: it is no reduction by a known operator}}
    loop.block "B" (%vk = reduce(%k) in 6) {
      %a = loop.load %A[%vk] : memref<6xf32>
      %b = loop.load %B[0] : memref<1xf32>
      %s = arith.subf %b, %a : f32
      loop.store %s, %B[0] : memref<1xf32>
    }
  }
  func.return
}

// -----

// CASE errs: a combiner is asked for its laws, whatever its operation says of itself.
func.func private @combiner(%A: memref<6xf32>, %B: memref<1xf32>) {
  loop.for %k = 0 to 6 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{its combiner is not commutative: combine(0, 1) is -1, but combine(1, 0) is 1}}
    loop.block "B" (%vk = reduce(%k) in 6) {
      %a = loop.load %A[%vk] : memref<6xf32>
      %b = loop.load %B[0] : memref<1xf32>
      %s = loop.combine %b with %a : f32 identity [0.000000e+00 : f32] by (%x), (%y) {
        %d = arith.subf %x, %y : f32
        loop.yield %d : f32
      }
      loop.store %s, %B[0] : memref<1xf32>
    }
  }
  func.return
}

// -----

// CASE errs: how many threads there are decides how deep the tree is.
func.func private @symbolic(%n: index, %A: memref<?xf32>, %B: memref<1xf32>) {
  loop.for %k = 0 to %n kind thread<"threadIdx.x"> {
    // expected-error @+1 {{the loop over threadIdx.x does not run from 0 to a constant extent}}
    loop.block "B" (%vk = reduce(%k) in %n) {
      %a = loop.load %A[%vk] : memref<?xf32>
      %b = loop.load %B[0] : memref<1xf32>
      %s = arith.addf %b, %a : f32
      loop.store %s, %B[0] : memref<1xf32>
    }
  }
  func.return
}

// -----

// CASE errs: the sum is read before all threads have added to it.
func.func private @reader(%A: memref<6xf32>, %B: memref<1xf32>, %C: memref<6xf32>) {
  loop.for %k = 0 to 6 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{%B is accessed elsewhere inside the loops over its reduction}}
    loop.block "B" (%vk = reduce(%k) in 6) {
      %a = loop.load %A[%vk] : memref<6xf32>
      %b = loop.load %B[0] : memref<1xf32>
      %s = arith.addf %b, %a : f32
      loop.store %s, %B[0] : memref<1xf32>
    }
    loop.block "C" (%vj = spatial(%k) in 6) {
      %b = loop.load %B[0] : memref<1xf32>
      loop.store %b, %C[%vj] : memref<6xf32>
    }
  }
  func.return
}

// -----

// CASE errs: each thread has a result and a term of all others.
func.func private @both(%A: memref<6xf32>, %B: memref<6xf32>) {
  loop.for %k = 0 to 6 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{loop %k runs over the reduction and over the result at once}}
    loop.block "B" (%vi = spatial(%k) in 6, %vk = reduce(%k) in 6) {
      %a = loop.load %A[%vk] : memref<6xf32>
      %b = loop.load %B[%vi] : memref<6xf32>
      %s = arith.addf %b, %a : f32
      loop.store %s, %B[%vi] : memref<6xf32>
    }
  }
  func.return
}
