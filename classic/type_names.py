"""Class names of TVM that programs test with `isinstance` or construct, mapped to the equivalents of this package.

    isinstance(C.op, te.ComputeOp)
    isinstance(expr, tir.Add) and isinstance(expr.b, tir.IntImm)
    tir.Select(i < n, a, b)

Each class tests objects by a predicate. A class of statements that this IR does not have has no instances.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from ..diagnostics import fail
from ..diagnostics.expectations import WRONG_TYPE, expect_type
from ..diagnostics.locations import caller_location
from ..lazy import missing_field, unknown_name
from ..schedule.stages import IterVar as StageAxis
from ..te import calls, expr, functions, vectors
from ..te.combiners import Combiner, Reducer
from ..te.dtypes import dtype_info
from ..te.expr import (
    Axis,
    Binary,
    Choice,
    Compare,
    Const,
    Expr,
    Read,
    Unary,
    Var,
    binary,
    cast,
    compare,
    const,
    unary,
)
from ..te.external import SCRIPT, Extern
from ..te.recurrence import Scan
from ..te.shapes import Text, size_var
from ..te.tensor import Computation, Definition, Placeholder, Tensor
from ..te.thread_axes import ThreadAxis
from ..tir import value_expressions
from ..tir.bodies import BodyView, root_of
from ..tir.statements import AssertStmt, Block, BufferLoad, BufferStore, Evaluate, While

if TYPE_CHECKING:  # `Any` is a class of TVM, too
    from typing import Any

NO_OBJECTS = "TW0251"
Test: TypeAlias = "Callable[[Any], bool]"


class _ByTest(type):
    """A metaclass: the instances of its classes are the objects that a predicate accepts."""

    test: Test
    make: Callable[..., Any] | None

    def __instancecheck__(cls, instance: object) -> bool:
        return cls.test(instance)

    def __getattr__(cls, name: str) -> NoReturn:
        raise missing_field(cls, f"tir.{cls.__name__}", name)

    def __call__(cls, *arguments: Any, **keywords: Any) -> Any:
        keywords.pop("span", None)
        if cls.make is None:
            _refuse(cls.__name__)
        try:
            signature(cls.make).bind(*arguments, **keywords)
        except TypeError as error:
            fail(WRONG_TYPE, f"tir.{cls.__name__}: {error}", location=caller_location("classic"))
        return cls.make(*arguments, **keywords)


def _refuse(name: str) -> NoReturn:
    fail(
        NO_OBJECTS,
        f"'{name}' makes no object: it is a name that programs test by isinstance",
        location=caller_location("classic"),
        help="build expressions with te, and statements with tir.ir_builder or TVMScript",
    )


def _class(name: str, doc: str, test: Test, make: Callable[..., Any] | None = None) -> type:
    return _ByTest(name, (), {"__doc__": doc, "test": staticmethod(test), "make": staticmethod(make) if make else None})


def _is(*types: type) -> Test:
    return lambda x: isinstance(x, types)


def _binary(op: str, dtype: str | None = None) -> tuple[Test, Callable[..., Any]]:
    def test(x: Any) -> bool:
        return isinstance(x, Binary) and x.op == op and (dtype is None or x.dtype == dtype)

    return test, lambda a, b: binary(op, a, b)


def _compare(op: str) -> tuple[Test, Callable[..., Any]]:
    return lambda x: isinstance(x, Compare) and x.op == op, lambda a, b: compare(op, a, b)


def _float_constant(x: Any) -> bool:
    return isinstance(x, Const) and dtype_info(x.dtype).is_float


def _text(value: Any) -> str:
    expect_type("value", value, str)
    return Text(value)


def _float(dtype: Any, value: Any) -> Any:
    if not dtype_info(dtype).is_float:
        fail(WRONG_TYPE, f"expected a type of floats, but got {dtype!r}", location=caller_location("classic"))
    return const(value, dtype)


def _element(producer: Any, indices: Any) -> Any:
    expect_type("producer", producer, Tensor)
    return producer(*indices)


def _is_call(x: Any) -> bool:
    """Return whether `x` is a call in TVM: of a function by name, or a choice of which one value is computed."""
    is_function = isinstance(x, Unary) and x.op not in ("neg", "not")
    return (
        is_function
        or isinstance(x, (calls.Call, value_expressions.ExternCall))
        or (isinstance(x, Choice) and x.guarded)
    )


_OPERATORS = {
    "Add": _binary("add"),
    "Sub": _binary("sub"),
    "Mul": _binary("mul"),
    "FloorDiv": _binary("floordiv"),
    "FloorMod": _binary("floormod"),
    "Mod": _binary("truncmod"),
    "Min": _binary("min"),
    "Max": _binary("max"),
    "And": _binary("and", "bool"),
    "Or": _binary("or", "bool"),
    "LT": _compare("<"),
    "LE": _compare("<="),
    "GT": _compare(">"),
    "GE": _compare(">="),
    "EQ": _compare("=="),
    "NE": _compare("!="),
    "Div": (lambda x: isinstance(x, Binary) and x.op in ("div", "truncdiv"), functions.div),
    "Not": (lambda x: isinstance(x, Unary) and x.op == "not" and x.dtype == "bool", lambda a: unary("not", a)),
    "Select": (lambda x: isinstance(x, Choice) and not x.guarded, functions.Select),
    "Cast": (_is(expr.Cast), cast),
    "FloatImm": (_float_constant, _float),
    "SizeVar": (_is(Var), size_var),
    "Call": (_is_call, None),
    "Reduce": (_is(expr.Reduce), None),
    "CommReducer": (_is(Combiner, Reducer), None),
    "ProducerLoad": (lambda x: isinstance(x, Read) and not isinstance(x, BufferLoad), _element),
    "IterVar": (_is(Axis, StageAxis, ThreadAxis, value_expressions.BlockVar), None),
    "PrimExpr": (_is(Expr), None),
    "BaseExpr": (_is(Expr), None),
    "StringImm": (_is(str), _text),
    "Ramp": (_is(value_expressions.Ramp), vectors.ramp),
    "Broadcast": (
        _is(value_expressions.Broadcast, vectors.Broadcast),
        lambda value, lanes: vectors.Broadcast(expr.as_expr(value), lanes),
    ),
}
_STATEMENTS = {
    "Load": _is(BufferLoad),
    "Store": _is(BufferStore),
    "AssertStmt": _is(AssertStmt),
    "BlockRealize": lambda x: isinstance(x, Block) or (isinstance(x, BodyView) and root_of(x.held) is not None),
    "Evaluate": _is(Evaluate),
    "While": _is(While),
}
_DEFINITIONS = {
    "ComputeOp": _is(Computation),
    "BaseComputeOp": _is(Computation),
    "PlaceholderOp": _is(Placeholder),
    "ScanOp": _is(Scan),
    "ExternOp": lambda x: isinstance(x, Extern) and not _is_script(x),
    "HybridOp": lambda x: isinstance(x, Extern) and _is_script(x),
    "Operation": _is(Definition),
}
_ABSENT = (
    "AttrStmt", "LetStmt", "BufferRealize", "Prefetch", "ProducerStore", "ProducerRealize",
    "AllocateConst", "Shuffle", "Let", "Any", "TensorComputeOp",
)  # fmt: skip
"""Classes of TVM without instances in this package: `isinstance` is False."""


def _is_script(op: Extern) -> bool:
    return SCRIPT in op.attrs


_CLASSES: dict[str, type] = {
    **{name: _class(name, f"Expressions that are {name}.", *rule) for name, rule in _OPERATORS.items()},
    **{name: _class(name, f"Statements that are {name}.", test) for name, test in _STATEMENTS.items()},
    **{name: _class(name, f"Definitions of tensors by {name}.", test) for name, test in _DEFINITIONS.items()},
    **{name: _class(name, "Nothing here is one.", lambda x: False) for name in _ABSENT},
}


def __getattr__(name: str) -> Any:
    if name in _CLASSES:
        return _CLASSES[name]
    raise unknown_name(__name__, name, _CLASSES)
