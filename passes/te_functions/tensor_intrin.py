"""`te.decl_tensor_intrin`: a tensor intrinsic described by a compute, with implementations in several forms.

An implementation is foreign code that Python calls, statements of a `tir.ir_builder`, a function of loop IR (as text,
as an operation, or as a Python function that builds it), or the description itself with loops of other kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, MemRefType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import blocks_in
from ...analysis.domain import loops_around
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...schedule.primitives.decompose_reduction import init_block, spatial_guard
from ...schedule.tensor_intrinsics import (
    MALFORMED,
    Declaration,
    Strides,
    TensorIntrin,
    TilePosition,
    checked,
    function_from,
)
from ...te import Placeholder, Tensor
from ...te.dtypes import dtype_info
from ...te.expr import Const
from ...te.external import InsertableStatements
from ...te.foreign import MATRIX_CALLS, MULTIPLY_TILES, Buffer, Call, Pointer, Statements, Stride, decl_buffer
from ...te.index_forms import row_major
from ...te.te_errors import te_error
from ...te.tensor import Computation
from ...toolchain import check_llvm
from ...traversal import operations
from .matrix_statements import MatrixStatements, is_matrix_body
from .prim_func import create_prim_func

_ROLES = ("body", "reset", "update")
_KINDS = ("serial", "vectorized", "unrolled")
"""Kinds of loops that a description may have; parallel ones belong to the program around it."""


@dataclass(frozen=True)
class Described:
    """The description as an implementation, with a kind of loop for each axis name."""

    kinds: Mapping[str, str] = field(default_factory=dict[str, str])


def described(**kinds: str) -> Described:
    """Implement an intrinsic by its description: `described(i="vectorized", k="unrolled")`."""
    return Described(kinds)


def decl_tensor_intrin(
    op: Any,
    fcompute: Callable[..., Any] | None = None,
    name: str = "tensor_intrin",
    binds: Mapping[Tensor, Buffer] | None = None,
    scalar_params: Sequence[Any] | None = None,
    default_buffer_params: Mapping[str, Any] | None = None,
    *,
    c_source: str | None = None,
    llvm_ir: str | None = None,
) -> TensorIntrin:
    """Declare a tensor intrinsic.

    `op` is the compute that describes the intrinsic on a tile; its inputs are placeholders, its extents constant.
    `fcompute(ins, outs)` is called with a buffer for each and returns a body, or (body, reset, update) where the terms
    of a reduction may lie in several tiles: `reset` starts it, `update` goes on with it, `body` does all of one tile.
    Each is one of

    - calls of foreign functions: `ib.get()` of a `tir.ir_builder`, or one `tir.call_extern`;
    - statements over the elements of the tiles: `ib.get()` of a builder with loops, conditions, `buffer_ptr`, or
      `outs[0].vstore(0, ins[0].vload(0, "float32x4"))`;
    - loop IR over the inputs' and outputs' buffers: the MLIR text of a function, a `func.func`, or a Python function
      of a builder and the buffers that inserts operations;
    - `te.described(...)`, the compute itself with loops of given kinds, which `fcompute=None` means;
    - None where there is none.

    `binds` gives the layout that the foreign code counts on; a buffer that is not bound must be packed. A tile starts
    at a multiple of its buffer's `offset_factor`, which is checked where the intrinsic is used.
    `c_source` and `llvm_ir` bring the foreign code. Raises TilewrightError TW0430 for a declaration that is none,
    TW0427 at the line of LLVM text that does not parse.
    """
    if scalar_params:
        te_error(MALFORMED, f"tensor intrinsic {name!r}: expected no scalar parameters; pass constants to the calls")
    computation = _computation(name, op)
    inputs, outputs = list(computation.inputs), list(computation.outputs)
    description = create_prim_func([*inputs, *outputs], name).op
    buffers = [_buffer(t, binds or {}, default_buffer_params or {}) for t in (*inputs, *outputs)]
    implementations = _implementations(name, fcompute, buffers[: len(inputs)], buffers[len(inputs) :])
    foreign = _foreign(c_source, llvm_ir)
    builder = _Implementations(name, description, buffers, len(inputs), foreign)
    if any(is_matrix_body(_calls(given)) for given in implementations):
        implementations = _of_matrices(implementations)
    functions = {role: builder.function(role, given) for role, given in zip(_ROLES, implementations, strict=True)}
    calls = any(map(_passes_tiles, implementations, functions.values())) and not builder.matrices.scopes
    strides = {n: _expected(buffer) for n, buffer in enumerate(buffers)} if calls else {}
    scopes = builder.matrices.scopes
    positions = {n: TilePosition(b.factor, b.memory) for n, b in enumerate(buffers) if (b.factor, b.memory) != (1, "")}
    declaration = Declaration(computation, tuple(buffers), implementations)
    made = TensorIntrin(
        name,
        description,
        **functions,
        strides=strides,
        scopes=scopes,
        positions=positions if calls else {},
        declaration=declaration,
    )
    return checked(made)


def _calls(given: Any) -> Sequence[Call]:
    """Return the calls that an implementation is made of."""
    return given.calls if isinstance(given, Statements) else (given,) if isinstance(given, Call) else ()


def _passes_tiles(given: Any, function: FuncOp | None) -> bool:
    """Return whether an implementation passes tiles to foreign code, which counts on their strides."""
    if isinstance(given, InsertableStatements) and function is not None:
        return any(isinstance(op, loop.CallExternOp) for op in operations(function))
    return bool(_calls(given))


def _of_matrices(implementations: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
    """Drop a body that only goes on with a product, where there is a reset: the update has it."""
    body, reset, update = implementations
    goes_on = all(call.symbol == MULTIPLY_TILES for call in _calls(body)) and reset is not None
    return (None if goes_on else body), reset, update


def _computation(name: str, op: Any) -> Computation:
    definition = op.op if isinstance(op, Tensor) else op
    if not isinstance(definition, Computation) or not all(isinstance(t.op, Placeholder) for t in definition.inputs):
        te_error(MALFORMED, f"tensor intrinsic {name!r}: expected a compute of placeholders, but got {definition}")
    sizes = [n for t in (*definition.inputs, *definition.outputs) for n in t.shape]
    if not all(isinstance(n, int) for n in sizes):
        te_error(MALFORMED, f"tensor intrinsic {name!r}: expected constant extents, but got {definition}")
    return definition


def _buffer(tensor: Tensor, binds: Mapping[Tensor, Buffer], defaults: Mapping[str, Any]) -> Buffer:
    bound = binds.get(tensor)
    if bound is None:
        return decl_buffer(tensor.shape, tensor.dtype, tensor.name, **defaults)
    if (tuple(bound.shape), dtype_info(bound.dtype)) != (tuple(tensor.shape), dtype_info(tensor.dtype)):
        te_error(
            MALFORMED,
            f"expected a buffer of {tensor.dtype}{[*tensor.shape]} for tensor {tensor.name!r}, but got "
            f"{bound.dtype}{[*bound.shape]}",
        )
    return bound


def _expected(buffer: Buffer) -> Strides:
    """Return the strides that foreign code expects: each is free, or that of the packed tile, which no later pass
    changes."""
    packed = decl_buffer(buffer.shape, buffer.dtype, buffer.name).strides
    for stride, fixed in zip(buffer.strides, packed, strict=True):
        if stride.expected not in (None, fixed.expected):
            te_error(
                MALFORMED,
                f"expected a te.var or {fixed.expected}, the stride of a packed tile, in dimension {stride.dimension} "
                f"of buffer {buffer.name!r}, but got {stride.expected}",
            )
    return tuple(stride.expected for stride in buffer.strides)


def _implementations(
    name: str, fcompute: Callable[..., Any] | None, ins: Sequence[Buffer], outs: Sequence[Buffer]
) -> tuple[Any, Any, Any]:
    returned = described() if fcompute is None else fcompute(list(ins), list(outs))
    if isinstance(returned, Described):
        return returned, returned, returned
    if not isinstance(returned, tuple):
        return returned, None, None
    if len(returned) != 3:
        te_error(
            MALFORMED, f"tensor intrinsic {name!r}: expected a body or (body, reset, update), but got {returned!r}"
        )
    return returned


def _foreign(c_source: str | None, llvm_ir: str | None) -> list[loop.ForeignAttr]:
    if llvm_ir is not None:
        check_llvm(llvm_ir)
    given = (("c", c_source), ("llvm", llvm_ir))
    return [loop.ForeignAttr.of(language, code) for language, code in given if code is not None]


class _Implementations:
    """Builds functions of loop IR from the result of `fcompute`."""

    def __init__(
        self,
        name: str,
        description: FuncOp,
        buffers: Sequence[Buffer],
        inputs: int,
        foreign: Sequence[loop.ForeignAttr],
    ) -> None:
        self.name = name
        self.description = description
        self.buffers = buffers
        self.outputs = set(buffers[inputs:])
        self.foreign = foreign
        self.matrices = MatrixStatements(name, description, buffers)

    def function(self, role: str, given: Any) -> FuncOp | None:
        """Return the function for one of `_ROLES`; None where nothing was given for it."""
        match given:
            case None:
                return None
            case Described():
                return self._described(role, given)
            case Call() | Statements():
                function = self._empty()
                for call in _calls(given):
                    if call.symbol in MATRIX_CALLS:
                        self.matrices.add(call, function.body.block)
                    else:
                        self._add_call(role, call, function.body.block)
            case InsertableStatements():
                function = self._empty()
                self._insert_statements(role, given, function.body.block)
            case FuncOp() | str():
                function = function_from(self.name, given).clone()
            case _ if callable(given):
                function = self._empty()
                given(Builder(InsertPoint.at_end(function.body.block)), *function.body.block.args)
            case _:
                self._refuse(
                    f"expected calls, statements, IR, a function or te.described() as {role}, but got {given!r}"
                )
        if not isinstance(function.body.block.last_op, ReturnOp):
            edit.append(function.body.block, ReturnOp())
        for code in self.foreign:
            loop.add_foreign_code(function, code)
        return function

    def _empty(self) -> FuncOp:
        types = [a.type for a in self.description.body.block.args]
        block = Block(arg_types=types)
        for argument, described in zip(block.args, self.description.body.block.args, strict=True):
            edit.rename(argument, described.name_hint)
        return FuncOp(self.name, (types, []), Region(block))

    def _insert_statements(self, role: str, statements: InsertableStatements, block: Block) -> None:
        """Insert statements over the buffers, which may be indexed by the number of an element of the tile."""
        if statements.variables:
            names = ", ".join(repr(v.name) for v in statements.variables)
            self._refuse(f"expected statements of constant extents as {role}, but they use {names}")
        statements.insert_into(Builder(InsertPoint.at_end(block)), dict(zip(self.buffers, block.args, strict=True)), {})
        for view in [op for op in block.walk() if isinstance(op, loop.ViewOp) and op.buffer in block.args]:
            self._access_directly(view)
        for call in [op for op in block.walk() if isinstance(op, loop.CallExternOp)]:
            call.set_arguments([self._passed(role, argument, block) for argument in call.arguments])

    def _access_directly(self, view: loop.ViewOp) -> None:
        """Replace accesses to a buffer of the intrinsic under another shape by accesses to the buffer itself.

        A tile need not be contiguous, so that the number of an element becomes indices: of an 8x4 tile [n] becomes
        [n floordiv 4, n mod 4].
        """
        assert isinstance(view.res.type, MemRefType) and isinstance(view.buffer.type, MemRefType)
        shape, extents = view.res.type.get_shape(), view.buffer.type.get_shape()
        for op in dict.fromkeys(use.operation for use in view.res.uses):
            if not isinstance(op, (loop.LoadOp, loop.StoreOp)):
                self._refuse(f"expected loads and stores of {name_of(view.buffer)} by other extents, but got {op.name}")
            number, index = row_major(op.index, shape), list[Index]()
            for extent in reversed(extents[1:]):
                number, inner = number // extent, number % extent
                index.insert(0, inner)
            op.set_index_lists(indices=[number, *index])
            for position, value in enumerate(op.operands):
                if value is view.res:
                    edit.change(op).operands[position] = view.buffer
        edit.erase(view)

    def _passed(self, role: str, argument: loop.Argument, block: Block) -> loop.Argument:
        """Return an argument of a call among statements, with the effect of the call on the buffer."""
        if not isinstance(argument, loop.AccessArgument) or argument.buffer not in block.args:
            return argument
        buffer = self.buffers[block.args.index(argument.buffer)]
        mode = argument.mode if buffer in self.outputs else "read"
        return replace(argument, mode="update" if role == "update" and mode == "write" else mode)

    def _add_call(self, role: str, call: Call, block: Block) -> None:
        arguments = [self._argument(role, a, block) for a in call.arguments]
        results = [] if call.dtype in ("", "void", "handle") else [dtype_info(call.dtype).ir]
        edit.append(block, loop.CallExternOp(call.symbol, arguments, results))

    def _argument(self, role: str, given: Any, block: Block) -> loop.Argument:
        match given:
            case Buffer():
                return self._argument(role, given.access_ptr("w" if given in self.outputs else "r"), block)
            case Pointer():
                shape = tuple(int(n) for n in given.buffer.shape)  # pyright: ignore[reportArgumentType]
                box = loop.box_of([n - o for n, o in zip(shape, given.offset, strict=True)])
                index = tuple(Index.of(o) for o in given.offset)
                if not given.is_stated:
                    return self._argument(role, given.buffer, block)
                return loop.AccessArgument(self._mode(role, given), self._value(given.buffer, block), index, box)
            case Stride(expected=None):
                return loop.StrideArgument(self._value(given.buffer, block), given.dimension, dtype_info("int32").ir)
            case Stride():
                return loop.IndexArgument(Index.of(given.expected or 0), dtype_info("int32").ir)
            case Const() if dtype_info(given.dtype).is_float:
                constant = arith.ConstantOp(FloatAttr(given.value, dtype_info(given.dtype).float_type))
                edit.append(block, constant)
                return loop.ValueArgument(constant.result)
            case Const():
                return loop.IndexArgument(Index.of(int(given.value)), dtype_info(given.dtype).ir)
            case _:
                self._refuse(f"expected pointers, strides and numbers as arguments of calls, but got `{given}`")

    def _mode(self, role: str, pointer: Pointer) -> str:
        """Return the mode of a pointer's access; an update also reads the buffer that it writes."""
        return "update" if role == "update" and pointer.mode == "write" else pointer.mode

    def _value(self, buffer: Buffer, block: Block) -> SSAValue:
        if buffer not in self.buffers:
            self._refuse(f"expected buffers of the intrinsic in calls, but got {buffer.name!r}")
        return block.args[self.buffers.index(buffer)]

    def _described(self, role: str, given: Described) -> FuncOp | None:
        copy = self.description.clone()
        (block,) = blocks_in(copy)
        if role != "body":
            if block.init is None:
                return None
            if role == "reset":
                _keep_init(copy, block)
            else:
                edit.erase(block.init)
        edit.change(copy).attributes.clear()
        loops = {op.induction_variable.name_hint: op for op in operations(copy) if isinstance(op, loop.ForOp)}
        for axis, kind in given.kinds.items():
            if kind not in _KINDS:
                self._refuse(f"expected loops to be {', '.join(_KINDS)}, but got {kind!r}")
            if axis in loops:
                edit.change(loops[axis]).kind = loop.LoopKindAttr.of(kind)
            elif role == "body":
                self._refuse(f"expected axes {', '.join(map(str, loops))}, but got {axis!r}")
        return copy

    def _refuse(self, message: str) -> NoReturn:
        te_error(MALFORMED, f"tensor intrinsic {self.name!r}: {message}")


def _keep_init(function: FuncOp, block: loop.BlockOp) -> None:
    """Leave of a reduction the nest of its init."""
    assert block.init is not None
    loops = loops_around(block)
    start = init_block(block, block.init, spatial_guard(block))
    used = {v for e in start.index_list("bindings") for v in e.values()}
    nest: Operation = start
    edit.detach(block)
    for op in reversed(loops):
        edit.detach(op)
        if op.induction_variable in used:
            edit.append(op.body.block, nest)
            nest = op
    first = function.body.block.first_op
    assert first is not None
    edit.insert(nest, InsertPoint.before(first))
