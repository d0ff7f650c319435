"""A builder that creates statements one by one: `tir.ir_builder.create()`.

    ib = tir.ir_builder.create()
    A, B = ib.buffer_ptr(ins[0]), ib.buffer_ptr(outs[0])
    with ib.for_range(0, n, name="i", kind="parallel") as i:
        with ib.if_scope(A[i] > 0):
            B[i] = A[i]
        with ib.else_scope():
            B[i] = 0.0
    return ib.get()

Each statement becomes operations of the loop dialect at once. Buffers of other code, sizes and scalars are free values
until the statements are inserted in the body of a `te.extern`, or in a function by `tir.PrimFunc`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

from xdsl.builder import Builder
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, StringAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ..diagnostics.locations import caller_location, set_missing_locations
from ..dialects import loop
from ..dialects.index_expr import Index
from ..dialects.names import script_name
from ..ir import editor as edit
from ..lazy import be_face
from ..te.body import StatementEmitter
from ..te.calls import Barrier
from ..te.dtypes import dtype_info
from ..te.expr import Axis, Const, Expr, Parameter, Read, Var, as_expr, condition, walk
from ..te.foreign import MATRIX_CALLS, Buffer, Call, Pointer, Statements, Stride
from ..te.foreign_calls import CallContext, call_operation, refuse_tiles
from ..te.functions import likely
from ..te.shapes import Size, as_shape
from ..te.stores import Store, check_lanes, stored_value
from ..te.te_errors import te_error
from ..te.thread_axes import ThreadAxis, thread_axis
from .buffer_var import BAD_STATEMENT, BufferVar
from .statements import Free, LoopVar, SeqStmt, Stmt

OpT = TypeVar("OpT", bound=Operation)
VariableT = TypeVar("VariableT")

_KINDS = {
    "serial": loop.SERIAL,
    "parallel": loop.PARALLEL,
    "vectorize": loop.VECTORIZED,
    "vectorized": loop.VECTORIZED,
    "unroll": loop.UNROLLED,
    "unrolled": loop.UNROLLED,
}
_ORDER = ("serial", "parallel", "vectorize", "unroll")
"""Kinds by the numbers that `ForKind` gives them."""
_SCOPES = {"": loop.GLOBAL, "shared.dyn": loop.SHARED}
_WHILE_DEPTH, _WHILE_EXTENT = 8, 128
"""The number of loops that form a `while_loop`, and the iterations of each."""
_THREADS = ("thread_extent", "virtual_thread")


class Scope(Generic[VariableT]):
    """A `with` of the builder, whose statements are inserted into one region."""

    def __init__(self, builder: IRBuilder, block: Block, variable: VariableT) -> None:
        self._builder = builder
        self._block = block
        self._variable = variable

    def __enter__(self) -> VariableT:
        self._outer = self._builder.enter(self._block)
        return self._variable

    def __exit__(self, *error: object) -> None:
        self._builder.leave(self._outer)


class IRBuilder:
    """Collects statements; `get()` returns them."""

    def __init__(self) -> None:
        self._top = Block()
        self._block = self._top
        self._free: Free = {}
        self._variables: dict[Axis | Var, Index] = {}
        self._parameters: dict[Parameter, SSAValue] = {}
        self._values: dict[Any, SSAValue] = {}
        self._flat: dict[BufferVar, BufferVar] = {}
        self._scalars: dict[Var, BufferVar] = {}
        self._conditional: dict[Block, loop.IfOp] = {}
        self._threads: list[tuple[str, Index]] = []
        self._calls: list[Call] | None = []
        """The calls so far, while there are no other statements, and no argument of a call is a buffer of the
        builder."""
        self._on_tiles: Call | None = None
        """A call on tiles of matrices, which bodies of tensor intrinsics alone can make."""

    # Buffers

    def pointer(self, content_type: str, name: str = "ptr", scope: str = "") -> BufferVar:
        """Return a buffer of one dimension that callers pass, an argument of `tir.PrimFunc`."""
        buffer = BufferVar(self, name, content_type, None)
        type = loop.buffer_type([DYNAMIC_INDEX], dtype_info(buffer.dtype).ir, _SCOPES.get(scope, scope))
        self._values[buffer] = self._free[buffer] = _placeholder(type, name)
        return buffer

    def buffer_ptr(self, buffer: Buffer, shape: Any = None) -> BufferVar:
        """Return the elements of a buffer: one of the body of `te.extern`, or of `tir.decl_buffer`."""
        if not isinstance(buffer, Buffer):  # pyright: ignore[reportUnnecessaryIsInstance]
            te_error(BAD_STATEMENT, f"expected a buffer, but got {buffer!r}")
        made = BufferVar(self, buffer.name, buffer.dtype, buffer.shape)
        self._values[made] = self._buffer(buffer)
        return made if shape is None else self._reshaped(made, as_shape(shape, buffer.name))

    def allocate(
        self, dtype: str, shape: Any, name: str = "buf", axis_separators: Any = None, scope: str = ""
    ) -> BufferVar:
        """Return a buffer that lives to the end of the statements around."""
        if axis_separators:
            te_error(BAD_STATEMENT, f"expected buffer {name!r} without axis separators: memory has one dimension here")
        sizes = as_shape(shape, name)
        extents = [Index.of(n) if isinstance(n, int) else self._index(n) for n in sizes]
        made = BufferVar(self, name, dtype, sizes)
        scope = _SCOPES.get(scope, scope)
        static = [e.constant if e.is_constant else DYNAMIC_INDEX for e in extents]
        type = loop.buffer_type(static, dtype_info(made.dtype).ir, scope)
        op = loop.AllocOp(type, [e for e in extents if not e.is_constant], name_hint=name)
        threads = self._threads_around() if loop.is_of_threads(type) else None
        if threads is None:
            self._append(op)
        else:
            edit.insert(op, InsertPoint.before(threads))
            self._note()
        self._values[made] = op.res
        return made

    def _threads_around(self) -> loop.ForOp | None:
        """Return the outermost loop over threads of a block around; the threads share buffers that are allocated before
        it."""
        around = [op for op in _ancestors(self._block) if isinstance(op, loop.ForOp) and loop.is_over_threads(op)]
        return around[-1] if around else None

    def flat(self, buffer: BufferVar) -> BufferVar:
        """Return a buffer of the same elements in one dimension."""
        if buffer not in self._flat:
            sizes = buffer.shape or ()
            if any(not isinstance(n, int) for n in sizes[1:]):
                te_error(
                    BAD_STATEMENT,
                    f"expected {len(sizes)} indices of buffer {buffer.name!r}, whose rows have a size that is known "
                    "only when the program is called, but got the number of an element",
                    help="index every dimension: A[i, j]",
                )
            total: Any = 1
            for size in sizes:
                total = size * total
            self._flat[buffer] = self._reshaped(buffer, (total,))
        return self._flat[buffer]

    def _reshaped(self, buffer: BufferVar, shape: tuple[Size, ...]) -> BufferVar:
        """Return a view of a buffer, made where the buffer is."""
        source = self._values[buffer]
        made = BufferVar(self, buffer.name, buffer.dtype, shape)
        static = [n if isinstance(n, int) else DYNAMIC_INDEX for n in shape]
        view = loop.ViewOp(
            source, 0, loop.buffer_type(static, dtype_info(made.dtype).ir, loop.scope_of(source.type)), buffer.name
        )
        owner = source.owner
        at = InsertPoint.after(owner) if isinstance(owner, Operation) else InsertPoint.at_start(self._top)
        edit.insert(view, at)
        if DYNAMIC_INDEX in static:
            extents = [Index.of(n) if isinstance(n, int) else self._size(n) for n in shape]
            edit.insert(loop.BindOp(view.res, extents, [1]), InsertPoint.after(view))
        self._values[made] = view.res
        return made

    def _buffer(self, buffer: Buffer) -> SSAValue:
        """Return the value that represents a buffer of other code."""
        if buffer not in self._free:
            static = [n if isinstance(n, int) else DYNAMIC_INDEX for n in buffer.shape]
            self._free[buffer] = _placeholder(loop.buffer_type(static, dtype_info(buffer.dtype).ir), buffer.name)
        return self._free[buffer]

    # Statements

    def store(self, buffer: BufferVar | Buffer, indices: Sequence[Expr], value: Any) -> None:
        """Append `buffer[indices] = value`. Raises TW0466 for a value of another type."""
        if isinstance(buffer, Buffer):
            self._values[buffer] = self._buffer(buffer)
        stored = stored_value(value, buffer.dtype, buffer.name)
        emitter = self._emitter(stored, *indices)
        index = [emitter.index(i) for i in indices]
        self._append(loop.StoreOp(emitter.scalar(stored), self._values[buffer], index))

    def emit(self, stmt: Any) -> None:
        """Insert a statement: a call of foreign code, statements of `tir`, or a barrier."""
        match stmt:
            case Call():
                found = (Read, LoopVar, Parameter, *(() if stmt.symbol in MATRIX_CALLS else (Var,)))
                if any(isinstance(node, found) for node in _nodes(stmt)):
                    self._note()
                elif self._calls is not None:
                    self._calls.append(stmt)
                self._emit_call(stmt)
            case Statements():
                for call in stmt.calls:
                    self.emit(call)
            case Store(lane=Axis() as lane, lanes=int() as lanes):
                for read in (node for node in walk(stmt.value) if isinstance(node, Read)):
                    if self._values.get(read.tensor) is self._buffer(stmt.buffer):
                        check_lanes(stmt.indices, read, stmt.buffer.name)
                with self.for_range(0, lanes, "lane", kind="vectorize") as each:
                    self._variables[lane] = Index.of(each.value)
                    self.store(stmt.buffer, stmt.indices, stmt.value)
            case Store():
                self.store(stmt.buffer, stmt.indices, stmt.value)
            case Stmt() | SeqStmt():
                self._take(stmt if isinstance(stmt, SeqStmt) else SeqStmt([stmt]))
            case Barrier():
                self._append(loop.BarrierOp(stmt.scope))
            case Const():
                pass
            case Expr():
                self._emitter(stmt).scalar(stmt)
                self._note()
            case _:
                te_error(BAD_STATEMENT, f"expected a statement or a call to emit, but got {stmt!r}")

    def _emit_call(self, call: Call) -> None:
        if call.symbol in MATRIX_CALLS:
            self._on_tiles = call
            return  # of a tensor intrinsic, which reads `get().calls`
        buffers: dict[Buffer, SSAValue] = {}
        for given in call.arguments:
            owner = given.buffer if isinstance(given, (Pointer, Stride)) else given
            if isinstance(owner, Buffer):
                buffers[owner] = self._buffer(owner)
        context = CallContext(self._inserter(), buffers, {}, "the builder", self._passed)
        edit.append(self._block, call_operation(call, context))

    def _passed(self, given: Expr) -> loop.Argument:
        return self._emitter(given).passed(given)

    def _take(self, statements: SeqStmt) -> None:
        taken = statements.copied({v: self._free.setdefault(key, v) for key, v in statements.free.items()})[0]
        edit.append(self._block, *edit.detach_all(taken.held))
        self._note()

    # Loops and conditions

    def for_range(
        self, begin: Any, end: Any, name: str = "i", dtype: Any = None, kind: Any = "serial", for_type: Any = None
    ) -> Scope[LoopVar]:
        """Return a loop over [begin, end): serial, parallel, vectorize or unroll."""
        wanted = for_type if for_type is not None else kind
        wanted = _ORDER[wanted] if isinstance(wanted, int) and 0 <= wanted < len(_ORDER) else wanted
        if wanted not in _KINDS:
            te_error(BAD_STATEMENT, f"expected a loop of kind {', '.join(_ORDER)}, but got {wanted!r}")
        lower, upper = self._index(begin), self._index(end)
        op = self._append(loop.ForOp(lower, upper, kind=_KINDS[wanted], name_hint=script_name(name)))
        return Scope(self, op.body.block, LoopVar(name, value=op.induction_variable))

    def if_scope(self, cond: Any) -> Scope[None]:
        """Open a scope of statements that run where the condition holds."""
        test = condition(cond)
        op = self._append(loop.IfOp(self._emitter(test).guard(test)))
        self._conditional[self._block] = op
        return Scope(self, op.then_body.block, None)

    def else_scope(self) -> Scope[None]:
        """Open a scope of statements that run where the condition of the preceding `if_scope` does not hold."""
        op = self._conditional.pop(self._block, None)
        if op is None or op is not self._block.last_op:
            te_error(BAD_STATEMENT, "expected else_scope right behind an if_scope")
        edit.append_block(op.else_body, Block())
        return Scope(self, op.else_body.block, None)

    def while_loop(self, cond: Any) -> Scope[None]:
        """Open a scope of statements that are repeated while the condition holds, which is tested before each time.

        Loops of the IR count, so that these are several, one in the other, and the condition guards each: nothing
        runs once it fails, and of the at most 2**56 iterations about a thousand are then left to skip.
        """
        test = condition(cond)
        block = self._block
        outer = self.enter(block)
        for _ in range(_WHILE_DEPTH):
            op = self._append(loop.ForOp(0, _WHILE_EXTENT, name_hint="turn"))
            self._block = op.body.block
            guarded = self._append(loop.IfOp(self._emitter(test).guard(test)))
            self._block = guarded.then_body.block
        block = self._block
        self.leave(outer)
        return Scope(self, block, None)

    def new_scope(self) -> Scope[None]:
        """Open a scope; threads that `scope_attr` starts end with it."""
        return Scope(self, self._block, None)

    def enter(self, block: Block) -> tuple[Block, int]:
        """Let statements go into a block; returns the state that `leave` restores."""
        outer = self._block, len(self._threads)
        self._block = block
        return outer

    def leave(self, outer: tuple[Block, int]) -> None:
        """Let statements go behind those of a block."""
        self._block = outer[0]
        del self._threads[outer[1] :]

    def scope_attr(self, node: Any, attr_key: str, value: Any = None) -> None:
        """Set an attribute of all statements behind it in this scope.

        `thread_extent` of a `te.thread_axis` runs them in that many threads, `virtual_thread` in virtual ones, and
        `pragma_…` marks the loop around. Raises TW0466 for others, which have no counterpart.
        """
        if attr_key in _THREADS:
            self._bind(node, attr_key, value)
        elif attr_key == "storage_scope":
            pass  # which an allocation states already
        elif attr_key.startswith("pragma_") and isinstance(self._block.parent_op(), loop.ForOp):
            around = self._block.parent_op()
            assert around is not None
            text = value if isinstance(value, str) else str(as_expr(1 if value is None else value))
            edit.change(around).attributes[f"pragma.{attr_key.removeprefix('pragma_')}"] = StringAttr(text)
        else:
            te_error(
                BAD_STATEMENT,
                f"expected thread_extent, virtual_thread, or a pragma of a loop around, but got {attr_key!r}",
                help="loops of for_range have kinds, and allocations scopes",
            )

    def let(self, var_name: str | Var, value: Any) -> Expr:
        """Return a name for a value, which is computed here."""
        expr = as_expr(value)
        name = var_name if isinstance(var_name, str) else var_name.name
        computed = self._emitter(expr).scalar(expr)
        self._note()
        if isinstance(computed.type, IndexType):
            return LoopVar(name, value=computed)
        result = Parameter(name, expr.dtype)
        self._parameters[result] = computed
        return result

    def likely(self, expr: Any) -> Expr:
        """Return the condition itself: ranges decide which conditions hold."""
        return likely(expr)

    def get(self) -> Any:
        """Return the statements. Calls of foreign functions alone are `Statements`, which tensor intrinsics take
        too."""
        if self._calls is not None:
            return Statements(tuple(self._calls))
        if self._on_tiles is not None:
            refuse_tiles(self._on_tiles)
        statements = SeqStmt.of(self._top, self._free, is_attached=True)
        if len(list(self._top.ops)) != 1:
            return statements
        only = Stmt.of(next(iter(self._top.ops)))
        only.free = dict(self._free)
        return only

    # Threads

    def _bind(self, axis: Any, key: str, value: Any) -> None:
        if isinstance(axis, str):
            axis = thread_axis(axis)
        if not isinstance(axis, ThreadAxis):
            te_error(BAD_STATEMENT, f"expected a te.thread_axis for {key}, but got {axis!r}")
        is_virtual = key == "virtual_thread" or axis.thread_tag.startswith("vthread")
        known = next((v for tag, v in self._threads if tag == axis.thread_tag), None)
        if known is not None and not is_virtual:
            self._variables[axis] = known
            return
        kind = loop.LoopKindAttr.of("vthread") if is_virtual else loop.LoopKindAttr.of("thread", axis.thread_tag)
        hint = script_name(axis.name.replace(".", "_"))
        op = self._append(loop.ForOp(0, self._index(value), kind=kind, name_hint=hint))
        self._variables[axis] = Index.of(op.induction_variable)
        self._threads.append((axis.thread_tag, self._variables[axis]))
        self._block = op.body.block  # for all that follows in this scope

    # Parts of statements

    def _append(self, op: OpT) -> OpT:
        """Insert a statement at the user's line."""
        location = caller_location()
        set_missing_locations(op, location)
        edit.append(self._block, op)
        self._note()
        return op

    def _note(self) -> None:
        """Note that there are other statements than calls."""
        self._calls = None

    def _inserter(self) -> Builder:
        return Builder(InsertPoint.at_end(self._block))

    def _index(self, value: Any) -> Index:
        exact = isinstance(value, float) and value.is_integer()
        expr = as_expr(int(value) if exact else value, "index")
        if not dtype_info(expr.dtype).is_integer:
            te_error(BAD_STATEMENT, f"expected an integer, but got `{expr}` of type {expr.dtype}")
        return self._emitter(expr).index(expr)

    def _size(self, value: Expr) -> Index:
        """Return a size of a buffer, which its placeholders state."""
        return StatementEmitter(Builder(InsertPoint.at_start(self._top)), {}, self._known(value)).index(value)

    def _emitter(self, *expressions: Expr) -> StatementEmitter:
        """Return an emitter of the expressions here; each statement loads the elements that it reads."""
        variables = self._known(*expressions)
        scalars: Any = self._scalars
        return StatementEmitter(self._inserter(), self._values, variables, self._parameters, scalars=scalars)

    def _known(self, *expressions: Expr) -> dict[Axis | Var, Index]:
        """Return the values of the variables of expressions; variables that nothing here binds become parameters."""
        variables = dict(self._variables)
        for node in (n for e in expressions for n in walk(e)):
            match node:
                case LoopVar():
                    variables[node] = Index.of(node.value)
                case Axis() | Var() if node in variables:
                    pass
                case ThreadAxis():
                    te_error(
                        BAD_STATEMENT,
                        f"expected threads of {node.thread_tag} around, but none are started",
                        help=f'ib.scope_attr({node.name}, "thread_extent", n) starts them',
                    )
                case Var() if node.dtype != "index":
                    self._free_scalar(node)
                case Var():
                    variables[node] = Index.of(self._free_variable(node))
                case Axis():
                    te_error(BAD_STATEMENT, f"expected variables of the builder's loops, but got axis {node.name!r}")
                case Read() if isinstance(node.tensor, Buffer):
                    self._values[node.tensor] = self._buffer(node.tensor)
                case Read() if node.tensor not in self._values:
                    te_error(
                        BAD_STATEMENT,
                        f"expected elements of the builder's buffers, but got one of {node.tensor.name!r}",
                        help="ib.buffer_ptr(buffer) gives a buffer's elements",
                    )
                case _:
                    pass
        return variables

    def _free_variable(self, variable: Var) -> SSAValue:
        if variable not in self._free:
            self._free[variable] = _placeholder(IndexType(), variable.name)
        return self._free[variable]

    def _free_scalar(self, variable: Var) -> None:
        """Make a number that is no integer a buffer without dimensions that callers pass."""
        if variable not in self._scalars:
            self._scalars[variable] = BufferVar(self, variable.name, variable.dtype, ())
            type = loop.buffer_type([], dtype_info(variable.dtype).ir)
            self._free[variable] = self._values[self._scalars[variable]] = _placeholder(type, variable.name)


def _nodes(call: Call) -> Iterator[Expr]:
    """Yield the nodes of the expressions that a call passes."""
    return (node for given in call.arguments if isinstance(given, Expr) for node in walk(given))


def create() -> IRBuilder:
    """Return an empty builder."""
    return IRBuilder()


def _ancestors(block: Block) -> Iterator[Operation]:
    """Yield the operations around a block, from the inside."""
    op = block.parent_op()
    while op is not None:
        yield op
        op = op.parent_op()


def _placeholder(type: Any, name: str) -> SSAValue:
    """Return a value that other code gives later."""
    value = Block(arg_types=[type]).args[0]
    edit.rename(value, script_name(name))
    return value


be_face(sys.modules[__name__])
