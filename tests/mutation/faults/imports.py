"""ONNX models that were imported as something else, and arithmetic of which backends had different results."""

from __future__ import annotations

from .fault import Fault

_REDUCTIONS = ("tests/frontends/test_derived_reductions.py",)

FAULTS = (
    Fault(
        "the powers of ReduceLogSumExp overflow",
        "frontends/onnx/converters/reduction.py",
        "    powers = node.emit(graph.ExpOp, node.emit(graph.SubOp, x, shift))\n",
        "    shift = np.zeros_like(x) if isinstance(x, np.ndarray) else scalar(np.array(0), x)\n"
        "    powers = node.emit(graph.ExpOp, x)\n",
        _REDUCTIONS,
    ),
    Fault(
        "ReduceLogSumExp of an infinite greatest element is NaN",
        "frontends/onnx/converters/reduction.py",
        "    shift = node.emit(graph.WhereOp, is_finite, greatest, scalar(np.array(0), x))\n",
        "    shift = greatest\n",
        _REDUCTIONS,
    ),
)
