"""Views of the scheduled module, its text, and copies."""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from ..diagnostics import TilewrightError
from ..dialects import loop
from ..dialects.ir_module import IRModule
from .engine import Engine
from .handles import BlockRV, LoopRV
from .refusal import loop_name
from .validation import CallProofs


class ViewMethods(Engine):
    """The module, its text, and copies."""

    @property
    def mod(self) -> IRModule:
        """The module as it is; for a function that stands in no module, one that holds a copy of it."""
        root = self._root()
        return IRModule(root) if isinstance(root, ModuleOp) else IRModule({self.func.sym_name.data: self.func})

    def show(self) -> None:
        """Print the module."""
        print(self.mod.script())

    @property
    def func_working_on(self) -> str:
        """The name of the function that is transformed."""
        return self.func.sym_name.data

    def get(self, handle: BlockRV | LoopRV) -> loop.BlockOp | loop.ForOp:
        """Return the operation behind a handle. Raises TilewrightError TW0404 where a primitive has replaced it."""
        return self.block_or_loop(handle)

    def remove_rv(self, handle: BlockRV | LoopRV) -> None:
        """Forget a handle: each further use of it is refused. The program stays as it is."""
        self.block_or_loop(handle)
        self.forget(handle)

    def can_decompose_padding(self, block: BlockRV, loop: LoopRV) -> bool:
        """Return whether `decompose_padding` takes this block and this loop; tries it on a copy."""
        from .primitives.decompose_padding import decompose_padding

        try:
            decompose_padding(self.copy(), block, loop)
        except TilewrightError:
            return False
        return True

    def copy(self) -> Self:
        """Return a schedule of a copy of the module, with the trace so far; handles are good for both."""
        root = self._root()
        clone = root.clone()
        copies = dict(zip(root.walk(), clone.walk(), strict=True))
        function = copies[self.func]
        fresh = type(self)(function)  # pyright: ignore[reportArgumentType]
        fresh.trace = type(self.trace)(self.trace.instructions)
        fresh.algebra = self.algebra
        fresh.proofs = None if self.proofs is None else CallProofs(self.proofs.budget, list(self.proofs.calls))
        fresh._ops = {handle: copies[op] for handle, op in self._ops.items() if op in copies}
        fresh._retired = {**{handle: "removed" for handle in self._ops if handle not in fresh._ops}, **self._retired}
        fresh._counts = dict(self._counts)
        return fresh

    def __repr__(self) -> str:
        """Return the loops and blocks of the function, indented as they are nested."""
        return "\n".join([f"Schedule of @{self.func.sym_name.data}", *_outline(self.func.body.block, 1)])

    def _root(self) -> Operation:
        root: Operation = self.func
        while (parent := root.parent_op()) is not None:
            root = parent
        return root


def _outline(body: Block, depth: int) -> list[str]:
    lines: list[str] = []
    for op in body.ops:
        heading = _heading(op)
        lines += [f"{'  ' * depth}{heading}"] if heading else []
        inner = depth + 1 if heading else depth
        lines += [line for region in op.regions for block in region.blocks for line in _outline(block, inner)]
    return lines


def _heading(op: Operation) -> str | None:
    match op:
        case loop.ForOp():
            lower, upper = ("max", op.lowers), ("min", op.uppers)
            bounds = [str(e[0]) if len(e) == 1 else f"{f}({', '.join(map(str, e))})" for f, e in (lower, upper)]
            kind = (
                "" if op.kind == loop.SERIAL else f" {op.kind.kind.data}{op.kind.tag.data and f' {op.kind.tag.data}'}"
            )
            return f"for {loop_name(op)} = {bounds[0]} to {bounds[1]}{kind}"
        case loop.BlockOp():
            return f'block "{op.label}"'
        case _:
            return None
