"""Common parts of the conversions of upstream MLIR, which are passes of phase 0 (`bufferize`, `convert-*`).

- Functions and sizes: `functions`, `calls`, `sizes`, `extents`, `layouts`.
- Index expressions and scalar bodies: `indices`, `structured`.
- Tensors: `tensor_operations`, `tensor_values`, `tensor_reductions`; as buffers `bufferization`, `bufferized_values`
  and `buffer_operations`.
- Loops, blocks and views: `control`, `counting_loops`, `nests`, `labels`, `views`.
- Vectors: `vectors` and the modules `vector_*`.

`refusal` raises the errors of all conversions.
"""
