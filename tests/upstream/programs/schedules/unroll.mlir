module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loops = transform.structured.match ops{["scf.for"]} attributes {unroll} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    transform.loop.unroll %loops {factor = 3} : !transform.op<"scf.for">
    transform.yield
  }
}
