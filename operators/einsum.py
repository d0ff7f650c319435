"""Sums of products in Einstein notation: a letter for each dimension of each operand, and of the result."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from xdsl.irdl import result_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import string_prop
from ..dialects.graph.types import Dim, Tensor, make_type, shape_of, size_error
from .declaration import register_operator
from .deferred import np, te
from .record import PROMOTED, FusionKind
from .sizes import is_one


def read_equation(equation: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """Return the letters of each operand, of so many dimensions, and those of the result.

    Without an arrow the result has the letters that occur once, in alphabetical order. An ellipsis stands for the
    dimensions that an operand has besides its letters. It gets new letters, of which operands share the last.
    Raises ValueError for an equation that does not fit.
    """
    left, arrow, output = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(ranks):
        raise ValueError(f"expected letters for {len(ranks)} operands, but got '{left}'")
    unused = [letter for letter in string.ascii_letters if letter not in equation]
    spread = [rank - len(term) + 3 if "..." in term else 0 for term, rank in zip(terms, ranks, strict=True)]
    if min(spread, default=0) < 0 or max(spread, default=0) > len(unused):
        raise ValueError(f"expected at most as many letters as dimensions, {list(ranks)}, but got '{left}'")
    longest = unused[: max(spread, default=0)]
    read = [term.replace("...", "".join(longest[len(longest) - n :]), 1) for term, n in zip(terms, spread, strict=True)]
    letters = "".join(read)
    if any(len(term) != rank for term, rank in zip(read, ranks, strict=True)) or not (letters + "a").isalpha():
        raise ValueError(f"expected a letter for each dimension of operands of rank {list(ranks)}, but got '{left}'")
    if not arrow:
        once = sorted({x for x in letters if letters.count(x) == 1} - {*longest})
        return read, "".join([*longest, *once])
    output = output.replace("...", "".join(longest), 1)
    if len({*output}) != len(output) or not {*output} <= {*letters}:
        raise ValueError(f"expected letters of the operands, each once, after the arrow, but got '{equation}'")
    return read, output


def sum_of_products(
    operands: Sequence[te.Tensor], terms: Sequence[str], output: str, sums: str, name: str
) -> te.Tensor:
    """Return the products of elements with equal letters, summed over the letters that the result lacks."""
    sizes: dict[str, Any] = {}
    for term, x in zip(terms, operands, strict=True):
        for letter, size in zip(term, x.shape, strict=True):
            if letter not in sizes or is_one(sizes[letter]):
                sizes[letter] = size
    summed = {letter: te.reduce_axis((0, size), letter) for letter, size in sizes.items() if letter not in output}

    def read(x: te.Tensor, term: str, at: Mapping[str, Any]) -> te.Expr:
        aligned = zip(term, x.shape, strict=True)
        return x(*(0 if is_one(size) and not is_one(sizes[i]) else at[i] for i, size in aligned)).astype(sums)

    def element(*index: Any) -> te.Expr:
        at = dict(zip(output, index, strict=True)) | summed
        first, *others = (read(x, term, at) for term, x in zip(terms, operands, strict=True))
        product: te.Expr = first
        for other in others:
            product = product * other
        return te.sum(product, axis=list(summed.values())) if summed else product

    return te.compute([sizes[letter] for letter in output], element, name=name)


ASSUMED_SIZE = 64
"""The size that an open dimension is taken to have where the order of products is chosen."""


def einsum_te(*operands: te.Tensor, sums: str, equation: str) -> te.Tensor:
    """Contract operands. Of three operands and more the cheapest pair is contracted first, until two are left, where
    that takes less than two thirds of the products of all at once."""
    terms, output = read_equation(equation, [x.ndim for x in operands])
    sizes: dict[str, int] = {}
    for term, x in zip(terms, operands, strict=True):
        for letter, size in zip(term, x.shape, strict=True):
            sizes[letter] = max(sizes.get(letter, 1), size if isinstance(size, int) else ASSUMED_SIZE)
    pairs, cost = pairwise_order(terms, output, sizes)
    tensors, left = list(operands), list(terms)
    if 3 * cost <= 2 * (len(terms) - 1) * math.prod(sizes.values()):
        for pair in pairs[:-1]:
            kept = kept_letters(left, output, pair)
            chosen, parts = [tensors[k] for k in pair], [left[k] for k in pair]
            tensors = [x for k, x in enumerate(tensors) if k not in pair]
            left = [term for k, term in enumerate(left) if k not in pair]
            tensors.append(sum_of_products(chosen, parts, kept, sums, "einsum_part"))
            left.append(kept)
    return sum_of_products(tensors, left, output, sums, "einsum")


def kept_letters(terms: Sequence[str], output: str, pair: tuple[int, int]) -> str:
    """Return the letters that the product of two terms has: those of the others and of the result, the result's
    first."""
    others = "".join(term for k, term in enumerate(terms) if k not in pair)
    letters = "".join(dict.fromkeys("".join(terms[k] for k in pair)))
    first = [letter for letter in output if letter in letters]
    return "".join([*first, *(letter for letter in letters if letter in others and letter not in first)])


def pairwise_order(terms: Sequence[str], output: str, sizes: Mapping[str, int]) -> tuple[list[tuple[int, int]], int]:
    """Return the positions of the terms to multiply, pair by pair, the product standing behind the others then; and how
    many products of elements that takes. Each time the pair that takes the fewest goes first, of equal ones that with
    the smallest result."""
    left, pairs, total = list(terms), list[tuple[int, int]](), 0

    def cost(pair: tuple[int, int], terms: Sequence[str]) -> tuple[int, int]:
        joint, kept = {*terms[pair[0]], *terms[pair[1]]}, kept_letters(terms, output, pair)
        return math.prod(sizes[letter] for letter in joint), math.prod(sizes[letter] for letter in kept)

    while len(left) > 1:
        found, pair = min((cost(pair, left), pair) for pair in combinations(range(len(left)), 2))
        total += found[0]
        kept = kept_letters(left, output, pair)
        left = [*(term for k, term in enumerate(left) if k not in pair), kept]
        pairs.append(pair)
    return pairs, total


def _einsum_reference(*operands: np.ndarray, equation: str) -> np.ndarray:
    return np.einsum(equation.replace(" ", ""), *operands)


@register_operator(
    kind=FusionKind.OUT_ELEMENTWISE, reference=_einsum_reference, te=einsum_te, accumulator=PROMOTED, onnx="Einsum"
)
class EinsumOp(GraphOp):
    """
    The sum of products that an equation describes: a letter for each dimension of each operand, and the letters of the
    result after the arrow. Dimensions of equal letters have the same index, dimensions without a letter in the result
    are summed, and an ellipsis stands for the remaining dimensions, which broadcast.

    ```mlir
    %y = graph.einsum %a, %b equation "...ij,...jk->...ik" : tensor<8x16x32xf32>
    ```
    """

    name = "graph.einsum"

    inputs = var_operand_def()
    y = result_def()

    equation = string_prop("")

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.NUMBER.check(require_same_element(self.operands))
        shapes = [shape_of(operand) for operand in self.operands]
        try:
            terms, output = read_equation(self.equation.data, [len(shape) for shape in shapes])
        except ValueError as error:
            raise VerifyException(str(error)) from error
        sizes: dict[str, Dim] = {}
        for term, shape in zip(terms, shapes, strict=True):
            for letter, size in zip(term, shape, strict=True):
                known = sizes.get(letter, 1)
                if 1 not in (known, size) and (known != size or size is None):
                    raise size_error(known, size)(
                        f"expected dimensions '{letter}' to be equal, but got {known} and {size}"
                    )
                sizes[letter] = size if known == 1 else known
        return (make_type([sizes[letter] for letter in output], element),)
