"""Scalar and vector arithmetic: the ops of `arith`, and moves of elements of `vector`.

No fast-math flag is ever written, so results agree bit for bit with the reference semantics. Where LLVM
leaves a result undefined and the machine would trap (integer division by zero, the most negative number by
-1), the result is defined as numpy's: 0, and the number itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import IntegerAttr, f32, i32
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.target import X86_64, CpuTargetAttr, target_of
from .masks import broadcast
from .types import (
    constant_literal,
    element_of,
    intrinsic,
    lanes_of,
    mangled,
    value_type,
    with_lanes,
)

if TYPE_CHECKING:
    from .function import FunctionEmitter

Step = Callable[["FunctionEmitter"], None]
Prepare = Callable[[Operation], Step]

_BINARY = {
    "arith.addf": "fadd",
    "arith.subf": "fsub",
    "arith.mulf": "fmul",
    "arith.divf": "fdiv",
    "arith.addi": "add",
    "arith.subi": "sub",
    "arith.muli": "mul",
    "arith.andi": "and",
    "arith.ori": "or",
    "arith.xori": "xor",
    "arith.shli": "shl",
    "arith.shrui": "lshr",
    "arith.shrsi": "ashr",
}
_INTEGER_EXTREMES = {"arith.minsi": "smin", "arith.maxsi": "smax", "arith.minui": "umin", "arith.maxui": "umax"}
_FLOAT_EXTREMES = {
    "arith.maximumf": ("ogt", True),
    "arith.minimumf": ("olt", True),
    "arith.maxnumf": ("ogt", False),
    "arith.minnumf": ("olt", False),
}
_DIVISIONS = {"arith.divsi": "sdiv", "arith.divui": "udiv", "arith.remsi": "srem", "arith.remui": "urem"}
_CASTS = {
    "arith.sitofp": "sitofp",
    "arith.uitofp": "uitofp",
    "arith.fptosi": "fptosi",
    "arith.fptoui": "fptoui",
    "arith.extf": "fpext",
    "arith.truncf": "fptrunc",
    "arith.trunci": "trunc",
    "arith.extsi": "sext",
    "arith.extui": "zext",
    "arith.bitcast": "bitcast",
}
_INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_FLOAT_PREDICATES = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)


def _constant(op: Operation) -> Step:
    assert isinstance(op, arith.ConstantOp)
    value, result = op.value, op.result
    literal: str | int = constant_literal(value, result.type)
    if isinstance(value, IntegerAttr) and value_type(result.type) == "i64":
        literal = value.value.data
    return lambda emitter: emitter.define(result, literal)


def _binary(op: Operation) -> Step:
    result, (a, b) = op.results[0], op.operands
    instruction = f"{_BINARY[op.name]} {value_type(result.type)}"

    def run(emitter: FunctionEmitter) -> None:
        text = f"{instruction} {emitter.value(a)}, {emitter.value(b)}"
        emitter.define(result, emitter.code.define(text))

    return run


def _negate(op: Operation) -> Step:
    result, operand = op.results[0], op.operands[0]
    type_ = value_type(result.type)
    return lambda emitter: emitter.define(result, emitter.code.define(f"fneg {type_} {emitter.value(operand)}"))


def _integer_extreme(op: Operation) -> Step:
    result, (a, b) = op.results[0], op.operands
    type_, function = value_type(result.type), _INTEGER_EXTREMES[op.name]

    def run(emitter: FunctionEmitter) -> None:
        name = intrinsic(f"llvm.{function}", type_)
        text = f"call {type_} {name}({type_} {emitter.value(a)}, {type_} {emitter.value(b)})"
        emitter.define(result, emitter.code.define(text))

    return run


def _float_extreme(op: Operation) -> Step:
    """Return the step for `a > b ? a : b`, one instruction that returns b where either is NaN; one more select gives
    the rest.

    maximumf and minimumf return NaN if either is NaN, maxnumf and minnumf the other operand. A constant is
    put first: then b alone decides, and maximumf needs that one instruction.
    """
    result, (a, b) = op.results[0], op.operands
    predicate, propagates = _FLOAT_EXTREMES[op.name]
    type_, bits = value_type(result.type), with_lanes("i1", lanes_of(result.type))
    if propagates and _is_number(b):
        a, b = b, a
    first_is_number = _is_number(a)

    def run(emitter: FunctionEmitter) -> None:
        code = emitter.code
        x, y = emitter.value(a), emitter.value(b)
        better = code.define(f"fcmp {predicate} {type_} {x}, {y}")
        value = code.define(f"select {bits} {better}, {type_} {x}, {type_} {y}")
        if propagates and not first_is_number:
            unordered = code.define(f"fcmp uno {type_} {x}, {x}")
            value = code.define(f"select {bits} {unordered}, {type_} {x}, {type_} {value}")
        elif not propagates:
            unordered = code.define(f"fcmp uno {type_} {y}, {y}")
            value = code.define(f"select {bits} {unordered}, {type_} {x}, {type_} {value}")
        emitter.define(result, value)

    return run


def _is_number(value: SSAValue) -> bool:
    """Return whether a value is known not to be NaN: a constant, broadcast or not."""
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "vector.broadcast":
        return _is_number(owner.operands[0])
    if not isinstance(owner, arith.ConstantOp):
        return False
    data = getattr(owner.value, "value", None)
    return data is not None and data.data == data.data


def _division(op: Operation) -> Step:
    """Return the machine's division: the divisor is none that it traps at."""
    result, (a, b) = op.results[0], op.operands
    instruction = f"{_DIVISIONS[op.name]} {value_type(result.type)}"

    def run(emitter: FunctionEmitter) -> None:
        emitter.define(result, emitter.code.define(f"{instruction} {emitter.value(a)}, {emitter.value(b)}"))

    return run


def _compare_integers(op: Operation) -> Step:
    assert isinstance(op, arith.CmpiOp)
    predicate = _INTEGER_PREDICATES[op.predicate.value.data]
    return _comparison(op, f"icmp {predicate} {value_type(op.lhs.type)}")


def _compare_floats(op: Operation) -> Step:
    assert isinstance(op, arith.CmpfOp)
    predicate = _FLOAT_PREDICATES[op.predicate.value.data]
    return _comparison(op, f"fcmp {predicate} {value_type(op.lhs.type)}")


def _comparison(op: Operation, instruction: str) -> Step:
    result, (a, b) = op.results[0], op.operands

    def run(emitter: FunctionEmitter) -> None:
        emitter.define(result, emitter.code.define(f"{instruction} {emitter.value(a)}, {emitter.value(b)}"))

    return run


def _select(op: Operation) -> Step:
    result, (condition, a, b) = op.results[0], op.operands
    bits, type_ = value_type(condition.type), value_type(result.type)

    def run(emitter: FunctionEmitter) -> None:
        text = f"select {bits} {emitter.value(condition)}, {type_} {emitter.value(a)}, {type_} {emitter.value(b)}"
        emitter.define(result, emitter.code.define(text))

    return run


def _cast(op: Operation) -> Step:
    result, operand = op.results[0], op.operands[0]
    instruction, source, target = _CASTS[op.name], value_type(operand.type), value_type(result.type)
    number = _rounded_number(op)

    def run(emitter: FunctionEmitter) -> None:
        if number is not None:
            name = f"@llvm.lrint.{mangled(target)}.{mangled(source)}"
            emitter.define(result, emitter.code.define(f"call {target} {name}({source} {emitter.value(number)})"))
            return
        value = emitter.value(operand)
        if source != target:
            value = emitter.code.define(f"{instruction} {source} {value} to {target}")
        emitter.define(result, value)

    return run


def _rounded_number(op: Operation) -> SSAValue | None:
    """Return the number that a conversion rounds to the nearest i32, where x86-64 has one instruction for both steps,
    in the rounding mode that processes start with."""
    rounded = op.operands[0].owner
    if op.name != "arith.fptosi" or not isinstance(rounded, math.RoundEvenOp):
        return None
    attribute = target_of(op)
    is_x86 = isinstance(attribute, CpuTargetAttr) and attribute.architecture == X86_64
    types = (element_of(rounded.operand.type), element_of(op.results[0].type))
    return rounded.operand if is_x86 and types == (f32, i32) else None


def _index_cast(op: Operation) -> Step:
    result, operand = op.results[0], op.operands[0]
    source, target = value_type(operand.type), value_type(result.type)
    narrow, wide = _bits(element_of(operand.type)), _bits(element_of(result.type))
    instruction = "trunc" if narrow > wide else "zext" if op.name == "arith.index_castui" else "sext"

    def run(emitter: FunctionEmitter) -> None:
        value: str | int = emitter.operand(operand)
        if source != target:
            value = emitter.code.define(f"{instruction} {source} {value} to {target}")
        emitter.define(result, value)

    return run


def _bits(element: Attribute) -> int:
    return int(value_type(element)[1:])


def _broadcast(op: Operation) -> Step:
    result, operand = op.results[0], op.operands[0]
    lanes = lanes_of(result.type)
    element = value_type(element_of(result.type))

    def run(emitter: FunctionEmitter) -> None:
        value = emitter.value(operand)
        if lanes_of(operand.type) is None:
            assert lanes is not None
            value = broadcast(emitter.writer, element, value, lanes)
        emitter.define(result, value)

    return run


def _extract(op: Operation) -> Step:
    assert isinstance(op, vector.ExtractOp)
    result, operand, (lane,) = op.result, op.vector, op.static_position.get_values()
    type_ = value_type(operand.type)

    def run(emitter: FunctionEmitter) -> None:
        emitter.define(result, emitter.code.define(f"extractelement {type_} {emitter.value(operand)}, i64 {lane}"))

    return run


def _insert(op: Operation) -> Step:
    assert isinstance(op, vector.InsertOp)
    result, into, element, (lane,) = op.result, op.dest, op.source, op.static_position.get_values()
    type_, element_type = value_type(into.type), value_type(element.type)

    def run(emitter: FunctionEmitter) -> None:
        text = f"insertelement {type_} {emitter.value(into)}, {element_type} {emitter.value(element)}, i64 {lane}"
        emitter.define(result, emitter.code.define(text))

    return run


ARITHMETIC: dict[str, Prepare] = {
    "arith.constant": _constant,
    "arith.negf": _negate,
    "arith.cmpi": _compare_integers,
    "arith.cmpf": _compare_floats,
    "arith.select": _select,
    "arith.index_cast": _index_cast,
    "arith.index_castui": _index_cast,
    "vector.broadcast": _broadcast,
    "vector.extract": _extract,
    "vector.insert": _insert,
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(_INTEGER_EXTREMES, _integer_extreme),
    **dict.fromkeys(_FLOAT_EXTREMES, _float_extreme),
    **dict.fromkeys(_DIVISIONS, _division),
    **dict.fromkeys(_CASTS, _cast),
}
"""The function that prepares each operation."""
