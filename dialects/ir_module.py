"""`IRModule`: a module of functions, seen from Python as a mapping from names to functions.

A view, not a copy: the operation is `IRModule.op`, and text, passes and tools work on that. The class exists because
users speak of the functions of a module by name, and because `script()` is what they print.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from xdsl.dialects.builtin import BoolAttr, FloatAttr, IntegerAttr, ModuleOp, StringAttr, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region

from ..diagnostics import fail
from ..diagnostics.calls import coded
from ..diagnostics.errors import UnknownNameError
from ..diagnostics.expectations import WRONG_TYPE, expect_type
from ..diagnostics.suggestions import did_you_mean
from ..lazy import missing_field, provided

_SCRIPTS = ("mlir", "tvmscript")
_GLOBAL_SYMBOL = "global_symbol"
_MAIN = "main"
NO_FUNCTION = "TW0257"
_NOT_HERE: Mapping[str, str] = {
    "preflattened_buffer_map": "buffers keep their shapes: function.buffer_map",
    "ret_type": "results are in the type of the operation: function.function_type",
    "span": "the place in the source is the location of each operation: function.location",
}
"""Attributes of the classic function that look into its tree, and where what they tell stands here."""
_OF_EXPRESSIONS = ("checked_type", "ret_type")
"""Attributes that a function of the graph dialect has as an expression of relay."""


class FunctionBody(Region):
    """The body of a function. It is the region itself, which has the fields of its statements too."""

    @property
    def block(self) -> FunctionBlock:
        """The only block, which is the root block of the classic function too."""
        block: Any = super().block
        block.__class__ = FunctionBlock
        return block

    @property
    def op(self) -> Any:
        """The only operation of a region of one; the operator of an expression of relay."""
        view = provided("expressions of relay")(self)
        return super().op if view is self else view.op

    def __getitem__(self, position: int) -> Any:
        """A statement of several."""
        return provided("fields of bodies")(self, "__getitem__")(position)

    def __getattr__(self, name: str) -> Any:
        return _field(self, name)


class FunctionBlock(Block):
    """The block of a function's body. It is the block itself, which has the fields of a root block too."""

    def __getattr__(self, name: str) -> Any:
        return _field(self, name)


def _field(given: Region | Block, name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"{type(given).__name__!r} object has no attribute {name!r}")
    if isinstance(given, Region) and (view := provided("expressions of relay")(given)) is not given:
        return getattr(view, name)
    return provided("fields of bodies")(given, name)


class Function(FuncOp):
    """A function with the text that users ask for. It is the operation itself, whose class `as_function` states."""

    is_program: bool = False
    """Whether a program made it by itself and holds it: schedules transform a copy, and copies of it say False."""

    def script(self, dialect: str = "mlir", **options: object) -> str:
        """The function as text; see `IRModule.script`."""
        _expect_no_marks("script", options)
        return text_of(self, dialect)

    @property
    def __name__(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride] (of the function, not of its class)
        return self.sym_name.data

    @property
    def attrs(self) -> dict[str, object]:
        """The attributes by name, as numbers and texts; a function that is not private has its "global_symbol"."""
        is_private = self.sym_visibility is not None and self.sym_visibility.data == "private"
        named = {} if is_private else {_GLOBAL_SYMBOL: self.sym_name.data}
        return {**named, **{key: _value(given) for key, given in self.attributes.items()}}

    @property
    def body(self) -> FunctionBody:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The region, which has the fields of its statements under their classic names."""
        region: Any = self.regions[0]
        region.__class__ = FunctionBody
        return region

    @property
    def params(self) -> list[Any]:
        """A variable for each argument. Those of a function of the graph dialect are variables of relay."""
        if (view := provided("expressions of relay")(self)) is not self:
            return view.params
        return [variable for variable, _ in provided("parameters of a function")(self)]

    @property
    def buffer_map(self) -> dict[Any, Any]:
        """The buffer of each parameter."""
        return dict(provided("parameters of a function")(self))

    def __getattr__(self, name: str) -> Any:
        if name in _OF_EXPRESSIONS and (view := provided("expressions of relay")(self)) is not self:
            return getattr(view, name)
        if name in _NOT_HERE:
            raise UnknownNameError("TW0251", f"a function has no {name!r}: {_NOT_HERE[name]}")
        raise missing_field(self, "a function", name)

    def show(self, *, dialect: str = "mlir", **options: object) -> None:
        """Print the function; see `IRModule.script`."""
        _expect_no_marks("show", options)
        print(self.script(dialect))

    def same_as(self, other: object) -> bool:
        """Whether this is the same function, under the name that classic programs ask by."""
        return self is other

    def with_attr(self, name: str | Mapping[str, object], value: object = None) -> Function:
        """A copy with an attribute, or with those of a mapping; "global_symbol" is the name of the function.

        Values are truth values, numbers and texts.
        """
        copy = as_function(self.clone())
        for key, given in name.items() if isinstance(name, Mapping) else [(name, value)]:
            if key == _GLOBAL_SYMBOL:
                copy.sym_name = StringAttr(str(given))
            else:
                copy.attributes[key] = _attribute(key, given)
        return copy

    def without_attr(self, name: str) -> Function:
        """A copy without an attribute."""
        copy = as_function(self.clone())
        copy.attributes.pop(name, None)
        return copy


def as_program(op: FuncOp) -> Function:
    """The operation, as a function that the caller's program holds."""
    function = as_function(op)
    function.is_program = True
    return function


def as_function(op: FuncOp) -> Function:
    """The operation, as the class that users see."""
    if not isinstance(op, Function):
        op.__class__ = Function
    return op  # pyright: ignore[reportReturnType]


def _value(given: Attribute) -> object:
    """An attribute as Python's number or text, where it is one."""
    match given:
        case IntegerAttr():
            return bool(given.value.data) if given.type == i1 else given.value.data
        case FloatAttr():
            return given.value.data
        case StringAttr():
            return given.data
        case _:
            return given


def _attribute(key: str, value: object) -> Attribute:
    match value:
        case bool():
            return BoolAttr.from_bool(value)
        case int():
            return IntegerAttr(value, 64)
        case float():
            return FloatAttr(value, 64)
        case str():
            return StringAttr(value)
        case Attribute():
            return value
        case _:
            fail(WRONG_TYPE, f"expected a number, a text or a truth value as attribute {key!r}, but got {value!r}")


_LOOKS = frozenset(
    ("black_format", "buffer_dtype", "float_dtype", "indent_spaces", "int_dtype", "show_meta", "style", "syntax_sugar",
     "verbose_expr")
)  # fmt: skip
"""Options of the classic printer that say how a text looks, not what is in it."""


def _expect_no_marks(method: str, options: Mapping[str, object]) -> None:
    """Refuse options of the classic printer that mark parts of a program, and those of no one."""
    for name in options:
        if name not in _LOOKS:
            fail(
                WRONG_TYPE,
                f"{method}: expected options among {', '.join(sorted(_LOOKS))}, but got {name!r}",
                help="the text marks no part of a program: find it by the name of a block or a loop",
            )


def text_of(op: Operation, dialect: str) -> str:
    """A module or a function as text. Raises TilewrightError TW0725 for a dialect that is none."""
    if dialect == "mlir":
        return str(op)
    if dialect not in _SCRIPTS:
        near = did_you_mean(dialect, _SCRIPTS)
        fail(WRONG_TYPE, f"expected a dialect of {', '.join(_SCRIPTS)}, but got {dialect!r}{near}")
    return provided(f"script {dialect}")(op)


class IRModule(Mapping[str, FuncOp]):
    """The functions of a module by name.

    Made from a module operation, which it shares, or from functions by name, which it copies and names after their
    keys.
    """

    __name__: str

    @coded
    def __init__(self, functions: ModuleOp | Mapping[str, Any] | None = None) -> None:
        if isinstance(functions, ModuleOp):
            self.op = functions
        else:
            if functions is not None and not isinstance(functions, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
                fail(WRONG_TYPE, f"expected functions by name, or a module operation, but got {functions!r}")
            self.op = ModuleOp([_named(name, _operation_of(f)) for name, f in (functions or {}).items()])

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_field(self, "a module", name)

    @classmethod
    def from_expr(cls, function: Any) -> IRModule:
        """The module of one function, under its own name. An expression of relay is the function of its variables."""
        op = _operation_of(function)
        return cls({op.sym_name.data: op})

    @property
    def functions(self) -> dict[str, Function]:
        """The functions by name, in the order of the text."""
        return {op.sym_name.data: as_function(op) for op in self.op.ops if isinstance(op, FuncOp)}

    def script(self, dialect: str = "mlir", **options: object) -> str:
        """The module as text, which can be read back: MLIR's, or with "tvmscript" Python's syntax.

        All of it is in the text in one form: options of the classic printer for looks, such as `show_meta`,
        `syntax_sugar` and `style`, change nothing.

        Raises TilewrightError TW0725 for another dialect or option, TW0316 where TVMScript has no form for the module.
        """
        _expect_no_marks("script", options)
        return text_of(self.op, dialect)

    def show(self, *, dialect: str = "mlir", **options: object) -> None:
        """Print the module; see `script`."""
        _expect_no_marks("show", options)
        print(self.script(dialect))

    def same_as(self, other: object) -> bool:
        """Whether this is the same module, under the name that classic programs ask by."""
        return isinstance(other, IRModule) and other.op is self.op

    def clone(self) -> IRModule:
        """A copy that shares no operation with this one."""
        return IRModule(self.op.clone())

    def __getitem__(self, name: str) -> Function:
        """The function of that name; "main" is also the only function of a module, as classic programs call it.

        Raises TW0257, a KeyError too, where the module has none of that name.
        """
        functions = self.functions
        if name == _MAIN and len(functions) == 1:
            return next(iter(functions.values()))
        if name not in functions:
            near = did_you_mean(str(name), list(functions))
            fail(NO_FUNCTION, f"expected a function of the module, but it has none named {name!r}{near}")
        return functions[name]

    def __setitem__(self, name: str, function: Any) -> None:
        """Put a copy of a function under a name, in place of the one that has it."""
        expect_type("name of a function", name, str)
        copy = _named(str(name), _operation_of(function))
        if (old := self.functions.get(name)) is None:
            self.op.body.block.add_op(copy)
        else:
            self.op.body.block.insert_op_before(copy, old)
            old.detach()

    def get_global_vars(self) -> list[str]:
        """The names of the functions."""
        return list(self)

    def astext(self, show_meta_data: bool = True, annotate: object = None) -> str:
        """The module as text; see `script`."""
        return self.script()

    def __hash__(self) -> int:
        return hash(self.op)

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)

    def __len__(self) -> int:
        return len(self.functions)

    def __str__(self) -> str:
        return self.script()

    def __repr__(self) -> str:
        return f"IRModule({', '.join(f'@{name}' for name in self)})"

    def _repr_html_(self) -> str:
        """Coloured, a part for each function, as notebooks show it."""
        return provided("html of modules")(self.op)


def _operation_of(function: Any) -> FuncOp:
    """The operation of a function, or of a face that has one as `op` or gives one by `as_function`."""
    if isinstance(function, FuncOp):
        return function
    given = function.as_function() if hasattr(function, "as_function") else function
    op = getattr(given, "op", None)
    if not isinstance(op, FuncOp):
        fail(WRONG_TYPE, f"expected a function, but got {function!r}")
    return op


def _named(name: str, function: FuncOp) -> Operation:
    expect_type("name of a function", name, str)
    copy = function.clone()
    copy.sym_name = StringAttr(name)
    return copy
