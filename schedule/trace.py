"""The record of a schedule: what was applied, in order, to which handles. It replays to identical IR."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from ..diagnostics import fail
from .handles import BlockRV, LoopRV

if TYPE_CHECKING:
    from .schedule import Schedule

Handle: TypeAlias = "BlockRV | LoopRV"

METHODS: set[str] = set()
"""The recorded methods of `Schedule`, entered as it is defined: what a trace may call."""


@dataclass(frozen=True)
class Instruction:
    """One call of a `Schedule` method."""

    method: str
    positional: Sequence[Any]
    """Handles, integers, strings, None, and lists of them."""
    keywords: Mapping[str, Any]
    results: tuple[Handle, ...]
    single: bool
    """Whether the call returned one handle rather than a tuple."""


@dataclass
class Trace:
    """The instructions of a schedule in order."""

    instructions: list[Instruction] = field(default_factory=list[Instruction])

    def apply_to(self, schedule: Schedule) -> None:
        """Replay on another schedule, whose function has the blocks and loops that this one began with."""
        known: dict[str, Any] = {}
        for step in self.instructions:
            positional = _map_handles(step.positional, lambda h: known[h.name])
            keywords = {k: _map_handles(v, lambda h: known[h.name]) for k, v in step.keywords.items()}
            value = getattr(schedule, step.method)(*positional, **keywords)
            results = () if value is None else (value,) if step.single else tuple(value)
            if len(results) != len(step.results):
                fail(
                    "TW0408",
                    f"{step.method}: expected {len(step.results)} results as in the trace, but got {len(results)}",
                )
            known.update({h.name: r for h, r in zip(step.results, results, strict=True)})

    def as_python(self, schedule: str = "sch") -> str:
        """The calls as Python source, one a line."""
        return "".join(f"{_as_python(step, schedule)}\n" for step in self.instructions)

    def as_json(self) -> str:
        """The instructions as a JSON list."""
        return json.dumps([_to_json(step) for step in self.instructions], indent=1)

    @staticmethod
    def from_json(text: str) -> Trace:
        """The trace that `as_json` wrote. Raises TilewrightError TW0408 where the text is no trace."""
        try:
            entries = json.loads(text)
            if not isinstance(entries, list):
                raise TypeError("the text is no list")
            return Trace([_from_json(entry) for entry in entries])
        except (ValueError, KeyError, TypeError) as error:
            fail("TW0408", f"expected a trace in JSON, but got {type(error).__name__}: {error}")

    def __str__(self) -> str:
        return self.as_python()


def _map_handles(value: Any, f: Any) -> Any:
    if isinstance(value, (BlockRV, LoopRV)):
        return f(value)
    if isinstance(value, (list, tuple)):
        return [_map_handles(v, f) for v in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def _as_python(step: Instruction, schedule: str) -> str:
    arguments = [*map(_source, step.positional), *(f"{k}={_source(v)}" for k, v in step.keywords.items())]
    call = f"{schedule}.{step.method}({', '.join(arguments)})"
    if not step.results:
        return call
    names = ", ".join(h.name for h in step.results)
    return f"{names}{'' if step.single or len(step.results) > 1 else ','} = {call}"


def _source(value: Any) -> str:
    if isinstance(value, (BlockRV, LoopRV)):
        return value.name
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_source(v) for v in value)}]"  # pyright: ignore[reportUnknownVariableType]
    return repr(value)


def _to_json(step: Instruction) -> dict[str, Any]:
    return {
        "method": step.method,
        "positional": _map_handles(step.positional, _reference),
        "keywords": {k: _map_handles(v, _reference) for k, v in step.keywords.items()},
        "results": [_handle_to_json(h) for h in step.results],
        "single": step.single,
    }


def _reference(handle: Handle) -> dict[str, str]:
    return {"handle": handle.name}


def _handle_to_json(handle: Handle) -> dict[str, str]:
    if isinstance(handle, BlockRV):
        return {"name": handle.name, "block": handle.label}
    return {"name": handle.name, "loop": handle.variable}


def _from_json(entry: Any) -> Instruction:
    if entry["method"] not in METHODS:
        fail("TW0408", f"expected a method of a schedule, but got {entry['method']!r}")
    results = [
        BlockRV(r["name"], r["block"]) if "block" in r else LoopRV(r["name"], r["loop"]) for r in entry["results"]
    ]
    keywords = {k: _argument_from_json(v) for k, v in entry["keywords"].items()}
    positional = _argument_from_json(entry["positional"])
    return Instruction(entry["method"], positional, keywords, tuple(results), entry["single"])


def _argument_from_json(value: Any) -> Any:
    """Only the name of a handle matters to a replay."""
    if isinstance(value, dict):
        return LoopRV(value["handle"], "")
    if isinstance(value, list):
        return [_argument_from_json(v) for v in value]  # pyright: ignore[reportUnknownVariableType]
    return value
