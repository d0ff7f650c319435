"""Upstream MLIR as input: operations that xDSL lacks or cannot read.

The syntax is that of `mlir-opt` 20 and later. The conversion passes of phase 0 convert these dialects to te and loops;
no other pass handles them. Operations that xDSL has stay classes of xDSL, so that its verifier and printer apply.
"""
