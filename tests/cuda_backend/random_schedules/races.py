"""Races planted by removing each barrier of a lowered program in turn: the simulator finds each, or there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from tilewright.backends.cuda import simulator
from tilewright.backends.cuda.module import build
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from tilewright.dialects.loop import BarrierOp
from tilewright.dialects.loop.buffers import WARP
from tilewright.runtime import Module
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from .access_log import NotKnown, meetings

FOUND = ("TW0653", "TW0654", "TW0655")
"""The simulator's codes for a missing barrier; an element that is read too early may be uninitialised."""


@dataclass
class Planted:
    """The number of planted faults, and their outcomes."""

    planted: int = 0
    caught: int = 0
    harmless: int = 0
    """No two threads met at the extents of the launches: the access log says so too."""
    unjudged: int = 0
    """Nothing was found, and the access log does not know the kernel."""

    def __add__(self, other: Planted) -> Planted:
        return Planted(*(a + b for a, b in zip(vars(self).values(), vars(other).values(), strict=True)))

    def __str__(self) -> str:
        rest = f", {self.unjudged} unjudged" if self.unjudged else ""
        return f"{self.planted} faults planted: {self.caught} found, {self.harmless} harmless there{rest}"


def plant(module: Module, check: Callable[[Module], None]) -> Planted:
    """Remove each barrier of a program in turn and run `check`. Raises AssertionError for a race that is not found.

    What the whole program does must be free of meetings by the access log's account, too.
    """
    text = module.get_source("mlir")
    with recorded() as launches:
        check(module)
    with suppress(NotKnown):
        assert (met := first_meeting(launches)) is None, f"the access log finds a race in the whole program: {met}"
    result = Planted()
    for number in range(len(_barriers(parsed(text)))):
        changed = parsed(text)
        barrier = _barriers(changed)[number]
        barrier.detach()
        result += judge(build(changed, device="simulator"), check, f"without barrier {number}")
    return result


def judge(module: Module, check: Callable[[Module], None], fault: str) -> Planted:
    """Return the outcome of a program with one fault. Raises AssertionError if numbers are wrong and no check finds
    it."""
    with recorded() as launches:
        try:
            check(module)
        except TilewrightError as error:
            assert error.code in FOUND, f"{fault}: {error}"
            return Planted(1, caught=1)
        except AssertionError as error:
            raise AssertionError(f"{fault} the simulator finds nothing, but results are wrong: {error}") from error
    try:
        met = first_meeting(launches)
    except NotKnown:
        return Planted(1, unjudged=1)
    assert met is None, f"{fault} the simulator finds no race, but there is one: {met}"
    return Planted(1, harmless=1)


def parsed(text: str) -> ModuleOp:
    return Parser(context(), text).parse_module()


def _barriers(module: ModuleOp) -> list[BarrierOp]:
    """Return the barriers at which threads wait; lanes of a warp exchange registers without waiting."""
    return [op for op in module.walk() if isinstance(op, BarrierOp) and op.scope.data != WARP]


@contextmanager
def recorded() -> Iterator[list[tuple[Any, ...]]]:
    """Record the launches made inside, with copies of their arguments."""
    launches: list[tuple[Any, ...]] = []
    real = simulator.launch

    def launch(function: Any, grid: Any, block: Any, arguments: Any, shared_bytes: int = 0) -> None:
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        launches.append((function, grid, block, copies))
        real(function, grid, block, arguments, shared_bytes)

    simulator.launch = launch
    try:
        yield launches
    finally:
        simulator.launch = real


def first_meeting(launches: list[tuple[Any, ...]]) -> Any:
    """Return the first pair of accesses that nothing orders."""
    return next((met for launch in launches for met in meetings(*launch)), None)
