func.func @main(%A: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %A) -> (tensor<8xf32>) {
    %v = tensor.extract %x[%i] : tensor<8xf32>
    %c = arith.cmpf olt, %v, %zero : f32
    %y = scf.if %c -> (tensor<8xf32>) {
      %n = arith.negf %v : f32
      %w = tensor.insert %n into %x[%i] : tensor<8xf32>
      scf.yield %w : tensor<8xf32>
    } else {
      scf.yield %x : tensor<8xf32>
    }
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
