"""Result sizes that a model computes from the shapes of its inputs or from data.

An operation of `operators.shaped` states its result sizes in terms of the sizes of its operands. This module records
the value that has each size, so that a computed shape can be stated in this form, and the sizes that depend on data,
each with an upper bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from xdsl.ir import Block, SSAValue

from ...dialects.graph import Dim, shape_of
from ...dialects.graph.sizes import Extreme, least, most, names_of, size_of, substitute
from ...dialects.graph.types import UnknownSize
from ...operators.shaped import operand_size


class StatedSizes:
    """The sizes that the values of a model have."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._found: list[SSAValue] = []
        self.bounds: dict[str, Dim] = {}
        """The largest that a size may be which is data."""

    def add_data(self, name: str, value: SSAValue, bound: Dim) -> None:
        """Let `name` be the first size of a value, of at most `bound`."""
        self.bounds[name] = most(bound, self.bounds) if isinstance(bound, str) else bound
        self._found.append(value)

    def fresh(self, hint: str) -> str:
        """Return a name for a size that no value has."""
        taken = {dim for value in self._values() for dim in shape_of(value)}
        name, count = hint, 0
        while name in taken or name in self.bounds:
            count += 1
            name = f"{hint}_{count}"
        return name

    def depends_on_data(self, shape: Iterable[Dim]) -> bool:
        """Return whether sizes of the shape are data."""
        return any(name in self.bounds for dim in shape for name in names_of(dim))

    def largest(self, dim: Dim) -> Dim:
        """Return the largest number that a size may be, in sizes of inputs."""
        return None if dim is None else most(dim, self.bounds)

    def state(
        self, operands: Sequence[SSAValue], dims: Mapping[str, Sequence[Any]]
    ) -> tuple[list[SSAValue], dict[str, tuple[int | str, ...]]]:
        """Return further operands, whose sizes are all that is needed of them, and sizes in terms of all operands.

        Raises UnknownSize for a size that no value has.
        """
        likes: list[SSAValue] = []
        known: dict[str, str] = {}

        def text(dim: Any) -> int | str:
            if isinstance(dim, int):
                return dim
            for name in (dim, *names_of(dim)) if dim is not None else ():
                self._find_size(name, operands, likes, known)
            if dim in known:
                return known[dim]
            if dim is None or any(name not in known for name in names_of(dim)):
                raise UnknownSize(f"expected sizes that inputs have, but got {dim or '?'}")
            stated = substitute(dim, known)
            assert stated is not None
            return stated

        found = {what: tuple(text(dim) for dim in each) for what, each in dims.items()}
        return likes, found

    def _find_size(self, name: str, operands: Sequence[SSAValue], likes: list[SSAValue], known: dict[str, str]) -> None:
        """Note which operand has a size, and take another value among them where none has it."""
        if name in known:
            return
        for number, value in enumerate((*operands, *likes)):
            if name in (shape := shape_of(value)):
                known[name] = operand_size(number, shape.index(name))
                return
        for value in self._values():
            if name in (shape := shape_of(value)):
                likes.append(value)
                known[name] = operand_size(len(operands) + len(likes) - 1, shape.index(name))
                return

    def _values(self) -> list[SSAValue]:
        return [*self._block.args, *self._found]


def is_symbolic(dims: Mapping[str, Sequence[Any]]) -> bool:
    """Return whether one of these sizes is no number."""
    return any(not isinstance(dim, int) for each in dims.values() for dim in each)


def is_implied(first: Dim, second: Dim) -> bool:
    """Return whether two sizes are equal wherever they broadcast: one is the minimum of the other and a number above
    1."""
    for limited, whole in ((first, second), (second, first)):
        size = None if limited is None else size_of(limited)
        if size is None or whole is None or [*map(len, (t[0] for t in size.terms))] != [1] or size.terms[0][1] != 1:
            continue
        (atom,) = size.terms[0][0]
        if isinstance(atom, Extreme) and atom.kind == "min":
            sides = [side.dim for side in (atom.left, atom.right)]
            if whole in sides and least(sides[1 - sides.index(whole)]) > 1:
                return True
    return False
