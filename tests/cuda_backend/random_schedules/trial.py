"""One random schedule of one random program, and what became of it.

A schedule is drawn by stages, by the interactive interface, or is the default one of a target for GPUs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import tilewright
from tilewright.diagnostics import TilewrightError

from .drawing import Drawer
from .expressions import expressions
from .interactive import InteractiveDrawer
from .programs import PROGRAMS, Program
from .races import Planted, plant
from .scopes import plant_scopes

SIMULATED: dict[str, Any] = {"device": "simulator"}
ON_A_CARD: dict[str, Any] = {"device": "gpu", "copy": True}
"""The options that build a program for a card."""
REFUSALS = ("TW04", "TW05", "TW060", "TW062", "TW063", "TW0661", "TW0665", "TW068")
"""Prefixes of the codes of refusals before a kernel runs. Any finding of the simulator in a kernel is a fault."""


@dataclass
class Outcome:
    """The outcome of a schedule."""

    seed: int
    kind: str
    code: str = ""
    """Of the refusal; empty where the program ran and was right."""
    message: str = ""
    steps: list[str] = field(default_factory=list)
    planted: Planted = field(default_factory=Planted)


class Fault(AssertionError):
    """A wrong result, or what no refusal is."""


def run(seed: int, races: bool = True, card: bool = False) -> Outcome:
    """Draw, build, run in the simulator or on a card, and compare; then plant races, which the simulator has to find.
    Raises Fault, which tells all that is needed."""
    rng = Random(seed)
    program = expressions(rng) if rng.random() < 0.5 else rng.choice(PROGRAMS)(rng)
    face = rng.choice(FACES)
    drawer = face(program, rng)
    module = None
    try:
        try:
            module = drawer.build(**(ON_A_CARD if card else SIMULATED))
        except TilewrightError as error:
            if not error.code.startswith(REFUSALS):
                raise
            return Outcome(seed, program.kind, error.code, error.message, drawer.steps)
        check(program, module)
        planted = Planted()
        if races and not card:
            planted = plant(module, lambda changed: check(program, changed))
            planted += plant_scopes(module, lambda changed: check(program, changed))
    except Exception as error:
        report = "\n".join([f"seed {seed}: {program.kind}", *drawer.steps, f"{type(error).__name__}: {error}"])
        source = "" if module is None else module.get_source()
        raise Fault(f"{report}\n{source}") from error
    return Outcome(seed, program.kind, steps=drawer.steps, planted=planted)


class _Stages(Drawer):
    """A schedule of stages."""

    def build(self, **options: Any) -> tilewright.runtime.Module:
        return tilewright.build(self.draw(), self.program.args, "cuda", **options)


class _Interactive(InteractiveDrawer):
    """A schedule of blocks and loops."""

    def build(self, **options: Any) -> tilewright.runtime.Module:
        return tilewright.build(self.draw(), target="cuda", **options)


class _Default:
    """The rules' schedule."""

    def __init__(self, program: Program, rng: Random) -> None:
        self.program = program
        self.steps = ["the default schedule"]

    def build(self, **options: Any) -> tilewright.runtime.Module:
        args = self.program.args
        return tilewright.build(args, args, target="cuda", **options)


FACES: tuple[type[_Stages | _Interactive | _Default], ...] = (_Stages,) * 5 + (_Interactive,) * 4 + (_Default,)
"""The sources of schedules, as often as they are drawn."""


def check(program: Program, module: tilewright.runtime.Module) -> None:
    for inputs, expected in program.calls():
        results = module(*inputs)
        for want, got in zip(expected, results if isinstance(results, tuple) else (results,), strict=True):
            np.testing.assert_array_equal(got, want)
