"""Buffers in the statements of a `tir.ir_builder`: `A[i] = A[i] + 1`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ..lazy import missing_field
from ..te.dtypes import dtype_info
from ..te.expr import Read, as_expr
from ..te.shapes import Size, format_shape
from ..te.te_errors import te_error

if TYPE_CHECKING:
    from .ir_builder import IRBuilder

BAD_STATEMENT = "TW0466"


class BufferVar:
    """A buffer whose elements are read and written with `[]`.

    A single index into a buffer of several dimensions counts elements in row-major order. A read element is an
    expression, which is loaded at the statement that contains the expression.
    """

    def __init__(self, builder: IRBuilder, name: str, dtype: str, shape: tuple[Size, ...] | None) -> None:
        self._builder = builder
        self.name = name
        self.dtype = dtype_info(dtype).name
        self.shape = shape
        """None where the number of elements is unknown."""

    @property
    def ndim(self) -> int:
        return 1 if self.shape is None else len(self.shape)

    def asobject(self) -> BufferVar:
        """Return the buffer itself, where classic programs ask for the variable behind it."""
        return self

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_field(self, "a buffer", name)

    @property
    def data(self) -> BufferVar:
        """The memory, which is the buffer itself."""
        return self

    def __getitem__(self, index: Any) -> Read:
        buffer, indices = self._element(index)
        return Read(buffer, indices)  # pyright: ignore[reportArgumentType]

    def __setitem__(self, index: Any, value: Any) -> None:
        buffer, indices = self._element(index)
        self._builder.store(buffer, indices, value)

    def _element(self, index: Any) -> tuple[BufferVar, tuple[Any, ...]]:
        given = index if isinstance(index, (tuple, list)) else (index,)
        indices = tuple(as_expr(i, "index") for i in given)
        for each in indices:
            if not dtype_info(each.dtype).is_integer:
                te_error(
                    BAD_STATEMENT,
                    f"expected an integer to index buffer {self.name!r}, but got `{each}` of type {each.dtype}",
                    help="convert with astype('int32')",
                )
        if len(indices) == self.ndim:
            return self, indices
        if len(indices) == 1 and self.ndim > 1:
            return self._builder.flat(self), indices
        if self.ndim == 0 and len(indices) == 1:
            return self, ()
        te_error(
            BAD_STATEMENT,
            f"expected {self.ndim} indices of buffer {self.name!r}, or the number of an element, "
            f"but got {len(indices)}",
            notes=[f"its shape is {format_shape(self.shape or ())}"],
        )

    def __repr__(self) -> str:
        return f"BufferVar({self.name!r}, {self.dtype})"
