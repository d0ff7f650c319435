"""The order of passes: the default pipeline, and the conversions between levels.

`PHASES` lists the passes of each phase in order. The comment before a pass gives the reason for its position.
`default_pipeline` selects passes by the module's level, the target and the context. `with_conversions` inserts the
conversions that an explicit list of passes needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.passes import ModulePass

from ..diagnostics import fail
from .framework.base import ALL_LEVELS, Level
from .framework.context import PassContext
from .framework.options import instantiate
from .framework.registry import entry_of, get_pass, parse_pipeline, pipeline_specs
from .framework.table import PassEntry
from .framework.user_dialects import user_lowerings

UPSTREAM: tuple[str, ...] = (
    # Tensors that te cannot express become buffers, which the following conversions lower.
    "bufferize",
    # Vectors before functions: arguments and results of vectors become buffers.
    "convert-vector",
    # Functions and their sizes before their bodies, because the conversions of bodies ask for extents.
    "convert-func",
    # Tensors become te.
    "convert-tensor",
    # Operations on memrefs become loops. Views stay between accesses and buffers until all accesses are converted.
    "convert-linalg",
    "convert-affine",
    "convert-scf",
    "convert-memref",
)
"""The conversions of upstream MLIR."""

PHASES: dict[int, tuple[str, ...]] = {
    0: (
        # Upstream MLIR becomes te and loops.
        *UPSTREAM,
        # graph: types first, because every later rewrite reads shapes.
        "infer-types",
        # Before constants are folded: each scale and each weight is a separate constant, as the model states it.
        "integer-products",
        # Operators of float16 become those of float32, which all later passes optimize.
        "widen-narrow-floats",
        # Operators of training fold into their producers; operators that became constant are then evaluated once.
        "simplify-inference",
        "fold-constant",
        # Weights are constants with their final scales, so they can be packed. fold-constant evaluates other packing.
        "block-channels",
        # Convolutions have blocks of channels, and their weights are still constants in the module.
        "winograd",
        # Products of matrices have no blocks of channels; their weights are still constants in the module.
        "pack-weights",
        "fold-constant",
        # Weights have their final layouts, so that equal contents in another order are found.
        "share-weights",
        "eliminate-common-subexpressions",
        # After equal values are one: reductions of one value are found.
        "join-extremes",
        "dead-code",
        # Groups become kernels, which are lowered separately and shared by calls of equal structure.
        "fuse",
        # Values that branches and loops yield are computed by kernels, in the buffers of the results.
        "materialize-region-results",
        "outline",
        "lower-graph",
        # te: inline intermediate tensors of a kernel, then merge dimensions as far as its accesses allow. Both need
        # value semantics, so they come before loops exist.
        "fuse",
        "collapse-dimensions",
        "lower-te",
        # Each range of a concatenation becomes a block, which gets a separate schedule.
        "partition-blocks",
        # Loops with blocks: the last level at which statements can move freely.
        "auto-schedule",
    ),
    1: (
        # While the loops with requests still access the buffers that the schedule saw, in their original shapes.
        "lower-prefetch",
        # While blocks still state which loops are reductions.
        "lower-cross-thread-reduction",
        # Blocks become plain statements: from here on their order is fixed.
        "lower-blocks",
        # Before any pass relies on accesses inside their buffers, and while loads are scalar: a computed condition
        # cannot guard a single lane.
        "unsafe-select",
        # While buffers have the shapes that users know, and indices are expressions of the original loops.
        "check-bounds",
        # Each virtual thread gets a part of the buffers allocated inside, before passes move or shrink these.
        "lower-vthread",
        # Buffers shrink to the region that one iteration accesses: then it is known which writes are private.
        "sink-allocations",
        # After buffers have their sizes, which follow from the extents of the original loops over threads.
        "unify-thread-binding",
        # The warps are known, and allocations are still of the memory of one warp.
        "expand-warp-memory",
        # The numbers of blocks and threads are known; each allocates separately until the arena holds all buffers.
        "privatize-global-memory",
        # The number of threads is known, and dimensions still separate the elements of different threads.
        "repeat-in-threads",
        "privatize-shared-memory",
        # Strides that a schedule asks for, before fix-layouts fixes all others.
        "align-storage",
        # Buffers have their final sizes, and get a dimension of versions while dimensions exist. The loop becomes
        # several, so this comes before decisions about single loops.
        "software-pipeline",
        "double-buffer",
        # Strides become part of index expressions: from here on dimensions are not bounds of an access.
        "fix-layouts",
        "flatten-buffers",
        # Tiles end at the border of their tensor, while guards still state the border.
        "trim-loops",
        # Statements that write private buffers only lose guards; buffers are flat, so reads beyond a row stay inside.
        "relax-guards",
        # One arena for main, kernels' workspaces included, once all sizes are final.
        "plan-arena",
    ),
    2: (
        # Split ranges while conditions refer to loop variables; lanes take the remaining conditions as masks.
        "partition-loops",
        "vectorize",
        # After vectors exist, because a narrow type doubles the lanes; before bodies are repeated.
        "narrow-datatypes",
        # Vectors have replaced loops, which shows the operations that work in place; before bodies are repeated.
        "reuse-storage",
        "unroll",
        # After vectors exist, so that one rewrite serves scalars and vectors.
        "contract-fma",
        # Unrolled loops are still loops, and their computation is final: registers can hold its results.
        "store-last",
        # No later pass moves or repeats statements, so that the barriers between them are final.
        "insert-barriers",
        # The loops over threads are one nest: private buffers shrink to the part of one thread.
        "compact-private",
    ),
    3: (
        "simplify",
        "remove-no-op",
        # Functions of narrow floats become those of f32, which have rules.
        "expand-operations",
        # After vectorization, unrolling and expansion: the operands of the instruction are visible.
        "fuse-dot4",
        # No later pass makes vectors of loops, or loops of vectors.
        "vectorize-lookups",
        "lower-intrinsics",
        # Hoisting exposes equal expressions of sibling loops to cse; remove-no-op erases the dead ones.
        "hoist",
        "cse",
        "remove-no-op",
    ),
}
"""The passes of each phase in order, as in `opt-tool --pass`."""

LEGALIZATION: tuple[str, ...] = (
    # Operations that rules for intrinsics introduced.
    "expand-operations",
    # Only variables of unrolled loops may index registers; loops of one iteration become such.
    "mark-written-out",
    # No later pass makes or moves a buffer.
    "assign-memory-spaces",
    # Chunks of registers have their sizes.
    "shuffle-columns",
    # No later pass makes a call or a view.
    "note-aliases",
    # The attributes of arguments decide which captured buffers are noalias.
    "outline-parallel",
)
"""The passes that end phase 3, unless a backend names others. They state the decisions of an emitter in the IR."""


LAST_PHASE = max(PHASES)

CONVERSIONS: dict[Level, tuple[str, ...]] = {
    Level.UPSTREAM: UPSTREAM,
    Level.GRAPH: ("materialize-region-results", "outline", "lower-graph"),
    Level.TE: ("lower-te",),
    Level.BLOCK: ("lower-blocks",),
}
"""The passes that lower a module from each level to the next one."""


def default_pipeline(level: Level, last_phase: int = 3, legalization: Sequence[str] = LEGALIZATION) -> list[ModulePass]:
    """Return the passes that lower a module of `level` through phases 0 to `last_phase`.

    `legalization` has the passes that end phase 3 for the module's target, `backends.legalization_of`.

    A pass is omitted if it does not work on the level that the module has at this point, or if the current
    `PassContext` does not enable it. Both follow from the table of passes, so that only passes that run are imported.
    Passes that the context adds run at the end of their phase, after the conversions that they need. In the last phase
    `legalization` follows them, because it applies to the IR that they leave.

    Raises TilewrightError TW0205 for an added pass that needs a higher level, TW0213 for a disabled conversion.
    """
    context = PassContext.current()
    passes = user_lowerings(level)

    def append(names: Sequence[str]) -> None:
        nonlocal level
        for spec in pipeline_specs(",".join(_with_settings(name, context) for name in names)):
            entry = entry_of(spec.name)
            if level in (entry.default_levels or entry.levels) and context.enabled(entry):
                passes.append(instantiate(get_pass(spec.name), spec))
                passes.extend(_lowerings_between(level, level_after(entry, level)))
                level = level_after(entry, level)

    for phase in range(last_phase + 1):
        append(PHASES[phase])
        added = with_conversions(context.added(phase), level)
        for pass_ in added:
            level = level_after(pass_, level)
        passes += added
    if last_phase == LAST_PHASE:
        append(legalization)
    return passes


def _with_settings(name: str, context: PassContext) -> str:
    """Return a pass of the default pipeline with the options that the context implies."""
    if name == "check-bounds" and context.is_unchecked:
        return "check-bounds{checks=false}"  # the setting states that the caller guarantees indices
    if name == "unroll" and context.opt_level == 0:
        return "unroll{factor=1}"  # only loops that a schedule unrolls
    return name


def with_conversions(passes: Sequence[ModulePass], level: Level, *, insert: bool = True) -> list[ModulePass]:
    """Return `passes` for a module of `level`, with the conversions that lower the module to the level of each pass.

    Raises TilewrightError TW0205 if a pass needs a higher level, or if a conversion is missing and `insert` is false.
    """
    result: list[ModulePass] = []
    for pass_ in passes:
        if level not in levels_of(pass_):
            lower = [below for below in levels_of(pass_) if below < level]
            if not lower or not insert:
                _fail_level(pass_, level, forbidden=bool(lower))
            conversions = conversion(level, max(lower))
            result += conversions
            level = max(lower)
        result.append(pass_)
        level = level_after(pass_, level)
    return result


def conversion(above: Level, below: Level) -> list[ModulePass]:
    """Return the passes that lower a module from level `above` to level `below`."""
    passes: list[ModulePass] = []
    level = above
    while level > below:
        step = parse_pipeline(",".join(CONVERSIONS[level]))
        after = min([Level(level - 1), *(level_after(pass_, level) for pass_ in step)])
        passes += [*user_lowerings(level), *step, *_lowerings_between(level, after + 1)]
        level = after
    return passes


def _lowerings_between(above: int, last: int) -> list[ModulePass]:
    """Return the passes that lower users' dialects of the levels below `above` down to `last`."""
    return [pass_ for level in range(above - 1, last - 1, -1) for pass_ in user_lowerings(Level(level))]


def levels_of(pass_: ModulePass | PassEntry) -> tuple[Level, ...]:
    """Return the levels that a pass works on; a pass written for xDSL works on all."""
    return getattr(pass_, "levels", ALL_LEVELS)


def level_after(pass_: ModulePass | PassEntry, level: Level) -> Level:
    """Return the level of a module of `level` after `pass_`."""
    lowered: Level | None = getattr(pass_, "lowers_to", None)
    return level if lowered is None else min(level, lowered)


def _fail_level(pass_: ModulePass, level: Level, *, forbidden: bool) -> None:
    works_on = ", ".join(str(level) for level in levels_of(pass_))
    fail(
        "TW0205",
        f"pass '{pass_.name}' works at level {works_on}, but the module is at level {level}",
        help="run it without --no-auto-lower, or name the conversions" if forbidden else "conversions go down only",
    )
