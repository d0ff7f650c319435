"""Named sizes of tensors as expressions over the values of a function that have them."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ...dialects.graph.sizes import Atom, Dim, Extreme, Quotient, Size, size_of
from ...dialects.graph.types import shape_of
from ...dialects.te import PrefixOp
from .function import FunctionEmitter


def size_text(emitter: FunctionEmitter, dim: Dim) -> str:
    """Return a size as an expression over arguments of the function, and sizes that are data; 0 for a size that no
    argument has."""
    if dim is None or isinstance(dim, int):
        return str(dim or 0)
    return _expression(emitter, size_of(dim))


def _expression(emitter: FunctionEmitter, size: Size) -> str:
    def atom_text(atom: Atom) -> str:
        match atom:
            case Quotient():
                return f"({_expression(emitter, atom.numerator)} // {atom.divisor})"
            case Extreme():
                return f"{atom.kind}({_expression(emitter, atom.left)}, {_expression(emitter, atom.right)})"
            case _:
                return _name_text(emitter, atom)

    terms = [" * ".join([str(number), *map(atom_text, monomial)]) for monomial, number in size.terms]
    return f"({' + '.join(terms) or '0'})"


def _name_text(emitter: FunctionEmitter, name: str) -> str:
    for value in _named_values(emitter):
        for axis, dim in enumerate(shape_of(value)):
            if dim == name:
                return f"{emitter.name(value)}.shape[{axis}]"
    return "0"


def _named_values(emitter: FunctionEmitter) -> Iterator[SSAValue]:
    block = emitter.function.body.block
    yield from (argument for argument in block.args if isinstance(argument.type, TensorType))
    yield from (op.res for op in block.ops if isinstance(op, PrefixOp))
