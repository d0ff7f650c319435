"""The tensor-expression language in Python."""
