// RUN: opt-tool --verify-diagnostics --split-input-file %s

func.func private @outside() {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    // expected-error @+1 {{expected a barrier inside a loop over threadIdx, but there is none around it}}
    loop.barrier <"shared">
  }
  func.return
}

// -----

func.func private @scope() {
  loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{expected scope warp, shared, global, but got local}}
    loop.barrier <"local">
  }
  func.return
}

// -----

func.func private @condition() {
  loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
    loop.for %k = 0 to 4 {
      %u = loop.apply (%t + %k) : index
      loop.if (%u < 3) {
        // expected-error @+1 {{expected conditions around a barrier to be the same for all threads}}
        loop.barrier <"shared">
      }
    }
  }
  func.return
}

// -----

func.func private @bound() {
  loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
    loop.for %k = 0 to %t {
      loop.for %j = 0 to 2 {
        // expected-error @+1 {{expected loop bounds around a barrier to be the same for all threads}}
        loop.barrier <"shared">
      }
    }
  }
  func.return
}

// -----

func.func private @lanes() {
  loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
    loop.for %k = 0 to 8 kind vectorized {
      // expected-error @+1 {{expected serial and unrolled loops between threads and a barrier, but got kind vectorized}}
      loop.barrier <"shared">
    }
  }
  func.return
}

// -----

func.func private @data(%n: memref<4xindex>, %own: memref<1xindex, "local">) {
  loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
    %same = loop.load %n[0] : memref<4xindex>
    loop.for %k = 0 to %same {
      loop.barrier <"shared">
    }
    %mine = loop.load %own[0] : memref<1xindex, "local">
    loop.for %k = 0 to %mine {
      // expected-error @+1 {{expected loop bounds around a barrier to be the same for all threads}}
      loop.barrier <"shared">
    }
  }
  func.return
}

// -----

func.func private @block() {
  loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
    loop.block "B" (%v = spatial(%t) in 4) {
      // expected-error @+1 {{expected loops and conditionals around a barrier, but got loop.block}}
      loop.barrier <"shared">
    }
  }
  func.return
}
