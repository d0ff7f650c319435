"""The primitives, one a file: each is a function on operations that checks its own legality and rewrites in place."""
