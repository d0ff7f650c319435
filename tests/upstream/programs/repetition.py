"""Sizes that fulfil the condition of a verdict and at which every loop of a program runs at least twice.

A condition may leave few sizes: one that admits only empty loops says nothing about a pass on loops. The loops are
counted by evaluating their bounds for drawn sizes, without the prover's model.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tilewright.analysis.polyhedral.sizes import parameter_symbol
from tilewright.dialects.loop import ApplyOp, DimOp, ForOp, LoadOp
from tilewright.semantics.parameters import words_of
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, SSAValue

_FIRST = (40, 24, 17, 12, 8, 5, 3)
_DRAWN = (0, 1, 2, 3, 4, 6, 8, 9, 12, 16, 17, 20, 24, 32, 33, 40, 48, 64, 100)
_TRIES = 500
_COMPARED = re.compile(r"(?<![<>=!])=(?!=)")


def repeats(function: FuncOp, condition: str | None) -> dict[str, int] | None:
    """Return sizes, by the words of `condition`, that fulfil it and at which all loops of a function run at least
    twice.

    Loops whose bounds are constants that are too close are left out. None where no drawn sizes do.
    """
    words = words_of(function)
    names = list(_open(function, words))
    generator = random.Random(0)
    drawn = [(value,) * len(names) for value in _FIRST]
    drawn += [tuple(generator.choice(_DRAWN) for _ in names) for _ in range(_TRIES)]
    for values in drawn:
        sizes = dict(zip(names, values, strict=True))
        if (condition is None or holds(condition, sizes)) and _Count(sizes, words).all_repeat(function):
            return sizes
    return None


def holds(condition: str, sizes: Mapping[str, int]) -> bool:
    """Return True where sizes fulfil a condition: `n <= m, k >= 2; or k = 0`, `at k = 1: n <= m; at k = 3: all`."""
    groups = re.split(r"(?:^|; )at (?=[^:;]*:)", condition)
    if len(groups) == 1:
        return _any(condition, sizes)
    parts = [group.split(": ", 1) for group in groups if group]
    return any(_all(fixed, sizes) and _any(rest, sizes) for fixed, rest in parts)


def _any(text: str, sizes: Mapping[str, int]) -> bool:
    return any(_all(case, sizes) for case in text.split("; or "))


def _all(text: str, sizes: Mapping[str, int]) -> bool:
    return text == "all" or all(_holds(each, sizes) for each in text.split(", "))


def _holds(text: str, sizes: Mapping[str, int]) -> bool:
    for name in sorted(sizes, key=len, reverse=True):
        text = re.sub(rf"(?<![\w%]){re.escape(name)}(?!\w)", str(sizes[name]), text)
    text = _COMPARED.sub("==", text.replace("floordiv", "//").replace("mod", "%"))
    return bool(eval(text, {"__builtins__": {}}))


def _open(function: FuncOp, words: Mapping[str, str]) -> Iterator[str]:
    """Yield the words for open sizes, each once."""
    found: dict[str, None] = {}
    for argument in function.body.block.args:
        if not isinstance(argument.type, MemRefType):
            continue
        if isinstance(argument.type.element_type, IndexType):
            found[words[parameter_symbol(argument.index).name]] = None
        for dimension, size in enumerate(argument.type.get_shape()):
            if size < 0:
                found[words[parameter_symbol(argument.index, dimension).name]] = None
    return iter(found)


@dataclass
class _Count:
    """Iterations of loops at given sizes."""

    sizes: Mapping[str, int]
    words: Mapping[str, str]
    values: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    counts: dict[ForOp, int] = field(default_factory=dict[ForOp, int])

    def all_repeat(self, function: FuncOp) -> bool:
        """Return True where some execution of each loop makes two iterations or more."""
        self._follow(function.body.block)
        loops = [op for op in function.walk() if isinstance(op, ForOp) and not _is_short(op)]
        return all(self.counts.get(op, 0) >= 2 for op in loops)

    def _follow(self, block: Block) -> None:
        for op in block.ops:
            match op:
                case ForOp():
                    self._loop(op)
                case DimOp() | LoadOp() if op.results[0].type == IndexType() and isinstance(
                    op.operands[0], BlockArgument
                ):
                    self._size(op)
                case ApplyOp():
                    self._apply(op)
                case ConstantOp(value=IntegerAttr() as number):
                    self.values[op.results[0]] = number.value.data
                case _:
                    for region in op.regions:
                        for inner in region.blocks:
                            self._follow(inner)

    def _apply(self, op: ApplyOp) -> None:
        try:
            self.values[op.results[0]] = op.index.evaluate(self.values)
        except KeyError:
            return

    def _size(self, op: DimOp | LoadOp) -> None:
        argument = op.operands[0]
        assert isinstance(argument, BlockArgument)
        dimension = (op.dimension.value.data,) if isinstance(op, DimOp) else ()
        word = self.words.get(parameter_symbol(argument.index, *dimension).name)
        if word in self.sizes:
            self.values[op.results[0]] = self.sizes[word]

    def _loop(self, op: ForOp) -> None:
        try:
            low = max(bound.evaluate(self.values) for bound in op.lowers)
            high = min(bound.evaluate(self.values) for bound in op.uppers)
        except KeyError:
            return
        self.counts[op] = max(self.counts.get(op, 0), high - low)
        iterations = range(low, high)
        for value in dict.fromkeys([*iterations[:3], *iterations[-2:]]):
            self.values[op.induction_variable] = value
            self._follow(op.body.block)


def _is_short(op: ForOp) -> bool:
    """Return True where a loop runs less than twice whatever the sizes are."""
    bounds = [*op.lowers, *op.uppers]
    return (
        all(bound.is_constant for bound in bounds)
        and min(b.constant for b in op.uppers) - max(b.constant for b in op.lowers) < 2
    )
