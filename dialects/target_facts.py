"""Facts about a machine that rules and the cost model read from its target: throughputs, latencies, bandwidths, pages.

A target holds the facts that were stated or measured, each with its unit and its source. A fact that it lacks has the
default of this module, which is close to x86-64 cores since 2015. Numbers are per core and in cycles, so that they are
independent of the clock rate; the fact `clock` converts cycles to seconds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, FloatData, StringAttr
from xdsl.ir import ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..hardware import CACHE_LINE_BYTES, MULTIPROCESSOR_REGISTERS

DEFAULT, STATED, MEASURED, SYSTEM = "default", "stated", "measured", "system"
"""Sources of facts: this module, the text of a target, `tilewright target --measure`, the operating system.

Others are names of datasheets.
"""

_SOURCE = re.compile(r"[A-Za-z0-9_.-]+")
_NUMBER = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")


@dataclass(frozen=True)
class FactKind:
    """A quantity of a machine: its unit, its default and the values that make sense."""

    name: str
    unit: str
    default: tuple[float, ...]
    """One number, or one for each of several levels."""
    least: float
    most: float
    meaning: str
    whole: bool = False
    """True where the numbers are integers."""

    def fits(self, numbers: Sequence[float]) -> bool:
        """Return whether numbers can be the values of this fact."""
        return len(numbers) == len(self.default) and all(
            math.isfinite(n) and self.least <= n <= self.most and (not self.whole or n == int(n)) for n in numbers
        )

    @property
    def expected(self) -> str:
        """The values that fit, for messages."""
        count = "a number" if len(self.default) == 1 else f"{len(self.default)} numbers"
        kind = " without fraction" if self.whole else ""
        return f"{count}{kind} from {shown(self.least)} to {shown(self.most)} ({self.unit}): {self.meaning}"

    def read(self, text: str) -> tuple[tuple[float, ...], str] | None:
        """Return the numbers and the source of `4`, `40,10,5` or `4@measured`; None for text that does not fit."""
        values, at, source = text.partition("@")
        words = values.split(",")
        if not all(map(_NUMBER.fullmatch, words)) or (at and not is_source(source)):
            return None
        numbers = tuple(map(float, words))
        return (numbers, source or STATED) if self.fits(numbers) else None


def is_source(name: str) -> bool:
    """Return whether a text is a source that a stated fact can have: a word, and not the source of defaults."""
    return _SOURCE.fullmatch(name) is not None and name != DEFAULT


def _table(*kinds: FactKind) -> Mapping[str, FactKind]:
    return {kind.name: kind for kind in kinds}


CPU_FACTS = _table(
    FactKind("clock", "GHz", (3.0,), 0.01, 100, "cycles in a nanosecond"),
    FactKind("multiply_adds", "1/cycle", (2.0,), 0.01, 64, "vectors of f32 multiply-adds that begin in a cycle"),
    FactKind("multiply_add_latency", "cycle", (4.0,), 1, 1000, "from a multiply-add to one that takes its result"),
    FactKind("loads", "1/cycle", (2.0,), 0.01, 64, "vectors that are loaded from the first cache in a cycle"),
    FactKind("stores", "1/cycle", (1.0,), 0.01, 64, "vectors that are stored to the first cache in a cycle"),
    FactKind(
        *("latencies", "cycle", (5.0, 14.0, 50.0, 400.0), 1, 100_000),
        "of a load from the first to third cache and from memory",
    ),
    FactKind(
        *("bandwidths", "byte/cycle", (40.0, 10.0, 5.0), 0.001, 10_000),
        "reading one stream from the second and third cache and from memory, by one core",
    ),
    FactKind("memory_bandwidth", "byte/cycle", (10.0,), 0.001, 100_000, "reading memory by all threads together"),
    FactKind("line", "byte", (float(CACHE_LINE_BYTES),), 16, 1024, "a cache line", whole=True),
    FactKind("page", "byte", (4096.0,), 1024, 1 << 30, "a page of memory", whole=True),
    FactKind("page_reach", "page", (1536.0,), 8, 1 << 24, "pages whose addresses the processor keeps", whole=True),
    FactKind("fork", "cycle", (4000.0,), 1, 1e6, "to start the threads of a parallel loop and to wait for all of them"),
)
"""The facts of a CPU by name, in the order of text."""

CUDA_FACTS = _table(
    FactKind("processors", "1", (132.0,), 1, 4096, "multiprocessors", whole=True),
    FactKind("resident_threads", "1", (2048.0,), 32, 1 << 16, "threads that a multiprocessor keeps", whole=True),
    FactKind("registers", "1", (float(MULTIPROCESSOR_REGISTERS),), 1024, 1 << 24, "a multiprocessor's", whole=True),
    FactKind("shared_memory", "byte", (float(228 << 10),), 0, 1 << 30, "a multiprocessor's", whole=True),
)
"""The facts of a GPU of NVIDIA by name, in the order of text."""


def shown(number: float) -> str:
    """Return a number as text that reads back as the same: without a fraction where it has none."""
    return str(int(number)) if number == int(number) else format(number, "f").rstrip("0")


@irdl_attr_definition
class FactAttr(ParametrizedAttribute):
    """A fact about a machine: `#target.fact<loads [2] "1/cycle" "measured">`."""

    name = "target.fact"

    kind_name: StringAttr = param_def()
    values: ArrayAttr[FloatData] = param_def()
    unit: StringAttr = param_def()
    source_name: StringAttr = param_def()

    @staticmethod
    def get(kind: FactKind, numbers: Sequence[float], source: str) -> FactAttr:
        """Return the attribute for Python values."""
        values = ArrayAttr(FloatData(float(number)) for number in numbers)
        return FactAttr(StringAttr(kind.name), values, StringAttr(kind.unit), StringAttr(source))

    @property
    def fact(self) -> str:
        """The name of the quantity."""
        return self.kind_name.data

    @property
    def numbers(self) -> tuple[float, ...]:
        return tuple(value.data for value in self.values)

    @property
    def source(self) -> str:
        """The source of the numbers: "measured", "stated", or the name of a datasheet."""
        return self.source_name.data

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[StringAttr | ArrayAttr[FloatData]]:
        with parser.in_angle_brackets():
            fact = parse_fact(parser)
        return fact.kind_name, fact.values, fact.unit, fact.source_name

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(text_of(self))


def parse_fact(parser: AttrParser) -> FactAttr:
    """Parse `loads [2] "1/cycle" "measured"`."""
    name = parser.parse_identifier()
    numbers = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_number)
    unit, source = parser.parse_str_literal(), parser.parse_str_literal()
    values = ArrayAttr(FloatData(float(number)) for number in numbers)
    return FactAttr(StringAttr(name), values, StringAttr(unit), StringAttr(source))


def text_of(fact: FactAttr) -> str:
    """Return the text that `parse_fact` reads."""
    return f'{fact.fact} [{", ".join(map(shown, fact.numbers))}] "{fact.unit.data}" "{fact.source}"'


def checked_facts(facts: Sequence[FactAttr], known: Mapping[str, FactKind]) -> None:
    """Raise VerifyException for facts that a target of this kind does not have, out of order, or twice."""
    for fact in facts:
        kind = known.get(fact.fact)
        if kind is None:
            raise VerifyException(f"expected facts of {', '.join(known)}, but got '{fact.fact}'")
        if fact.unit.data != kind.unit:
            raise VerifyException(f"expected {fact.fact} in {kind.unit}, but got '{fact.unit.data}'")
        if not kind.fits(fact.numbers):
            got = ", ".join(map(str, fact.numbers))
            raise VerifyException(f"expected {fact.fact} to be {kind.expected}, but got [{got}]")
        if not is_source(fact.source):
            raise VerifyException(
                f"expected the source of {fact.fact} as measured, stated or a datasheet, but got '{fact.source}'"
            )
    names, order = [fact.fact for fact in facts], list(known)
    if names != sorted(set(names), key=order.index):
        raise VerifyException(f"expected each fact once, in the order {', '.join(order)}, but got {', '.join(names)}")


def ordered(facts: Sequence[FactAttr], known: Mapping[str, FactKind]) -> list[FactAttr]:
    """Return facts in the order of text; those that are not known stand last."""
    order = list(known)
    return sorted(facts, key=lambda fact: order.index(fact.fact) if fact.fact in known else len(order))


def option_name(fact: str) -> str:
    """Return the name of a fact as an option of a target: `page-reach`."""
    return fact.replace("_", "-")


def option_text(fact: FactAttr) -> str:
    """Return the value of a fact as an option of a target: `40,10,5@measured`."""
    source = "" if fact.source == STATED else f"@{fact.source}"
    return ",".join(map(shown, fact.numbers)) + source
