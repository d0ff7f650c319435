// RUN: opt-tool --split-input-file --verify-diagnostics %s

func.func @terminator(%A: tensor<4x8xf32>) {
  // expected-error @+1 {{expected the body of compute 's' to end in te.reduce, but got te.yield}}
  %s = te.compute "s" [%i to 4] reduce [%k to 8] -> tensor<4xf32> {
    %a = te.read %A[%i, %k] : tensor<4x8xf32>
    te.yield %a : f32
  }
  func.return
}

// -----

func.func @no_reduce_axis(%A: tensor<4xf32>) {
  // expected-error @+1 {{expected the body of compute 's' to end in te.yield, but got te.reduce}}
  %s = te.compute "s" [%i to 4] -> tensor<4xf32> {
    %a = te.read %A[%i] : tensor<4xf32>
    te.reduce <add> %a : f32
  }
  func.return
}

// -----

func.func @combiner(%A: tensor<4xf32>) {
  %s = te.compute "s" [] reduce [%k to 4] -> tensor<f32> {
    %a = te.read %A[%k] : tensor<4xf32>
    // expected-error @+1 {{expected a combiner of add, mul, max, min, but got sub}}
    te.reduce <sub> %a : f32
  }
  func.return
}

// -----

func.func @rank(%A: tensor<4x8xf32>) {
  %s = te.compute "s" [%i to 4] -> tensor<4xf32> {
    // expected-error @+1 {{expected 2 indices for tensor<4x8xf32>, but got 1}}
    %a = te.read %A[%i] : tensor<4x8xf32>
    te.yield %a : f32
  }
  func.return
}

// -----

func.func @guard_without_else(%A: tensor<4xf32>) {
  %s = te.compute "s" [%i to 4] -> tensor<4xf32> {
    // expected-error @+1 {{expected an `else` value with a guard and only with one}}
    %a = te.read %A[%i - 1] where (%i >= 1) : tensor<4xf32>
    te.yield %a : f32
  }
  func.return
}

// -----

func.func @element(%A: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of element type f32, but got tensor<4xf64>}}
  %s = te.compute "s" [%i to 4] -> tensor<4xf64> {
    %a = te.read %A[%i] : tensor<4xf32>
    te.yield %a : f32
  }
  func.return
}

// -----

func.func @extent(%A: tensor<4xf32>) {
  // expected-error @+1 {{expected an extent of 5 for dimension 0, but got 4}}
  %s = te.compute "s" [%i to 4] -> tensor<5xf32> {
    %a = te.read %A[%i] : tensor<4xf32>
    te.yield %a : f32
  }
  func.return
}

// -----

func.func @symbolic_extent(%A: tensor<?xf32>) {
  %n = te.dim %A, 0 : tensor<?xf32>
  // expected-error @+1 {{expected an extent of 4 for dimension 0, but got %n + 1}}
  %s = te.compute "s" [%i to %n + 1] -> tensor<4xf32> {
    %a = te.read %A[%i] : tensor<?xf32>
    te.yield %a : f32
  }
  func.return
}

// -----

func.func @result_rank(%A: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of rank 1, but got tensor<4x1xf32>}}
  %s = te.compute "s" [%i to 4] -> tensor<4x1xf32> {
    %a = te.read %A[%i] : tensor<4xf32>
    te.yield %a : f32
  }
  func.return
}

// -----

func.func @results(%A: tensor<4xf32>) {
  // expected-error @+1 {{expected 1 results, one for each value, but got 2}}
  %s, %t = te.compute "s" [%i to 4] -> tensor<4xf32>, tensor<4xf32> {
    %a = te.read %A[%i] : tensor<4xf32>
    te.yield %a : f32
  }
  func.return
}

// -----

func.func @nested(%A: tensor<4xf32>) {
  // expected-error @+1 {{expected scalar operations in compute 's', but got te.constant}}
  %s = te.compute "s" [%i to 4] -> tensor<4xf32> {
    %w = te.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %a = te.read %A[%i] : tensor<4xf32>
    te.yield %a : f32
  }
  func.return
}

// -----

func.func @dimension(%A: tensor<4xf32>) {
  // expected-error @+1 {{expected a dimension below 1, but got 1}}
  %n = te.dim %A, 1 : tensor<4xf32>
  func.return
}

// -----

func.func @data() {
  // expected-error @+1 {{expected data of tensor<3xf32>, but got tensor<2xf32>}}
  %w = "te.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<3xf32>
  func.return
}

// -----

func.func @elements(%A: tensor<4xf32>) {
  // expected-error @+1 {{expected as many elements as tensor<4xf32> has, but got tensor<5xf32>}}
  %w = te.reshape %A : tensor<4xf32> to tensor<5xf32>
  func.return
}

// -----

func.func @not_a_tensor(%A: memref<4xf32>) {
  // expected-error @+1 {{expected a tensor type, but got memref<4xf32>}}
  %n = te.dim %A, 0 : memref<4xf32>
  func.return
}

// -----

func.func @constant_not_a_tensor() {
  // expected-error @+1 {{expected a tensor type, but got memref<2xf32>}}
  %w = te.constant dense<[1.0, 2.0]> : memref<2xf32>
  func.return
}

// -----

func.func @init_type(%A: tensor<4xf32>) {
  %s = te.compute "s" [] reduce [%k to 4] -> tensor<f32> {
    %a = te.read %A[%k] : tensor<4xf32>
    %z = arith.constant 0 : i32
    // expected-error @+1 {{expected an init of each type f32, but got i32}}
    "te.reduce"(%a, %z) <{combiner = "add", operandSegmentSizes = array<i32: 1, 1>}> : (f32, i32) -> ()
  }
  func.return
}

// -----

func.func @init_of_a_reduce_axis(%A: tensor<4xf32>) {
  // expected-error @+1 {{expected an init that no reduce axis decides, but te.read uses one}}
  %s = te.compute "s" [] reduce [%k to 4] -> tensor<f32> {
    %a = te.read %A[%k] : tensor<4xf32>
    te.reduce <add> %a init %a : f32
  }
  func.return
}

// -----

func.func @identities(%A: tensor<4xf32>) {
  %s = te.compute "s" [] reduce [%k to 4] -> tensor<f32> {
    %a = te.read %A[%k] : tensor<4xf32>
    // expected-error @+1 {{expected an identity of each type (f32), but got (0 : i32)}}
    te.reduce %a : f32 identity [0 : i32] by (%x), (%y) {
      te.yield %x : f32
    }
  }
  func.return
}

// -----

func.func @combiner_result(%A: tensor<4xf32>) {
  %s = te.compute "s" [] reduce [%k to 4] -> tensor<f32> {
    %a = te.read %A[%k] : tensor<4xf32>
    // expected-error @+1 {{expected the combiner to give (f32), but got (i1)}}
    te.reduce %a : f32 identity [0.0 : f32] by (%x), (%y) {
      %c = arith.cmpf olt, %x, %y : f32
      te.yield %c : i1
    }
  }
  func.return
}

// -----

func.func @combiner_of_others(%A: tensor<4xf32>) {
  %s = te.compute "s" [] reduce [%k to 4] -> tensor<f32> {
    %a = te.read %A[%k] : tensor<4xf32>
    // expected-error @+1 {{expected the combiner to use only values of its region, but got a value from outside}}
    te.reduce %a : f32 identity [0.0 : f32] by (%x), (%y) {
      %z = arith.addf %x, %a : f32
      te.yield %z : f32
    }
  }
  func.return
}

// -----

func.func @scan_of_steps(%X: tensor<8xf32>, %a: tensor<1xf32>) {
  // expected-error @+1 {{expected computes of scan 'S' to run over the same steps}}
  %S = te.scan "S" (%s = %a : tensor<1xf32>) -> tensor<8xf32> {
    %u = te.compute "u" [%t to 8] -> tensor<8xf32> {
      %x = te.read %s[%t - 1] : tensor<8xf32>
      te.yield %x : f32
    }
    %v = te.compute "v" [%t to 7] -> tensor<7xf32> {
      %x = te.read %s[%t - 1] : tensor<8xf32>
      te.yield %x : f32
    }
    te.yield %u : tensor<8xf32>
  }
  func.return
}

// -----

func.func @scan_init(%X: tensor<8xf32>, %a: tensor<1xi32>) {
  // expected-error @+1 {{expected first steps of tensor<8xf32>, but got tensor<1xi32>}}
  %S = te.scan "S" (%s = %a : tensor<1xi32>) -> tensor<8xf32> {
    %u = te.compute "u" [%t to 8] -> tensor<8xf32> {
      %x = te.read %s[%t - 1] : tensor<8xf32>
      te.yield %x : f32
    }
    te.yield %u : tensor<8xf32>
  }
  func.return
}

// -----

func.func @scan_yield(%X: tensor<8xf32>, %a: tensor<1xf32>) {
  // expected-error @+1 {{expected the body of scan 'S' to yield tensor<8xf32>}}
  %S = te.scan "S" (%s = %a : tensor<1xf32>) -> tensor<8xf32> {
    %u = te.compute "u" [%t to 8] -> tensor<8xi32> {
      %x = arith.constant 1 : i32
      te.yield %x : i32
    }
    te.yield %u : tensor<8xi32>
  }
  func.return
}

// -----

func.func @bind(%A: tensor<?x4xf32>) {
  %n = te.dim %A, 0 : tensor<?x4xf32>
  // expected-error @+1 {{expected a size of 4 for dimension 1, but got}}
  te.bind %A shape [%n, %n] : tensor<?x4xf32>
  func.return
}

// -----

func.func @extern_shape(%A: tensor<4xf32>) {
  // expected-error @+1 {{expected an extent of 4 in tensor<4xf32>, but got}}
  %y = te.extern "y" ins(%a = %A : tensor<4xf32>) outs(%b [5] : tensor<4xf32>) {
  }
  func.return
}

// -----

func.func @prefix_count(%A: tensor<4xf32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{expected a count of type tensor<1xi64>, but got tensor<2xi64>}}
  %p = te.prefix %A, %c : tensor<4xf32>, tensor<2xi64> to tensor<?xf32, #graph.dims<found>>
  func.return
}

// -----

func.func @prefix_parts(%A: tensor<4x3xf32>, %c: tensor<1xi64>) {
  // expected-error @+1 {{expected parts of tensor<4x3xf32>, but got tensor<?x2xf32, #graph.dims<found, _>>}}
  %p = te.prefix %A, %c : tensor<4x3xf32>, tensor<1xi64> to tensor<?x2xf32, #graph.dims<found, _>>
  func.return
}

// -----

func.func @prefix_size(%A: tensor<4xf32>, %c: tensor<1xi64>) {
  // expected-error @+1 {{expected a first size that is not known, but got tensor<4xf32>}}
  %p = te.prefix %A, %c : tensor<4xf32>, tensor<1xi64> to tensor<4xf32>
  func.return
}

// -----

func.func @match_rank(%A: tensor<?xf32, #graph.dims<n>>) {
  // expected-error @+1 {{expected elements and rank of tensor<?xf32, #graph.dims<n>>, but got tensor<?x?xf32, #graph.dims<n, m>>}}
  %p = te.match %A : tensor<?xf32, #graph.dims<n>> to tensor<?x?xf32, #graph.dims<n, m>>
  func.return
}

// -----

func.func @match_size(%A: tensor<?x4xf32, #graph.dims<n, _>>) {
  // expected-error @+1 {{expected sizes that may be those of tensor<?x4xf32, #graph.dims<n, _>>, but got tensor<?x3xf32, #graph.dims<m, _>>}}
  %p = te.match %A : tensor<?x4xf32, #graph.dims<n, _>> to tensor<?x3xf32, #graph.dims<m, _>>
  func.return
}
