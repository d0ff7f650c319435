"""Faults planted in who has memory: rows of scratch mixed up, and what is each thread's own shared by all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from tilewright.backends.cuda.module import build
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import loop
from tilewright.dialects.index_expr import Index
from tilewright.dialects.loop.storage import owner_of
from tilewright.runtime import Module
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from .races import FOUND, Planted, first_meeting, parsed, recorded

Change = Callable[[ModuleOp], None]


def plant_scopes(module: Module, check: Callable[[Module], None]) -> Planted:
    """Change who has each buffer in turn and run `check`. Raises AssertionError for a fault that is not found."""
    text = module.get_source("mlir")
    result = Planted()
    for number in range(len(_changes(parsed(text)))):
        changed = parsed(text)
        _changes(changed)[number]()
        with suppress(TilewrightError):  # what cannot be built is no fault of the simulator's
            result += _judge(build(changed, device="simulator"), check, number)
    return result


def _judge(module: Module, check: Callable[[Module], None], number: int) -> Planted:
    with recorded() as launches:
        try:
            check(module)
        except TilewrightError as error:
            assert error.code in FOUND, f"with fault {number}: {error}"
            return Planted(1, caught=1)
    met = first_meeting(launches)
    assert met is None, f"the simulator does not find fault {number} of scopes: {met}"
    return Planted(1, harmless=1)


def _changes(module: ModuleOp) -> list[Callable[[], None]]:
    """What can be changed: each takes effect when it is called."""
    rows = [op for op in module.walk() if isinstance(op, (loop.AllocOp, loop.ViewOp)) and owner_of(op)]
    own = [op for op in module.walk() if isinstance(op, loop.AllocOp) and _is_own(op)]
    return [*(lambda op=op: _one_row(op) for op in rows), *(lambda op=op: _share(op) for op in own)]


def _is_own(alloc: loop.AllocOp) -> bool:
    """Whether a buffer is one thread's, of constant size, and plainly accessed."""
    users = [use.operation for use in alloc.res.uses]
    return (
        loop.scope_of(alloc.res.type) == loop.LOCAL
        and alloc.res.type.has_static_shape()
        and bool(users)
        and all(isinstance(user, (loop.LoadOp, loop.StoreOp)) and user.lanes is None for user in users)
        and any(map(loop.is_over_threads, loop.enclosing(alloc, loop.ForOp)))
    )


def _bound(op: Operation) -> Iterator[loop.ForOp]:
    return (p for p in loop.enclosing(op, loop.ForOp) if isinstance(p, loop.ForOp) and p.kind.tag.data)


def _one_row(op: loop.AllocOp | loop.ViewOp) -> None:
    """Let all iterations of a kernel's loops over blocks and threads use the first row of scratch."""
    for user in [use.operation for use in op.results[0].uses]:
        if isinstance(user, (loop.LoadOp, loop.StoreOp)):
            first: dict[SSAValue, Index] = {p.induction_variable: Index.of(0) for p in _bound(user)}
            user.set_index_lists(indices=[e.substitute(first) for e in user.index])


def _share(alloc: loop.AllocOp) -> None:
    """Let the threads of a block share what each of them has."""
    outermost = [p for p in _bound(alloc) if loop.is_over_threads(p)][-1]
    type_ = alloc.res.type
    shared = loop.AllocOp(loop.buffer_type(type_.get_shape(), type_.element_type, loop.SHARED), [], alloc.res.name_hint)
    Rewriter.insert_op(shared, InsertPoint.before(outermost))
    alloc.res.replace_all_uses_with(shared.res)
    Rewriter.erase_op(alloc)
