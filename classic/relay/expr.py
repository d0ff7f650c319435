"""Expressions of relay: handles on values of the graph dialect, which is the only IR.

An operator of relay creates a detached operation of the graph dialect; `Call` is a handle on the operation, and `Var` a
handle on the future argument of a function. `Function` copies the operations on which its result depends into a
function of the IR. A function of a module is accessed through handles on copies of its operations (`view_of`).

    x = relay.var("x", shape=(1, 8))
    y = relay.nn.relu(x)                       # a detached graph.relu
    module = tilewright.IRModule.from_expr(relay.Function([x], y))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from ...diagnostics import fail
from ...diagnostics.expectations import WRONG_TYPE, expect_type
from ...diagnostics.locations import caller_location
from ...dialects.constant_data import INLINE_ELEMENTS, derived_name
from ...dialects.graph import ConstantOp, GraphOp, IfOp, YieldOp
from ...dialects.ir_module import Function as ModuleFunction
from ...dialects.names import value_name
from ...te.dtypes import dtype_info
from ...tir.bodies import BodyView
from ..nd import NDArray, array
from .names import Attrs, Op, attributes_of, operator_of
from .types import BAD_TYPE, FuncType, TensorType, TupleType, Type, result_type, type_of

if TYPE_CHECKING:
    from .functions import Function

BAD_OPERAND = "TW0320"


class _Handles(type):
    """Makes isinstance see a function of a module, and its body, as the expressions that they are."""

    def __instancecheck__(cls, instance: object) -> bool:
        if isinstance(instance, (FuncOp, ModuleFunction, BodyView)):
            from .functions import viewed

            instance = viewed(instance)
        return type.__instancecheck__(cls, instance)


class Expr(metaclass=_Handles):
    """The base of all expressions. Arithmetic and comparisons make calls of operators; two handles on one value are
    equal by `same_as`, `==` and `hash`."""

    span = None

    @property
    def values(self) -> tuple[SSAValue, ...]:
        """The values of the IR: one, or those of a tuple."""
        raise NotImplementedError

    @property
    def value(self) -> SSAValue:
        """The only value. Raises TW0320 for a tuple."""
        values = self.values
        if len(values) != 1:
            fail(
                BAD_OPERAND,
                f"expected one tensor, but got a tuple of {len(values)}",
                location=caller_location(),
                help="take one of its parts: value[0]",
            )
        return values[0]

    @property
    def checked_type(self) -> Type:
        """The type, which is inferred when an expression is made."""
        return type_of(self.value.type)

    def _key(self) -> object:
        return self.values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expr) and type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def same_as(self, other: object) -> bool:
        """Return whether two handles are on one value."""
        return self == other

    def astype(self, dtype: str) -> Expr:
        """Return the elements converted to another type."""
        return _operator("cast")(self, dtype)

    def as_function(self) -> Function:
        """Return the function of this expression and the variables in it; a function is itself."""
        from .functions import function_of

        return function_of(self)

    def astext(self, show_meta_data: bool = True, annotate: object = None) -> str:
        """Return the text of the function of this expression, in MLIR."""
        return str(self.as_function().op)

    def __str__(self) -> str:
        return self.astext()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of type {self.checked_type}>"

    def __neg__(self) -> Any:
        return _operator("negative")(self)

    def __lt__(self, other: Any) -> Any:
        return _operator("less")(self, other)

    def __le__(self, other: Any) -> Any:
        return _operator("less_equal")(self, other)

    def __gt__(self, other: Any) -> Any:
        return _operator("greater")(self, other)

    def __ge__(self, other: Any) -> Any:
        return _operator("greater_equal")(self, other)

    def __add__(self, other: Any) -> Any:
        return _operator("add")(self, other)

    def __radd__(self, other: Any) -> Any:
        return _operator("add")(other, self)

    def __sub__(self, other: Any) -> Any:
        return _operator("subtract")(self, other)

    def __rsub__(self, other: Any) -> Any:
        return _operator("subtract")(other, self)

    def __mul__(self, other: Any) -> Any:
        return _operator("multiply")(self, other)

    def __rmul__(self, other: Any) -> Any:
        return _operator("multiply")(other, self)

    def __truediv__(self, other: Any) -> Any:
        return _operator("divide")(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _operator("divide")(other, self)


def _operator(name: str) -> Any:
    from .. import relay

    return getattr(relay, name)


class FreeVariable(Block):
    """The block whose argument represents a variable until a function has it; no argument if the type is unknown."""

    label: str


class Var(Expr):
    """A variable, which becomes an argument of a function under its name.

    The type of a variable may be inferred: from the first operator that implies it, such as a convolution for weights.
    """

    def __init__(self, name_hint: str, type_annotation: Type | None = None) -> None:
        expect_type("name_hint", name_hint, str)
        expect_type("type_annotation", type_annotation, Type, type(None))
        self.block = FreeVariable()
        self.block.label = name_hint
        if type_annotation is not None:
            self.annotate(type_annotation)

    @classmethod
    def on(cls, block: FreeVariable) -> Var:
        """Return the handle on a variable that exists."""
        self = cls.__new__(cls)
        self.block = block
        return self

    def annotate(self, given: Type) -> None:
        """Give a variable without a type that type."""
        if not isinstance(given, TensorType):
            fail(BAD_TYPE, f"expected the type of a tensor, but got {given}", location=caller_location())
        self.block.insert_arg(given.attribute, 0).name_hint = value_name(self.name_hint)

    @property
    def name_hint(self) -> str:
        """The name."""
        return self.block.label

    @property
    def is_typed(self) -> bool:
        """True where the type is known."""
        return bool(self.block.args)

    @property
    def type_annotation(self) -> Type | None:
        """The type, None where it is open."""
        return type_of(self.value.type) if self.is_typed else None

    @property
    def values(self) -> tuple[SSAValue, ...]:
        if not self.is_typed:
            fail(
                BAD_TYPE,
                f"the type of variable '{self.name_hint}' is not known here",
                location=caller_location(),
                help=f"give it a shape: relay.var('{self.name_hint}', shape=(1, 3)); an operator implies the types of "
                "its weights where it states channels, kernel_size or units",
            )
        return (self.block.args[0],)

    def _key(self) -> object:
        return self.block

    def __repr__(self) -> str:
        return f"<Var {self.name_hint}: {self.type_annotation or '?'}>"


class Constant(Expr):
    """A constant array."""

    def __init__(self, data: Any) -> None:
        self.operation: ConstantOp = data if isinstance(data, ConstantOp) else constant_of(np.asarray(data))

    @property
    def values(self) -> tuple[SSAValue, ...]:
        return (self.operation.y,)

    @property
    def data(self) -> NDArray:
        """The elements."""
        return array(self.operation.array)


def constant_of(values: np.ndarray, name: str = "const") -> ConstantOp:
    """Return the operation that holds an array, which is not copied. Large ones are named after it and their bytes."""
    array = np.ascontiguousarray(values).reshape(values.shape)
    label = derived_name(name, array) if array.size > INLINE_ELEMENTS else name
    return ConstantOp.from_array(array, label, caller_location())


class Call(Expr):
    """An operator applied to arguments. A call with several results is a tuple of them: `call[0]`, `len(call)`."""

    def __new__(cls, op: Any, args: Sequence[Any], attrs: Any = None, *more: Any, **named: Any) -> Any:
        """Apply an operator, as `call.op` or `relay.op.get(name)` gives it, or a function, to arguments.

        `attrs` are those of a call of that operator, or a mapping of the operator's keywords.
        """
        expect_type("args", args, list, tuple)
        return op(*args) if attrs is None else op.apply(args, attrs)

    @classmethod
    def on(cls, operation: Operation) -> Call:
        """Return the handle on an operation."""
        self = object.__new__(cls)
        self.operation = operation
        return self

    operation: Operation

    @property
    def values(self) -> tuple[SSAValue, ...]:
        return tuple(self.operation.results)

    @property
    def op(self) -> Op:
        """The operator."""
        return operator_of(self.operation)

    @property
    def args(self) -> list[Expr]:
        """The operands. Operators on lists of tensors, such as concatenation, have one operand: a tuple."""
        operands = [handle(value) for value in self.operation.operands]
        return [Tuple(operands)] if self.op.takes_tuple else operands

    @property
    def attrs(self) -> Attrs | None:
        """The attributes under their classic names."""
        return attributes_of(self.operation) if isinstance(self.operation, GraphOp) else None

    type_args: Sequence[Type] = ()

    @property
    def checked_type(self) -> Type:
        return result_type([type_of(result.type) for result in self.operation.results])

    def __getitem__(self, index: int) -> Expr:
        return TupleGetItem(self, index)

    def __len__(self) -> int:
        return len(self.operation.results)

    def __iter__(self) -> Iterator[Expr]:
        return (TupleGetItem(self, index) for index in range(len(self)))

    def astuple(self) -> Tuple:
        """Return the results as a tuple."""
        return Tuple(list(self))

    def __bool__(self) -> bool:
        return True


class Tuple(Expr):
    """Several expressions together."""

    def __init__(self, fields: Iterable[Expr], span: object = None) -> None:
        self.fields = [expression(each) for each in fields]

    @property
    def values(self) -> tuple[SSAValue, ...]:
        return tuple(value for field in self.fields for value in field.values)

    @property
    def checked_type(self) -> TupleType:
        return TupleType([field.checked_type for field in self.fields])

    def _key(self) -> object:
        return tuple(self.fields)

    def __getitem__(self, index: int) -> Expr:
        return TupleGetItem(self, index)

    def __len__(self) -> int:
        return len(self.fields)

    def __iter__(self) -> Iterator[Expr]:
        return iter(self.fields)


class TupleGetItem(Expr):
    """One result of an operator with several results. For a tuple of expressions it is the expression itself."""

    def __new__(cls, tuple_value: Any, index: int, span: object = None) -> Any:
        given = expression(tuple_value)
        expect_type("index", index, int)
        count = len(given) if isinstance(given, (Call, Tuple)) else 1
        if not isinstance(given, (Call, Tuple)) or not -count <= index < count:
            fail(
                BAD_OPERAND, f"expected a part of a tuple of {count}, but got index {index}", location=caller_location()
            )
        if isinstance(given, Tuple):
            return given.fields[index]
        if count == 1:
            return given
        self = object.__new__(cls)
        self.tuple_value, self.index = given, index % count
        return self

    tuple_value: Call
    index: int

    @property
    def values(self) -> tuple[SSAValue, ...]:
        return (self.tuple_value.operation.results[self.index],)


def If(cond: Expr, true_branch: Expr, false_branch: Expr, span: object = None) -> Call:
    """Return the values of one of two expressions, by a condition that is a scalar of bool; the other is not
    computed."""
    condition, branches = expression(cond), [expression(each) for each in (true_branch, false_branch)]
    types = [[value.type for value in branch.values] for branch in branches]
    location = caller_location()
    if types[0] != types[1]:
        found = " and ".join(str(branch.checked_type) for branch in branches)
        fail(BAD_OPERAND, f"if: expected branches of one type, but got {found}", location=location)
    if condition.checked_type != TensorType((), "bool"):
        message = f"if: expected a scalar of bool as the condition, but got {condition.checked_type}"
        fail(BAD_OPERAND, message, location=location)
    regions = [Region(Block([YieldOp(*branch.values)])) for branch in branches]
    operation = IfOp(condition.value, types[0], *regions)
    operation.location = location
    return Call.on(operation)


def handle(value: SSAValue) -> Expr:
    """Return the expression of a value that is in no function."""
    if isinstance(value, BlockArgument):
        assert isinstance(value.block, FreeVariable)
        return Var.on(value.block)
    assert isinstance(value, OpResult)
    if isinstance(value.op, ConstantOp):
        return Constant(value.op)
    call = Call.on(value.op)
    return call if len(value.op.results) == 1 else TupleGetItem(call, value.index)


def expression(given: Any, like: Expr | None = None) -> Expr:
    """Return an operand as an expression: expressions, functions of modules and their bodies, lists of these, and
    numbers, which have the type of `like`. Raises TW0725 for anything else."""
    if isinstance(given, (FuncOp, ModuleFunction, BodyView)):
        from .functions import viewed

        given = viewed(given)
    match given:
        case Expr():
            return given
        case list() | tuple():
            return Tuple([expression(each, like) for each in given])
        case bool() | int() | float() | np.generic() if like is not None:
            return const(given, type_of(like.value.type).dtype)
        case np.ndarray() if like is not None:
            return const(given)
        case _:
            fail(
                WRONG_TYPE,
                f"expected an expression of relay, but got {given!r} of type {type(given).__name__}",
                location=caller_location(),
                help="make a constant of a number or an array: relay.const(value, dtype)",
            )


def var(
    name_hint: str, type_annotation: Any = None, shape: Any = None, dtype: str = "float32", span: object = None
) -> Var:
    """Return a variable: of a type, of a shape and a dtype, or of a type that the first operator implies which reads
    it.

    Sizes are numbers, `te.var`s, names, or `relay.Any()`.
    """
    if type_annotation is not None and shape is not None:
        fail(BAD_TYPE, "expected a type or a shape of a variable, but got both", location=caller_location())
    if isinstance(type_annotation, str):
        type_annotation = TensorType((), type_annotation)
    return Var(name_hint, TensorType(shape, dtype) if shape is not None else type_annotation)


_NARROWED = {"float64": "float32", "int64": "int32"}
"""The types of Python's numbers, unless a program states another one."""


def const(value: Any, dtype: str | None = None, span: object = None) -> Constant:
    """Return a constant: without `dtype`, a number is float32, int32 or bool, and an array keeps its type."""
    if isinstance(value, Constant):
        return value
    is_number = isinstance(value, (bool, int, float, list, tuple)) and not isinstance(value, np.generic)
    values = np.asarray(value)
    wanted = dtype_info(dtype).name if dtype else _NARROWED.get(values.dtype.name) if is_number else None
    if values.dtype.kind not in "biuf" and values.dtype.name != "bfloat16":
        fail(BAD_TYPE, f"expected numbers as a constant, but got {value!r}", location=caller_location())
    from ...dialects.dtypes import numpy_dtype

    return Constant(values if wanted is None else values.astype(numpy_dtype(wanted)))


def function_type(function: Function) -> FuncType:
    """Return the type of a function."""
    return FuncType([param.checked_type for param in function.params], function.body.checked_type)
