"""Combiners that users write: the laws that they are asked for, and what schedules make of one that breaks a law."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.analysis.block_reductions import reduction_of, why_ordered
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context, loop
from tilewright.dialects.ir_module import operation_of
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.script import tir as T
from tilewright.semantics import evaluate
from xdsl.dialects.builtin import ModuleOp

ZERO: Callable[..., Any] = lambda *types: tuple(te.const(0, t) for t in types)  # noqa: E731
ONE: Callable[..., Any] = lambda *types: tuple(te.const(1, t) for t in types)  # noqa: E731
LEAST: Callable[..., Any] = lambda *types: tuple(te.min_value(t) for t in types)  # noqa: E731


class Case(NamedTuple):
    """A reducer of values of the types, and a part of the reason for which its order is kept."""

    name: str
    combine: Callable[[Any, Any], Any]
    identity: Callable[..., Any]
    dtypes: tuple[str, ...]
    broken: str | None = None
    terms: Callable[..., Any] = lambda *values: values


def larger(x, y):
    return te.Select(x[1] >= y[1], x[0], y[0]), te.Select(x[1] >= y[1], x[1], y[1])


def moments(x, y):
    """Combine counts, means and sums of squared differences, without a division by zero."""
    count, distance = x[0] + y[0], y[1] - x[1]
    share = te.Select(count > 0, y[0] / count, te.const(0, "float32"))
    return count, x[1] + distance * share, x[2] + y[2] + distance * distance * x[0] * share


def exponents(x, y):
    top = te.maximum(x[0], y[0])
    return top, x[1] * te.exp(x[0] - top) + y[1] * te.exp(y[0] - top)


NUMBERS = ("int8", "uint8", "int32", "float16", "bfloat16", "float32", "float64")
CASES = (
    *(Case(f"sum of {d}", lambda x, y: x + y, ZERO, (d,)) for d in NUMBERS),
    *(Case(f"x * y + x + y of {d}", lambda x, y: x * y + x + y, ZERO, (d,)) for d in NUMBERS),
    *(Case(f"x - y of {d}", lambda x, y: x - y, ZERO, (d,), "not commutative") for d in NUMBERS),
    Case("root of squares", lambda x, y: te.sqrt(x * x + y * y), ZERO, ("float32",)),
    Case("logarithm of exponentials", lambda x, y: te.log(te.exp(x) + te.exp(y)), LEAST, ("float32",)),
    Case("the largest that is positive", te.maximum, ZERO, ("float32",)),
    Case("mean of two", lambda x, y: (x + y) / 2, ZERO, ("float32",), "not associative"),
    Case("the later one", lambda x, y: y, ZERO, ("int32",), "not commutative"),
    Case("largest magnitude", lambda x, y: te.Select(te.abs(x) >= te.abs(y), x, y), ZERO, ("int32",), "combine(1, -1)"),
    Case("bounded sum", lambda x, y: te.minimum(x + y, te.const(90, "int32")), ZERO, ("int32",), "not associative"),
    Case("sum from one", lambda x, y: x + y, ONE, ("int32",), "not neutral"),
    *(Case(f"argmax of {d}", larger, lambda a, b: (te.const(0, a), te.min_value(b)), ("int32", d)) for d in NUMBERS),
    Case("the later index and a sum", lambda x, y: (y[0], x[1] + y[1]), ZERO, ("int32", "float32"), "not commutative"),
    Case(
        "the first positive one",
        lambda x, y: (te.Select(x[1] > 0, x[0], y[0]), te.Select(x[1] > 0, x[1], y[1])),
        ZERO,
        ("int32", "float32"),
        "not commutative",
    ),  # fmt: skip
    Case(
        "argmax and a sum",
        lambda x, y: (*larger(x, y), x[2] + y[2]),
        lambda a, b, c: (te.const(0, a), te.min_value(b), te.const(0, c)),
        ("int32", "float32", "float32"),
    ),
    Case(
        "moments",
        moments,
        ZERO,
        ("float32",) * 3,
        None,
        lambda a, b, c: (te.const(1, "float32"), b, te.const(0, "float32")),
    ),  # fmt: skip
    Case(
        "sum of exponentials",
        exponents,
        lambda a, b: (te.min_value(a), te.const(0, b)),
        ("float32",) * 2,
        None,
        lambda a, b: (a, te.const(1, "float32")),
    ),  # fmt: skip
    Case(
        "composition of affine functions",
        lambda x, y: (x[0] * y[0], x[1] * y[0] + y[1]),
        lambda a, b: (te.const(1, a), te.const(0, b)),
        ("int32",) * 2,
        "not commutative",
    ),  # fmt: skip
)


def reducing(case: Case, rows: int = 4, terms: int = 8) -> tuple[list[Any], list[Any]]:
    """Return the inputs and results of a reduction of rows by a case's reducer."""
    inputs = [te.placeholder((rows, terms), d, name=f"A{n}") for n, d in enumerate(case.dtypes)]
    k = te.reduce_axis((0, terms), "k")
    is_tuple = len(inputs) > 1
    reducer = te.comm_reducer(
        case.combine, case.identity if is_tuple else lambda t: case.identity(t)[0], name="reducer"
    )

    def body(i):
        values = case.terms(*(a[i, k] for a in inputs))
        return reducer(tuple(values) if is_tuple else values[0], axis=k)

    results = te.compute((rows,), body, name="B")
    return inputs, list(results) if is_tuple else [results]


def test_the_laws_of_combiners() -> None:
    wrong: list[str] = []
    for case in CASES:
        inputs, results = reducing(case)
        (block,) = [op for op in te.create_prim_func([*inputs, *results]).walk() if isinstance(op, loop.BlockOp)]
        reason = why_ordered(block)
        if (reduction_of(block) is None) != (reason is not None):
            wrong.append(f"{case.name}: the analyses and the reason disagree")
        if (case.broken is None) != (reason is None) or (case.broken or "") not in (reason or ""):
            wrong.append(f"{case.name}: {reason}")
    assert not wrong, "\n".join(wrong)


DIFFERENCE = Case("difference", lambda x, y: x - y, ZERO, ("float32",))
LATER = Case("later", lambda x, y: te.Select(y != 0, y, x), ZERO, ("float32",))
TARGETS = ("llvm -mcpu=x86-64-v3", "llvm -mcpu=x86-64-v4", "c", "opencl", "cuda")


def in_order(case: Case, x: np.ndarray) -> np.ndarray:
    combine = {"difference": np.subtract, "later": lambda a, b: np.where(b != 0, b, a)}[case.name]
    return reduce(combine, np.moveaxis(x, -1, 0), np.zeros(x.shape[0], x.dtype))


def test_default_schedules_keep_the_order_of_a_combiner_that_breaks_a_law() -> None:
    wrong: list[str] = []
    for case, shapes in ((DIFFERENCE, ((1, 300), (3, 64))), (LATER, ((64, 33),))):
        for rows, terms in shapes:
            x = np.random.default_rng(5).integers(0, 9, (rows, terms)).astype(np.float32)
            for target in TARGETS:
                inputs, results = reducing(case, rows, terms)
                module = te.to_module([*inputs, *results])
                module.attributes[TARGET_ATTRIBUTE] = tilewright.Target(target).attribute()
                PassManager(parse_pipeline("lower-te,auto-schedule")).run(context(), module)
                if not np.array_equal(evaluate(module, x)[0], in_order(case, x)):
                    wrong.append(f"{case.name} of {rows}x{terms} for {target}")
            if not np.array_equal(tilewright.compile(te.to_module([*inputs, *results]))(x), in_order(case, x)):
                wrong.append(f"{case.name} of {rows}x{terms}, compiled")
    assert not wrong, wrong


@T.prim_func
def remainder(A: T.Buffer((4, 12), "float32"), B: T.Buffer((4,), "float32")):
    T.func_attr({"global_symbol": "main"})
    for i, k in T.grid(4, 12):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = A[vi, vk] - B[vi]


@T.prim_func
def halved(A: T.Buffer((4, 12), "float32"), B: T.Buffer((4,), "float32")):
    T.func_attr({"global_symbol": "main"})
    for i, k in T.grid(4, 12):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] * T.float32(0.5) + A[vi, vk]


def split_and_turned(s, block, i, k):
    outer, inner = s.split(k, [None, 4])
    s.reorder(inner, outer)


def turned_around_rows(s, block, i, k):
    outer, inner = s.split(k, [None, 4])
    s.reorder(inner, i, outer)


def tiled(s, block, i, k):
    outer, inner = s.split(k, [None, 4])
    s.decompose_reduction(block, outer)
    s.reorder(inner, outer)


def bound(tag):
    return lambda s, block, i, k: s.bind(k, tag)


REFUSED = {
    "rfactor": lambda s, block, i, k: s.rfactor(s.split(k, [None, 4])[1]),
    "rfactor of the outer part": lambda s, block, i, k: s.rfactor(s.split(k, [None, 4])[0]),
    "reorder": split_and_turned,
    "reorder around the result's loop": turned_around_rows,
    "reorder without the init": tiled,
    "vectorize": lambda s, block, i, k: s.vectorize(k),
    "parallel": lambda s, block, i, k: s.parallel(k),
    "threadIdx.x": bound("threadIdx.x"),
    "blockIdx.x": bound("blockIdx.x"),
    "vthread": bound("vthread"),
    "transform_block_layout": lambda s, block, i, k: s.transform_block_layout(block, lambda i, k: (i, k % 4, k // 4)),
}


def kept(s, block, i, k):
    outer, inner = s.split(k, [None, 4])
    s.reorder(outer, i, inner)
    s.unroll(inner)


ACCEPTED = {
    "split, reorder and unroll": kept,
    "decompose_reduction": lambda s, block, i, k: s.decompose_reduction(block, k),
    "parallel rows": lambda s, block, i, k: s.parallel(i),
    "vectorized rows": lambda s, block, i, k: (s.reorder(k, i), s.vectorize(i)),
    "loop_partition": lambda s, block, i, k: s.loop_partition(k, [3, 5]),
    "blockize": lambda s, block, i, k: s.blockize(s.split(k, [None, 4])[1]),
    "reorder_block_iter_var": lambda s, block, i, k: s.reorder_block_iter_var(block, [1, 0]),
}


def difference():
    inputs, results = reducing(DIFFERENCE, 4, 12)
    return te.create_prim_func([*inputs, *results])


PROGRAMS = {"combiner": difference, "A - B": lambda: remainder.clone(), "B / 2 + A": lambda: halved.clone()}


@pytest.mark.parametrize("program", PROGRAMS)
def test_primitives_keep_the_order_or_refuse(program: str) -> None:
    x = np.random.default_rng(2).integers(0, 9, (4, 12)).astype(np.float32)
    expected = evaluate(ModuleOp([operation_of(PROGRAMS[program]())]), x)
    wrong: list[str] = []
    for name, schedule in {**REFUSED, **ACCEPTED}.items():
        function = PROGRAMS[program]()
        s = tilewright.Schedule(function)
        block = s.get_block("B")
        try:
            schedule(s, block, *s.get_loops(block))
        except TilewrightError as error:
            said = [*error.notes, error.message]
            has_numbers = any("combine(0, 1) is -1, but combine(1, 0) is 1" in text for text in said)
            if name in ACCEPTED or error.code not in ("TW0401", "TW0411") or not error.help:
                wrong.append(f"{name}: {error}")
            if has_numbers != (program == "combiner"):
                wrong.append(f"{name} says {said}")
        else:
            if name in REFUSED:
                wrong.append(f"{name} is accepted")
            elif not np.array_equal(evaluate(s.mod.op, x)[0], expected[0]):
                wrong.append(f"{name} changes values")
    assert not wrong, "\n".join(wrong)


def test_a_custom_start_asks_for_a_neutral_identity() -> None:
    """`max` with the identity 0 may start partial results where the reduction starts from 0, and not from -5."""
    for start, is_free in ((None, True), (te.const(-5, "float32"), False)):
        a, k = te.placeholder((4, 12), name="A"), te.reduce_axis((0, 12), "k")
        positive = te.comm_reducer(te.maximum, lambda t: te.const(0, t))
        b = te.compute((4,), lambda i: positive(a[i, k], axis=k, init=start), name="B")  # noqa: B023
        (block,) = [op for op in te.create_prim_func([a, b]).walk() if isinstance(op, loop.BlockOp)]
        assert (reduction_of(block) is not None) == is_free, start


@pytest.mark.parametrize("schedule", ["rfactor", "reorder", "bind"])
def test_lazy_schedules_refuse_with_the_numbers(schedule: str) -> None:
    (a,), (b,) = reducing(DIFFERENCE, 4, 12)
    s = te.create_schedule(b.op)
    outer, inner = s[b].split(b.op.reduce_axis[0], 4)
    with pytest.raises(TilewrightError, match=r"TW04(01|11)") as raised:
        if schedule == "rfactor":
            s.rfactor(b, inner)
        elif schedule == "reorder":
            s[b].reorder(inner, outer)
        else:
            s[b].bind(inner, te.thread_axis("threadIdx.x"))
        tilewright.lower(s, [a, b])
    assert "combine(0, 1) is -1, but combine(1, 0) is 1" in str(raised.value)


def test_an_index_among_equal_keys_may_change() -> None:
    case = next(c for c in CASES if c.name == "argmax of int32")
    inputs, results = reducing(case, 4, 64)
    s = te.create_schedule(results[0].op)
    _, inner = s[results[0]].split(results[0].op.reduce_axis[0], factor=8)
    s.rfactor(results[0], inner)
    function = tilewright.build(s, [*inputs, *results], "llvm")
    x = np.random.default_rng(1).integers(0, 3, (4, 64)).astype(np.int32)
    index, value = np.zeros(4, np.int32), np.zeros(4, np.int32)
    function(np.tile(np.arange(64, dtype=np.int32), (4, 1)), x, index, value)
    np.testing.assert_array_equal(value, x.max(1))
    np.testing.assert_array_equal(x[np.arange(4), index], x.max(1))
