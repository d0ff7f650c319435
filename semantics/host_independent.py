"""Arrays whose computations give the same bits on every host.

Results of constant folding become part of the program, so they must not depend on the compiling host. A
`HostIndependent` array computes as numpy does, except where numpy calls vector code of the processor or a linear
algebra library: float functions are those of `portable`, and matrix products of floats add one term after the other.
Other such computations raise `NotPortable`. Results are `HostIndependent` arrays again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any

import numpy as np

from . import portable


class NotPortable(Exception):
    """Raised by a computation whose bits depend on the host."""


class HostIndependent(np.ndarray[Any, np.dtype[Any]]):
    """An array that computes the same on every host."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: Any, *inputs: Any, **options: Any) -> Any:
        """Compute a ufunc on plain arrays, by a function of this module where numpy's depends on the host."""
        outputs = options.pop("out", ())
        given = [_plain(each) for each in inputs]
        name = ufunc.__name__.removesuffix(" (vectorized)")
        if method == "__call__" and ufunc is np.matmul:
            results = _matmul(*given)
        elif name in portable.FUNCTIONS and _is_float(ufunc, given):
            results = _function(ufunc, name, method, given, options)
        elif ufunc is np.matmul or name in _REFUSED:
            raise NotPortable(name)
        else:
            results = getattr(ufunc, method)(*given, **{key: _plain(value) for key, value in options.items()})
        if outputs:
            for output, result in zip(outputs, results if isinstance(results, tuple) else (results,), strict=True):
                np.copyto(_plain(output), result, casting="same_kind")
            return outputs[0] if len(outputs) == 1 else outputs
        return independent(results)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Compute a function of numpy, whose calls of ufuncs are dispatched to this class again."""
        if func in _FUNCTIONS:
            return independent(_FUNCTIONS[func](*_unwrapped(args), **kwargs))
        if func.__module__ == "numpy.linalg":
            raise NotPortable(func.__name__)
        return independent(super().__array_function__(func, types, args, kwargs))


_REFUSED = ("logaddexp2", "vecdot", "matvec", "vecmat", "sinc")
"""Further ufuncs of numpy whose bits depend on the host."""


def independent(value: Any) -> Any:
    """Return arrays and numbers of numpy as arrays that compute the same on every host; anything else as it is."""
    if isinstance(value, (tuple, list)):
        return type(value)(map(independent, value))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return np.asarray(value).view(HostIndependent) if isinstance(value, (np.ndarray, np.generic)) else value


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, HostIndependent) else value


def _unwrapped(values: Iterable[Any]) -> list[Any]:
    return [
        type(value)(map(_plain, value)) if isinstance(value, (list, tuple)) else _plain(value)  # pyright: ignore
        for value in values
    ]


def _is_float(ufunc: np.ufunc, operands: Sequence[Any]) -> bool:
    """Return True for a function of floats; `power` may be one of integers."""
    types = [np.asarray(each).dtype for each in operands]
    if any(type_.kind == "c" for type_ in types):
        raise NotPortable(ufunc.__name__)
    return ufunc is not np.power or not all(type_.kind in "iub" for type_ in types)


def _function(ufunc: np.ufunc, name: str, method: str, operands: Sequence[Any], options: dict[str, Any]) -> Any:
    """Return the value of a function of floats, computed in float64 and rounded to the type that numpy's result has."""
    if method != "__call__" or options.keys() - {"dtype", "casting"}:
        raise NotPortable(ufunc.__name__)
    ones = [each if isinstance(each, (int, float)) else np.ones_like(each, shape=(1,)) for each in operands]
    dtype = np.dtype(options.get("dtype") or ufunc(*ones).dtype)
    if name == "erf":  # Python's, as a ufunc of objects
        return portable.evaluate(name, np.frompyfunc(_special_erf, 1, 1), *operands)
    return portable.evaluate(name, ufunc, *operands).astype(dtype)


def _special_erf(value: float) -> float:
    """Return the error function of zero, an infinity or NaN."""
    return value if value == 0 or value != value else float(np.sign(value))


def _matmul(a: Any, b: Any) -> Any:
    """Return the product of matrices, its terms added one after the other in float64, or numpy's of integers."""
    dtype = np.result_type(a, b)
    if dtype.kind in "iub":
        return np.matmul(a, b)
    if dtype.kind == "c":
        raise NotPortable("matmul")
    if np.shape(a)[-1] != np.shape(b)[max(-2, -np.ndim(b))]:
        raise ValueError(f"expected matrices that multiply, but got {np.shape(a)} and {np.shape(b)}")
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    row, column = a.ndim == 1, b.ndim == 1
    a, b = a[None] if row else a, b[:, None] if column else b
    result = _summed(
        (a[..., :, k : k + 1] * b[..., k : k + 1, :] for k in range(a.shape[-1])),
        (*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1]),
        dtype,
    )
    result = result[..., 0, :] if row else result
    return result[..., 0] if column else result


def _summed(terms: Iterable[Any], shape: Sequence[int], dtype: np.dtype[Any]) -> Any:
    total = np.zeros(shape, np.float64)
    for term in terms:
        total += term
    return total.astype(dtype)


def _tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Return the sum of products over pairs of axes."""
    if isinstance(axes, int):
        axes = [*range(a.ndim - axes, a.ndim)], [*range(axes)]
    first, second = ([axis % x.ndim for axis in np.atleast_1d(each)] for x, each in zip((a, b), axes, strict=True))
    kept, others = ([d for d in range(x.ndim) if d not in each] for x, each in ((a, first), (b, second)))
    summed = prod(a.shape[axis] for axis in first)
    left = a.transpose(*kept, *first).reshape(-1, summed)
    right = b.transpose(*second, *others).reshape(summed, -1)
    return _matmul(left, right).reshape([a.shape[d] for d in kept] + [b.shape[d] for d in others])


def _einsum(equation: str, *operands: Any, optimize: object = False) -> Any:
    """Return the sum of products by Einstein's convention, one product after the other."""
    labels, output = _labels(equation.replace(" ", ""), [x.ndim for x in operands])
    dtype = np.result_type(*operands)
    if dtype.kind in "iub":
        return np.einsum(equation, *operands)
    if dtype.kind == "c":
        raise NotPortable("einsum")
    sizes: dict[str, int] = {}
    for names, x in zip(labels, operands, strict=True):
        sizes |= {name: max(n, sizes.get(name, 1)) for name, n in zip(names, x.shape, strict=True)}
    summed = [name for name in sizes if name not in output]
    pairs = zip(operands, labels, strict=True)
    factors = [_along(x.astype(np.float64), names, [*output, *summed]) for x, names in pairs]
    terms = (_multiplied(factors, index) for index in np.ndindex(*(sizes[name] for name in summed)))
    return _summed(terms, [sizes[name] for name in output], dtype)


def _labels(equation: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """Return the labels of each operand's and of the result's dimensions; those of an ellipsis are capitals."""
    inputs, arrow, output = equation.partition("->")
    labels, free = inputs.split(","), [chr(code) for code in range(ord("A"), ord("Z") + 1) if chr(code) not in equation]
    counts = [rank - len(names.replace("...", "")) for names, rank in zip(labels, ranks, strict=True)]
    filled = [names.replace("...", "".join(free[:n][::-1])) for names, n in zip(labels, counts, strict=True)]
    most = max((n for names, n in zip(labels, counts, strict=True) if "..." in names), default=0)
    around = "".join(free[:most][::-1])
    if not arrow:
        given = inputs.replace(",", "").replace("...", "")
        output = "..." + "".join(sorted(name for name in set(given) if given.count(name) == 1))
    return filled, output.replace("...", around)


def _along(x: Any, labels: str, wanted: Sequence[str]) -> Any:
    """Return an operand with an axis for each wanted label, of extent 1 where it has none; of a repeated one the
    diagonal."""
    while (twice := next((name for name in labels if labels.count(name) > 1), None)) is not None:
        first, second = labels.index(twice), labels.rindex(twice)
        x = np.diagonal(x, axis1=first, axis2=second)
        labels = "".join(name for at, name in enumerate(labels) if at not in (first, second)) + twice
    x = x.transpose([labels.index(name) for name in wanted if name in labels])
    return x.reshape([x.shape[[w for w in wanted if w in labels].index(n)] if n in labels else 1 for n in wanted])


def _multiplied(factors: Sequence[Any], index: tuple[int, ...]) -> Any:
    result: Any = 1
    for factor in factors:
        spatial = factor.ndim - len(index)
        at = tuple(i if factor.shape[spatial + n] > 1 else 0 for n, i in enumerate(index))
        result = result * factor[(..., *at)] if index else result * factor
    return result


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.dot: lambda a, b: _matmul(a, b) if max(a.ndim, b.ndim) <= 2 and min(a.ndim, b.ndim) else _tensordot(a, b, 1),
    np.einsum: _einsum,
    np.tensordot: _tensordot,
}
"""Functions of numpy that a library of linear algebra computes."""
