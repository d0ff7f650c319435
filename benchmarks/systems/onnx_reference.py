"""The result of an ONNX classifier in float64, by the reference implementation that comes with onnx.

Three operators are replaced by their definition for inference in the standard. Before opset 14 the reference's batch
normalisation takes statistics of the batch; its local response normalisation stops at as many channels as the batch has
images; its maximum pooling takes minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from onnx import TensorProto, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun


def in_float64(model: Any, x: np.ndarray) -> np.ndarray:
    """Return the one output of `model`, which is changed, for its one input."""
    graph = model.graph
    for tensor in graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            wide = numpy_helper.to_array(tensor).astype(np.float64)
            tensor.CopyFrom(numpy_helper.from_array(wide, tensor.name))
    for value in (*graph.input, *graph.output, *graph.value_info):
        if value.type.tensor_type.elem_type == TensorProto.FLOAT:
            value.type.tensor_type.elem_type = TensorProto.DOUBLE
    reference = ReferenceEvaluator(model, new_ops=[BatchNormalization, LRN, MaxPool])
    return reference.run(None, {graph.input[0].name: x.astype(np.float64)})[0]


class BatchNormalization(OpRun):
    op_domain = ""

    def _run(self, x: Any, scale: Any, bias: Any, mean: Any, var: Any, epsilon: float, **unused: Any) -> Any:
        factor, shape = scale / np.sqrt(var + epsilon), (-1, *[1] * (x.ndim - 2))
        return ((x - mean.reshape(shape)) * factor.reshape(shape) + bias.reshape(shape),)


class LRN(OpRun):
    op_domain = ""

    def _run(self, x: Any, alpha: float, beta: float, bias: float, size: int) -> Any:
        around = ((0, 0), ((size - 1) // 2, size // 2), *[(0, 0)] * (x.ndim - 2))
        squares = np.pad(x**2, around)
        total = sum(squares[:, k : k + x.shape[1]] for k in range(size))
        return (x / (bias + alpha / size * total) ** beta,)


class MaxPool(OpRun):
    op_domain = ""

    def _run(self, x: Any, kernel_shape: Sequence[int], pads: Any, strides: Any, **unused: Any) -> Any:
        rank = len(kernel_shape)
        low, high = (pads or [0] * 2 * rank)[:rank], (pads or [0] * 2 * rank)[rank:]
        padded = np.pad(x, ((0, 0), (0, 0), *zip(low, high, strict=True)), constant_values=-np.inf)
        windows = sliding_window_view(padded, kernel_shape, axis=tuple(range(2, 2 + rank)))
        steps = tuple(slice(None, None, step) for step in strides or [1] * rank)
        return (windows[:, :, *steps].max(axis=tuple(range(-rank, 0))),)
