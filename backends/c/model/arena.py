"""C functions that compute the bytes of arena for buffers of open sizes, one for each function with such buffers.

Each replays the allocations of its function for the sizes of the arguments. `used` is the number of bytes of live
buffers, and `most` its maximum so far, called functions included.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ....dialects.loop import AllocOp, ApplyOp, BindOp, ConstantOp, DelinearizeOp, DimOp, ViewOp
from ...written.buffers import dense
from ...written.extents import layout_of_argument
from ...written.text import PRIMARY, Expression
from ..buffers import Buffer
from ..control import passed
from ..function import FunctionWriter
from ..program import CProgram, argument_hint
from ..storage import byte_factors, is_on_heap
from .function import unknown_size, unused_lines

_SIZES = (DimOp, ApplyOp, DelinearizeOp)


class SizeWriter(FunctionWriter):
    """Writes only the operations that the sizes of a function's buffers depend on."""

    def __init__(self, program: CProgram) -> None:
        super().__init__(program.reserved)
        self.interfaces = program.interfaces
        self._known: set[SSAValue] = set()
        """Values that the sizes of the arguments determine."""

    def name(self, value: SSAValue, text: Expression) -> None:
        """Let a text stand for a value: values need no names, each is written wherever it is used."""
        self.variable(value, Expression(f"({text})", PRIMARY))

    def write_function(self, function: func.FuncOp) -> str:
        """Return the text of the function that counts bytes."""
        parameters: list[str] = []
        for argument in function.body.block.args:
            parameters += [f"int64_t {size}" for size in self._add_argument(argument)]
        self.lines.line("int64_t used = 0, most = 0;")
        self._walk(function.body.block)
        self.lines.line("return most;")
        name = bytes_function(self.interfaces[function.sym_name.data].name)
        head = f"static int64_t {name}({', '.join(parameters) or 'void'}) {{"
        return "\n".join([head, *unused_lines(parameters, "\n".join(self.lines.lines)), *self.lines.lines, "}"])

    def _add_argument(self, argument: BlockArgument) -> list[str]:
        name = self.names.fresh(argument_hint(argument), "argument")
        if not isinstance(argument.type, MemRefType):
            return []
        sizes, layout = layout_of_argument(self, argument, name)
        self.add_buffer(argument, Buffer(argument.type, name, *layout, argument))
        return list(sizes.values())

    def _walk(self, block: Block) -> None:
        for op in block.ops:
            if op.regions:
                self._walk_regions(op)
            elif isinstance(op, AllocOp):
                self._allocate(op)
            elif isinstance(op, func.CallOp):
                self._call(op)
            elif isinstance(op, BindOp):
                if op.buffer in self._buffers and self._knows(op):
                    self.write(op)
            elif isinstance(op, (ConstantOp, ViewOp)):
                self.add_buffer(op.res, Buffer(op.res.type, "", *dense(op.res.type, (), self.index), op.res))
            elif self._is_size(op) and self._knows(op):
                self.write(op)
                self._known.update(op.results)

    def _walk_regions(self, op: Operation) -> None:
        if not any(is_on_heap(inner) or isinstance(inner, func.CallOp) for inner in op.walk()):
            return
        for region in op.regions:
            for block in region.blocks:
                outer, self.names = self.names, self.names.inner()
                self.lines.open("")
                self.lines.line("const int64_t outer = used;")
                self._walk(block)
                self.lines.line("used = outer;")
                self.lines.close()
                self.names = outer

    def _knows(self, op: Operation) -> bool:
        """Return if all values of an operation are known; buffers are, once they are bound."""
        return all(v in self._known or v in self._buffers for v in op.operands)

    @staticmethod
    def _is_size(op: Operation) -> bool:
        """Return if an operation computes integers from sizes."""
        if isinstance(op, _SIZES):
            return True
        is_integer = all(isinstance(r.type, (IndexType, IntegerType)) for r in op.results)
        return isinstance(op, arith.ConstantOp) or (op.name.startswith("arith.") and is_integer)

    def _allocate(self, op: AllocOp) -> None:
        known = all(value in self._known for value in op.operands)
        if is_on_heap(op) and not known:
            unknown_size(op, f"buffer '{op.res.name_hint or 'of this operation'}' to be")
        dynamic = [self.index.resolve(e) for e in op.dynamic_sizes] if known else []
        buffer = Buffer(op.res.type, "", *dense(op.res.type, dynamic, self.index), op.res)
        self.add_buffer(op.res, buffer)
        if is_on_heap(op):
            self.lines.line(f"used = tw_plus(used, tw_rounded_bytes({saturating(byte_factors(self, buffer))}));")
            self.lines.line("most = tw_most(most, used);")

    def _call(self, op: func.CallOp) -> None:
        callee = self.interfaces[op.callee.root_reference.data]
        if "top" not in callee.extra:
            return
        if not all(v in self._buffers for v in op.operands if isinstance(v.type, MemRefType)):
            unknown_size(op, "buffers that this call passes to be")
        sizes = [text for v in op.operands if v in self._buffers for text in passed(self, op, v)[1:]]
        called = f"{bytes_function(callee.name)}({', '.join(sizes)})"
        self.lines.line(f"most = tw_most(most, tw_plus(used, {called}));")


def bytes_function(name: str) -> str:
    """Return the name of the function that counts the bytes that a function needs."""
    return f"tw_bytes_{name}"


def saturating(factors: Sequence[str]) -> str:
    """Return a product that is the largest number where that is exceeded."""
    product, *rest = factors
    for factor in rest:
        product = f"tw_times({product}, {factor})"
    return product
