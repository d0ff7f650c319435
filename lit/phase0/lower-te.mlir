// RUN: opt-tool --pass lower-te --split-input-file %s | filecheck %s

// CASE fires: a reduction: the initial value is the combiner's identity, the result is written into the output
// argument.
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %A: memref<16x64xf32> {tw.name = "A"}, %B: memref<64x32xf32>, %C: memref<16x32xf32> {tw.name = "C", tw.output}) {
// CHECK-NEXT:  loop.for %i = 0 to 16 {
// CHECK-NEXT:    loop.for %j = 0 to 32 {
// CHECK-NEXT:      loop.for %k = 0 to 64 {
// CHECK-NEXT:        loop.block "C" (%vi = spatial(%i) in 16, %vj = spatial(%j) in 32, %vk = reduce(%k) in 64) {
// CHECK-NEXT:          loop.init {
// CHECK-NEXT:            %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:            loop.store %[[ZERO]], %C[%vi, %vj] : memref<16x32xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:          %a = loop.load %A[%vi, %vk] : memref<16x64xf32>
// CHECK-NEXT:          %b = loop.load %B[%vk, %vj] : memref<64x32xf32>
// CHECK-NEXT:          %p = arith.mulf %a, %b : f32
// CHECK-NEXT:          %[[ACC:.*]] = loop.load %C[%vi, %vj] : memref<16x32xf32>
// CHECK-NEXT:          %[[SUM:.*]] = arith.addf %[[ACC]], %p : f32
// CHECK-NEXT:          loop.store %[[SUM]], %C[%vi, %vj] : memref<16x32xf32>
func.func @matmul(%A: tensor<16x64xf32> {tw.name = "A"}, %B: tensor<64x32xf32>) -> (tensor<16x32xf32> {tw.name = "C"}) {
  %C = te.compute "C" [%i to 16, %j to 32] reduce [%k to 64] -> tensor<16x32xf32> {
    %a = te.read %A[%i, %k] : tensor<16x64xf32>
    %b = te.read %B[%k, %j] : tensor<64x32xf32>
    %p = arith.mulf %a, %b : f32
    te.reduce <add> %p : f32
  }
  func.return %C : tensor<16x32xf32>
}

// -----

// CASE fires: identities and combining operations of the other combiners.
// CHECK-LABEL: func.func @combiners(
// CHECK:         arith.constant 0xff800000 : f32
// CHECK:         arith.maximumf
// CHECK:         arith.constant 2147483647 : i32
// CHECK:         arith.minsi
// CHECK:         arith.constant 1 : i32
// CHECK:         arith.muli
func.func @combiners(%A: tensor<8xf32>, %I: tensor<8xi32>) -> (tensor<f32>, tensor<i32>, tensor<i32>) {
  %max = te.compute "max" [] reduce [%k to 8] -> tensor<f32> {
    %a = te.read %A[%k] : tensor<8xf32>
    te.reduce <max> %a : f32
  }
  %min = te.compute "min" [] reduce [%k to 8] -> tensor<i32> {
    %a = te.read %I[%k] : tensor<8xi32>
    te.reduce <min> %a : i32
  }
  %mul = te.compute "mul" [] reduce [%k to 8] -> tensor<i32> {
    %a = te.read %I[%k] : tensor<8xi32>
    te.reduce <mul> %a : i32
  }
  func.return %max, %min, %mul : tensor<f32>, tensor<i32>, tensor<i32>
}

// -----

// CASE fires: what both the start of a reduction and its terms are made of stands in both.
// CHECK-LABEL: func.func @start(
// CHECK:          loop.init {
// CHECK:            %n = arith.negf %s : f32
// CHECK-NEXT:       %twice = arith.addf %n, %n : f32
// CHECK-NEXT:       loop.store %twice, %C[%vi] : memref<4xf32>
// CHECK-NEXT:     }
// CHECK-NOT:      arith.addf
// CHECK:          %[[N:.*]] = arith.negf
// CHECK-NEXT:     %a = loop.load %A[%vi, %vk] : memref<4x8xf32>
// CHECK-NEXT:     %v = arith.mulf %a, %[[N]] : f32
func.func @start(%A: tensor<4x8xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %C = te.compute "c" [%i to 4] reduce [%k to 8] -> tensor<4xf32> {
    %s = te.read %b[%i] : tensor<4xf32>
    %n = arith.negf %s : f32
    %twice = arith.addf %n, %n : f32
    %a = te.read %A[%i, %k] : tensor<4x8xf32>
    %v = arith.mulf %a, %n : f32
    te.reduce <add> %v init %twice : f32
  }
  func.return %C : tensor<4xf32>
}

// -----

// CASE fires: sizes: equal names are one value, bound to every buffer that has them; intermediates are allocated at the
// top.
// CHECK-LABEL: func.func @symbolic(
// CHECK-SAME:    %A: memref<?x?xf32>, %B: memref<?xf32>, %s: memref<?xf32> {tw.output}) {
// CHECK-NEXT:  %n = loop.dim %A, 0 : memref<?x?xf32>
// CHECK-NEXT:  %m = loop.dim %A, 1 : memref<?x?xf32>
// CHECK-NEXT:  loop.bind %A shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
// CHECK-NEXT:  loop.bind %B shape [%n] strides [1] : memref<?xf32>
// CHECK-NEXT:  %t = loop.alloc (%n + 2) : memref<?xf32>
// CHECK-NEXT:  loop.bind %s shape [%n + 2] strides [1] : memref<?xf32>
// CHECK-NEXT:  loop.for %i = 0 to %n + 2 {
// CHECK-NEXT:    loop.for %k = 0 to %m {
// CHECK-NEXT:      loop.block "t" (%vi = spatial(%i) in %n + 2, %vk = reduce(%k) in %m) {
// CHECK:             %a = loop.load %A[%vi - 1, %vk] where (%vi >= 1, %vi < %n + 1) else %zero : memref<?x?xf32>
// CHECK:       loop.block "s"
// CHECK:             %x = loop.load %t[%{{.*}}] : memref<?xf32>
// CHECK-NEXT:        %c = loop.test (%{{.*}} < %n) : i1
// CHECK-NEXT:        %d = loop.apply (%{{.*}} + %m) : index
func.func @symbolic(%A: tensor<?x?xf32, #graph.dims<n, m>>, %B: tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32> {
  %n = te.dim %A, 0 : tensor<?x?xf32, #graph.dims<n, m>>
  %m = te.dim %A, 1 : tensor<?x?xf32, #graph.dims<n, m>>
  %nb = te.dim %B, 0 : tensor<?xf32, #graph.dims<n>>
  %t = te.compute "t" [%i to %n + 2] reduce [%k to %m] -> tensor<?xf32> {
    %zero = arith.constant 0.0 : f32
    %a = te.read %A[%i - 1, %k] where (%i >= 1, %i < %nb + 1) else %zero : tensor<?x?xf32, #graph.dims<n, m>>
    te.reduce <add> %a : f32
  }
  %nt = te.dim %t, 0 : tensor<?xf32>
  %s = te.compute "s" [%i to %nt] -> tensor<?xf32> {
    %x = te.read %t[%i] : tensor<?xf32>
    %c = te.test (%i < %nb) : i1
    %d = te.apply (%i + %m) : index
    te.yield %x : f32
  }
  func.return %s : tensor<?xf32>
}

// -----

// CASE fires: between kernels: calls take destinations, a size that a kernel computes is known to its caller, constants
// and aliases are buffers, and a result behind a reshape is written into a view of the output.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %X: memref<?xf32>, %Y: memref<2x4xf32>, %[[P:.*]]: memref<?xf32> {tw.output}, %[[Q:.*]]: memref<8xf32> {tw.output})
// CHECK-NEXT:  %[[N:.*]] = loop.dim %X, 0 : memref<?xf32>
// CHECK-NEXT:  loop.bind %X shape [%[[N]]] strides [1] : memref<?xf32>
// CHECK-NEXT:  %[[VIEW:.*]] = loop.view %[[Q]][0] : memref<8xf32> to memref<2x4xf32>
// CHECK-NEXT:  %[[P1:.*]] = loop.alloc (%[[N]] + 2) : memref<?xf32>
// CHECK-NEXT:  %w = loop.constant dense<{{.*}}> : memref<8xf32>
// CHECK-NEXT:  %w2 = loop.view %w[0] : memref<8xf32> to memref<2x4xf32>
// CHECK-NEXT:  loop.bind %[[P]] shape [%[[N]] + 4] strides [1] : memref<?xf32>
// CHECK-NEXT:  func.call @grow(%X, %[[P1]]) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:  func.call @grow(%[[P1]], %[[P]]) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:  func.call @add(%Y, %w2, %[[VIEW]]) : (memref<2x4xf32>, memref<2x4xf32>, memref<2x4xf32>) -> ()
// CHECK-NEXT:  func.return
func.func private @grow(%X: tensor<?xf32>) -> tensor<?xf32> {
  %n = te.dim %X, 0 : tensor<?xf32>
  %r = te.compute "grow" [%i to %n + 2] -> tensor<?xf32> {
    %zero = arith.constant 0.0 : f32
    %x = te.read %X[%i - 1] where (%i >= 1, %i < %n + 1) else %zero : tensor<?xf32>
    te.yield %x : f32
  }
  func.return %r : tensor<?xf32>
}
func.func private @add(%X: tensor<2x4xf32>, %Y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = te.compute "add" [%i to 2, %j to 4] -> tensor<2x4xf32> {
    %x = te.read %X[%i, %j] : tensor<2x4xf32>
    %y = te.read %Y[%i, %j] : tensor<2x4xf32>
    %s = arith.addf %x, %y : f32
    te.yield %s : f32
  }
  func.return %r : tensor<2x4xf32>
}
func.func @main(%X: tensor<?xf32>, %Y: tensor<2x4xf32>) -> (tensor<?xf32>, tensor<8xf32>) {
  %0 = func.call @grow(%X) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = func.call @grow(%0) : (tensor<?xf32>) -> tensor<?xf32>
  %w = te.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %w2 = te.reshape %w : tensor<8xf32> to tensor<2x4xf32>
  %2 = func.call @add(%Y, %w2) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %3 = te.reshape %2 : tensor<2x4xf32> to tensor<8xf32>
  func.return %1, %3 : tensor<?xf32>, tensor<8xf32>
}

// -----

// CASE fires: what no compute defines is copied: an argument, a constant, a value returned twice.
// CHECK-LABEL: func.func @copies(
// CHECK:         loop.block "r"
// CHECK:           loop.store %{{.*}}, %r[%{{.*}}] : memref<4xf32>
// CHECK:         loop.block "copy_1"
// CHECK-NEXT:      %[[V:.*]] = loop.load %r[%[[I:.*]]] : memref<4xf32>
// CHECK-NEXT:      loop.store %[[V]], %out[%[[I]]] : memref<4xf32>
// CHECK:         loop.block "copy_2"
// CHECK-NEXT:      loop.load %X
func.func @copies(%X: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %r = te.compute "r" [%i to 4] -> tensor<4xf32> {
    %x = te.read %X[%i] : tensor<4xf32>
    %n = arith.negf %x : f32
    te.yield %n : f32
  }
  func.return %r, %r, %X : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CASE fires: a result behind two reshapes is written through two views of the argument.
// CHECK-LABEL: func.func @reshaped_twice(
// CHECK-NEXT:    %[[INNER:.*]] = loop.view %w[0] : memref<1x4xf32> to memref<4xf32>
// CHECK-NEXT:    %[[R:.*]] = loop.view %[[INNER]][0] : memref<4xf32> to memref<2x2xf32>
// CHECK:           loop.store %{{.*}}, %[[R]][
func.func @reshaped_twice(%X: tensor<2x2xf32>) -> tensor<1x4xf32> {
  %r = te.compute "r" [%i to 2, %j to 2] -> tensor<2x2xf32> {
    %x = te.read %X[%i, %j] : tensor<2x2xf32>
    te.yield %x : f32
  }
  %v = te.reshape %r : tensor<2x2xf32> to tensor<4xf32>
  %w = te.reshape %v : tensor<4xf32> to tensor<1x4xf32>
  func.return %w : tensor<1x4xf32>
}

// -----

// CASE leaves alone: functions without tensors stay as they are.
// CHECK-LABEL: func.func private @scalars(%a: i32) -> i32 {
// CHECK-NEXT:    func.return %a : i32
func.func private @scalars(%a: i32) -> i32 {
  func.return %a : i32
}
func.func @main(%X: tensor<4xf32>) -> tensor<4xf32> {
  func.return %X : tensor<4xf32>
}

// -----

// CASE fires: a count that is data is read once what computes it has run, kept within bounds, and is a size of a view
// and of the buffers behind it.
// CHECK-LABEL: func.func @counted(
// CHECK:        func.call @count(%x, %[[COUNT:.*]]) : (memref<8xf32>, memref<1xi64>) -> ()
// CHECK-NEXT:   %[[LOADED:.*]] = loop.load %[[COUNT]][0] : memref<1xi64>
// CHECK-NEXT:   %[[INDEX:.*]] = arith.index_cast %[[LOADED]] : i64 to index
// CHECK-NEXT:   %[[ZERO:.*]] = loop.apply (0) : index
// CHECK-NEXT:   %[[MOST:.*]] = loop.apply (8) : index
// CHECK-NEXT:   %[[LEAST:.*]] = arith.minsi %[[INDEX]], %[[MOST]] : index
// CHECK-NEXT:   %found = arith.maxsi %[[LEAST]], %[[ZERO]] : index
// CHECK-NEXT:   %p = loop.view %x[0] : memref<8xf32> to memref<?xf32>
// CHECK-NEXT:   loop.bind %p shape [%found] strides [1] : memref<?xf32>
// CHECK-NEXT:   func.call @total(%p, %s) : (memref<?xf32>, memref<f32>) -> ()
// CHECK-NEXT:   func.return
func.func @counted(%x: tensor<8xf32>) -> tensor<f32> {
  %c = func.call @count(%x) : (tensor<8xf32>) -> tensor<1xi64>
  %p = te.prefix %x, %c : tensor<8xf32>, tensor<1xi64> to tensor<?xf32, #graph.dims<found>>
  %s = func.call @total(%p) : (tensor<?xf32, #graph.dims<found>>) -> tensor<f32>
  func.return %s : tensor<f32>
}
func.func private @count(%x: tensor<8xf32>) -> tensor<1xi64> {
  %c = te.compute "c" [%i to 1] -> tensor<1xi64> {
    %n = arith.constant 5 : i64
    te.yield %n : i64
  }
  func.return %c : tensor<1xi64>
}
func.func private @total(%p: tensor<?xf32, #graph.dims<found>>) -> tensor<f32> {
  %n = te.dim %p, 0 : tensor<?xf32, #graph.dims<found>>
  %s = te.compute "s" [] reduce [%k to %n] -> tensor<f32> {
    %v = te.read %p[%k] : tensor<?xf32, #graph.dims<found>>
    te.reduce <add> %v : f32
  }
  func.return %s : tensor<f32>
}

// -----

// CASE fires: sizes that must be equal are checked at the entry; behind it the tensor has the stated ones.
// CHECK-LABEL: func.func @matched(
// CHECK:        %[[SMALLER:.*]] = arith.minsi %{{.*}}, %{{.*}} : index
// CHECK:        loop.assert (%[[SMALLER]] < %m + 1, %m < %[[SMALLER]] + 1), "expected sizes m and min(8, n) to be equal, but got {} and {}" (%m, %[[SMALLER]])
// CHECK-NEXT:   %p = loop.view %y[0] : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:   loop.bind %p shape [%[[SMALLER]]] strides [1] : memref<?xf32>
func.func @matched(%x: tensor<?xf32, #graph.dims<n>>, %y: tensor<?xf32, #graph.dims<m>>) -> tensor<f32> {
  %p = te.match %y : tensor<?xf32, #graph.dims<m>> to tensor<?xf32, #graph.dims<"min(8, n)">>
  %s = te.compute "s" [] reduce [%k to 8] -> tensor<f32> {
    %v = te.read %p[%k] : tensor<?xf32, #graph.dims<"min(8, n)">>
    te.reduce <add> %v : f32
  }
  func.return %s : tensor<f32>
}

// -----

// CASE fires: sizes that are known to be equal are not checked.
// CHECK-LABEL: func.func @known(
// CHECK-NOT:    loop.assert
// CHECK:        func.return
func.func @known(%x: tensor<?xf32, #graph.dims<n>>) -> tensor<f32> {
  %p = te.match %x : tensor<?xf32, #graph.dims<n>> to tensor<?xf32, #graph.dims<n>>
  %s = te.compute "s" [] reduce [%k to 8] -> tensor<f32> {
    %v = te.read %p[%k] : tensor<?xf32, #graph.dims<n>>
    te.reduce <add> %v : f32
  }
  func.return %s : tensor<f32>
}
