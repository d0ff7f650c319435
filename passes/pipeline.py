"""The order of passes: the default pipeline, and the conversions between levels.

`PHASES` is the list to read. Each pass stands where it does because of what the ones before it grant.
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
    # Tensors that te cannot say become buffers; the passes below know those.
    "bufferize",
    # Vectors before functions: what passes a vector passes a buffer.
    "convert-vector",
    # Functions and their sizes before their bodies, because extents are asked of them.
    "convert-func",
    # Tensors become te.
    "convert-tensor",
    # What works on memrefs becomes loops. Views stand between accesses and buffers until all accesses are known.
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
        # Scales and weights are as the model states them, one constant each, before anything is folded into another.
        "integer-products",
        # Operators of float16 become those of float32, which all passes below know how to make fast.
        "widen-narrow-floats",
        # Inference-only forms fold into their producers; what has become constant is then computed once.
        "simplify-inference",
        "fold-constant",
        # Weights are constants, scaled as they stay: they can be packed. What else had to be packed is then computed.
        "block-channels",
        # What has blocks can take fewer multiplications; only here its weights are still known.
        "winograd",
        # Products of matrices are no images; their weights are known for as long as others are.
        "pack-weights",
        "fold-constant",
        # Weights lie as they are read: one that another one holds in another order is seen.
        "share-weights",
        "eliminate-common-subexpressions",
        # Reductions of one value: equal values are one.
        "join-extremes",
        "dead-code",
        # Groups become kernels; each kernel is lowered on its own and shared by the calls that look alike.
        "fuse",
        # What branches and loops pass on is computed by kernels too, where their results are to lie.
        "materialize-region-results",
        "outline",
        "lower-graph",
        # te: inline what a kernel would only pass through memory, then walk it in as few dimensions as its accesses
        # allow. Both want value semantics, so they come before loops exist.
        "fuse",
        "collapse-dimensions",
        "lower-te",
        # Each range of a concatenation is a block, which gets a schedule for its rows.
        "partition-blocks",
        # loops with blocks: the last point where statements can move freely.
        "auto-schedule",
    ),
    1: (
        # While the loops that ask still read what the schedule saw, in the shapes that buffers have there.
        "lower-prefetch",
        # While blocks still tell what a reduction is and which of its loops run over it.
        "lower-cross-thread-reduction",
        # Statements settle in their loops: from here on order is fixed.
        "lower-blocks",
        # Before anything relies on accesses being inside their buffers, and while loads are scalar: a condition that
        # was computed guards no single lane.
        "unsafe-select",
        # While buffers have the shapes that users know, and loops still tell which of them an index depends on.
        "check-bounds",
        # Each virtual thread gets its own part of what is allocated inside, before anything chooses where that lies.
        "lower-vthread",
        # Buffers shrink to what one iteration of their place touches: only then is it known which writes are private.
        "sink-allocations",
        # What the loops over threads touch follows from their own extents, so buffers have their sizes before.
        "unify-thread-binding",
        # Which warps there are is known, and storage is still what each of them has.
        "expand-warp-memory",
        # How many blocks and threads there are is known; each of them allocates its own until one arena holds all.
        "privatize-global-memory",
        # How many threads there are is known, and dimensions still tell apart which of them an element is for.
        "repeat-in-threads",
        "privatize-shared-memory",
        # Strides that a schedule asked for, before all others are fixed in the same way.
        "align-storage",
        # Versions side by side, each of its final size, while dimensions still tell elements apart; the loop becomes
        # several, so before anything that is decided loop by loop.
        "software-pipeline",
        "double-buffer",
        # Strides become part of index expressions: from here on an access is inside its buffer as a whole or not.
        "fix-layouts",
        "flatten-buffers",
        # Tiles at a border end with it, while the guards still say where that is.
        "trim-loops",
        # What only reaches private buffers needs no guard, where a read beyond a row stays inside the buffer.
        "relax-guards",
        # One arena for main, kernels' workspaces included, once all sizes are final.
        "plan-arena",
    ),
    2: (
        # Ranges split while conditions still stand on loops, then lanes take what is left of them as masks.
        "partition-loops",
        "vectorize",
        # After vectors exist, because lanes are what a narrow type saves; before bodies are repeated.
        "narrow-datatypes",
        # What an operation does in place shows once vectors stand for loops, and before bodies are repeated.
        "reuse-storage",
        "unroll",
        # After vectors exist, so that one rewrite serves scalars and vectors.
        "contract-fma",
        # Unrolled loops still stand as loops, and what they compute is final: it can wait in registers.
        "store-last",
        # Nothing moves or repeats statements after it: which of them a barrier has to keep apart is settled.
        "insert-barriers",
        # The loops over threads are one nest: what a thread keeps loses the parts that were for the others' iterations.
        "compact-private",
    ),
    3: (
        "simplify",
        "remove-no-op",
        # Functions of narrow floats become those of f32, which have rules.
        "expand-operations",
        # Vectors stand, bodies are repeated, and instructions for sums of products take an accumulator.
        "fuse-dot4",
        # No pass after it makes vectors of loops, or loops of vectors.
        "vectorize-lookups",
        "lower-intrinsics",
        # Hoisting exposes equal expressions of sibling loops to the elimination, which leaves dead ones to the last.
        "hoist",
        "cse",
        "remove-no-op",
    ),
}
"""The passes of each phase in order, as in `opt-tool --pass`."""

LEGALIZATION: tuple[str, ...] = (
    # What rules for intrinsics have made.
    "expand-operations",
    # Registers are indexed by variables of loops that are written out, and these have no threads.
    "mark-written-out",
    # No pass after it makes a buffer, or moves one.
    "assign-memory-spaces",
    # Chunks of registers have their sizes.
    "shuffle-columns",
    # No pass after it makes a call or a view.
    "note-aliases",
    # What arguments are promised says which captured buffers are apart.
    "outline-parallel",
)
"""The passes that end phase 3 where a backend does not name others: what an emitter would decide stands in the IR."""


LAST_PHASE = max(PHASES)

CONVERSIONS: dict[Level, tuple[str, ...]] = {
    Level.UPSTREAM: UPSTREAM,
    Level.GRAPH: ("materialize-region-results", "outline", "lower-graph"),
    Level.TE: ("lower-te",),
    Level.BLOCK: ("lower-blocks",),
}
"""How a module leaves a level for the one below it."""


def default_pipeline(level: Level, last_phase: int = 3, legalization: Sequence[str] = LEGALIZATION) -> list[ModulePass]:
    """The passes that take a module of `level` through phases 0 to `last_phase`.

    `legalization` is what ends phase 3 for the module's target, `backends.legalization_of`.

    Passes that do not work on the level that the module has by then are left out: those for higher dialects, when it
    starts further down. So are those that the current `PassContext` does not enable. The table of passes decides both:
    only passes that run are imported. The passes that the context adds stand at the end of their phase, behind the
    conversions that they need; in the last phase `legalization` comes after them, because it holds for what they make
    too. Raises TilewrightError TW0205 for one that only works further up, TW0213 for a disabled conversion.
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
    """A pass of the default pipeline, as the context wants it."""
    if name == "check-bounds" and context.is_unchecked:
        return "check-bounds{checks=false}"  # those answer for their indices who say so
    if name == "unroll" and context.opt_level == 0:
        return "unroll{factor=1}"  # what schedules ask for, and no loop of its own choice
    return name


def with_conversions(passes: Sequence[ModulePass], level: Level, *, insert: bool = True) -> list[ModulePass]:
    """`passes` for a module of `level`, with the conversions that bring it down to where each pass works.

    Raises TilewrightError TW0205 when a pass only works further up, or when a conversion is missing and `insert` is
    false.
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
    """The passes that take a module from level `above` to level `below`."""
    passes: list[ModulePass] = []
    level = above
    while level > below:
        step = parse_pipeline(",".join(CONVERSIONS[level]))
        after = min([Level(level - 1), *(level_after(pass_, level) for pass_ in step)])
        passes += [*user_lowerings(level), *step, *_lowerings_between(level, after + 1)]
        level = after
    return passes


def _lowerings_between(above: int, last: int) -> list[ModulePass]:
    """The passes that rewrite users' dialects of the levels below `above` down to `last`, which a module comes to."""
    return [pass_ for level in range(above - 1, last - 1, -1) for pass_ in user_lowerings(Level(level))]


def levels_of(pass_: ModulePass | PassEntry) -> tuple[Level, ...]:
    """The levels that a pass works on; a pass written for xDSL works on all."""
    return getattr(pass_, "levels", ALL_LEVELS)


def level_after(pass_: ModulePass | PassEntry, level: Level) -> Level:
    """The level of a module of `level` once `pass_` has run."""
    lowered: Level | None = getattr(pass_, "lowers_to", None)
    return level if lowered is None else min(level, lowered)


def _fail_level(pass_: ModulePass, level: Level, *, forbidden: bool) -> None:
    works_on = ", ".join(str(level) for level in levels_of(pass_))
    fail(
        "TW0205",
        f"pass '{pass_.name}' works at level {works_on}, but the module is at level {level}",
        help="run it without --no-auto-lower, or name the conversions" if forbidden else "conversions go down only",
    )
