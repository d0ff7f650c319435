"""Wrong arithmetic on quantised numbers, which random quantised models find, and in passes validation too
(tests/proof/test_planted_quantisation.py)."""

from __future__ import annotations

from .fault import Fault

_MODELS = ("tests/fuzz/test_quantized_models.py",)
_PRODUCTS = "passes/quantized/products.py"
_NUMBERS = "passes/quantized/numbers.py"

FAULTS = (
    Fault(
        "the zero point of an image counts for its weights twice",
        _PRODUCTS,
        "constant = x.zero_point * (terms * zero - sums)",
        "constant = 2 * x.zero_point * (terms * zero - sums)",
        _MODELS,
    ),
    Fault(
        "images are padded with 0, whatever their zero point",
        _PRODUCTS,
        """    values: dict[str, Any] = {**op.values, "pad_value": plan.x.zero_point, "out_dtype": "int32"}
    return""",
        """    values: dict[str, Any] = {**op.values, "out_dtype": "int32"}
    return""",
        _MODELS,
    ),
    Fault(
        "scales of weights along any axis are taken for those of output channels",
        _PRODUCTS,
        "spatial = (-1, *(1,) * (len(graph.shape_of(op.x)) - 2))",
        "spatial = (-1,)",
        _MODELS,
    ),
    Fault(
        "the axis of a scale stays where a transposition moves it",
        "passes/quantized/moves.py",
        "return list(op.permutation.get_values()).index(axis)",
        "return axis",
        _MODELS,
    ),
    Fault(
        "a sum is rounded down",
        _NUMBERS,
        "steps = writer.insert(graph.RoundOp.of(steps))",
        "steps = writer.insert(graph.FloorOp.of(steps))",
        _MODELS,
    ),
    Fault(
        "a tie is rounded up, not to the even integer",
        _NUMBERS,
        "steps = writer.insert(graph.RoundOp.of(steps))",
        "steps = writer.insert(graph.FloorOp.of(writer.plus(steps, np.array(0.5, np.float32))))",
        _MODELS,
    ),
    Fault(
        "what is beyond the type wraps",
        _NUMBERS,
        """        steps = writer.insert(graph.ClipOp.of(steps, low=float(low), high=float(high)))
        return writer.cast(steps, to)""",
        """        return writer.cast(writer.cast(steps, "int32"), to)""",
        _MODELS,
    ),
    Fault(
        "an operator that quantises adds its zero point before it rounds half to even",
        "operators/quantization.py",
        """            whole = whole + _at(zero, axis, index).astype("float32")
        return te.minimum""",
        """            whole = te.round(quotient.astype("float32") + _at(zero, axis, index).astype("float32"))
        return te.minimum""",
        ("tests/operators/test_te_bodies.py",),
    ),
    Fault(
        "sums of rows are multiplied by the zero point of the rows",
        _PRODUCTS,
        "total = writer.insert(graph.SubOp.of(total, writer.times(rows, right.zero.astype(np.int32))))",
        "total = writer.insert(graph.SubOp.of(total, writer.times(rows, left.zero_of_rows.astype(np.int32))))",
        _MODELS,
    ),
)
