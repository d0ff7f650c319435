"""Statements on tiles of matrices in the bodies of tensor intrinsics, by the calls of `te.foreign.MATRIX_CALLS`.

    ib.emit(tir.call_intrin("handle", "tir.tvm_load_matrix_sync", BC.data, 16, 16, 16, 0, BA.access_ptr("r"), 16,
                            "row_major"))

A tile lies in the registers of a warp. Each call becomes the tensor intrinsics of `schedule/tensor_cores.py`, one for
each tile of an instruction: `ldmatrix` where the tile comes from shared memory, `mma.sync`, and loops over the lanes
in which each lane reads or writes its elements. The scope of a buffer, and the reads in the description, determine the
fragment that the buffer holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import blocks_in
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.loop.kinds import LoopKindAttr
from ...ir import editor as edit
from ...schedule.primitives.tensorize import redirect
from ...schedule.primitives.tensorize_match import Operand
from ...schedule.tensor_cores import TensorCore, over_lanes, tensor_core
from ...schedule.tensor_intrinsics import MALFORMED
from ...te import foreign
from ...te.dtypes import dtype_info
from ...te.expr import Axis, Binary, Cast, Const, Expr, Unary, Var
from ...te.foreign import ELEM_OFFSET, MATRIX_CALLS, MATRIX_SCOPES, Buffer, Call, Pointer
from ...te.te_errors import te_error

Values: TypeAlias = "Mapping[Buffer, SSAValue]"
LEFT, RIGHT, RESULT = MATRIX_SCOPES
_HALF = 8
"""The rows of a tile of results are two times eight, one of each for a lane."""


def is_matrix_body(calls: Sequence[Call]) -> bool:
    """Return whether a body contains such calls."""
    return any(call.symbol in MATRIX_CALLS for call in calls)


class MatrixStatements:
    """Builds the statements of the bodies of one intrinsic."""

    def __init__(self, name: str, description: FuncOp, buffers: Sequence[Buffer]) -> None:
        self._name = name
        self._description = description
        self._buffers = list(buffers)
        self.scopes: dict[int, str] = {}
        """The scope of each argument that is a tile, by its position."""

    def add(self, call: Call, block: Block) -> None:
        """Append the operations of a call to a function's block, whose arguments are the buffers."""
        builder = Builder(InsertPoint.at_end(block))
        values = dict(zip(self._buffers, block.args, strict=True))
        match call.symbol, call.arguments:
            case foreign.FILL_TILE, (data, *_, index, value):
                self._fill(builder, values, self._tile(data, index), value)
            case foreign.LOAD_TILE, (data, _, _, _, index, pointer, _, layout):
                self._load(builder, values, self._tile(data, index), pointer, layout)
            case foreign.STORE_TILE, (data, _, _, _, index, pointer, _, layout):
                self._store(builder, values, self._tile(data, index), pointer, layout)
            case foreign.MULTIPLY_TILES, (d, di, a, ai, b, bi, c, ci):
                tiles = [self._tile(*pair) for pair in ((d, di), (a, ai), (b, bi), (c, ci))]
                self._multiply(builder, values, *tiles)
            case symbol, arguments:
                self._refuse(
                    f"expected calls of {', '.join(MATRIX_CALLS)} with their arguments, but got {symbol} with "
                    f"{len(arguments)}"
                )

    # Statements

    def _fill(self, builder: Builder, values: Values, tile: Buffer, value: Any) -> None:
        if tile.scope != RESULT:
            self._refuse(f"expected to fill a tile of scope {RESULT!r}, but {tile.name!r} lies in {tile.scope!r}")
        number = getattr(value, "value", value)
        if not isinstance(number, (int, float)):
            self._refuse(f"expected a number to fill a tile with, but got {value!r}")
        core = self._core_of_result(tile)
        for row, column in _subtiles(tile, core.rows, core.columns):
            inner, _, group, member = over_lanes(builder)
            constant = arith.ConstantOp(FloatAttr(float(number), f32))
            inner.insert(constant)
            for half in (0, _HALF):
                for pair in (0, 1):
                    index = [group + (row + half), member * 2 + (column + pair)]
                    inner.insert(loop.StoreOp(constant.result, values[tile], index))

    def _load(self, builder: Builder, values: Values, tile: Buffer, pointer: Any, layout: Any) -> None:
        source = self._memory(pointer)
        side = "left" if tile.scope == LEFT else "right"
        if tile.scope not in (LEFT, RIGHT):
            self._refuse(f"expected to load a tile of scope {LEFT!r} or {RIGHT!r}, but got {tile.scope!r}")
        if layout not in ("row_major", "col_major"):
            self._refuse(f"expected a layout row_major or col_major, but got {layout!r}")
        transposed = layout == "col_major"
        core = self._core(tile.dtype)
        self._note(tile, core.scope(side, transposed))
        load = core.load(side, transposed, 2 if side == "right" and self._has_pairs(tile, transposed) else 1)
        if source.scope == "shared" and load is not None and load.body is not None:
            wide = load.arguments[1].type.get_shape()  # pyright: ignore[reportAttributeAccessIssue]
            for origin in _subtiles(tile, *wide):
                self._instance(builder, load.body, [(values[source], origin), (values[tile], origin)])
            return
        lane_elements = core.lane_elements(side, transposed)
        shape = (core.rows, core.terms) if side == "left" else (core.terms, core.columns)
        rows, columns = shape[::-1] if transposed else shape
        for origin in _subtiles(tile, rows, columns):
            _copy_lanes(builder, values[source], values[tile], origin, (rows, columns), lane_elements.grouped == "rows")

    def _has_pairs(self, tile: Buffer, transposed: bool) -> bool:
        """Return whether tiles of 8 columns can be loaded two at a time."""
        columns: Any = tile.shape[-2 if transposed else -1]
        return columns % 16 == 0

    def _store(self, builder: Builder, values: Values, tile: Buffer, pointer: Any, layout: Any) -> None:
        target = self._memory(pointer)
        if tile.scope != RESULT or layout not in ("row_major", "mem_row_major"):
            self._refuse(f"expected to store a tile of scope {RESULT!r} row_major, but got {tile.scope!r} {layout!r}")
        core = self._core_of_result(tile)
        for origin in _subtiles(tile, core.rows, core.columns):
            _copy_lanes(builder, values[tile], values[target], origin, (core.rows, core.columns), True)

    def _multiply(self, builder: Builder, values: Values, d: Buffer, a: Buffer, b: Buffer, c: Buffer) -> None:
        if d is not c or (a.scope, b.scope, d.scope) != (LEFT, RIGHT, RESULT) or a.dtype != b.dtype:
            self._refuse(f"expected a product of tiles of {LEFT!r} and {RIGHT!r} added to one of {RESULT!r}")
        core = self._core(a.dtype)
        self._core_of_result(d)
        turned = self._is_turned(a, reduce_last=True), self._is_turned(b, reduce_last=False)
        self._note(a, core.scope("left", turned[0]))
        self._note(b, core.scope("right", turned[1]))
        update = core.product(*turned).update
        assert update is not None
        terms: Any = a.shape[-2 if turned[0] else -1]
        for row, column in _subtiles(d, core.rows, core.columns):
            for term in range(0, terms, core.terms):
                left = (term, row) if turned[0] else (row, term)
                right = (column, term) if turned[1] else (term, column)
                operands = [(values[a], left), (values[b], right), (values[d], (row, column))]
                self._instance(builder, update, operands)

    # Instances, cores, and the arguments of calls

    def _instance(
        self, builder: Builder, function: FuncOp, operands: Sequence[tuple[SSAValue, tuple[int, int]]]
    ) -> None:
        """Insert the body of a function on parts of buffers."""
        copy = function.clone()
        for argument, (buffer, origin) in zip(copy.body.block.args, operands, strict=True):
            redirect(argument, Operand(buffer, (0, 1), tuple(map(Index.of, origin))))
        for op in list(copy.body.block.ops):
            if not isinstance(op, ReturnOp):
                edit.detach(op)
                builder.insert(op)

    def _core(self, dtype: str) -> TensorCore:
        name = dtype_info(dtype).name
        core = tensor_core(name) if name in ("float16", "bfloat16") else None
        if core is None:
            self._refuse(f"expected tiles of float16 or bfloat16 as operands, but got {name}")
        return core

    def _core_of_result(self, tile: Buffer) -> TensorCore:
        if dtype_info(tile.dtype).name != "float32":
            self._refuse(f"expected tiles of float32 as results, but {tile.name!r} has {tile.dtype}")
        core = self._core("float16")
        self._note(tile, core.result_scope)
        return core

    def _note(self, tile: Buffer, scope: str) -> None:
        self.scopes[self._buffers.index(tile)] = scope

    def _tile(self, data: Any, index: Any) -> Buffer:
        """Return the buffer whose tile a call names by its address and its number, which has to be the first."""
        if not isinstance(data, Pointer) or data.buffer not in self._buffers or data.buffer.scope not in MATRIX_SCOPES:
            self._refuse(f"expected the data of a tile that the intrinsic declares, but got {data!r}")
        if _at_start(index) != 0:
            self._refuse(f"expected the number of the tile that starts at the buffer's elem_offset, but got {index}")
        if len(data.buffer.shape) != 2:
            self._refuse(f"expected tiles of two dimensions, but {data.buffer.name!r} has {len(data.buffer.shape)}")
        return data.buffer

    def _memory(self, pointer: Any) -> Buffer:
        if not isinstance(pointer, Pointer) or pointer.buffer not in self._buffers or any(pointer.offset):
            self._refuse(f"expected the address of a tile in memory, but got {pointer!r}")
        return pointer.buffer

    def _is_turned(self, tile: Buffer, *, reduce_last: bool) -> bool:
        """Return whether the description reads an operand with the reduction along the other dimension."""
        (described,) = blocks_in(self._description)
        argument = self._description.body.block.args[self._buffers.index(tile)]
        reduced = {v for v, kind, _, _ in described.iteration() if kind == "reduce"}
        reads = [op for op in described.walk() if isinstance(op, loop.LoadOp) and op.buffer is argument]
        if not reads:
            self._refuse(f"expected the description to read {tile.name!r}")
        is_last = bool(reduced.intersection(reads[0].index[-1].variables))
        return is_last != reduce_last

    def _refuse(self, message: str) -> NoReturn:
        te_error(MALFORMED, f"tensor intrinsic {self._name!r}: {message}")


def _copy_lanes(
    builder: Builder, source: SSAValue, target: SSAValue, origin: tuple[int, int], shape: tuple[int, int], by_rows: bool
) -> None:
    """Copy a tile: each lane takes pairs of neighbours beside one another."""
    inner, _, group, member = over_lanes(builder)
    along, across = shape if by_rows else shape[::-1]
    for half in range(0, along, _HALF):
        for again in range(0, across, _HALF):
            # Eight groups along the one dimension, four pairs of neighbours along the other.
            pair = loop.ForOp(0, 2, kind=LoopKindAttr.of("vectorized"), name_hint="pair")
            inner.insert(pair)
            body = Builder(InsertPoint.at_end(pair.body.block))
            element = (group + half, member * 2 + Index.of(pair.induction_variable) + again)
            first, second = element if by_rows else element[::-1]
            index = [first + origin[0], second + origin[1]]
            load = loop.LoadOp(source, index)
            body.insert(load)
            body.insert(loop.StoreOp(load.results[0], target, index))


def _subtiles(tile: Buffer, rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the offsets of an instruction's tiles in a tile."""
    height, width = (int(size) for size in tile.shape)  # pyright: ignore[reportArgumentType]
    if height % rows or width % columns:
        te_error(
            MALFORMED,
            f"expected tiles of multiples of {rows} x {columns} in scope {tile.scope!r}, but {tile.name!r} has "
            f"{height} x {width}",
        )
    return [(i, j) for i in range(0, height, rows) for j in range(0, width, columns)]


def _at_start(index: Any) -> Any:
    """Return the value of an index where the tile starts at its buffer's first element; None where it has other
    parts."""
    match index:
        case int():
            return index
        case Var() | Axis():
            return 0 if index is ELEM_OFFSET else None
        case Const():
            return index.value
        case Cast() | Unary():
            return _at_start(index.operand)
        case Binary():
            lhs, rhs = _at_start(index.lhs), _at_start(index.rhs)
            if lhs is None or rhs is None:
                return None
            match index.op:
                case "add":
                    return lhs + rhs
                case "mul":
                    return lhs * rhs
                case "floordiv" | "div" | "truncdiv" if rhs:
                    return lhs // rhs
                case "floormod" | "truncmod" if rhs:
                    return lhs % rhs
                case _:
                    return None
        case Expr():
            return None
        case _:
            return None
