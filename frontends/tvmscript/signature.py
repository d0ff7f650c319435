"""Printer of the parameters of a function in TVMScript, and of the statements at its start that declare them.

Arguments with dynamic sizes are printed in the classic way, as handles with `T.match_buffer`, if the function starts
with exactly the operations that the parser would emit for these statements. Else their types have `T.tw.any` for
dynamic sizes, and the operations are printed as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index
from ...passes.shared.nests.symbolic_sizes import row_major_strides
from .literals import NotPrintable, attributes_text, buffer_options, buffer_text, quoted, shape_text, type_name
from .outputs import default_attributes
from .pieces import Hole, index_text

_HANDLE = "var_"


@dataclass(frozen=True)
class PrintedSignature:
    """The parameters of a `def`, the lines after it, and the operations that these lines represent."""

    parameters: list[str]
    lines: list[str]
    stated: frozenset[Operation]


def signature_of(function: FuncOp, name: Callable[[SSAValue], str]) -> PrintedSignature:
    """Return the signature of a function whose values `name` names."""
    arguments = list(function.body.block.args)
    stated = _stated(function)
    lines: list[str] = []
    parameters: list[str] = []
    matched: list[str] = []
    for op in stated or ():
        if isinstance(op, loop.DimOp):
            lines.append(f"{name(op.res)} = T.int32()")
    bound = {op.buffer: op for op in stated or () if isinstance(op, loop.BindOp)}
    for argument in arguments:
        known = name(argument)
        if argument in bound:
            shape = [_text(e, name) for e in bound[argument].index_list("shape")]
            assert isinstance(argument.type, MemRefType)
            parameters.append(f"{_HANDLE}{known}: T.handle")
            options = buffer_options(argument.type)
            matched.append(f"{known} = T.match_buffer({_HANDLE}{known}, {shape_text(shape)}, {options})")
        else:
            parameters.append(f"{known}: {_type(argument.type)}")
    return PrintedSignature(parameters, [*lines, *matched, *_attributes(function, name)], frozenset(stated or ()))


def _type(type: Attribute) -> str:
    if isinstance(type, MemRefType):
        return buffer_text(type)
    if isinstance(type, IndexType):
        return "T.int64"
    return f"T.tw.scalar({quoted(type_name(type))})"


def _text(e: Index, name: Callable[[SSAValue], str]) -> str:
    return "".join(name(p.value) if isinstance(p, Hole) else p for p in index_text(e))


def _attributes(function: FuncOp, name: Callable[[SSAValue], str]) -> list[str]:
    """Return a line for each argument with other attributes than those that the parser gives it."""
    arguments = function.body.block.args
    given = [dict(a.data) for a in function.arg_attrs] if function.arg_attrs is not None else [{} for _ in arguments]
    expected = default_attributes(function, [name(a) for a in arguments])
    return [
        f"T.tw.arg_attrs({name(argument)}, {attributes_text(have)})"
        for argument, have, want in zip(arguments, given, expected, strict=True)
        if have != want
    ]


def _stated(function: FuncOp) -> Sequence[Operation] | None:
    """Return the operations at the beginning that handles with matched buffers stand for; None where they are
    others."""
    arguments = function.body.block.args
    if any(not isinstance(a.type, MemRefType) for a in arguments):
        return None
    open_ones = [a for a in arguments if isinstance(a.type, MemRefType) and DYNAMIC_INDEX in a.type.get_shape()]
    binds = [_bind_of(a) for a in open_ones]
    found = [b for b in binds if b is not None]
    if not found or len(found) != len(open_ones):
        return None
    expected: list[Operation] = []
    for bind in found:
        for d, e in enumerate(bind.index_list("shape")):
            size = e.single_value
            if size is None or size.owner in expected:
                continue
            if not (isinstance(dim := size.owner, loop.DimOp) and dim.buffer is bind.buffer):
                return None
            if dim.dimension.value.data != d:
                return None
            expected.append(dim)
    sizes = {op.res for op in expected if isinstance(op, loop.DimOp)}
    if not all(sizes.issuperset(b.dims) and _is_plain(b) for b in found):
        return None
    expected += found
    have = list(function.body.block.ops)[: len(expected)]
    return expected if have == expected and not any(op.attributes for op in expected) else None


def _bind_of(argument: SSAValue) -> loop.BindOp | None:
    found = [use.operation for use in argument.uses if isinstance(use.operation, loop.BindOp)]
    return found[0] if len(found) == 1 else None


def _is_plain(bind: loop.BindOp) -> bool:
    """Return whether the parser binds a buffer of that shape by row-major strides, which no operation computes."""
    shape, strides = bind.index_list("shape"), bind.index_list("strides")
    assert isinstance(bind.buffer.type, MemRefType)
    sizes = bind.buffer.type.get_shape()
    if any(e.is_constant == (n == DYNAMIC_INDEX) for e, n in zip(shape, sizes, strict=True)):
        return False

    def refuse(op: Operation) -> SSAValue:
        op.erase()
        raise NotPrintable("strides that are computed")

    try:
        return [(e.terms, e.constant) for e in row_major_strides(shape, refuse)] == [
            (e.terms, e.constant) for e in strides
        ]
    except NotPrintable:
        return False
