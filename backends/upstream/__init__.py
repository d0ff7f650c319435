"""Emission of loop IR as text of upstream MLIR: func, arith, math, memref, scf, affine and vector."""
