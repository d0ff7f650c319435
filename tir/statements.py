"""Statements under the names of classic programs. Each is a view of one operation of the IR, or of a body of several.

    if isinstance(node, tir.For) and isinstance(node.extent, tir.IntImm): ...
    tir.For(outer, 0, 16, tir.ForKind.SERIAL, body)

A view holds no IR itself: `node.op` is the operation. Two views are equal if they are of one operation. A copy that
`stmt_functor` made counts as the operation from which it was copied, as long as nothing in the copy was replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import partial
from inspect import signature
from typing import Any, ClassVar, NoReturn

from xdsl.builder import Builder
from xdsl.dialects.builtin import IndexType, IntegerAttr, StringAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir import Block as Body
from xdsl.rewriter import InsertPoint

from ..diagnostics import fail
from ..diagnostics.errors import MissingItemError
from ..diagnostics.expectations import WRONG_TYPE, expect_type
from ..diagnostics.locations import caller_location
from ..dialects import loop
from ..dialects.index_expr import Index
from ..dialects.indexed_op import IndexedOp
from ..dialects.ir_module import Function, operation_of
from ..ir import editor as edit
from ..lazy import missing_field
from ..passes.shared.barriers.shared_memory import separate_in_shared_memory
from ..te.body import StatementEmitter
from ..te.dtypes import dtype_info
from ..te.expr import Axis, Const, Expr, Read, Var, as_expr, const, walk
from ..te.foreign import Buffer, Call
from ..te.ranges import Range
from ..te.shapes import Extent
from ..te.te_errors import te_error
from ..te.thread_axes import ThreadAxis
from .bodies import BlockView, BodyView, allocated, ops_behind, plain_value, statements_in
from .value_expressions import (
    BlockVar,
    BufferOf,
    ExternCall,
    LoopVar,
    argument_of,
    condition_of,
    expression_of,
    refuse_field,
    value_of,
    variable_of,
)

BAD_STATEMENT = "TW0255"
NO_OBJECTS = "TW0251"


class ForKind(IntEnum):
    """The execution of a loop: serial, parallel, vectorized, unrolled, or by threads."""

    SERIAL = 0
    PARALLEL = 1
    VECTORIZED = 2
    UNROLLED = 3
    THREAD_BINDING = 4

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        kinds = ", ".join(f"{kind.value} ({kind.name})" for kind in cls)
        fail(WRONG_TYPE, f"expected a kind of loop of {kinds}, but got {value!r}")


_KINDS = {"serial": 0, "parallel": 1, "vectorized": 2, "unrolled": 3, "thread": 4, "vthread": 4}
_MADE = {
    ForKind.SERIAL: loop.SERIAL,
    ForKind.PARALLEL: loop.PARALLEL,
    ForKind.VECTORIZED: loop.VECTORIZED,
    ForKind.UNROLLED: loop.UNROLLED,
}


class _IsInteger(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Extent) or (isinstance(instance, Const) and not dtype_info(instance.dtype).is_float)


class IntImm(metaclass=_IsInteger):
    """A constant integer: `IntImm("int32", 8)` creates one, and `isinstance` tests for one."""

    def __new__(cls, dtype: str, value: int) -> Const:  # pyright: ignore[reportInconsistentConstructor]
        return const(value, dtype)


Free = dict[Any, SSAValue]
"""Variables of a statement that no loop binds yet, and buffers of other code, with the values that replace them in its
operations."""


class _Made(type):
    """The metaclass of statements: a call of a class creates a statement by the `make` or the `__init__` of the
    class."""

    make: Callable[..., Any] | None = None

    def __getattr__(cls, name: str) -> NoReturn:
        raise missing_field(cls, f"tir.{cls.__name__}", name)

    def __instancecheck__(cls, instance: object) -> bool:
        """Return whether `instance` is one; a body that has one statement is that statement."""
        if type.__instancecheck__(cls, instance):
            return True
        only = only_statement(instance) if cls.__name__ != "Stmt" else None
        return only is not None and type.__instancecheck__(cls, only)

    def __call__(cls, *arguments: Any, **keywords: Any) -> Any:
        keywords.pop("span", None)
        make, given = super().__call__, signature(cls.__init__).bind
        if cls.make is not None:
            make, given = cls.make, signature(cls.make).bind
        elif "__init__" in vars(cls):
            given = partial(given, cls)
        else:
            fail(
                NO_OBJECTS,
                f"'{cls.__name__}' makes no object: it is a face on operations of a function",
                location=caller_location(),
                help="write the statement with tir.ir_builder or in TVMScript",
            )
        try:
            given(*arguments, **keywords)
        except TypeError as error:
            fail(WRONG_TYPE, f"tir.{cls.__name__}: {error}", location=caller_location())
        return make(*arguments, **keywords)


class Stmt(metaclass=_Made):
    """A statement: one operation with its regions."""

    operations: ClassVar[tuple[type[Operation], ...]] = (Operation,)

    op: Operation
    free: Free
    _same: Operation

    @classmethod
    def of(cls, op: Operation, origin: Operation | None = None) -> Stmt:
        """Return the view of an operation; `origin` is the operation of which it is a copy."""
        face = object.__new__(next(c for c in _FACES if isinstance(op, c.operations)))
        face.op, face.free, face._same = op, {}, origin or op
        return face

    @property
    def variables(self) -> tuple[Var, ...]:
        """The variables that no loop binds."""
        return tuple(key for key, value in self.free.items() if isinstance(value.type, IndexType))

    def insert_into(self, builder: Builder, buffers: Mapping[Any, SSAValue], sizes: Mapping[Any, Index]) -> None:
        """Insert a copy of the statement on the buffers given; `sizes` are the values of variables."""
        SeqStmt([self]).insert_into(builder, buffers, sizes)

    def same_as(self, other: object) -> bool:
        return self == other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stmt) and self._same is other._same

    def __hash__(self) -> int:
        return hash(self._same)

    def __str__(self) -> str:
        return str(self.op)

    def __getattr__(self, name: str) -> Any:
        return refuse_field(self, f"tir.{type(self).__name__}", name)

    @property
    def annotations(self) -> dict[str, object]:
        """The attributes of the operation."""
        return {key: plain_value(given) for key, given in self.op.attributes.items()}

    def _rest(self) -> SeqStmt:
        """Return the statements behind it, which the classic node holds."""
        block = self.op.parent
        return SeqStmt([]) if block is None else SeqStmt.of(block, after=self.op)


class For(Stmt):
    """A loop: `loop_var`, `min`, `extent`, `kind`, `thread_binding`, `annotations`, `body`."""

    operations = (loop.ForOp,)
    op: loop.ForOp  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(self, loop_var: Var, min: Any, extent: Any, kind: ForKind | int, body: Stmt | SeqStmt) -> None:
        if not isinstance(loop_var, Var):  # pyright: ignore[reportUnnecessaryIsInstance]
            fail(BAD_STATEMENT, f"tir.For: expected a variable of te.var, but got {loop_var!r}")
        if not isinstance(kind, int) or kind not in _MADE:  # pyright: ignore[reportUnnecessaryIsInstance]
            fail(BAD_STATEMENT, f"tir.For: expected a serial, parallel, vectorized or unrolled loop, but got {kind!r}")
        body = statements_of(body)
        statements = body.taken() if isinstance(body, SeqStmt) else SeqStmt([body]).taken()
        self.free = dict(statements.free)
        bounds = as_expr(min), as_expr(extent)
        if any(dtype_info(each.dtype).is_float for each in bounds):
            fail(BAD_STATEMENT, f"tir.For: expected integers as bounds, but got {min!r} and {extent!r}")
        first, count = (index_of(each, self.free) for each in bounds)
        made = loop.ForOp(first, first + count, kind=_MADE[ForKind(kind)], name_hint=loop_var.name)
        self.op = self._same = made  # pyright: ignore[reportIncompatibleVariableOverride]
        if statements.held.last_op is not None and isinstance(statements.held.last_op, loop.YieldOp):
            fail(BAD_STATEMENT, "tir.For: expected statements, but got the body of a loop that carries values")
        edit.append(self.op.body.block, *edit.detach_all(statements.held))
        if isinstance(loop_var, LoopVar):  # the variable of another loop, which this one replaces
            variable = self.op.induction_variable
            edit.replace_uses(loop_var.value, variable, lambda use: made.is_ancestor(use.operation))
        bound = self.free.pop(loop_var, None)
        if bound is not None:
            edit.replace_uses(bound, self.op.induction_variable)

    @property
    def loop_var(self) -> LoopVar:
        return variable_of(self.op.induction_variable)

    @property
    def min(self) -> Expr:
        return _one("lower bound", self.op, self.op.lowers)

    @property
    def extent(self) -> Expr:
        lower, upper = self.op.lowers, self.op.uppers
        if len(lower) != 1 or len(upper) != 1:
            return _one("extent", self.op, ())
        return expression_of(upper[0] - lower[0])

    @property
    def kind(self) -> ForKind:
        return ForKind(_KINDS[self.op.kind.kind.data])

    @property
    def thread_binding(self) -> ThreadAxis | None:
        """The axis of a grid that the loop is bound to."""
        kind = self.op.kind
        tag = kind.tag.data or "vthread"
        return ThreadAxis(tag, thread_tag=tag) if kind.kind.data in ("thread", "vthread") else None

    @property
    def body(self) -> SeqStmt:
        return SeqStmt.of(self.op.body.block)


class IfThenElse(Stmt):
    """A conditional: `condition`, `then_case`, and `else_case` or None."""

    operations = (loop.IfOp,)
    op: loop.IfOp  # pyright: ignore[reportIncompatibleVariableOverride]

    @property
    def condition(self) -> Expr:
        return condition_of(self.op.conditions)

    @property
    def then_case(self) -> SeqStmt:
        return SeqStmt.of(self.op.then_body.block)

    @property
    def else_case(self) -> SeqStmt | None:
        return SeqStmt.of(self.op.else_body.block) if self.op.else_body.blocks else None


class _IsLoad(_Made):
    """A metaclass for which elements in expressions are loads, too."""

    def __instancecheck__(cls, instance: object) -> bool:
        if isinstance(instance, Read):
            return isinstance(instance.tensor, (BufferOf, Buffer))
        return super().__instancecheck__(instance)


class _Access(Stmt):
    op: loop.LoadOp | loop.StoreOp  # pyright: ignore[reportIncompatibleVariableOverride]

    @property
    def buffer(self) -> BufferOf:
        return BufferOf(self.op.buffer)

    @property
    def indices(self) -> list[Expr]:
        return [expression_of(e, self.op.lanes or 1) for e in self.op.index]


class BufferLoad(_Access, metaclass=_IsLoad):
    """A load: `buffer`, `indices`. `tir.BufferLoad(A, [i])` is the element of a declared buffer in an expression."""

    operations = (loop.LoadOp,)

    @staticmethod
    def make(buffer: Buffer, indices: Any) -> Any:
        """Return the element of a buffer of `tir.decl_buffer`."""
        expect_type("buffer", buffer, Buffer)
        return buffer.vload(indices)


class BufferStore(_Access):
    """A store: `buffer`, `value`, `indices`. `tir.BufferStore(A, value, [i])` is a store into a declared buffer."""

    operations = (loop.StoreOp,)
    op: loop.StoreOp  # pyright: ignore[reportIncompatibleVariableOverride]

    @property
    def value(self) -> Expr:
        return value_of(self.op.value)

    @staticmethod
    def make(buffer: Buffer, value: Any, indices: Any) -> Any:
        """Return the statement that stores an element in a buffer of `tir.decl_buffer`."""
        expect_type("buffer", buffer, Buffer)
        return buffer.vstore(indices, value)


class Allocate(Stmt):
    """An allocation: `buffer_var`, `dtype`, `extents`, `condition`, and the statements behind it as `body`."""

    operations = (loop.AllocOp,)
    op: loop.AllocOp  # pyright: ignore[reportIncompatibleVariableOverride]

    @property
    def extents(self) -> list[Expr]:
        return [expression_of(extent) for extent in self.op.shape]

    @property
    def buffer_var(self) -> BufferOf:
        return BufferOf(self.op.res)

    @property
    def dtype(self) -> str:
        return self.buffer_var.dtype

    @property
    def condition(self) -> Expr:
        return const(True)

    @property
    def body(self) -> SeqStmt:
        return self._rest()


class AssertStmt(Stmt):
    """An assertion: `condition`, `message`, and the statements behind it as `body`."""

    operations = (loop.AssertOp,)
    op: loop.AssertOp  # pyright: ignore[reportIncompatibleVariableOverride]

    @property
    def condition(self) -> Expr:
        return condition_of(self.op.conditions)

    @property
    def message(self) -> str:
        return self.op.message.data

    @property
    def body(self) -> SeqStmt:
        return self._rest()


class While(Stmt):
    """A loop that runs while a buffer holds true: `condition`, `body`."""

    operations = (loop.WhileOp,)
    op: loop.WhileOp  # pyright: ignore[reportIncompatibleVariableOverride]

    @property
    def condition(self) -> Expr:
        first = [const(0, "index")] * len(BufferOf(self.op.condition).shape)
        return Read(BufferOf(self.op.condition), tuple(first))  # pyright: ignore[reportArgumentType]

    @property
    def body(self) -> SeqStmt:
        return SeqStmt.of(self.op.body.block)


class Evaluate(Stmt):
    """A call for its effects: `value`, which has `op.name` and `args`; pointers are represented by their buffers."""

    operations = (loop.CallExternOp,)
    op: loop.CallExternOp  # pyright: ignore[reportIncompatibleVariableOverride]

    @staticmethod
    def make(value: Any) -> Any:
        """Return the statement that computes a value; one without effects may be removed.

        A call or a value over elements of a builder is itself, which the `emit` of that builder takes.
        """
        from .ir_builder import create

        parts = value.arguments if isinstance(value, Call) else (value,)
        if any(isinstance(node, Read) for part in parts if isinstance(part, Expr) for node in walk(part)):
            return value
        if isinstance(value, (int, float, Const)):
            return SeqStmt([])
        builder = create()
        builder.emit(value)
        return builder.get()

    @property
    def value(self) -> ExternCall:
        return ExternCall("int32", self.op.callee, tuple(map(argument_of, self.op.arguments)))


class Block(Stmt):
    """A block and its realization: `name_hint`, `iter_vars`, `iter_values`, `predicate`, `reads`, `writes`, `init`,
    `alloc_buffers`, `body`; the field `block` is the object itself."""

    operations = (loop.BlockOp,)
    op: loop.BlockOp  # pyright: ignore[reportIncompatibleVariableOverride]
    match_buffers: ClassVar[tuple[object, ...]] = ()

    @property
    def name_hint(self) -> str:
        return self.op.label

    @property
    def block(self) -> Block:
        return self

    @property
    def iter_vars(self) -> list[BlockVar]:
        return [
            BlockVar(variable_of(variable), Range.from_min_extent(const(0, "index"), expression_of(extent)), kind)
            for variable, kind, _, extent in self.op.iteration()
        ]

    @property
    def iter_values(self) -> list[Expr]:
        return [expression_of(binding) for _, _, binding, _ in self.op.iteration()]

    @property
    def predicate(self) -> Expr:
        return condition_of(self.op.conditions)

    @property
    def reads(self) -> list[Any]:
        return self._regions()[0]

    @property
    def writes(self) -> list[Any]:
        return self._regions()[1]

    def _regions(self) -> list[list[Any]]:
        from .analysis import get_block_access_region

        return get_block_access_region(self)

    @property
    def alloc_buffers(self) -> list[BufferOf]:
        return allocated(self.op.body.block)

    @property
    def init(self) -> SeqStmt | None:
        return None if self.op.init is None else SeqStmt.of(self.op.init.body.block)

    @property
    def body(self) -> SeqStmt:
        return SeqStmt.of(self.op.body.block)


_FACES: tuple[type[Stmt], ...] = (
    For, IfThenElse, BufferLoad, BufferStore, Allocate, AssertStmt, While, Evaluate, Block, Stmt,
)  # fmt: skip
NAMED: Mapping[str, type[Stmt]] = {
    **{f"tir.{face.__name__}": face for face in _FACES},
    "tir.BlockRealize": Block,
    "tir.Load": BufferLoad,
    "tir.Store": BufferStore,
}
"""The faces by the names that `only_enable` lists."""


class SeqStmt:
    """The statements of a body in order: of a loop, of a function, or statements that are not inserted yet."""

    held: Body
    free: Free
    is_attached: bool
    after: Operation | None
    """The operation of the block behind which the statements stand; None for all of them."""

    def __init__(self, seq: list[Stmt | SeqStmt]) -> None:
        self.held, self.free, self.is_attached, self.after = Body(), {}, False, None
        expect_type("seq", seq, list, tuple)
        for given in seq:
            statement = statements_of(given)
            if not isinstance(statement, (Stmt, SeqStmt)):  # pyright: ignore[reportUnnecessaryIsInstance]
                fail(BAD_STATEMENT, f"expected statements of functions, but got {statement!r}")
            taken = statement.taken() if isinstance(statement, SeqStmt) else SeqStmt._of_one(statement)
            _bind_alike(taken, self.free)
            edit.append(self.held, *edit.detach_all(taken.held))

    @classmethod
    def of(
        cls, block: Body, free: Free | None = None, *, is_attached: bool = True, after: Operation | None = None
    ) -> SeqStmt:
        """Return the statements of a block, which is that of an operation or, if not attached, of none."""
        made = object.__new__(cls)
        made.held, made.free, made.is_attached, made.after = block, free or {}, is_attached, after
        return made

    @classmethod
    def _of_one(cls, statement: Stmt) -> SeqStmt:
        op = statement.op if statement.op.parent is None else statement.op.clone()
        block = Body()
        edit.append(block, op)
        return cls.of(block, dict(statement.free), is_attached=False)

    @property
    def seq(self) -> list[Stmt]:
        return [Stmt.of(op) for op in statements_in(self.held, self.after)]

    def __len__(self) -> int:
        return len(self.seq)

    def __iter__(self) -> Iterator[Stmt]:
        return iter(self.seq)

    def __getitem__(self, position: int) -> Stmt:
        if not -len(self) <= position < len(self):
            raise MissingItemError(BAD_STATEMENT, f"expected one of {len(self)} statements, but got number {position}")
        return self.seq[position]

    @property
    def variables(self) -> tuple[Var, ...]:
        """The variables that no loop binds."""
        return tuple(key for key, value in self.free.items() if isinstance(value.type, IndexType))

    @property
    def outer(self) -> list[SSAValue]:
        """The values that operations around the statements give, such as the arguments of their function."""
        inside = [op for top in ops_behind(self.held, self.after) for op in top.walk()]
        bodies = [body for op in inside for region in op.regions for body in region.blocks]
        known = {*self.free.values(), *(r for op in inside for r in op.results), *(a for b in bodies for a in b.args)}
        return [value for value in dict.fromkeys(o for op in inside for o in op.operands) if value not in known]

    def insert_into(self, builder: Builder, buffers: Mapping[Any, SSAValue], sizes: Mapping[Any, Index]) -> None:
        """Insert copies of the statements on the buffers given; `sizes` are the values of variables.

        Raises TW0466 for a buffer that is not among them.
        """
        indices: dict[SSAValue, Index] = {}
        values = {value: buffers[value] for value in self.outer if value in buffers}
        for key, value in self.free.items():
            if isinstance(value.type, IndexType):
                values[value] = Body(arg_types=[value.type]).args[0]
                indices[values[value]] = sizes[key]
            elif key in buffers:
                values[value] = buffers[key]
            elif value.uses:
                te_error("TW0466", f"expected statements on the buffers given, but they use {key.name!r}")
        taken = self.copied(values)[0]
        for op in taken.held.walk():
            if isinstance(op, IndexedOp):
                op.substitute_indices(indices)
        for value, size in indices.items():
            if value.uses:
                single = size.single_value
                edit.replace_uses(value, builder.insert(loop.ApplyOp(size)).res if single is None else single)
        separate_in_shared_memory(taken.held.ops)
        for op in edit.detach_all(taken.held):
            builder.insert(op)

    def taken(self) -> SeqStmt:
        """Return these statements where nothing holds them yet, else a copy."""
        return self if not self.is_attached else self.copied()[0]

    def copied(self, given: Mapping[SSAValue, SSAValue] | None = None) -> tuple[SeqStmt, dict[Operation, Operation]]:
        """Return a copy, and the operation that each one in it was copied from. It ends in no terminator of a function.

        `given` maps values that the statements do not bind to values in the copy.
        """
        block, values, origins = Body(), dict(given or {}), {}
        for op in ops_behind(self.held, self.after):
            if op.name == "func.return":
                continue
            clone = op.clone(values)
            edit.append(block, clone)
            origins.update(zip(clone.walk(), op.walk(), strict=True))
        return SeqStmt.of(block, dict(self.free), is_attached=False), origins

    def __str__(self) -> str:
        return "\n".join(map(str, ops_behind(self.held, self.after)))

    def __getattr__(self, name: str) -> Any:
        """Return a field of the only statement."""
        if not name.startswith("_") and name not in _FIELDS and (only := only_statement(self)) is not None:
            return getattr(only, name)
        if name == "body":  # of attributes that classic programs have around statements
            return self
        return refuse_field(self, f"a body of {len(self.seq)} statements" if name not in _FIELDS else "a body", name)


_FIELDS = ("held", "free", "is_attached", "after")


def only_statement(given: object) -> Stmt | None:
    """Return the statement of a body that has one; None for everything else."""
    statements = statements_of(given)
    if type(statements) is not SeqStmt:
        return None
    found = statements_in(statements.held, statements.after)
    return Stmt.of(found[0]) if len(found) == 1 else None


def statements_of(given: Any) -> Any:
    """Return the statements of the body of an operation, and any other argument itself."""
    if isinstance(given, (BlockView, BodyView)):
        given = given.held
    if isinstance(given, Body):
        return SeqStmt.of(given)
    return SeqStmt.of(given.block) if isinstance(given, Region) and given.blocks else given


class _IsFunction(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return type.__instancecheck__(cls, instance) or isinstance(instance, (Function, FuncOp))


class PrimFunc(metaclass=_IsFunction):
    """A function: `body`, and `with_body(stmt)`, which returns the function with other statements.

    `PrimFunc([A, n], body)` creates a function from buffers, pointers and variables, and from statements.
    """

    def __init__(
        self,
        params: Function | FuncOp | Sequence[Any],
        body: Any = None,
        ret_type: None = None,
        buffer_map: Mapping[Any, Any] | None = None,
        attrs: Mapping[str, Any] | None = None,
        span: object = None,
    ) -> None:
        given: FuncOp | Sequence[Any] = operation_of(params)
        if not isinstance(given, FuncOp):
            expect_type("params", given, list, tuple)
            if ret_type is not None:
                fail(BAD_STATEMENT, f"tir.PrimFunc: expected a function that stores its results, but got {ret_type!r}")
            if buffer_map is not None:
                expect_type("buffer_map", buffer_map, Mapping)
                given = [buffer_map[p] if isinstance(p, Var) and p in buffer_map else p for p in given]
            from .functions import make_function

            given, body = make_function(given, body), None
        self.op = given
        self.body = body or SeqStmt.of(given.body.block)
        self.is_changed = body is not None
        if attrs is not None:
            expect_type("attrs", attrs, Mapping)
            self.with_attr(attrs)

    def with_attr(self, attr_key: str | Mapping[str, Any], attr_value: Any = None) -> PrimFunc:
        """Return the function with an attribute, or with those of a mapping: `global_symbol` is its name."""
        self.op = self.op.clone()
        self.body = self.body if self.is_changed else SeqStmt.of(self.op.body.block)
        for key, value in attr_key.items() if isinstance(attr_key, Mapping) else [(attr_key, attr_value)]:
            if key == "global_symbol":
                edit.change(self.op).sym_name = StringAttr(str(value))
            elif key not in WITHOUT_EFFECT:
                edit.change(self.op).attributes[key] = _attribute(value)
        return self

    def with_body(self, new_body: Stmt | SeqStmt, span: object = None) -> PrimFunc:
        """Return the function with these statements. Raises TilewrightError TW0255 for a variable that no loop
        binds."""
        new_body = statements_of(new_body)
        body = new_body if isinstance(new_body, SeqStmt) else SeqStmt([new_body])
        unbound = [variable.name for variable, value in body.free.items() if value.uses]
        if unbound:
            fail(BAD_STATEMENT, f"expected a loop around the uses of variable {unbound[0]!r}, but none binds it")
        return PrimFunc(self.op, body)

    def materialize(self) -> None:
        """Give the function in the IR these statements."""
        if not self.is_changed or self.body.held is self.op.body.block:
            return
        statements, block = self.body.taken(), self.op.body.block
        for op in reversed([op for op in block.ops if op is not block.last_op]):
            edit.erase(op, safe_erase=False)
        assert block.last_op is not None
        edit.insert(edit.detach_all(statements.held), InsertPoint.before(block.last_op))


WITHOUT_EFFECT = ("tir.noalias", "from_legacy_te_schedule", "target", "calling_conv")
"""Classic attributes without effect: analyses, or the arguments of `build`, give these facts."""


def _attribute(value: Any) -> Attribute:
    if isinstance(value, (bool, int)):
        return IntegerAttr(int(value), i64)
    return StringAttr(str(value))


def index_of(expr: Expr, free: Free, builder: Builder | None = None) -> Index:
    """Return an integer expression as an index of the IR; variables that no loop binds are entered in `free`."""
    known: dict[Axis | Var, Index] = {}
    for node in walk(expr):
        if isinstance(node, LoopVar):
            known[node] = Index.of(node.value)
        elif isinstance(node, Var):
            if node not in free:
                free[node] = Body(arg_types=[IndexType()]).args[0]
                edit.rename(free[node], node.name)
            known[node] = Index.of(free[node])
    return StatementEmitter(builder or Builder(InsertPoint.at_end(Body())), {}, known).index(expr)


def _one(what: str, op: Operation, bounds: tuple[Index, ...]) -> Expr:
    if len(bounds) != 1:
        fail(BAD_STATEMENT, f"expected a loop with one {what}, but its bounds are minima or maxima", op=op)
    return expression_of(bounds[0])


def _bind_alike(statements: SeqStmt, free: Free) -> None:
    """Merge equal unbound variables of statements that are combined into one value."""
    for variable, value in statements.free.items():
        known = free.setdefault(variable, value)
        if known is not value:
            edit.replace_uses(value, known)
