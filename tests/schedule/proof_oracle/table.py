"""The share of correct rewrites that the prover proves: verdicts on six programs, of constant and symbolic sizes.

    python tests/schedule/proof_oracle/table.py [--of calls passes default] [--program matmul ...] [--unproved]

`calls` makes every affine primitive's calls at every place of each program; `passes` runs the passes of phases 1 to 3
on each program as it stands and after a schedule by hand, without vectors; `default` runs the default pipeline for a
CPU with vectors, default schedules included. A refutation counts where the interpreter confirms it. The exit status is
1 where one is, or where less is proved than the bars say.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.append(str(Path(__file__).resolve().parents[2] / "conditions"))

from schedule.proof_oracle.attempts import attempts
from schedule.proof_oracle.six_programs import PROGRAMS
from schedule.proof_oracle.steps import TARGET, Step, passes
from tilewright import TilewrightError
from tilewright.analysis.equivalence import Budget, Unknown
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.schedule import Schedule
from tilewright.semantics.proving import Judgement, prove
from xdsl.dialects.builtin import ModuleOp

VECTORS = frozenset({"vectorize", "store-last"})
"""Passes that are no scalar ones: they make vectors, or hold values in registers for them."""
BARS = {"calls": 0.95, "passes": 0.95, "default": 0.80}
"""The share of each part that has to be proved; what is proved for some sizes counts."""


def of_calls(module: ModuleOp) -> Iterator[Step]:
    """Yield every call that the engine accepts, each on the program as it stands."""
    schedule = Schedule(module)
    for attempt in attempts(schedule):
        step = attempt.step(schedule)
        if step is not None:
            yield step


def of_passes(module: ModuleOp) -> Iterator[Step]:
    """Yield passes on the program as it stands, on tiles of its nests, and on producers in tiles of their consumers."""
    for arrange in (_as_it_stands, _tiled, _near):
        copy = module.clone()
        arrange(Schedule(copy))
        yield from (step for step in passes(copy, without=("auto-schedule", *VECTORS)))


def of_default(module: ModuleOp) -> Iterator[Step]:
    """Yield the default pipeline, default schedules first."""
    copy = module.clone()
    copy.attributes[TARGET_ATTRIBUTE] = TARGET
    yield from passes(copy)


def _as_it_stands(schedule: Schedule) -> None:
    """Make no call."""


def _tiled(schedule: Schedule) -> None:
    """Tile the first two loops around each block by 3 by 5, which do not divide the sizes; inner loops are unrolled."""
    for block in schedule.get_child_blocks():
        if len(loops := schedule.get_loops(block)) >= 2:
            _try(lambda loops=loops: schedule.tile(*loops[:2], 3, 5))
            _try(lambda block=block: schedule.unroll(schedule.get_loops(block)[3]))


def _near(schedule: Schedule) -> None:
    """Put results of reductions into buffers of their own, and producers into tiles of the last block's outermost
    loop."""
    for block in schedule.get_child_blocks():
        if "reduce" in schedule.block(block).kinds:
            _try(lambda block=block: schedule.cache_write(block, 0, "local"))
    *others, last = schedule.get_child_blocks()
    outer, _ = schedule.split(schedule.get_loops(last)[0], [None, 5])
    for block in reversed(others):
        _try(lambda block=block: schedule.compute_at(block, outer))


def _try(call: Callable[[], object]) -> None:
    try:
        call()
    except TilewrightError as error:
        assert error.code.startswith("TW04"), error


PARTS: dict[str, Callable[[ModuleOp], Iterator[Step]]] = {
    "calls": of_calls,
    "passes": of_passes,
    "default": of_default,
}


@dataclass
class Row:
    """The verdicts on the steps of a program."""

    words: Counter[str] = field(default_factory=Counter[str])
    seconds: list[float] = field(default_factory=list[float])
    open: list[str] = field(default_factory=list[str])
    """Unproved steps with their reasons."""
    by_step: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])

    def add(self, step: Step, judged: Judgement) -> None:
        word = "axiom missing" if judged.lacks_axiom else judged.word
        self.words[word] += 1
        self.seconds.append(judged.verdict.seconds)
        self.by_step.setdefault(step.name.split(" ")[0].strip(","), Counter())[word] += 1
        if word not in ("proved", "bounded"):
            self.open.append(f"{step.name}: {word}, {judged.reason}")

    def merge(self, other: Row) -> None:
        self.words += other.words
        self.seconds += other.seconds
        self.open += other.open
        for name, counts in other.by_step.items():
            self.by_step.setdefault(name, Counter()).update(counts)

    @property
    def share(self) -> float:
        """Of what is proved, for all sizes or for some."""
        return (self.words["proved"] + self.words["bounded"]) / max(1, self.words.total())

    def cells(self, name: str) -> str:
        columns = [self.words[w] for w in ("proved", "bounded", "refuted", "axiom missing", "unknown")]
        times = f"{median(self.seconds):.2f} / {max(self.seconds):.1f}" if self.seconds else "-"
        return f"| {name} | {self.words.total()} | {' | '.join(map(str, columns))} | {self.share:.1%} | {times} |"


HEAD = "| {} | steps | proved | bounded | refuted | axiom missing | unknown | share | seconds, median / most |"
RULE = "|---|---|---|---|---|---|---|---|---|"


def judge(part: str, name: str, budget: Budget) -> Row:
    """Return the verdicts on the steps of one part for one program."""
    row = Row()
    for step in PARTS[part](PROGRAMS[name]()):
        try:
            judged = prove(step.before, step.after, step.algebra, budget)
        except Exception as error:
            judged = Judgement(Unknown(f"the prover failed: {type(error).__name__}: {error}"))
        row.add(step, judged)
    return row


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; the exit status says whether the bars are reached and nothing right is refuted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", choices=PARTS, nargs="+", default=list(PARTS), help="which parts (default: all)")
    parser.add_argument("--program", choices=PROGRAMS, nargs="+", default=list(PROGRAMS), help="which (default: all)")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="N", help="for each proof at most (default: 20)")
    parser.add_argument("--by-step", action="store_true", help="count by the names of primitives and passes too")
    parser.add_argument("--unproved", action="store_true", help="tell each step that is not proved")
    options = parser.parse_args(arguments)
    is_good = True
    for part in options.of:
        print(f"\n{HEAD.format(part)}\n{RULE}")
        total = Row()
        for name in options.program:
            row = judge(part, name, Budget(seconds=options.seconds))
            print(row.cells(name), flush=True)
            row.open = [f"{name}: {each}" for each in row.open]
            total.merge(row)
        print(total.cells("all"))
        is_good &= total.share >= BARS[part] and not total.words["refuted"]
        _report(total, by_step=options.by_step, unproved=options.unproved)
    return int(not is_good)


def _report(total: Row, *, by_step: bool, unproved: bool) -> None:
    reasons = Counter(each.rsplit(": ", 1)[-1].split(", ", 1)[-1] for each in total.open)
    for reason, count in reasons.most_common():
        print(f"  {count}: {reason}")
    for name, counts in sorted(total.by_step.items()) if by_step else ():
        print(f"  {name:26} {', '.join(f'{word} {n}' for word, n in counts.most_common())}")
    for each in total.open if unproved else ():
        print(f"  {each}")


if __name__ == "__main__":
    sys.exit(main())
