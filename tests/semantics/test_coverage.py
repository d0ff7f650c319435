"""Every operation of the dialects has a meaning."""

from __future__ import annotations

import pytest
import tilewright.operators  # noqa: F401  (registers the references of graph)
from tilewright.dialects.graph import Graph
from tilewright.dialects.loop import Loop
from tilewright.dialects.te import TE
from tilewright.semantics.emit.function import emitters
from tilewright.semantics.program import has_semantics
from xdsl.dialects.arith import Arith
from xdsl.dialects.math import Math


def names(*dialects: object) -> list[str]:
    return sorted(op.name for dialect in dialects for op in dialect.operations)  # pyright: ignore


@pytest.mark.each("name", [*names(Loop, TE, Arith, Math), "func.call", "func.return", "vector.broadcast"])
def test_is_translated(name: str) -> None:
    assert name in emitters()
    assert has_semantics(name)


@pytest.mark.each("name", sorted(set(names(Graph)) - {"graph.constant", "graph.fused", "graph.yield"}))
def test_operators_have_references(name: str) -> None:
    assert has_semantics(name)


def test_what_the_cpu_backend_executes_has_semantics() -> None:
    from tilewright.backends.cpu.emit.dispatch import PREPARE

    assert {name for name in PREPARE if not has_semantics(name)} == set()


def test_unknown() -> None:
    assert not has_semantics("memref.load")
    assert not has_semantics("graph.nonsense")
