"""The scope of a random loop program: buffers, sizes, values, and the part of a buffer that an iteration accesses."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from tilewright.dialects import loop
from tilewright.dialects.index_expr import Index
from tilewright.dialects.loop.storage import DOUBLE_BUFFER, Alignment, set_alignments
from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, MemRefType, UnitAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from .affine import Affine, Shape
from .draw import Draw
from .scalars import UNSIGNED, Scalars, spread, width_of


@dataclass(frozen=True)
class Buffer:
    """A buffer that holds values everywhere; a leaf is never written."""

    value: SSAValue
    shape: Shape
    is_leaf: bool = False
    root: SSAValue | None = None
    """The buffer that a view looks into."""

    @property
    def type(self) -> MemRefType:
        assert isinstance(self.value.type, MemRefType)
        return self.value.type

    @property
    def element(self) -> Attribute:
        return self.type.element_type

    @property
    def is_static(self) -> bool:
        return all(e.is_constant for e in self.shape)

    @property
    def storage(self) -> SSAValue:
        return self.root or self.value


class Access(NamedTuple):
    """An element of a buffer, or one for each lane."""

    buffer: Buffer
    indices: list[Index]
    guard: list[Index]
    lanes: int | None


class Scope:
    """Appends to the block where `scalars` stands; accesses keep to what iterations of parallel loops own."""

    def __init__(self, draw: Draw, *, smooth: bool) -> None:
        self.draw = draw
        self.smooth = smooth
        self.scalars = Scalars(draw, smooth=smooth)
        self.affine = Affine(draw)
        self.buffers: list[Buffer] = []
        self.sizes: list[Index] = []
        self.owned: dict[SSAValue, dict[int, Index]] | None = None
        """In parallel loops: the storage that may be written, and its indices that are the iteration's own."""

        self.recent: list[Access] = []
        """Elements that were accessed: those that are accessed again tell whether order is kept."""

    def add(self, op: Operation) -> Operation:
        self.scalars.block.add_op(op)
        return op

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Append to `block`, and forget what is defined in it afterwards."""
        variables, buffers, recent = len(self.affine.variables), len(self.buffers), len(self.recent)
        with self.scalars.inside(block):
            yield
        self.affine.leave(variables)
        del self.buffers[buffers:]
        del self.recent[recent:]

    @contextmanager
    def owning(self, owned: dict[SSAValue, dict[int, Index]]) -> Generator[None]:
        """Keep to elements of the iteration's own inside of a parallel loop."""
        outer = self.owned, self.recent
        self.owned, self.recent = owned, []
        yield
        self.owned, self.recent = outer

    # Buffers

    def type_of(self, element: Attribute, shape: Shape, scope: str | None = None) -> MemRefType:
        sizes = [e.constant if e.is_constant else DYNAMIC_INDEX for e in shape]
        return loop.buffer_type(sizes, element, scope or loop.GLOBAL)

    def allocate(self, element: Attribute, shape: Shape, scope: str | None = None) -> Buffer:
        """Allocate a buffer that is filled at once."""
        dynamic = [e for e in shape if not e.is_constant]
        op = loop.AllocOp(self.type_of(element, shape, scope), dynamic, name_hint=self.draw.name("t"))
        annotate(self.draw, op)
        self.add(op)
        buffer = Buffer(op.res, shape)
        self.fill(buffer)
        if self.owned is not None:
            self.owned[op.res] = {}
        self.buffers.append(buffer)
        return buffer

    def fill(self, buffer: Buffer) -> None:
        """Add loops that write every element."""
        value = self.scalars.operand(buffer.element)
        outer = self.scalars.block
        variables: list[SSAValue] = []
        for extent in buffer.shape:
            kind = loop.VECTORIZED if extent.is_constant and self.draw.chance(0.1) else loop.SERIAL
            made = loop.ForOp(0, extent, name_hint=self.draw.name("f"), kind=kind)
            outer.add_op(made)
            outer = made.body.block
            variables.append(made.induction_variable)
        outer.add_op(loop.StoreOp(value, buffer.value, variables))

    def shape(self) -> Shape:
        draw = self.draw
        extents = [Index.of(draw.extent()) for _ in range(draw.one_of((1, 1, 1, 2, 2, 3)))]
        if self.sizes and draw.chance(0.25):
            extents[draw.between(0, len(extents) - 1)] = draw.one_of(self.sizes)
        return tuple(extents)

    def writable(self) -> list[Buffer]:
        known = [b for b in self.buffers if not b.is_leaf and not isinstance(b.element, IndexType)]
        return known if self.owned is None else [b for b in known if b.root is None and b.value in self.owned]

    def readable(self) -> list[Buffer]:
        """Return all buffers, but no view of what other iterations write."""
        if self.owned is None:
            return self.buffers
        return [b for b in self.buffers if b.root is None or b.root not in self.owned]

    def private_index(self, buffer: Buffer) -> dict[int, Index]:
        return {} if self.owned is None else self.owned.get(buffer.storage, {})

    # Accesses

    def load(self, buffer: Buffer | None = None, lanes: int | None = None) -> SSAValue | None:
        known = self.readable()
        if buffer is None and not known:
            return None
        buffer, indices, guard, _ = self._access(buffer, known, lanes)
        otherwise = self.scalars.operand(buffer.element) if guard else None
        op = loop.LoadOp(buffer.value, indices, guard, otherwise, lanes)
        leaf = buffer.is_leaf and (otherwise is None or otherwise in self.scalars.leaves)
        result = self.scalars.emit(op, leaf=leaf)
        if buffer.element in UNSIGNED and lanes is None:
            result = self.scalars.derive(arith.BitcastOp(result, IntegerType(width_of(buffer.element))))
        return result

    def store(self, buffer: Buffer | None = None, lanes: int | None = None, value: SSAValue | None = None) -> None:
        known = self.writable()
        if buffer is None and not known:
            return
        buffer, indices, guard, _ = self._access(buffer, known, lanes)
        if value is None:
            type_ = spread(buffer.element, lanes)
            value = self.scalars.conclude(type_) if self.draw.chance(0.9) else self.scalars.of_type(type_)
        self.add(loop.StoreOp(value, buffer.value, indices, guard))

    def _access(self, buffer: Buffer | None, known: Sequence[Buffer], lanes: int | None) -> Access:
        """Return an element to access, often one that was accessed before."""
        again = [p for p in self.recent if p.lanes == lanes and (p.buffer is buffer if buffer else p.buffer in known)]
        if again and self.draw.chance(0.45):
            return self.draw.one_of(again[-4:])
        buffer = buffer or self.draw.one_of(known)
        indices, guard = self.affine.inside(buffer.shape, lane=lanes, fixed=self.private_index(buffer))
        if self.draw.chance(0.1):
            guard += self.affine.conditions(lane=lanes, sizes=self.sizes)
        access = Access(buffer, indices, guard, lanes)
        self.recent.append(access)
        return access

    # Loops

    def enter(self, op: loop.ForOp, lowers: Sequence[Index], uppers: Sequence[Index]) -> None:
        """Know the range of a loop's variable."""
        ranges = self.affine.ranges
        lows = [low for e in lowers if (low := e.bounds(ranges)[0]) is not None]
        highs = [high - 1 for e in uppers if (high := e.bounds(ranges)[1]) is not None]
        limit = uppers[0] if uppers[0] in self.sizes and lowers[0] == Index.of(0) else None
        self.affine.enter(op.induction_variable, (max(lows, default=None), min(highs, default=None)), limit)


def annotate(draw: Draw, op: loop.AllocOp) -> None:
    """Ask for strides or for two copies of a buffer."""
    if draw.chance(0.1) and op.res.type.get_num_dims() > 1:
        factor = draw.one_of((4, 8, 16))
        set_alignments(op, (Alignment(draw.between(0, op.res.type.get_num_dims() - 1), factor, draw.between(0, 3)),))
    if draw.chance(0.1):
        op.attributes[DOUBLE_BUFFER] = UnitAttr()
