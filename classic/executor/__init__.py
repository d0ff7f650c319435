"""Executors of graphs, parameters and factories as old programs import them: `contrib.graph_executor`, `runtime.create`,
`compiler.build`, faces of `runtime.graph_executor` and `runtime.params`."""
