"""Arithmetic of values: index expressions stay index expressions, everything else becomes operations.

The promotion rule is that of tensor expressions (`te.dtypes`), and so are the operations (`te.scalar_operations`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, IntegerType, i1, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects import loop
from ...dialects.dtypes import vector_type
from ...dialects.index_expr import Index
from ...te.dtypes import dtype_info, dtype_of_ir, promote
from ...te.scalar_operations import DIVISIONS, emit_binary, emit_cast, emit_compare, emit_constant, emit_unary
from .literals import type_name
from .script_values import Condition, SizeVariable, Value, element_of, is_number, kind_of, lanes_of
from .state import BAD_ARGUMENT, State

_MOST_BITS = 64
_INDEX, _BESIDE_VALUES = "index", "int32"

_CONSTANT: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "floordiv": operator.floordiv,
    "floormod": operator.mod,
    "ceildiv": lambda a, b: -(-a // b),
    "shl": operator.lshift,
    "shr": operator.rshift,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "pow": operator.pow,
    "max": max,
    "min": min,
    "truncdiv": lambda a, b: int(a / b) if abs(a) < 2**53 else -(-a // b) if (a < 0) != (b < 0) else a // b,
    "truncmod": lambda a, b: a - b * (-(-a // b) if (a < 0) != (b < 0) else a // b),
}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_INTEGRAL = ("floordiv", "floormod", "ceildiv", "truncdiv", "truncmod", "shl", "shr", "and", "or", "xor")


# Values as operands


def resolved(s: State, value: Value) -> Value:
    """Return the index of a size variable; another value as it is."""
    if isinstance(value, SizeVariable):
        if value.index is None:
            s.fail(BAD_ARGUMENT, f"the size '{value.name}' is the extent of no buffer that stands before")
        return value.index
    return value


def literal(s: State, value: Value) -> Value:
    """Return a number with a type, `T.int64(4)`, as the number that it is; other values as they are.

    The constant goes at the end of the function where nothing else uses it.
    """
    op = value.owner if isinstance(value, SSAValue) else None
    if not isinstance(op, arith.ConstantOp) or not isinstance(op.value, (IntegerAttr, FloatAttr)):
        return value
    s.literals.append(op)
    number = op.value.value.data
    return bool(number) if op.value.type == i1 else number


def _beside_index(s: State, value: Value, other: Value) -> Value:
    """Return an operand beside an index expression: an integer with a type is a part of that expression."""
    if not isinstance(other, Index) or not isinstance(value, SSAValue):
        return value
    return literal(s, value) if isinstance(value.type, (IntegerType, IndexType)) and value.type != i1 else value


def dtype_of(s: State, value: Value) -> str:
    """Return the dtype of an operand that has one: of a vector, that of its elements."""
    match value:
        case Index():
            return "index"
        case Condition():
            return "bool"
        case SSAValue():
            return dtype_of_ir(element_of(value))
        case _:
            return s.fail(BAD_ARGUMENT, f"expected a number, but got {kind_of(value)}")


def materialized(s: State, value: Value) -> SSAValue:
    """Return a typed operand as an SSA value."""
    match value:
        case SSAValue():
            return value
        case Index() if value.uses_lane:
            return s.fail(BAD_ARGUMENT, "expected an index without the lane here", help="use T.tw.apply(…, lanes=n)")
        case Index() if value.is_constant:
            return emit_constant(s.emit, value.constant, IndexType())
        case Index():
            return value.single_value or s.emit(loop.ApplyOp(value))
        case Condition():
            return s.emit(loop.TestOp(value.conditions))
        case _:
            return s.fail(BAD_ARGUMENT, f"expected a value, but got {kind_of(value)}")


def typed(s: State, value: Value, dtype: str | None = None) -> SSAValue:
    """Return an operand as an SSA value; a number of Python has the type `dtype`, or that of its kind."""
    value = resolved(s, value)
    if not is_number(value):
        return materialized(s, value)
    weak = "bool" if isinstance(value, bool) else "int32" if isinstance(value, int) else "float32"
    return constant(s, value, dtype or weak)


def constant(s: State, value: Any, dtype: str) -> SSAValue:
    """Return a number of Python as a constant of a type that holds it."""
    info = dtype_info(dtype)
    held = info.held(value)
    if held is None:
        s.fail(BAD_ARGUMENT, f"expected a number that {dtype} can hold, but got {value}")
    return emit_constant(s.emit, held, info.ir)


def converted(s: State, value: Value, dtype: str) -> SSAValue:
    """Return an operand converted to a dtype; numbers of Python become constants of it."""
    value = resolved(s, value)
    if is_number(value):
        return constant(s, value, dtype)
    source = dtype_of(s, value)
    if dtype == "bool" and source != "bool":
        return compare(s, "!=", value, 0)
    operand = materialized(s, value)
    return operand if source == dtype else _cast(s, operand, source, dtype)


def _cast(s: State, operand: SSAValue, source: str, dtype: str) -> SSAValue:
    if lanes_of(operand) is not None:
        s.fail(BAD_ARGUMENT, f"expected a scalar to convert to {dtype}, but got a vector", help="use T.tw.op")
    return emit_cast(s.emit, operand, source, dtype)


def broadcast(s: State, value: SSAValue, lanes: int | None) -> SSAValue:
    """Return a scalar as a vector, where others are."""
    if lanes is None or lanes_of(value) is not None:
        return value
    return s.emit(vector.BroadcastOp(value, vector_type(value.type, lanes)))


def _common(s: State, values: Sequence[Value]) -> tuple[list[SSAValue], str]:
    """Return operands converted to their common type and length. An index beside other values counts as an int32."""
    known = [dtype_of(s, v) for v in values if not is_number(v)]
    if set(known) != {_INDEX}:
        known = [_BESIDE_VALUES if dtype == _INDEX else dtype for dtype in known]
    dtype = known[0]
    for other in known[1:]:
        dtype = promote(dtype, other)
    for value in values:
        dtype = _beside(dtype, value) if is_number(value) else dtype
    operands = [converted(s, v, dtype) for v in values]
    lanes = next((n for n in map(lanes_of, operands) if n is not None), None)
    return [broadcast(s, v, lanes) for v in operands], dtype


def _beside(dtype: str, value: Any) -> str:
    info = dtype_info(dtype)
    if isinstance(value, bool) or info.is_float:
        return dtype
    if isinstance(value, int):
        return "int32" if info.is_bool else dtype
    return "float32"


# Operations


def binary(s: State, op: str, a: Value, b: Value) -> Value:
    """Apply an operator or function to two operands."""
    a, b = resolved(s, a), resolved(s, b)
    a, b = _beside_index(s, a, b), _beside_index(s, b, a)
    if is_number(a) and is_number(b):
        return _folded(s, op, a, b)
    if _is_index(a) and _is_index(b):
        result = _affine(op, Index.of(a), Index.of(b))
        if result is not None:
            return result
    operands, dtype = _common(s, [a, b])
    _check_operands(s, op, dtype)
    if op in DIVISIONS and s.path and not isinstance(operands[1].owner, arith.ConstantOp):
        one = broadcast(s, constant(s, 1, dtype), lanes_of(operands[1]))
        operands[1] = s.emit(arith.SelectOp(s.emit(loop.TestOp(s.path)), operands[1], one))
    return _as_index(emit_binary(s.emit, op, dtype, operands[0], operands[1]))


def _as_index(value: SSAValue) -> Value:
    return Index.of(value) if isinstance(value.type, IndexType) else value


def _is_index(value: Value) -> bool:
    return isinstance(value, Index) or (isinstance(value, int) and not isinstance(value, bool))


def _folded(s: State, op: str, a: Any, b: Any) -> Any:
    """Return the result of an operator on two numbers of Python."""
    if op in _INTEGRAL and not (isinstance(a, int) and isinstance(b, int)) and op not in ("floordiv", "floormod"):
        s.fail(BAD_ARGUMENT, f"expected integers, but got {a} and {b}")
    if op not in _CONSTANT:
        return _numeric(s, op, [a, b])
    if op in ("shl", "shr", "pow") and isinstance(a, int) and isinstance(b, int) and not 0 <= b <= _MOST_BITS:
        s.fail(BAD_ARGUMENT, f"expected a number of bits or an exponent from 0 to {_MOST_BITS}, but got {b}")
    try:
        result = _CONSTANT[op](a, b)
    except (ZeroDivisionError, OverflowError) as error:
        s.fail(BAD_ARGUMENT, f"this has no value: {error}")
    return _bounded(s, result)


def _bounded(s: State, value: Any) -> Any:
    if isinstance(value, complex) or (isinstance(value, int) and value.bit_length() > _MOST_BITS):
        s.fail(BAD_ARGUMENT, f"expected a number of at most {_MOST_BITS} bits")
    return value


def _numeric(s: State, op: str, values: Sequence[Any]) -> SSAValue:
    """Emit a function of numbers alone, which the program computes."""
    operands = [converted(s, v, "float32") for v in values]
    if len(operands) == 1:
        return emit_unary(s.emit, op, "float32", operands[0])
    return emit_binary(s.emit, op, "float32", operands[0], operands[1])


def _affine(op: str, a: Index, b: Index) -> Index | None:
    """Return the index expression that an operator gives; None where it is not quasi-affine."""
    match op:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul" if b.is_constant:
            return a * b.constant
        case "mul" if a.is_constant:
            return b * a.constant
        case "floordiv" if b.is_constant and b.constant > 0:
            return a // b.constant
        case "floormod" if b.is_constant and b.constant > 0:
            return a % b.constant
        case "ceildiv" if b.is_constant and b.constant > 0:
            return a.ceildiv(b.constant)
        case "max" | "min" if (a - b).is_constant:
            return a if ((a - b).constant >= 0) == (op == "max") else b
        case _:
            return None


def _check_operands(s: State, op: str, dtype: str) -> None:
    info = dtype_info(dtype)
    if op in ("and", "or", "xor"):
        if info.is_float:
            s.fail(BAD_ARGUMENT, f"expected integers or conditions, but got {dtype}")
    elif info.is_bool:
        s.fail(BAD_ARGUMENT, "expected numbers, but got conditions", help="convert: T.cast(x, 'int32')")
    elif info.is_float and op in _INTEGRAL:
        s.fail(BAD_ARGUMENT, f"expected integers, but got {dtype}", help="use T.floor(a / b)")
    elif not info.is_float and op in ("div", "fmod", "atan2"):
        s.fail(BAD_ARGUMENT, f"expected floats, but got {dtype}", help="use //, T.truncdiv or T.truncmod, or T.cast")


_FUNCTIONS_OF_INTEGERS = ("abs", "popcount", "clz", "neg", "not")
_ROUNDINGS = ("floor", "ceil", "round", "trunc")


def unary(s: State, op: str, value: Value) -> Value:
    """Apply an operator or function to one operand."""
    value = resolved(s, value)
    if is_number(value):
        if op == "neg":
            return -value
        if op == "not":
            return not value if isinstance(value, bool) else ~value if isinstance(value, int) else _refuse_not(s)
        if op == "abs":
            return abs(value)
        return _numeric(s, op, [value])
    if isinstance(value, Index) and op == "neg":
        return -value
    if op == "not" and isinstance(value, Condition) and len(value.conditions) == 1:
        return Condition((-value.conditions[0] - 1,))
    info = dtype_info(dtype_of(s, value))
    if not info.is_float and op in _ROUNDINGS:
        return value
    if not info.is_float and op not in _FUNCTIONS_OF_INTEGERS:
        return emit_unary(s.emit, op, "float32", converted(s, value, "float32"))
    if (info.is_bool and op != "not") or (info.is_float and op in ("not", "popcount", "clz")):
        s.fail(BAD_ARGUMENT, f"expected another operand of this operation, but got {info.name}")
    operand = materialized(s, value)
    if lanes_of(operand) is not None and not info.is_float:
        s.fail(BAD_ARGUMENT, "expected a scalar or a vector of floats", help="use T.tw.op")
    return _as_index(emit_unary(s.emit, op, info.name, operand))


def _refuse_not(s: State) -> Any:
    s.fail(BAD_ARGUMENT, "expected a condition or an integer, but got a float")


def compare(s: State, op: str, a: Value, b: Value) -> Any:
    """Compare operands: indices give a condition, other values an SSA value, constants a bool."""
    a, b = resolved(s, a), resolved(s, b)
    a, b = _beside_index(s, a, b), _beside_index(s, b, a)
    plain = (bool, int, float, str, type(None), tuple, list)
    if isinstance(a, plain) and isinstance(b, plain):
        try:
            return _COMPARE[op](a, b)
        except TypeError as error:
            s.fail(BAD_ARGUMENT, f"these cannot be compared: {error}")
    if _is_index(a) and _is_index(b):
        left, right = index(s, a), index(s, b)
        if op != "!=":
            return Condition(_constraints(op, left, right))
        equal = s.emit(loop.TestOp(_constraints("==", left, right)))
        return emit_unary(s.emit, "not", "bool", equal)
    operands, dtype = _common(s, [a, b])
    return emit_compare(s.emit, op, dtype, operands[0], operands[1])


def _constraints(op: str, lhs: Index, rhs: Index) -> tuple[Index, ...]:
    match op:
        case "<":
            return (rhs - lhs - 1,)
        case "<=":
            return (rhs - lhs,)
        case ">":
            return (lhs - rhs - 1,)
        case ">=":
            return (lhs - rhs,)
        case _:
            return (lhs - rhs, rhs - lhs)


def logical(s: State, op: str, values: Sequence[Value]) -> Value:
    """Return `and` or `or` of conditions."""
    known = [v for v in values if not isinstance(v, bool)]
    if any(v is (op == "or") for v in values if isinstance(v, bool)):
        return op == "or"
    if len(known) < 2:
        return known[0] if known else op == "and"
    if op == "and" and all(isinstance(v, Condition) for v in known):
        return Condition(tuple(e for v in known for e in v.conditions))
    result = truth(s, known[0])
    for value in known[1:]:
        result = emit_binary(s.emit, op, "bool", result, truth(s, value))
    return result


def truth(s: State, value: Value) -> SSAValue:
    """Return a condition as an SSA value of type i1."""
    value = resolved(s, value)
    if isinstance(value, bool):
        return constant(s, value, "bool")
    if is_number(value) or dtype_of(s, value) != "bool":
        s.fail(BAD_ARGUMENT, f"expected a condition, but got {kind_of(value)}", help="compare it with 0")
    return materialized(s, value)


def guard(s: State, value: Value) -> tuple[Index, ...]:
    """Return a condition as a conjunction of `e >= 0`."""
    if isinstance(value, Condition):
        return value.conditions
    if isinstance(value, bool):
        return () if value else (Index.of(-1),)
    return (Index.of(emit_cast(s.emit, truth(s, value), "bool", "index")) - 1,)


def negated(s: State, conditions: tuple[Index, ...]) -> tuple[Index, ...]:
    """Return the opposite of a conjunction."""
    if len(conditions) == 1:
        return (-conditions[0] - 1,)
    held = emit_cast(s.emit, s.emit(loop.TestOp(conditions)), "bool", "index")
    return (-Index.of(held),)


def select(s: State, condition: Value, a: Value, b: Value) -> Value:
    """Return one of two values, both of which are computed; of a condition that is known the one that it chooses."""
    if isinstance(condition, bool) and is_number(a) and is_number(b):
        return a if condition else b
    chosen = truth(s, condition)
    first, second = agreeing(s, a, b)
    return s.emit(arith.SelectOp(chosen, first, second))


def agreeing(s: State, a: Value, b: Value) -> tuple[SSAValue, SSAValue]:
    """Return two values of one type."""
    a, b = resolved(s, a), resolved(s, b)
    if is_number(a) and is_number(b):
        dtype = "float32" if isinstance(a, float) or isinstance(b, float) else "int32"
        return constant(s, a, dtype), constant(s, b, dtype)
    if isinstance(a, SSAValue) and isinstance(b, SSAValue) and a.type == b.type:
        return a, b
    (first, second), _ = _common(s, [a, b])
    return first, second


def index(s: State, value: Value) -> Index:
    """Return an integer as an index expression."""
    value = resolved(s, value)
    if isinstance(value, SSAValue) and not isinstance(number := literal(s, value), (bool, float)):
        value = number
    if isinstance(value, SSAValue) and isinstance(op := value.owner, arith.IndexCastOp) and value.type == i64:
        value = Index.of(op.input)
    if isinstance(value, bool) or not isinstance(value, (int, Index, SSAValue)):
        s.fail(BAD_ARGUMENT, f"expected an index, but got {kind_of(value)}")
    if not isinstance(value, SSAValue):
        return Index.of(value)
    if isinstance(value.type, IndexType):
        return Index.of(value)
    info = dtype_info(dtype_of(s, value))
    if not info.is_integer or lanes_of(value) is not None:
        s.fail(BAD_ARGUMENT, f"expected an integer as index, but got {kind_of(value)}", help="use T.cast(x, 'int32')")
    return Index.of(emit_cast(s.emit, value, info.name, "index"))


def stored(s: State, value: Value, element: Attribute, lanes: int | None) -> SSAValue:
    """Return a value as elements of a buffer: numbers and indices are converted, other types have to agree."""
    value = resolved(s, value)
    known = type_name(element)
    if (
        is_number(value)
        or isinstance(value, Index)
        or (isinstance(value, Condition) and not dtype_info(known).is_float)
    ):
        result = converted(s, value, known)
    else:
        result = materialized(s, value)
    if element_of(result) != element:
        s.fail(
            BAD_ARGUMENT,
            f"expected a value of type {known}, but got {type_name(result.type)}",
            help=f"convert it: T.cast(…, '{known}')",
        )
    return broadcast(s, result, lanes)
