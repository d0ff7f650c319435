"""Construction of functions from statements: `tir.PrimFunc([A, n], ib.get())`.

Buffers, pointers and variables are the parameters. A variable that is a dimension of a buffer takes its value from the
buffer; any other variable is an argument without dimensions, which callers pass as a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects.arith import IndexCastOp
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IndexType, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ..analysis.dominance import verify_dominance
from ..diagnostics import TilewrightError, fail
from ..diagnostics.locations import caller_location, set_missing_locations
from ..dialects import loop
from ..dialects.index_expr import Index
from ..dialects.names import ORDER_ATTRIBUTE, script_name
from ..frontends.tvmscript.outputs import OUTPUT, default_attributes, set_attributes
from ..ir import editor as edit
from ..passes.shared.nests.symbolic_sizes import row_major_strides
from ..te.body import StatementEmitter
from ..te.dtypes import dtype_info
from ..te.expr import Expr, Var, walk
from ..te.external import InsertableStatements
from ..te.foreign import Buffer, Call, Statements, check_whole
from ..te.foreign_calls import CallContext, call_operation
from ..te.scalar_operations import emit_cast
from .buffer_var import BufferVar
from .statements import SeqStmt, Stmt, statements_of

BAD_FUNCTION = "TW0255"


def make_function(params: Sequence[Any], body: Any, name: str = "main") -> FuncOp:
    """Return the function of `params` that runs `body`. Raises TW0255 for other parameters and statements.

    Variables and buffers of the statements that are no parameters become the last ones.
    """
    body = statements_of(body)
    if isinstance(body, Stmt):
        body = SeqStmt([body])
    return _Maker([*params, *_implied(params, body)], name).make(body)


def _implied(params: Sequence[Any], body: Any) -> list[Any]:
    """Return the variables and buffers of statements that are neither parameters nor the sizes of those."""
    if not isinstance(body, SeqStmt):
        return []
    known = {id(n) for p in params for n in (p, *(p.shape if isinstance(p, Buffer) else ()))}
    used = [key for key, value in body.free.items() if value.uses and id(key) not in known]
    return [key for key in used if isinstance(key, (Buffer, BufferVar, Var))]


class _Maker:
    def __init__(self, params: Sequence[Any], name: str) -> None:
        for param in params:
            if not isinstance(param, (Buffer, BufferVar, Var)):
                fail(BAD_FUNCTION, f"tir.PrimFunc: expected buffers, pointers and variables, but got {param!r}")
        if len({id(param) for param in params}) != len(params):
            fail(BAD_FUNCTION, "tir.PrimFunc: expected each parameter once, but one is there twice")
        self.params = list(params)
        self.name = name
        self.block = Block()
        self.buffers: dict[Any, SSAValue] = {}
        self.sizes: dict[Any, Index] = {}
        self.names: dict[Any, str] = {}

    def make(self, body: Any) -> FuncOp:
        determined = {n for p in self.params if isinstance(p, Buffer) for n in p.shape if isinstance(n, Var)}
        arguments = [p for p in self.params if p not in determined]
        for param in arguments:
            self._add(param)
        self._read_sizes()
        for param in arguments:
            if isinstance(param, Buffer):
                self._bind(param)
        self._insert(body)
        edit.append(self.block, ReturnOp())
        function = FuncOp(self.name, ([a.type for a in self.block.args], []), Region(self.block))
        set_missing_locations(function, caller_location())
        self._describe(function)
        try:
            verify_dominance(function)
        except TilewrightError as error:
            fail(
                BAD_FUNCTION, f"tir.PrimFunc: expected uses inside of the loop that allocates a buffer: {error.message}"
            )
        return function

    def _add(self, param: Any) -> None:
        if isinstance(param, Buffer):
            check_whole(param, "arguments of tir.PrimFunc")
        value = edit.insert_argument(self.block, _type_of(param), len(self.block.args))
        edit.rename(value, script_name(param.name))
        self.buffers[param] = value
        self._name(param, param.name)

    def _name(self, param: Any, wanted: str) -> None:
        taken, name, count = set(self.names.values()), wanted, 0
        while name in taken:
            count += 1
            name = f"{wanted}_{count}"
        self.names[param] = name

    def _read_sizes(self) -> None:
        """Emit the values of the variables: dimensions of buffers, and numbers."""
        for param in self.params:
            for d, size in enumerate(param.shape if isinstance(param, Buffer) else ()):
                if isinstance(size, Var) and size not in self.sizes and size not in self.buffers:
                    hint = script_name(size.name)
                    self.sizes[size] = Index.of(self._emit(loop.DimOp(self.buffers[param], d, name_hint=hint)))
        for param in self.params:
            if isinstance(param, Var) and param in self.buffers:
                loaded = self._emit(loop.LoadOp(self.buffers[param], []))
                as_index = emit_cast(self._emit, loaded, param.stored, "int64")
                self.sizes[param] = Index.of(self._emit(IndexCastOp(as_index, IndexType())))

    def _bind(self, buffer: Buffer) -> None:
        """State the shape of a buffer that its type does not state."""
        if all(isinstance(n, int) for n in buffer.shape):
            return
        shape = [Index.of(n) if isinstance(n, int) else self._size(n) for n in buffer.shape]
        strides = row_major_strides(shape, self._emit)
        edit.append(self.block, loop.BindOp(self.buffers[buffer], shape, strides))

    def _size(self, size: Expr) -> Index:
        self._check(node for node in walk(size) if isinstance(node, Var))
        return StatementEmitter(Builder(InsertPoint.at_end(self.block)), {}, self.sizes).index(size)

    def _check(self, variables: Any) -> None:
        for variable in variables:
            if variable not in self.sizes:
                fail(
                    BAD_FUNCTION,
                    f"tir.PrimFunc: expected variable {variable.name!r} among the parameters, but it is not",
                )

    def _insert(self, body: Any) -> None:
        builder = Builder(InsertPoint.at_end(self.block))
        if isinstance(body, (Call, Statements)):
            calls = body.calls if isinstance(body, Statements) else (body,)
            context = CallContext(builder, self.buffers, {}, "the function")
            for call in calls:
                builder.insert(call_operation(call, context))
            return
        if not isinstance(body, InsertableStatements):
            fail(BAD_FUNCTION, f"tir.PrimFunc: expected statements, but got {body!r}")
        self._check(body.variables)
        buffers: dict[Any, SSAValue] = {**self.buffers, **self._arguments_for(body)}
        body.insert_into(builder, buffers, self.sizes)

    def _arguments_for(self, body: Any) -> dict[SSAValue, SSAValue]:
        """Return an argument for each value that statements of another function use, which are its arguments."""
        added: dict[SSAValue, SSAValue] = {}
        for value in body.outer if isinstance(body, SeqStmt) else ():
            added[value] = edit.insert_argument(self.block, value.type, len(self.block.args))
            edit.rename(added[value], value.name_hint or "value")
            self._name(value, value.name_hint or "value")
            self.params.append(value)
        return added

    def _emit(self, op: Any) -> SSAValue:
        edit.append(self.block, op)
        return op.results[0]

    def _describe(self, function: FuncOp) -> None:
        """Set the names of arguments. The last ones are outputs, as far as they are written before they are read."""
        attributes: list[dict[str, Attribute]] = default_attributes(function, [*self.names.values()])
        is_last = True
        for each, argument in reversed(list(zip(attributes, self.block.args, strict=True))):
            is_last = is_last and OUTPUT in each and not _has_no_extent(argument, self.buffers)
            if not is_last:
                each.pop(OUTPUT, None)
        set_attributes(function, attributes)
        order = [self.names.get(p) or p.name for p in self.params]
        if order != [*self.names.values()]:
            function.attributes[ORDER_ATTRIBUTE] = ArrayAttr([StringAttr(name) for name in order])


def _type_of(param: Any) -> Attribute:
    if isinstance(param, Var):
        return loop.buffer_type([], dtype_info(param.stored).ir)
    shape = param.shape if isinstance(param, Buffer) else (None,)
    static = [n if isinstance(n, int) else DYNAMIC_INDEX for n in shape]
    return loop.buffer_type(static, dtype_info(param.dtype).ir)


def _has_no_extent(argument: SSAValue, buffers: dict[Any, SSAValue]) -> bool:
    """Return whether an argument is a pointer with an unknown number of elements."""
    return any(value is argument and isinstance(param, BufferVar) for param, value in buffers.items())
