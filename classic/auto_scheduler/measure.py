"""Builders and runners of `auto_scheduler`, with TVM's defaults."""

from __future__ import annotations

from typing import Any

from ...diagnostics.expectations import coded_methods
from ..autotvm.measure import LocalBuilder as AutotvmBuilder
from ..autotvm.measure import LocalRunner as AutotvmRunner
from ..autotvm.measure import refuse_remote

__all__ = ["LocalBuilder", "LocalRPCMeasureContext", "LocalRunner", "RPCRunner"]


@coded_methods
class LocalBuilder(AutotvmBuilder):
    """Compiles candidates on this machine: `timeout` seconds at most for each, `n_parallel` at once."""

    def __init__(self, timeout: float = 15, n_parallel: int | None = None, build_func: Any = "default") -> None:
        super().__init__(timeout, n_parallel, build_func=build_func)


@coded_methods
class LocalRunner(AutotvmRunner):
    """Runs candidates on this machine, one at a time; `min_repeat_ms` milliseconds make a sample at least."""

    def __init__(
        self,
        timeout: float = 10,
        number: int = 3,
        repeat: int = 1,
        min_repeat_ms: int = 100,
        cooldown_interval: float = 0.0,
        enable_cpu_cache_flush: bool = False,
        device: int = 0,
    ) -> None:
        super().__init__(timeout, number, repeat, min_repeat_ms, cooldown_interval, enable_cpu_cache_flush)


class RPCRunner:
    """Runs on machines of a tracker: refused with TW0251."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        refuse_remote("auto_scheduler.RPCRunner")


class LocalRPCMeasureContext:
    """A runner for a GPU of this machine, as `runner`. Programs run in a separate process with any runner."""

    def __init__(self, priority: int = 1, n_parallel: int = 1, **options: Any) -> None:
        self.runner = LocalRunner(**options)
