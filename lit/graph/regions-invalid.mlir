// RUN: opt-tool --split-input-file --verify-diagnostics %s

func.func @condition(%x: tensor<8xf32>, %c: tensor<1xi1>) {
  // expected-error @+1 {{expected a condition of type tensor<i1>, but got tensor<1xi1>}}
  %y = graph.if %c -> (tensor<8xf32>) {
    graph.yield %x
  } else {
    graph.yield %x
  }
  func.return
}

// -----

func.func @other_type(%x: tensor<8xf32>, %z: tensor<4xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{expected to yield (tensor<8xf32>), but got (tensor<4xf32>)}}
  %y = graph.if %c -> (tensor<8xf32>) {
    graph.yield %x
  } else {
    graph.yield %z
  }
  func.return
}

// -----

func.func @no_end(%x: tensor<8xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{expected graph.yield at the end, but got nothing}}
  %y = graph.if %c -> (tensor<8xf32>) {
  } else {
    graph.yield %x
  }
  func.return
}

// -----

func.func @without_end(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected a loop with a number of iterations, a condition, or values to scan}}
  %y = graph.loop %k carry (%h = %x : tensor<8xf32>) -> (tensor<8xf32>) {
    graph.yield %h
  }
  func.return
}

// -----

func.func @two_numbers(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected one number of iterations, but got several}}
  %y = graph.loop %k to 8 scan (%e = %x : tensor<8xf32>) -> (tensor<8xf32>) {
    graph.yield %e
  }
  func.return
}

// -----

func.func @negative(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected a number of iterations or the name of a size, but got -1}}
  %y = graph.loop %k to -1 carry (%h = %x : tensor<8xf32>) -> (tensor<8xf32>) {
    graph.yield %h
  }
  func.return
}

// -----

func.func @lengths(%x: tensor<8xf32>, %y: tensor<7xf32>) {
  // expected-error @+1 {{expected values to scan that have as many parts}}
  %z = graph.loop %k scan (%a = %x : tensor<8xf32>, %b = %y : tensor<7xf32>) -> (tensor<8xf32>) {
    graph.yield %a
  }
  func.return
}

// -----

func.func @scalar(%x: tensor<f32>) {
  // expected-error @+1 {{expected a tensor with an axis to go along, but got tensor<f32>}}
  %z = graph.loop %k scan (%a = %x : tensor<f32>) -> (tensor<f32>) {
    graph.yield %a
  }
  func.return
}

// -----

func.func @other_carried(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected results (tensor<8xf32>) first, like the carried values}}
  %y = graph.loop %k to 3 carry (%h = %x : tensor<8xf32>) -> (tensor<3x8xf32>) {
    graph.yield %h
  }
  func.return
}

// -----

func.func @next_type(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected to yield (tensor<8xf32>), but got (tensor<i64>)}}
  %y = graph.loop %k to 3 carry (%h = %x : tensor<8xf32>) -> (tensor<8xf32>) {
    graph.yield %k
  }
  func.return
}

// -----

func.func @collected(%c: tensor<i1>) {
  // expected-error @+1 {{expected a loop that collects values to run a number of times that types can state}}
  %y = graph.loop %k while %c -> (tensor<3xi64>) {
    graph.yield %c, %k
  }
  func.return
}

// -----

func.func @length() {
  // expected-error @+1 {{expected 3 collected values, but got tensor<4xi64>}}
  %y = graph.loop %k to 3 -> (tensor<4xi64>) {
    graph.yield %k
  }
  func.return
}

// -----

func.func @type_of_init(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected tensor<8xf32>, but got tensor<9xf32>}}
  %y = graph.loop %k to 3 carry (%h = %x : tensor<9xf32>) -> (tensor<8xf32>) {
    graph.yield %h
  }
  func.return
}

// -----

func.func @number(%x: tensor<8xf32>, %n: tensor<i32>) {
  // expected-error @+1 {{expected a number of iterations of type tensor<i64>, but got tensor<i32>}}
  %y = graph.loop %k to %n carry (%h = %x : tensor<8xf32>) -> (tensor<8xf32>) {
    graph.yield %h
  }
  func.return
}
