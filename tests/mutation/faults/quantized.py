"""Wrong arithmetic on quantised numbers. Those that random quantised models find in passes, validation finds too
(tests/proof/test_planted_quantisation.py)."""

from __future__ import annotations

from .fault import Fault

_MODELS = ("tests/fuzz/test_quantized_models.py",)
_PRODUCTS = "passes/phase0/integer_products/products.py"
_NUMBERS = "passes/phase0/integer_products/numbers.py"

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
        "passes/phase0/integer_products/moves.py",
        "return list(op.permutation.get_values()).index(axis)",
        "return axis",
        _MODELS,
    ),
    Fault(
        "a sum is rounded down",
        _NUMBERS,
        "writer.insert(graph.RoundOp.of(steps))",
        "writer.insert(graph.FloorOp.of(steps))",
        _MODELS,
    ),
    Fault(
        "a tie is rounded up, not to the even integer",
        _NUMBERS,
        "writer.insert(graph.RoundOp.of(steps))",
        "writer.insert(graph.FloorOp.of(writer.plus(steps, np.array(0.5, np.float32))))",
        _MODELS,
    ),
    Fault(
        "what is beyond the type wraps",
        _NUMBERS,
        "steps = writer.insert(graph.ClipOp.of(steps, low=float(low), high=float(high)))",
        "steps = writer.insert(graph.ClipOp.of(steps, low=-1e9, high=1e9))",
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
    Fault(
        "output channels of a group read the windows of another one",
        "operators/quantization.py",
        "np.repeat(np.arange(groups), outputs // groups)",
        "np.tile(np.arange(groups), outputs // groups)",
        ("tests/frontends/test_weights_zero_points.py",),
    ),
    Fault(
        "a constant that is subtracted behind an operator is added",
        _NUMBERS,
        "found.shift = addend if isinstance(op, graph.AddOp) else -addend",
        "found.shift = addend",
        ("tests/frontends/test_quantized_chains.py",),
    ),
    Fault(
        "what lies between elements apart is 0, whatever the zero point",
        "passes/phase0/integer_products/moves.py",
        """return _filled(source, values, "dilation_value")""",
        "return values",
        ("tests/frontends/test_quantized_chains.py",),
    ),
    Fault(
        "numbers that are moved before a product hide that it is on floats",
        "passes/phase0/integer_products/__init__.py",
        "    while isinstance(op := value.owner, (graph.CastOp, graph.DilateOp, graph.PadOp, *MOVES)):",
        "    while isinstance(op := value.owner, ()):",
        ("tests/frontends/test_quantized_chains.py",),
    ),
    Fault(
        "the range of a recurrent step has states of rows that have ended",
        "frontends/onnx/converters/quantized_recurrent.py",
        'states = [self.add("Where", is_within, each, zero) for each in (hidden, cell)]',
        "states = [hidden, cell]",
        ("tests/frontends/test_onnxruntime_operators.py",),
    ),
    Fault(
        "saturating sums are used where nobody permits them",
        "backends/cpu/rules/dot4.py",
        "if _is_asserted(symbol) or (may_saturate and signs == _UNSIGNED_SIGNED):",
        "if _is_asserted(symbol) or signs == _UNSIGNED_SIGNED:",
        ("tests/tensor_intrinsics/test_dot4.py",),
    ),
    Fault(
        "words of a window have what lies behind its last row",
        "operators/depthwise_words.py",
        "        if quarters > 1 and rows % BYTES:\n",
        "        if False:\n",
        ("tests/operators/test_te_bodies.py",),
    ),
    Fault(
        "the margin of an image that is moved by 128 stays",
        "operators/packed_weights.py",
        "margin + step, bias)",
        "margin, bias)",
        ("tests/operators/test_words_of_bytes.py",),
    ),
    Fault(
        "bytes above 127 are looked up in the lower half of a table",
        "passes/phase3/vectorize_lookups.py",
        'arith.CmpiOp(numbers, zeros, "slt")',
        'arith.CmpiOp(numbers, zeros, "sgt")',
        ("tests/tensor_intrinsics/test_dot4.py",),
    ),
    Fault(
        "a product by a scale is distributed over the difference from a zero point",
        "passes/phase0/integer_products/elementwise.py",
        """    integers = writer.plus(writer.cast(number.integers, "int32"), np.array(-number.zero_point, "int32"))
    return writer.cast(integers, dtype)""",
        """    return writer.plus(writer.cast(number.integers, dtype), np.array(-number.zero_point, dtype))""",
        ("tests/fuzz/test_quantized_models.py::test_numbers_are_exact_beside_a_large_zero_point",),
    ),
)
