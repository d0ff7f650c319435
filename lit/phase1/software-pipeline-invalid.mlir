// RUN: opt-tool --split-input-file --pass software-pipeline --verify-diagnostics %s

// CASE errs: an entry for each statement, and there are two.
func.func @lengths(%C: memref<16xf32>, %x: f32) {
  // expected-error @+1 {{expected 2 entries in software_pipeline_stage, one for each statement of loop %i, but got 3}}
  loop.for %i = 0 to 16 attributes {software_pipeline_stage = [0, 0, 1], software_pipeline_order = [0, 1]} {
    loop.store %x, %C[%i] : memref<16xf32>
    loop.store %x, %C[%i] : memref<16xf32>
  }
  func.return
}

// -----
// CASE errs: two statements cannot have one position.
func.func @places(%C: memref<16xf32>, %x: f32) {
  // expected-error @+1 {{expected software_pipeline_order to be a permutation of 0 to 1, but got [1, 1]}}
  loop.for %i = 0 to 16 attributes {software_pipeline_stage = [0, 1], software_pipeline_order = [1, 1]} {
    loop.store %x, %C[%i] : memref<16xf32>
    loop.store %x, %C[%i] : memref<16xf32>
  }
  func.return
}

// -----
// CASE errs: stages count from the first one.
func.func @negative(%C: memref<16xf32>, %x: f32) {
  // expected-error @+1 {{expected stages of at least 0 in software_pipeline_stage, but got -1}}
  loop.for %i = 0 to 16 attributes {software_pipeline_stage = [-1]} {
    loop.store %x, %C[%i] : memref<16xf32>
  }
  func.return
}

// -----
// CASE errs: an order alone says nothing of stages.
func.func @no_stage(%C: memref<16xf32>, %x: f32) {
  // expected-error @+1 {{expected software_pipeline_stage beside software_pipeline_order at loop %i, but it is missing}}
  loop.for %i = 0 to 16 attributes {software_pipeline_order = [0]} {
    loop.store %x, %C[%i] : memref<16xf32>
  }
  func.return
}

// -----
// CASE errs: there is nothing to fill ahead.
func.func @no_fill(%C: memref<16xf32>, %x: f32) {
  // expected-error @+1 {{that fill buffers of an iteration from data that the loop leaves alone, and others that use them, but none of them do}}
  loop.for %i = 0 to 16 attributes {num_stages = 2} {
    loop.store %x, %C[%i] : memref<16xf32>
  }
  func.return
}

// -----
// CASE errs: one asks for stages in two ways.
func.func @both(%C: memref<16xf32>, %x: f32) {
  // expected-error @+1 {{expected num_stages or software_pipeline_stage at loop %i, but got both}}
  loop.for %i = 0 to 16 attributes {num_stages = 2, software_pipeline_stage = [0]} {
    loop.store %x, %C[%i] : memref<16xf32>
  }
  func.return
}

// -----
// CASE errs: stages are numbers.
func.func @words(%C: memref<16xf32>, %x: f32) {
  // expected-error @+1 {{expected integers in software_pipeline_stage of loop %i, but got ["first"]}}
  loop.for %i = 0 to 16 attributes {software_pipeline_stage = ["first"]} {
    loop.store %x, %C[%i] : memref<16xf32>
  }
  func.return
}

// -----
// CASE errs: iterations of a parallel loop have no order that could be shifted.
func.func @parallel(%C: memref<16xf32>, %x: f32) {
  // expected-error @+1 {{expected a serial loop to pipeline, but loop %i is of kind parallel}}
  loop.for %i = 0 to 16 kind parallel attributes {software_pipeline_stage = [0]} {
    loop.store %x, %C[%i] : memref<16xf32>
  }
  func.return
}

// -----
// CASE errs: the second statement's result is what the next iteration starts from.
func.func @feedback(%A: memref<17xf32>) {
  loop.for %i = 0 to 16 attributes {software_pipeline_stage = [0, 1], software_pipeline_order = [0, 1]} {
    %b = loop.alloc : memref<1xf32>
    // expected-error @+1 {{TW0541: loop %i cannot be pipelined like this: statement 0 at %i = 1 would run before statement 1 at %i = 0}}
    %x = loop.load %A[%i] : memref<17xf32>
    loop.store %x, %b[0] : memref<1xf32>
    %y = loop.load %b[0] : memref<1xf32>
    loop.store %y, %A[%i + 1] : memref<17xf32>
  }
  func.return
}

// -----
// CASE errs: which elements the two touch is known only when the program runs.
func.func @by_data(%A: memref<17xf32>, %I: memref<16xindex>, %v: f32) {
  loop.for %i = 0 to 16 attributes {software_pipeline_stage = [1, 0]} {
    %x = loop.load %A[%i] : memref<17xf32>
    loop.store %x, %A[16] : memref<17xf32>
    %k = loop.load %I[%i] : memref<16xindex>
    // expected-error @+1 {{whether statements 0 and 1 touch the same elements of %A is not known: an index depends on data}}
    loop.store %v, %A[%k] : memref<17xf32>
  }
  func.return
}

// -----
// CASE errs: a value cannot be kept in versions.
func.func @value(%A: memref<16xf32>, %C: memref<16xf32>, %x: f32) {
  loop.for %i = 0 to 16 attributes {software_pipeline_stage = [0, 1]} {
    %sum = loop.for %j = 0 to 4 iter_args(%s = %x) -> (f32) {
      loop.store %s, %A[%i] : memref<16xf32>
      loop.yield %s : f32
    }
    // expected-error @+1 {{TW0542: loop %i is not pipelined: %sum goes from statement 0 to statement 1 as a value}}
    loop.store %sum, %C[%i] : memref<16xf32>
  }
  func.return
}

// -----
// CASE errs: threads that meet inside the loop meet at one iteration.
func.func @barrier(%A: memref<16xf32, "shared">, %x: f32) {
  loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
    loop.for %i = 0 to 16 attributes {software_pipeline_stage = [0, 1, 1]} {
      loop.store %x, %A[%t] : memref<16xf32, "shared">
      // expected-error @+1 {{TW0542: loop %i is not pipelined: its statements meet at a barrier}}
      loop.barrier <"shared">
      loop.store %x, %A[%t + 1] : memref<16xf32, "shared">
    }
  }
  func.return
}

// -----
// CASE errs: only an unrolled loop chooses among registers.
func.func @registers(%A: memref<16xf32>, %C: memref<16xf32>) {
  loop.for %i = 0 to 16 attributes {num_stages = 2} {
    // expected-error @+1 {{it needs 2 versions of %b, which is in registers, among which only unrolled loops choose}}
    %b = loop.alloc : memref<1xf32, "register">
    %x = loop.load %A[%i] : memref<16xf32>
    loop.store %x, %b[0] : memref<1xf32, "register">
    %y = loop.load %b[0] : memref<1xf32, "register">
    loop.store %y, %C[%i] : memref<16xf32>
  }
  func.return
}
