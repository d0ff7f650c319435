"""Passes by name: a table of `"module:Class"` strings, and the passes that users register.

A pass is imported when it is used or listed. Users add passes with `register_pass`: in their program, in a plugin
(`tilewright.plugins`), or in a file for `opt-tool --load FILE.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_pipeline as parse_specs
from xdsl.utils.exceptions import ArgSpecParseError

from ...diagnostics import fail
from ...diagnostics.expectations import expect_type
from ...diagnostics.suggestions import did_you_mean
from ...lazy import load
from ...plugins import load_plugins, origin, plugin_failures, universes
from .base import Level, Pass, axioms_labelled
from .options import instantiate

if TYPE_CHECKING:
    from .custom import Custom

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

BUILTIN: dict[str, str] = {
    "align-storage": "passes.phase1.align_storage:AlignStoragePass",
    "apply-schedule": "passes.phase0.apply_schedule:ApplySchedulePass",
    "auto-schedule": "passes.phase0.auto_schedule:AutoSchedulePass",
    "block-channels": "passes.phase0.block_channels:BlockChannelsPass",
    "check-bounds": "passes.phase1.check_bounds:CheckBoundsPass",
    "bufferize": "passes.phase0.bufferize:BufferizePass",
    "collapse-dimensions": "passes.phase0.collapse_dimensions:CollapseDimensionsPass",
    "compact-private": "passes.phase2.compact_private:CompactPrivatePass",
    "contract-fma": "passes.phase2.contract_fma:ContractFmaPass",
    "fuse-dot4": "passes.phase3.fuse_dot4:FuseDot4Pass",
    "vectorize-lookups": "passes.phase3.vectorize_lookups:VectorizeLookupsPass",
    "convert-affine": "passes.phase0.convert_affine:ConvertAffinePass",
    "convert-func": "passes.phase0.convert_func:ConvertFuncPass",
    "convert-linalg": "passes.phase0.convert_linalg:ConvertLinalgPass",
    "convert-memref": "passes.phase0.convert_memref:ConvertMemrefPass",
    "convert-scf": "passes.phase0.convert_scf:ConvertScfPass",
    "convert-tensor": "passes.phase0.convert_tensor:ConvertTensorPass",
    "convert-vector": "passes.phase0.convert_vector:ConvertVectorPass",
    "cse": "passes.phase3.cse:CsePass",
    "dead-code": "passes.phase0.dead_code:DeadCodePass",
    "double-buffer": "passes.phase1.double_buffer:DoubleBufferPass",
    "eliminate-common-subexpressions": "passes.phase0.common_subexpressions:EliminateCommonSubexpressionsPass",
    "expand-operations": "passes.phase3.expand_operations:ExpandOperationsPass",
    "expand-registers": "passes.phase3.expand_registers:ExpandRegistersPass",
    "expand-unrolled": "passes.phase2.expand_unrolled:ExpandUnrolledPass",
    "fix-layouts": "passes.phase1.fix_layouts:FixLayoutsPass",
    "flatten-buffers": "passes.phase1.flatten_buffers:FlattenBuffersPass",
    "fold-constant": "passes.phase0.fold_constant:FoldConstantPass",
    "fuse": "passes.phase0.fuse:FusePass",
    "hoist": "passes.phase3.hoist:HoistPass",
    "infer-types": "passes.phase0.infer_types:InferTypesPass",
    "inline-calls": "passes.phase3.inline_calls:InlineCallsPass",
    "insert-barriers": "passes.phase2.insert_barriers:InsertBarriersPass",
    "integer-products": "passes.phase0.integer_products:IntegerProductsPass",
    "join-extremes": "passes.phase0.join_extremes:JoinExtremesPass",
    "lower-blocks": "passes.phase1.lower_blocks:LowerBlocksPass",
    "lower-cross-thread-reduction": "passes.phase1.lower_cross_thread_reduction:LowerCrossThreadReductionPass",
    "lower-graph": "passes.phase0.lower_graph:LowerGraphPass",
    "lower-intrinsics": "passes.phase3.lower_intrinsics:LowerIntrinsicsPass",
    "lower-prefetch": "passes.phase1.lower_prefetch:LowerPrefetchPass",
    "lower-te": "passes.phase0.lower_te:LowerTePass",
    "lower-vthread": "passes.phase1.lower_vthread:LowerVthreadPass",
    "mark-written-out": "passes.phase3.mark_written_out:MarkWrittenOutPass",
    "narrow-datatypes": "passes.phase2.narrow_datatypes:NarrowDatatypesPass",
    "outline": "passes.phase0.outline:OutlinePass",
    "note-aliases": "passes.phase3.note_aliases:NoteAliasesPass",
    "outline-parallel": "passes.phase3.outline_parallel:OutlineParallelPass",
    "pack-weights": "passes.phase0.pack_weights:PackWeightsPass",
    "parallelize": "passes.phase0.parallelize:ParallelizePass",
    "partition-blocks": "passes.phase0.partition_blocks:PartitionBlocksPass",
    "partition-loops": "passes.phase2.partition_loops:PartitionLoopsPass",
    "place-allocations": "passes.phase3.place_allocations:PlaceAllocationsPass",
    "place-global-memory": "passes.phase1.place_global_memory:PlaceGlobalMemoryPass",
    "place-shared-memory": "passes.phase3.place_shared_memory:PlaceSharedMemoryPass",
    "place-thread-memory": "passes.phase1.place_thread_memory:PlaceThreadMemoryPass",
    "place-warp-memory": "passes.phase1.place_warp_memory:PlaceWarpMemoryPass",
    "plan-allocation": "passes.phase1.plan_allocation:PlanAllocationPass",
    "plan-memory": "passes.phase1.plan_memory:PlanMemoryPass",
    "relax-guards": "passes.phase1.relax_guards:RelaxGuardsPass",
    "remove-no-op": "passes.phase3.remove_no_op:RemoveNoOpPass",
    "probe": "passes.phase0.probe:ProbePass",
    "reorder": "passes.phase0.reorder:ReorderPass",
    "repeat-in-threads": "passes.phase1.repeat_in_threads:RepeatInThreadsPass",
    "reuse-storage": "passes.phase2.reuse_storage:ReuseStoragePass",
    "select-copies": "passes.phase3.select_copies:SelectCopiesPass",
    "select-shuffles": "passes.phase3.select_shuffles:SelectShufflesPass",
    "settle-regions": "passes.phase0.settle_regions:SettleRegionsPass",
    "share-weights": "passes.phase0.share_weights:ShareWeightsPass",
    "shuffle-columns": "passes.phase3.shuffle_columns:ShuffleColumnsPass",
    "simplify": "passes.phase3.simplify:SimplifyPass",
    "simplify-inference": "passes.phase0.simplify_inference:SimplifyInferencePass",
    "software-pipeline": "passes.phase1.software_pipeline:SoftwarePipelinePass",
    "store-last": "passes.phase2.store_last:StoreLastPass",
    "swizzle-addresses": "passes.phase3.swizzle_addresses:SwizzleAddressesPass",
    "tile": "passes.phase0.tile:TilePass",
    "trim-loops": "passes.phase1.trim_loops:TrimLoopsPass",
    "unify-thread-binding": "passes.phase1.unify_thread_binding:UnifyThreadBindingPass",
    "unroll": "passes.phase2.unroll:UnrollPass",
    "unsafe-select": "passes.phase1.unsafe_select:UnsafeSelectPass",
    "vectorize": "passes.phase2.vectorize:VectorizePass",
    "widen-accesses": "passes.phase3.widen_accesses:WidenAccessesPass",
    "widen-narrow-floats": "passes.phase0.widen_narrow_floats:WidenNarrowFloatsPass",
    "winograd": "passes.phase0.winograd:WinogradPass",
}
"""Our passes: name -> "module:Class", the module relative to tilewright."""

_user: dict[str, type[ModulePass]] = {}

CustomT = TypeVar("CustomT", bound="Custom")


def register_pass(
    phase: int,
    *,
    name: str | None = None,
    levels: Iterable[Level] | None = None,
    reassociates: bool = False,
    contracts: bool = False,
    axioms: Iterable[str] = (),
    opt_level: int = 0,
) -> Callable[[CustomT], CustomT]:
    """A decorator that makes a pass known by its name: a pass class, a function, a rewrite pattern or a list of them.

    ```python
    @tilewright.register_pass(phase=2)
    @dataclass(frozen=True)
    class MyPass(ModulePass):
        name = "my-pass"
        def apply(self, ctx, op): ...

    @tilewright.register_pass(phase=2)
    def other_pass(ctx, module, *, width: int = 8): ...  # other-pass{width=8}

    tilewright.register_pass(phase=3, name="algebra")([DoubleNegation, SquareOfNegation])
    ```
    Nothing runs it yet: `PassContext(add_lower_pass=...)` or `--pass` does. `name` is by default the name of the
    function or pattern, its words joined by `-`. `phase`, `levels` (by default all), `reassociates`, `contracts` and
    `axioms` (what the pass may do to arithmetic, which validation and proofs then allow) and `opt_level` are what
    `Pass` has under these names; what a class says itself is kept.

    Raises TilewrightError TW0211 for a name that is taken; what has the same name and stands at the same place of the
    same module may be registered again, as when a module is reloaded. TW0208 for what is no pass, TW0240 for the label
    of no axiom.
    """
    if phase not in (0, 1, 2, 3):
        fail("TW0208", f"expected a phase of 0 to 3, but got {phase!r}", help="write @register_pass(phase=2)")

    said = {"phase": phase, "levels": None if levels is None else tuple(levels)}
    said |= {"reassociates": reassociates or None, "contracts": contracts or None, "axioms": _axioms(axioms)}
    said |= {"opt_level": opt_level or None}

    def register(custom: CustomT) -> CustomT:
        from .custom import pass_class

        cls = pass_class(custom, name)
        _add(cls)
        for attribute, value in said.items():
            if value is not None and not (custom is cls and _says(cls, attribute)):
                setattr(cls, attribute, value)
        return custom

    return register


def _axioms(labels: Iterable[str]) -> tuple[str, ...] | None:
    """The labels, known to be right; None where nothing is said."""
    given = tuple(labels)
    if given:
        axioms_labelled(given)
    return given or None


def unregister_pass(name: str) -> None:
    """Forget a pass that a user registered. Raises TilewrightError TW0201 where there is none of that name."""
    expect_type("name", name, str)
    if name not in _user:
        reason = "is one of the compiler's" if name in BUILTIN else f"is not registered{did_you_mean(name, _user)}"
        fail("TW0201", f"expected the name of a registered pass, but '{name}' {reason}")
    del _user[name]


def _add(cls: type[ModulePass]) -> None:
    name = getattr(cls, "name", None)
    if not isinstance(name, str):
        fail("TW0208", f"expected pass {cls.__qualname__} to have a class attribute 'name'")
    if not _NAME.fullmatch(name):
        fail("TW0208", f"expected a letter, then letters, digits, '-' and '_' in the name of a pass, but got '{name}'")
    if name in BUILTIN:
        fail("TW0211", f"the compiler has a pass named '{name}'")
    known = _user.get(name)
    if known is not None and origin(known) != origin(cls):
        fail(
            "TW0211",
            f"a pass named '{name}' is registered already, by {known.__module__}.{known.__qualname__}",
            help=f"tilewright.unregister_pass('{name}') forgets that one",
        )
    _user[name] = cls


def _says(cls: type[ModulePass], attribute: str) -> bool:
    """Whether a pass class, or a class that it derives from, says this of itself."""
    return any(attribute in vars(base) for base in cls.__mro__ if base is not Pass)


def get_pass(name: str) -> type[ModulePass]:
    """The class of the pass `name`. Raises TilewrightError TW0201 with the nearest names."""
    check_name(name)
    if name in BUILTIN:
        return load(BUILTIN[name], __name__.partition(".")[0])
    return _user[name] if name in _user else _of_universes()[name]()


def check_name(name: str) -> None:
    """Check that there is a pass `name`. Raises TilewrightError TW0201 with the nearest names."""
    if name not in BUILTIN and name not in _user and name not in (names := pass_names()):
        fail("TW0201", f"unknown pass '{name}'{did_you_mean(name, names)}", notes=plugin_failures())


def pass_names() -> list[str]:
    """The names of all passes, sorted."""
    load_plugins()
    return sorted({*BUILTIN, *_user, *_of_universes()})


def _of_universes() -> dict[str, Callable[[], type[ModulePass]]]:
    """The passes that other packages bring to everybody who uses xDSL."""
    return {name: make for universe in universes() for name, make in universe.all_passes.items()}


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
