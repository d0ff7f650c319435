"""Code common to the languages that programs are written out in: C, OpenCL C, and Python for numba.cuda.

Each language defines its precedences, operators, names of types, literals, statements and accesses to memory.
"""
