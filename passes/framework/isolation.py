"""Single operations of a module as separate modules, in which bisection of a conversion tests each operation.

A conversion rebuilds all operations in one step, so no single change can be left out. In a module with one operation,
the conversion of this operation is tested alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from ...ir import editor as edit
from ...traversal import operations

_BUFFERS = (TensorType, MemRefType)


def isolable(module: ModuleOp) -> list[Operation]:
    """Return the operations of function bodies that compute or return values, in order."""
    functions = (op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks)
    return [
        op for f in functions for op in f.body.block.ops if op.results or (isinstance(op, ReturnOp) and op.operands)
    ]


def isolated(module: ModuleOp, op: Operation) -> ModuleOp:
    """Build a program that takes the tensors that `op` reads and returns its results; for a return, its operands.

    Numbers that it needs are computed as in its function, out of arguments; functions that it calls come along.
    """
    kept = [*_inputs(op), *([] if isinstance(op, ReturnOp) else [op])]
    read = (v for inner in (*kept, op) for v in _read(inner) if v.owner not in kept)
    arguments = list(dict.fromkeys(read))
    block = Block(arg_types=[v.type for v in arguments])
    values: dict[SSAValue, SSAValue] = dict(zip(arguments, block.args, strict=True))
    for argument, new in zip(arguments, block.args, strict=True):
        edit.rename(new, argument.name_hint)
    edit.append(block, *[inner.clone(values) for inner in kept])
    results = [values[v] for v in (op.operands if isinstance(op, ReturnOp) else op.results)]
    edit.append(block, ReturnOp(*results))
    types = [v.type for v in block.args], [v.type for v in results]
    main = FuncOp(_unused(module), types, Region(block))
    called = [function.clone() for function in _called(module, op)]
    return ModuleOp([main, *called], dict(module.attributes))


def _inputs(op: Operation) -> list[Operation]:
    """Return the operations before `op` in its block whose results it needs, beside tensors, in order."""
    needed: set[Operation] = set()
    waiting = [op]
    while waiting:
        for value in _read(waiting.pop()):
            owner = value.owner
            if isinstance(owner, Operation) and not isinstance(value.type, _BUFFERS) and owner not in needed:
                needed.add(owner)
                waiting.append(owner)
    return [other for other in op.parent.ops if other in needed] if op.parent is not None else []


def _read(op: Operation) -> Iterator[SSAValue]:
    """Yield the values from outside that an operation or one inside of it reads."""
    all_ = operations(op)
    inside = set(all_)
    for inner in all_:
        for value in inner.operands:
            owner = value.owner.parent_op() if isinstance(value, BlockArgument) else value.owner
            if owner not in inside:
                yield value


def _called(module: ModuleOp, op: Operation) -> list[FuncOp]:
    """Return the functions that `op` calls, and those that these call."""
    functions = {f.sym_name.data: f for f in module.ops if isinstance(f, FuncOp)}
    found: dict[str, FuncOp] = {}
    waiting = [op]
    while waiting:
        for call in operations(waiting.pop()):
            name = call.callee.string_value() if isinstance(call, CallOp) else None
            if name in functions and name not in found:
                found[name] = functions[name]
                waiting.append(functions[name])
    return list(found.values())


def _unused(module: ModuleOp) -> str:
    """Return a name that no function has."""
    names = {f.sym_name.data for f in module.ops if isinstance(f, FuncOp)}
    return next(name for name in ("main", *(f"main_{n}" for n in range(len(names) + 1))) if name not in names)
