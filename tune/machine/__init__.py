"""The machine at hand, measured: kernels that each wait for one thing, their times, and the facts that follow.

`kernels` writes loops as LLVM text; `sampling` compiles and times them; `estimates` turns seconds into facts of a
target. `tilewright target --measure` writes the result to a file.
"""
