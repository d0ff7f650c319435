"""One random schedule of one random program: what the engine accepts computes what the program did, at every size."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import numpy as np
import tilewright
from hangs import HANG
from tilewright import TilewrightError, semantics, te
from tilewright.schedule import Schedule
from tilewright.te.tensor import Placeholder
from xdsl.dialects.builtin import ModuleOp

from ..choices import Choices, Seeded
from ..drawing import Drawer
from ..drawing_stages import StageDrawer
from ..programs import parse, verify
from ..random_computes import Computation, computation
from .loop_programs import LoopProgram, loop_program

LEAST, MOST = 10, 28
"""The range of the number of calls of a schedule."""
REFUSED_LATER = ("TW05", "TW060")
"""Prefixes of the codes of a lowering's refusals, which never include codes of internal faults."""


@dataclass
class Outcome:
    """The outcome of a draw."""

    kind: str
    number: int
    problem: str = ""
    """Empty where all was right or refused."""
    refused_by: str = ""
    """The code by which lowering refused the scheduled program."""
    program: str = ""
    trace: str = ""
    scheduled: str = ""
    accepted: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])


class DrawTimeout(BaseException):
    """A draw does not end. No Exception: what a primitive catches is not the runner's clock."""


def run(kind: str, seed: int, number: int) -> Outcome:
    """Run the draw of a number. `kind` is loop, te or stages."""
    outcome = Outcome(kind, number)
    try:
        with within(HANG):
            TRIALS[kind](outcome, Seeded(kind, seed, number))
    except DrawTimeout:
        outcome.problem = f"does not end within {HANG} s of processor time"
    except Exception as error:
        outcome.problem = f"{type(error).__name__}: {error}"
    return outcome


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Raise DrawTimeout where what runs inside takes more than these seconds of the processor."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise DrawTimeout

    previous = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def _of_loops(outcome: Outcome, choices: Choices) -> None:
    """Compare a program that is interpreted and compiled after the schedule with the interpreter before it."""
    program = loop_program(choices)
    outcome.program = program.text
    calls = list(_results(program))
    schedule = Schedule(tilewright.IRModule(parse(program.text)))
    _schedule(outcome, schedule, choices)
    module = schedule.mod.op
    for given, want in calls:
        got = [a.copy() for a in given]
        semantics.run(module, "k", *got)
        _compare("interpreted", given, want, got[-program.outputs :])
    compiled = _built(outcome, lambda: tilewright.build(schedule, target="cpu", threads=2))
    for given, want in calls if compiled is not None else ():
        got = [a.copy() for a in given]
        compiled(*got)
        _compare("compiled", given, want, got[-program.outputs :])


def _results(program: LoopProgram) -> Iterator[tuple[list[np.ndarray], list[np.ndarray]]]:
    """Yield the arguments of each call, and the outputs that the program as it stands makes of them."""
    module = parse(program.text)
    for given in program.calls():
        got = [a.copy() for a in given]
        semantics.run(module, "k", *got)
        want = got[-program.outputs :]
        assert not any(np.isnan(a).any() for a in want), "the program reads what was not written"
        yield given, want


def _of_tensors(outcome: Outcome, choices: Choices) -> None:
    """Compare a program that is interpreted and compiled after the schedule with numpy."""
    drawn = computation(choices)
    schedule = Schedule(tilewright.IRModule({"main": te.create_prim_func(drawn.args)}))
    outcome.program = f"{drawn}\n{schedule.func}"
    _schedule(outcome, schedule, choices)
    for target in ("interpreter", "cpu"):
        _check(outcome, target, drawn, lambda target=target: tilewright.build(schedule, target=target))


def _of_stages(outcome: Outcome, choices: Choices) -> None:
    """Make calls on stages, which are replayed when the program is lowered."""
    drawn = computation(choices)
    outcome.program = str(drawn)
    schedule = te.create_schedule([t.op for t in drawn.args if not isinstance(t.op, Placeholder)])
    drawer = StageDrawer(schedule, choices)
    for _ in range(choices.between(LEAST, MOST)):
        call = drawer.call()
        if call is None:
            continue
        try:
            call.make(schedule)
        except TilewrightError as error:
            assert error.code.startswith("TW04"), error
            outcome.refused[call.name] += 1
        else:
            outcome.accepted[call.name] += 1
    outcome.trace = str(schedule.trace)
    try:
        outcome.scheduled = str(tilewright.lower(schedule, drawn.args, simple_mode=True))
    except TilewrightError as error:
        assert error.code.startswith(("TW04", *REFUSED_LATER)), error
        outcome.refused_by = error.code
        return
    for target in ("interpreter", "cpu"):
        _check(outcome, target, drawn, lambda target=target: tilewright.build(schedule, drawn.args, target=target))


TRIALS: dict[str, Callable[[Outcome, Choices], None]] = {"loop": _of_loops, "te": _of_tensors, "stages": _of_stages}


def _schedule(outcome: Outcome, schedule: Schedule, choices: Choices) -> None:
    """Make random calls. One that is refused leaves the function as it was."""
    drawer = Drawer(schedule, choices)
    try:
        for _ in range(choices.between(LEAST, MOST)):
            before = str(schedule.func)
            try:
                name = drawer.step()
            except TilewrightError as error:
                assert error.code.startswith("TW04"), error
                assert str(schedule.func) == before, f"a refused {drawer.attempted} changed the function"
                outcome.refused[drawer.attempted] += 1
            else:
                outcome.accepted[name or "nothing"] += 1
    except Exception as error:
        raise AssertionError(f"{drawer.attempted}: {type(error).__name__}: {error}") from error
    finally:
        outcome.trace, outcome.scheduled = str(schedule.trace), str(schedule.func)
    module = schedule.mod.op
    assert isinstance(module, ModuleOp)
    verify(module)


def _built(outcome: Outcome, build: Callable[[], Any]) -> Any:
    """Return the program for a target; None where its lowering refuses it."""
    try:
        return build()
    except TilewrightError as error:
        if not error.code.startswith(REFUSED_LATER):
            raise
        outcome.refused_by = error.code
        return None


def _check(outcome: Outcome, target: str, drawn: Computation, build: Callable[[], Any]) -> None:
    program = _built(outcome, build)
    for inputs, expected in drawn.calls() if program is not None else ():
        results = program(*inputs)
        _compare(target, inputs, expected, results if isinstance(results, tuple) else (results,))


def _compare(how: str, given: Sequence[np.ndarray], want: Sequence[np.ndarray], got: Sequence[np.ndarray]) -> None:
    shapes = [a.shape for a in given]
    for number, (expected, found) in enumerate(zip(want, got, strict=True)):
        np.testing.assert_array_equal(found, expected, err_msg=f"output {number} {how}, arguments of shapes {shapes}")
