"""Verdicts on pairs of texts, by `tilewright prove`, with the judge's execution of refutations."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import dataclass

from tilewright.analysis.equivalence import EXACT, Bounded, Proved
from tilewright.diagnostics import TilewrightError
from tilewright.tools.prove import compare, file_of

from .corpus import Pair
from .repetition import repeats

SECONDS = 60.0
"""The time that one proof may take."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on one function of two texts."""

    word: str
    """proved, bounded, refuted, unknown, or unreadable."""
    reason: str
    condition: str | None = None
    """Of a proof: the sizes that it is about, None for all."""
    executed: str = ""
    """Of a refutation: the finding of the judge."""
    sizes: dict[str, int] | None = None
    """Of a proof: sizes that it is about at which every loop of the source runs twice; None if there are none."""
    seconds: float = 0.0

    @property
    def is_decided(self) -> bool:
        """True for a proof that is about sizes at which loops run, and for a refutation."""
        return self.word == "refuted" or (self.word in ("proved", "bounded") and self.sizes is not None)


def verdict(before: str, after: str, function: str, seconds: float = SECONDS, *, executes: bool = True) -> Verdict:
    """Compare a function of two texts; `executes` lets the judge execute a refutation."""
    start = time.monotonic()
    side = "before"
    try:
        source = file_of(before, "before.mlir")
        side = "after"
        target = file_of(after, "after.mlir")
    except TilewrightError as error:
        reason = f"{side}: {str(error).splitlines()[0]}"
        return Verdict("unreadable", reason, seconds=time.monotonic() - start)
    args = Namespace(function=function, seconds=seconds, may_alias=False, no_execute=not executes)
    compared = compare(source, target, args, EXACT)[0]
    judgement = compared.judgement
    found, sizes = judgement.verdict, None
    if isinstance(found, (Proved, Bounded)):
        sizes = repeats(compared.before, found.condition)
    return Verdict(
        judgement.word, judgement.reason, found.condition, compared.executed, sizes, time.monotonic() - start
    )


def verdict_on(pair: Pair, seconds: float = SECONDS, *, executes: bool = True) -> Verdict:
    """Compare a program with an output."""
    return verdict(pair.program.text, pair.after, pair.program.name, seconds, executes=executes)


def shares(found: Iterable[tuple[Pair, Verdict]]) -> str:
    """Return the decided share of all pairs and of those of symbolic sizes, by pass too."""
    rows = list(found)
    symbolic = [(pair, each) for pair, each in rows if pair.program.is_symbolic]
    lines = [_share("all pairs", rows), _share("symbolic sizes", symbolic)]
    names = sorted({name for pair, _ in rows for name in pair.passes})
    lines += [_share(name, [(pair, each) for pair, each in rows if name in pair.passes]) for name in names]
    return "\n".join(lines)


def _share(name: str, rows: list[tuple[Pair, Verdict]]) -> str:
    decided = sum(each.is_decided for _, each in rows)
    words = ("proved", "bounded", "refuted", "unknown", "unreadable")
    counts = "  ".join(f"{word} {sum(each.word == word for _, each in rows):4}" for word in words)
    return f"{name:40} {decided:4} of {len(rows):4} decided ({100 * decided / max(1, len(rows)):5.1f} %)  {counts}"
