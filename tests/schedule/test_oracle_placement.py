"""The engine's verdicts on where statements run, against what the program computes before and after for all data.

A refusal that rests on dependences has to be right: made all the same, with the engine's checks switched off, the
change gives other values, or reads what was not written. Refusals by form are the documented limits of a primitive,
and are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from tilewright import TilewrightError
from tilewright.analysis.integer_set import PROVED
from tilewright.schedule import Schedule

from .budget import draws
from .dataflow import outcome
from .programs import parse, verify
from .test_oracle import affine, loops_of, nest, program

PRODUCER = ("P", "P_init")
FORMS = ("TW0403", "TW0405", "TW0406")
PRIMITIVES = "tilewright.schedule.primitives"
VERDICTS: dict[str, Counter[str]] = {}


@pytest.fixture(scope="module", autouse=True)
def verdicts() -> Iterator[None]:
    yield
    for name, counts in sorted(VERDICTS.items()):
        print(f"\n{name}: {', '.join(f'{verdict} {n}' for verdict, n in counts.most_common())}")


def unchecked(switches: dict[str, Any]) -> ExitStack:
    """Let the checks of a primitive, by their names in its module, answer that nothing is wrong."""
    stack = ExitStack()
    for name, answer in switches.items():
        stack.enter_context(patch(f"{PRIMITIVES}.{name}", lambda *_, answer=answer, **__: answer))
    return stack


def judge(
    name: str,
    text: str,
    act: Callable[[Schedule], object],
    switches: dict[str, Any],
    seen_through: Callable[[Schedule], list[str]] = lambda _: [],
) -> None:
    """Assert that an accepted call keeps all values, and that one refused for a dependence would not."""
    schedule = Schedule(parse(text))
    before = str(schedule.func)
    counts = VERDICTS.setdefault(name, Counter())
    try:
        act(schedule)
    except TilewrightError as error:
        counts[error.code] += 1
        event(error.code)
        assert str(schedule.func) == before
        assert error.code in ("TW0401", *FORMS), f"{error}\n{before}"
        if error.code == "TW0401":
            forced = Schedule(parse(text))
            with unchecked(switches):
                act(forced)
            assert not keeps(text, forced, seen_through(forced)), f"refused without need: {error}\n{before}"
    else:
        counts["accepted"] += 1
        event("accepted")
        verify(schedule.mod.op)
        assert keeps(text, schedule, seen_through(schedule)), f"{before}\n{schedule.func}"


def keeps(text: str, schedule: Schedule, seen_through: list[str]) -> bool:
    before, after = (outcome(s.func, seen_through, PRODUCER) for s in (Schedule(parse(text)), schedule))
    return before == after


# Programs that compute T and read it


@st.composite
def producer_and_consumer(draw: st.DrawFn, is_reduction: bool | None = None, is_plain: bool = False) -> str:
    """Return a program in which P computes T of what A and B hold; C computes A or B of it; other statements may stand
    between and around.

    With `is_plain` each instance of C has an element of its own, and no other statement is in its nest.
    """
    names = "ij"[: draw(st.integers(1, 2))]
    extents = {n: draw(st.integers(1, 4)) for n in names}
    between = nest_or_nothing(draw, "m")
    consumer_extents = {f"c{n}": draw(st.integers(1, 4)) for n in "ij"[: draw(st.integers(1, 2))]}
    producer = _producer(draw, extents, draw(st.booleans()) if is_reduction is None else is_reduction)
    consumer = _consumer(draw, extents, consumer_extents, is_plain)
    inner = consumer if is_plain else _statements(draw, consumer_extents, consumer)
    lines = ["%T = loop.alloc : memref<40x40xf64>", producer, *between, _looped(consumer_extents, inner)]
    return program(*lines)


def nest_or_nothing(draw: st.DrawFn, prefix: str) -> list[str]:
    return [draw(nest(prefix, depth=1, statements=1))] if draw(st.booleans()) else []


def _looped(extents: dict[str, int], body: list[str]) -> str:
    for n in reversed(extents):
        body = [f"loop.for %{n} = 0 to {extents[n]} {{", *(f"  {line}" for line in body), "}"]
    return "\n".join(body)


def _producer(draw: st.DrawFn, extents: dict[str, int], is_reduction: bool) -> str:
    where = ", ".join(f"%v{n} + 12" for n in extents) + (", 12" if len(extents) == 1 else "")
    loops = extents | ({"k": draw(st.integers(1, 3))} if is_reduction else {})
    variables = ", ".join(f"%v{n} = {'reduce' if n == 'k' else 'spatial'}(%{n}) in {e}" for n, e in loops.items())
    source = draw(st.sampled_from("AB"))
    index = ", ".join(f"{draw(affine(loops)).text} + 12" for _ in range(2))
    body = [f'loop.block "P" ({variables}) {{']
    if is_reduction:
        body += [f"  loop.init {{ loop.store %zero, %T[{where}] : memref<40x40xf64> }}"]
    body += [f"  %p = loop.load %{source}[{index}] : memref<40x40xf64>"]
    if is_reduction:
        body += [f"  %o = loop.load %T[{where}] : memref<40x40xf64>", "  %q = arith.addf %o, %p : f64"]
    else:
        body += ["  %q = arith.addf %p, %p : f64"]
    return _looped(loops, [*body, f"  loop.store %q, %T[{where}] : memref<40x40xf64>", "}"])


def _consumer(draw: st.DrawFn, produced: dict[str, int], extents: dict[str, int], is_plain: bool) -> list[str]:
    variables = ", ".join(f"%v{n} = spatial(%{n}) in {e}" for n, e in extents.items())
    read = [f"{_within(draw, extents, n)} + 12" for n in produced.values()]
    target = draw(st.sampled_from("AB"))
    index = ", ".join(f"{draw(affine(extents)).text} + 12" for _ in range(2))
    if is_plain:
        index = ", ".join([*(f"%v{n} + 12" for n in extents), "12"][:2])
    return [
        f'loop.block "C" ({variables}) {{',
        f"  %t = loop.load %T[{', '.join(read if len(read) == 2 else [*read, '12'])}] : memref<40x40xf64>",
        "  %u = arith.addf %t, %t : f64",
        f"  loop.store %u, %{target}[{index}] : memref<40x40xf64>",
        "}",
    ]


def _within(draw: st.DrawFn, extents: dict[str, int], extent: int) -> str:
    """Return an index in [0, extent)."""
    e = draw(affine(extents))
    return e.text if e.low >= 0 and e.high < extent else f"({e.text} + {extent * 4}) mod {extent}"


def _statements(draw: st.DrawFn, extents: dict[str, int], consumer: list[str]) -> list[str]:
    """Return the consumer, and perhaps another statement before or after it."""
    position = draw(st.integers(0, 3))
    if position > 1:
        return consumer
    variables = ", ".join(f"%w{n} = spatial(%{n}) in {e}" for n, e in extents.items())
    index = [", ".join(f"{draw(affine(extents)).text.replace('%v', '%w')} + 12" for _ in range(2)) for _ in range(2)]
    source, target = draw(st.sampled_from("AB")), draw(st.sampled_from("AB"))
    other = [
        f'loop.block "W" ({variables}) {{',
        f"  %x = loop.load %{source}[{index[0]}] : memref<40x40xf64>",
        f"  loop.store %x, %{target}[{index[1]}] : memref<40x40xf64>",
        "}",
    ]
    return [*other, *consumer] if position == 0 else [*consumer, *other]


@draws(12)
@given(producer_and_consumer(), st.integers(0, 3), st.sampled_from([-1, -1, -2]))
def test_compute_at(text: str, depth: int, index: int) -> None:
    def act(s: Schedule) -> None:
        loops = s.get_loops(s.get_block("C"))
        s.compute_at(s.get_block("P"), loops[min(depth, len(loops) - 1)], index=index)

    judge("compute_at", text, act, {"compute_at.change_before_consumers": None})


@draws(12)
@given(producer_and_consumer(is_plain=True), st.integers(0, 3))
def test_reverse_compute_at(text: str, depth: int) -> None:
    def act(s: Schedule) -> None:
        loops = s.get_loops(s.get_block("P"))
        s.reverse_compute_at(s.get_block("C"), loops[min(depth, len(loops) - 1)])

    judge("reverse_compute_at", text, act, {"reverse_compute_at._check_moved": None})


@draws(12)
@given(producer_and_consumer(is_reduction=False))
def test_compute_inline(text: str) -> None:
    switches = {"compute_inline.change_before_consumers": None}
    judge("compute_inline", text, lambda s: s.compute_inline(s.get_block("P")), switches, lambda _: ["P"])


@draws(12)
@given(producer_and_consumer(), st.data())
def test_caches(text: str, data: st.DataObject) -> None:
    label = data.draw(st.sampled_from(["P", "C"]))
    side = data.draw(st.sampled_from(["read", "write"]))

    def act(s: Schedule) -> None:
        block = s.get_block(label)
        (s.cache_read if side == "read" else s.cache_write)(block, (side, 0), "local")

    def copies(s: Schedule) -> list[str]:
        known = {"P", "C", "W", "mS0"}
        return [op.label for op in s.func.walk() if op.name == "loop.block" and op.label not in known]  # pyright: ignore

    judge(f"cache_{side}", text, act, {}, copies)


@draws(12)
@given(nest(), st.data())
def test_decompose_reduction(text: str, data: st.DataObject) -> None:
    original = Schedule(parse(program(text)))
    label = data.draw(st.sampled_from([b.label for b in original.func.walk() if b.name == "loop.block"]))  # pyright: ignore
    position = data.draw(st.integers(0, 2))

    def act(s: Schedule) -> None:
        block = s.get_block(label)
        loops = s.get_loops(block)
        s.decompose_reduction(block, loops[min(position, len(loops) - 1)])

    checks = ("check_init_inside", "check_init_order", "_check_alone")
    asked = {f"decompose_reduction.{name}": None for name in checks}
    switches = {"decompose_reduction.runs_each_once": PROVED, **asked}
    judge("decompose_reduction", program(text), act, switches)


@draws(12)
@given(nest(), st.data())
def test_split_and_fuse(text: str, data: st.DataObject) -> None:
    at, factor, is_fuse = data.draw(st.integers(0, 2)), data.draw(st.integers(1, 4)), data.draw(st.booleans())

    def act(s: Schedule) -> None:
        loops = [s.get_loop(op.induction_variable.name_hint or "") for op in loops_of(s.func)]
        if is_fuse:
            s.fuse(*loops[min(at, len(loops) - 1) :][:2])
        else:
            s.split(loops[min(at, len(loops) - 1)], factor=factor)

    judge("fuse" if is_fuse else "split", program(text), act, {})
