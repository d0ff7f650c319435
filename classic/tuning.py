"""What programs name of `autotvm` around operators: contexts of tuned configurations, which have no effect.

    with autotvm.tophub.context("llvm"):
        ...

Default schedules need no configurations, so that a context has none to give. What would search is refused (TW0251).
"""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

from .refused import refused

__all__ = ["GLOBAL_SCOPE", "ApplyGraphBest", "ApplyHistoryBest", "DispatchContext", "FallbackContext", "task", "tophub"]
__path__: list[str] = []  # `import tilewright.autotvm.tophub` comes here


class DispatchContext:
    """Where the classic operators found configurations. `with` it nothing changes."""

    silent = False

    def __init__(self, *records: Any) -> None:
        self.memory: dict[Any, Any] = {}

    def __enter__(self) -> DispatchContext:
        return self

    def __exit__(self, *error: object) -> None:
        return None


class FallbackContext(DispatchContext):
    """The context of programs that load no configurations."""


class ApplyHistoryBest(DispatchContext):
    """The context of configurations in a file; the file is not read."""


class ApplyGraphBest(DispatchContext):
    """The context of configurations of a network; the file is not read."""


class FallbackConfigEntity:
    """A configuration that was not tuned."""

    def __init__(self) -> None:
        self.is_fallback = True


def _context(target: Any, extra_files: Any = None) -> DispatchContext:
    """The context of the configurations that are published for a target; none is loaded."""
    return DispatchContext()


GLOBAL_SCOPE = SimpleNamespace(silent=False)
"""Settings of the search."""


def _part(path: str, doc: str, **names: Any) -> ModuleType:
    """A module below this one that has these names, and refuses others."""
    module = ModuleType(f"{__name__}.{path}", doc)
    refuse = lambda name: refused(f"autotvm.{path}", "auto_scheduler", name)  # noqa: E731
    vars(module).update(names, __path__=[], __getattr__=refuse)
    return module


tophub = _part("tophub", "Published configurations.", context=_context)
space = _part("task.space", "Spaces of configurations.", FallbackConfigEntity=FallbackConfigEntity)
task = _part("task", "Tasks of a search.", space=space)


def __getattr__(name: str) -> Any:
    return refused("autotvm", "auto_scheduler", name)
