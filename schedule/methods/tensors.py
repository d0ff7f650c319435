"""Blocks over tiles, tensor intrinsics in place of them, and the foreign code that these call."""

from __future__ import annotations

from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..primitives.blockize import blockize
from ..primitives.import_foreign import import_foreign
from ..primitives.tensorize import tensorize, tensorize_block
from ..recording import recorded
from ..tensor_intrinsics import TensorIntrin, known_name


class TensorMethods(Engine):
    """blockize and tensorize."""

    @recorded
    def blockize(self, loop: LoopRV) -> BlockRV:
        """Make one block over tiles of the nest under a loop; returns it."""
        return self._handle(blockize(self.loop(loop)))

    @recorded
    def tensorize(self, block_or_loop: BlockRV | LoopRV, tensor_intrin: str | TensorIntrin) -> BlockRV:
        """Replace the nest under a loop, or in a block over tiles, by a tensor intrinsic; returns the block over tiles.

        The intrinsic is given by its name (`TensorIntrin.register`) or as `te.decl_tensor_intrin` returned it; the
        trace has its name.
        """
        name = known_name(tensor_intrin) if isinstance(tensor_intrin, TensorIntrin) else tensor_intrin
        intrin = TensorIntrin.get(name)
        if isinstance(block_or_loop, BlockRV):
            outer = self.block(block_or_loop)
            tensorize_block(outer, intrin)
        else:
            op = self.loop(block_or_loop)
            outer = tensorize(op, intrin)
            self._retire(op, "tensorized")
        self._used(reassociates="reduce" in intrin.block.kinds)
        return self._handle(outer)

    @recorded
    def import_foreign(self, language: str, code: str) -> None:
        """Give the function foreign code for its calls: "c" source, or the text of an "llvm" module."""
        import_foreign(self.func, language, code)
