"""Programs of sizes known when they are called: one compiled function for all of them, and sizes that disagree."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.dialects import context
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import evaluate
from xdsl.parser import Parser

from .running import expect


def data(*shape: int) -> np.ndarray:
    return np.random.default_rng(11).integers(-4, 5, shape).astype(np.float32)


def matmul():
    n, m, depth = te.var("n"), te.var("m"), te.var("l")
    a, b = te.placeholder((n, depth), name="A"), te.placeholder((depth, m), name="B")
    k = te.reduce_axis((0, depth), "k")
    return [a, b, te.compute((n, m), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")]


def stencil():
    n = te.size_var("n")
    a, bias = te.placeholder((n + 2,), name="A"), te.placeholder((n,), name="bias")
    return [a, bias, te.compute((n,), lambda i: a[i] + a[i + 1] * 2 + a[i + 2] + bias[i], name="B")]


def blocks_of_four():
    n = te.var("n")
    a, k = te.placeholder((n,), name="A"), te.reduce_axis((0, 4), "k")
    padded = te.compute(
        ((n + 3) // 4, 4), lambda i, j: te.if_then_else(i * 4 + j < n, a[i * 4 + j], 0.0), name="padded"
    )
    return [a, padded, te.compute(((n + 3) // 4,), lambda i: te.sum(padded[i, k], axis=k), name="sums")]


def flattened():
    n, m = te.var("n"), te.var("m")
    a = te.placeholder((n, m), name="A")
    return [a, te.compute((n * m,), lambda i: a[i // m, i % m] * 2, name="flat")]


def unflattened():
    n, m = te.var("n"), te.var("m")
    a, like = te.placeholder((n * m,), name="A"), te.placeholder((n, m), name="like")
    return [a, like, te.compute((n, m), lambda i, j: a[i * m + j] + like[i, j], name="B")]


def triangle():
    n = te.var("n")
    a, k = te.placeholder((n, n), name="A"), te.reduce_axis((0, n), "k")
    return [a, te.compute((n,), lambda i: te.sum(a[i, k] * (k + n).astype("float32"), axis=k, where=k <= i), name="T")]


@cache
def compiled(program):
    return tilewright.compile(te.to_module(program()))


def padded(x: np.ndarray) -> np.ndarray:
    return np.pad(x, (0, -len(x) % 4)).reshape(-1, 4)


CASES = [
    *((matmul, ((n, k), (k, m)), lambda a, b: [a @ b]) for n, m, k in ((1, 1, 1), (5, 7, 3), (17, 33, 20))),
    *((stencil, ((n + 2,), (n,)), lambda a, b: [a[:-2] + 2 * a[1:-1] + a[2:] + b]) for n in (1, 2, 9, 65)),
    *((blocks_of_four, ((n,),), lambda a: [padded(a), padded(a).sum(1)]) for n in (1, 3, 4, 5, 17)),
    *((flattened, (s,), lambda a: [a.reshape(-1) * 2]) for s in ((1, 1), (3, 5), (7, 2))),
    *((unflattened, ((s[0] * s[1],), s), lambda a, b: [a.reshape(b.shape) + b]) for s in ((1, 1), (3, 5), (7, 2))),
    *((triangle, ((n, n),), lambda a: [(np.tril(a) * (np.arange(len(a)) + len(a))).sum(1)]) for n in (1, 2, 6)),
]


@pytest.mark.each(("program", "shapes", "reference"), CASES, ids=[f"{p.__name__}-{s}" for p, s, _ in CASES])
def test_one_function_for_all_sizes(program, shapes, reference) -> None:
    arrays = [data(*shape) for shape in shapes]
    found = compiled(program)(*arrays)
    expected = [np.asarray(e, np.float32) for e in reference(*arrays)]
    for result, want in zip(found if isinstance(found, (tuple, list)) else [found], expected, strict=True):
        np.testing.assert_array_equal(result, want)


@pytest.mark.parametrize(
    ("program", "shapes"),
    [(matmul, ((2, 3), (3, 4))), (stencil, ((7,), (5,))), (flattened, ((2, 3),)), (unflattened, ((6,), (2, 3)))],
)
def test_every_way_to_run_them(program, shapes) -> None:
    arrays = [data(*shape) for shape in shapes]
    references = {program: reference for program, _, reference in CASES}
    expect(program(), arrays, *(np.asarray(e, np.float32) for e in references[program](*arrays)))


MISMATCHES = [
    (matmul, ((3, 4), (5, 4)), "expected size l of argument 'B' to be 4 as in argument 'A', but got 5", []),
    (triangle, ((3, 4),), "expected size n of argument 'A' to be 3 as in argument 'A', but got 4", []),
    (stencil, ((5,), (5,)), "size n + 2 of argument 'A' to be 7, but got 5", ["n is 5 as in argument 'bias'"]),
    (
        unflattened, ((5,), (2, 3)), "size n * m of argument 'A' to be 6, but got 5",
        ["m is 3 as in argument 'like'", "n is 2 as in argument 'like'"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("program", "shapes", "message", "notes"), MISMATCHES)
def test_sizes_that_disagree(program, shapes, message: str, notes: list[str]) -> None:
    arrays = [data(*shape) for shape in shapes]
    with pytest.raises(TilewrightError) as caught:
        compiled(program)(*arrays)
    assert caught.value.code == "TW0704"
    assert message in caught.value.message
    assert list(caught.value.notes) == notes
    module = te.to_module(program())
    for passes in ("", "fuse,lower-te"):
        if passes:
            PassManager(parse_pipeline(passes)).run(context(), module)
        with pytest.raises(TilewrightError) as caught:
            evaluate(module, *arrays)
        assert caught.value.code == "TW0704"


def test_variables_of_one_name_are_different_sizes() -> None:
    first, second = te.var("n"), te.var("n")
    a, b = te.placeholder((first,), name="A"), te.placeholder((second,), name="B")
    c = te.compute((first,), lambda i: a[i] + 1, name="C")
    d = te.compute((second,), lambda i: b[i] * first.astype("float32"), name="D")
    expect([a, b, c, d], [data(3), data(5)], data(3) + 1, data(5) * 3)


def test_sizes_among_the_arguments_are_dropped() -> None:
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: a[i] + 1, name="B")
    assert str(te.to_module([n, a, b])) == str(te.to_module([a, b]))
    assert str(te.to_module([b, a])) == str(te.to_module([a, b]))


def test_stated_shapes_read_back() -> None:
    text = str(te.to_module(stencil()))
    assert "te.bind %A shape [%n + 2] : tensor<?xf32" in text
    assert str(Parser(context(), text).parse_module()) == text
