"""ONNX models that were imported as something else, and arithmetic of which backends had different results."""

from __future__ import annotations

from .fault import Fault

_DEFAULTS = ("tests/frontends/test_default_inputs.py",)
_DIVISION = ("tests/te/test_integer_division.py",)
_MATCHED = ("tests/frontends/test_matched_sizes.py",)
_PADDING = ("tests/frontends/test_padding.py",)
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
    Fault(
        "the remainder of a signed integer by zero is the integer",
        "te/scalar_operations.py",
        "    if integer_in_lanes(rhs) not in (None, 0):",
        "    if True:",
        _DIVISION,
    ),
    Fault(
        "a default by position is written as an output",
        "frontends/onnx/importer.py",
        "            self._defaults.append(",
        "            (lambda each: None)(",
        _DEFAULTS,
    ),
    Fault(
        "a saved program ignores the values of defaults that a call brings",
        "runtime/defaults.py",
        "                if array is None or not default.is_default(array):\n",
        "                if array is None:\n",
        _DEFAULTS,
    ),
    Fault(
        "outputs of a replaced default are taken for the defaults that stay",
        "runtime/defaults.py",
        "        if given.outputs and out is None:\n",
        "        if False:\n",
        _DEFAULTS,
    ),
    Fault(
        "margins that wrap repeat elements which negative amounts have taken away",
        "frontends/onnx/converters/cutting.py",
        '        leaves = mode == "constant" and',
        '        leaves = mode in ("constant", "wrap") and',
        _PADDING,
    ),
    Fault(
        "a version for a value takes calls of which a size stretches",
        "driver/versions.py",
        "    return _assuming(make(module).entry, assumed, sizes)\n",
        "    return Version.of(make(module).entry, sizes)\n",
        _MATCHED,
    ),
)
