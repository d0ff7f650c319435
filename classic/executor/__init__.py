"""Executors, parameters and factories as old programs import them.

`contrib.graph_executor`, `runtime.create` and `compiler.build` are faces of `runtime.graph_executor`.
"""
