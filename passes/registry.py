"""Passes by name: a table of `"module:Class"` strings, and the passes that users register.

A pass is imported when it is used or listed. Users add passes with `register_pass`, through the entry-point group
`tilewright.plugins` (modules that register passes when they are imported), or with `opt-tool --load FILE.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import entry_points
from typing import TypeVar

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_pipeline as parse_specs
from xdsl.utils.exceptions import ArgSpecParseError

from ..diagnostics import fail
from ..diagnostics.suggestions import did_you_mean
from ..lazy import load
from .base import ALL_LEVELS, Level
from .options import instantiate

BUILTIN: dict[str, str] = {
    "align-storage": "phase1.align_storage:AlignStoragePass",
    "apply-schedule": "phase0.apply_schedule:ApplySchedulePass",
    "auto-schedule": "phase0.auto_schedule:AutoSchedulePass",
    "collapse-dimensions": "phase0.collapse_dimensions:CollapseDimensionsPass",
    "contract-fma": "phase2.contract_fma:ContractFmaPass",
    "cse": "phase3.cse:CsePass",
    "dead-code": "phase0.dead_code:DeadCodePass",
    "double-buffer": "phase1.double_buffer:DoubleBufferPass",
    "eliminate-common-subexpressions": "phase0.common_subexpressions:EliminateCommonSubexpressionsPass",
    "expand-unrolled": "phase2.expand_unrolled:ExpandUnrolledPass",
    "fix-layouts": "phase1.fix_layouts:FixLayoutsPass",
    "flatten-buffers": "phase1.flatten_buffers:FlattenBuffersPass",
    "fold-constant": "phase0.fold_constant:FoldConstantPass",
    "fuse": "phase0.fuse:FusePass",
    "hoist": "phase3.hoist:HoistPass",
    "infer-types": "phase0.infer_types:InferTypesPass",
    "lower-blocks": "phase1.lower_blocks:LowerBlocksPass",
    "lower-graph": "phase0.lower_graph:LowerGraphPass",
    "lower-intrinsics": "phase3.lower_intrinsics:LowerIntrinsicsPass",
    "lower-te": "phase0.lower_te:LowerTePass",
    "lower-vthread": "phase1.lower_vthread:LowerVthreadPass",
    "narrow-datatypes": "phase2.narrow_datatypes:NarrowDatatypesPass",
    "outline": "phase0.outline:OutlinePass",
    "parallelize": "phase0.parallelize:ParallelizePass",
    "partition-loops": "phase2.partition_loops:PartitionLoopsPass",
    "plan-allocation": "phase1.plan_allocation:PlanAllocationPass",
    "plan-memory": "phase1.plan_memory:PlanMemoryPass",
    "relax-guards": "phase1.relax_guards:RelaxGuardsPass",
    "remove-no-op": "phase3.remove_no_op:RemoveNoOpPass",
    "reorder": "phase0.reorder:ReorderPass",
    "simplify": "phase3.simplify:SimplifyPass",
    "simplify-inference": "phase0.simplify_inference:SimplifyInferencePass",
    "software-pipeline": "phase1.software_pipeline:SoftwarePipelinePass",
    "tile": "phase0.tile:TilePass",
    "trim-loops": "phase1.trim_loops:TrimLoopsPass",
    "unroll": "phase2.unroll:UnrollPass",
    "vectorize": "phase2.vectorize:VectorizePass",
}
"""Our passes: name -> "module:Class", the module relative to tilewright.passes."""

_user: dict[str, type[ModulePass]] = {}

PassT = TypeVar("PassT", bound=ModulePass)


def register_pass(phase: int, *, levels: Iterable[Level] = ALL_LEVELS) -> Callable[[type[PassT]], type[PassT]]:
    """A class decorator that makes a pass known by its name.

    ```python
    @tilewright.register_pass(phase=2)
    @dataclass(frozen=True)
    class MyPass(ModulePass):
        name = "my-pass"
        def apply(self, ctx, op): ...
    ```
    `phase` and `levels` are set on the class where it does not say them itself. Raises TilewrightError TW0211 for a
    name that is taken; the same class under the same name may be registered again, as when a module is reloaded.
    """
    if phase not in (0, 1, 2, 3):
        fail("TW0208", f"expected a phase of 0 to 3, but got {phase!r}")

    def register(cls: type[PassT]) -> type[PassT]:
        name = getattr(cls, "name", None)
        if not isinstance(name, str):
            fail("TW0208", f"expected pass {cls.__qualname__} to have a class attribute 'name'")
        known = _user.get(name)
        if name in BUILTIN or (known is not None and known.__qualname__ != cls.__qualname__):
            fail("TW0211", f"a pass named '{name}' is registered already")
        for attribute, value in (("phase", phase), ("levels", tuple(levels))):
            if not hasattr(cls, attribute):
                setattr(cls, attribute, value)
        _user[name] = cls
        return cls

    return register


def get_pass(name: str) -> type[ModulePass]:
    """The class of the pass `name`. Raises TilewrightError TW0201 with the nearest names."""
    check_name(name)
    return load(BUILTIN[name], __package__ or "") if name in BUILTIN else _user[name]


def check_name(name: str) -> None:
    """Check that there is a pass `name`. Raises TilewrightError TW0201 with the nearest names."""
    if name not in BUILTIN and name not in _user and name not in (names := pass_names()):
        fail("TW0201", f"unknown pass '{name}'{did_you_mean(name, names)}")


def pass_names() -> list[str]:
    """The names of all passes, sorted."""
    _load_plugins()
    return sorted({*BUILTIN, *_user})


def user_pass_names() -> list[str]:
    """The names of the passes that users registered, in the order of registration."""
    return list(_user)


def parse_pipeline(text: str) -> list[ModulePass]:
    """Passes from `fuse,tile{sizes=32,32},vectorize{width=16}`.

    Raises TilewrightError TW0201, TW0202 or TW0203.
    """
    try:
        specs = list(parse_specs(text.strip()))
    except ArgSpecParseError as error:
        # The error's only content is its text: position on the second line, reason on the last.
        position = re.search(r":(\d+)\n", str(error))
        where = f" at character {position[1]}" if position else ""
        reason = str(error).rstrip().rpartition("\n")[2].strip()
        fail("TW0203", f"pass pipeline '{text}' cannot be read{where}: {reason}")
    return [instantiate(get_pass(spec.name), spec) for spec in specs]


@cache
def _load_plugins() -> None:
    for plugin in entry_points(group="tilewright.plugins"):
        plugin.load()
