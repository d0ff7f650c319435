"""Placement of a program's constants in one aligned block of memory, where its code reads them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from math import prod

from xdsl.ir import Attribute

from ..dialects.dtypes import numpy_dtype
from ..dialects.resource import Resource, ResourceAttr
from ..runtime.buffers import is_aligned, large_block, rounded

LEAST_KEPT = 16 << 20
"""Bytes from which on an array that is aligned stays in its separate allocation: the unused end of its last page is
negligible."""


def move_to_block(values: Iterable[Attribute]) -> None:
    """Move the data of resources into one block of large pages, where the data has the alignment that programs need.

    Modules share resources, so no module keeps a second copy. The former memory of a resource is freed, unless it is
    still referenced, before the next resource is copied. Data in the model's file is read into the block.
    """
    resources = {id(v.data): v.data for v in values if isinstance(v, ResourceAttr) and not _stays(v.data)}
    sizes = {key: _bytes_of(resource) for key, resource in resources.items()}
    block, end = large_block(sum(map(rounded, sizes.values()))), 0
    for key, resource in resources.items():
        assert resource.dtype is not None and resource.shape is not None
        data = block[end : end + sizes[key]].view(numpy_dtype(resource.dtype)).reshape(resource.shape)
        resource.move_to(data)
        end += rounded(sizes[key])


def _stays(resource: Resource) -> bool:
    """Return if the data needs no copy; large data in files of weights is mapped."""
    if resource.is_moved or _bytes_of(resource) < LEAST_KEPT:
        return resource.is_moved
    with suppress(OSError):  # a file system without mapped files
        if not resource.is_in_memory and resource.map_file() and is_aligned(resource.array):
            return True
    return resource.is_in_memory and is_aligned(resource.array)


def _bytes_of(resource: Resource) -> int:
    """Return the size of the data. Raises TilewrightError TW0705 where it is not known."""
    if resource.dtype is None or resource.shape is None:
        return resource.array.nbytes
    return prod(resource.shape) * numpy_dtype(resource.dtype).itemsize
