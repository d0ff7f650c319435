"""Random modules at block level, scheduled, and lowered: what round trips are tried on."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import tilewright
from tilewright import TilewrightError, te
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.schedule import Schedule
from xdsl.dialects.builtin import ModuleOp

_GENERATORS = "generators_of_tests"
"""The folders of other tests, as parts of a package: their own names are those of the library's parts."""


def _generator(module: str) -> Any:
    if _GENERATORS not in sys.modules:
        package = ModuleType(_GENERATORS)
        package.__path__ = [str(Path(__file__).resolve().parents[1])]
        sys.modules[_GENERATORS] = package
    return import_module(f"{_GENERATORS}.{module}")


Draw = _generator("fuzz.draw").Draw
indexed_loops = _generator("fuzz.index_loops").indexed_loops
loop_module = _generator("fuzz.loop_modules").loop_module
Seeded = _generator("schedule.choices").Seeded
Drawer = _generator("schedule.drawing").Drawer
computation = _generator("schedule.random_computes").computation
loop_program = _generator("schedule.random_schedules.loop_programs").loop_program

KINDS = (
    "blocks",
    "loops",
    "blocks",
    "loops",
    "blocks",
    "loops",
    "indices",
    "scheduled",
    "scheduled tensors",
    "lowered",
)
STEPS = 8
"""The largest number of calls of a schedule."""


def kind_of(number: int) -> str:
    """Return the kind of the module of a number."""
    return KINDS[number % len(KINDS)]


def draw_module(seed: int, number: int) -> ModuleOp:
    """Return the module of a number, as its MLIR text is read: index expressions are in their normal form."""
    kind = kind_of(number)
    module = _MAKERS[kind](seed, number)
    return parse(context(), str(module), f"{kind.replace(' ', '-')}-{seed}-{number}.mlir")


def _blocks(seed: int, number: int) -> ModuleOp:
    return loop_module(Draw(seed, number), smooth=number % 3 == 0, blocks=True, while_loops=False)


def _loops(seed: int, number: int) -> ModuleOp:
    return loop_module(Draw(seed, number), smooth=number % 3 == 0, blocks=False, while_loops=False)


def _indices(seed: int, number: int) -> ModuleOp:
    return parse(context(), indexed_loops(Draw(seed, number)).text, "indices.mlir")


def _scheduled(seed: int, number: int) -> ModuleOp:
    choices = Seeded("loop", seed, number)
    schedule = Schedule(tilewright.IRModule(parse(context(), loop_program(choices).text, "program.mlir")))
    return _after_steps(schedule, choices)


def _scheduled_tensors(seed: int, number: int) -> ModuleOp:
    choices = Seeded("te", seed, number)
    schedule = Schedule(tilewright.IRModule({"main": te.create_prim_func(computation(choices).args)}))
    return _after_steps(schedule, choices)


def _after_steps(schedule: Schedule, choices: Any) -> ModuleOp:
    drawer = Drawer(schedule, choices)
    for _ in range(choices.between(1, STEPS)):
        try:
            drawer.step()
        except TilewrightError:
            continue
    return schedule.mod.op


def _lowered(seed: int, number: int) -> ModuleOp:
    choices = Seeded("te", seed, number)
    return tilewright.lower(te.create_prim_func(computation(choices).args)).op


_MAKERS = {
    "blocks": _blocks,
    "loops": _loops,
    "indices": _indices,
    "scheduled": _scheduled,
    "scheduled tensors": _scheduled_tensors,
    "lowered": _lowered,
}
