"""Element types of ONNX's operators that were refused, or computed as others."""

from __future__ import annotations

from .fault import Fault

_PROGRAMS = ("tests/onnx_suite/test_element_types.py",)

FAULTS = (
    Fault(
        "a vector has no channel that is normalised",
        "frontends/onnx/converters/neural.py",
        "    if rank(x) == 1:\n        x = node.emit(graph.UnsqueezeOp, x, axes=(1,))\n",
        "",
        _PROGRAMS,
    ),
    Fault(
        "a sum of truths is refused",
        "frontends/onnx/converters/movement.py",
        '    if dtype(x) != "bool" or reduction == "none":\n',
        "    if True:\n",
        _PROGRAMS,
    ),
    Fault(
        "a valid node is called wrong because of its element type",
        "frontends/onnx/importer.py",
        '"TW0317" if node.has_allowed_types() else "TW0303"',
        '"TW0303"',
        _PROGRAMS,
    ),
    Fault(
        "strings that a model gives and takes none of end in an error of Python",
        "frontends/onnx/text.py",
        "        if needs <= known and not (is_on_text and not {*results}.isdisjoint(node.output)):",
        "        if needs <= known:",
        _PROGRAMS,
    ),
    Fault(
        "the scale of nothing but zeros is 0",
        "frontends/onnx/converters/quantized.py",
        "    scale = node.emit(graph.WhereOp, is_nothing, scalar(np.array(1), x), quotient)\n",
        "    scale = quotient\n",
        _PROGRAMS,
    ),
    Fault(
        "the celu of a scalar is a vector",
        "frontends/onnx/registry.py",
        '    "elementwise:celu": "Celu",\n',
        "",
        _PROGRAMS,
    ),
    Fault(
        "the mean of integers adds up in floats",
        "operators/reduction.py",
        '    return dtype if "float" in dtype else "uint64" if dtype.startswith("u") else "int64"\n',
        '    return dtype if "float" in dtype else "float32"\n',
        _PROGRAMS,
    ),
    Fault(
        "NaNs of bfloat16 end up anywhere among sorted references",
        "operators/sorting.py",
        """return x.astype(np.float32) if "float" in x.dtype.name and x.dtype.itemsize <= 2 else x""",
        """return x""",
        ("tests/operators/test_special_values.py::test_nan_of_few_bits_is_the_greatest_in_references_too",),
    ),
)
