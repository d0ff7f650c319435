"""The primitives, one a file: each is declared with `register_primitive`, checks its legality and rewrites in place.

A new file here is the whole of a primitive; `python -m tilewright.tools.schedule_methods` lets type checkers know it.
"""
