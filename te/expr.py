"""Scalar expressions: the nodes of the body of a compute.

Every node is a small frozen object with a type. Nothing is simplified or looked up here, so building an
expression fails for no other reason than a wrong operand. Index expressions are the same nodes, of type
"index"; lowering checks that they are affine where it matters. Nodes compare by identity, because `==` builds
a comparison.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil, floor
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from ..diagnostics import TilewrightError
from ..diagnostics.locations import CodePoint, caller_point
from ..lazy import missing_field
from .dtypes import DType, dtype_info, promote
from .te_errors import te_error
from .whole_tensors import WholeTensor, operate

if TYPE_CHECKING:
    from .combiners import Combiner, Reducer
    from .ranges import Range
    from .tensor import Tensor

Number: TypeAlias = "bool | int | float"
Scalar: TypeAlias = "Expr | bool | int | float"
"""The values that are accepted as scalar expressions; numpy scalars are too."""


@dataclass(frozen=True)
class CalledFunction:
    """A function by its name, and its operands."""

    name: str
    args: tuple[Expr, ...]


class Expr:
    """A scalar expression. Its operators build larger ones; `%` and `//` round towards minus infinity."""

    dtype: str
    origin: CodePoint | None = None
    """The position in the user's Python program that builds the expression."""
    called: CalledFunction | None = None
    """The function that the expression is the definition of, where targets may have a rule for its name."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Apply te's operator or function of the same meaning as numpy's."""
        from .numpy_functions import apply_ufunc

        return apply_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        """Apply `np.where`, `np.clip` or `np.round` to expressions."""
        from .numpy_functions import apply_function

        return apply_function(function, inputs, options)

    def __post_init__(self) -> None:
        object.__setattr__(self, "origin", caller_point())

    @property
    def operands(self) -> tuple[Expr, ...]:
        return ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_field(self, "an expression", name)

    def astype(self, dtype: Any) -> Expr:
        return cast(dtype, self)

    def __add__(self, other: Scalar) -> Expr:
        return binary("add", self, other)

    def __radd__(self, other: Scalar) -> Expr:
        return binary("add", other, self)

    def __sub__(self, other: Scalar) -> Expr:
        return binary("sub", self, other)

    def __rsub__(self, other: Scalar) -> Expr:
        return binary("sub", other, self)

    def __mul__(self, other: Scalar) -> Expr:
        return binary("mul", self, other)

    def __rmul__(self, other: Scalar) -> Expr:
        return binary("mul", other, self)

    def __truediv__(self, other: Scalar) -> Expr:
        return binary("div", self, other)

    def __rtruediv__(self, other: Scalar) -> Expr:
        return binary("div", other, self)

    def __floordiv__(self, other: Scalar) -> Expr:
        return binary("floordiv", self, other)

    def __rfloordiv__(self, other: Scalar) -> Expr:
        return binary("floordiv", other, self)

    def __mod__(self, other: Scalar) -> Expr:
        return binary("floormod", self, other)

    def __rmod__(self, other: Scalar) -> Expr:
        return binary("floormod", other, self)

    def __pow__(self, other: Scalar) -> Expr:
        return binary("pow", self, other)

    def __rpow__(self, other: Scalar) -> Expr:
        return binary("pow", other, self)

    def __and__(self, other: Scalar) -> Expr:
        return binary("and", self, other)

    def __rand__(self, other: Scalar) -> Expr:
        return binary("and", other, self)

    def __or__(self, other: Scalar) -> Expr:
        return binary("or", self, other)

    def __ror__(self, other: Scalar) -> Expr:
        return binary("or", other, self)

    def __xor__(self, other: Scalar) -> Expr:
        return binary("xor", self, other)

    def __rxor__(self, other: Scalar) -> Expr:
        return binary("xor", other, self)

    def __lshift__(self, other: Scalar) -> Expr:
        return binary("shl", self, other)

    def __rlshift__(self, other: Scalar) -> Expr:
        return binary("shl", other, self)

    def __rshift__(self, other: Scalar) -> Expr:
        return binary("shr", self, other)

    def __rrshift__(self, other: Scalar) -> Expr:
        return binary("shr", other, self)

    def __invert__(self) -> Expr:
        return unary("not", self)

    def __neg__(self) -> Expr:
        return unary("neg", self)

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return unary("abs", self)

    def __lt__(self, other: Scalar) -> Expr:
        return compare("<", self, other)

    def __le__(self, other: Scalar) -> Expr:
        return compare("<=", self, other)

    def __gt__(self, other: Scalar) -> Expr:
        return compare(">", self, other)

    def __ge__(self, other: Scalar) -> Expr:
        return compare(">=", self, other)

    def __eq__(self, other: object) -> Expr:  # pyright: ignore[reportIncompatibleMethodOverride]
        return compare("==", self, other)

    def __ne__(self, other: object) -> Expr:  # pyright: ignore[reportIncompatibleMethodOverride]
        return compare("!=", self, other)

    __hash__ = object.__hash__

    def __bool__(self) -> bool:  # noqa: PLE0304
        te_error(
            "TW0452",
            f"expected a condition known while the program is built, but got `{self}`",
            help="use te.if_then_else or te.Select for `if`, te.all for `and`, te.any for `or`, ~ for `not`",
        )

    def _no_number(self, *others: object) -> NoReturn:
        """Refuse to be a number of Python's, which `math.exp(x)`, `float(x)` and `int(x)` ask for."""
        te_error(
            "TW0452",
            f"expected a number known while the program is built, but got `{self}`",
            help="functions of expressions are te's, not math's: te.exp(x), te.sqrt(x), te.floor(x), te.round(x); "
            "x.astype('int32') converts",
        )

    __float__ = __int__ = __complex__ = __trunc__ = __floor__ = __ceil__ = __round__ = _no_number

    def equal(self, other: Scalar) -> Expr:
        """Return the comparison `self == other`."""
        return compare("==", self, other)

    def same_as(self, other: object) -> bool:
        """Return whether `other` is the identical object."""
        return self is other

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        from .expression_text import format_expr

        return format_expr(self)


@dataclass(frozen=True, eq=False, repr=False)
class Const(Expr):
    """A number with a type."""

    value: Number
    dtype: str

    def __bool__(self) -> bool:
        """Return the truth value of a comparison of numbers; that of a number is an error, as of any expression."""
        return self.value is True if isinstance(self.value, bool) else super().__bool__()

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __round__(self, digits: int | None = None) -> int | float:
        return round(self.value, digits)

    def __trunc__(self) -> int:
        return int(self.value)

    def __floor__(self) -> int:
        return floor(self.value)

    def __ceil__(self) -> int:
        return ceil(self.value)


@dataclass(frozen=True, eq=False, repr=False)
class Var(Expr):
    """A variable whose value is known at run time: a size, of type "index", or a scalar of another type.

    Two variables of equal names are different variables.
    """

    name: str
    dtype: str = "index"
    stored: str = field(default="int32", kw_only=True)
    """The type in which a caller passes it where no shape determines it."""

    def __post_init__(self) -> None:
        origin = caller_point()
        object.__setattr__(self, "origin", origin)
        if self.dtype != "index":
            try:
                name = dtype_info(self.dtype).name
            except TilewrightError as error:
                error.location = origin.location if origin is not None else error.location
                raise
            object.__setattr__(self, "stored", name)
            object.__setattr__(self, "dtype", "index" if name in ("int32", "int64") else name)


@dataclass(frozen=True, eq=False, repr=False)
class Axis(Expr):
    """An axis of a compute, running over [low, high). Printed alone it shows its range and kind."""

    name: str
    low: int | Expr
    high: int | Expr
    is_reduce: bool = False
    dtype: str = field(default="index", init=False)

    @property
    def extent(self) -> int | Expr:
        return self.high if isinstance(self.low, int) and self.low == 0 else self.high - self.low

    @property
    def var(self) -> Axis:
        """The axis as a scalar, which it is itself."""
        return self

    @property
    def dom(self) -> Range:
        from .ranges import Range

        return Range.from_min_extent(self.low, self.extent)

    @property
    def iter_type(self) -> int:
        """The kind as a number of `te.schedule.IterVar`: DataPar is 0, CommReduce is 2."""
        return 2 if self.is_reduce else 0

    def __eq__(self, other: object) -> Expr:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return a comparison of values; the axis of a stage compares itself."""
        if isinstance(other, (Expr, bool, int, float)) or hasattr(other, "shape"):
            return super().__eq__(other)
        return NotImplemented

    __hash__ = object.__hash__

    def __str__(self) -> str:
        return f"Axis({self.name} in [{self.low}, {self.high}), {'reduce' if self.is_reduce else 'spatial'})"


@dataclass(frozen=True, eq=False, repr=False)
class Parameter(Expr):
    """A value that a reducer's function combines."""

    name: str
    dtype: str


class FunctionName(str):
    """The name of a function of one operand, which is `name` too, with TVM's prefix."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name as TVM's operators have it: `tir.exp`."""
        return f"tir.{_TVM_NAMES.get(self, self)}"


_TVM_NAMES = {"abs": "fabs"}


@dataclass(frozen=True, eq=False, repr=False)
class Unary(Expr):
    """`op` applied to one operand: neg, not, abs, or a function such as exp."""

    op: str
    operand: Expr
    dtype: str

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.operand,)


@dataclass(frozen=True, eq=False, repr=False)
class Binary(Expr):
    """`op` applied to two operands of the node's type."""

    op: str
    lhs: Expr
    rhs: Expr
    dtype: str

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.lhs, self.rhs)

    @property
    def a(self) -> Expr:
        """The first operand."""
        return self.lhs

    @property
    def b(self) -> Expr:
        """The second operand."""
        return self.rhs


_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


@dataclass(frozen=True, eq=False, repr=False)
class Compare(Expr):
    """A comparison of two operands of equal type; `op` is one of < <= > >= == !=."""

    op: str
    lhs: Expr
    rhs: Expr
    dtype: str = field(default="bool", init=False)

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.lhs, self.rhs)

    @property
    def a(self) -> Expr:
        """The first operand."""
        return self.lhs

    @property
    def b(self) -> Expr:
        """The second operand."""
        return self.rhs

    def __bool__(self) -> bool:
        """Return whether two axes or sizes are identical, as for `axis in stage.leaf_iter_vars`, or compare two
        numbers.

        The value of other comparisons is not known yet.
        """
        if isinstance(self.lhs, Const) and isinstance(self.rhs, Const):
            return bool(_COMPARISONS[self.op](self.lhs.value, self.rhs.value))
        if self.op in ("==", "!=") and all(isinstance(operand, (Axis, Var)) for operand in self.operands):
            return self.lhs.same_as(self.rhs) == (self.op == "==")
        return super().__bool__()


@dataclass(frozen=True, eq=False, repr=False)
class Cast(Expr):
    """Conversion to `dtype`; fractions are cut off towards zero, a bool is 0 or 1."""

    operand: Expr
    dtype: str

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.operand,)


@dataclass(frozen=True, eq=False, repr=False)
class Choice(Expr):
    """`true_value` where the condition holds, else `false_value`.

    Where `guarded`, only the chosen one's tensor elements are read; otherwise both's are, in bounds.
    """

    condition: Expr
    true_value: Expr
    false_value: Expr
    guarded: bool
    dtype: str

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.condition, self.true_value, self.false_value)


@dataclass(frozen=True, eq=False, repr=False)
class Read(Expr):
    """One element of a tensor."""

    tensor: Tensor
    indices: tuple[Expr, ...]

    @property
    def dtype(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.tensor.dtype

    @property
    def buffer(self) -> Tensor:
        """The tensor that is read; the name is that of classic programs."""
        return self.tensor

    @property
    def operands(self) -> tuple[Expr, ...]:
        return self.indices


@dataclass(frozen=True, eq=False, repr=False)
class Reduce(Expr):
    """A reduction: `source` combined over every point of the axes. Valid only as the whole body of a compute.

    A reduction of a tuple is one node for each of its values, which share `group` and differ in `value_index`.
    """

    combiner: Combiner | Reducer
    source: Expr
    axes: tuple[Axis, ...]
    start: Expr | None = None
    """The initial value of the reduction, if it is not the combiner's identity."""
    value_index: int = 0
    group: object = None

    @property
    def axis(self) -> list[Axis]:
        return list(self.axes)

    @property
    def dtype(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.source.dtype

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.source,) if self.start is None else (self.source, self.start)


def walk(root: Expr) -> Iterator[Expr]:
    """Yield every node of the expression once, a node before its operands."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            stack.extend(reversed(node.operands))


# Construction


def const(value: Any, dtype: Any = None) -> Const:
    """Return a number as an expression. By default a Python float is float32, an int is int32."""
    if dtype is None:
        weak = "bool" if isinstance(value, bool) else "int32" if isinstance(value, int) else "float32"
        dtype = getattr(value, "dtype", weak)
    info = dtype_info(dtype)
    item = getattr(value, "item", None)
    number: Any = value if item is None or getattr(value, "size", 1) != 1 else item()
    if not isinstance(number, (bool, int, float)):
        te_error("TW0451", f"expected a number, but got {value!r}")
    held = info.held(number)
    if held is None:
        te_error("TW0451", f"expected a number that {info.name} can hold, but got {number}")
    return Const(held, info.name)


def as_expr(value: Any, like: str | None = None) -> Expr:
    """Return `value` as an operand; a Python number takes the type that it is promoted to beside `like`."""
    if isinstance(value, Reduce):
        te_error(
            "TW0454",
            f"expected a reduction to be the whole body of its compute, but got `{value}` in an expression",
            help="compute the reduction into a separate tensor and read that",
        )
    if isinstance(value, Expr):
        return value
    if isinstance(value, (bool, int, float)):
        return const(value, None if like is None else _weak_type(value, like))
    if not hasattr(value, "item") or getattr(value, "shape", None) != ():
        what = "a whole tensor" if hasattr(value, "shape") else f"{value!r} of type {type(value).__name__}"
        message = f"expected a scalar expression or a number, but got {what}"
        te_error("TW0451", message, help="index a tensor to read it")
    return const(value)


def _weak_type(value: Number, like: str) -> str:
    info = dtype_info(like)
    if isinstance(value, bool):
        return like
    if isinstance(value, int):
        return "int32" if info.is_bool else like
    return like if info.is_float else "float32"


def _both(a: Any, b: Any) -> tuple[Expr, Expr]:
    """Return both operands; a Python number has the type that it is promoted to."""
    a_typed, b_typed = isinstance(a, Expr) or hasattr(a, "dtype"), isinstance(b, Expr) or hasattr(b, "dtype")
    lhs = as_expr(a, as_expr(b).dtype if b_typed and not a_typed else None)
    return lhs, as_expr(b, lhs.dtype if not b_typed else None)


def common(a: Any, b: Any) -> tuple[Expr, Expr]:
    """Return both operands, converted to their common type."""
    lhs, rhs = _both(a, b)
    if lhs.dtype != rhs.dtype:
        refuse_storage("a common type", lhs, rhs)
    dtype = lhs.dtype if lhs.dtype == rhs.dtype else promote(lhs.dtype, rhs.dtype)
    return cast(dtype, lhs), cast(dtype, rhs)


_LOGICAL = {"and", "or", "xor"}
_DIVISIONS = {"floordiv", "floormod", "ceildiv", "truncdiv", "truncmod"}
_INTEGERS = {*_DIVISIONS, "shl", "shr", "popcount", "clz"}


def refuse_storage(what: str, *operands: Expr) -> None:
    """Raise TW0451 where an operand is of a type that nothing is computed in."""
    for operand in operands:
        if dtype_info(operand.dtype).is_storage:
            te_error(
                "TW0451",
                f"expected operands that are computed with for {what}, but got {operand.dtype}",
                help=f"elements of {operand.dtype} are only moved and converted: cast them first, with "
                "astype('float32') or astype('int32')",
            )


_OF_TENSORS = {
    "add": "add", "sub": "sub", "mul": "mul", "div": "true_div", "pow": "pow", "min": "minimum", "max": "maximum",
    "floordiv": "floor_div", "floormod": "floor_mod", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "shl": "left_shift", "shr": "right_shift",
    "<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal",
}  # fmt: skip
"""Operator of scalars -> that of whole tensors."""


def _of_tensors(op: str, a: Any, b: Any) -> Any:
    """Return the tensor that an operator makes where an operand is one; None where both are scalars."""
    if op in _OF_TENSORS and (isinstance(a, WholeTensor) or isinstance(b, WholeTensor)):
        return operate(_OF_TENSORS[op], a, b)
    return None


def binary(op: str, a: Any, b: Any) -> Expr:
    whole = _of_tensors(op, a, b)
    if whole is not None:
        return whole
    refuse_storage(f"`{op}`", *_both(a, b))
    lhs, rhs = common(a, b)
    info = dtype_info(lhs.dtype)
    if op in _LOGICAL and info.is_float:
        te_error("TW0451", f"expected conditions or integers as operands of `{op}`, but got {info.name}")
    if op not in _LOGICAL and info.is_bool:
        te_error(
            "TW0451",
            f"expected numbers as operands of `{op}`, but got bool",
            help="convert with astype('int32')",
        )
    if op == "div" and not info.is_float:
        te_error(
            "TW0451",
            f"expected floating-point operands of `/`, but got {info.name}",
            help="use // (rounds towards minus infinity), te.truncdiv (towards zero), or convert with astype",
        )
    if op in _INTEGERS and info.is_float:
        help = "use te.floor(a / b)" if op in _DIVISIONS else "convert with astype('int32')"
        te_error("TW0451", f"expected integer operands of `{op}`, but got {info.name}", help=help)
    folded = _folded(op, lhs, rhs, info) if info.is_integer else None
    return Binary(op, lhs, rhs, info.name) if folded is None else folded


_FOLDED: dict[str, Callable[[Any, Any], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "min": min,
    "max": max,
    "floordiv": operator.floordiv,
    "floormod": operator.mod,
    "ceildiv": lambda a, b: -(-a // b),
    "truncdiv": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "truncmod": lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1),
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_NEUTRAL = {"add": 0, "sub": 0, "mul": 1, "floordiv": 1, "ceildiv": 1, "truncdiv": 1}
"""Operator -> the integer which as its second operand leaves the first as it is; the first two commute but for sub."""


def _folded(op: str, lhs: Expr, rhs: Expr, info: DType) -> Expr | None:
    """Fold an operation on two integers at least one of which is constant; None where it remains a node."""
    if isinstance(lhs, Const) and isinstance(rhs, Const):
        if op not in _FOLDED or (rhs.value == 0 and op in _DIVISIONS):
            return None
        value, (low, high) = _FOLDED[op](lhs.value, rhs.value), info.integer_range
        return Const(value, info.name) if low <= value <= high else None
    if isinstance(rhs, Const) and rhs.value == _NEUTRAL.get(op):
        return lhs
    if isinstance(lhs, Const) and op in ("add", "mul") and lhs.value == _NEUTRAL[op]:
        return rhs
    return Const(0, info.name) if isinstance(rhs, Const) and rhs.value == 1 and op in ("floormod", "truncmod") else None


def compare(op: str, a: Any, b: Any) -> Expr:
    whole = _of_tensors(op, a, b)
    if whole is not None:
        return whole
    refuse_storage(f"`{op}`", *_both(a, b))
    lhs, rhs = common(a, b)
    if isinstance(lhs, Const) and isinstance(rhs, Const) and dtype_info(lhs.dtype).is_integer:
        return Const(bool(_FOLDED[op](lhs.value, rhs.value)), "bool")
    return Compare(op, lhs, rhs)


def unary(op: str, value: Any) -> Expr:
    operand = as_expr(value)
    refuse_storage(f"`{op}`", operand)
    info = dtype_info(operand.dtype)
    if op == "not" and info.is_float:
        te_error("TW0451", f"expected a condition or an integer as operand of `~`, but got {info.name}")
    if op != "not" and info.is_bool:
        te_error("TW0451", f"expected a number as operand of `{op}`, but got bool")
    if op in _INTEGERS and info.is_float:
        te_error("TW0451", f"expected an integer as operand of `{op}`, but got {info.name}")
    return Unary(FunctionName(op), operand, operand.dtype)


def cast(dtype: Any, value: Any) -> Expr:
    """Convert to another type: a fraction is cut off, a bool is 0 or 1, a number is true unless it is 0."""
    info = dtype_info(dtype)
    operand = as_expr(value, info.name)
    if operand.dtype == info.name:
        return operand
    if info.is_bool:
        given = dtype_info(operand.dtype)
        return compare(
            "!=", cast("float32" if given.is_float else "int32", operand) if given.is_storage else operand, 0
        )
    return Cast(operand, info.name)


def condition(value: Any) -> Expr:
    """Return `value` as a condition."""
    expr = as_expr(value)
    if expr.dtype != "bool":
        te_error("TW0451", f"expected a condition, but got `{expr}` of type {expr.dtype}", help="compare it with 0")
    return expr


def choice(cond: Any, true_value: Any, false_value: Any, *, guarded: bool) -> Expr:
    a, b = common(true_value, false_value)
    return Choice(condition(cond), a, b, guarded, a.dtype)
