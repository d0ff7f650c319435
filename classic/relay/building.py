"""Builder of single operations: types are inferred at once, and errors point at the line of the user's program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from xdsl.irdl import OptOperandDef
from xdsl.utils.exceptions import VerifyException

from ...diagnostics import TilewrightError, fail
from ...diagnostics.locations import caller_location
from ...diagnostics.text import on_one_line
from ...dialects.graph import GraphOp
from ...dialects.names import value_name
from ...operators import get_operator
from ...operators.movement import TransposeOp
from .expr import BAD_OPERAND, Call, Expr, Var, expression
from .names import CLASSIC_NAMES
from .types import TensorType, type_of


def emit(operation: type[GraphOp], *operands: Any, **properties: Any) -> Call:
    """Return the call of an operation of the graph dialect on expressions; None stands for an operand that is absent.

    Raises TW0320 at the user's line where operands and properties do not fit.
    """
    given = [expression(each) for each in operands if each is not None]
    name, location = operation.name.removeprefix("graph."), caller_location()
    values = [each.value for each in given]
    try:
        op = operation.of(*values, location=location, **properties)
    except TilewrightError:
        raise
    except (VerifyException, TypeError, ValueError, AttributeError) as error:
        fail(
            BAD_OPERAND,
            f"{CLASSIC_NAMES.get(name, name)}: {on_one_line(error)}",
            location=location,
            notes=[f"operand {k} is {_called(each)} of type {each.checked_type}" for k, each in enumerate(given)],
        )
    for result in op.results:
        result.name_hint = value_name(name)
    return Call.on(op)


def _called(given: Expr) -> str:
    return f"variable '{given.name_hint}'" if isinstance(given, Var) else f"a {type(given).__name__.lower()}"


def apply(name: str, *operands: Any, **properties: Any) -> Call:
    """Return the call of an operator by the name of its record."""
    operation = get_operator(name).operation
    assert operation is not None, name
    return emit(operation, *operands, **properties)


def declared(name: str) -> Any:
    """Return the function of an operator by the name of its record, with the operands and properties of its
    operation."""
    operation = get_operator(name).operation
    assert operation is not None
    definition = operation.get_irdl_definition()
    optional = sum(isinstance(kind, OptOperandDef) for _, kind in definition.operands)
    names = [operand for operand, _ in definition.operands]

    def function(*operands: Any, **given: Any) -> Call:
        by_name = [given.pop(each) for each in names[len(operands) :] if each in given]
        flat = [
            part for each in (*operands, *by_name) for part in (each if isinstance(each, (list, tuple)) else [each])
        ]
        if unknown := next((each for each in given if each not in definition.properties), None):
            refuse(
                f"{name}: unknown argument {unknown!r}", help=f"it takes {', '.join([*names, *definition.properties])}"
            )
        return emit(operation, *flat, **given)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = operation.__doc__
    assert optional <= len(names)
    return function


def refuse(message: str, *, help: str | None = None, notes: Sequence[str] = ()) -> NoReturn:
    """Raise TW0320 at the user's line."""
    fail(BAD_OPERAND, message, location=caller_location(), help=help, notes=notes)


def tensor(given: Any, what: str = "the operand") -> Expr:
    """Return an operand that is one tensor."""
    found = expression(given)
    if len(found.values) != 1:
        refuse(f"expected a tensor as {what}, but got a tuple of {len(found.values)}", help="take one of its parts")
    return found


def type_(given: Expr) -> TensorType:
    """Return the type of an expression that is one tensor."""
    return type_of(given.value.type)


def rank(given: Expr) -> int:
    """Return the number of dimensions of a tensor."""
    return len(type_(given).shape)


def static(size: Any, what: str) -> int:
    """Return a size that has to be a number. Raises TW0320 for one that a call states."""
    if not isinstance(size, int):
        refuse(f"expected {what} to be a number, but got {size}", help="give the variable a shape of numbers")
    return size


def imply(given: Any, what: str, shape: Sequence[Any] | None, dtype: str) -> Expr:
    """Return an operand whose type others imply: a variable without a type gets it. Raises TW0321 where none is
    implied."""
    if isinstance(given, Var) and not given.is_typed and shape is not None:
        given.annotate(TensorType(shape, dtype))
    return tensor(given, what)


def cast_to(given: Expr, dtype: str) -> Expr:
    """Return the elements in a type, converted where they are of another one."""
    return given if type_(given).dtype == dtype else apply("cast", given, to=dtype)


def permuted(given: Expr, order: Sequence[int]) -> Expr:
    """Return a tensor with its dimensions in an order, the tensor itself where they have that order. Two transpositions
    in a row become one."""
    if isinstance(given, Call) and isinstance(given.operation, TransposeOp):
        before = given.operation.permutation.get_values()
        given, order = given.args[0], [before[axis] for axis in order]
    return given if list(order) == list(range(len(order))) else apply("transpose", given, permutation=tuple(order))


def reshaped(given: Expr, shape: Sequence[int]) -> Expr:
    """Return the elements under another shape; 0 keeps the size at its position, -1 stands for the remaining size."""
    return apply("reshape", given, shape=tuple(shape))
