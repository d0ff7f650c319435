"""Plans of default schedules for each kernel of the benchmarks' rows and of the light models.

Planning ends after `auto-schedule`; no code is made. The machine is a described one, whatever the one at hand is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import numpy as np
import tilewright
from tilewright.analysis.access import blocks_in
from tilewright.analysis.cost import predict
from tilewright.analysis.cost.reasons import reasons
from tilewright.dialects import loop
from tilewright.dialects.target import target_of
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.light_models import LIGHT_MODELS, light_model
from tilewright.passes.framework.instruments import Instrument
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

ROOT = Path(__file__).resolve().parents[2]

_LETTERS = {"serial": "", "parallel": "p", "vectorized": "v", "unrolled": "u"}
_NOT_PLANNED = ("peaks", "compiling", "networks", "deployed")
"""Families of rows that measure the machine, and the time of compiling what other rows compile; networks, which stand
among the light models, and the forms that onnxruntime's quantiser gives them."""


class _Planned(Exception):
    """Ends a compilation: all that is asked for is known."""


class _Plans(Instrument):
    """Notes the plan of each kernel after `auto-schedule`, and goes no further."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if pass_.name == "auto-schedule":
            kernels = [op for op in module.ops if isinstance(op, FuncOp) and blocks_in(op)]
            self.found = [(kernel.sym_name.data, plan_of(kernel)) for kernel in kernels]
            raise _Planned


def plan_of(function: FuncOp) -> str:
    """Return the loops of a function, `p16[v8[B]]` for 16 parallel iterations of one vector of 8 around block B, and a
    digest of its whole text."""
    return f"{_nest(function.body.block.ops)} {sha256(str(function).encode()).hexdigest()[:16]}"


def _nest(ops: Iterable[Operation]) -> str:
    return " ".join(filter(None, map(_statement, ops)))


def _statement(op: Operation) -> str:
    match op:
        case loop.ForOp():
            kind = _LETTERS.get(op.kind.kind.data, op.kind.kind.data)
            trips = op.constant_trip_count
            return f"{kind}{'n' if trips is None else trips}[{_nest(op.body.block.ops)}]"
        case loop.BlockOp():
            return op.label
        case loop.IfOp():
            return f"?[{_nest(op.then_body.block.ops)}]"
        case loop.AllocOp() if (scope := loop.scope_of(op.res.type)) != loop.GLOBAL:
            return f"{scope}:{op.res.name_hint}"
        case _:
            return ""


def subjects() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the name of each subject and a function that compiles it for the described host."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    from rows import all_rows

    for row in all_rows():
        if row.family in _NOT_PLANNED:
            continue
        for threads in row.threads:

            def compile_row(row=row, threads=threads) -> object:
                inputs = row.inputs()
                shape, dtype = row.output
                return row.systems[row.subject](inputs, np.zeros(shape, _dtype(dtype)), threads)

            yield f"{row.name} threads {threads}", compile_row
    for name in LIGHT_MODELS:
        yield name, lambda name=name: tilewright.compile(import_model(light_model(name)))


def _dtype(name: str) -> np.dtype:
    import ml_dtypes

    return np.dtype(getattr(ml_dtypes, name, name))


class _Reasons(Instrument):
    """Notes why the cost model expects kernels to be slow after `auto-schedule`, and goes no further."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if pass_.name == "auto-schedule":
            target = target_of(module)
            assert target is not None and target.core is not None
            for kernel in module.ops:
                if isinstance(kernel, FuncOp) and blocks_in(kernel):
                    cost = predict(kernel, target.core)
                    self.found += [
                        f"{kernel.sym_name.data} | {reason.code} {reason.cycles / cost.cycles:.0%} {reason.message}"
                        for reason in reasons(cost)
                    ]
            raise _Planned


def plan_reasons(name: str, compile_: Callable[[], object]) -> list[str]:
    """Return why kernels of one subject are predicted to be slow, a line each: `row | kernel | code share message`."""
    noted = _Reasons()
    with suppress(_Planned), tilewright.PassContext(instruments=[noted]):
        compile_()
    return [f"{name} | {line}" for line in noted.found]


def plans(name: str, compile_: Callable[[], object]) -> list[str]:
    """Return the plans of one subject, a line each: `row | kernel | loops digest`; loops that the row gives have
    none."""
    noted = _Plans()
    try:
        with tilewright.PassContext(instruments=[noted]):
            compile_()
    except _Planned:
        return [f"{name} | {kernel} | {plan}" for kernel, plan in noted.found]
    return [f"{name} | - | no default schedules"]
