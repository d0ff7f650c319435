"""What the languages that programs are written out in have in common: C, OpenCL C, and Python for numba.cuda.

Each language keeps its own words: precedences, operators, names of types, literals, statements and accesses to memory.
"""
