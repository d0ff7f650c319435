"""The values of expressions of a script.

Python's numbers, strings, tuples, lists and dictionaries are constants. `Index` is an integer expression over loop
variables and sizes, which is emitted only when an operation needs it as an SSA value; `Condition` likewise is a
comparison of such expressions. An `SSAValue` is the result of an operation. The other classes represent buffers, parts
of buffers, and names.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index
from .source import Source


@dataclass(frozen=True, repr=False)
class Name:
    """A name of the language: `T.exp` is "exp", `T.tw.load` is "tw.load"; of `I`, "I.module_attrs"."""

    name: str

    def __repr__(self) -> str:
        return self.name if self.name.startswith("I.") else f"T.{self.name}"


@dataclass(frozen=True)
class Special:
    """A name of a language beside TVMScript, with the function that reads calls of it."""

    name: str
    read: Callable[[Any, ast.Call], Any]


@dataclass(frozen=True)
class Language:
    """A language that extends TVMScript: its names and kinds of statements are looked up before those of TVMScript."""

    name: str
    names: Mapping[str, Any] = field(default_factory=dict[str, Any])
    statements: Mapping[type[ast.stmt], Callable[[Any, Any], None]] = field(
        default_factory=dict[type[ast.stmt], Callable[[Any, Any], None]]
    )


@dataclass(frozen=True)
class Condition:
    """The conjunction of `e >= 0`."""

    conditions: tuple[Index, ...]


@dataclass(frozen=True, eq=False)
class BufferValue:
    """A buffer, or a part of one that has a name: `base` is its first element."""

    value: SSAValue
    shape: tuple[Index, ...]
    strides: tuple[Index, ...] | None = None
    base: tuple[Index, ...] | None = None
    name: str = ""
    extra: int = 0
    """Dimensions of extent 1 behind those of the script, as views of strided arguments have them."""
    is_flat: bool = False
    """True if it is the data of the buffer, `A.data`, whose one index counts elements."""

    def as_flat(self) -> BufferValue:
        return replace(self, is_flat=True)

    @property
    def type(self) -> MemRefType:
        assert isinstance(self.value.type, MemRefType)
        return self.value.type

    @property
    def element(self) -> Attribute:
        return self.type.element_type

    @property
    def scope(self) -> str:
        return loop.scope_of(self.type)

    def at(self, indices: Sequence[Index]) -> tuple[Index, ...]:
        """Return the indices of an element in the whole buffer."""
        behind = (Index.of(0),) * self.extra
        if self.base is None:
            return (*indices, *behind)
        before = len(self.base) - len(indices)  # dimensions of extent 1 that the part leaves out
        return (*self.base[:before], *(b + i for b, i in zip(self.base[before:], indices, strict=True)), *behind)


@dataclass(frozen=True)
class Variable:
    """A name whose value changes: the one element of a buffer."""

    buffer: BufferValue


@dataclass(frozen=True)
class Region:
    """A box of a buffer: for each dimension its first index and its extent."""

    buffer: BufferValue
    box: tuple[tuple[Index, Index], ...]


@dataclass(frozen=True)
class Ramp:
    """The lanes of a vector access along a dimension: `base + stride * lane`."""

    base: Index
    stride: int
    lanes: int


@dataclass(frozen=True)
class Method:
    """A method of a buffer or of a value, to be called."""

    owner: Any
    name: str


@dataclass(frozen=True)
class BufferType:
    """The type of an argument by `T.Buffer(…)`."""

    shape: tuple[Any, ...]
    element: Attribute
    scope: str


@dataclass(frozen=True)
class ScalarType:
    """The type of an argument or of a size by `T.int32`."""

    element: Attribute
    is_exact: bool = False
    """True if an argument of an integer type is an argument, and no size."""


@dataclass(eq=False)
class SizeVariable:
    """A size that is determined by an argument's shape: the result of `n = T.int32()`."""

    name: str
    index: Index | None = None


@dataclass(eq=False)
class HandleValue:
    """An argument of type `T.handle`, to which `T.match_buffer` binds a buffer."""

    name: str
    buffer: BufferValue | None = None


@dataclass(frozen=True)
class Thread:
    """A thread axis that `T.env_thread` names."""

    tag: str


@dataclass
class Nest:
    """Loops around a body, outermost first."""

    loops: list[LoopSpec]
    is_grid: bool = False


@dataclass
class LoopSpec:
    """One loop of a nest."""

    lowers: tuple[Index, ...]
    uppers: tuple[Index, ...]
    kind: loop.LoopKindAttr
    attributes: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    carried: tuple[SSAValue, ...] | None = None
    noalias: tuple[SSAValue, ...] | None = None
    """The captured buffers that are disjoint from the others, where the loop states the captures of its body."""


@dataclass(frozen=True, eq=False)
class Helper:
    """A Python function whose calls are inlined, with the values of its free names."""

    name: str
    node: ast.FunctionDef | ast.Lambda
    source: Source
    scopes: Any = None


@dataclass(frozen=True)
class ModuleName:
    """The module that contains a function, by the name of its class."""

    name: str


@dataclass(frozen=True)
class FunctionName:
    """Another function of the module."""

    name: str


@dataclass(frozen=True)
class PassedArgument:
    """An argument of a foreign call, ready made."""

    argument: loop.Argument
    offset: Index | None = None
    """The number of the element that is meant, where the argument says no more than the buffer."""


Value: TypeAlias = Any
"""One of these, an SSAValue, an Index, or a constant of Python."""

Emit: TypeAlias = Callable[[Operation], SSAValue]


def lanes_of(value: SSAValue) -> int | None:
    """Return the lanes of a vector; None for a scalar."""
    return value.type.get_shape()[0] if isinstance(value.type, VectorType) else None


def element_of(value: SSAValue) -> Attribute:
    """Return the type of a scalar, or of a vector's elements."""
    return value.type.element_type if isinstance(value.type, VectorType) else value.type


def is_number(value: Any) -> bool:
    """Return whether a value is a number of Python."""
    return isinstance(value, (bool, int, float))


def kind_of(value: Any) -> str:
    """Return a noun phrase for a value, for messages."""
    match value:
        case SSAValue():
            return f"a value of type {value.type}"
        case Index():
            return "an index"
        case Condition():
            return "a condition"
        case BufferValue():
            return "a whole buffer"
        case Region():
            return "a region of a buffer"
        case Name():
            return f"{value}"
        case Helper() | Special():
            return f"the function '{value.name}'"
        case SizeVariable():
            return f"the size '{value.name}', which no buffer's shape determines yet"
        case HandleValue():
            return f"the handle '{value.name}'"
        case bool() | int() | float() | str() | None:
            return repr(value) if len(repr(value)) < 60 else f"{repr(value)[:60]}…"
        case _:
            return f"a {type(value).__name__}"
