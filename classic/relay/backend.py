"""`relay.backend.Executor` and `Runtime`: the executor and the runtime for which a model is built."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...diagnostics.errors import UnknownNameError

_C_FILE = "`tilewright compile MODEL -o x.c` writes a model as C without a runtime"


class Executor:
    """An executor by its name; models are built for "graph"."""

    def __init__(self, name: str, options: Mapping[str, Any] | None = None) -> None:
        self.name, self.options = name, dict(options or {})

    def __repr__(self) -> str:
        return f"Executor({self.name!r})"


class Runtime:
    """A runtime by its name; models are built for "cpp", which is this package's."""

    def __init__(self, name: str, options: Mapping[str, Any] | None = None) -> None:
        self.name, self.options = name, dict(options or {})

    def __repr__(self) -> str:
        return f"Runtime({self.name!r})"


def expect_graph_executor(executor: Any, runtime: Any) -> None:
    """Raise TW0251 for an executor or a runtime that this package lacks."""
    for what, given, known in (("executor", executor, "graph"), ("runtime", runtime, "cpp")):
        name = getattr(given, "name", given)
        if name not in (None, known):
            raise UnknownNameError("TW0251", f"{what} {name!r} is not part of this package", help=_C_FILE)
