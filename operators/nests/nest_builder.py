"""Builder of loop nests for operators whose results no expression of an index describes.

A `NestBuilder` inserts loops, loads, stores and arithmetic at a builder; a `Scalar` is a result of these, with Python's
operators. The bound of a loop may be a loaded value, which a reduction of a compute does not allow.

    def statement(builder, rows, x, y):
        program = NestBuilder(builder)
        with program.loop(0, program.size(y, 0)) as i:
            with program.loop(program.load(rows, i), program.load(rows, i + 1)) as e:
                program.store(program.load(y, i) + program.load(x, e), y, i)
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.dtypes import dtype_name
from ...dialects.index_expr import Index
from ...dialects.loop.kinds import LoopKindAttr
from ...te.dtypes import dtype_info
from ...te.scalar_operations import emit_binary, emit_cast, emit_compare, emit_constant, emit_unary

LEAST_SHARED = 1 << 15
"""Elements below which starting threads costs more than it saves."""

Subscript: TypeAlias = "Index | Scalar | int"


@dataclass(frozen=True, eq=False)
class Scalar:
    """A value of a type; operators take numbers beside it as values of that type."""

    program: NestBuilder
    value: SSAValue
    dtype: str

    def astype(self, dtype: str) -> Scalar:
        cast = emit_cast(self.program.insert, self.value, self.dtype, dtype)
        return Scalar(self.program, cast, dtype)

    def _other(self, other: Any) -> Scalar:
        return other if isinstance(other, Scalar) else self.program.constant(other, self.dtype)

    def _binary(self, op: str, other: Any) -> Scalar:
        value = emit_binary(self.program.insert, op, self.dtype, self.value, self._other(other).value)
        return Scalar(self.program, value, self.dtype)

    def _compare(self, op: str, other: Any) -> Scalar:
        value = emit_compare(self.program.insert, op, self.dtype, self.value, self._other(other).value)
        return Scalar(self.program, value, "bool")

    def __add__(self, other: Any) -> Scalar:
        return self._binary("add", other)

    def __sub__(self, other: Any) -> Scalar:
        return self._binary("sub", other)

    def __mul__(self, other: Any) -> Scalar:
        return self._binary("mul", other)

    def __truediv__(self, other: Any) -> Scalar:
        return self._binary("div", other)

    def __and__(self, other: Any) -> Scalar:
        return self._binary("and", other)

    def __or__(self, other: Any) -> Scalar:
        return self._binary("or", other)

    def __invert__(self) -> Scalar:
        return self.unary("not")

    def __lt__(self, other: Any) -> Scalar:
        return self._compare("<", other)

    def __le__(self, other: Any) -> Scalar:
        return self._compare("<=", other)

    def __gt__(self, other: Any) -> Scalar:
        return self._compare(">", other)

    def __ge__(self, other: Any) -> Scalar:
        return self._compare(">=", other)

    def equals(self, other: Any) -> Scalar:
        return self._compare("==", other)

    def differs(self, other: Any) -> Scalar:
        """Return whether the values differ; a NaN differs from every value."""
        return self._compare("!=", other)

    def __xor__(self, other: Any) -> Scalar:
        return self._binary("xor", other)

    def __lshift__(self, other: Any) -> Scalar:
        return self._binary("shl", other)

    def __rshift__(self, other: Any) -> Scalar:
        return self._binary("shr", other)

    def bits(self) -> Scalar:
        """Return the bits of the value as an unsigned integer of as many."""
        info = dtype_info(self.dtype)
        if not info.is_float:
            return self if self.dtype.startswith("u") else self.astype(f"u{self.dtype}")
        value = self.program.insert(arith.BitcastOp(self.value, IntegerType(info.bits)))
        return Scalar(self.program, value, f"int{info.bits}").astype(f"uint{info.bits}")

    def max(self, other: Any) -> Scalar:
        """Return the greater one; a NaN where an operand is NaN."""
        return self._binary("max", other)

    def min(self, other: Any) -> Scalar:
        """Return the lesser one; a NaN where an operand is NaN."""
        return self._binary("min", other)

    def unary(self, op: str) -> Scalar:
        """Return a function of the value, `floor` and `ceil` among them."""
        return Scalar(self.program, emit_unary(self.program.insert, op, self.dtype, self.value), self.dtype)

    def choose(self, chosen: Scalar, other: Scalar) -> Scalar:
        """Return `chosen` where the condition holds, else `other`."""
        value = self.program.insert(arith.SelectOp(self.value, chosen.value, other.value))
        return Scalar(self.program, value, chosen.dtype)


class NestBuilder:
    """A builder of the loops, loads and stores of an operator's statement."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    @contextmanager
    def loop(self, low: Subscript, high: Subscript, *, parallel: bool = False) -> Generator[Index]:
        """Open a loop from `low` to `high`, that excluded, and yield its variable."""
        kind = LoopKindAttr.of("parallel") if parallel else loop.SERIAL
        nest = loop.ForOp(self.index(low), self.index(high), kind=kind, name_hint="i")
        self.insert(nest)
        outside, self._builder = self._builder, Builder(InsertPoint.at_end(nest.body.block))
        yield Index.of(nest.induction_variable)
        self._builder = outside

    @contextmanager
    def over(self, *sizes: Subscript, parallel: bool = False) -> Generator[list[Index]]:
        """Open loops from 0 to these sizes, the outermost of which may be parallel, and yield their variables."""
        if not sizes:
            yield []
            return
        with self.loop(0, sizes[0], parallel=parallel) as first, self.over(*sizes[1:]) as others:
            yield [first, *others]

    @contextmanager
    def when(self, condition: Scalar) -> Generator[None]:
        """Insert operations that run only where a condition holds."""
        choice = loop.IfOp([self.index(condition) - 1])
        self.insert(choice)
        outside, self._builder = self._builder, Builder(InsertPoint.at_end(choice.then_body.block))
        yield
        self._builder = outside

    @contextmanager
    def search(self, going: SSAValue, count: Subscript, *, leaves: bool) -> Generator[Index]:
        """Open a loop from 0 to `count` whose body runs until it stores false into `going`, a buffer of one bool, which
        is true to begin with; yield its variable. It ends there, or, unless it `leaves`, goes on to `count` in vain."""
        self.store(self.constant(1, "bool"), going, 0)
        if not leaves:
            with self.loop(0, count) as i, self.when(self.load(going, 0)):
                yield i
            return
        nest = loop.WhileOp(going, [self.index(count)], name_hint="i")
        self.insert(nest)
        outside, self._builder = self._builder, Builder(InsertPoint.at_end(nest.body.block))
        yield Index.of(nest.induction_variable)
        self._builder = outside

    def fold(
        self,
        low: Subscript,
        high: Subscript,
        start: Sequence[Scalar],
        step: Callable[[Index, list[Scalar]], Sequence[Scalar]],
    ) -> list[Scalar]:
        """Return the values that a loop has carried to its end: `step` gives those after an iteration, of its number
        and the values before it."""
        lower, upper = self.index(low), self.index(high)
        nest = loop.ForOp(lower, upper, iter_args=[each.value for each in start], name_hint="i")
        self.insert(nest)
        outside, self._builder = self._builder, Builder(InsertPoint.at_end(nest.body.block))
        carried = [Scalar(self, value, each.dtype) for value, each in zip(nest.body.block.args[1:], start, strict=True)]
        values = step(Index.of(nest.induction_variable), carried)
        self.insert(loop.YieldOp(*(each.value for each in values)))
        self._builder = outside
        return [Scalar(self, value, each.dtype) for value, each in zip(nest.res, start, strict=True)]

    def size(self, buffer: SSAValue, dimension: int) -> Index:
        size = buffer.type.get_shape()[dimension]  # pyright: ignore[reportAttributeAccessIssue]
        return Index.of(size) if size >= 0 else Index.of(self.insert(loop.DimOp(buffer, dimension)))

    def worth_threads(self, buffer: SSAValue) -> bool:
        """Return whether threads share the work on a buffer: its elements are many, or their number is not known."""
        shape = buffer.type.get_shape()  # pyright: ignore[reportAttributeAccessIssue]
        return any(size < 0 for size in shape) or prod(shape) >= LEAST_SHARED

    def constant(self, number: float, dtype: str) -> Scalar:
        return Scalar(self, emit_constant(self.insert, number, dtype_info(dtype).ir), dtype)

    def number(self, index: Index, dtype: str) -> Scalar:
        """Return an index as a value of a type."""
        value = self.insert(loop.ApplyOp(index))
        return Scalar(self, emit_cast(self.insert, value, "index", dtype), dtype)

    def load(self, buffer: SSAValue, *index: Subscript) -> Scalar:
        value = self.insert(loop.LoadOp(buffer, [self.index(i) for i in index]))
        return Scalar(self, value, dtype_name(value.type))

    def store(self, value: Scalar, buffer: SSAValue, *index: Subscript) -> None:
        self.insert(loop.StoreOp(value.value, buffer, [self.index(i) for i in index]))

    def index(self, given: Subscript) -> Index:
        """Return an index; of a loaded value its number."""
        if isinstance(given, Scalar):
            return Index.of(emit_cast(self.insert, given.value, given.dtype, "index"))
        return Index.of(given)

    def insert(self, op: Operation) -> SSAValue:
        """Insert an operation and return its result, where it has one."""
        self._builder.insert(op)
        return op.results[0] if op.results else None  # pyright: ignore[reportReturnType]
