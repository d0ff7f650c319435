"""Functions that copy a buffer, created after the other functions were lowered."""

from __future__ import annotations

from math import prod

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, MemRefType, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Block, Region

from ....dialects.index_expr import Index
from ....dialects.loop import buffer_type
from ....ir import editor as edit
from ...framework.context import PassContext
from ...shared.nests.compute_nest import build_copy


class Copies:
    """The copying functions of a module, one for each type."""

    def __init__(self, ctx: Context, module: ModuleOp, before: str) -> None:
        """Make copies for `before`, the pass of phase 1 that asks for them: they go through the passes that stand
        before it."""
        self.ctx = ctx
        self.module = module
        self.before = before
        self._functions: dict[MemRefType, func.FuncOp] = {}

    def function(self, buffer: MemRefType) -> func.FuncOp:
        """Return the private function that copies a buffer of one dimension, with the elements of `buffer`, to its
        second argument."""
        type_ = buffer_type([prod(buffer.get_shape())], buffer.element_type)
        if type_ not in self._functions:
            self._functions[type_] = self._make(type_)
        return self._functions[type_]

    def _make(self, type_: MemRefType) -> func.FuncOp:
        block = Block(arg_types=[type_, type_])
        source, target = block.args
        edit.rename(source, "part")
        edit.rename(target, "slice")
        nest = build_copy("copy", [Index.of(n) for n in type_.get_shape()], source, target)
        edit.append(block, nest, func.ReturnOp())
        attributes = ArrayAttr([DictionaryAttr({}), DictionaryAttr({"tw.output": UnitAttr()})])
        types = ([type_, type_], [])
        function = func.FuncOp(self._name(), types, Region(block), StringAttr("private"), arg_attrs=attributes)
        alone = ModuleOp([function], dict(self.module.attributes))
        self._lower(alone)
        lowered = alone.body.block.first_op
        assert isinstance(lowered, func.FuncOp)
        edit.append(self.module.body.block, edit.detach(lowered))
        return lowered

    def _lower(self, module: ModuleOp) -> None:
        """Schedule and lower a function as those beside it were."""
        from ...framework.registry import parse_pipeline
        from ...pipeline import PHASES

        late = PHASES[0][PHASES[0].index("auto-schedule") :]
        names = [*late, *PHASES[1][: PHASES[1].index(self.before)]]
        for pass_ in parse_pipeline(",".join(names)):
            if PassContext.current().enabled(pass_):
                pass_.apply(self.ctx, module)

    def _name(self) -> str:
        taken = {op.sym_name.data for op in self.module.ops if isinstance(op, func.FuncOp)}
        count = 0
        while (name := f"copy_{count}" if count else "copy") in taken:
            count += 1
        return name
