"""Recurrent layers of sizes that fill vectors, and of others: results are those of the operators' references."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from onnx import helper, numpy_helper
from tilewright.analysis.access import blocks_in
from tilewright.analysis.domain import loops_around
from tilewright.dialects import graph, loop
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.lowering import lower_module
from tilewright.driver.targets import Target
from tilewright.frontends.onnx import import_model
from tilewright.operators import get_operator
from tilewright.operators.recurrent import in_blocks
from xdsl.dialects.func import FuncOp

_GATES = {graph.RnnOp: 1, graph.GruOp: 3, graph.LstmOp: 4}


def _text(op: type[Any], steps: str, batch: int, hidden: int) -> str:
    width, last = _GATES[op] * hidden, f"tensor<{batch}x{hidden}xf32>"
    extra = {"graph.gru": [f"tensor<{hidden}xf32>"], "graph.lstm": [f"tensor<{3 * hidden}xf32>"]}.get(op.name, [])
    states = [last] * (2 if op is graph.LstmOp else 1)
    types = [f"tensor<{steps}x{batch}x{width}xf32>", f"tensor<{width}x{hidden}xf32>", *extra, *states]
    names = [f"%a{k}" for k in range(len(types))]
    declared = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, types, strict=True))
    results = [f"tensor<{steps}x{batch}x{hidden}xf32>", *states]
    made = [f"%r{k}" for k in range(len(results))]
    return (
        f"func.func @main({declared}) -> ({', '.join(results)}) {{\n"
        f"  {', '.join(made)} = {op.name} {', '.join(names)} : {', '.join(results)}\n"
        f"  func.return {', '.join(made)} : {', '.join(results)}\n}}\n"
    )


def _inputs(op: type[Any], steps: int, batch: int, hidden: int) -> list[np.ndarray]:
    rng = np.random.default_rng(hidden)
    extra = {"graph.gru": [(hidden,)], "graph.lstm": [(3 * hidden,)]}.get(op.name, [])
    states = [(batch, hidden)] * (2 if op is graph.LstmOp else 1)
    width = _GATES[op] * hidden
    shapes = [(steps, batch, width), (width, hidden), *extra, *states]
    return [(rng.normal(size=shape) / 4).astype(np.float32) for shape in shapes]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("batch", "hidden"), [(1, 64), (1, 17), (5, 40), (8, 8), (3, 3)])
@pytest.mark.parametrize("op", _GATES)
def test_results_are_those_of_the_reference(op: type[Any], batch: int, hidden: int) -> None:
    inputs = _inputs(op, 7, batch, hidden)
    activations = {graph.RnnOp: "tanh", graph.GruOp: "sigmoid, tanh", graph.LstmOp: "sigmoid, tanh, tanh"}[op]
    expected = get_operator(op.name.removeprefix("graph.")).reference(*inputs, activations=activations)
    found = tilewright.compile(_text(op, "7", batch, hidden).encode())(*inputs)
    for result, value in zip(found, expected, strict=True):
        np.testing.assert_allclose(result, value, rtol=1e-5, atol=1e-6)


@pytest.mark.each(("op", "size"), [(op, size) for op in _GATES for size in (4, 8, 16)])
def test_weights_in_blocks_mean_the_same(op: type[Any], size: int) -> None:
    """Gates whose rows fill blocks, and others."""
    record = get_operator(op.name.removeprefix("graph."))
    activations = {graph.RnnOp: "tanh", graph.GruOp: "sigmoid, tanh", graph.LstmOp: "sigmoid, tanh, tanh"}[op]
    for hidden in (3, size, 2 * size + 1):
        gates, recurrent, *rest = _inputs(op, 3, 2, hidden)
        plain = record.reference(gates, recurrent, *rest, activations=activations)
        blocks = record.reference(gates, in_blocks(recurrent, size), *rest, activations=activations)
        for result, value in zip(blocks, plain, strict=True):
            np.testing.assert_array_equal(result, value)


def _layer(operator: str, batch: int | str, hidden: int, *, lengths: bool) -> onnx.ModelProto:
    """Return a bidirectional layer of twelve inputs and six steps, whose weights are constants."""
    gates, rng = {"LSTM": 4, "GRU": 3, "RNN": 1}[operator], np.random.default_rng(hidden)
    shapes = {"w": (2, gates * hidden, 12), "r": (2, gates * hidden, hidden), "b": (2, 2 * gates * hidden)}
    weights = [
        numpy_helper.from_array((rng.standard_normal(shape) / 4).astype(np.float32), name)
        for name, shape in shapes.items()
    ]
    inputs = [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [6, batch, 12])]
    if lengths:
        inputs.append(helper.make_tensor_value_info("lengths", onnx.TensorProto.INT32, [batch]))
    node = helper.make_node(
        operator,
        ["x", *shapes, *(["lengths"] if lengths else [])],
        ["y", "last"],
        hidden_size=hidden,
        direction="bidirectional",
    )
    results = [
        helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [6, 2, batch, hidden]),
        helper.make_tensor_value_info("last", onnx.TensorProto.FLOAT, [2, batch, hidden]),
    ]
    made = helper.make_graph([node], "layer", inputs, results, weights)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def _compare(model: onnx.ModelProto, batches: list[int], threads: int) -> None:
    """Compare one program with onnxruntime at each batch."""
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    program = tilewright.compile(model, threads=threads)
    for batch in batches:
        rng = np.random.default_rng(batch)
        given = {"x": rng.standard_normal((6, batch, 12)).astype(np.float32)}
        if len(model.graph.input) > 1:
            given["lengths"] = rng.integers(1, 7, batch).astype(np.int32)
        for result, value in zip(program(*given.values()), session.run(None, given), strict=True):
            np.testing.assert_allclose(result, value, rtol=1e-4, atol=1e-5)


LAYERS = [
    (operator, batch, hidden, lengths)
    for operator in ("LSTM", "GRU", "RNN")
    for batch, hidden in ((1, 64), (3, 20), (8, 48), (32, 100), (2, 7))
    for lengths in (False, True)
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("operator", "batch", "hidden", "lengths"), LAYERS)
def test_constant_weights_are_packed(operator: str, batch: int, hidden: int, lengths: bool, threads: int) -> None:
    _compare(_layer(operator, batch, hidden, lengths=lengths), [batch], threads)


@pytest.mark.each(("operator", "hidden"), [("LSTM", 32), ("GRU", 20), ("RNN", 48)])
def test_constant_weights_serve_any_batch(operator: str, hidden: int) -> None:
    _compare(_layer(operator, "n", hidden, lengths=False), [1, 2, 3, 4, 8, 9], 1)


@pytest.mark.each("operator", ["LSTM", "GRU", "RNN"])
def test_a_batch_of_one_has_a_schedule_for_itself(operator: str) -> None:
    """A tile of an open batch has four rows: a single one is not computed with three in vain."""
    for batch, count in (("n", 2), (1, 0), (8, 0)):
        module = import_model(_layer(operator, batch, 32, lengths=False))
        module.attributes[TARGET_ATTRIBUTE] = Target("llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=1").attribute()
        functions = {op.sym_name.data: op for op in lower_module(module, 0).ops if isinstance(op, FuncOp)}
        for ending, rows in (("_n_1_1", 0), ("_other", 4)):
            found = [_unrolled_rows(each) for name, each in functions.items() if name.endswith(ending)]
            assert found == [rows] * count, (batch, ending)


def _unrolled_rows(function: FuncOp) -> int:
    """Return the rows of the batch in a tile of the product of a step; 0 where there is no loop over them."""
    product = next(op for op in blocks_in(function) if "reduce" in op.kinds)
    (row,) = (binding for _, _, binding, extent in product.iteration() if not extent.is_constant)
    loops = [op for op in loops_around(product) if op.induction_variable in row.variables]
    return next((op.constant_trip_count or 0 for op in loops if op.kind == loop.UNROLLED), 0)
