"""A prover that answers as a test says, where what is done with its answers is the subject."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from tilewright.analysis.equivalence import Algebra, Budget, Refinement, Refuted, Verdict
from tilewright.analysis.equivalence.verdict import Computed
from tilewright.analysis.polyhedral.sizes import parameter_symbol
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

Answer: TypeAlias = "Verdict | Callable[[FuncOp, FuncOp], Verdict]"


@dataclass
class Prover:
    """Gives `answer`, and remembers what it was asked."""

    answer: Answer
    algebras: list[Algebra] = field(default_factory=list[Algebra])

    def __call__(
        self, before: FuncOp, after: FuncOp, algebra: Algebra, budget: Budget, refinement: Refinement | None = None
    ) -> Verdict:
        self.algebras.append(algebra)
        return self.answer(before, after) if callable(self.answer) else self.answer


N = parameter_symbol(0, 0).name
"""The name in a model of the first extent of the first argument."""


def refuted_at(element: tuple[int, ...], output: int, name: str, extent: int = 0, further: int = 2) -> Answer:
    """Return a refutation at an element of an argument, all dynamic extents being `extent`, and `further` ones at the
    next extents; the expressions stand at the last operations of that name."""

    def answer(before: FuncOp, after: FuncOp) -> Refuted:
        operations = [_last(function, name) for function in (before, after)]
        computed = [Computed(f"{word} {op.name}", op) for word, op in zip("ab", operations, strict=True)]
        first, *others = (
            Refuted(_sizes(before, extent + n), output, element, computed[0], computed[1], seconds=0.25)
            for n in range(further + 1)
        )
        return replace(first, further=lambda: (first, *others))

    return answer


def _sizes(function: FuncOp, extent: int) -> dict[str, int]:
    shapes = {a.index: a.type.get_shape() for a in function.body.block.args if isinstance(a.type, MemRefType)}
    dynamic = [(n, d) for n, shape in shapes.items() for d, size in enumerate(shape) if size == DYNAMIC_INDEX]
    return {parameter_symbol(*dimension).name: extent for dimension in dynamic}


def _last(function: FuncOp, name: str) -> Operation:
    found = [op for op in function.walk() if op.name == name]
    return found[-1] if found else function
