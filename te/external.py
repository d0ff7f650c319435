"""`te.extern`: tensors that are computed by foreign code or by a statement built in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NoReturn, Protocol, TypeAlias, runtime_checkable

from xdsl.builder import Builder
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import SSAValue

from ..diagnostics import fail
from ..diagnostics.expectations import WRONG_TYPE, expect_type
from ..diagnostics.locations import caller_location
from ..dialects import loop
from ..dialects.index_expr import Index
from ..lazy import missing_field
from .body import StatementEmitter
from .define import current_tag
from .dtypes import dtype_info
from .expr import Axis, Expr, Var, walk
from .foreign import Buffer, Call, Statements, check_whole, decl_buffer
from .foreign_calls import CallContext, call_operation
from .shapes import Size, as_shape, attributes_of
from .te_errors import te_error
from .tensor import Definition, Tensor


@runtime_checkable
class InsertableStatements(Protocol):
    """Statements of the loop dialect whose buffers are given later, such as those that a `tir.ir_builder` collects."""

    @property
    def variables(self) -> tuple[Var, ...]:
        """The sizes that the statements use."""
        ...

    def insert_into(self, builder: Builder, buffers: Mapping[Buffer, SSAValue], sizes: Mapping[Any, Index]) -> None:
        """Insert the statements on the buffers given."""
        ...


SCRIPT = "hybrid.script"
"""The attribute of externs that `te.hybrid.script` makes."""
Statement: TypeAlias = "Call | Statements | InsertableStatements | Callable[..., Any]"
"""Calls of foreign functions, statements, or a function that inserts operations: `statement(builder, *buffers)`."""


@dataclass(frozen=True, eq=False, repr=False)
class Extern(Definition):
    """The definition of tensors by a statement on buffers: one buffer for each of `inputs`, and for each result."""

    name: str
    read: tuple[Tensor, ...]
    shapes: tuple[tuple[Size, ...], ...]
    dtypes: tuple[str, ...]
    in_buffers: tuple[Buffer, ...]
    out_buffers: tuple[Buffer, ...]
    statement: Statement
    code: tuple[loop.ForeignAttr, ...]
    """The source of the called function, unless it is in the process already."""
    location: LocationAttr | None
    tag: str = ""
    attrs: Mapping[str, Any] = field(default_factory=dict)

    reduce_axis: ClassVar[tuple[Axis, ...]] = ()  # pyright: ignore[reportIncompatibleVariableOverride]

    @property
    def axis(self) -> tuple[Axis, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Empty: a statement is not scheduled. The loops of a script are not accessible (TW0251)."""
        if SCRIPT in self.attrs:
            raise missing_field(self, "a script", "axis")
        return ()

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        return self.read

    @property
    def num_outputs(self) -> int:
        return len(self.shapes)

    def output_shape(self, index: int) -> tuple[Size, ...]:
        return self.shapes[index]

    def output_dtype(self, index: int) -> str:
        return self.dtypes[index]

    def emit(self, builder: Builder, values: Sequence[SSAValue], sizes: Mapping[Any, Index]) -> None:
        """Insert the statement on the buffers given, those of the inputs first; `sizes` are the values of variables."""
        if callable(self.statement):
            self.statement(builder, *values)
            return
        buffers = dict(zip((*self.in_buffers, *self.out_buffers), values, strict=True))
        if isinstance(self.statement, InsertableStatements):
            self.statement.insert_into(builder, buffers, sizes)
            return
        calls = self.statement.calls if isinstance(self.statement, Statements) else (self.statement,)
        for call in calls:
            modes = {b: "w" if b in self.out_buffers else "r" for b in buffers}
            passed = StatementEmitter(builder, {}, sizes).passed
            context = CallContext(builder, buffers, modes, f"extern {self.name!r}", passed, of_sizes=True)
            builder.insert(call_operation(call, context))

    @property
    def variables(self) -> tuple[Var, ...]:
        """The sizes that the statement uses."""
        match self.statement:
            case InsertableStatements():
                return self.statement.variables
            case Call() | Statements():
                calls = self.statement.calls if isinstance(self.statement, Statements) else (self.statement,)
                passed = [a for call in calls for a in call.arguments if isinstance(a, Expr)]
                return tuple(dict.fromkeys(n for each in passed for n in walk(each) if isinstance(n, Var)))
            case _:
                return ()

    def __getattr__(self, name: str) -> NoReturn:
        raise missing_field(self, "an extern", name)

    def __str__(self) -> str:
        return f"{self.name} = extern({', '.join(t.name for t in self.inputs)})"

    __repr__ = __str__


def extern(
    shape: Any,
    inputs: Sequence[Tensor],
    fcompute: Callable[[list[Buffer], list[Buffer]], Any],
    name: str = "extern",
    dtype: Any = None,
    in_buffers: Sequence[Buffer] | None = None,
    out_buffers: Sequence[Buffer] | None = None,
    tag: str = "",
    attrs: Mapping[str, Any] | None = None,
    *,
    c_source: str | None = None,
    llvm_ir: str | None = None,
) -> Any:
    """Return a tensor of that shape that a statement computes; a list of tensors for a list of shapes.

    `fcompute(ins, outs)` is called with a buffer for each input and each result, and returns the code that writes the
    results:

    - a call of a foreign function, `te.call_extern("int32", "f", outs[0], ins[0], n)`. Sizes of buffers that are passed
      are constant;
    - statements and calls that a `tir.ir_builder` has collected;
    - a Python function that is called with a builder and the buffers as values of the IR, and inserts operations of
      the loop dialect.

    `dtype` is the type of the results, or a list of types; by default it is that of the inputs. `c_source` and
    `llvm_ir` bring the foreign code; otherwise it is found in the process. Raises TW0466 for code that does not fit.
    """
    expect_type("inputs", inputs, list, tuple)
    for each in inputs:
        expect_type("inputs", each, Tensor)
    if not callable(fcompute) or isinstance(fcompute, type):  # pyright: ignore[reportUnnecessaryComparison]
        fail(WRONG_TYPE, f"expected a function of the buffers of extern {name!r}, but got {fcompute!r}")
    many = isinstance(shape, (list, tuple)) and bool(shape) and isinstance(shape[0], (list, tuple))
    shapes = tuple(as_shape(s, name) for s in (shape if many else [shape]))
    dtypes = _dtypes(name, dtype, inputs, len(shapes))
    ins = tuple(in_buffers or (decl_buffer(t.shape, t.dtype, t.name) for t in inputs))
    outs = tuple(out_buffers or (decl_buffer(s, d, name) for s, d in zip(shapes, dtypes, strict=True)))
    if (len(ins), len(outs)) != (len(inputs), len(shapes)):
        te_error("TW0466", f"expected a buffer for each input and each result of extern {name!r}")
    for buffer in (*ins, *outs):
        check_whole(buffer, f"tensors of extern {name!r}")
    statement = fcompute(list(ins), list(outs))
    if not isinstance(statement, (Call, Statements, InsertableStatements)) and not callable(statement):
        te_error(
            "TW0466",
            f"expected statements, calls or a function from the function of extern {name!r}, but got {statement!r}",
        )
    given = (("c", c_source), ("llvm", llvm_ir))
    code = tuple(loop.ForeignAttr.of(language, source) for language, source in given if source is not None)
    location = caller_location()
    op = Extern(
        name,
        tuple(inputs),
        shapes,
        dtypes,
        ins,
        outs,
        statement,
        code,
        location,
        tag or current_tag(),
        attributes_of(attrs),
    )
    return list(op.outputs) if many else op.outputs[0]


def _dtypes(name: str, dtype: Any, inputs: Sequence[Tensor], count: int) -> tuple[str, ...]:
    if dtype is None:
        found = {t.dtype for t in inputs}
        if len(found) != 1:
            kinds = ", ".join(sorted(found)) or "none"
            te_error("TW0466", f"expected inputs of one type or a dtype for extern {name!r}, but got {kinds}")
        return (*found,) * count
    given = dtype if isinstance(dtype, (list, tuple)) else [dtype] * count
    if len(given) != count:
        te_error("TW0466", f"expected {count} dtypes for the results of extern {name!r}, but got {len(given)}")
    return tuple(dtype_info(d).name for d in given)
