"""The mapping of buffers and their views to cells of the model, and the elements of cells that accesses touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index
from ..integer_set import System
from .byte_arenas import Overlay, Part, element_of, shared_parts, views_of, width_of
from .model import Cell, CellKind
from .program_point import ProgramPoint
from .sizes import Sizes, refuse
from .subscripts import linear, subscripts


@dataclass(frozen=True)
class _Window:
    """A view as a part of a cell: the position of its first element among the cell's, in row-major order."""

    cell: Cell
    offset: Index
    is_whole: bool
    """True if the view has the cell's shape and begins at its first element."""


class Buffers:
    """The cells of a function, each created when the builder first meets its buffer."""

    def __init__(self, function: FuncOp, sizes: Sizes, shapes: Mapping[int, Sequence[int]]) -> None:
        self.cells: list[Cell] = []
        self._sizes = sizes
        self._shapes = shapes
        self._windows: dict[SSAValue, _Window] = {}
        self.overlays: dict[Cell, list[tuple[Cell, Overlay]]] = {}
        """Of a cell the other cells that have bytes in common with it."""
        written = _written_arguments(function)
        for position, argument in enumerate(function.body.block.args):
            if isinstance(argument.type, MemRefType) and not is_workspace(function, position):
                self._argument(function, position, argument, argument in written)

    def _argument(self, function: FuncOp, position: int, argument: BlockArgument, is_written: bool) -> None:
        shape = self._sizes.shape(argument)
        assert shape is not None
        element = element_of(argument)
        seen = tuple(map(Index.of, self._shapes[position])) if position in self._shapes else shape
        marks = is_output(function, position)
        cell = self._new("argument", element, seen, argument, argument=position, is_output=is_written or marks)
        self._windows[argument] = _Window(cell, Index.of(0), seen == shape)

    def _new(
        self,
        kind: CellKind,
        type: Attribute,
        shape: Sequence[Index],
        value: SSAValue,
        *,
        argument: int | None = None,
        data: Attribute | None = None,
        is_output: bool = False,
        point: ProgramPoint | None = None,
    ) -> Cell:
        op = value.owner if isinstance(value.owner, Operation) else None
        name = value.name_hint or f"argument {argument}"
        around, made_at = ((), ()) if point is None else (point.variables, point.time)
        number = len(self.cells)
        cell = Cell(number, kind, type, tuple(shape), name, op, argument, data, is_output, around, made_at)
        self.cells.append(cell)
        return cell

    def condition(self, op: Operation, at: ProgramPoint) -> Cell:
        """Return the cell of the truth value of a condition on data."""
        cell = Cell(len(self.cells), "condition", i1, (), "condition", op, around=at.variables, made_at=at.time)
        self.cells.append(cell)
        return cell

    def scalar(self, argument: BlockArgument, position: int) -> Cell:
        """Return the cell of an argument that is a number."""
        return self._new("argument", argument.type, (), argument, argument=position)

    def carried(self, type: Attribute, lanes: int | None, value: SSAValue, point: ProgramPoint) -> Cell:
        """Return the cell of a value that a loop at a program point carries."""
        return self._new("carried", type, () if lanes is None else (Index.of(lanes),), value, point=point)

    def allocated(self, buffer: SSAValue, point: ProgramPoint, op: Operation) -> list[Cell]:
        """Return the cells of memory that begins undefined: one, or where it is a stretch of bytes, those that views
        share."""
        shape = self._sizes.shape(buffer)
        if shape is None:
            refuse(op, "a buffer's size is no affine expression of sizes")
        if not _is_arena(buffer):
            cell = self._new("allocation", element_of(buffer), shape, buffer, point=point)
            self._windows[buffer] = _Window(cell, Index.of(0), True)
            return [cell]
        return [cell for parts in shared_parts(views_of(buffer)) for cell in self._shared(parts, point)]

    def _shared(self, parts: Sequence[Part], point: ProgramPoint) -> list[Cell]:
        """Return the cells of parts that overlap."""
        cells: list[Cell] = []
        for part in parts:
            shapes = {self._sizes.shape(v.op.res) for v in part.views}
            is_whole = len(parts) == len(shapes) == 1 and not any(map(part.first, part.views))
            shape = shapes.pop() if is_whole else (Index.of(part.count),)
            assert shape is not None
            cells.append(cell := self._new("allocation", part.type, shape, part.views[0].op.res, point=point))
            for view in part.views:
                self._windows[view.op.res] = _Window(cell, Index.of(part.first(view)), is_whole)
        for cell, part in zip(cells, parts, strict=True):
            others = [(o, Overlay(part, q)) for o, q in zip(cells, parts, strict=True) if o is not cell]
            self.overlays[cell] = others
        return cells

    # Accesses

    def locate(
        self, buffer: SSAValue, index: Sequence[Index], domain: Sequence[System], op: Operation
    ) -> tuple[Cell, tuple[Index, ...]]:
        """Return the element of a cell that an access touches, for instances in a domain."""
        window = self._window(buffer, op)
        if window.is_whole:
            return window.cell, tuple(index)
        position = window.offset + linear(index, self._row_extents(self._sizes.shape(buffer), op))
        if not window.cell.shape:
            if position != Index.of(0):
                refuse(op, "a view of a buffer without dimensions is accessed at another index than its only element")
            return window.cell, ()
        return window.cell, subscripts(position, self._row_extents(window.cell.shape, op), domain)

    def _row_extents(self, shape: Sequence[Index] | None, op: Operation) -> list[int]:
        if shape is None or not all(n.is_constant for n in shape[1:]):
            refuse(op, "a view changes a shape of symbolic extents")
        return [n.constant for n in shape[1:]]

    def _window(self, buffer: SSAValue, op: Operation) -> _Window:
        if buffer not in self._windows:
            match buffer.owner:
                case loop.ConstantOp() as made:
                    shape = self._sizes.shape(buffer)
                    assert shape is not None
                    cell = self._new("constant", element_of(buffer), shape, buffer, data=made.value)
                    self._windows[buffer] = _Window(cell, Index.of(0), True)
                case loop.ViewOp() as made:
                    self._windows[buffer] = self._view(made)
                case _:
                    refuse(op, "a buffer is no argument, allocation, constant or view")
        return self._windows[buffer]

    def _view(self, op: loop.ViewOp) -> _Window:
        base = self._window(op.buffer, op)
        if element_of(op.res) != base.cell.type:
            refuse(op, f"a view takes elements of {base.cell.type} for {element_of(op.res)}")
        size, offset = width_of(element_of(op.res)), self._sizes.index(op.byte_offset, op)
        if any(c % size for _, c in offset.terms) or offset.constant % size:
            refuse(op, "a view begins within an element")
        first = base.offset + Index.sum([(a, c // size) for a, c in offset.terms], offset.constant // size)
        is_whole = first == Index.of(0) and self._sizes.shape(op.res) == base.cell.shape
        return _Window(base.cell, first, is_whole)


def _is_arena(buffer: SSAValue) -> bool:
    """Return whether a view of the buffer, or a view of such a view, has another element type."""
    views = [use.operation for use in buffer.uses if isinstance(use.operation, loop.ViewOp)]
    return any(element_of(v.res) != element_of(buffer) or _is_arena(v.res) for v in views)


def is_workspace(function: FuncOp, argument: int) -> bool:
    """Return whether an argument is a workspace: memory from the caller whose content does not matter before or
    after."""
    return _has_mark(function, argument, "tw.workspace")


def is_output(function: FuncOp, argument: int) -> bool:
    """Return whether an argument is a buffer that the function is called to fill."""
    return _has_mark(function, argument, "tw.output")


def _has_mark(function: FuncOp, argument: int, mark: str) -> bool:
    return function.arg_attrs is not None and mark in function.arg_attrs.data[argument].data


def _written_arguments(function: FuncOp) -> set[SSAValue]:
    found: set[SSAValue] = set()
    for op in function.walk():
        if isinstance(op, loop.StoreOp):
            buffer = op.buffer
            while isinstance(owner := buffer.owner, loop.ViewOp):
                buffer = owner.buffer
            found.add(buffer)
    return found
