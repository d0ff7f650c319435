"""Renamed public names, with their successors. An earlier name works for one release, and warns.

A rename of a public name adds a line to one of the tables. The use of an earlier name gives the successor and a
`RenamedWarning`, which command lines print as a note. Type checkers see the successors alone.
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type)

PACKAGE = __name__.partition(".")[0]

NAMES: Mapping[str, str] = {
    "analysis.equivalence.budget": "analysis.equivalence.question",
    "analysis.equivalence.failure": "analysis.equivalence.terms",
    "analysis.equivalence.refinement": "analysis.equivalence.question",
    "analysis.polyhedral.radix": "analysis.polyhedral.fused",
    "backends.c.threads": "backends.c.control",
    "backends.cache.kinds": "backends.cache.folder",
    "backends.cpu.emit.scratch": "backends.cpu.emit.function",
    "backends.cpu.library": "backends.cpu.c_interface",
    "backends.cpu.rules.hyperbolic": "backends.cpu.rules.exponential",
    "backends.cpu.tensor_intrinsics.family": "backends.cpu.tensor_intrinsics.register_tile",
    "backends.cuda.emit.async_copies": "backends.cuda.emit.memory",
    "backends.cuda.emit.reserved_names": "backends.cuda.source",
    "backends.cuda.emit.steps": "backends.cuda.emit.mathematics",
    "backends.cuda.tensor_intrinsics.fragments": "backends.cuda.fragments",
    "classic.runtime_names": "classic.ir_names",
    "classic.schedule.without_meaning": "classic.reasons",
    "classic.testing.targets": "classic.testing.marks",
    "classic.topi.internals": "classic.topi.targets",
    "diagnostics.calls": "diagnostics.expectations",
    "diagnostics.code_table.entry": "diagnostics.code_table",
    "diagnostics.codes": "diagnostics.code_table",
    "diagnostics.memory": "runtime.memory",
    "diagnostics.remark_yaml": "diagnostics.remarks",
    "diagnostics.suggestions": "diagnostics.text",
    "dialects.constant_syntax": "dialects.constant_data",
    "dialects.graph.MaxPlaces2dOp": "dialects.graph:MaxPositions2dOp",
    "dialects.graph.regions": "dialects.graph.structure",
    "dialects.loop.PlaceAttr": "dialects.loop:MemorySpaceAttr",
    "dialects.loop.columns": "dialects.loop.widths",
    "dialects.loop.permission": "dialects.loop.foreign",
    "dialects.loop.places": "dialects.loop.memory_spaces",
    "dialects.loop.scopes": "dialects.loop.buffers",
    "dialects.schedule.Signature": "dialects.schedule:PrimitiveSignature",
    "dialects.target_file": "dialects.target_text",
    "driver.two_versions": "driver.functions",
    "frontends.onnx.converters.linear": "frontends.onnx.converters.neural",
    "frontends.onnx.converters.time_axis": "frontends.onnx.converters.movement",
    "frontends.tvmscript.refusals": "frontends.tvmscript.functions",
    "operators.table": "operators.record",
    "passes.framework.definitions": "passes.framework.expression_rules",
    "passes.framework.instruments.perfetto": "passes.framework.instruments.spans",
    "passes.framework.tracing.texts": "passes.framework.tracing.page",
    "passes.framework.validation.work_estimate": "passes.framework.validation.execution",
    "passes.phase0.integer_products.reasons": "passes.phase0.integer_products.numbers",
    "passes.shared.zeros": "passes.shared.guards",
    "passes.upstream.labels": "passes.upstream.functions",
    "runtime.elsewhere": "runtime.checked_call",
    "runtime.entered": "runtime.function",
    "runtime.kernels.arrays": "runtime.kernels.layout",
    "runtime.suggestions": "runtime.text",
    "schedule.rules.cuda.product_schedule": "schedule.rules.cuda.product_form",
    "schedule.rules.reasons": "schedule.rules.block_structure",
    "schedule.stages.Schedule": "schedule.stages:LazySchedule",
    "schedule.tensor_cores.OwnElements": "schedule.tensor_cores:LaneElements",
    "schedule.tensor_cores.own_elements": "schedule.tensor_cores:share_among_lanes",
    "semantics.disjoint": "semantics.buffers",
    "semantics.divisors": "semantics.emit.scalars",
    "semantics.printing": "semantics.emit.control",
    "semantics.threads": "semantics.emit.threads",
    "semantics.widths": "semantics.emit.memory",
    "te.statement_emitter": "te.body",
    "te.tags": "te.define",
    "tools.listing": "tools.pass_descriptions",
    "tools.reference.pass_entries": "tools.reference.other_entries",
    "tools.table": "tools.terminal",
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

MEMBERS: Mapping[str, Mapping[str, str]] = {
    "backends.cuda.emit.calls.CallWriter": {"place": "address", "swizzled_place": "swizzled_address"},
    "dialects.loop.assertion.AssertOp": {"told": "message_values"},
    "dialects.loop.control.ForOp": {"apart": "disjoint", "captured_apart": "captured_disjoint"},
    "frontends.onnx.node.Node": {"places": "positions"},
    "operators.distinct.UniqueOp": {"places": "indices"},
    "operators.nonzero.NonzeroOp": {"places": "positions"},
    "operators.resampling.ResampleOp": {"places": "positions"},
    "operators.scored_boxes.ValidBoxesOp": {"places": "positions"},
    "operators.sorting.TopkOp": {"places": "positions"},
    "passes.framework.context.PassContext": {"tell": "report_keys"},
    "passes.framework.instruments.timing.TimeNode": {"own_seconds": "self_seconds"},
    "schedule.tensor_intrinsics.TensorIntrin": {"places": "positions"},
    "te.tiles.TensorRegion": {"place": "indices"},
}
"""Attributes and methods by their earlier names, for each class that is decorated with `with_earlier_members`."""

ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    "dialects.loop.control.ForOp.state_captures": {"apart": "disjoint"},
}
"""Keyword arguments by their earlier names, for each function that is decorated with `with_earlier_arguments`."""


class RenamedWarning(DeprecationWarning):
    """The use of an earlier name."""


def current_pass(name: str) -> str:
    """Return the name of a pass that is given by that name or by an earlier one. The latter warns."""
    if name not in PASSES:
        return name
    warn_of(f"pass '{name}'", f"'{PASSES[name]}'")
    return PASSES[name]


class _EarlierMember:
    """An attribute or method of objects under an earlier name."""

    def __init__(self, earlier: str, successor: str) -> None:
        self.earlier, self.successor = earlier, successor

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        self._warn(owner)
        return getattr(instance, self.successor)

    def __set__(self, instance: Any, value: Any) -> None:
        self._warn(type(instance))
        setattr(instance, self.successor, value)

    def _warn(self, owner: type) -> None:
        warn_of(f"'{owner.__name__}.{self.earlier}'", f"'{self.successor}'")


def with_earlier_members(cls: C) -> C:
    """Give a class the members that `MEMBERS` lists for it. Decorates a class, before all other decorators."""
    for earlier, successor in MEMBERS[_path_of(cls)].items():
        setattr(cls, earlier, _EarlierMember(earlier, successor))
    return cls


def with_earlier_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function take the keyword arguments that `ARGUMENTS` lists for it. Decorates a function."""
    names = ARGUMENTS[_path_of(function)]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        for name in names.keys() & kwargs.keys():
            warn_of(f"argument '{name}' of '{function.__qualname__}'", f"'{names[name]}'")
            kwargs[names[name]] = kwargs.pop(name)
        return function(*args, **kwargs)

    return call


def _path_of(named: Any) -> str:
    """Return the path of a class or a function below the package."""
    return f"{named.__module__.partition('.')[2]}.{named.__qualname__}"


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
