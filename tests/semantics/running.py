"""Running one operation in every form it has: on scalars, on vectors, on the grid of a te.compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from tilewright.dialects import context
from tilewright.semantics import evaluate
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

Form = Callable[[str], str]
"""From an element type to the type as it stands in the text: itself, or a vector of it."""


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def main(arguments: str, body: str) -> ModuleOp:
    """Return a module of one function, given its arguments and its body."""
    return parse(f"builtin.module {{\nfunc.func @main({arguments}) {{\n{body}\nfunc.return\n}}\n}}")


def run_op(text: Callable[[Form], str], sources: list[str], target: str, *arrays: np.ndarray) -> np.ndarray:
    """Return the result of an operation on `%a`, `%b`, `%c` for each element; the same on scalars, vectors and
    grids."""
    n = arrays[0].size
    results = [evaluate(form(text, sources, target, n), *arrays)[0] for form in (_scalars, _vectors, _grid)]
    for other in results[1:]:
        assert_identical(other, results[0])
    return results[0]


def assert_identical(actual: Any, expected: Any) -> None:
    """Check that arrays are equal in dtype, shape and bits, except that all NaNs are alike."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    if expected.dtype.kind not in "biu":
        actual, expected = actual.astype(np.float64), expected.astype(np.float64)
        np.testing.assert_array_equal(np.signbit(actual) & (actual == 0), np.signbit(expected) & (expected == 0))
    np.testing.assert_array_equal(actual, expected)


def _arguments(sources: list[str], target: str, n: int) -> str:
    inputs = [f"%{name}s: memref<{n}x{source}>" for name, source in zip("abc", sources, strict=False)]
    return ", ".join([*inputs, f"%o: memref<{n}x{target}> {{tw.output}}"])


def _scalars(text: Callable[[Form], str], sources: list[str], target: str, n: int) -> ModuleOp:
    loads = [f"%{x} = loop.load %{x}s[%i] : memref<{n}x{s}>" for x, s in zip("abc", sources, strict=False)]
    body = [*loads, f"%r = {text(lambda t: t)}", f"loop.store %r, %o[%i] : memref<{n}x{target}>"]
    return main(_arguments(sources, target, n), f"loop.for %i = 0 to {n} {{\n" + "\n".join(body) + "\n}")


def _vectors(text: Callable[[Form], str], sources: list[str], target: str, n: int) -> ModuleOp:
    def vector(type: str) -> str:
        return f"vector<{n}x{type}>"

    loads = [
        f"%{x} = loop.load %{x}s[lane] : memref<{n}x{s}>, {vector(s)}" for x, s in zip("abc", sources, strict=False)
    ]
    store = f"loop.store %r, %o[lane] : {vector(target)}, memref<{n}x{target}>"
    return main(_arguments(sources, target, n), "\n".join([*loads, f"%r = {text(vector)}", store]))


def _grid(text: Callable[[Form], str], sources: list[str], target: str, n: int) -> ModuleOp:
    arguments = ", ".join(f"%{x}s: tensor<{n}x{s}>" for x, s in zip("abc", sources, strict=False))
    reads = [f"%{x} = te.read %{x}s[%i] : tensor<{n}x{s}>" for x, s in zip("abc", sources, strict=False)]
    body = "\n".join([*reads, f"%r = {text(lambda t: t)}", f"te.yield %r : {target}"])
    return parse(
        f"""builtin.module {{ func.func @main({arguments}) -> tensor<{n}x{target}> {{
        %o = te.compute "o" [%i to {n}] -> tensor<{n}x{target}> {{ {body} }}
        func.return %o : tensor<{n}x{target}> }} }}"""
    )
