"""Phase 3: clean-up, lowering of intrinsics, and legalization for the backend.

`simplify`, `hoist` and `cse` clean up, `lower-intrinsics` applies the rules of the target. The last passes are
legalization: they state in the IR the decisions of code generation, such as memory spaces, aliases and addresses, so
that the backend translates operation by operation (`LEGALIZATION` in `passes/pipeline.py`). Begin with `simplify` and
`lower_intrinsics`.
"""
