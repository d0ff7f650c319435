"""The base of all schedules: the function, the trace, and the handles of blocks and loops.

A primitive goes from handles to operations with `block`, `loop`, `block_or_loop` and `buffer_of`, and back with
`handle_of`. `retire` reports operations that were removed, `stand_for` handles that refer to other operations
afterwards, and `note_algebra` changes of arithmetic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, overload

from xdsl.dialects.builtin import LocationAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..analysis.access import blocks_in
from ..analysis.dominance import verify_dominance
from ..analysis.equivalence import EXACT, Algebra, Axiom
from ..diagnostics import TilewrightError, fail
from ..diagnostics.errors import UnknownNameError
from ..diagnostics.expectations import WRONG_TYPE, coded
from ..diagnostics.locations import caller_location, written_name
from ..diagnostics.text import did_you_mean
from ..diagnostics.verification import verify
from ..dialects import loop
from ..dialects.ir_module import Function, IRModule
from ..ir import editor as edit
from ..lazy import Slot
from .buffer_argument import BufferLike, Side, buffer_at
from .handles import BlockRV, LoopRV, ValueRV
from .primitive_declaration import find_primitive, primitives
from .refusal import BAD_ARGUMENT, NOT_FOUND, STALE, point_at_call
from .trace import Trace
from .unique_names import buffers_of, keep_names, numbered
from .validation import CallProofs, proofs_for

HAS_NO_MEANING: Slot[Mapping[str, str]] = Slot("schedule.engine:HAS_NO_MEANING")
"""Methods that schedules of other stacks have and these have not, with the reason."""

T = TypeVar("T", bound=Operation)


class Handles(NamedTuple):
    """The operations of a schedule's handles, the reasons why other handles are invalid, and the number of handles for
    each prefix."""

    ops: dict[BlockRV | LoopRV, Operation]
    retired: dict[BlockRV | LoopRV, str]
    counts: dict[str, int]


class Engine:
    """One function of loop IR under transformation, and the handles given out for its blocks and loops."""

    func: FuncOp
    trace: Trace
    algebra: Algebra
    """The effects of primitives on arithmetic: whether one changed the order in which a reduction combines its terms,
    and which equations they used that hold for most numbers."""

    call_location: LocationAttr | None
    """The source location of the running call, when that is not the line of Python that makes it."""
    is_recording: bool
    """True while a recorded method runs."""

    decision: Any
    """The decision of the running call, where it is one that draws: it becomes part of the instruction."""

    random: Random
    """The source of decisions that no call states."""

    proofs: CallProofs | None
    """The proofs of the calls so far; None where calls are not proved."""

    @coded
    def __init__(
        self,
        root: Function | FuncOp | ModuleOp | Mapping[str, Any] | None = None,
        function: str | None = None,
        *,
        validate: str | None = None,
    ) -> None:
        try:
            self.func = _function(_as_operation(root), function)
            if root is not self.func:  # made by the caller
                verify(self.func)
                verify_dominance(self.func)
            self.proofs = proofs_for(validate)
        except TilewrightError as error:
            point_at_call(error, caller_location("schedule"))
            raise
        self.trace = Trace()
        self.algebra = EXACT
        self.call_location = None
        self.is_recording = False
        self._ops: dict[BlockRV | LoopRV, Operation] = {}
        self._retired: dict[BlockRV | LoopRV, str] = {}
        self._counts = {"b": 0, "l": 0, "v": 0}
        self.decision = None
        self.random = Random(0)
        self._marks: dict[LoopRV, Literal["root", "inline"]] = {}
        self._labelled: dict[str, loop.BlockOp] = {}
        _make_buffer_names_unique(self.func)
        self._names = keep_names(self.func)

    @property
    def reassociates(self) -> bool:
        """True once a primitive changed the order in which a reduction combines its terms."""
        return self.algebra.reassociates

    def note_algebra(self, *axioms: Axiom, reassociates: bool = False) -> None:
        """Note the effects of a primitive on arithmetic."""
        self.algebra |= Algebra(reassociates=reassociates, axioms=frozenset(axioms))

    @contextmanager
    def calls_at(self, location: LocationAttr | None) -> Generator[None, None, None]:
        """Let errors of the calls inside the `with` point at `location`: a line of a file, or of a recorded call."""
        before, self.call_location = self.call_location, location or self.call_location
        try:
            yield
        finally:
            self.call_location = before

    def as_declared(
        self, name: str, positional: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Sequence[Any], Mapping[str, Any]]:
        """Return the arguments of a call of a primitive as its declaration has them: a face may have other keywords."""
        return positional, keywords

    def block(self, handle: BlockRV) -> loop.BlockOp:
        """Return the operation behind a handle. Raises TilewrightError TW0404 where a primitive has replaced it."""
        return self._operation(handle, loop.BlockOp)

    def named_block(self, name: str) -> BlockRV:
        """Return the block of that label by a call of `get_block`, which the trace has. Raises TilewrightError
        TW0407."""
        lookup = find_primitive("get_block")
        assert lookup is not None
        return lookup.call(self, name)

    def loop(self, handle: LoopRV) -> loop.ForOp:
        """Return the operation behind a handle. Raises TilewrightError TW0404 where a primitive has replaced it."""
        return self._operation(handle, loop.ForOp)

    def block_or_loop(self, handle: BlockRV | LoopRV) -> loop.BlockOp | loop.ForOp:
        """Return the operation behind a handle. Raises TilewrightError TW0404 where a primitive has replaced it."""
        return self.block(handle) if isinstance(handle, BlockRV) else self.loop(handle)

    def buffer(self, name: str | SSAValue) -> SSAValue:
        """Return the buffer of that name. Raises TilewrightError TW0407 where there is none."""
        if isinstance(name, SSAValue):
            return name
        buffers = buffers_of(self.func)
        found = next((b for b in buffers if b.name_hint == name), None)
        if found is None:
            names = ", ".join(f"%{b.name_hint}" for b in buffers)
            fail(NOT_FOUND, f"expected a buffer %{name}, but the buffers are {names}", op=self.func)
        return found

    def buffer_of(self, primitive: str, block: loop.BlockOp, buffer: BufferLike, side: Side) -> SSAValue:
        """Return a buffer as users name it: by its name, or by its position among those that a block reads or
        writes."""
        if isinstance(buffer, (str, SSAValue)):
            return self.buffer(buffer)
        return buffer_at(primitive, block, buffer, side)

    @property
    def handles(self) -> Handles:
        """The operations of the handles."""
        return Handles(dict(self._ops), dict(self._retired), dict(self._counts))

    @handles.setter
    def handles(self, known: Handles) -> None:
        self._ops, self._retired, self._counts = known

    def block_known_as(self, label: str) -> loop.BlockOp | None:
        """Return the outermost block of a label that no other one had when the blocks were last looked through.

        So asking for each of many blocks does not look through all of them each time. None: look.
        """
        found = self._labelled.get(label)
        if found is None:
            blocks = blocks_in(self.func)
            several = Counter(block.label for block in blocks)
            self._labelled = {block.label: block for block in blocks if several[block.label] == 1}
            found = self._labelled.get(label)
        if found is None or found.label != label or not self.func.is_ancestor(found):
            return None
        return found if next(loop.enclosing(found, loop.BlockOp), None) is None else None

    @overload
    def handle_of(self, op: loop.BlockOp) -> BlockRV: ...

    @overload
    def handle_of(self, op: loop.ForOp) -> LoopRV: ...

    def handle_of(self, op: loop.BlockOp | loop.ForOp) -> BlockRV | LoopRV:
        """Return a handle for a block or a loop of the function."""
        if isinstance(op, loop.BlockOp):
            self._names.enter(op)
            handle = BlockRV(self._fresh("b"), op.label)
        else:
            handle = LoopRV(self._fresh("l"), written_name(op.induction_variable) or "?")
        self._ops[handle] = op
        return handle

    def value_of(self, value: int) -> ValueRV:
        """Return a number that the running call has drawn, with its name in the trace."""
        return ValueRV(value, self._fresh("v"))

    def handle_of_mark(self, mark: Literal["root", "inline"]) -> LoopRV:
        """Return a handle without a loop: `compute_at` leaves a block where it is, or computes it inline."""
        handle = LoopRV(self._fresh("l"), mark)
        self._marks[handle] = mark
        return handle

    def mark_of(self, handle: LoopRV) -> Literal["root", "inline"] | None:
        """Return the mark of a handle that `handle_of_mark` gave; None for other handles."""
        return self._marks.get(handle)

    def handle_of_function(self) -> BlockRV:
        """Return a handle for the whole function, called "root", of which queries alone are made."""
        handle = BlockRV(self._fresh("b"), "root")
        self._ops[handle] = self.func
        return handle

    def is_function(self, handle: BlockRV | LoopRV) -> bool:
        """Return whether a handle refers to the whole function."""
        return self._ops.get(handle) is self.func

    def handles_of(self, loops: Iterable[loop.ForOp]) -> tuple[LoopRV, ...]:
        """Return handles for loops of the function, in the order given."""
        return tuple(self.handle_of(op) for op in loops)

    def handles_in_order(self, blocks: Container[loop.BlockOp]) -> tuple[BlockRV, ...]:
        """Return handles for blocks of the function, in program order."""
        return tuple(self.handle_of(b) for b in blocks_in(self.func) if b in blocks)

    def _fresh(self, prefix: str) -> str:
        self._counts[prefix] += 1
        return f"{prefix}{self._counts[prefix] - 1}"

    def retire(self, op: Operation, how: str) -> None:
        """Invalidate handles of `op`, whether or not the operation was reused; errors say that it was `how`.

        `how` is a participle, such as "fused".
        """
        for handle in [h for h, target in self._ops.items() if target is op]:
            del self._ops[handle]
            self._retired[handle] = how

    def forget(self, handle: BlockRV | LoopRV) -> None:
        """Invalidate a handle."""
        del self._ops[handle]
        self._retired[handle] = "removed"

    def stand_for(self, op: Operation, other: Operation) -> None:
        """Let handles of `op` refer to another operation."""
        self._ops.update({handle: other for handle, target in self._ops.items() if target is op})

    if not TYPE_CHECKING:  # type checkers know the methods of `methods.py` and no others

        def __getattr__(self, name: str) -> Any:
            """Return a primitive that a user registered, as a method."""
            if name.startswith("_"):
                raise AttributeError(f"a schedule has no attribute {name!r}")
            primitive = find_primitive(name)
            if primitive is None and name in HAS_NO_MEANING.value:
                location = caller_location("schedule")
                reason = f"a schedule has no {name!r}: {HAS_NO_MEANING.value[name]}"
                raise UnknownNameError("TW0477", reason, location=location)
            if primitive is None:
                raise UnknownNameError("TW0225", f"a schedule has no attribute {name!r}{did_you_mean(name, dir(self))}")
            return partial(primitive.call, self)

        def __dir__(self) -> list[str]:
            return sorted({*super().__dir__(), *primitives()})

    def _operation(self, handle: BlockRV | LoopRV, kind: type[T]) -> T:
        op = self._ops.get(handle)
        if isinstance(op, kind) and self.func.is_ancestor(op):
            return op
        if op is not None and not isinstance(op, kind):
            fail(BAD_ARGUMENT, f"expected a handle of a {kind.name}, but got {handle}", op=self.func)
        if op is None and handle not in self._retired:
            fail(NOT_FOUND, f"expected a handle of this schedule, but got {handle}", op=self.func)
        how = self._retired.get(handle, "removed")
        fail(STALE, f"{handle} is gone: it was {how} by an earlier primitive", op=self.func)


def _as_operation(root: Function | FuncOp | ModuleOp | Mapping[str, Any] | None) -> FuncOp | ModuleOp:
    """Return the operation to transform: the one given, or a copy of the functions in a mapping.

    A user's function outside of any module is copied into one, as @main.
    """
    if isinstance(root, Function):
        return IRModule({"main": root}).op if root.is_program and root.op.parent is None else root.op
    if isinstance(root, Mapping):
        return root.clone().op if isinstance(root, IRModule) else IRModule(root).op
    if not isinstance(root, (FuncOp, ModuleOp)):
        fail(WRONG_TYPE, f"expected a module or a function to transform, but got {root!r}")
    return root


def _function(root: FuncOp | ModuleOp, name: str | None) -> FuncOp:
    if isinstance(root, FuncOp):
        return root
    functions = [op for op in root.ops if isinstance(op, FuncOp) and not op.is_declaration]
    if name is not None:
        found = [f for f in functions if f.sym_name.data == name]
    else:
        found = functions if len(functions) == 1 else [f for f in functions if blocks_in(f)]
    if len(found) != 1:
        names = ", ".join(f"@{f.sym_name.data}" for f in functions)
        wanted = f"a function @{name}" if name else "one function with blocks"
        given = f"the functions are {names}" if names else "there are none"
        fail(NOT_FOUND, f"expected {wanted}, but {given}", op=root)
    return found[0]


def _make_buffer_names_unique(function: FuncOp) -> None:
    """Give every buffer a unique name, so that traces can refer to buffers by name."""
    taken: set[str] = set()
    for buffer in buffers_of(function):
        name = next(n for n in numbered(buffer.name_hint or "buffer") if n not in taken)
        taken.add(name)
        if buffer.name_hint != name:
            edit.rename(buffer, name)
