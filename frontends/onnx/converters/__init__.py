"""One small function an ONNX operator: `converter(node) -> value or values`. The table is ../registry.py."""
