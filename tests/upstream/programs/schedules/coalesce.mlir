module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loops = transform.structured.match ops{["scf.for"]} attributes {coalesce} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %one = transform.loop.coalesce %loops : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }
}
