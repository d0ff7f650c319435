"""Pass `software-pipeline`: overlaps the statements of different iterations of a loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ....analysis.domain import is_inside
from ....analysis.ranges import Facts, facts_at
from ....diagnostics import fail
from ....diagnostics.locations import name_of
from ....dialects import loop
from ....dialects.index_expr import Index
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....traversal import operations
from ...framework.base import Level, Pass
from ...shared.buffer_versions import keep_versions, other_use
from ...shared.loops import clone_at
from ...shared.pipeline_stages import Statement, drop_annotations, is_annotated, planned_statements
from .pipeline_copies import mark_copies
from .pipeline_order import check_order


@dataclass(frozen=True)
class SoftwarePipelinePass(Pass):
    """Make prologue, body and epilogue of loops annotated with `software_pipeline_stage` and `software_pipeline_order`.

    ```mlir
    loop.for %i = 0 to 16 attributes {software_pipeline_stage = [0, 1], software_pipeline_order = [0, 1]} {
      %b = loop.alloc : memref<8xf32>
      loop.for %j = 0 to 8 { … loop.store %x, %b[%j] : memref<8xf32> }
      loop.for %j = 0 to 8 { %y = loop.load %b[%j] : memref<8xf32> … }
    }
    // becomes
    %b = loop.alloc : memref<2x8xf32>
    loop.for %j = 0 to 8 { … loop.store %x, %b[0, %j] : memref<2x8xf32> }
    loop.for %i = 1 to 16 {
      loop.for %j = 0 to 8 { … loop.store %x, %b[%i mod 2, %j] : memref<2x8xf32> }
      loop.for %j = 0 to 8 { %y = loop.load %b[(%i + 1) mod 2, %j] : memref<2x8xf32> … }
    }
    loop.for %j = 0 to 8 { %y = loop.load %b[1, %j] : memref<2x8xf32> … }
    ```
    The annotations have an entry for each statement of the body. A statement of stage k runs k iterations behind stage
    0, and the statements of one time step run in the given order, by default in the order of the body. `num_stages = n`
    means stage 0 for statements that fill buffers of an iteration, which come first, and stage n - 1 for all other
    statements. Buffers of an iteration get as many versions as the distance between their uses needs. The trip count
    may be symbolic or less than the number of stages.

    With `software_pipeline_async_stages = [0]`, on a target with asynchronous copies, copies from global to shared
    memory are asynchronous: `tw.async` marks their stores, the copies of one time step are a group, and the earliest
    stage that reads the copies waits for the group of its iteration.

    A dependence that the stages reverse is an error, and so are annotations that do not fit the loop.

    Needs: loop level, `sink-allocations`, no barriers.
    Grants: no loop is annotated with a pipeline.
    """

    name = "software-pipeline"
    phase = 1
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pending = [nested for nested in operations(op) if is_annotated(nested)]
        while pending:
            around = pending.pop(0)
            assert isinstance(around, loop.ForOp)
            if not may_rewrite("pipeline loop", around):
                return
            made = _pipeline(around)
            # Loops inside were copied with their annotations.
            pending = [p for p in pending if p.parent is not None and not around.is_ancestor(p)]
            pending = [*(n for m in made for n in operations(m) if is_annotated(n)), *pending]


def _pipeline(around: loop.ForOp) -> list[Operation]:
    """Replace a loop by its pipeline. Returns the operations that replace it."""
    statements = planned_statements(around)
    versions = check_order(around, statements)
    waiting = mark_copies(around, statements)
    drop_annotations(around)
    for alloc in [op for op in around.body.block.ops if isinstance(op, loop.AllocOp)]:
        versions.setdefault(alloc, 1)
    for alloc, count in versions.items():
        _check_movable(alloc, count, around)
        keep_versions(alloc, count, Index.of(around.induction_variable) % count, around)
    ordered = sorted(statements, key=lambda s: s.order)
    depth = max((s.stage for s in statements), default=0)
    made: list[Operation] = []
    if len(around.lowers) == len(around.uppers) == 1:
        made += _in_three_parts(around, ordered, depth, waiting)
    else:
        made.append(_in_one_loop(around, ordered, depth))
    edit.insert(made, InsertPoint.before(around))
    edit.erase(around)
    return made


def _in_three_parts(
    around: loop.ForOp, statements: Sequence[Statement], depth: int, waiting: Sequence[Statement]
) -> Iterator[Operation]:
    """Time steps before the first stage that runs all statements, those that do, and those after the last iteration.

    Of a loop shorter than the pipeline is deep the first part has all the time steps that start an iteration, and some
    more; the last part has the others.
    """
    (lower,), (upper,), facts = around.lowers, around.uppers, facts_at(around)
    groups = _Groups.of(statements, waiting)
    for step in range(depth):
        for part in groups.parts([s for s in statements if s.stage <= step]):
            if isinstance(part, Operation):
                yield part
                continue
            for statement in part:
                iteration = lower + step - statement.stage
                yield from _under(facts, upper - iteration - 1, around, [(statement, iteration)])
    first = lower + depth
    if not facts.proves(first - upper):
        steady = _loop_like(around, [first], [upper])
        time = Index.of(steady.induction_variable)
        for part in groups.parts(statements):
            ops = [part] if isinstance(part, Operation) else _instances(around, [(s, time - s.stage) for s in part])
            edit.append(steady.body.block, *ops)
        yield steady
    for step in range(depth):
        for part in groups.parts([s for s in statements if s.stage > step], step + 1):
            if isinstance(part, Operation):
                yield part
                continue
            late = [(s, upper + step - s.stage) for s in part]
            yield from _under(facts, upper + step - first, around, late)


@dataclass(frozen=True)
class _Groups:
    """The statements of a time step at which asynchronous copies are committed, and at which threads wait for earlier
    ones.

    Threads wait before the first statement that reads such copies, or before the copies directly in front of that
    statement. One barrier then orders readers after the copies that have arrived, and new copies after the readers of
    the previous step.
    """

    waiting: tuple[Statement, ...]
    """Statements that read the copies of their iteration."""
    wait: Statement | None = None
    """The statement before which threads wait, in time steps that have it."""
    last_copy: Statement | None = None
    """The last statement of a time step's group of copies."""

    @staticmethod
    def of(statements: Sequence[Statement], waiting: Sequence[Statement]) -> _Groups:
        if not waiting:
            return _Groups(())
        at = min(statements.index(s) for s in waiting)
        while at > 0 and statements[at - 1].stage == 0:
            at -= 1
        return _Groups(tuple(waiting), statements[at], [s for s in statements if s.stage == 0][-1])

    def parts(
        self, statements: Sequence[Statement], steps_after: int = 0
    ) -> Iterator[list[Statement] | loop.AsyncWaitOp | loop.AsyncCommitOp]:
        """Yield the statements of a time step in order, separate where something is to be done between them.

        The time step begins an iteration, or comes so many `steps_after` the last one that does.
        """
        part: list[Statement] = []
        needs_wait = any(s in self.waiting for s in statements)
        is_committed = False
        for statement in statements:
            if needs_wait and (statement is self.wait or statement in self.waiting):
                yield part
                # The awaited group was committed as many time steps ago as the stage says; all later groups may go on.
                started = self.waiting[0].stage
                yield loop.AsyncWaitOp(started if is_committed else started - max(steps_after, 1))
                part, needs_wait = [], False
            part.append(statement)
            if statement is self.last_copy:
                yield part
                yield loop.AsyncCommitOp()
                part, is_committed = [], True
        yield part


def _in_one_loop(around: loop.ForOp, statements: Sequence[Statement], depth: int) -> loop.ForOp:
    """Build one loop of all time steps, each statement under the condition that its iteration exists.

    The first and the last iteration are no expressions where a loop has several bounds.
    """
    result = _loop_like(around, around.lowers, [upper + depth for upper in around.uppers])
    time = Index.of(result.induction_variable)
    for statement in statements:
        iteration = time - statement.stage
        conditions = [] if statement.stage == 0 else [iteration - lower for lower in around.lowers]
        conditions += [] if statement.stage == depth else [upper - iteration - 1 for upper in around.uppers]
        ops = _instances(around, [(statement, iteration)])
        edit.append(result.body.block, *([_if(conditions, ops, around)] if conditions else ops))
    return result


def _loop_like(around: loop.ForOp, lowers: Sequence[Index], uppers: Sequence[Index]) -> loop.ForOp:
    result = loop.ForOp(lowers, uppers, kind=around.kind, name_hint=around.induction_variable.name_hint)
    result.location = around.location
    edit.change(result).attributes |= around.attributes
    return result


def _instances(around: loop.ForOp, instances: Sequence[tuple[Statement, Index]]) -> list[Operation]:
    """Return copies of statements at their iterations."""
    return [op for statement, at in instances for op in clone_at(around, statement.ops, at, {})]


def _under(
    facts: Facts, condition: Index, around: loop.ForOp, instances: Sequence[tuple[Statement, Index]]
) -> Iterator[Operation]:
    """Yield copies of statements at iterations, where the condition holds; nothing where it never does."""
    if not instances or facts.proves(-condition - 1):
        return
    ops = _instances(around, instances)
    yield from ops if facts.proves(condition) else [_if([condition], ops, around)]


def _if(conditions: Sequence[Index], ops: Sequence[Operation], around: loop.ForOp) -> loop.IfOp:
    guarded = loop.IfOp(conditions)
    guarded.location = around.location
    edit.append(guarded.then_body.block, *ops)
    return guarded


def _check_movable(alloc: loop.AllocOp, count: int, around: loop.ForOp) -> None:
    """Raise TilewrightError TW0542 where a buffer cannot leave the loop, or cannot have versions."""
    other = other_use(alloc)
    if any(is_inside(v, around) for n in alloc.shape for v in n.values()):
        reason = "has an extent that changes with the loop"
    elif count > 1 and other is not None:
        reason = f"is used by {other.name}"
    elif count > 1 and loop.scope_of(alloc.res.type) == loop.REGISTER and around.kind != loop.UNROLLED:
        reason = "is in registers, among which only unrolled loops choose"
    else:
        return
    fail(
        "TW0542",
        f"loop {name_of(around.induction_variable)} is not pipelined: it needs {count} versions of "
        f"{name_of(alloc.res)}, which {reason}",
        op=alloc,
    )
