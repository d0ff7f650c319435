"""Expressions for calls of foreign functions: buffers, the addresses of their elements, and the calls.

    def body(ins, outs):
        ib = tir.ir_builder.create()
        ib.emit(tir.call_extern("int32", "dot", outs[0].access_ptr("w"), ins[0].access_ptr("r"), ins[0].strides[0]))
        return ib.get()

The objects are translated to IR later, when the buffers are known.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from ..diagnostics.locations import CodePoint, caller_point
from ..lazy import missing_field
from .dtypes import dtype_info, vector_of
from .expr import Expr, Read, Var, as_expr
from .shapes import Size, as_shape, format_shape
from .te_errors import te_error

if TYPE_CHECKING:
    from .stores import Store

BAD_DECLARATION = "TW0430"

LOAD_TILE, STORE_TILE = "tvm_load_matrix_sync", "tvm_store_matrix_sync"
FILL_TILE, MULTIPLY_TILES = "tvm_fill_fragment", "tvm_mma_sync"
MATRIX_CALLS = (LOAD_TILE, STORE_TILE, FILL_TILE, MULTIPLY_TILES)
"""Calls by which a warp works on tiles of matrices, in the bodies of tensor intrinsics."""
MATRIX_SCOPES = ("wmma.matrix_a", "wmma.matrix_b", "wmma.accumulator")
"""The scopes of tiles in the registers of a warp: the left operand, the right one, and results."""
ELEM_OFFSET = Var("elem_offset")

_MODES = {"r": "read", "w": "write", "rw": "update", "wr": "update", 1: "read", 2: "write", 3: "update"}


@dataclass(frozen=True, eq=False)
class Buffer:
    """An operand of foreign code: a tile of a tensor, somewhere in memory.

    A stride that is a `te.var` matches any stride of the program, and can be passed to the code; a number must equal
    the stride of the program. Without strides the code expects a packed tile.
    """

    shape: tuple[Size, ...]
    dtype: str
    name: str
    strides: tuple[Stride, ...]
    scope: str = ""
    """The memory of a tile of a matrix, for calls of `MATRIX_CALLS`; nothing else can be called with it."""
    is_packed: bool = False
    """True if the declaration gives no strides."""
    broadcasts: bool = False
    """True if a dimension of extent 1 is read at 0 for each index."""
    factor: int = 1
    """The tile starts at a multiple of that many elements of its buffer."""
    memory: str = ""
    """The scope of the buffer that the tile lies in; "" for any."""
    alignment: int = 1
    """The bytes that the address of the memory is a multiple of, as code counts on."""

    @property
    def data(self) -> Pointer:
        """The address of the whole tile, which the code may read or write."""
        return Pointer(self, "update", self._index(None), is_stated=False)

    @property
    def elem_offset(self) -> Var:
        """The position of the tile in its buffer, as an argument for calls of `MATRIX_CALLS`; the compiler computes
        it."""
        return ELEM_OFFSET

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_field(self, "a buffer", name)

    def access_ptr(self, mask: str | int, *, offset: int | Sequence[int] | None = None) -> Pointer:
        """Return the address of an element, the first one by default, with the access of the tile: "r", "w" or "rw".

        `offset` is an index of the tile, or the number of an element of a packed one. Raises TW0430 for an index
        outside the tile.
        """
        mode = _MODES.get(mask)
        if mode is None:
            te_error(BAD_DECLARATION, f'expected an access "r", "w" or "rw" to buffer {self.name!r}, but got {mask!r}')
        return Pointer(self, mode, self._index(offset))

    def vload(self, begin: Any, dtype: str | None = None) -> Read:
        """Return an element, in a statement on the buffer, or the vector of "float32x4" that begins there.

        Raises TW0430 for another type.
        """
        vector = vector_of(dtype)
        self._check_element(dtype if vector is None else vector[0])
        indices = self._indices(begin)
        if vector is not None and indices:
            from .vectors import Lane

            indices = (*indices[:-1], indices[-1] + Lane(vector[1]))
        return Read(self, indices)  # pyright: ignore[reportArgumentType]

    def vstore(self, begin: Any, value: Any) -> Store:
        """Return the statement that stores an element, or a vector into the elements that begin there."""
        from .stores import store_of

        return store_of(self, self._indices(begin), value)

    def _indices(self, begin: Any) -> tuple[Expr, ...]:
        given = begin if isinstance(begin, (tuple, list)) else (begin,)
        if len(given) != len(self.shape):
            te_error(BAD_DECLARATION, f"expected {len(self.shape)} indices of buffer {self.name!r}, but got {given!r}")
        return tuple(as_expr(index, "index") for index in given)

    def _check_element(self, dtype: str | None) -> None:
        if dtype is not None and str(dtype) != self.dtype:
            te_error(
                BAD_DECLARATION,
                f"expected an element of type {self.dtype} of buffer {self.name!r}, but got {dtype!r}",
                help="load one element at a time: loops that are vectorized make vectors of them",
            )

    def _index(self, offset: int | Sequence[int] | None) -> tuple[int, ...]:
        """Return the index of an element, given as such or counted in the order of a packed tile."""
        if offset is None:
            return (0,) * len(self.shape)
        try:
            index = (
                (operator.index(offset),) if not isinstance(offset, Sequence) else tuple(map(operator.index, offset))
            )
        except TypeError:
            te_error(BAD_DECLARATION, f"expected numbers as offset in buffer {self.name!r}, but got {offset!r}")
        sizes = [size for size in self.shape if isinstance(size, int)]
        if not isinstance(offset, Sequence) and len(sizes) == len(self.shape):
            (number,), index = index, ()
            for size in reversed(sizes):
                number, element = divmod(number, size) if size else (number, 0)
                index = (element, *index)
            if number:
                index = ()
        fits = len(index) == len(self.shape) and all(
            element >= 0 and (not isinstance(size, int) or element < size)
            for element, size in zip(index, self.shape, strict=True)
        )
        if not fits:
            te_error(
                BAD_DECLARATION,
                f"expected the offset of an element of buffer {self.name!r} of shape {format_shape(self.shape)}, "
                f"but got {offset!r}",
                help="an offset is an index with a number for each dimension, or the number of an element",
            )
        return index


@dataclass(frozen=True, eq=False)
class Stride:
    """The stride of a dimension of a buffer in elements; `expected` is None where any stride is accepted."""

    dimension: int
    expected: int | None
    name: str
    owner: list[Buffer] = field(default_factory=list[Buffer], repr=False)

    @property
    def buffer(self) -> Buffer:
        return self.owner[0]


@dataclass(frozen=True, eq=False)
class Pointer:
    """The address of an element of a buffer: the start of a tile that is read, written or updated."""

    buffer: Buffer
    mode: str
    offset: tuple[int, ...]
    is_stated: bool = True
    """True if the program states the effect on the tile; otherwise inputs are read and results are written."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_field(self, "a pointer", name)


@dataclass(frozen=True, eq=False)
class Call:
    """A call of a foreign function: its result type, and its arguments in order."""

    dtype: str
    symbol: str
    arguments: tuple[Any, ...]
    origin: CodePoint | None = field(default=None, init=False)
    """The position in the user's Python program that makes the call."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "origin", caller_point())


@dataclass(frozen=True, eq=False)
class Statements:
    """A statement of calls alone, which a `tir.ir_builder` collected."""

    calls: tuple[Call, ...]


def decl_buffer(
    shape: Any,
    dtype: str = "float32",
    name: str = "buffer",
    *,
    strides: Sequence[Any] | None = None,
    offset_factor: int = 1,
    scope: str = "",
    data_alignment: int = -1,
    elem_offset: Any = None,
    data: Any = None,
    buffer_type: str = "",
    axis_separators: Sequence[int] = (),
) -> Buffer:
    """Return an operand of an intrinsic with the layout that its code counts on.

    Each stride is a number, or a `te.var` for any. Foreign code gets the address of the tile's first element, which is
    a multiple of `offset_factor` elements from where the tile's buffer starts, in memory of `scope` ("": any).
    `data_alignment` is that of the memory in bytes (-1: an element's): functions of C get addresses that are aligned to
    an element, so more than that stands with functions of Python alone. An argument that is bound to a buffer of
    `buffer_type` "auto_broadcast" is read at 0 along each dimension of extent 1. An `elem_offset` that is a `te.var`
    is the start of the tile, which is not restricted. Raises TW0430 for other values, and for `data`, which cannot have
    one.
    """
    if data is not None or buffer_type not in ("", "default", "auto_broadcast"):
        what = f"buffer_type {buffer_type!r}" if data is None else f"data {data!r}"
        te_error(
            BAD_DECLARATION,
            f"expected buffer {name!r} of a supported type and without data, but got {what}",
            help='the types of buffers are "" and "auto_broadcast"',
        )
    if axis_separators:
        te_error(BAD_DECLARATION, f"expected buffer {name!r} with flat memory, but got separators {axis_separators!r}")
    sizes = as_shape(shape, name)
    of_matrix = _is_tile(sizes, scope, offset_factor)
    if not of_matrix:
        _check_position(name, offset_factor, scope, data_alignment, elem_offset)
    if strides is not None and len(strides) != len(sizes):
        te_error(BAD_DECLARATION, f"expected {len(sizes)} strides of buffer {name!r}, but got {len(strides)}")
    given = _packed(sizes) if strides is None else tuple(strides)
    made = tuple(_stride(d, stride, name) for d, stride in enumerate(given))
    matrix_scope = (scope or "global") if of_matrix else ""
    memory = "" if scope == "global" or scope in MATRIX_SCOPES else scope
    broadcasts = buffer_type == "auto_broadcast"
    asked = max(offset_factor, 1), memory, data_alignment
    buffer = Buffer(sizes, str(dtype), name, made, matrix_scope, strides is None, broadcasts, *asked)
    for stride in made:
        stride.owner.append(buffer)
    return buffer


def _is_tile(shape: Sequence[Size], scope: object, factor: object) -> bool:
    """Return whether a declaration is that of a tile of a matrix, as tensor cores take them."""
    sides = [size for size in shape[-2:] if isinstance(size, int) and size % 8 == 0]
    aligned = isinstance(factor, int) and factor % 8 == 0 and factor > 0
    return len(sides) == 2 and (scope in MATRIX_SCOPES or (scope in ("", "global", "shared") and aligned))


def _check_position(name: str, factor: Any, scope: Any, alignment: Any, offset: Any) -> None:
    """Raise TW0430 for an offset, a scope or an alignment of a tile that positions in a tensor do not guarantee."""
    fits = {
        "offset_factor": type(factor) is int and factor >= 0,
        "scope": isinstance(scope, str) and not scope.startswith("wmma."),
        "data_alignment": type(alignment) is int and alignment >= -1,
        "elem_offset": offset is None or isinstance(offset, Var),
    }
    given = {"offset_factor": factor, "scope": scope, "data_alignment": alignment, "elem_offset": offset}
    for argument, is_known in fits.items():
        if not is_known:
            te_error(
                BAD_DECLARATION,
                f"expected the first element of buffer {name!r} to lie anywhere, but got {argument} "
                f"{given[argument]!r}",
                help="leave it out, and let the code read elements wherever and however aligned they are",
            )


def _packed(shape: Sequence[Size]) -> tuple[Any, ...]:
    """Return the strides of a row-major tile."""
    strides: list[int] = []
    stride = 1
    for extent in reversed(shape):
        strides.append(stride)
        stride *= extent if isinstance(extent, int) else 1
    return tuple(reversed(strides))


def _stride(dimension: int, given: Any, buffer: str) -> Stride:
    if isinstance(given, Var):
        return Stride(dimension, None, given.name)
    if not isinstance(given, int) or given < 0:
        te_error(BAD_DECLARATION, f"expected a number or a te.var as stride of buffer {buffer!r}, but got {given!r}")
    return Stride(dimension, given, str(given))


def call_extern(dtype: str, symbol: str, *arguments: Any) -> Call:
    """Return a call of a foreign function by C's calling convention.

    `dtype` is its result type, "void" for none. Arguments are `buffer.access_ptr(...)`, passed as an address, in
    `te.extern` also a buffer itself, which is read or, if it is that of a result, written,
    `buffer.strides[d]` and integers, passed as int32, and numbers of other types as `te.const(value, dtype)`.
    """
    for each in arguments:
        buffer = each.buffer if isinstance(each, Pointer) else each
        if isinstance(buffer, Buffer):
            _check_passed(buffer)
    return Call(dtype, symbol, tuple(a if isinstance(a, (Buffer, Pointer, Stride)) else as_expr(a) for a in arguments))


def _check_passed(buffer: Buffer) -> None:
    """Raise TW0430 for a buffer that requires a property which functions of C cannot rely on."""
    if buffer.scope in MATRIX_SCOPES:
        te_error(
            BAD_DECLARATION,
            f"expected a buffer whose first element lies anywhere, but {buffer.name!r} is a tile of a matrix",
            help="foreign code gets a tile wherever it lies: leave out scope, offset_factor and data_alignment",
        )
    if buffer.alignment > max(dtype_info(buffer.dtype).bits // 8, 1):
        te_error(
            BAD_DECLARATION,
            f"expected buffer {buffer.name!r} to be aligned to its elements, but got data_alignment {buffer.alignment}",
            help="leave it out, and let the code read elements however aligned they are",
        )


def check_whole(buffer: Buffer, subject: str) -> None:
    """Raise TW0430 for a buffer that stands for a whole tensor, and requires a memory space."""
    if buffer.memory:
        te_error(
            BAD_DECLARATION,
            f"expected {subject} in memory that the compiler chooses, but buffer {buffer.name!r} asks for scope "
            f"{buffer.memory!r}",
            help="leave it out; stages have scopes, and buffers of tensor intrinsics",
        )


def matrix_call(symbol: str, *arguments: Any) -> Call:
    """Return a call of `MATRIX_CALLS`, on tiles that are given by `buffer.data` and `buffer.access_ptr(...)`."""
    return Call("handle", symbol, arguments)
