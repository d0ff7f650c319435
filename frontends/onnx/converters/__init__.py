"""Converters: one function for each ONNX operator, `converter(node) -> value or values`, listed in `..registry`."""
