"""The functions that make graph operators, by the operators' names."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.dialects import graph

from .graph_modules import GraphWriter

Maker = Callable[[GraphWriter], None]
MAKERS: dict[str, Maker] = {}
"""Makers of operators by name."""


def makes(*names: str) -> Callable[[Callable[[GraphWriter, type[graph.GraphOp]], None]], None]:
    """Let a function make the operators of these names."""

    def register(function: Callable[[GraphWriter, type[graph.GraphOp]], None]) -> None:
        for name in names:
            op = graph.OPERATIONS[name]
            MAKERS[name] = lambda writer, op=op: function(writer, op)

    return register
