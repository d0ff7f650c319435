"""Lowering rules of the CPU: elementary functions on f32 as polynomials.

LLVM would call libm, once for each lane. Each rule handles all floats: its results have the function's infinities, NaN,
denormals and signs of zero. Scalars use the same polynomials as vectors, so that the vectorised part of a loop and its
tail agree.
"""
