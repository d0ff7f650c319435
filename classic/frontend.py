"""`tvm.frontend` of 2018, before models were functions of relay: the readers of models."""

from .relay.frontend import from_keras, from_onnx, from_tensorflow

__all__ = ["from_keras", "from_onnx", "from_tensorflow"]
