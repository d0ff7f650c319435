"""`te.hybrid`: scripts as definitions of tensors, and schedules as scripts that are saved to files.

C = outer_product(A, B)                              # a function with @te.hybrid.script
module = te.hybrid.build(te.create_schedule(C.op), [A, B], [C])
module.save("kernel.py")
D = te.hybrid.HybridModule(path="kernel.py")(A, B)   # a tensor, computed by the loops of the file
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.builder import Builder
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

from ..diagnostics import fail
from ..dialects import loop
from ..dialects.dtypes import dtype_name, numpy_dtype
from ..dialects.index_expr import Index
from ..dialects.ir_module import Function
from ..dialects.names import ORDER_ATTRIBUTE
from ..driver import build as build_program
from ..driver import lower
from ..frontends.hybrid.definition import is_symbolic, script
from ..frontends.hybrid.sizes import size_of
from ..frontends.tvmscript import from_source
from ..te.expr import Var
from ..te.external import extern
from ..te.shapes import Size
from ..te.tensor import Tensor
from . import hybrid_runtime as runtime

__all__ = ["HybridModule", "build", "runtime", "script"]
__path__: list[str] = []  # `te.hybrid.runtime` is imported below this module

BAD_CALL = "TW0313"
_OUTPUT = "tw.output"


class HybridModule:
    """The loops of a schedule as a script: text that can be saved, and called with tensors or with arrays.

    The text is TVMScript. Called with tensors, the module returns the tensors that the script defines; called with
    arrays, it is compiled and returns arrays.
    """

    def __init__(self, source: str | None = None, name: str | None = None, *, path: str | Path | None = None) -> None:
        self.source = source or ""
        self._function: FuncOp | None = None
        self._program: Any = None
        if path is not None:
            self.load(path)
        elif source is not None:
            self._read(name or "<hybrid>")

    @property
    def name(self) -> str:
        """The name of the function."""
        return self._loops().sym_name.data

    def get_source(self) -> str:
        return self.source

    def save(self, path: str | Path) -> None:
        """Write the text to a file."""
        Path(path).write_text(self.source, encoding="utf-8")

    def load(self, path: str | Path) -> None:
        """Read the text of a file. Raises TilewrightError TW0310 to TW0314 for a text that is no script."""
        self.source = Path(path).read_text(encoding="utf-8")
        self._read(str(path))

    def _read(self, name: str) -> None:
        read = from_source(self.source, name=name)
        self._function = (read if isinstance(read, Function) else next(iter(read.functions.values()))).op
        self._program = None

    def _loops(self) -> FuncOp:
        if self._function is None:
            fail(BAD_CALL, "expected a script in this module, but it is empty", help="load one from a file")
        return self._function

    def __call__(self, *arguments: Any) -> Any:
        given = [a for a in arguments if not isinstance(a, (Var, int))]
        if any(map(is_symbolic, arguments)):
            return self._define(given)
        if self._program is None:
            function = self._loops().clone()
            function.attributes.pop(ORDER_ATTRIBUTE, None)  # sizes are found in the arrays
            self._program = build_program(ModuleOp([function]))
        given = [np.asarray(value) for value in given]
        _, outputs, shapes, dtypes = self._results(given)
        made = [np.zeros(shape, numpy_dtype(dtype)) for shape, dtype in zip(shapes, dtypes, strict=True)]
        self._program(*given, *made)  # elements that the script does not write are zero
        return made[0] if len(outputs) == 1 else made

    def _results(self, given: Sequence[Any]) -> tuple[Sequence[SSAValue], Sequence[SSAValue], list[Any], list[str]]:
        """Return the buffers of arguments and of results, and the shapes and types of the results for these
        arguments."""
        function = self._loops()
        buffers = list(function.body.block.args)
        attributes = list(function.arg_attrs.data) if function.arg_attrs is not None else []
        outputs = [b for b, a in zip(buffers, attributes, strict=True) if _OUTPUT in a.data]
        inputs = [b for b in buffers if b not in outputs]
        for value, buffer in zip(given, inputs, strict=False):
            _check_argument(value, buffer)
        if len(given) != len(inputs):
            fail(BAD_CALL, f"expected {len(inputs)} tensors as arguments of '{self.name}', but got {len(given)}")
        shapes = [_shape(function, buffer, dict(zip(inputs, given, strict=True))) for buffer in outputs]
        return inputs, outputs, shapes, [dtype_name(_type(buffer).element_type) for buffer in outputs]

    def _define(self, tensors: Sequence[Any]) -> Any:
        function = self._loops()
        inputs, outputs, shapes, dtypes = self._results(tensors)

        def emit(builder: Builder, *values: SSAValue) -> None:
            known: dict[SSAValue, SSAValue] = dict(zip((*inputs, *outputs), values, strict=True))
            for op in function.body.block.ops:
                if not isinstance(op, (ReturnOp, loop.BindOp)):
                    builder.insert(op.clone(known))

        made = extern([list(s) for s in shapes], list(tensors), lambda ins, outs: emit, name=self.name, dtype=dtypes)
        return made[0] if len(made) == 1 else made


def _type(buffer: SSAValue) -> MemRefType:
    assert isinstance(buffer.type, MemRefType)
    return buffer.type


def _check_argument(tensor: Any, buffer: SSAValue) -> None:
    type_ = _type(buffer)
    fits = isinstance(tensor, (Tensor, np.ndarray)) and str(tensor.dtype) == dtype_name(type_.element_type)
    shape = tensor.shape if fits else ()
    if len(shape) != type_.get_num_dims() or any(
        isinstance(have, int) and want >= 0 and have != want
        for have, want in zip(shape, type_.get_shape(), strict=True)
    ):
        fail(BAD_CALL, f"expected a tensor of type {type_} as argument '{buffer.name_hint}', but got {tensor!r}")


def _shape(function: FuncOp, buffer: SSAValue, given: dict[SSAValue, Any]) -> tuple[Size, ...]:
    """Return the shape of a result, from those of the arguments."""
    block = function.body.block
    bound = next((op for op in block.ops if isinstance(op, loop.BindOp) and op.buffer is buffer), None)
    if bound is None:
        return tuple(_type(buffer).get_shape())
    dims = [op for op in block.ops if isinstance(op, loop.DimOp) and op.buffer in given]
    sizes: dict[SSAValue, Size] = {op.res: given[op.buffer].shape[op.dimension.value.data] for op in dims}
    return tuple(_size(extent, sizes) for extent in bound.index_list("shape"))


def _size(extent: Index, sizes: dict[SSAValue, Size]) -> Size:
    found = size_of(extent, sizes)
    if found is None:
        fail(BAD_CALL, "expected the shape of each result to be that of arguments")
    return found


def build(sch: Any, inputs: Sequence[Any], outputs: Sequence[Any], name: str = "hybrid_func") -> HybridModule:
    """Return the loops of a schedule as a script; `inputs` and `outputs` are those of `lower`.

    Raises TilewrightError TW0316 for loops that TVMScript does not say.
    """
    return HybridModule(lower(sch, [*inputs, *outputs], name, simple_mode=True).script(dialect="tvmscript"))
