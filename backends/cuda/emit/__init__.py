"""Emission of executable loop IR as Python kernels for numba.cuda.

Every number has an explicit type in the text: literals, sums of integers, results of functions. Variables of indices
are int64, so that no sum of them is rounded or wraps. The index of an access is cast to an unsigned integer, so that
numba generates no code for negative indices. Loops stay loops: the compiler unrolls loops of constant extent and keeps
local arrays in registers.
"""
