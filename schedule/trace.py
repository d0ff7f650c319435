"""The record of a schedule: the primitives that were applied, in order, with their handles. It replays to identical IR.

A trace has three texts: MLIR (the schedule dialect, for files), Python (for programs) and JSON (for records).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, NoReturn, Self

from xdsl.utils.exceptions import VerifyException

from ..diagnostics import TilewrightError, fail
from ..diagnostics.verification import verify
from ..dialects.loop.foreign import forbid
from ..lazy import Slot
from .handles import BlockRV, LoopRV, ValueRV
from .primitive_declaration import Primitive, find_primitive
from .trace_arguments import Handle, from_json, map_handles, to_json, to_python

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr

    from .engine import Engine
HTML: Slot[Callable[[Any], str]] = Slot("schedule.trace:HTML")
"""Prints a trace for notebooks."""


@dataclass(frozen=True)
class Instruction:
    """One call of a primitive, a method of `Schedule`."""

    method: str
    positional: Sequence[Any]
    """Arguments as `schedule.trace_arguments` describes them."""
    keywords: Mapping[str, Any]
    results: tuple[Handle, ...]
    single: bool
    """True where the call returned one handle rather than a tuple."""
    location: LocationAttr | None = field(default=None, compare=False)
    """The source location of the call in the file that the trace was read from."""

    def __hash__(self) -> int:
        return hash((self.method, self.results))

    @property
    def primitive(self) -> Primitive:
        """The primitive that is called. Raises TilewrightError TW0408 where none of that name is registered."""
        found = find_primitive(self.method)
        if found is None:
            fail("TW0408", f"expected a primitive of a schedule, but got {self.method!r}", location=self.location)
        return found


@dataclass(eq=False)
class Trace:
    """The instructions of a schedule in order."""

    instructions: list[Instruction] = field(default_factory=list[Instruction])

    def __post_init__(self) -> None:
        self.instructions = list(self.instructions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and self.instructions == other.instructions

    __hash__ = None  # pyright: ignore[reportAssignmentType]  (a list of instructions changes)

    def append(self, instruction: Instruction) -> None:
        """Add an instruction at the end."""
        self.instructions.append(instruction)

    def pop(self) -> Instruction | None:
        """Remove and return the last instruction, if there is one."""
        return self.instructions.pop() if self.instructions else None

    def apply_to(self, schedule: Engine, may_call: Callable[[Instruction], bool] | None = None) -> None:
        """Replay on another schedule, whose function has the blocks and loops that this one began with.

        `may_call` is asked before each call that changes the function; the replay ends where it says no.

        Raises TilewrightError TW0408 where a call returns another number of handles than the recorded one, TW0472 for a
        handle that no step before has made, and the errors of the primitives.
        """
        known: dict[str, Any] = {}
        for step in self.instructions:
            if may_call is not None and not step.primitive.is_query and not may_call(step):
                return
            find = partial(known_handle, known, step)
            positional = map_handles(list(step.positional), find)
            keywords = {k: map_handles(v, find) for k, v in step.keywords.items()}
            with schedule.calls_at(step.location):
                value = getattr(schedule, step.method)(*positional, **keywords)
            results = (value,) if isinstance(value, (BlockRV, LoopRV, ValueRV)) else tuple(value or ())
            if not step.results:
                continue  # their handles are not used
            if len(results) != len(step.results):
                fail(
                    "TW0408",
                    f"{step.method}: expected {len(step.results)} results as in the trace, but got {len(results)}",
                    location=step.location,
                )
            known.update({h.name: r for h, r in zip(step.results, results, strict=True)})

    def as_python(self, schedule: str = "sch") -> str:
        """Return the calls as Python source, one a line."""
        return "".join(f"{_as_python(step, schedule)}\n" for step in self.instructions)

    def as_mlir(self, function: str | None = None) -> str:
        """Return the calls as a `schedule.sequence`, for the function of that name or for the only one."""
        from .trace_mlir import print_sequence

        return print_sequence(self, function)

    @classmethod
    def from_mlir(cls, text: str, name: str = "<schedule>", *, allow_foreign: bool = False) -> Self:
        """Return the trace of a text that `as_mlir`, or a user, wrote; errors call the text `name`.

        Raises TilewrightError TW0435 where the text has not exactly one `schedule.sequence`, TW0670 where it brings
        foreign code, unless that is allowed.
        """
        from .trace_mlir import parse_sequences

        sequences = parse_sequences(text, name, allow_foreign=allow_foreign)
        if len(sequences) != 1:
            fail("TW0435", f"expected one schedule.sequence, but got {len(sequences)}", location=sequences[1].location)
        return cls(sequences[0].trace.instructions)

    def as_json(self) -> str:
        """Return the instructions as a JSON list."""
        return json.dumps([_to_json(step) for step in self.instructions], indent=1)

    @classmethod
    def from_json(cls, text: str, *, allow_foreign: bool = False) -> Self:
        """Read the trace that `as_json` wrote.

        Raises TilewrightError TW0408 where the text is no trace, TW0472 for a handle that no step before has made,
        TW0670 where it brings foreign code, unless that is allowed.
        """
        from .trace_mlir import to_sequence

        try:
            entries = json.loads(text)
            if not isinstance(entries, list):
                raise TypeError("the text is no list")
            trace = cls([_from_json(entry) for entry in entries])
            verify(to_sequence(trace))  # the verifiers of operations check the arguments of steps
        except TilewrightError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, VerifyException) as error:
            fail(
                "TW0408",
                f"expected a trace in JSON, but got {type(error).__name__}: {error}",
                help="write it with trace.as_json()",
            )
        if not allow_foreign:
            trace.forbid_foreign()
        return trace

    def forbid_foreign(self) -> None:
        """Raise TilewrightError TW0670 for the first instruction that brings foreign code."""
        for step in self.instructions:
            primitive = step.primitive
            if primitive.brings_foreign_code(primitive.arguments(step.positional, step.keywords)):
                forbid(f"{step.method} adds foreign code", location=step.location)

    def __str__(self) -> str:
        return self.as_python()

    def _repr_html_(self) -> str:
        """Return the trace as coloured HTML, as notebooks show it."""
        return HTML.value(self)


def known_handle(known: Mapping[str, Any], step: Instruction, handle: Handle) -> Any:
    """Return the block or loop behind a handle that a step uses. Raises TilewrightError TW0472 where no step has made
    it."""
    if handle.name not in known:
        fail_unknown_handle(step.method, repr(handle.name), step.location)
    return known[handle.name]


def fail_unknown_handle(method: str, name: str, location: LocationAttr | None) -> NoReturn:
    fail(
        "TW0472",
        f"{method}: expected a handle that an instruction before has returned, but got {name}",
        location=location,
        help="get_block and get_loops return handles of what the function has; put them before their first use",
    )


def _as_python(step: Instruction, schedule: str) -> str:
    arguments = [*map(to_python, step.positional), *(f"{k}={to_python(v)}" for k, v in step.keywords.items())]
    call = f"{schedule}.{step.method}({', '.join(arguments)})"
    if not step.results:
        return call
    names = ", ".join(h.name for h in step.results)
    return f"{names}{'' if step.single or len(step.results) > 1 else ','} = {call}"


def _to_json(step: Instruction) -> dict[str, Any]:
    return {
        "method": step.method,
        "positional": [to_json(v) for v in step.positional],
        "keywords": {k: to_json(v) for k, v in step.keywords.items()},
        "results": [_handle_to_json(h) for h in step.results],
        "single": step.single,
    }


def _handle_to_json(handle: Handle) -> dict[str, Any]:
    if isinstance(handle, ValueRV):
        return {"name": handle.name, "value": int(handle)}
    if isinstance(handle, BlockRV):
        return {"name": handle.name, "block": handle.label}
    return {"name": handle.name, "loop": handle.variable}


def _handle_from_json(data: Any) -> Handle:
    is_value = "value" in data
    names = [data["name"], data["block" if "block" in data else "name" if is_value else "loop"]]
    # The first becomes a name in Python's text.
    if not all(isinstance(name, str) for name in names) or not names[0].isidentifier() or iskeyword(names[0]):
        raise ValueError(f"the handle {data!r}")
    if is_value:
        return ValueRV(_integer(data["value"]), names[0])
    return BlockRV(*names) if "block" in data else LoopRV(*names)


def _integer(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"the value {value!r}")
    return value


def _from_json(entry: Any) -> Instruction:
    results = [_handle_from_json(r) for r in entry["results"]]
    keywords = {k: from_json(v) for k, v in entry["keywords"].items()}
    positional = from_json(entry["positional"])
    step = Instruction(entry["method"], positional, keywords, tuple(results), entry["single"])
    step.primitive.arguments(positional, keywords)  # a TypeError names the misfit
    return step
