"""Lowering of branches and loops on tensors to branches and loops around nests and calls.

A region writes its results directly into the result buffers. Each carried value of a loop has one buffer, which holds
the initial value before the loop and the final value after the loop. An iteration writes the next value directly if no
operation needs the previous value any more; otherwise the value is copied at the end of the iteration. Parts of scanned
and of collected tensors are views.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IndexType, MemRefType, TensorType, i1, i64
from xdsl.ir import Block, Operation, SSAValue

from ....dialects import loop, te
from ....dialects.dtypes import numpy_dtype
from ....dialects.graph import is_alias
from ....dialects.graph.control_flow import BranchOp, RepeatOp
from ....dialects.graph.types import element_of
from ....dialects.index_expr import Index
from ....ir import editor as edit
from .compute_nest import Environment, build_copy, build_zeros
from .symbolic_sizes import Shape, SizeTable, product_of

OWNERS = (te.ComputeOp, te.ScanOp, te.ExternOp, te.IfOp, te.LoopOp, func.CallOp)
"""Operations whose results have separate buffers."""


@dataclass(frozen=True)
class _Passed:
    """A value that a region yields, and the buffer of the corresponding result."""

    value: SSAValue
    buffer: SSAValue
    is_writable: bool = True
    """True if the value may be computed there."""


class Lowering(Protocol):
    """The lowering of a function, as far as regions need it."""

    environment: Environment
    statements: list[Operation]
    sizes: SizeTable
    targets: dict[SSAValue, SSAValue]

    def at_entry(self, op: Operation) -> SSAValue:
        """Insert a definition of a buffer or a size at the function's entry. Returns its result."""
        ...

    def assign(self, value: SSAValue, buffer: SSAValue) -> bool:
        """Let the op that defines `value` write into `buffer`; False where none does or it writes elsewhere."""
        ...

    def target(self, value: SSAValue, shape: Shape) -> SSAValue:
        """Return the buffer that the op which defines `value` writes."""
        ...

    def bind(self, buffer: SSAValue, shape: Shape, at: list[Operation]) -> None:
        """State the shape of a buffer, where its type does not."""
        ...

    def lower(self, op: Operation) -> None:
        """Lower one operation, into `statements`."""
        ...


def lower_branch(lowering: Lowering, op: BranchOp) -> None:
    """Lower a branch: both regions write the results' buffers."""
    targets = [lowering.target(result, lowering.sizes.shape_of_type(result.type, op)) for result in op.res]
    condition = _load_index(lowering, lowering.environment.values[op.condition])
    choice = loop.IfOp([Index.of(condition) - 1])
    edit.append_block(choice.else_body, Block())
    for region, into in ((op.then_body, choice.then_body), (op.else_body, choice.else_body)):
        block = region.block
        assert block.last_op is not None
        passed = [_Passed(value, target) for value, target in zip(block.last_op.operands, targets, strict=True)]
        edit.append(into.block, *_region(lowering, block, passed))
    choice.location = op.location
    lowering.statements.append(choice)


def lower_loop(lowering: Lowering, op: RepeatOp) -> None:
    """Lower a loop: the carried values lie in the buffers of the results."""
    state = [_carry(lowering, op, k) for k in range(len(op.inits))]
    for argument, buffer in zip(op.carried, state, strict=True):
        lowering.environment.values[argument] = buffer
    made = _loop(lowering, op)
    made.location = op.location
    number = made.induction_variable
    edit.rename(number, op.iteration.name_hint)
    before = _begin_iteration(lowering, op, number)
    carried = zip(op.carried, op.handed_on, state, strict=True)
    passed = [_Passed(value, buffer, is_free(argument, value)) for argument, value, buffer in carried]
    if isinstance(made, loop.WhileOp) and op.still_going is not None:
        passed.append(_Passed(op.still_going, made.condition))
    for value, result in zip(op.collected, list(op.res)[len(op.inits) :], strict=True):
        shape = (_length(lowering, op), *lowering.sizes.shape_of_type(value.type, op))
        whole = lowering.target(result, shape)
        if op.going is not None:
            lowering.statements.append(build_zeros("room", shape, whole))
        passed.append(_Passed(value, _part(lowering, before, whole, value.type, shape, number)))
    body = _region(lowering, op.body.block, passed)
    edit.append(made.body.block, *before, *body)
    lowering.statements.append(made)


def _carry(lowering: Lowering, op: RepeatOp, k: int) -> SSAValue:
    """Return the buffer of a carried value, filled with the initial one: the buffer that the initial value has to
    itself, or another."""
    init, result = op.inits[k], op.res[k]
    there, shape = lowering.environment.values[init], lowering.sizes.shapes[init]
    if result not in lowering.targets and is_fresh(init, op.parent):
        lowering.targets[result] = there
    buffer = lowering.target(result, shape)
    lowering.sizes.shapes[op.carried[k]] = shape
    if buffer is not there:
        lowering.statements.append(build_copy(f"init_{k}", shape, there, buffer))
    return buffer


def is_fresh(value: SSAValue, block: Block | None) -> bool:
    """Return whether an operation of a block computes a value into a fresh buffer, and the value has one use."""
    owner = value.owner
    return isinstance(owner, OWNERS) and owner.parent is block and value.has_one_use()


def _loop(lowering: Lowering, op: RepeatOp) -> loop.ForOp | loop.WhileOp:
    """Build the loop without its body."""
    bounds: list[Index] = []
    if op.trips is not None:
        bounds = [Index.of(_load_index(lowering, lowering.environment.values[op.trips]))]
    elif op.count is not None or op.sources:
        bounds = [_length(lowering, op)]
    if op.going is None:
        return loop.ForOp(0, bounds)
    flag = lowering.at_entry(loop.AllocOp(loop.buffer_type([], i1), [], name_hint="going"))
    load = loop.LoadOp(lowering.environment.values[op.going], [])
    lowering.statements += [load, loop.StoreOp(load.res, flag, [])]
    return loop.WhileOp(flag, bounds)


def _length(lowering: Lowering, op: RepeatOp) -> Index:
    if op.sources:
        return lowering.sizes.shapes[op.sources[0]][0]
    return lowering.sizes.size_of(op.length, op)


def _begin_iteration(lowering: Lowering, op: RepeatOp, number: SSAValue) -> list[Operation]:
    """Return the operations at the begin of an iteration: its number as a tensor, the parts of scanned tensors as
    views."""
    before: list[Operation] = []
    lowering.sizes.shapes[op.iteration] = ()
    if op.iteration.first_use is not None:
        buffer = lowering.at_entry(loop.AllocOp(loop.buffer_type([], i64), [], name_hint="number"))
        cast = arith.IndexCastOp(number, i64)
        before += [cast, loop.StoreOp(cast.result, buffer, [])]
        lowering.environment.values[op.iteration] = buffer
    for element, source in zip(op.elements, op.sources, strict=True):
        shape = lowering.sizes.shapes[source]
        whole = lowering.environment.values[source]
        view = _part(lowering, before, whole, element.type, shape, number, element.name_hint)
        lowering.environment.values[element] = view
        lowering.sizes.shapes[element] = shape[1:]
    return before


def _part(
    lowering: Lowering,
    before: list[Operation],
    whole: SSAValue,
    type: object,
    shape: Shape,
    number: SSAValue,
    name: str | None = None,
) -> SSAValue:
    """Return a view of the part of a buffer that belongs to an iteration."""
    assert isinstance(type, TensorType)
    part = loop.buffer_type(type.get_shape(), type.element_type)
    size = product_of([Index.of(numpy_dtype(element_of(type)).itemsize), *shape[1:]], lowering.at_entry)
    if size.is_constant:
        offset = Index.of(number) * size.constant
    else:
        bytes_ = lowering.at_entry(loop.ApplyOp(size))
        product = arith.MuliOp(number, bytes_)
        before.append(product)
        offset = Index.of(product.result)
    view = loop.ViewOp(whole, offset, part, name_hint=name)
    before.append(view)
    lowering.bind(view.res, shape[1:], before)
    return view.res


def _region(lowering: Lowering, block: Block, passed: Sequence[_Passed]) -> list[Operation]:
    """Lower the statements of a region that leaves each value in its buffer."""
    outer, lowering.statements = lowering.statements, []
    for each in passed:
        if each.is_writable and isinstance(each.value.owner, Operation) and each.value.owner.parent is block:
            lowering.assign(each.value, each.buffer)
    for op in block.ops:
        if op is not block.last_op:
            lowering.lower(op)
    _copy_rest(lowering, block, passed)
    statements, lowering.statements = lowering.statements, outer
    return statements


def _copy_rest(lowering: Lowering, block: Block, passed: Sequence[_Passed]) -> None:
    """Copy values that are in other buffers. A copy may overwrite a value that the region was given, which is kept
    first."""
    left: list[tuple[Shape, SSAValue, SSAValue]] = []
    for k, each in enumerate(passed):
        there, shape = lowering.environment.values[each.value], lowering.sizes.shapes[each.value]
        if there is each.buffer:
            continue
        if origin(each.value).owner is block:
            assert isinstance(there.type, MemRefType)
            kept = loop.AllocOp(there.type, [e for e in shape if not e.is_constant], name_hint="kept")
            lowering.at_entry(kept)
            lowering.statements.append(build_copy(f"keep_{k}", shape, there, kept.res))
            there = kept.res
        left.append((shape, there, each.buffer))
    for k, (shape, there, buffer) in enumerate(left):
        lowering.statements.append(build_copy(f"pass_{k}", shape, there, buffer))


def origin(value: SSAValue) -> SSAValue:
    """Return the value that a value is another shape of."""
    while isinstance(value.owner, Operation) and is_another_shape(value.owner):
        value = value.owner.operands[0]
    return value


def is_another_shape(op: Operation) -> bool:
    """Return whether the result of an operation is a view of its operand."""
    return isinstance(op, (te.MatchOp, te.PrefixOp, te.ReshapeOp)) or is_alias(op)


def is_free(argument: SSAValue, value: SSAValue) -> bool:
    """Return whether all uses of a carried value come before the operation that computes the next one."""
    block, owner = argument.owner, origin(value).owner
    if not isinstance(owner, Operation) or not isinstance(block, Block) or owner.parent is not block:
        return False
    ops = {op: k for k, op in enumerate(block.ops)}
    users = [block.find_ancestor_op_in_block(op) for op in _users(argument)]
    return all(user is not None and ops[user] < ops[owner] for user in users)


def _users(value: SSAValue) -> list[Operation]:
    """Return the users of a value and of its views."""
    found: list[Operation] = []
    for use in value.uses:
        found.append(use.operation)
        if is_another_shape(use.operation):
            found += _users(use.operation.results[0])
    return found


def _load_index(lowering: Lowering, buffer: SSAValue) -> SSAValue:
    """Load the one element of a buffer as an index; true is 1."""
    load = loop.LoadOp(buffer, [])
    lowering.statements.append(load)
    value = load.res
    if value.type == i1:
        wide = arith.ExtUIOp(value, i64)
        lowering.statements.append(wide)
        value = wide.result
    cast = arith.IndexCastOp(value, IndexType())
    lowering.statements.append(cast)
    return cast.result
