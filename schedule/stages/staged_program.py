"""The program on which a lazy schedule is replayed: the blocks of its stages, and the loops of their axes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import cached_property

from xdsl.dialects.builtin import LocationAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...analysis.access import writes
from ...analysis.domain import resolve
from ...diagnostics import TilewrightError
from ...dialects.loop import SHARED, ForOp
from ...te.definition_order import Defined
from ...te.external import Extern
from ...te.recurrence import Scan
from ...te.tensor import Placeholder
from ..handles import BlockRV, LoopRV
from ..schedule import Schedule as Engine
from ..unique_names import names_of, numbered
from .axes import IterVar
from .log import Annotation, At
from .schedule import LazySchedule
from .stage import Stage
from .stage_errors import BAD_ARGUMENTS, quoted, remedy_for_stages, stage_error


class StagedProgram:
    """A function under an engine, and the blocks and loops of a lazy schedule's stages in it."""

    engine: Engine
    blocks: dict[Stage, BlockRV]
    """The stages that are in the function: those that its outputs need and that are not inlined."""
    loops: dict[IterVar, LoopRV]
    """The loops that the axes are, once their stage has its loops."""
    observe: Callable[[IterVar, ForOp], None] | None
    """Called with each axis and the loop that it is, once there is one."""

    def __init__(
        self,
        schedule: LazySchedule,
        func: FuncOp,
        labels: Mapping[Defined, str],
        observe: Callable[[IterVar, ForOp], None] | None = None,
    ) -> None:
        self._schedule = schedule
        self.observe = observe
        self.engine = Engine(func)
        self.loops = {}
        self.blocks = {}
        for op, label in labels.items():
            stage = schedule.stage_of(op)
            if stage is None:
                stage_error(
                    BAD_ARGUMENTS,
                    f"expected a schedule of all that is lowered, but it has no stage for {op.name!r}",
                    notes=[f"the stages are {quoted(s.name for s in schedule.stages)}"],
                    help="create the schedule for all outputs: te.create_schedule([C.op, D.op])",
                )
            if not isinstance(op, Scan):
                self.blocks[stage] = self.engine.get_block(label)

    @cached_property
    def shares_memory(self) -> bool:
        """True where stages are computed inside loops and kept in shared memory, for which the surrounding threads
        matter."""
        return any(
            isinstance(stage.attachment, At) and (stage.scope == SHARED or fills_together(stage))
            for stage in self.blocks
        )

    @contextmanager
    def blaming(self, location: LocationAttr) -> Generator[None, None, None]:
        """Let refusals of the engine inside the `with` point at the user's line, with a remedy that stages have."""
        try:
            with self.engine.calls_at(location):
                yield
        except TilewrightError as error:
            error.help = remedy_for_stages(error.code, error.help)
            raise

    def buffer(self, stage: Stage, index: int = 0, location: LocationAttr | None = None) -> SSAValue:
        """Return the buffer of result `index` of a stage; `location` is the user's line that needs it, if not this
        call."""
        if isinstance(stage.op, Scan):
            update = stage.op.update[index]
            return self.buffer(self._schedule[update], update.value_index, location)
        if stage in self.blocks:
            written = writes(self.engine.block(self.blocks[stage]))
            named = [b for b in written if (b.name_hint or "").endswith(f"_v{index}")]
            return named[0] if isinstance(stage.op, Extern) and named else written[index]
        func = self.engine.func
        names = [a.data.get("tw.name") for a in func.arg_attrs.data] if func.arg_attrs is not None else []
        if StringAttr(stage.name) not in names:
            stage_error(
                BAD_ARGUMENTS,
                f"expected {stage.name!r} among the lowered stages, but it has no buffer there",
                location=location,
                help="a stage that is computed inline is stored nowhere",
            )
        return func.body.block.args[names.index(StringAttr(stage.name))]

    def find_loops(self, stage: Stage, depth: int) -> None:
        """Find the initial loops of a stage, inside `depth` others around its block, and reorder them to the stage's
        order.

        An iteration variable that a primitive left without a loop gets one that runs once.
        """
        engine, handle = self.engine, self.blocks[stage]
        block = engine.block(handle)
        by_variable: dict[SSAValue, LoopRV] = {
            engine.loop(h).induction_variable: h for h in engine.get_loops(handle)[depth:]
        }
        bindings = [binding for _, _, binding, _ in block.iteration()]
        found: dict[IterVar, LoopRV] = {}
        for axis, binding in zip(stage.block_order, bindings, strict=False):
            loop = next((by_variable[v] for v in resolve(binding).values() if v in by_variable), None)
            found[axis] = engine.add_unit_loop(handle) if loop is None else loop
        if list(found.values()) != list(by_variable.values()) or stage.roots != stage.block_order:
            engine.reorder(*(found[axis] for axis in stage.roots))
        self.loops.update(found)

    def show_loops(self) -> None:
        """Call `observe` with the loops that there are."""
        if self.observe is not None:
            for axis, handle in self.loops.items():
                self.observe(axis, self.engine.loop(handle))

    def rename(self, stage: Stage, label: str) -> None:
        self.blocks[stage] = self.engine.rename_block(self.blocks[stage], label)

    def free_label(self, wanted: str) -> str:
        """Return `wanted`, or with a number behind it where a block of that name exists."""
        names = names_of(self.engine.func)
        return next(label for label in numbered(wanted) if not names.has_label(label))


def is_over_block(annotation: Annotation) -> bool:
    """Return whether an annotation binds an axis to the threads of a block."""
    return annotation.primitive == "bind" and tag_of(annotation).startswith("threadIdx")


def fills_together(stage: Stage) -> bool:
    """Return whether the threads of a block compute a stage without a scope together: then they share it, in whatever
    loop of theirs it is computed.

    Threads along an axis around the stage that it is not bound to would each compute the whole shared stage. Such a
    stage is not shared by them: each of these threads has a separate part.
    """
    is_free = isinstance(stage.attachment, At) and stage.scope is None and not isinstance(stage.op, Placeholder)
    tags = {tag_of(annotation) for annotation in stage.annotations if is_over_block(annotation)}
    return is_free and not stage.is_output and bool(tags) and _threads_around(stage) <= tags


def _threads_around(stage: Stage) -> set[str]:
    """Return the axes of the threads of a block inside whose loops a stage is computed."""
    tags: set[str] = set()
    while isinstance(attachment := stage.attachment, At):
        stage = attachment.axis.stage
        leaves = stage.leaf_iter_vars
        outer = leaves[: leaves.index(attachment.axis) + 1] if attachment.axis in leaves else leaves
        tags.update(tag_of(a) for a in stage.annotations if is_over_block(a) and a.axis in outer)
    return tags


def tag_of(annotation: Annotation) -> str:
    """Return the tag of the threads to which an annotation binds its axis."""
    threads = annotation.arguments[0]
    return str(getattr(threads, "thread_tag", threads))
