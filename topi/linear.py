"""Matrix products and contractions of any axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..operators.einsum import read_equation
from ..operators.sizes import is_one
from ..te import Tensor
from ..te.shapes import format_shape
from .arguments import a_tensor, an_integer, apply, broadcast_shapes, refuse, require_size, some_axes


def matmul(
    a: Tensor, b: Tensor, transp_a: bool = False, transp_b: bool = False, out_dtype: str | None = None
) -> Tensor:
    """Return the matrix product of the last two dimensions; leading dimensions broadcast. A vector is a row on the left
    and a column on the right, and loses that dimension. `out_dtype` is the type in which products are made and summed;
    results of float16 and bfloat16 are summed in float32 and rounded once.
    """
    left, right = a_tensor(a, "the left operand"), a_tensor(b, "the right operand")
    if min(left.ndim, right.ndim) == 0:
        refuse("TW0444", f"expected operands of at least one dimension, but got {left.shape} and {right.shape}")
    row, column = left.ndim == 1, right.ndim == 1
    left = apply("unsqueeze", left, axes=(0,)) if row else left
    right = apply("unsqueeze", right, axes=(1,)) if column else right
    product = _matrix_product(left, right, transp_a and not row, transp_b and not column, out_dtype)
    dropped = [axis for axis, drop in ((-2, row), (-1, column)) if drop]
    return apply("squeeze", product, axes=dropped) if dropped else product


def _matrix_product(a: Tensor, b: Tensor, transpose_a: bool, transpose_b: bool, out_dtype: str | None) -> Tensor:
    depth, other = a.shape[-2 if transpose_a else -1], b.shape[-1 if transpose_b else -2]
    require_size(other, depth, f"the depth of {b.name!r} of shape {format_shape(b.shape)}")
    broadcast_shapes(a.shape[:-2], b.shape[:-2])
    properties: dict[str, Any] = {"transpose_a": transpose_a, "transpose_b": transpose_b, "out_dtype": out_dtype}
    return apply("matmul", a, b, **properties)


def tensordot(a: Tensor, b: Tensor, axes: int | Sequence[Any] = 2) -> Tensor:
    """Return the sum over axes of both: the last and first so many, or lists of axes of a and of b."""
    left, right = a_tensor(a, "the left operand"), a_tensor(b, "the right operand")
    if isinstance(axes, (tuple, list)):
        if len(axes) != 2:
            refuse("TW0441", f"expected axes of both operands, but got {list(axes)}")
        ours, theirs = some_axes(axes[0], left.ndim), some_axes(axes[1], right.ndim)
    else:
        count = an_integer(axes, "the number of axes", 0, code="TW0441")
        if count > min(left.ndim, right.ndim):
            refuse("TW0441", f"expected at most {min(left.ndim, right.ndim)} axes to sum over, but got {count}")
        ours, theirs = tuple(range(left.ndim - count, left.ndim)), tuple(range(count))
    if len(ours) != len(theirs):
        refuse("TW0441", f"expected as many axes of both operands, but got {list(ours)} and {list(theirs)}")
    for i, j in zip(ours, theirs, strict=True):
        require_size(right.shape[j], left.shape[i], f"dimension {j} of {right.name!r}")
    return apply("tensordot", left, right, a_axes=ours, b_axes=theirs)


def einsum(subscripts: str, *operands: Tensor) -> Tensor:
    """Return the sum of products that a formula such as "ij,jk->ik" writes: a letter for each dimension of each
    operand, those of the result after the arrow. Without an arrow the result has the letters that occur once, in
    alphabetical order. An ellipsis stands for the dimensions without letters, which broadcast, as every dimension of
    size 1 does.
    """
    tensors = [a_tensor(x, f"operand {k}") for k, x in enumerate(operands)]
    if not isinstance(subscripts, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        refuse("TW0447", f"expected a formula such as 'ij,jk->ik' first, but got {subscripts!r}")
    try:
        terms, _ = read_equation(subscripts, [x.ndim for x in tensors])
    except ValueError as error:
        refuse("TW0444", str(error))
    sizes: dict[str, Any] = {}
    for term, x in zip(terms, tensors, strict=True):
        for letter, size in zip(term, x.shape, strict=True):
            known = sizes.get(letter, 1)
            if not is_one(size) and not is_one(known):
                require_size(size, known, f"dimension {letter!r} of {x.name!r}")
            sizes[letter] = size if is_one(known) else known
    return apply("einsum", *tensors, equation=subscripts)
