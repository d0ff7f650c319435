"""Executable loop IR as the source of kernels in Python, as numba.cuda compiles it.

Every number is typed in the text: literals, sums of integers, results of functions. Names of indices are int64, so
that no sum of them is rounded or wraps; what indexes memory is cast to an unsigned integer, which spares the device the
case of a negative index. Loops stay loops: the compiler unrolls those of constant extent and keeps local arrays in
registers.
"""
