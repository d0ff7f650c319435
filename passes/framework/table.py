"""The table of builtin passes: the facts that the pipeline, listings and settings need.

The table avoids the import of pass modules: a pass class is imported when the pass runs. An entry repeats attributes of
the class; `tests/passes_core/test_table.py` compares them.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.passes import ModulePass

from ...lazy import load
from .base import ALL_LEVELS, Level

UPSTREAM, GRAPH, TE, BLOCK, LOOP = ALL_LEVELS
_PACKAGE = __name__.partition(".")[0]


class PassEntry(NamedTuple):
    """The facts of a pass that decide where it runs; `Pass` explains the attributes of the same names."""

    name: str
    module: str
    """The class as `"module:Class"`, the module relative to the package tilewright."""
    phase: int
    levels: tuple[Level, ...]
    default_levels: tuple[Level, ...] | None = None
    lowers_to: Level | None = None
    opt_level: int = 0

    @staticmethod
    def of(pass_: type[ModulePass]) -> PassEntry:
        """Return the entry of a pass class; a class that was written for xDSL states less, and gets the defaults."""
        return PassEntry(
            pass_.name,
            f"{pass_.__module__.removeprefix(f'{_PACKAGE}.')}:{pass_.__qualname__}",
            getattr(pass_, "phase", 0),
            getattr(pass_, "levels", ALL_LEVELS),
            getattr(pass_, "default_levels", None),
            getattr(pass_, "lowers_to", None),
            getattr(pass_, "opt_level", 0),
        )

    def load(self) -> type[ModulePass]:
        """Import the class of a builtin pass."""
        return load(self.module, _PACKAGE)


PASSES: tuple[PassEntry, ...] = (
    # Phase 0: graphs, te and upstream MLIR become loops with blocks, which schedules arrange.
    PassEntry("apply-schedule", "passes.phase0.apply_schedule:ApplySchedulePass", 0, (BLOCK,)),
    PassEntry("auto-schedule", "passes.phase0.auto_schedule:AutoSchedulePass", 0, (BLOCK,)),
    PassEntry("block-channels", "passes.phase0.block_channels:BlockChannelsPass", 0, (GRAPH,), opt_level=2),
    PassEntry("bufferize", "passes.phase0.bufferize:BufferizePass", 0, (UPSTREAM,)),
    PassEntry("collapse-dimensions", "passes.phase0.collapse_dimensions:CollapseDimensionsPass", 0, (TE,), opt_level=1),
    PassEntry("convert-affine", "passes.phase0.convert_affine:ConvertAffinePass", 0, (UPSTREAM,)),
    PassEntry("convert-func", "passes.phase0.convert_func:ConvertFuncPass", 0, (UPSTREAM,)),
    PassEntry("convert-linalg", "passes.phase0.convert_linalg:ConvertLinalgPass", 0, (UPSTREAM,)),
    PassEntry("convert-memref", "passes.phase0.convert_memref:ConvertMemrefPass", 0, (UPSTREAM,), lowers_to=TE),
    PassEntry("convert-scf", "passes.phase0.convert_scf:ConvertScfPass", 0, (UPSTREAM,)),
    PassEntry("convert-tensor", "passes.phase0.convert_tensor:ConvertTensorPass", 0, (UPSTREAM,)),
    PassEntry("convert-vector", "passes.phase0.convert_vector:ConvertVectorPass", 0, (UPSTREAM,)),
    PassEntry("dead-code", "passes.phase0.dead_code:DeadCodePass", 0, ALL_LEVELS),
    PassEntry(
        "eliminate-common-subexpressions",
        "passes.phase0.common_subexpressions:EliminateCommonSubexpressionsPass",
        0,
        (GRAPH,),
        opt_level=1,
    ),
    PassEntry("fold-constant", "passes.phase0.fold_constant:FoldConstantPass", 0, (GRAPH,), opt_level=1),
    PassEntry(
        "fuse", "passes.phase0.fuse:FusePass", 0, (GRAPH, TE, BLOCK, LOOP), default_levels=(GRAPH, TE), opt_level=1
    ),
    PassEntry("infer-types", "passes.phase0.infer_types:InferTypesPass", 0, (GRAPH,)),
    PassEntry("integer-products", "passes.phase0.integer_products:IntegerProductsPass", 0, (GRAPH,), opt_level=1),
    PassEntry("join-extremes", "passes.phase0.join_extremes:JoinExtremesPass", 0, (GRAPH,), opt_level=1),
    PassEntry("lower-graph", "passes.phase0.lower_graph:LowerGraphPass", 0, (GRAPH,), lowers_to=TE),
    PassEntry("lower-te", "passes.phase0.lower_te:LowerTePass", 0, (TE,), lowers_to=BLOCK),
    PassEntry(
        "materialize-region-results",
        "passes.phase0.materialize_region_results:MaterializeRegionResultsPass",
        0,
        (GRAPH,),
    ),
    PassEntry("outline", "passes.phase0.outline:OutlinePass", 0, (GRAPH,)),
    PassEntry("pack-weights", "passes.phase0.pack_weights:PackWeightsPass", 0, (GRAPH,), opt_level=2),
    PassEntry("parallelize", "passes.phase0.parallelize:ParallelizePass", 0, (BLOCK,)),
    PassEntry("partition-blocks", "passes.phase0.partition_blocks:PartitionBlocksPass", 0, (BLOCK,), opt_level=2),
    PassEntry("probe", "passes.phase0.probe:ProbePass", 0, (BLOCK,)),
    PassEntry("reorder", "passes.phase0.reorder:ReorderPass", 0, (BLOCK,)),
    PassEntry("share-weights", "passes.phase0.share_weights:ShareWeightsPass", 0, (GRAPH,), opt_level=2),
    PassEntry("simplify-inference", "passes.phase0.simplify_inference:SimplifyInferencePass", 0, (GRAPH,), opt_level=1),
    PassEntry("tile", "passes.phase0.tile:TilePass", 0, (BLOCK,)),
    PassEntry(
        "widen-narrow-floats", "passes.phase0.widen_narrow_floats:WidenNarrowFloatsPass", 0, (GRAPH,), opt_level=2
    ),
    PassEntry("winograd", "passes.phase0.winograd:WinogradPass", 0, (GRAPH,), opt_level=2),
    # Phase 1: loops get statements in order, threads, and buffers of fixed size and position.
    PassEntry("align-storage", "passes.phase1.align_storage:AlignStoragePass", 1, (LOOP,)),
    PassEntry("check-bounds", "passes.phase1.check_bounds:CheckBoundsPass", 1, (LOOP,)),
    PassEntry("double-buffer", "passes.phase1.double_buffer:DoubleBufferPass", 1, (LOOP,)),
    PassEntry("expand-warp-memory", "passes.phase1.expand_warp_memory:ExpandWarpMemoryPass", 1, (LOOP,)),
    PassEntry("fix-layouts", "passes.phase1.fix_layouts:FixLayoutsPass", 1, (LOOP,)),
    PassEntry("flatten-buffers", "passes.phase1.flatten_buffers:FlattenBuffersPass", 1, (LOOP,)),
    PassEntry("lower-blocks", "passes.phase1.lower_blocks:LowerBlocksPass", 1, (BLOCK, LOOP), lowers_to=LOOP),
    PassEntry(
        "lower-cross-thread-reduction",
        "passes.phase1.lower_cross_thread_reduction:LowerCrossThreadReductionPass",
        1,
        (BLOCK, LOOP),
    ),
    PassEntry("lower-prefetch", "passes.phase1.lower_prefetch:LowerPrefetchPass", 1, (BLOCK, LOOP)),
    PassEntry("lower-vthread", "passes.phase1.lower_vthread:LowerVthreadPass", 1, (LOOP,)),
    PassEntry("plan-arena", "passes.phase1.plan_arena:PlanArenaPass", 1, (LOOP,), opt_level=1),
    PassEntry("privatize-global-memory", "passes.phase1.privatize_global_memory:PrivatizeGlobalMemoryPass", 1, (LOOP,)),
    PassEntry("privatize-shared-memory", "passes.phase1.privatize_shared_memory:PrivatizeSharedMemoryPass", 1, (LOOP,)),
    PassEntry("relax-guards", "passes.phase1.relax_guards:RelaxGuardsPass", 1, (LOOP,), opt_level=2),
    PassEntry("repeat-in-threads", "passes.phase1.repeat_in_threads:RepeatInThreadsPass", 1, (LOOP,), opt_level=2),
    PassEntry("sink-allocations", "passes.phase1.sink_allocations:SinkAllocationsPass", 1, (LOOP,)),
    PassEntry("software-pipeline", "passes.phase1.software_pipeline:SoftwarePipelinePass", 1, (LOOP,)),
    PassEntry("trim-loops", "passes.phase1.trim_loops:TrimLoopsPass", 1, (LOOP,), opt_level=2),
    PassEntry("unify-thread-binding", "passes.phase1.unify_thread_binding:UnifyThreadBindingPass", 1, (LOOP,)),
    PassEntry("unsafe-select", "passes.phase1.unsafe_select:UnsafeSelectPass", 1, (LOOP,)),
    # Phase 2: loops are split, vectorized and unrolled.
    PassEntry("compact-private", "passes.phase2.compact_private:CompactPrivatePass", 2, (LOOP,), opt_level=2),
    PassEntry("contract-fma", "passes.phase2.contract_fma:ContractFmaPass", 2, (LOOP,), opt_level=2),
    PassEntry("expand-unrolled", "passes.phase2.expand_unrolled:ExpandUnrolledPass", 2, (LOOP,)),
    PassEntry("insert-barriers", "passes.phase2.insert_barriers:InsertBarriersPass", 2, (LOOP,)),
    PassEntry("narrow-datatypes", "passes.phase2.narrow_datatypes:NarrowDatatypesPass", 2, (LOOP,), opt_level=2),
    PassEntry("partition-loops", "passes.phase2.partition_loops:PartitionLoopsPass", 2, (LOOP,), opt_level=2),
    PassEntry("reuse-storage", "passes.phase2.reuse_storage:ReuseStoragePass", 2, (LOOP,), opt_level=2),
    PassEntry("store-last", "passes.phase2.store_last:StoreLastPass", 2, (LOOP,), opt_level=2),
    PassEntry("unroll", "passes.phase2.unroll:UnrollPass", 2, (LOOP,)),
    PassEntry("vectorize", "passes.phase2.vectorize:VectorizePass", 2, (LOOP,)),
    # Phase 3: expressions are simplified, and operations become those that a target has.
    PassEntry("assign-memory-spaces", "passes.phase3.assign_memory_spaces:AssignMemorySpacesPass", 3, (LOOP,)),
    PassEntry("assign-shared-offsets", "passes.phase3.assign_shared_offsets:AssignSharedOffsetsPass", 3, (LOOP,)),
    PassEntry("cse", "passes.phase3.cse:CsePass", 3, (LOOP,), opt_level=1),
    PassEntry("expand-operations", "passes.phase3.expand_operations:ExpandOperationsPass", 3, (LOOP,)),
    PassEntry("expand-registers", "passes.phase3.expand_registers:ExpandRegistersPass", 3, (LOOP,)),
    PassEntry("fuse-dot4", "passes.phase3.fuse_dot4:FuseDot4Pass", 3, (LOOP,), opt_level=2),
    PassEntry("hoist", "passes.phase3.hoist:HoistPass", 3, (LOOP,), opt_level=1),
    PassEntry("inline-calls", "passes.phase3.inline_calls:InlineCallsPass", 3, (LOOP,)),
    PassEntry("lower-intrinsics", "passes.phase3.lower_intrinsics:LowerIntrinsicsPass", 3, (LOOP,)),
    PassEntry("mark-written-out", "passes.phase3.mark_written_out:MarkWrittenOutPass", 3, (LOOP,)),
    PassEntry("note-aliases", "passes.phase3.note_aliases:NoteAliasesPass", 3, (LOOP,)),
    PassEntry("outline-parallel", "passes.phase3.outline_parallel:OutlineParallelPass", 3, (LOOP,)),
    PassEntry("remove-no-op", "passes.phase3.remove_no_op:RemoveNoOpPass", 3, (LOOP,)),
    PassEntry("select-copies", "passes.phase3.select_copies:SelectCopiesPass", 3, (LOOP,)),
    PassEntry("select-shuffles", "passes.phase3.select_shuffles:SelectShufflesPass", 3, (LOOP,)),
    PassEntry("shuffle-columns", "passes.phase3.shuffle_columns:ShuffleColumnsPass", 3, (LOOP,)),
    PassEntry("simplify", "passes.phase3.simplify:SimplifyPass", 3, (LOOP,), opt_level=1),
    PassEntry("swizzle-addresses", "passes.phase3.swizzle_addresses:SwizzleAddressesPass", 3, (LOOP,)),
    PassEntry("vectorize-lookups", "passes.phase3.vectorize_lookups:VectorizeLookupsPass", 3, (LOOP,), opt_level=2),
    PassEntry("widen-accesses", "passes.phase3.widen_accesses:WidenAccessesPass", 3, (LOOP,)),
)
"""The builtin passes by phase, in alphabetical order; `passes.pipeline` states in which order they run."""
