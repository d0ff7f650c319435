"""The primitives, one a file: each is declared with `register_primitive`, checks its legality and rewrites in place.

The function with the primitive's name takes handles and arguments as users give them. It calls a function on operations
that checks and rewrites, and that other primitives use too. Begin with `split`, then `compute_at`.

A primitive needs no code outside of its file. `python -m tilewright.tools.schedule_methods` lists a new one for type
checkers.
"""
