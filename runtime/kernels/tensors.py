"""Tensors of torch, described by their methods instead of the array protocols.

The protocols would give the same facts, but one exchange takes about as long as a whole call: torch runs Python code
for them, and tensors of bfloat16 need the slower protocol. Tensors that the protocols do not export are refused here
too. A tensor states no stream: a caller who passes `stream=` guarantees that the values are complete in that stream's
order.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NoReturn

import numpy as np

from ..arguments import Argument
from ..errors import fail
from . import layout as layouts
from .layout import ForeignArray, Layout

_CLASSES = ("torch.Tensor", "torch.nn.parameter.Parameter")
"""The classes of tensors that are nothing but memory and strides; other classes, as of users, go by the protocols."""


@lru_cache(maxsize=256)
def is_tensor(cls: type[Any]) -> bool:
    """Return whether objects of a class are plain tensors of torch."""
    return f"{cls.__module__}.{cls.__qualname__}" in _CLASSES


def read_tensor(argument: Argument, tensor: Any) -> ForeignArray | None:
    """Return a tensor as kernels see it; None for one of the host.

    Raises TW0703 for elements that numpy has no name for, TW0707 for tensors that are more than memory and strides;
    RuntimeError (torch does) for a tensor without storage, such as a sparse one.
    """
    if not tensor.is_cuda:
        return None
    if tensor.requires_grad:
        _refuse(argument, "requires a gradient", "tensor.detach()")
    if tensor.is_conj() or tensor.is_neg():
        _refuse(argument, "is the conjugate or the negative of its memory", "tensor.resolve_conj().resolve_neg()")
    address = tensor.data_ptr()
    layout = _layout(tensor.shape, tensor.stride(), tensor.dtype)
    if layout is None:
        fail("TW0703", f"expected argument '{argument.name}' to have dtype {argument.dtype}, but got {tensor.dtype}")
    return ForeignArray(address, layout, False, tensor.get_device())


@lru_cache(maxsize=1024)
def _layout(shape: tuple[int, ...], strides: tuple[int, ...], dtype: Any) -> Layout | None:
    """Return the layout of a tensor whose strides are in elements; None for elements that numpy has no name for."""
    import ml_dtypes  # for bfloat16

    name = str(dtype).removeprefix("torch.")
    try:
        elements = np.dtype(getattr(ml_dtypes, name, name))
    except TypeError:
        return None
    return layouts.layout(tuple(shape), tuple(s * elements.itemsize for s in strides), elements)


def _refuse(argument: Argument, what: str, instead: str) -> NoReturn:
    fail(
        "TW0707",
        f"expected argument '{argument.name}' to be an array that others may use, but the tensor {what}",
        help=f"pass {instead}",
    )
