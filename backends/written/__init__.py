"""The common base of the emitters of source text: C, OpenCL C, and Python for numba.cuda.

Each language defines its precedences, operators, names of types, literals, statements and accesses to memory.
"""
