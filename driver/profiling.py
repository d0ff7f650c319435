"""Profiles of compiled programs: the time of each kernel, its work (operations and bytes), and its source operators.

While a program is lowered, `WorkRecorder` computes the work of each kernel from its definition, before any pass
transforms it. The program itself reads no clock: a profile compiles an instrumented entry when it is requested.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from threading import Lock
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FusedLoc, LocationAttr, ModuleOp, NameLoc, StringAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.passes import ModulePass

from ..analysis.work import Work, work_of
from ..diagnostics import fail
from ..diagnostics.locations import location_of, source_position
from ..dialects.target import target_of
from ..passes.framework.base import Level, level_of
from ..passes.framework.instruments.base import Instrument

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..backends.cpu.clocks import TimedFunction
    from ..backends.cpu.code import CpuCode
    from ..runtime import Module
    from ..runtime.function import Function
    from ..runtime.profile import Kernel, Profile

_SILENT = ("graph.constant", "graph.fused", "graph.yield")
_UNKNOWN = Work(None, None)


class WorkRecorder(Instrument):
    """Records operators and work of every function, as soon as kernels are functions of tensor expressions or loops."""

    def __init__(self) -> None:
        self.operators: dict[str, tuple[str, ...]] = {}
        self.work: dict[str, Work] = {}

    def before_run(self, module: ModuleOp) -> None:
        if not self.work and level_of(module) <= Level.TE:
            self._note_operators(module)
            self._note_work(module)

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if self.work:
            return
        if pass_.name == "outline":
            self._note_operators(module)
        elif getattr(pass_, "lowers_to", None) is Level.TE:
            self._note_work(module)

    def _note_operators(self, module: ModuleOp) -> None:
        self.operators = {f.sym_name.data: tuple(_operators(f)) for f in _functions(module)}

    def _note_work(self, module: ModuleOp) -> None:
        self.work = {f.sym_name.data: work_of(f) for f in _functions(module)}


@dataclass
class Profiler:
    """Profiles a program; `Module.profile` calls it."""

    name: str
    """The entry's."""
    entry: Function
    code: CpuCode
    recorded: WorkRecorder
    _timed: TimedFunction | None = field(default=None, init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)
    """Held while runs write their readings."""

    def __call__(self, inputs: Mapping[str, object] | Sequence[object], repeat: int, threads: int | None) -> Profile:
        """Run the program's entry `repeat` times with clocks and as often without, alternately."""
        from ..runtime.profile import Profile

        if repeat < 1:
            fail("TW0208", f"expected repeat to be at least 1, but got {repeat}")
        entry = self.entry
        given = _by_name(entry, inputs)
        # A program that cannot run raises its error before clocks are inserted.
        entry.run(given, threads=threads)
        with self._lock:
            timed = self._with_clocks()
            seconds, runs = _measure(entry, timed, given, repeat, threads)
        used = entry.threads if threads is None else threads
        kernels = self._kernels(timed, runs, used)
        kernels.sort(key=lambda kernel: -kernel.seconds)
        spent = (1e-9 * runs[:, : len(timed.kernels) - 1 or 1, 2].sum(axis=1)).tolist()
        ratio = median(part / whole for part, whole in zip(spent, seconds, strict=True))
        return Profile(tuple(kernels), median(spent), median(seconds), ratio, repeat, used)

    def _with_clocks(self) -> TimedFunction:
        from ..backends.cpu.clocks import timed

        if self._timed is None:
            self._timed = timed(self.code, self.name, self.entry)
        return self._timed

    def _kernels(self, timed: TimedFunction, runs: NDArray[np.int64], threads: int) -> list[Kernel]:
        """Return the kernels that ran; the entry itself where it calls none. `runs` are readings of each run."""
        functions = {function.sym_name.data: function for function in _functions(self.code.module)}
        sources = _call_sources(self.code.module, self.name)
        calls: dict[str, list[int]] = {}
        for number, callee in enumerate(timed.kernels[:-1] or timed.kernels):
            calls.setdefault(callee, []).append(number)
        found = (self._kernel(callee, runs[:, numbers], sources.get(callee, [])) for callee, numbers in calls.items())
        return [_predicted(kernel, functions.get(kernel.name), threads) for kernel in found if kernel.calls]

    def _kernel(self, name: str, readings: NDArray[np.int64], sources: Sequence[str]) -> Kernel:
        """Return the profile of a kernel from `readings`: runs x calls of this kernel x words."""
        from ..runtime.profile import Call, Kernel

        nanoseconds, made = readings[..., 2], readings[..., 3]
        work = self.recorded.work.get(name, _UNKNOWN)
        count = int(median(made.sum(axis=1).tolist()))
        each = [1e-9 * median(column) for column in nanoseconds.T.tolist()]
        padded = [*sources, *[""] * len(each)]
        return Kernel(
            name,
            self.recorded.operators.get(name, ()),
            count,
            1e-9 * median(nanoseconds.sum(axis=1).tolist()),
            None if work.flops is None else count * work.flops,
            None if work.bytes is None else count * work.bytes,
            tuple(Call(*call) for call in zip(padded, each, strict=False)),
        )


def _predicted(kernel: Kernel, function: FuncOp | None, threads: int) -> Kernel:
    """Return a kernel with the cost model's prediction for its code."""
    from ..analysis.cost import predict
    from ..analysis.cost.reasons import reasons

    target = None if function is None else target_of(function)
    if function is None or target is None or target.core is None:
        return kernel
    cost = predict(function, target.core.with_threads(threads))
    if not cost.is_whole:
        return kernel
    first = next((f"{reason.code}, {reason.message}" for reason in reasons(cost)), "")
    return replace(kernel, predicted_share=cost.roofline_share, reason=first)


def add_profiler(program: Module, recorded: WorkRecorder) -> None:
    """Let a program be profiled, where it is one of the CPU's."""
    from ..backends.cpu.code import CpuCode

    if isinstance(program.code, CpuCode):
        program.profiler = Profiler(program.entry_name, program.entry, program.code, recorded)


def _measure(
    entry: Function, timed: TimedFunction, inputs: Mapping[str, object], repeat: int, threads: int | None
) -> tuple[list[float], NDArray[np.int64]]:
    """Measure the seconds of each run without clocks, and the readings of the run with clocks after it."""
    import numpy as np

    timed.function.run(inputs, threads=threads)
    seconds: list[float] = []
    runs: list[NDArray[np.int64]] = []
    for _ in range(repeat):
        started = time.perf_counter()
        entry.run(inputs, threads=threads)
        seconds.append(time.perf_counter() - started)
        timed.readings[:] = 0
        timed.function.run(inputs, threads=threads)
        runs.append(timed.readings.copy())
    return seconds, np.stack(runs)


def _by_name(entry: Function, inputs: Mapping[str, object] | Sequence[object]) -> Mapping[str, object]:
    if isinstance(inputs, Mapping):
        return inputs
    arrays = entry.signature.collect(tuple(inputs), {})
    return {argument.name: array for argument, array in zip(entry.signature.inputs, arrays, strict=True)}


def _functions(module: ModuleOp) -> list[FuncOp]:
    return [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]


def _operators(function: FuncOp) -> Iterator[str]:
    """Yield the names of a function's operators, tensors or blocks, in order, as users know them."""
    for op in function.walk():
        if op.dialect_name() == "graph" and op.name not in _SILENT:
            yield op.name.removeprefix("graph.")
        elif op.name in ("te.compute", "te.scan", "te.extern", "loop.block"):
            label = op.properties["sym"]
            assert isinstance(label, StringAttr)
            yield label.data


def _call_sources(module: ModuleOp, name: str) -> dict[str, list[str]]:
    """Return the source locations of the calls of the function `name`, by the kernel that is called."""
    sources: dict[str, list[str]] = {}
    for function in _functions(module):
        if function.sym_name.data != name:
            continue
        for op in function.walk():
            if isinstance(op, CallOp):
                sources.setdefault(op.callee.root_reference.data, []).append(_source(location_of(op)))
        if not sources:
            sources[name] = [_source(location_of(function))]
    return sources


def _source(location: LocationAttr | None) -> str:
    """Return a location in a word: the operator of the model that it names, or the line."""
    match location:
        case NameLoc():
            return location.desc.data
        case FusedLoc():
            parts = getattr(location.locations, "data", ())
            return "+".join(dict.fromkeys(filter(None, map(_source, parts))))
        case _:
            position = source_position(location)
            return "" if position is None else f"{Path(position.file).name}:{position.line}"
