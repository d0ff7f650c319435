"""Printer of operations without regions, by the table of `syntax`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, MemRefType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index
from ...te.dtypes import DType, dtype_info
from ...te.scalar_operations import emit_binary, emit_cast, emit_compare, emit_unary, operator_names
from .literals import (
    NotPrintable,
    attribute_text,
    attributes_text,
    buffer_text,
    data_text,
    number_text,
    quoted,
    type_name,
)
from .pieces import Hole, Pieces, Text, condition_text, constraint_text, index_text, joined, tuple_text
from .script_values import element_of, lanes_of
from .syntax import (
    ALIASES,
    ARGUMENTS,
    ATTRIBUTE,
    BUFFER,
    BUFFER_TYPE,
    CALL_OF,
    COMPARISONS,
    DATA,
    FUNCTIONS,
    GENERIC,
    GUARD,
    INDEX,
    INDICES,
    NUMBER,
    OPERATORS,
    REQUIRED,
    TEXT,
    TYPE,
    TYPES,
    VALUE,
    VALUES,
    Call,
)

_FUNCTION_OF = {operation: name for name, (operation, _) in FUNCTIONS.items()}
_CASTS = (
    arith.ExtFOp, arith.TruncFOp, arith.SIToFPOp, arith.UIToFPOp, arith.FPToSIOp, arith.FPToUIOp, arith.ExtSIOp,
    arith.ExtUIOp, arith.TruncIOp, arith.IndexCastOp,
)  # fmt: skip
_DIALECTS = ("arith", "math", "vector", "loop", "memref", "func")


def spell(op: Operation) -> Text:
    """Return the text of an operation. Raises NotPrintable for one that TVMScript has no form for."""
    _check(op)
    if not op.attributes:
        text = _plain(op)
        if text is not None:
            return text
    row = CALL_OF.get(type(op))
    return (_row(row, op) if row is not None else None) or _generic(op)


def _check(op: Operation) -> None:
    if op.regions or op.successors or op.name.partition(".")[0] not in _DIALECTS:
        raise NotPrintable(f"'{op.name}'")
    for value in (*op.operands, *op.results):
        if isinstance(value.type, TensorType):
            raise NotPrintable(f"'{op.name}' on tensors")


def _plain(op: Operation) -> Text | None:
    """Return the text of operators, functions, elements of buffers and numbers, which need no row."""
    match op:
        case loop.LoadOp() if op.lanes is None and not op.conditions:
            return Text([Hole(op.buffer), "[", *_joined_index(op.index), "]"])
        case loop.LoadOp() if op.lanes is None and _dtype(op.res) and len(set(op.conditions)) == len(op.conditions):
            return _chosen(op)
        case loop.StoreOp() if op.lanes is None and not op.conditions:
            index: Pieces = _joined_index(op.index)
            value = Hole(op.value)
            target = Hole(op.buffer)
            order = [value, target, *(p for p in index if isinstance(p, Hole))]
            return Text([target, "[", *index, "] = ", value], order=order, is_statement=True)
        case loop.AssertOp() if op.conditions:
            return _assertion(op)
        case arith.ConstantOp():
            number = number_text(op.value)
            return None if number is None else Text([number])
        case arith.CmpfOp() | arith.CmpiOp():
            return _comparison(op)
        case _ if isinstance(op, _CASTS):
            return _cast(op)
        case _:
            return _arithmetic(op)


def _joined_index(index: Sequence[Index]) -> Pieces:
    return joined([index_text(e) for e in index]) if index else ["()"]


def _chosen(op: loop.LoadOp) -> Text:
    """Return `T.if_then_else(condition, A[i], other)`, the other value by its name or as a number."""
    assert op.otherwise is not None
    condition, index, buffer = condition_text(op.conditions), _joined_index(op.index), Hole(op.buffer)
    other = Hole(op.otherwise, is_named=not isinstance(op.otherwise.owner, arith.ConstantOp))
    pieces: Pieces = ["T.if_then_else(", *condition, ", ", buffer, "[", *index, "], ", other, ")"]
    order = [p for p in (*condition, other, buffer, *index) if isinstance(p, Hole)]
    return Text(pieces, order=order)


def _assertion(op: loop.AssertOp) -> Text:
    values = joined([index_text(e) for e in op.message_values])
    message: Pieces = [quoted(op.message.data), *([".format(", *values, ")"] if op.message_values else [])]
    condition = condition_text(op.conditions)
    order = [p for p in (*values, *condition) if isinstance(p, Hole)]
    return Text(["assert ", *condition, ", ", *message], order=order, is_statement=True)


# Arithmetic: the text is right where the parser emits one operation for it, and that one


def _dtype(value: SSAValue) -> DType | None:
    """Return the row of an operand's type, if operators on it mean arithmetic; an index is lazy."""
    element = element_of(value)
    if isinstance(element, IndexType):
        return None
    name = type_name(element)
    known = name.startswith(("int", "float", "bfloat")) or name == "bool"
    return dtype_info(name) if known else None


def _emits(op: Operation, emit: Callable[[Callable[[Operation], SSAValue]], object]) -> bool:
    """Return whether emission makes one operation that equals this one."""
    made: list[Operation] = []

    def collect(each: Operation) -> SSAValue:
        made.append(each)
        return each.results[0]

    try:
        emit(collect)
        return len(made) == 1 and _is_like(made[0], op)
    except (KeyError, AssertionError, TypeError, ValueError):
        return False
    finally:
        for each in reversed(made):
            each.erase()


def _is_like(made: Operation, op: Operation) -> bool:
    return (
        type(made) is type(op)
        and tuple(made.operands) == tuple(op.operands)
        and made.properties == op.properties
        and [r.type for r in made.results] == [r.type for r in op.results]
    )


def _arithmetic(op: Operation) -> Text | None:
    for name in operator_names(type(op)):
        if name in ALIASES:
            continue
        info = _dtype(op.operands[0])
        if info is None or (info.is_bool and name not in ("and", "or", "xor")):
            return None
        text = _binary(op, name, info.name) if len(op.operands) == 2 else _unary(op, name, info)
        if text is not None:
            return text
    return None


def _binary(op: Operation, name: str, dtype: str) -> Text | None:
    if not _emits(op, lambda emit: emit_binary(emit, name, dtype, *op.operands)):
        return None
    if name in OPERATORS:
        left, right = (Hole(v, is_tight=True) for v in op.operands)
        return Text([left, f" {OPERATORS[name][0]} ", right], is_compound=True)
    return Text([f"T.{_FUNCTION_OF[name]}(", *joined([[Hole(v)] for v in op.operands]), ")"])


def _unary(op: Operation, name: str, info: DType) -> Text | None:
    operand = op.operands[0]
    if lanes_of(operand) is not None and not info.is_float:
        return None
    if not _emits(op, lambda emit: emit_unary(emit, name, info.name, operand)):
        return None
    if name == "neg":
        return Text(["-", Hole(operand, is_tight=True)], is_compound=True)
    return Text([f"T.{_FUNCTION_OF[name]}(", Hole(operand), ")"])


def _comparison(op: Operation) -> Text | None:
    info = _dtype(op.operands[0])
    if info is None:
        return None
    dtype = info.name
    for text in COMPARISONS:
        if _emits(op, lambda emit: emit_compare(emit, text, dtype, *op.operands)):  # noqa: B023
            left, right = (Hole(v, is_tight=True) for v in op.operands)
            return Text([left, f" {text} ", right], is_compound=True)
    return None


def _cast(op: Operation) -> Text | None:
    source, target = op.operands[0], type_name(op.results[0].type)
    known = _dtype(source)
    name = "index" if isinstance(source.type, IndexType) else known.name if known else None
    if name is None or target == "bool" or lanes_of(source) is not None:
        return None
    if not _emits(op, lambda emit: emit_cast(emit, source, name, target)):
        return None
    return Text([f'T.Cast("{target}", ', Hole(source), ")"])


# Calls


def _row(row: Call, op: Operation) -> Text | None:
    """Return a call, where making the operation again gives the same; else None."""
    if isinstance(op, loop.CallIntrinOp) and op.symbol.removeprefix("tir.") in (*FUNCTIONS, op.symbol[4:]):
        return None
    values = row.take(op)
    if not _remakes(row, values, op):
        return None
    parts: list[Pieces] = []
    for parameter, value in zip(row.parameters, values, strict=True):
        if parameter.is_variadic:
            parts += _WRITERS[parameter.kind](value)
        elif parameter.default is REQUIRED:
            parts.append(_WRITERS[parameter.kind](value))
        elif not _is_default(value, parameter.default):
            parts.append([f"{parameter.name}=", *_WRITERS[parameter.kind](value)])
    if op.attributes:
        parts.append([f"attrs={attributes_text(op.attributes)}"])
    return Text([f"T.{row.name}(", *joined(parts), ")"], is_statement=not op.results)


def _is_default(value: Any, default: Any) -> bool:
    return value is default or (not isinstance(value, SSAValue) and value == default)


def _remakes(row: Call, values: tuple[Any, ...], op: Operation) -> bool:
    made: Operation | None = None
    try:
        made = row.make(*values)
        return _is_like(made, op)
    except (AssertionError, TypeError, ValueError):
        return False
    finally:
        if made is not None:
            made.erase()


def _generic(op: Operation) -> Text:
    """Return `T.tw.op`, which says everything of an operation."""
    parts: list[Pieces] = [[quoted(op.name)], *([Hole(v)] for v in op.operands)]
    if op.results:
        parts.append([f"types=[{', '.join(_type_text(r.type) for r in op.results)}]"])
    if op.properties:
        parts.append([f"props={attributes_text(op.properties)}"])
    if op.attributes:
        parts.append([f"attrs={attributes_text(op.attributes)}"])
    return Text([f"T.{GENERIC}(", *joined(parts), ")"], is_statement=not op.results)


def _type_text(type: Attribute) -> str:
    return quoted(type_name(type))


# One writer for each kind of parameter


def _argument(argument: loop.Argument) -> Pieces:
    match argument:
        case loop.AccessArgument():
            box = [[*pairs] for pairs in argument.box]
            index = _joined_index(argument.index)
            return [f"T.tw.{argument.mode}(", Hole(argument.buffer), "[", *index, f"], {box})"]
        case loop.StrideArgument():
            return ["T.tw.stride(", Hole(argument.buffer), f", {argument.dimension}, {_type_text(argument.type)})"]
        case loop.IndexArgument():
            return ["T.tw.index_argument(", *index_text(argument.value), f", {_type_text(argument.type)})"]
        case loop.ValueArgument():
            if isinstance(argument.value.type, IndexType):
                raise NotPrintable("a call that passes an index as a value")
            return [Hole(argument.value)]


def _value(value: SSAValue | None) -> Pieces:
    return ["None"] if value is None else [Hole(value)]


def _guard(value: Sequence[Index]) -> Pieces:
    return ["[", *joined([constraint_text(e) for e in value]), "]"]


def _buffer_type(value: MemRefType) -> Pieces:
    return [buffer_text(value)]


_WRITERS: dict[str, Callable[[Any], Any]] = {
    VALUE: _value,
    VALUES: lambda values: [[Hole(v)] for v in values],
    BUFFER: lambda value: [Hole(value)],
    INDEX: index_text,
    INDICES: lambda value: tuple_text([index_text(e) for e in value]),
    GUARD: _guard,
    NUMBER: lambda value: [str(value)],
    TEXT: lambda value: [quoted(value)],
    TYPE: lambda value: [_type_text(value)],
    TYPES: lambda value: [f"[{', '.join(map(_type_text, value))}]"],
    BUFFER_TYPE: _buffer_type,
    DATA: lambda value: [quoted(data_text(*value))],
    ATTRIBUTE: lambda value: [attribute_text(value)],
    ARGUMENTS: lambda value: [_argument(a) for a in value],
}
