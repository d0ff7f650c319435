"""`tilewright.meta_schedule`: tuning of loop functions over schedule programs that sample, or over default schedules.

def program(sch):
    i, j, k = sch.get_loops(sch.get_block("C"))
    sch.split(i, sch.sample_perfect_tile(i, n=2))

database = ms.tune_tir(module, target="llvm", max_trials_global=64, work_dir="tuned",
                       space=ms.space_generator.ScheduleFn(program))
sch = ms.tir_integration.compile_tir(database, module, target="llvm")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import exports

if TYPE_CHECKING:
    from .database import JSONDatabase as JSONDatabase
    from .tir_integration import compile_tir as compile_tir
    from .tir_integration import tune_tir as tune_tir

_EXPORTS: dict[str, str] = {
    "JSONDatabase": "database:JSONDatabase",
    "compile_tir": "tir_integration:compile_tir",
    "tune_tir": "tir_integration:tune_tir",
}

__all__ = ["JSONDatabase", "compile_tir", "tune_tir"]

__getattr__, __dir__ = exports(__name__, _EXPORTS)
