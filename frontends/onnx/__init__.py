"""ONNX models into graph IR."""
