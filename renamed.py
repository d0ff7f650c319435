"""Public names that have changed, with their successors. Each works for one release, and warns.

A rename of something public adds a line to one of the tables. Whoever uses an earlier name gets the successor and a
`RenamedWarning`, which command lines print as a note. Type checkers see the successors alone.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping

PACKAGE = __name__.partition(".")[0]

NAMES: Mapping[str, str] = {
    "analysis.equivalence.budget": "analysis.equivalence.question",
    "analysis.equivalence.failure": "analysis.equivalence.terms",
    "analysis.equivalence.refinement": "analysis.equivalence.question",
    "analysis.polyhedral.radix": "analysis.polyhedral.fused",
    "dialects.graph.MaxPlaces2dOp": "dialects.graph:MaxPositions2dOp",
    "dialects.loop.PlaceAttr": "dialects.loop:MemorySpaceAttr",
    "dialects.loop.places": "dialects.loop.memory_spaces",
    "dialects.schedule.Signature": "dialects.schedule:PrimitiveSignature",
    "schedule.tensor_cores.OwnElements": "schedule.tensor_cores:LaneElements",
    "schedule.tensor_cores.own_elements": "schedule.tensor_cores:share_among_lanes",
    "semantics.disjoint": "semantics.buffers",
    "semantics.divisors": "semantics.emit.scalars",
    "semantics.printing": "semantics.emit.control",
    "semantics.threads": "semantics.emit.threads",
    "semantics.widths": "semantics.emit.memory",
    "te.statement_emitter": "te.body",
    "te.tags": "te.define",
    "topi.keywords": "topi.arguments",
    "tune.measure.Program": "tune.measure:CompiledProgram",
    "tune.measure.cpu_locks": "tune.measure.worker",
    "tune.measures": "tune.session",
    "tune.rule_space": "tune.space",
}
"""Modules, and names in them, by their earlier paths below the package: the module that a module is, with all modules
below it, or an object as `"module:Name"`. A name is looked up where its module lacks it; a module without `__getattr__`
gets one by `__getattr__, __dir__ = lazy.exports(__name__, {})`. Paths that stay beside others, without a warning, stand
in the table of the package's root."""

PASSES: Mapping[str, str] = {
    "place-allocations": "assign-memory-spaces",
    "place-global-memory": "privatize-global-memory",
    "place-shared-memory": "assign-shared-offsets",
    "place-thread-memory": "privatize-shared-memory",
    "place-warp-memory": "expand-warp-memory",
    "plan-allocation": "sink-allocations",
    "plan-memory": "plan-arena",
    "settle-regions": "materialize-region-results",
}
"""Passes by their earlier names."""


class RenamedWarning(DeprecationWarning):
    """The use of an earlier name."""


def current_pass(name: str) -> str:
    """Return the name of a pass that is given by that name or by an earlier one. The latter warns."""
    if name not in PASSES:
        return name
    warn_of(f"pass '{name}'", f"'{PASSES[name]}'")
    return PASSES[name]


def warn_of(earlier: str, successor: str) -> None:
    """Warn of an earlier name at the line outside of this package that uses it."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in (PACKAGE, "importlib"):
        frame = frame.f_back
    warnings.warn_explicit(
        f"{earlier} is called {successor}; the earlier name goes with the next minor version",
        RenamedWarning,
        frame.f_code.co_filename,
        frame.f_lineno,
        module=frame.f_globals.get("__name__"),
        registry=frame.f_globals.setdefault("__warningregistry__", {}),
    )
