"""The canonical form of a function of loop IR: equal work has equal text, independent of names and source locations.

The canonical text is the key of tuning records. The form is a clone whose function is called `@kernel`, whose blocks
have the labels b0, b1, … in program order, and whose values have names by kind and position:

| names | values |
|---|---|
| a0, a1, … | arguments |
| t0, t1, … | buffers that the function allocates |
| i0, i1, … | variables of loops |
| vj0, vj1, … | variables of blocks; loops that primitives make for them are j0, j1, … |
| x0, x1, … | all others |

A schedule of the form also applies to the function: `CanonicalNames.restore` renames blocks and values to those of the
function. Blocks and values that primitives derived, such as `b0_init` and `a1_shared`, get the names that primitives
would have derived in the function.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType, StringAttr, UnknownLoc
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..dialects import loop
from ..dialects.target import TargetAttr
from ..ir import editor as edit
from ..traversal import operations
from .regions import loop_hint
from .unique_names import numbered

FUNCTION_NAME = "kernel"
"""The name of every canonical function."""

_TOKEN = re.compile(r"(?:^v?|(?<=_))(b|a|t|i|j|x)(\d+)")
"""A canonical name at the start of a name, behind the v of a block's variable, or behind an underscore."""
_VARIABLE = "vj"
_BUFFER = "buffer"
_UNNAMED = {"b": "block", "a": _BUFFER, "t": _BUFFER, "i": "i", "j": "i", "x": "value"}
"""The name of a derived value whose origin has none, by the kind of the origin."""


@dataclass(frozen=True)
class CanonicalNames:
    """The map from names of the canonical form to names of the function."""

    function: str
    visibility: StringAttr | None
    known: Mapping[str, str | None]

    def restore(self, function: FuncOp) -> FuncOp:
        """Rename the blocks and values of a scheduled canonical form, in place, to the original names."""
        edit.change(function).sym_name = StringAttr(self.function)
        edit.change(function).sym_visibility = self.visibility
        labels: set[str] = set()
        for op in operations(function):
            if isinstance(op, loop.BlockOp):
                edit.change(op).sym = StringAttr(_unique(self.original(op.label) or _UNNAMED["b"], labels))
            for value in _values_of(op):
                if value.name_hint is not None:
                    edit.rename(value, self.original(value.name_hint))
        return function

    def original(self, name: str) -> str | None:
        """Return the name of a canonical name in the function; for a name derived from a canonical one, the
        corresponding derived name."""
        if name in self.known:
            return self.known[name]
        return _TOKEN.sub(self._replacement, name)

    def _replacement(self, token: re.Match[str]) -> str:
        kind, digits = token.groups()
        for end in range(len(digits), 0, -1):
            if (name := f"{kind}{digits[:end]}") in self.known:
                prefix = token.group()[: -len(kind) - len(digits)]
                return f"{prefix}{self.known[name] or _UNNAMED[kind]}{digits[end:]}"
        return token.group()


@dataclass(frozen=True)
class Canonical:
    """A function in canonical form, and its original names."""

    function: FuncOp
    names: CanonicalNames

    def key(self, target: TargetAttr) -> str:
        """Return the digest that records of this work on `target` have: equal text, equal target, equal number of
        threads.

        Facts that were measured do not count: a record names its machine.
        """
        return record_key(str(self.function), target)


def record_key(work: str, target: TargetAttr) -> str:
    """Return the digest by which records of some work on a target are found."""
    return hashlib.sha256(f"{work}\0{target_in_records(target)}".encode()).hexdigest()


def target_in_records(target: TargetAttr) -> str:
    """Return the text of a target in records and their keys: without facts that differ from measurement to
    measurement."""
    return str(target.without_measured_facts)


def canonical(function: FuncOp, *, located: bool = True) -> Canonical:
    """Return a clone of `function` in canonical form.

    Without `located` its operations have no source locations: programs compiled from equal forms are then equal in
    bytes, messages included.
    """
    clone = function.clone()
    known: dict[str, str | None] = {}
    counts, buffers = Counter[str](), set[str]()

    def next_name(kind: str, original: str | None) -> str:
        name = f"{kind}{counts[kind]}"
        counts[kind] += 1
        known[name] = original
        if kind == _VARIABLE:
            known[name[1:]] = None if original is None else loop_hint(original)
        return name

    for op in operations(clone):
        if not located:
            edit.change(op).location = UnknownLoc()
        if isinstance(op, loop.BlockOp):
            edit.change(op).sym = StringAttr(next_name("b", op.label))
        for value in _values_of(op):
            original = value.name_hint
            if isinstance(value.type, MemRefType):
                original = _unique(original or _BUFFER, buffers)  # as a schedule names buffers
            edit.rename(value, next_name(_kind(value), original))
    names = CanonicalNames(clone.sym_name.data, clone.sym_visibility, known)
    edit.change(clone).sym_name = StringAttr(FUNCTION_NAME)
    edit.change(clone).sym_visibility = StringAttr("private")
    return Canonical(clone, names)


def _values_of(op: Operation) -> Iterator[SSAValue]:
    """Yield the results of an operation and the arguments of its blocks."""
    yield from op.results
    for region in op.regions:
        for block in region.blocks:
            yield from block.args


def _kind(value: SSAValue) -> str:
    """Return the first letter of a value's canonical name."""
    owner = value.owner.parent_op() if isinstance(value, BlockArgument) else None
    if isinstance(owner, FuncOp):
        return "a"
    if isinstance(owner, loop.BlockOp):
        return _VARIABLE
    if isinstance(owner, loop.ForOp) and value is owner.induction_variable:
        return "i"
    return "t" if isinstance(value.type, MemRefType) else "x"


def _unique(name: str, taken: set[str]) -> str:
    """Take `name`, with a number where it is taken already, and return it."""
    name = next(each for each in numbered(name) if each not in taken)
    taken.add(name)
    return name
