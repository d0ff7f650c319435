// RUN: opt-tool --pass select-shuffles --target cuda --verify-diagnostics --split-input-file %s

// CASE errs: a lane writes into another one's register.
func.func @writes(%v: f32) {
  %w = loop.alloc : memref<32xf32, "warp">
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{lane 0 writes an element of another one}}
    loop.store %v, %w[31 - %t] : memref<32xf32, "warp">
  }
  func.return
}

// -----

// CASE errs: half of a warp stays away, while all of it have to answer.
func.func @away() {
  %w = loop.alloc : memref<32xf32, "warp">
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    loop.if (%t < 16) {
      // expected-error @+1 {{not all lanes of a warp come to where they exchange elements}}
      %a = loop.load %w[15 - %t] : memref<32xf32, "warp">
    }
  }
  func.return
}

// -----

// CASE errs: rows of eight lanes have no shuffle but that by exclusive or.
func.func @rows() {
  %w = loop.alloc : memref<8xf32, "warp">
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{rows of 8 lanes exchange elements by a pattern that is no exclusive or}}
    %a = loop.load %w[(%t + 1) mod 8] : memref<8xf32, "warp">
  }
  func.return
}

// -----

// CASE errs: which register another lane has depends on that lane.
func.func @registers() {
  %w = loop.alloc : memref<2x32xf32, "warp">
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{lanes name different registers}}
    %a = loop.load %w[%t mod 2, 31 - %t] : memref<2x32xf32, "warp">
  }
  func.return
}
