"""Recurrent layers of sizes that fill vectors, and of others: results are those of the operators' references."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright.dialects import graph
from tilewright.operators import get_operator

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
