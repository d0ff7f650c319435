"""`tilewright.auto_scheduler`: TVM's interface for tuning workloads without templates.

The search space of a task is that of the default schedules (`tune.space`), tuning is a session of `tilewright.tune`,
and record lines contain its records (`records`).

    task = auto_scheduler.SearchTask(func=matmul_add, args=(N, L, M, "float32"), target="llvm")
    task.tune(auto_scheduler.TuningOptions(10, measure_callbacks=[auto_scheduler.RecordToFile("matmul.json")]))
    s, args = task.apply_best("matmul.json")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import exports

if TYPE_CHECKING:
    from .measure import LocalBuilder as LocalBuilder
    from .measure import LocalRPCMeasureContext as LocalRPCMeasureContext
    from .measure import LocalRunner as LocalRunner
    from .measure import RPCRunner as RPCRunner
    from .policies import PreloadCustomSketchRule as PreloadCustomSketchRule
    from .policies import PreloadMeasuredStates as PreloadMeasuredStates
    from .policies import RandomModel as RandomModel
    from .policies import SketchPolicy as SketchPolicy
    from .policies import XGBModel as XGBModel
    from .records import ApplyHistoryBest as ApplyHistoryBest
    from .records import MeasureInput as MeasureInput
    from .records import MeasureResult as MeasureResult
    from .records import RecordReader as RecordReader
    from .records import RecordToFile as RecordToFile
    from .records import load_best_record as load_best_record
    from .records import load_records as load_records
    from .records import save_records as save_records
    from .task import ComputeDAG as ComputeDAG
    from .task import SearchTask as SearchTask
    from .task import TaskScheduler as TaskScheduler
    from .task import TuningOptions as TuningOptions
    from .task import extract_kernels
    from .workload import make_workload_key as make_workload_key
    from .workload import register_workload as register_workload
    from .workload import workload_key_to_tensors as workload_key_to_tensors

    extract_tasks = extract_kernels

_EXPORTS: dict[str, str] = {
    "ApplyHistoryBest": "records:ApplyHistoryBest",
    "ComputeDAG": "task:ComputeDAG",
    "LocalBuilder": "measure:LocalBuilder",
    "LocalRPCMeasureContext": "measure:LocalRPCMeasureContext",
    "LocalRunner": "measure:LocalRunner",
    "MeasureInput": "records:MeasureInput",
    "MeasureResult": "records:MeasureResult",
    "PreloadCustomSketchRule": "policies:PreloadCustomSketchRule",
    "PreloadMeasuredStates": "policies:PreloadMeasuredStates",
    "RPCRunner": "measure:RPCRunner",
    "RandomModel": "policies:RandomModel",
    "RecordReader": "records:RecordReader",
    "RecordToFile": "records:RecordToFile",
    "SearchTask": "task:SearchTask",
    "SketchPolicy": "policies:SketchPolicy",
    "TaskScheduler": "task:TaskScheduler",
    "TuningOptions": "task:TuningOptions",
    "XGBModel": "policies:XGBModel",
    "extract_tasks": "task:extract_kernels",
    "load_best_record": "records:load_best_record",
    "load_records": "records:load_records",
    "make_workload_key": "workload:make_workload_key",
    "register_workload": "workload:register_workload",
    "save_records": "records:save_records",
    "workload_key_to_tensors": "workload:workload_key_to_tensors",
}

__getattr__, __dir__ = exports(__name__, _EXPORTS)
