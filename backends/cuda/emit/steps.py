"""Operations that take several statements of Python, and rounding to odd."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation

from ...written.text import PRIMARY, Expression, call
from ...written.types import element_of, width_of
from .arithmetic import as_integer, as_unsigned
from .types import narrow_name, value_type

if TYPE_CHECKING:
    from .function import KernelWriter


def rounds_to_odd(op: Operation) -> bool:
    """Whether an operation rounds what a float32 cannot hold to a narrow float: by way of a float32 it would be rounded
    twice, unless the first time leaves the last bit set where anything was lost."""
    if not op.results or narrow_name(op.results[0].type) is None:
        return False
    source = element_of(op.operands[0].type) if op.operands else None
    if op.name in ("arith.sitofp", "arith.uitofp"):
        return isinstance(source, (IntegerType, IndexType)) and width_of(source) > 16
    return op.name == "arith.truncf" and source is not None and value_type(source) == "float64"


def rounded_to_odd(writer: KernelWriter, op: Operation, operand: Expression) -> Expression:
    """The operand as a float32 that is rounded to odd."""
    if op.name == "arith.uitofp":
        operand = as_unsigned(operand, op.operands[0].type)
    exact, nearest, bits = (writer.names.fresh(name) for name in ("exact", "nearest", "bits"))
    line = writer.lines.line
    line(f"{exact} = float64({operand})")
    line(f"{nearest} = float32({exact})")
    line(f"{bits} = device.float_as_uint({nearest})")
    writer.lines.open(f"if math.fabs(float64({nearest})) > math.fabs({exact}):")
    line(f"{bits} = uint32({bits} - uint32(1))")
    writer.lines.close()
    writer.lines.open(f"if float64({nearest}) != {exact} and {exact} == {exact}:")
    line(f"{nearest} = device.uint_as_float(uint32({bits} | uint32(1)))")
    writer.lines.close()
    return Expression(nearest)


def _count(writer: KernelWriter, op: Operation, operands: Sequence[Expression]) -> Expression:
    """Bits are taken from the right, or from the left, until what is counted has come to its end."""
    type_ = op.results[0].type
    rest, count = writer.names.fresh("rest"), writer.names.fresh("count")
    width = width_of(type_)
    writer.lines.line(f"{rest} = {call('uint64', as_unsigned(operands[0], type_))}")
    writer.lines.line(f"{count} = int64(0)")
    match op.name:
        case "math.ctpop":
            holds, after = f"{rest} != uint64(0)", f"uint64({rest} & uint64({rest} - uint64(1)))"
        case "math.cttz":
            holds, after = f"{count} < {width} and {rest} & uint64(1) == uint64(0)", f"uint64({rest} >> uint64(1))"
        case _:
            highest = f"{rest} & uint64({1 << (width - 1)}) == uint64(0)"
            holds, after = f"{count} < {width} and {highest}", f"uint64({rest} << uint64(1))"
    writer.lines.open(f"while {holds}:")
    writer.lines.line(f"{rest} = {after}")
    writer.lines.line(f"{count} = int64({count} + 1)")
    writer.lines.close()
    return as_integer(Expression(count), type_)


def _integer_power(writer: KernelWriter, op: Operation, operands: Sequence[Expression]) -> Expression:
    """By squaring; a negative exponent leaves 1, -1 or 0."""
    base, exponent, result = (writer.names.fresh(name) for name in ("base", "exponent", "power"))
    line = writer.lines.line
    line(f"{base} = int64({operands[0]})")
    line(f"{exponent} = int64({operands[1]})")
    line(f"{result} = int64(1)")
    writer.lines.open(f"if {exponent} < 0:")
    line(f"{result} = {base} if {base} == 1 or {base} == -1 and {exponent} & 1 != 0 else int64({base} == -1)")
    writer.lines.close()
    writer.lines.open(f"while {exponent} > 0:")
    line(f"{result} = int64({result} * {base}) if {exponent} & 1 != 0 else {result}")
    line(f"{base} = int64({base} * {base})")
    line(f"{exponent} = int64({exponent} >> 1)")
    writer.lines.close()
    return as_integer(Expression(result, PRIMARY), op.results[0].type)


STEPS: dict[str, Callable[[KernelWriter, Operation, Sequence[Expression]], Expression]] = {
    "math.ipowi": _integer_power,
    **dict.fromkeys(("math.ctpop", "math.ctlz", "math.cttz"), _count),
}
"""What writes each operation that takes statements."""
