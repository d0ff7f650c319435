"""Executors, parameters and factories under the names that old programs import.

`contrib.graph_executor`, `runtime.create` and `compiler.build` are implemented by `runtime.graph_executor`.
"""
