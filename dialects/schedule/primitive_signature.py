"""Signatures of the methods of a schedule, as their operations need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute

from ...diagnostics.text import did_you_mean
from .argument_values import DESCRIPTIONS
from .handle_types import BLOCK, LOOP, VALUE

RESULT_TYPES: dict[str, Attribute] = {"block": BLOCK, "loop": LOOP, "value": VALUE}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method."""

    name: str
    required: bool = True
    variadic: bool = False
    """True for the parameter that takes all further arguments; a method has at most one."""
    accepts: frozenset[str] = frozenset()
    """The kinds of values that it takes, as `values.kind_of` names them; empty where any will do."""

    @property
    def expected(self) -> str:
        """A description of the accepted arguments, for messages."""
        return " or ".join(text for kind, text in DESCRIPTIONS.items() if kind in self.accepts)


@dataclass(frozen=True)
class PrimitiveSignature:
    """A method of a schedule."""

    name: str
    parameters: tuple[Parameter, ...]
    results: tuple[str, ...]
    """The kinds of its results, "block", "loop" or "value"; where their number varies, the one kind of all."""
    varies: bool = False
    summary: str = ""

    @property
    def positional(self) -> tuple[Parameter, ...]:
        """The parameters whose arguments come first in the text."""
        return tuple(p for p in self.parameters if p.required or p.variadic)

    def parameter(self, name: str) -> Parameter | None:
        return next((p for p in self.parameters if p.name == name), None)

    def unknown_parameter(self, name: str) -> str:
        """Return the message for an argument that the method does not take."""
        names = [p.name for p in self.parameters]
        known = f"takes {', '.join(names)}" if names else "takes no arguments"
        return f"{self.name} {known}, but got '{name}'{did_you_mean(name, names)}"

    def result_types(self, count: int) -> Sequence[Attribute]:
        """Return the types of the method's results, of which `count` were asked for."""
        kinds = self.results * count if self.varies else self.results
        return [RESULT_TYPES[kind] for kind in kinds]
