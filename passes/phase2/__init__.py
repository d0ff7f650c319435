"""Phase 2: loop transformations. Partitions, vectorizes and unrolls loops over flat buffers.

`partition-loops` removes conditions from ranges of iterations, `vectorize` replaces loops by operations on vectors, and
`unroll` marks short loops. `insert-barriers` makes the threads of a kernel concurrent. Begin with `partition_loops` and
`vectorize`.
"""
