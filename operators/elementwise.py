"""Declarations of elementwise operators: a scalar expression, and the same function on numpy arrays.

Rounding follows the element type: numpy computes each ufunc in the type of its operands, and a chain of ufuncs rounds
after each step, as the compiled code does. Transcendental functions are those of `semantics`, computed in float64 and
rounded once: those of numpy for narrower types are wrong by several units in the last place, and depend on the
processor. A function is given by name where te, and numpy or the math dialect, have it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias, TypeVar, cast

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import BinaryOp, CompareOp, Elements, UnaryOp
from .blocks import elementwise_in_blocks
from .broadcasting import broadcast_shape, read_broadcast
from .declaration import register, register_for_topi
from .deferred import np, te
from .record import WIDE, FusionKind, Operator

OpT = TypeVar("OpT", bound=GraphOp)
Scalar: TypeAlias = "str | Callable[..., te.Expr]"
"""A function of scalar expressions, or the name of one of te's. It takes operands and, as keywords, properties."""
Reference: TypeAlias = "str | Callable[..., Any]"
"""The same on numpy arrays, the name of one of numpy's, or of an operation of the math dialect: `math.exp`."""


def scalar_operator(
    scalar: Scalar, reference: Reference, *, in_steps: bool = False, onnx: str = ""
) -> Callable[[type[OpT]], type[OpT]]:
    """Declare an operator whose result has the shape of its one operand. An operator that takes several steps widens
    narrow floats before the first and rounds after the last.
    """

    def declare(operation: type[OpT]) -> type[OpT]:
        return register(_on_one(name_of(operation), scalar, reference, in_steps, onnx=onnx), operation)

    return declare


def broadcasting_operator(scalar: Scalar, reference: Reference, *, onnx: str = "") -> Callable[[type[OpT]], type[OpT]]:
    """Declare an operator on operands that broadcast."""

    def declare(operation: type[OpT]) -> type[OpT]:
        return register(_on_several(name_of(operation), scalar, reference, onnx=onnx), operation)

    return declare


def unary(
    name: str,
    meaning: str,
    elements: Elements,
    scalar: Scalar,
    reference: Reference,
    *,
    in_steps: bool = False,
    onnx: str = "",
) -> type[UnaryOp]:
    """Register an operator on one operand, without properties."""
    example = f"%y = graph.{name} %x : tensor<2x3x{'i1' if elements is Elements.BOOL else 'f32'}>"
    operation = family_member(UnaryOp, name, meaning, example, elements)
    return register(_on_one(name, scalar, reference, in_steps, onnx=onnx), operation, elements)


def binary(
    name: str, meaning: str, elements: Elements, scalar: Scalar, reference: Reference, *, onnx: str = ""
) -> type[BinaryOp]:
    """Register an operator on two operands of one type, which broadcast."""
    example = f"%y = graph.{name} %a, %b : tensor<2x3x{'i1' if elements is Elements.BOOL else 'f32'}>"
    operation = family_member(BinaryOp, name, meaning, example, elements)
    return register(_on_several(name, scalar, reference, onnx=onnx), operation, elements)


def comparison(
    name: str, meaning: str, elements: Elements, scalar: Scalar, reference: Reference, *, onnx: str = ""
) -> type[CompareOp]:
    """Register an operator on two operands of one type, which broadcast, with a result of `i1`."""
    example = f"%y = graph.{name} %a, %b : tensor<2x3xi1>"
    operation = family_member(CompareOp, name, meaning, example, elements)
    return register(_on_several(name, scalar, reference, onnx=onnx), operation, elements)


def unary_of_topi(name: str, meaning: str, scalar: Scalar, reference: Reference, *, in_steps: bool = False) -> None:
    """Register an operator on one operand that the graph dialect has no operation for."""
    register_for_topi(_on_one(name, scalar, reference, in_steps, doc=meaning))


def binary_of_topi(name: str, meaning: str, scalar: Scalar, reference: Reference) -> None:
    """Register an operator on operands that broadcast, which the graph dialect has no operation for."""
    register_for_topi(_on_several(name, scalar, reference, doc=meaning))


def family_member(base: type[OpT], name: str, meaning: str, example: str, elements: Elements) -> type[OpT]:
    """Create a class of a family; its docstring is the meaning and an example."""
    members = {
        "name": f"graph.{name}",
        "ELEMENTS": elements,
        "__annotations__": {"ELEMENTS": ClassVar[Elements]},
        "__doc__": f"{meaning}\n\n```mlir\n{example}\n```\n",
        "__module__": __name__,
    }
    class_name = "".join(part.capitalize() for part in name.split("_")) + "Op"
    return cast("type[OpT]", type(class_name, (base,), members))


def _on_one(
    name: str, scalar: Scalar, reference: Reference, in_steps: bool, *, doc: str = "", onnx: str = ""
) -> Operator:
    def element(*operands: te.Expr, **values: Any) -> te.Expr:
        return (getattr(te, scalar) if isinstance(scalar, str) else scalar)(*operands, **values)

    def body(x: te.Tensor, **values: Any) -> te.Tensor:
        return te.compute(x.shape, lambda *i: element(x(*i), **values), name=name)

    def wide_body(x: te.Tensor, *, sums: str, **values: Any) -> te.Tensor:
        return te.compute(x.shape, lambda *i: element(x(*i).astype(sums), **values).astype(x.dtype), name=name)

    return Operator(
        name,
        FusionKind.ELEMENTWISE,
        _reference(reference),
        wide_body if in_steps else body,
        elementwise_in_blocks,
        WIDE if in_steps else None,
        scalar=element,
        doc=doc,
        onnx=onnx,
    )


def _on_several(name: str, scalar: Scalar, reference: Reference, *, doc: str = "", onnx: str = "") -> Operator:
    """Return the record of an operator on several tensors or numbers."""

    def scalars(*operands: Any, **values: Any) -> te.Expr:
        return (getattr(te, scalar) if isinstance(scalar, str) else scalar)(*operands, **values)

    def body(*operands: te.Tensor | Any, **values: Any) -> te.Tensor:
        def element(*index: Any) -> te.Expr:
            return scalars(*(read_broadcast(operand, index) for operand in operands), **values)

        shape = broadcast_shape(*(o.shape for o in operands if isinstance(o, te.Tensor)))
        return te.compute(shape, element, name=name)

    kind, computed = FusionKind.BROADCAST, _reference(reference)
    return Operator(name, kind, computed, body, elementwise_in_blocks, scalar=scalars, doc=doc, onnx=onnx)


def _reference(function: Reference) -> Callable[..., Any]:
    """Return a function that is looked up when it is called."""
    return (lambda *arrays: _named(function)(*arrays)) if isinstance(function, str) else function


def _named(name: str) -> Callable[..., Any]:
    if not name.startswith("math."):
        return getattr(np, name)
    from ..semantics.floats import FLOAT

    return FLOAT[name]


def name_of(operation: type[GraphOp]) -> str:
    """Return the operator's name: the operation's without the dialect."""
    return operation.name.removeprefix("graph.")
