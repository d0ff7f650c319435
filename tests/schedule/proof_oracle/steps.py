"""Steps to be judged: what a primitive or a pass made of a random program, and what it may do to arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import tilewright
from tilewright import TilewrightError, dialects, te
from tilewright.analysis.equivalence import EXACT, Algebra, Axiom
from tilewright.dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from tilewright.passes.framework.base import Level, algebra_of, level_of
from tilewright.passes.framework.manager import PassManager, verify_module
from tilewright.passes.pipeline import default_pipeline
from tilewright.schedule import Schedule
from tilewright.te.tensor import Placeholder
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..choices import Choices, pick
from ..drawing import Drawer
from ..drawing_stages import StageDrawer
from ..programs import parse
from ..random_computes import computation
from ..random_schedules.loop_programs import loop_program
from .faults import changed

TARGET = CpuTargetAttr.get(["avx2", "fma"], 256, [32768, 524288, 33554432], 1)
"""The CPU that default schedules are for."""
LEAST, MOST = 2, 8
"""The range of the number of calls of a schedule before passes or a fault."""
LEAST_LONG, MOST_LONG = 10, 24
"""The range of the number of calls of a schedule whose calls are judged."""
UNEXPLAINED = ("TW0103", "TW0104", "TW0105", "TW0107", "TW0206", "TW0214", "TW0299")
"""Codes by which a pass is at fault; by all others it refuses the program."""


@dataclass(frozen=True)
class Step:
    """One function before and after something."""

    name: str
    before: FuncOp
    after: FuncOp
    algebra: Algebra


def functions(module: ModuleOp) -> list[FuncOp]:
    """Return the functions with a body."""
    return [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]


def loops(choices: Choices) -> Schedule:
    """Return a schedule of a random loop program."""
    return Schedule(tilewright.IRModule(parse(loop_program(choices).text)))


def tensors(choices: Choices) -> Schedule:
    """Return a schedule of a random tensor program."""
    return Schedule(tilewright.IRModule({"main": te.create_prim_func(computation(choices).args)}))


def calls(schedule: Schedule, choices: Choices, least: int, most: int) -> Iterator[Step]:
    """Yield random calls that the engine accepts, one step each; calls that only annotate change nothing and are
    none."""
    drawer = Drawer(schedule, choices)
    for _ in range(choices.between(least, most)):
        before, total = schedule.func.clone(), schedule.algebra
        schedule.algebra = EXACT
        try:
            name = drawer.step()
        except TilewrightError as error:
            assert error.code.startswith("TW04"), error
            name = ""
        algebra, schedule.algebra = schedule.algebra, total | schedule.algebra
        if name and str(before) != str(schedule.func):
            yield Step(name, before, schedule.func.clone(), algebra)


def of_calls(start: Callable[[Choices], Schedule], choices: Choices) -> Iterator[Step]:
    """Yield each call of a schedule, then all of them together."""
    schedule = start(choices)
    first = schedule.func.clone()
    count = 0
    for count, step in enumerate(calls(schedule, choices, LEAST_LONG, MOST_LONG), 1):  # noqa: B007
        yield step
    if count > 1:
        yield Step("whole schedule", first, schedule.func.clone(), schedule.algebra)


def of_stages(choices: Choices) -> Iterator[Step]:
    """Yield tensor programs with random calls on stages, and without."""
    drawn = computation(choices)
    plain = tilewright.IRModule({"main": te.create_prim_func(drawn.args)}).op
    schedule = te.create_schedule([t.op for t in drawn.args if not isinstance(t.op, Placeholder)])
    drawer = StageDrawer(schedule, choices)
    for _ in range(choices.between(LEAST_LONG, MOST_LONG)):
        call = drawer.call()
        if call is not None:
            with suppress(TilewrightError):
                call.make(schedule)
    try:
        lowered = tilewright.lower(schedule, drawn.args, simple_mode=True).op
    except TilewrightError as error:
        assert error.code not in UNEXPLAINED, error
        return
    assert isinstance(plain, ModuleOp) and isinstance(lowered, ModuleOp)
    (before,), (after,) = functions(plain), functions(lowered)
    yield Step("stages", before.clone(), after.clone(), Algebra(reassociates=True, axioms=frozenset(Axiom)))


def of_passes(choices: Choices) -> Iterator[Step]:
    """Yield each pass of the default pipeline on a program that a short random schedule has arranged, or none."""
    schedule = pick(choices, (loops, tensors))(choices)
    if choices.between(0, 3):
        for _ in calls(schedule, choices, LEAST, MOST):
            pass
    module = schedule.mod.op
    assert isinstance(module, ModuleOp)
    yield from passes(module)


def of_default(choices: Choices) -> Iterator[Step]:
    """Yield each pass of the default pipeline for a CPU with vectors, default schedules included."""
    module = pick(choices, (loops, tensors, tensors))(choices).mod.op
    assert isinstance(module, ModuleOp)
    module.attributes[TARGET_ATTRIBUTE] = TARGET
    yield from passes(module)


def of_modules(choices: Choices) -> Iterator[Step]:
    """Yield each pass of a random pipeline on a random module of loops, of blocks, or of tensor expressions."""
    from fuzz.pipelines import random_pipeline
    from fuzz.trial import draw_module

    for number in range(10):
        draw, kind, smooth, module = draw_module(choices.between(0, 1_000_000), number)
        if kind != "graph" and _is_accepted(module):
            yield from stepwise(module, random_pipeline(draw, level_of(module), rounds=smooth))
            return


def _is_accepted(module: ModuleOp) -> bool:
    try:
        verify_module(module)
    except TilewrightError:
        return False
    return True


def passes(module: ModuleOp, without: Sequence[str] = ()) -> Iterator[Step]:
    """Yield each pass of the default pipeline."""
    yield from stepwise(module, [p for p in default_pipeline(level_of(module)) if p.name not in without])


def stepwise(module: ModuleOp, pipeline: Sequence[ModulePass]) -> Iterator[Step]:
    """Yield each pass, of each function of blocks or loops that it changes, until one refuses the program."""
    for pass_ in pipeline:
        before = {f.sym_name.data: f.clone() for f in functions(module)}
        try:
            PassManager([pass_]).run(dialects.context(), module)
        except TilewrightError as error:
            assert error.code not in UNEXPLAINED, error
            return
        for function in functions(module):
            old = before.get(function.sym_name.data)
            if old is None or str(old) == str(function) or max(level_of(old), level_of(function)) > Level.BLOCK:
                continue
            yield Step(pass_.name, old, function.clone(), algebra_of(pass_))


def of_faults(choices: Choices) -> Iterator[Step]:
    """Yield a short schedule's result, or what a pass made of a function, with one thing changed by one."""
    match choices.between(0, 5):
        case 0 | 1 | 2:
            schedule = pick(choices, (loops, tensors))(choices)
            first = schedule.func.clone()
            for _ in calls(schedule, choices, LEAST, MOST):
                pass
            steps = [Step("schedule", first, schedule.func.clone(), schedule.algebra)]
        case 3:
            steps = list(of_passes(choices))
        case 4:
            steps = list(of_default(choices))
        case _:
            steps = list(of_modules(choices))
    if not steps:
        return
    step = pick(choices, steps)
    found = changed(step.after, choices)
    if found is not None:
        description, function = found
        yield Step(f"{step.name} with {description}", step.before, function, step.algebra)


KINDS: dict[str, Callable[[Choices], Iterator[Step]]] = {
    "loop": lambda choices: of_calls(loops, choices),
    "te": lambda choices: of_calls(tensors, choices),
    "stages": of_stages,
    "pass": of_passes,
    "default": of_default,
    "module": of_modules,
    "fault": of_faults,
}
"""The steps of a draw by its kind. Those of all kinds but `fault` are right unless something is wrong."""
