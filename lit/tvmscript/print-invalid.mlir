// RUN: not opt-tool --emit tvmscript %s 2>&1 | filecheck %s

// Graphs have no form in TVMScript.

// CHECK: error[TW0316]: TVMScript has no form for a function with results
// CHECK: help: lower the module to loops first
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
