"""Encoders of transformers: layers as in BERT's base model, with seeded random weights, for one sequence of tokens."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from harness.row import Arrays, Bar, Row, gaussians
from systems import ort, ours, torch_cpu

WIDTH, HEADS, WIDENED, LAYERS = 768, 12, 3072, 2
TOKENS = (16, 128)
OPSET = 18

NODES = """
    n{i} = LayerNormalization <axis = -1> (x{i}, g{i}, h{i})
    qm{i} = MatMul (n{i}, wq{i})  qb{i} = Add (qm{i}, bq{i})  qr{i} = Reshape (qb{i}, parts)
    km{i} = MatMul (n{i}, wk{i})  kb{i} = Add (km{i}, bk{i})  kr{i} = Reshape (kb{i}, parts)
    vm{i} = MatMul (n{i}, wv{i})  vb{i} = Add (vm{i}, bv{i})  vr{i} = Reshape (vb{i}, parts)
    q{i} = Transpose <perm = [0, 2, 1, 3]> (qr{i})
    k{i} = Transpose <perm = [0, 2, 3, 1]> (kr{i})
    v{i} = Transpose <perm = [0, 2, 1, 3]> (vr{i})
    a{i} = MatMul (q{i}, k{i})  b{i} = Div (a{i}, root)  p{i} = Softmax <axis = -1> (b{i})
    c{i} = MatMul (p{i}, v{i})  d{i} = Transpose <perm = [0, 2, 1, 3]> (c{i})  e{i} = Reshape (d{i}, whole)
    om{i} = MatMul (e{i}, wo{i})  ob{i} = Add (om{i}, bo{i})  y{i} = Add (ob{i}, x{i})
    m{i} = LayerNormalization <axis = -1> (y{i}, r{i}, s{i})
    fm{i} = MatMul (m{i}, wf{i})  f{i} = Add (fm{i}, bf{i})
    t{i} = Div (f{i}, root_of_two)  u{i} = Erf (t{i})  l{i} = Add (u{i}, one)  z{i} = Mul (f{i}, l{i})
    gelu{i} = Mul (z{i}, half)
    zm{i} = MatMul (gelu{i}, wz{i})  zb{i} = Add (zm{i}, bz{i})  x{next} = Add (zb{i}, y{i})
"""
"""One layer, from x{i} to x{next}: normalisation comes first, and gelu is exact."""


def rows() -> list[Row]:
    return [encoder(tokens) for tokens in TOKENS]


def encoder(tokens: int) -> Row:
    load = partial(_model, tokens)
    shape = (1, tokens, WIDTH)
    return Row(
        f"encoder-{tokens}",
        "encoders",
        {"tilewright": ours.model(load), "torch": torch_cpu.model(load), "onnxruntime": ort.model(load)},
        inputs=partial(gaussians, shape, seed=1),
        expected=partial(_exact, tokens),
        output=(shape, "float32"),
        bars=(Bar(1.0, ("onnxruntime",)),),
    )


def _model(tokens: int) -> Any:
    from onnx import checker, numpy_helper, parser

    nodes = "".join(NODES.format(i=i, next=i + 1) for i in range(LAYERS))
    value = f"float[1, {tokens}, {WIDTH}]"
    text = f'<ir_version: 8, opset_import: ["" : {OPSET}]>\nencoder ({value} x0) => ({value} x{LAYERS}) {{ {nodes} }}'
    model = parser.parse_model(text)
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in _weights(tokens).items())
    checker.check_model(model)
    return model


def _weights(tokens: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(2)
    found: dict[str, np.ndarray] = {
        "parts": np.array([1, tokens, HEADS, WIDTH // HEADS]),
        "whole": np.array([1, tokens, WIDTH]),
        "root": np.float32(np.sqrt(WIDTH // HEADS)).reshape(()),
        "root_of_two": np.float32(np.sqrt(2)).reshape(()),
        "one": np.float32(1).reshape(()),
        "half": np.float32(0.5).reshape(()),
    }
    sizes = {**dict.fromkeys("qkvo", (WIDTH, WIDTH)), "f": (WIDTH, WIDENED), "z": (WIDENED, WIDTH)}
    for layer in range(LAYERS):
        for name, (inputs, outputs) in sizes.items():
            weight = rng.standard_normal((inputs, outputs)) / np.sqrt(inputs)
            found |= {f"w{name}{layer}": weight, f"b{name}{layer}": rng.standard_normal(outputs) / 4}
        for scale, shift in ("gh", "rs"):
            found |= {f"{scale}{layer}": 1 + rng.standard_normal(WIDTH) / 8}
            found |= {f"{shift}{layer}": rng.standard_normal(WIDTH) / 8}
    return {name: array.astype(np.float32) if array.dtype == np.float64 else array for name, array in found.items()}


def _exact(tokens: int, inputs: Arrays) -> np.ndarray:
    from systems.onnx_reference import in_float64

    return in_float64(_model(tokens), inputs[0])
