"""Measurement of this machine: microbenchmarks, each bound by one resource, their times, and the derived facts.

`kernels` writes loops as LLVM text; `sampling` compiles and times them; `estimates` turns seconds into facts of a
target. `tilewright target --measure` writes the result to a file.
"""
