"""Pass `block-channels`: layouts of images with blocks of channels as long as a vector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics.remarks import remark
from ...dialects import graph
from ...dialects.dtypes import numpy_dtype
from ...dialects.graph.structure import unfused_blocks
from ...dialects.target import CpuTargetAttr, target_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...operators import OPERATORS, get_operator
from ...operators.record import FusionKind
from ...schedule.decisions import decide
from ..framework.base import Level, Pass
from ..framework.tuning_records import decides_by_records
from ..shared.channel_scaling import derived
from ..shared.operator_key import operator_key

NARROWEST = 4
"""The fewest channels that make a block: with fewer, vectors along rows of pixels are better."""


@dataclass(frozen=True)
class BlockChannelsPass(Pass):
    """Put the channels of images into blocks as long as a vector, from the first convolution to other operators.

    ```mlir
    %c = graph.conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x64x56x56xf32>
    %r = graph.relu %c : tensor<1x64x56x56xf32>
    ```
    becomes, where vectors have eight elements and `%w` is a constant,
    ```mlir
    %c = graph.blocked_conv2d %x, %packed padding [1, 1, 1, 1] : tensor<1x8x56x56x8xf32>
    %d = graph.relu %c : tensor<1x8x56x56x8xf32>
    %r = graph.unblock_channels %d : tensor<1x64x56x56xf32>
    ```
    Convolutions introduce blocks, and the pass packs their weights. The first convolution reads the image in its
    layout. Operators that read blocks compute on blocks if their records support it, so that conversions remain at the
    edges of a network only. There may be any number of images, of any height and width. Channels whose number is no
    multiple of a vector or half a vector stay; but a convolution whose channels nearly fill whole vectors is padded
    with channels of zeros.
    Bytes are multiplied as words of four channels; blocks have as many channels as a vector has sums. Needs constants
    to be folded, and a module with `tw.target`.
    """

    name = "block-channels"
    phase = 0
    levels = (Level.GRAPH,)
    opt_level = 2
    asks_target = True
    reassociates = True

    @decides_by_records
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is None or target.core is None or not target.prefers_blocked_channels:
            return
        for block in unfused_blocks(op):
            _Rewriting(target.core, block).run()


@dataclass
class _Rewriting:
    """Rewrites the operators of one block of code in order. The records of operators see it through `Blocks`."""

    target: CpuTargetAttr
    block: Block
    forms: dict[SSAValue, dict[int, SSAValue]] = field(default_factory=lambda: dict[SSAValue, dict[int, SSAValue]]())
    """NCHW image -> the same image in blocks, by block size; the first entry is the computed form."""
    rewritten: dict[Operation, None] = field(default_factory=lambda: dict[Operation, None]())
    at: Operation | None = None
    """The operator that is being written."""

    def run(self) -> None:
        for op in list(self.block.ops):
            name = op.name.removeprefix("graph.")
            if isinstance(op, graph.GraphOp) and name in OPERATORS and get_operator(name).in_blocks is not None:
                self._rewrite(op)
        for op in self.rewritten:
            self._read_plainly(op.results[0])
        for op in reversed(self.rewritten):
            edit.erase(op)

    def _rewrite(self, op: graph.GraphOp) -> None:
        record = get_operator(op.name.removeprefix("graph."))
        assert record.in_blocks is not None
        self.at, before = op, op.prev_op
        new = record.in_blocks(op, self)
        if isinstance(new, str):
            if record.kind is FusionKind.OUT_ELEMENTWISE or any(map(self.size_of, op.operands)):
                remark("TW0759", f"{op.name} is not computed on blocks of channels: {new}", op=op)
            return
        self.insert(new)
        if not may_rewrite("block channels of", op) or not _is_decided(op, record.kind):
            self._undo(op, before)
            return
        image = new.results[0]
        size = graph.shape_of(image)[-1]
        assert isinstance(size, int)
        edit.rename(image, op.results[0].name_hint)
        self.forms.setdefault(op.results[0], {})[size] = image
        self.rewritten[op] = None
        remark("TW0758", f"{op.name} is computed on blocks of {size} channels", op=op, kind="passed")

    def _undo(self, op: Operation, before: Operation | None) -> None:
        """Remove the operations that were inserted in front of `op` since `before`."""
        while (last := op.prev_op) is not before:
            assert last is not None
            for forms in self.forms.values():
                for size in [size for size, value in forms.items() if value.owner is last]:
                    del forms[size]
            edit.erase(last)

    def _read_plainly(self, image: SSAValue) -> None:
        """Let those that read the NCHW image, and have no form for blocks, take it out of them."""
        uses = [use for use in image.uses if use.operation not in self.rewritten]
        if uses:
            after = next(iter(self.forms[image].values())).owner
            assert isinstance(after, Operation)
            self.at = after.next_op
            plain = self._plain(image)
            for use in uses:
                edit.change(use.operation).operands[use.index] = plain

    # The interface for the records of operators

    def size_for(self, channels: int, element: Attribute) -> int | None:
        assert isinstance(self.at, graph.GraphOp)
        sizes = block_sizes(channels, self.lanes(element))
        default = next(iter(sizes), None)
        return decide("block_size", sizes, default, block=operator_key(self.at), changes_sums=True)

    def lanes(self, element: Attribute) -> int:
        return self.target.lanes(numpy_dtype(element).itemsize * 8)

    def summed_bytes(self) -> str | None:
        return self.target.summed_bytes

    def sums_bytes(self) -> bool:
        return self.target.sums_bytes

    def size_of(self, value: SSAValue, filled: bool = False) -> int | None:
        for size, image in self.forms.get(value, {}).items():
            return size if filled or _channels(image) == graph.shape_of(value)[1] else None
        return None

    def image(self, value: SSAValue, size: int) -> SSAValue:
        forms = self.forms.setdefault(value, {})
        if size not in forms:
            source = self._plain(value) if forms else value
            remark("TW0760", f"an image is put into blocks of {size} channels here", op=self.at, kind="analysis")
            forms[size] = self.insert(_put_into_blocks(source, size))
            edit.rename(forms[size], value.name_hint)
        return forms[size]

    def insert(self, op: graph.GraphOp) -> SSAValue:
        assert self.at is not None
        edit.insert(op, InsertPoint.before(self.at), of=self.at)
        return op.results[0]

    def constant(self, array: np.ndarray, source: graph.ConstantOp) -> SSAValue:
        return self.insert(derived(array, source, array.dtype))

    def _plain(self, image: SSAValue) -> SSAValue:
        """Convert an image that was computed in blocks to NCHW."""
        remark("TW0760", "an image is taken out of blocks of channels here", op=self.at, kind="analysis")
        source = next(iter(self.forms[image].values()))
        plain = self.insert(_take_out_of_blocks(source))
        if (shape := graph.shape_of(image)) != graph.shape_of(plain):
            whole: dict[str, Any] = {"starts": [0, 0, 0, 0], "sizes": [-1, shape[1], -1, -1], "steps": [1, 1, 1, 1]}
            plain = self.insert(graph.SliceOp.of(plain, **whole))
        edit.rename(plain, image.name_hint)
        return plain


def _is_decided(op: graph.GraphOp, kind: FusionKind) -> bool:
    """Return whether an operator is to be computed on blocks. Operators that request none follow their operands."""
    if kind is not FusionKind.OUT_ELEMENTWISE:
        return True
    return decide("block_channels", (False, True), True, block=operator_key(op), changes_sums=True)


def block_size(channels: int, lanes: int) -> int | None:
    """Return the lanes of a vector or half of them, whichever divides the channels; None where neither does."""
    return next(iter(block_sizes(channels, lanes)), None)


def block_sizes(channels: int, lanes: int) -> list[int]:
    """Return the lanes of a vector and half of them, as far as they divide the channels."""
    return [n for n in (lanes, lanes // 2) if n >= NARROWEST and channels % n == 0]


def _put_into_blocks(image: SSAValue, size: int) -> graph.GraphOp:
    """Put an image into blocks of channels. One pixel is a vector of its channels already."""
    batch, channels, *sizes = graph.shape_of(image)
    if _is_one_pixel(sizes) and isinstance(channels, int):
        return graph.ReshapeOp.of(image, shape=(_batch(batch), channels // size, 1, 1, size))
    return graph.BlockChannelsOp.of(image, size=size)


def _take_out_of_blocks(image: SSAValue) -> graph.GraphOp:
    batch, blocks, *sizes, size = graph.shape_of(image)
    if _is_one_pixel(sizes) and isinstance(blocks, int) and isinstance(size, int):
        return graph.ReshapeOp.of(image, shape=(_batch(batch), blocks * size, 1, 1))
    return graph.UnblockChannelsOp.of(image)


def _batch(images: graph.Dim) -> int:
    """Return the number of images as a size of a reshape, which infers one that is open."""
    return images if isinstance(images, int) else -1


def _channels(image: SSAValue) -> int:
    """Return the number of channels of an image in blocks, with those that fill the last one up."""
    _, blocks, *_, size = graph.shape_of(image)
    assert isinstance(blocks, int) and isinstance(size, int)
    return blocks * size


def _is_one_pixel(sizes: Sequence[graph.Dim]) -> bool:
    return all(size == 1 for size in sizes)
