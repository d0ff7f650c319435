// RUN: opt-tool --verify-diagnostics --split-input-file --pass insert-barriers %s

// CASE errs: two threads write one element at the same step.
func.func private @same_step(%x: memref<8xf32>) {
  %s = loop.alloc : memref<4xf32, "shared">
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    %v = loop.load %x[%t] : memref<8xf32>
    // expected-error @+1 {{expected different threads to write disjoint elements of %s, but iterations (t=6) and (t=7) both access %s[3]}}
    loop.store %v, %s[%t floordiv 2] : memref<4xf32, "shared">
  }
  func.return
}

// -----

// CASE errs: threads that run at once would need a barrier inside of a loop that is not the same for all of them.
func.func private @branch(%x: memref<8x8xf32>) {
  %s = loop.alloc : memref<8xf32, "shared">
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    loop.barrier <"shared">
    loop.for %k = 0 to %t {
      %v = loop.load %s[7 - %t] : memref<8xf32, "shared">
      // expected-error @+1 {{expected threads to meet in %s outside of branches and of loops that differ between them}}
      loop.store %v, %s[%t] : memref<8xf32, "shared">
    }
  }
  func.return
}

// -----

// CASE errs: the inner loop is not the same work for every thread of the outer one.
func.func private @nested(%o: memref<8x8xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{expected loops over threadIdx.x inside one another to be the same threads, but the inner loop's work depends on the iteration of the outer loop}}
    loop.for %u = 0 to 8 kind thread<"threadIdx.x"> {
      loop.store %one, %o[%t, %u] : memref<8x8xf32>
    }
  }
  func.return
}

// -----

// CASE errs: the inner loop adds to a buffer that is not private to it.
func.func private @adds(%o: memref<8xf32>) {
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{expected a loop over threadIdx.x inside another one to fill what is read there afterwards, but %o is read before or elsewhere}}
    loop.for %u = 0 to 8 kind thread<"threadIdx.x"> {
      %v = loop.load %o[%u] : memref<8xf32>
      %w = arith.addf %v, %v : f32
      loop.store %w, %o[%u] : memref<8xf32>
    }
  }
  func.return
}

// -----

// CASE errs: a local buffer is one for each thread.
func.func private @local(%x: memref<8xf32>, %o: memref<8xf32>) {
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    %p = loop.alloc : memref<8xf32, "local">
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %v = loop.load %x[%t] : memref<8xf32>
      loop.store %v, %p[%t] : memref<8xf32, "local">
    }
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      // expected-error @+1 {{expected memory of one thread in %p, but iterations}}
      %v = loop.load %p[7 - %t] : memref<8xf32, "local">
      loop.store %v, %o[%t] : memref<8xf32>
    }
  }
  func.return
}

// -----

// CASE errs: two loops over an axis of other symbolic extents.
func.func private @extents(%n: index, %m: index, %o: memref<?xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    loop.for %t = 0 to %n kind thread<"threadIdx.x"> {
      loop.store %one, %o[%t] : memref<?xf32>
    }
    // expected-error @+1 {{expected one extent for all loops over threadIdx.x of a block, but got %n and %m}}
    loop.for %t = 0 to %m kind thread<"threadIdx.x"> {
      loop.store %one, %o[%t] : memref<?xf32>
    }
  }
  func.return
}

// -----

// CASE errs: threads are counted from 0.
func.func private @start(%o: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    loop.store %one, %o[0] : memref<8xf32>
    // expected-error @+1 {{expected the loop over threadIdx.x to run from 0 to one extent}}
    loop.for %t = 1 to 8 kind thread<"threadIdx.x"> {
      loop.store %one, %o[%t] : memref<8xf32>
    }
  }
  func.return
}

// -----

// CASE errs: each thread filled a private copy, and no order of the threads makes one of them.
func.func private @copies(%x: memref<8xf32>, %o: memref<8xf32>) {
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    %s = loop.alloc : memref<1xf32, "shared">
    %v = loop.load %x[%t] : memref<8xf32>
    loop.if (%t < 1) {
      loop.store %v, %s[0] : memref<1xf32, "shared">
    }
    loop.if (%t >= 1, %t < 2) {
      // expected-error @+1 {{expected different threads to write disjoint elements of %s, but iterations (t=0) and (t=1) both access %s[0]}}
      loop.store %v, %s[0] : memref<1xf32, "shared">
    }
    %w = loop.load %s[0] : memref<1xf32, "shared">
    loop.store %w, %o[%t] : memref<8xf32>
  }
  func.return
}

// -----

// CASE errs: each step writes all elements, so a barrier between two steps would mix what the threads have written.
func.func private @steps(%x: memref<8x8xf32>, %o: memref<8xf32>) {
  %s = loop.alloc : memref<8xf32>
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    loop.for %j = 0 to 8 {
      %v = loop.load %x[%t, %j] : memref<8x8xf32>
      // expected-error @+1 {{TW0537: expected different threads to write disjoint elements of %s, but iterations}}
      loop.store %v, %s[(%t + %j) mod 8] : memref<8xf32>
    }
    %w = loop.load %s[%t] : memref<8xf32>
    loop.store %w, %o[%t] : memref<8xf32>
  }
  func.return
}

// -----

// CASE errs: blocks write one element of a result, in whatever order.
func.func private @blocks(%x: memref<8xf32>, %o: memref<4xf32>) {
  loop.for %b = 0 to 8 kind thread<"blockIdx.x"> {
    %v = loop.load %x[%b] : memref<8xf32>
    // expected-error @+1 {{TW0537: expected different blocks to write disjoint elements of %o, but iterations}}
    loop.store %v, %o[%b floordiv 2] : memref<4xf32>
  }
  func.return
}

// -----

// CASE errs: which element a block updates is known only when the program runs.
func.func private @data(%x: memref<8xindex>, %o: memref<8xf32>) {
  loop.for %b = 0 to 8 kind thread<"blockIdx.x"> {
    %at = loop.load %x[%b] : memref<8xindex>
    // expected-error @+2 {{TW0681: expected different blocks to write disjoint elements of %o, but that is not known}}
    %v = loop.load %o[%at] : memref<8xf32>
    loop.store %v, %o[%at] : memref<8xf32>
  }
  func.return
}

// -----

// CASE errs: the threads of the inner loop are those of the outer one, each with a private buffer.
func.func private @own(%x: memref<8x8xf32>, %o: memref<8xf32>) {
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<8xf32, "shared">
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %p = loop.alloc : memref<8xf32, "local">
      loop.for %j = 0 to 8 {
        %v = loop.load %x[%t, %j] : memref<8x8xf32>
        loop.store %v, %p[%j] : memref<8xf32, "local">
      }
      // expected-error @+1 {{TW0537: expected loops over threadIdx.x inside one another to be the same threads, but the inner loop reads %p}}
      loop.for %u = 0 to 8 kind thread<"threadIdx.x"> {
        %w = loop.load %p[%u] : memref<8xf32, "local">
        loop.store %w, %s[%u] : memref<8xf32, "shared">
      }
      %y = loop.load %s[3] : memref<8xf32, "shared">
      loop.store %y, %o[%t] : memref<8xf32>
    }
  }
  func.return
}

// -----

// CASE errs: each thread writes a private buffer, and the first one reads for all.
func.func private @first(%x: memref<8xf32>, %o: memref<8xf32>) {
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    %p = loop.alloc : memref<8xf32, "local">
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %v = loop.load %x[%t] : memref<8xf32>
      loop.store %v, %p[%t] : memref<8xf32, "local">
    }
    loop.for %j = 0 to 8 {
      // expected-error @+1 {{TW0537: expected memory of one thread in %p, but iterations}}
      %v = loop.load %p[%j] : memref<8xf32, "local">
      loop.store %v, %o[%j] : memref<8xf32>
    }
  }
  func.return
}
