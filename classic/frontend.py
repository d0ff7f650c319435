"""`tvm.frontend` of TVM in 2018, before models were functions of relay: the importers of models."""

from .relay.frontend import from_keras, from_onnx, from_tensorflow

__all__ = ["from_keras", "from_onnx", "from_tensorflow"]
