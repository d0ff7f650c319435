module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loops = transform.structured.match ops{["scf.for"]} attributes {jam} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    transform.loop.unroll_and_jam %loops {factor = 2} : !transform.op<"scf.for">
    transform.yield
  }
}
