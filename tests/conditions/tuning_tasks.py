"""Functions before auto-schedule, and records of schedules of them that nothing measured."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tilewright import Target
from tilewright.analysis.access import blocks_in
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE, TargetAttr
from tilewright.hardware import machine_name
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.tuning_records import compiler_of_records
from tilewright.schedule import Schedule
from tilewright.schedule.canonical import canonical, target_in_records
from tilewright.schedule.records import Record
from unscheduled import before_schedules
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

TARGET = "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2"

PRODUCT = """
func.func @main(%x: tensor<24x32xf32> {tw.name = "x"}, %w: tensor<32x40xf32> {tw.name = "w"})
    -> (tensor<24x40xf32> {tw.name = "r"}) {
  %s = graph.matmul %x, %w : tensor<24x40xf32>
  %r = graph.relu %s : tensor<24x40xf32>
  func.return %r : tensor<24x40xf32>
}
"""


def target(text: str = TARGET) -> TargetAttr:
    """Return the attribute of a target."""
    return Target(text).attribute()


def module_of(text: str = PRODUCT, for_target: TargetAttr | None = None) -> ModuleOp:
    """Return a module of the graph dialect with a target."""
    module = parse(context(), text, "<text>")
    module.attributes[TARGET_ATTRIBUTE] = for_target or target()
    return module


def plain_kernels(module: ModuleOp) -> list[FuncOp]:
    """Return the kernels of a module as plain loops with blocks."""
    module = module.clone()
    PassManager(before_schedules(), verify_each=False).run(context(), module)
    return [f for f in module.ops if isinstance(f, FuncOp) and blocks_in(f)]


def record(
    function: FuncOp, arrange: Callable[[Schedule], object] = lambda sch: None, seconds: float = 1.0, **fields: Any
) -> Record:
    """Return a record of this machine and compiler for a schedule of the canonical form."""
    form, of_target = canonical(function), fields.pop("of_target", None) or target()
    key = form.key(of_target)
    arrange(sch := Schedule(form.function))
    stated: dict[str, Any] = {
        "decisions": {"trial": fields.get("trial", 1)},
        "trace": tuple(json.loads(sch.trace.as_json())),
        "samples": (seconds,) * 3,
        "machine": machine_name(),
        "compiler": compiler_of_records(),
        "code": f"code of {len(sch.trace.instructions)} steps",
        "trial": 1,
    }
    return Record(key, function.sym_name.data, target_in_records(of_target), **{**stated, **fields})


def tiled(rows: int) -> Callable[[Schedule], object]:
    """Return a schedule that splits the rows of the first block."""

    def arrange(sch: Schedule) -> None:
        sch.split(sch.get_loops(sch.get_block("b0"))[0], factors=[None, rows])

    return arrange
