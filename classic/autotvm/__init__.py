"""`tilewright.autotvm`: TVM's interface for templates with knobs, and for the search over them.

A template defines a search space of `tilewright.tune` (`template_space`), a tuner is the name of a search strategy
(`tuner`), a builder and a runner have the options of measurements (`measure`), and records are lines in TVM's format
(`record`).

    task = autotvm.task.create("matmul", args=(512, 512, 512, "float32"), target="llvm")
    option = autotvm.measure_option(builder="local", runner=autotvm.LocalRunner(number=5))
    autotvm.tuner.RandomTuner(task).tune(10, option, callbacks=[autotvm.callback.log_to_file("matmul.log")])
    with autotvm.apply_history_best("matmul.log"), tilewright.target.Target("llvm"):
        s, args = matmul(512, 512, 512, "float32")
"""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from ...lazy import exports

if TYPE_CHECKING:
    from . import callback as callback
    from . import measure as measure
    from . import record as record
    from . import task as task
    from . import tuner as tuner
    from .dispatcher import ApplyConfig as ApplyConfig
    from .dispatcher import ApplyFixedConfig as ApplyFixedConfig
    from .dispatcher import ApplyGraphBest as ApplyGraphBest
    from .dispatcher import ApplyHistoryBest as ApplyHistoryBest
    from .dispatcher import DispatchContext as DispatchContext
    from .dispatcher import FallbackContext as FallbackContext
    from .measure import LocalBuilder as LocalBuilder
    from .measure import LocalRunner as LocalRunner
    from .measure import MeasureErrorNo as MeasureErrorNo
    from .measure import MeasureInput as MeasureInput
    from .measure import MeasureResult as MeasureResult
    from .measure import RPCRunner as RPCRunner
    from .measure import measure_option as measure_option
    from .task import get_config as get_config
    from .task import register_customized_task as register_customized_task
    from .task import template as template
    from .tuner import DropletTuner as DropletTuner
    from .tuner import GATuner as GATuner
    from .tuner import GridSearchTuner as GridSearchTuner
    from .tuner import RandomTuner as RandomTuner
    from .tuner import XGBTuner as XGBTuner

_EXPORTS: dict[str, str] = {
    "ApplyConfig": "dispatcher:ApplyConfig",
    "ApplyFixedConfig": "dispatcher:ApplyFixedConfig",
    "ApplyGraphBest": "dispatcher:ApplyGraphBest",
    "ApplyHistoryBest": "dispatcher:ApplyHistoryBest",
    "DispatchContext": "dispatcher:DispatchContext",
    "FallbackContext": "dispatcher:FallbackContext",
    "DropletTuner": "tuner:DropletTuner",
    "GATuner": "tuner:GATuner",
    "GridSearchTuner": "tuner:GridSearchTuner",
    "LocalBuilder": "measure:LocalBuilder",
    "LocalRunner": "measure:LocalRunner",
    "MeasureErrorNo": "measure:MeasureErrorNo",
    "MeasureInput": "measure:MeasureInput",
    "MeasureResult": "measure:MeasureResult",
    "RPCRunner": "measure:RPCRunner",
    "RandomTuner": "tuner:RandomTuner",
    "XGBTuner": "tuner:XGBTuner",
    "apply_history_best": "dispatcher:ApplyHistoryBest",
    "get_config": "task:get_config",
    "measure_option": "measure:measure_option",
    "register_customized_task": "task:register_customized_task",
    "template": "task:template",
}
_PARTS = ("callback", "configs", "dispatcher", "entities", "measure", "record", "spaces", "task", "tuner")

GLOBAL_SCOPE = SimpleNamespace(silent=False)
"""Settings of classic programs, which change nothing."""

_name, __dir__ = exports(__name__, _EXPORTS)


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        from importlib import import_module

        return import_module(f".{name}", __name__)
    return _name(name)


def _published(target: Any, extra_files: Any = None) -> Any:
    """Return the context of configurations that are published for a target: there are none, only those of
    `extra_files`."""
    from .dispatcher import ApplyHistoryBest

    return ApplyHistoryBest(extra_files)


tophub = ModuleType(f"{__name__}.tophub", "Published configurations.")
vars(tophub).update(context=_published, __path__=[])
