module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loops = transform.structured.match ops{["scf.for"]} attributes {pipeline} in %root : (!transform.any_op) -> !transform.op<"scf.for">
    %pipelined = transform.loop.pipeline %loops {iteration_interval = 1, read_latency = 2} : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield
  }
}
