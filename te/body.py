"""Emission of the body of a compute: scalars as arith and math, indices as `Index`, conditions as guards.

Equal operations are emitted once. A condition of `if_then_else` becomes part of the guard of every read that depends on
it; a part of the condition that is not affine becomes a 0-or-1 index, so that any condition can be a guard.
`StatementEmitter` emits the expressions of statements on buffers, as operations of the loop dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import LocationAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue

from ..diagnostics.locations import fused_location
from ..dialects import loop
from ..dialects.index_expr import Index
from ..dialects.loop import CallExternOp, CallIntrinOp, CallPureExternOp, ValueArgument
from ..dialects.te import ApplyOp, ReadOp, TestOp
from ..semantics.intrinsics import has_rules_of_users
from .calls import Call, PackedCall, Reinterpreted
from .dtypes import dtype_info
from .expr import Axis, Binary, CalledFunction, Cast, Choice, Compare, Const, Expr, Parameter, Read, Unary, Var, walk
from .printing import Printed, print_operation
from .scalar_operations import DIVISIONS, emit_binary, emit_cast, emit_compare, emit_constant, emit_unary
from .te_errors import te_error
from .tensor import Tensor

_WIDE = ("index", "int64")
"""The types in which arithmetic is that of `Index`; a narrower one may wrap around."""


class BodyEmitter:
    """Emits expressions at one insertion point, given the values of tensors, axes and sizes in the IR."""

    read_operation: ClassVar[Callable[..., Operation]] = ReadOp
    apply_operation: ClassVar[Callable[..., Operation]] = ApplyOp
    test_operation: ClassVar[Callable[..., Operation]] = TestOp

    def __init__(
        self,
        builder: Builder,
        tensors: Mapping[Tensor, SSAValue],
        variables: Mapping[Axis | Var, Index],
        parameters: Mapping[Parameter, SSAValue] | None = None,
        *,
        scalars: Mapping[Var, Tensor] | None = None,
        location: LocationAttr | None = None,
    ) -> None:
        """Emit operations at `location`, or without it where the user's Python builds their expression.

        `scalars` are the variables that are separate arguments, each a tensor without dimensions.
        """
        self._scalars = scalars or {}
        self._location = location
        self._expression: Expr | None = None
        self._parameters = parameters or {}
        self._builder = builder
        self._tensors = tensors
        self._variables = variables
        self._path: tuple[Index, ...] = ()
        self._known: dict[object, SSAValue] = {}
        self._tests: dict[tuple[Index, ...], SSAValue] = {}
        self._done: dict[tuple[Expr, tuple[Index, ...]], SSAValue] = {}

    def scalar(self, expr: Expr) -> SSAValue:
        """Return the value of an expression, where the conditions around it hold."""
        if expr.dtype == "index":
            return self._materialize(self.index(expr))
        return self._operation(expr)

    def index(self, expr: Expr) -> Index:
        """Return an integer expression as an index expression; a part that is not affine is one variable of it."""
        if isinstance(expr, (Axis, Var)):
            return self._variable(expr)
        if isinstance(expr, Const):
            return Index.of(int(expr.value))
        affine = self._affine(expr) if expr.dtype in _WIDE else None
        if affine is not None:
            return affine
        return Index.of(emit_cast(self._emit, self._operation(expr), expr.dtype, "index"))

    def _variable(self, variable: Axis | Var) -> Index:
        if variable in self._variables or not isinstance(variable, Var):
            return self._variables[variable]
        value = self._read(Read(self._scalars[variable], ()), None)
        return Index.of(emit_cast(self._emit, value, variable.stored, "index"))

    def _affine(self, expr: Expr) -> Index | None:
        match expr:
            case Binary(op="add"):
                return self.index(expr.lhs) + self.index(expr.rhs)
            case Binary(op="sub"):
                return self.index(expr.lhs) - self.index(expr.rhs)
            case Binary(op="mul" | "floordiv" | "floormod" | "ceildiv"):
                return _scaled(expr.op, self.index(expr.lhs), self.index(expr.rhs))
            case Unary(op="neg"):
                return -self.index(expr.operand)
            case Cast() if expr.operand.dtype in _WIDE:
                return self.index(expr.operand)
            case _:
                return None

    def guard(self, condition: Expr) -> tuple[Index, ...]:
        """Return a condition as a conjunction of `e >= 0`."""
        match condition:
            case Binary(op="and"):
                return self.guard(condition.lhs) + self.guard(condition.rhs)
            case Compare() if condition.op != "!=" and _is_index(condition):
                return _constraints(condition.op, self.index(condition.lhs), self.index(condition.rhs))
            case Unary(op="not"):
                return self._negated(self.guard(condition.operand))
            case _:
                return self._opaque_guard(self._operation(condition))

    def _negated(self, guard: tuple[Index, ...]) -> tuple[Index, ...]:
        if len(guard) == 1:
            return (-guard[0] - 1,)
        return (-self._truth(self._test(guard)),)

    def _opaque_guard(self, condition: SSAValue) -> tuple[Index, ...]:
        guard = (self._truth(condition) - 1,)
        self._tests[guard] = condition
        return guard

    def _truth(self, condition: SSAValue) -> Index:
        """Return 1 where the condition holds, else 0."""
        return Index.of(emit_cast(self._emit, condition, "bool", "index"))

    @contextmanager
    def _where(self, guard: tuple[Index, ...]) -> Generator[None]:
        outer, self._path = self._path, tuple(dict.fromkeys((*self._path, *guard)))
        try:
            yield
        finally:
            self._path = outer

    # Operations

    def _operation(self, expr: Expr) -> SSAValue:
        """Return the value of an expression that is no index; once for each path of conditions to it."""
        for node in self._arithmetic(expr):
            outer, self._expression = self._expression, node
            self._done[node, self._path] = self._node(node)
            self._expression = outer
        return self._done[expr, self._path]

    def _arithmetic(self, root: Expr) -> Iterator[Expr]:
        """Yield the expressions of `root` whose emission is left, operands first; arithmetic is traversed.

        An iteration rather than a recursion, because sums that a Python loop writes can be thousands of terms long.
        """
        stack = [(root, False)]
        while stack:
            node, operands_done = stack.pop()
            if (node, self._path) in self._done:
                continue
            called = _called(node)
            if operands_done or not (called or isinstance(node, (Unary, Binary, Cast, Call))):
                yield node
                continue
            stack.append((node, True))
            operands = called.args if called else node.operands
            stack.extend((o, False) for o in reversed(operands) if o.dtype != "index")

    def _node(self, expr: Expr) -> SSAValue:
        info = dtype_info(expr.dtype)
        if called := _called(expr):
            return self._emit(CallIntrinOp(called.name, [self.scalar(a) for a in called.args], info.ir))
        match expr:
            case Const():
                return emit_constant(self._emit, expr.value, info.ir)
            case Unary():
                return emit_unary(self._emit, expr.op, expr.dtype, self.scalar(expr.operand))
            case Binary():
                lhs, rhs = self.scalar(expr.lhs), self.scalar(expr.rhs)
                if expr.op in DIVISIONS:
                    rhs = self._safe_divisor(rhs, info.ir)
                return emit_binary(self._emit, expr.op, expr.dtype, lhs, rhs)
            case Call():
                operation = CallPureExternOp if expr.is_extern else CallIntrinOp
                return self._emit(operation(expr.symbol, [self.scalar(a) for a in expr.args], info.ir))
            case Cast():
                return emit_cast(self._emit, self.scalar(expr.operand), expr.operand.dtype, expr.dtype)
            case Compare():
                return self._compare(expr)
            case Choice(guarded=False):
                return self._select(*(self.scalar(o) for o in expr.operands))
            case Choice():
                return self._guarded_choice(expr)
            case Read():
                return self._read(expr, None)
            case Parameter():
                return self._parameters[expr]
            case Printed():
                return self._print(expr)
            case Reinterpreted():
                return self._emit(arith.BitcastOp(self.scalar(expr.operand), info.ir))
            case PackedCall():
                return self._call_packed(expr)
            case Var():
                return self._read(Read(self._scalars[expr], ()), None)
            case _:
                te_error("TW0451", f"expected a scalar expression, but got a {type(expr).__name__}, which has no value")

    def _print(self, expr: Printed) -> SSAValue:
        """Emit the operation that prints a value where the conditions around it hold, and return the value."""
        value, block = self.scalar(expr.operand), self._builder.insertion_point.block
        where = None if expr.origin is None else expr.origin.location
        op = print_operation(self._emit, value, expr.label, where, block, self._path)
        op.location = self._source_location() or op.location
        self._builder.insert(op)
        return value

    def _call_packed(self, expr: PackedCall) -> SSAValue:
        """Emit the call, which is made for its effect too: equal calls are all made."""
        if self._path:
            te_error(
                "TW0254",
                f"expected '{expr.name}' to be called for every element, but it stands within a condition",
                help="call it outside of te.if_then_else, or choose by te.Select",
            )
        values = [ValueArgument(self.scalar(a)) for a in expr.args]
        op = CallExternOp(expr.symbol, values, [dtype_info(expr.dtype).ir])
        op.location = self._source_location() or op.location
        self._builder.insert(op)
        return op.res[0]

    def _compare(self, expr: Compare) -> SSAValue:
        if not _is_index(expr):
            lhs, rhs = self.scalar(expr.lhs), self.scalar(expr.rhs)
            return emit_compare(self._emit, expr.op, expr.lhs.dtype, lhs, rhs)
        if expr.op != "!=":
            return self._test(self.guard(expr))
        equal = self._test(_constraints("==", self.index(expr.lhs), self.index(expr.rhs)))
        return emit_unary(self._emit, "not", "bool", equal)

    def _guarded_choice(self, expr: Choice) -> SSAValue:
        """Emit each value under its condition; if one of them is a read, the guard of the read chooses."""
        guard, chosen, other = self.guard(expr.condition), expr.true_value, expr.false_value
        if isinstance(other, Read) and not isinstance(chosen, Read):
            guard, chosen, other = self._negated(guard), other, chosen
        with self._where(self._negated(guard) if _needs_condition(other) else ()):
            otherwise = self.scalar(other)
        with self._where(guard):
            if isinstance(chosen, Read):
                return self._read(chosen, otherwise)
            value = self.scalar(chosen)
        return self._select(self._test(guard), value, otherwise)

    def _read(self, expr: Read, otherwise: SSAValue | None) -> SSAValue:
        indices = [self.index(i) for i in expr.indices]
        tensor = self._tensors[expr.tensor]
        if not self._path:
            return self._emit(self.read_operation(tensor, indices))
        if otherwise is None:
            otherwise = emit_constant(self._emit, 0, dtype_info(expr.dtype).ir)
        return self._emit(self.read_operation(tensor, indices, self._path, otherwise))

    def _safe_divisor(self, divisor: SSAValue, type: Attribute) -> SSAValue:
        """Return a divisor that is not 0 where the conditions fail: both values of a choice are computed."""
        if not self._path or isinstance(divisor.owner, arith.ConstantOp):
            return divisor
        return self._select(self._test(self._path), divisor, emit_constant(self._emit, 1, type))

    def _select(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        return a if a is b else self._emit(arith.SelectOp(condition, a, b))

    def _test(self, guard: tuple[Index, ...]) -> SSAValue:
        return self._tests[guard] if guard in self._tests else self._emit(self.test_operation(guard))

    def _materialize(self, index: Index) -> SSAValue:
        if index.is_constant:
            return emit_constant(self._emit, index.constant, dtype_info("index").ir)
        return index.single_value or self._emit(self.apply_operation(index))

    def _emit(self, op: Operation) -> SSAValue:
        """Insert `op`, unless an equal operation was; its one result."""
        key = (op.name, tuple(op.operands), tuple(op.properties.items()), tuple(op.result_types))
        location, known = self._source_location(), self._known.get(key)
        if known is not None:
            op.erase()
            if isinstance(known.owner, Operation) and location is not None:
                known.owner.location = fused_location(known.owner.location, location)
            return known
        op.location = location or op.location
        self._builder.insert(op)
        self._known[key] = op.results[0]
        return op.results[0]

    def _source_location(self) -> LocationAttr | None:
        """Return the source location of the operation that is being emitted."""
        if self._location is not None or self._expression is None or self._expression.origin is None:
            return self._location
        return self._expression.origin.location


def _called(expr: Expr) -> CalledFunction | None:
    """Return the function that the expression is the definition of, where any target has a rule for the function."""
    called = expr.called
    return called if called is not None and has_rules_of_users(called.name) else None


def _is_index(comparison: Compare) -> bool:
    """Return whether a comparison is one of axes and sizes only, which are far from the limits of int64."""
    nodes = [node for operand in comparison.operands for node in walk(operand)]
    return all(node.dtype in _WIDE and not isinstance(node, (Read, Parameter)) for node in nodes)


def _needs_condition(expr: Expr) -> bool:
    """Return whether the expression must not be evaluated where its condition fails: it has a read or a division."""
    return any(isinstance(n, Read) or (isinstance(n, Binary) and n.op in DIVISIONS) for n in walk(expr))


def _scaled(op: str, lhs: Index, rhs: Index) -> Index | None:
    """Return a product with, or a division by, a constant; None where it is not affine."""
    if op == "mul":
        if rhs.is_constant:
            return lhs * rhs.constant
        return rhs * lhs.constant if lhs.is_constant else None
    if not rhs.is_constant or rhs.constant <= 0:
        return None
    if op == "ceildiv":
        return lhs.ceildiv(rhs.constant)
    return lhs // rhs.constant if op == "floordiv" else lhs % rhs.constant


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


class StatementEmitter(BodyEmitter):
    """Emits expressions over buffers, whose elements are loaded at the position of the statement."""

    read_operation: ClassVar[Callable[..., Operation]] = loop.LoadOp
    apply_operation: ClassVar[Callable[..., Operation]] = loop.ApplyOp
    test_operation: ClassVar[Callable[..., Operation]] = loop.TestOp

    def passed(self, given: Expr) -> loop.Argument:
        """Return the expression as an argument of a foreign call."""
        if given.dtype == "index":
            return loop.IndexArgument(self.index(given), i32)
        return loop.ValueArgument(self.scalar(given))
