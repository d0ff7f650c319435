"""Upstream MLIR as input: operations that xDSL lacks or cannot read.

These dialects are what `mlir-opt` 20 and later print. The conversion passes of phase 0 turn them into te and loops; no
other pass works on them. What xDSL has stays xDSL's own class, so that its verifier and printer serve.
"""
