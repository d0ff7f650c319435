"""`IRModule`: a module of functions, seen from Python as a mapping from names to functions.

The class is a view, not a copy: the operation is `IRModule.op`, on which text, passes and tools work. The class exists
because users refer to the functions of a module by name, and print a module with `script()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..diagnostics import fail
from ..diagnostics.expectations import WRONG_TYPE, coded, expect_type
from ..diagnostics.text import did_you_mean
from ..lazy import Slot

_SCRIPTS = ("mlir", "tvmscript")
_MAIN = "main"
NO_FUNCTION = "TW0257"


class Function:
    """A function of a module, seen from Python. `op` is the operation, whose fields are also fields of this object.

    There is one object for each operation, as long as a program holds the object or its `IRModule`. Fields of the slot
    `FUNCTION_FIELDS` take precedence over fields of the operation.
    """

    op: FuncOp
    is_program: bool
    """True where a program made the function by itself and holds it: schedules transform a copy."""
    kept: dict[str, Any]
    """Views of its parts, which fields make once."""

    def __init__(self, op: FuncOp) -> None:
        vars(self).update(op=op, is_program=False, kept={})

    def script(self, dialect: str = "mlir", **options: object) -> str:
        """Return the function as text; see `IRModule.script`."""
        _expect_no_marks("script", options)
        return text_of(self.op, dialect)

    def show(self, *, dialect: str = "mlir", **options: object) -> None:
        """Print the function; see `IRModule.script`."""
        _expect_no_marks("show", options)
        print(self.script(dialect))

    @property
    def __name__(self) -> str:
        return self.op.sym_name.data

    def __str__(self) -> str:
        return str(self.op)

    def __repr__(self) -> str:
        return f"<Function @{self.__name__}>"

    def is_structurally_equivalent(self, other: Any) -> bool:
        """Return whether another function, or its operation, has the same structure."""
        return self.op.is_structurally_equivalent(operation_of(other))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return FUNCTION_FIELDS.value(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "parent":
            fail(WRONG_TYPE, f"expected an operation, but got the view of @{self.__name__}", help="insert its `op`")
        setattr(self.op, name, value)


FUNCTION_FIELDS: Slot[Callable[[Function, str], Any]] = Slot("dialects.ir_module:FUNCTION_FIELDS")
"""Looks up a field that the class of a function has not."""

_VIEWS: WeakValueDictionary[FuncOp, Function] = WeakValueDictionary()


def view_of(op: FuncOp) -> Function:
    """Return the view of a function, the same one as long as somebody holds it."""
    view = _VIEWS.get(op)
    if view is None:
        _VIEWS[op] = view = Function(op)
    return view


def program_of(op: FuncOp) -> Function:
    """Return the view of a function that the caller's program holds."""
    view = view_of(op)
    vars(view)["is_program"] = True
    return view


def operation_of(given: Any) -> Any:
    """Return the operation behind a view of a function or a module; anything else as it is."""
    return given.op if isinstance(given, (Function, IRModule)) else given


LOOKS: Slot[frozenset[str]] = Slot("dialects.ir_module:LOOKS")
"""Options of other printers for the looks of a text, which change nothing here."""


def _expect_no_marks(method: str, options: Mapping[str, object]) -> None:
    """Refuse options that mark parts of a program, and those of no printer."""
    for name in options:
        if name not in LOOKS.value:
            fail(
                WRONG_TYPE,
                f"{method}: expected options among {', '.join(sorted(LOOKS.value))}, but got {name!r}",
                help="the text marks no part of a program: find it by the name of a block or a loop",
            )


def text_of(op: Operation, dialect: str) -> str:
    """Return a module or a function as text. Raises TilewrightError TW0725 for a dialect that is none."""
    if dialect == "mlir":
        return str(op)
    if dialect not in _SCRIPTS:
        near = did_you_mean(dialect, _SCRIPTS)
        fail(WRONG_TYPE, f"expected a dialect of {', '.join(_SCRIPTS)}, but got {dialect!r}{near}")
    return TVMSCRIPT.value(op)


TVMSCRIPT: Slot[Callable[[Operation], str]] = Slot("dialects.ir_module:TVMSCRIPT")
"""Prints a module or a function in Python's syntax."""
HTML: Slot[Callable[[ModuleOp], str]] = Slot("dialects.ir_module:HTML")
"""Prints a module for notebooks."""


MODULE_FIELDS: Slot[Callable[[Any, str], Any]] = Slot("dialects.ir_module:MODULE_FIELDS")
"""Looks up a field that the class of a module has not."""


class IRModule(Mapping[str, Function]):
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

        def __getattr__(self, name: str) -> Any:
            return MODULE_FIELDS.value(self, name)

    @classmethod
    def from_expr(cls, function: Any) -> IRModule:
        """Return the module of one function, under the name of the function. An expression of relay is the function of
        its variables."""
        op = _operation_of(function)
        return cls({op.sym_name.data: op})

    @property
    def functions(self) -> dict[str, Function]:
        """The functions by name, in the order of the text."""
        found = {op.sym_name.data: view_of(op) for op in self.op.ops if isinstance(op, FuncOp)}
        self._views = list(found.values())
        return found

    def script(self, dialect: str = "mlir", **options: object) -> str:
        """Return the module as text, which can be read back: MLIR's, or with "tvmscript" Python's syntax.

        All of it is in the text in one form: options of other printers for looks (`LOOKS`) change nothing.

        Raises TilewrightError TW0725 for another dialect or option, TW0316 where TVMScript has no form for the module.
        """
        _expect_no_marks("script", options)
        return text_of(self.op, dialect)

    def show(self, *, dialect: str = "mlir", **options: object) -> None:
        """Print the module; see `script`."""
        _expect_no_marks("show", options)
        print(self.script(dialect))

    def clone(self) -> IRModule:
        """Return a copy that shares no operation with this one."""
        return IRModule(self.op.clone())

    def __getitem__(self, name: str) -> Function:
        """Return the function of that name; "main" is also the only function of a module.

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
        """Put a copy of a function under a name, and replace an earlier function of that name."""
        expect_type("name of a function", name, str)
        copy = _named(str(name), _operation_of(function))
        if (old := self.functions.get(name)) is None:
            self.op.body.block.add_op(copy)
        else:
            self.op.body.block.insert_op_before(copy, old.op)
            old.op.detach()

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
        """Return the module as coloured HTML, a part for each function, as notebooks show it."""
        return HTML.value(self.op)


def _operation_of(function: Any) -> FuncOp:
    """Return the operation of a function, or of a view that has one as `op` or gives one by `as_function`."""
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
