"""The engine's verdicts on dependences against enumeration: they agree both ways, and counter-examples are real."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st
from tilewright import TilewrightError
from tilewright.analysis.dependence import Conflict, carried, reversed_by, reversed_by_merging
from tilewright.dialects import loop
from tilewright.schedule import LoopRV, Schedule
from xdsl.dialects.func import FuncOp

from . import oracle
from .budget import draws
from .programs import parse

REFUSED = "TW0401"


@dataclass(frozen=True)
class Affine:
    """An affine expression of the loop variables as text, and the range that it takes."""

    text: str
    low: int
    high: int


@st.composite
def affine(draw: st.DrawFn, extents: dict[str, int]) -> Affine:
    """Draw an expression of at most two variables with small coefficients, in one of three forms."""
    names = draw(st.lists(st.sampled_from(sorted(extents)), max_size=2, unique=True))
    coefficients = [draw(st.sampled_from([1, 1, 1, -1, 2])) for _ in names]
    offset = draw(st.integers(-1, 1))
    text = " + ".join([*(f"%v{n} * {c}" for n, c in zip(names, coefficients, strict=True)), str(offset)])
    ends = [(0, c * (extents[n] - 1)) for n, c in zip(names, coefficients, strict=True)]
    low, high = offset + sum(map(min, ends)), offset + sum(map(max, ends))
    divisor = draw(st.sampled_from([None, None, None, 2]))
    if divisor is None:
        return Affine(text, low, high)
    if draw(st.booleans()):
        return Affine(f"({text}) floordiv {divisor}", low // divisor, high // divisor)
    return Affine(f"({text}) mod {divisor}", 0, divisor - 1)


@st.composite
def statement(draw: st.DrawFn, label: str, extents: dict[str, int], is_reduction: bool) -> list[str]:
    """Return a block: one or two reads, one write, of buffers whose every access is shifted to be inside."""
    variables = ", ".join(
        f"%v{n} = {'reduce' if is_reduction and n == sorted(extents)[-1] else 'spatial'}(%{n}) in {e}"
        for n, e in extents.items()
    )
    spatial = {n: e for n, e in extents.items() if not (is_reduction and n == sorted(extents)[-1])}
    target, sources = draw(st.sampled_from("AB")), draw(st.lists(st.sampled_from("AB"), min_size=1, max_size=2))

    def element(axes: dict[str, int]) -> str:
        parts = [draw(affine(axes)) for _ in range(2)]
        return ", ".join(f"{p.text} + {12}" if p.low < 0 or p.high > 0 else f"{p.text} + 12" for p in parts)

    guard = ""
    if draw(st.integers(0, 4)) == 0:
        condition = draw(affine(extents))
        bound = draw(st.integers(condition.low, condition.high))
        guard = f" where ({condition.text.replace('%v', '%')} >= {bound})"
    lines = [f'loop.block "{label}" ({variables}){guard} {{']
    written = element(spatial if is_reduction else extents)
    if is_reduction:
        lines += [f"  loop.init {{ loop.store %zero, %{target}[{written}] : memref<40x40xf64> }}"]
    values: list[str] = []
    for k, source in enumerate(sources):
        lines.append(f"  %{label}{k} = loop.load %{source}[{element(extents)}] : memref<40x40xf64>")
        values.append(f"%{label}{k}")
    if is_reduction:
        lines.append(f"  %{label}old = loop.load %{target}[{written}] : memref<40x40xf64>")
        lines.append(f"  %{label}sum = arith.addf %{label}old, {values[0]} : f64")
    else:
        lines.append(f"  %{label}sum = arith.addf {values[0]}, {values[-1]} : f64")
    return [*lines, f"  loop.store %{label}sum, %{target}[{written}] : memref<40x40xf64>", "}"]


@st.composite
def nest(draw: st.DrawFn, prefix: str = "", depth: int | None = None, statements: int = 2) -> str:
    names = [f"{prefix}{n}" for n in "ijk"[: depth or draw(st.integers(1, 3))]]
    extents = {n: draw(st.integers(1, 4 if len(names) == 3 else 6)) for n in names}
    body: list[str] = []
    for k in range(draw(st.integers(1, statements))):
        is_reduction = len(names) > 1 and draw(st.booleans())
        body += draw(statement(f"{prefix}S{k}", extents, is_reduction))
    for n in reversed(names):
        body = [f"loop.for %{n} = 0 to {extents[n]} {{", *(f"  {line}" for line in body), "}"]
    return "\n".join(body)


def program(*nests: str) -> str:
    body = "\n".join(nests)
    return f"""
func.func @k(%A: memref<40x40xf64>, %B: memref<40x40xf64>) {{
  %zero = arith.constant 0.0 : f64
{body}
  func.return
}}"""


def loops_of(function: FuncOp) -> list[loop.ForOp]:
    return [op for op in function.walk() if isinstance(op, loop.ForOp)]


def accepts(act: Callable[[], object]) -> bool:
    """Return whether the engine accepts; a refusal has to be one that rests on a counter-example."""
    try:
        act()
    except TilewrightError as error:
        assert error.code == REFUSED, f"expected a proof or a counter-example, but got {error}"
        return False
    return True


def confirm(function: FuncOp, conflict: Conflict | None, turned: Callable[..., bool]) -> None:
    """Check that the two instances of a counter-example run, touch one element, and would change places."""
    assert conflict is not None
    assert conflict.unknown is None
    sources = oracle.at(conflict.source_point, function, conflict.source.block)
    sinks = oracle.at(conflict.sink_point, function, conflict.sink.block)
    element = conflict.element()
    assert any(
        turned(a, b) and {t.element for t in a.touches if t.op is conflict.source.op} == {element}
        for a in sources
        for b in sinks
        if element in {t.element for t in b.touches if t.op is conflict.sink.op}
    ), f"{conflict.source_point} and {conflict.sink_point} do not show it:\n{function}"


@draws(60)
@given(nest(), st.data())
def test_reorder(text: str, data: st.DataObject) -> None:
    schedule = Schedule(parse(program(text)))
    old = loops_of(schedule.func)
    new = data.draw(st.permutations(old))
    expected = oracle.reorder_is_legal(schedule.func, new)
    event(f"legal: {expected}")
    if not expected:
        confirm(
            schedule.func, reversed_by(old, new), lambda a, b: a.time < b.time and a.time_with(new) > b.time_with(new)
        )
    handles = {op: schedule.get_loop(op.induction_variable.name_hint or "") for op in old}
    assert accepts(lambda: schedule.reorder(*(handles[op] for op in new))) == expected, str(schedule.func)


@draws(60)
@given(nest(), st.sampled_from(["parallel", "vectorized", "vthread"]), st.data())
def test_kinds(text: str, kind: str, data: st.DataObject) -> None:
    schedule = Schedule(parse(program(text)))
    op = data.draw(st.sampled_from(loops_of(schedule.func)))
    expected = oracle.is_independent(schedule.func, op)
    event(f"legal: {expected}")
    if not expected:
        confirm(schedule.func, carried(op), lambda a, b: a.iteration(op) != b.iteration(op))
    handle: LoopRV = schedule.get_loop(op.induction_variable.name_hint or "")
    assert accepts(lambda: schedule.set_kind(handle, kind)) == expected, str(schedule.func)


@pytest.mark.full
@draws(60)
@given(nest("a", statements=1), nest("b", statements=1), st.data())
def test_merge(first: str, second: str, data: st.DataObject) -> None:
    schedule = Schedule(parse(program(first, second)))
    a, b = (schedule.loop(handle) for handle in schedule.get_child_loops())
    assume(a.constant_bounds == b.constant_bounds)
    expected = oracle.merge_is_legal(schedule.func, a, b)
    event(f"legal: {expected}")
    if not expected:
        confirm(schedule.func, reversed_by_merging(a, b), lambda x, y: x.iteration(a) > y.iteration(b))
    handles = schedule.get_child_loops()
    assert accepts(lambda: schedule.merge(*handles)) == expected, str(schedule.func)
