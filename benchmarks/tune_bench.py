"""The search on kernels that no other benchmark has: with a constant for a model, and with the cost model.

For each kernel, in one process for measuring:

- the number of points of its space, by random walks, and the speed of its plain loops,
- a search of 300 trials from the plain loops, the default plan excluded and every prediction the same: the speed of the
  best of the first 64 trials and of all,
- a search of 64 trials from the default plan with the cost model: whether it leaves the plan, and its gain.

Speeds are in parts of the default plan's, measured in turns with it after the searches. The exit status is 1 where a
line of `verdicts` does not hold; all kernels but one have to reach the speeds. A run takes at most 45 minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from math import exp, inf, log
from pathlib import Path
from random import Random
from statistics import fmean

from harness.machine import describe
from harness.report import describe as described
from harness.report import duration, table_line
from tilewright import IRModule, te, topi
from tilewright.tune.estimate import Estimate
from tilewright.tune.measure.candidates import CandidateMeasure, measure_for
from tilewright.tune.measure.protocol import Options
from tilewright.tune.search import Outcome, Search, Trial, prior_for, search
from tilewright.tune.search.exploring import Explorer
from tilewright.tune.space import Point, RuleSpace
from tilewright.tune.tasks import Task, extract_tasks

FEW, MANY = 64, 300
FEW_SHARE, MANY_SHARE, PLAIN_SHARE = 0.8, 0.95, 0.2
LEAST_POINTS = {"product": 1000, "convolution": 1000, "rows": 50}
PAIRS = 15
SECONDS = 200.0
"""The limit for one search without a model: a run of all kernels takes at most 45 minutes."""
PRIOR_SECONDS = 60.0


@dataclass(frozen=True)
class Kernel:
    """A kernel by its tensor expression."""

    name: str
    kind: str
    define: Callable[[], list[te.Tensor]]

    def task(self) -> Task:
        """Return the task of its largest function."""
        module = IRModule({"main": te.create_prim_func(self.define())})
        return max(extract_tasks(module), key=lambda task: task.flops)


def product(rows: int, columns: int, terms: int) -> Kernel:
    def define() -> list[te.Tensor]:
        a, b = te.placeholder((rows, terms), name="A"), te.placeholder((terms, columns), name="B")
        return [a, b, topi.matmul(a, b)]

    return Kernel(f"product {rows} x {columns} x {terms}", "product", define)


def convolution(inputs: int, outputs: int, size: int, window: int, stride: int = 1) -> Kernel:
    def define() -> list[te.Tensor]:
        x = te.placeholder((1, inputs, size, size), name="X")
        w = te.placeholder((outputs, inputs, window, window), name="W")
        return [x, w, topi.nn.conv2d(x, w, stride, window // 2, 1)]

    name = f"convolution {inputs} to {outputs}, {size}, {window} x {window}{f' / {stride}' if stride > 1 else ''}"
    return Kernel(name, "convolution", define)


def softmax(rows: int, width: int) -> Kernel:
    def define() -> list[te.Tensor]:
        x = te.placeholder((rows, width), name="X")
        return [x, topi.nn.softmax(x)]

    return Kernel(f"softmax {rows} x {width}", "rows", define)


def layer_norm(rows: int, width: int) -> Kernel:
    def define() -> list[te.Tensor]:
        x = te.placeholder((rows, width), name="X")
        scale, shift = te.placeholder((width,), name="S"), te.placeholder((width,), name="B")
        return [x, scale, shift, topi.nn.layer_norm(x, scale, shift, 1)]

    return Kernel(f"layer norm {rows} x {width}", "rows", define)


KERNELS = (
    product(384, 520, 640),
    product(210, 770, 330),
    product(97, 449, 1531),
    convolution(48, 96, 28, 3),
    convolution(80, 120, 20, 1),
    convolution(24, 40, 57, 5, stride=2),
    softmax(700, 1100),
    layer_norm(640, 900),
)


@dataclass(frozen=True)
class Share:
    """The speed of a schedule in parts of the default plan's: default / its time, with the interval of 95 %."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.2f} [{self.low:.2f}, {self.high:.2f}]"


@dataclass(frozen=True)
class Found:
    """The figures of a kernel."""

    kernel: str
    kind: str
    points: float
    plain: Share
    few: Share
    """Of the best of the first trials without a model."""
    many: Share
    few_trials: int
    many_trials: int
    tuned: Share
    """Of the result of the search with the cost model."""
    leaves: bool
    """True where that search leaves the default plan."""
    tuned_trials: int
    proofs: tuple[str, str]
    seconds: float

    @property
    def has_space(self) -> bool:
        return self.points >= LEAST_POINTS[self.kind]

    @property
    def is_slower(self) -> bool:
        """Return True where the interval of tuned / default time is wholly above 1."""
        return self.tuned.high < 1

    @property
    def reaches(self) -> tuple[bool, bool]:
        """The bounds of both numbers of trials."""
        return self.few.median >= FEW_SHARE, self.many.median >= MANY_SHARE


def bench(kernel: Kernel, trials: int, seconds: float, seed: int) -> Found:
    """Search the schedules of a kernel both ways."""
    start = time.monotonic()
    task = kernel.task()
    space = task.space
    points = Explorer(space).estimated_size(Random(seed))
    with measure_for(task.workload(seed), threads=task.threads) as measure:
        few, bare = without_model(space, measure, trials, seconds, seed)
        tuned = search(
            space,
            measure,
            trials=min(trials, FEW),
            budget=min(seconds, PRIOR_SECONDS),
            seed=seed,
            prior=prior_for(task.target),
        )
        others = [few.point, bare.best.point, tuned.best.point]
        shares = shares_of(space, measure, [space.plain, *others])
    return Found(
        kernel.name,
        kernel.kind,
        points,
        *shares[:3],
        min(FEW, len(bare.trials)),
        len(bare.trials),
        shares[3],
        tuned.best.number != tuned.default.number,
        len(tuned.trials),
        (bare.proof, tuned.proof),
        time.monotonic() - start,
    )


def without_model(
    space: RuleSpace, measure: CandidateMeasure, trials: int, seconds: float, seed: int
) -> tuple[Trial, Outcome]:
    """Return the best of the first trials of a search that knows nothing, and the outcome of all of them."""
    found = Search(space, measure, trials=trials, budget=seconds, seed=seed, exclude_default=True)
    found.advance(min(FEW, trials) - 1)
    leaders = found.knowledge.leaders(1)
    few = found.knowledge.trials[leaders[0] if leaders else 0]
    found.advance(trials)
    return few, found.finish()


def shares_of(space: RuleSpace, measure: CandidateMeasure, points: Sequence[Point]) -> list[Share]:
    """Return the speeds of points, each measured in turns with the default plan, which itself has 1."""
    default = space.build(space.default)
    options = Options(repeat=PAIRS, stop_above=inf, timeout=60.0)
    found: list[Share] = []
    for point in points:
        built = space.build(point)
        if built.point == default.point:
            found.append(Share(1.0, 1.0, 1.0))
            continue
        (measured,) = measure([built], default, options)
        if measured.failure is not None:
            raise RuntimeError(f"a schedule that was measured fails: {measured.failure.value}, {measured.detail}")
        speed = Estimate.of([1 / ratio for ratio in measured.ratios])
        found.append(Share(speed.median, speed.low, speed.high))
    return found


HEADER = ("kernel", "points", "plain loops", "64 trials", "300 trials", "with the model", "trials", "proof", "time")


def line(found: Found) -> str:
    """Return the row of a kernel."""
    tuned = str(found.tuned) if found.leaves else "default"
    return table_line(
        (
            found.kernel,
            f"{found.points:.3g}",
            f"{found.plain.median:.3f}",
            str(found.few),
            str(found.many),
            tuned,
            f"{found.few_trials}, {found.many_trials}, {found.tuned_trials}",
            "; ".join(dict.fromkeys(found.proofs)),
            duration(found.seconds),
        )
    )


def verdicts(found: Sequence[Found]) -> list[tuple[str, bool]]:
    """Return the bounds in words, each with its verdict."""
    few, many = (sum(each.reaches[i] for each in found) for i in (0, 1))
    least = len(found) - 1
    return [
        (f"{few} of {len(found)} reach {FEW_SHARE} of the default's speed in {FEW} trials", few >= least),
        (f"{many} of {len(found)} reach {MANY_SHARE} of it in {MANY} trials", many >= least),
        ("spaces have 1,000 points, of rows 50", all(each.has_space for each in found)),
        (f"plain loops have at most {PLAIN_SHARE} of it", all(each.plain.median <= PLAIN_SHARE for each in found)),
        ("no tuned kernel is slower than its default", not any(each.is_slower for each in found)),
    ]


def summary(found: Sequence[Found]) -> str:
    """Count the kernels that leave the default plan, with the mean of the gains."""
    leaving = [each for each in found if each.leaves]
    gain = exp(fmean(log(each.tuned.median) for each in found))
    return f"with the model {len(leaving)} of {len(found)} leave the default plan; geometric mean of gains {gain:.3f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", nargs="*", default=["*"], help="patterns of names of kernels")
    parser.add_argument("--trials", type=int, default=MANY, help="trials of the search without a model")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="the limit for one search")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="a file for the figures")
    args = parser.parse_args()
    machine = describe()
    print("\n".join([*described(machine), "", table_line(HEADER), table_line(["---"] * len(HEADER))]), flush=True)
    found: list[Found] = []
    for kernel in KERNELS:
        if any(fnmatch(kernel.name, f"*{pattern}*") for pattern in args.rows):
            found.append(bench(kernel, args.trials, args.seconds, args.seed))
            print(line(found[-1]), flush=True)
    judged = verdicts(found)
    print("", summary(found), *(f"{'holds' if holds else 'SHORT'}: {words}" for words, holds in judged), sep="\n")
    if args.json is not None:
        args.json.write_text(json.dumps({"machine": machine, "kernels": [asdict(each) for each in found]}, indent=1))
    return 0 if all(holds for _, holds in judged) else 1


if __name__ == "__main__":
    sys.exit(main())
