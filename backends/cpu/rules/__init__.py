"""Lowering rules of the CPU: elementary functions on f32 as polynomials.

LLVM would call libm, once for each lane. Each rule covers all floats: infinities, NaN, denormals and signs of zero are
those of the function. Scalars take the same polynomials as vectors, so that the vectorised part of a loop and its rest
agree.
"""
