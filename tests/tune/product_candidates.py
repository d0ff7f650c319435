"""A matrix product with plain loops, and schedules of it that are made by hand."""

from __future__ import annotations

from functools import cache
from itertools import product

from tilewright import te
from tilewright.backends.cpu.host import host_target
from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from tilewright.driver.programs import as_module
from tilewright.passes.framework.base import level_of
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.pipeline import default_pipeline
from tilewright.schedule import Schedule
from tilewright.tune.space import Built
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

ROWS, COLUMNS, TERMS = 37, 48, 29


def plain_loops(module: ModuleOp) -> dict[str, FuncOp]:
    """Return the functions of a module as they are in front of auto-schedule, by name."""
    module.attributes[TARGET_ATTRIBUTE] = host_target()
    passes = [pass_ for pass_ in default_pipeline(level_of(module), 0) if pass_.name != "auto-schedule"]
    PassManager(passes, verify_each=False).run(context(), module)
    return {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}


@cache
def product_loops() -> FuncOp:
    """Return the plain loops of the product, in a module."""
    a, b = te.placeholder((ROWS, TERMS), name="A"), te.placeholder((TERMS, COLUMNS), name="B")
    k = te.reduce_axis((0, TERMS), "k")
    c = te.compute((ROWS, COLUMNS), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    return plain_loops(as_module([a, b, c], None, "main"))["main"]


def tiled(rows: int, columns: int, outer: str = "rows", vector: bool = True) -> Built:
    """Return the product in tiles of so many rows and columns, whose outer loops go over rows first, or columns."""
    target = host_target()
    assert isinstance(target, CpuTargetAttr)
    schedule = Schedule(product_loops().clone())
    i, j, k = schedule.get_loops(schedule.get_block("C"))
    i_outer, i_inner = schedule.split(i, [None, rows])
    j_outer, j_inner = schedule.split(j, [None, columns])
    first = (i_outer, j_outer) if outer == "rows" else (j_outer, i_outer)
    schedule.reorder(*first, k, i_inner, j_inner)
    if vector:
        schedule.vectorize(j_inner)
    ModuleOp([schedule.func], {TARGET_ATTRIBUTE: target})
    return Built(schedule.func, schedule.trace, ())


def candidates() -> list[Built]:
    """Return 24 schedules, each another one."""
    return [tiled(r, c, o) for r, c, o in product((1, 2, 3, 4), (4, 8, 16), ("rows", "columns"))]
