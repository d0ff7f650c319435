"""Workloads: functions of sizes that give tensors, known by name, and the keys that record lines have for them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from ...diagnostics import fail
from ...diagnostics.expectations import expect_type
from ...diagnostics.text import did_you_mean
from ...te import Placeholder, Tensor
from ..autotvm.task import NO_TEMPLATE, NOT_A_SCHEDULE, args_to_workload

F = TypeVar("F", bound=Callable[..., Any])

_workloads: dict[str, Callable[..., Any]] = {}


def register_workload(func_name: Any, f: Callable[..., Any] | None = None, override: bool = False) -> Any:
    """Register a function of sizes and types that returns all its tensors, inputs and outputs; decorates it.

    It is known by its name, or by the text that comes first. Raises TilewrightError TW0871 where another function has
    the name, unless `override` is set.
    """
    if callable(func_name):
        function = cast("Callable[..., Any]", func_name)
        return _entered(function.__name__, function, override)
    expect_type("func_name", func_name, str)
    if f is not None:
        return _entered(func_name, f, override)

    def decorate(function: F) -> F:
        return _entered(func_name, function, override)

    return decorate


def _entered(name: str, function: F, override: bool) -> F:
    known = _workloads.get(name)
    again = known is not None and (known.__module__, known.__qualname__) == (function.__module__, function.__qualname__)
    if known is not None and not override and not again:
        fail(NO_TEMPLATE, f"expected a new name of a workload, but '{name}' is {known.__module__}.{known.__qualname__}")
    _workloads[name] = function
    return function


def make_workload_key(func: Callable[..., Any] | str, args: Sequence[Any]) -> str:
    """Return the key of a workload and its arguments, a JSON list. Raises TilewrightError TW0871 for an unknown
    workload."""
    name = func if isinstance(func, str) else func.__name__
    _function(name)
    return json.dumps([name, *args_to_workload(args)])


def workload_key_to_tensors(workload_key: str) -> list[Tensor]:
    """Return the tensors of a key. Raises TilewrightError TW0871 for a text that is no key of a registered
    workload."""
    try:
        name, *arguments = json.loads(workload_key)
    except ValueError:
        fail(NO_TEMPLATE, f"expected a key of make_workload_key, but got {workload_key!r}")
    found: Any = _function(name)(*arguments)
    tensors: list[Any] = list(found) if isinstance(found, (list, tuple)) else [found]
    computed = [t for t in tensors if isinstance(t, Tensor) and not isinstance(t.op, Placeholder)]
    if not computed or any(not isinstance(t, Tensor) for t in tensors):
        kinds = ", ".join(type(t).__name__ for t in tensors)
        fail(
            NOT_A_SCHEDULE,
            f"expected workload '{name}' to return its tensors, results among them, but got {kinds}",
            help="end the workload with `return [A, B, C]`",
        )
    return tensors


def _function(name: str) -> Callable[..., Any]:
    found = _workloads.get(name)
    if found is None:
        fail(
            NO_TEMPLATE,
            f"expected the name of a workload, but got '{name}'{did_you_mean(name, _workloads)}",
            help="register it with @auto_scheduler.register_workload",
        )
    return found
