"""Ranks of schedules by the cost model: Spearman's rho between predicted and measured time.

    python benchmarks/rank_model.py [--rows product convolution rows] [--plans 200] [--seed 0] [--defaults]
                                    [--points FILE.json]

For each row so many plans are drawn by a seeded generator, before any is measured: tilings, orders of loops, chunks of
the reduction, accumulators in registers or in memory, vectors of several lengths, copies of operands. A plan counts
where the schedule engine accepts it and its tile fits the caches: the operands of one run of the innermost reduction
loops, and the results that these accumulate. All are compiled, compared with the default plan's results, and timed in
turns on one thread. Facts of the machine are measured first, as by `tilewright target --measure`. Printed are rho and
its interval of 95 % (bootstrap over plans).
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tilewright
from harness.machine import processor
from tilewright import te, topi
from tilewright.analysis.cost import predict
from tilewright.backends.cpu.host import host_target
from tilewright.diagnostics import TilewrightError
from tilewright.dialects.target import CpuTargetAttr
from tilewright.dialects.target_facts import option_text
from tilewright.tune.machine.sampling import measured_machine

PLANS = 200
ROUNDS = 5
"""Samples of each plan, in turns; the least counts."""
LEAST_SECONDS = 0.002
RESAMPLES = 2000
LANES = (8, 16, 16, 16, 32)
"""Lengths of vectors, drawn with these weights."""
MOST_ACCUMULATORS = 40
"""Vectors of accumulators: somewhat more than any machine has registers."""

Plan = Callable[[], tilewright.Schedule]


@dataclass(frozen=True)
class Row:
    """A problem, and the plans that are drawn for it."""

    name: str
    tensors: Callable[[], list[te.Tensor]]
    """Inputs and the result, of one function."""
    draw: Callable[[random.Random, CpuTargetAttr, Any], tilewright.Schedule | None]
    """A drawn schedule; None where its tile does not fit the caches."""


@dataclass(frozen=True)
class Ranked:
    """Predicted and measured seconds of the plans of a row."""

    row: str
    predicted: np.ndarray
    measured: np.ndarray

    @property
    def rho(self) -> float:
        return spearman(self.predicted, self.measured)

    def interval(self, seed: int = 0) -> tuple[float, float]:
        """Return the interval of 95 % of rho, over resampled plans."""
        rng, count = np.random.default_rng(seed), len(self.measured)
        found = [spearman(self.predicted[k], self.measured[k]) for k in rng.integers(0, count, (RESAMPLES, count))]
        low, high = np.percentile(found, (2.5, 97.5))
        return float(low), float(high)


def ranks(values: np.ndarray) -> np.ndarray:
    """Return the rank of each value, the mean of the ranks among equals."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[inverse]


def spearman(one: np.ndarray, other: np.ndarray) -> float:
    """Return Spearman's rank correlation; 0 where one side has one value only."""
    a, b = ranks(one), ranks(other)
    if a.std() == 0 or b.std() == 0:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


# Drawn plans


def product(m: int = 310, n: int = 530, k: int = 723) -> list[te.Tensor]:
    a, b = te.placeholder((m, k), name="a"), te.placeholder((k, n), name="b")
    r = te.reduce_axis((0, k), "r")
    return [a, b, te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="c")]


def convolution(channels: int = 48, results: int = 80, height: int = 30, width: int = 34) -> list[te.Tensor]:
    """Return a convolution of 3 x 3, stride 1, with the channels of results innermost."""
    x = te.placeholder((channels, height + 2, width + 2), name="x")
    w = te.placeholder((channels, 3, 3, results), name="w")
    c, r, s = te.reduce_axis((0, channels), "c"), te.reduce_axis((0, 3), "r"), te.reduce_axis((0, 3), "s")
    return [
        x,
        w,
        te.compute(
            (height, width, results),
            lambda y, z, o: te.sum(x[c, y + r, z + s] * w[c, r, s, o], axis=[c, r, s]),
            name="c",
        ),
    ]


def chain(rows: int = 384, columns: int = 1000) -> list[te.Tensor]:
    x = te.placeholder((rows, columns), name="x")
    return [x, topi.nn.softmax(x)]


def draw_product(rng: random.Random, target: CpuTargetAttr, sch: Any) -> Any:
    rows, vectors, lanes = _tile(rng)
    chunk = rng.choice([None, None, 32, 64, 128, 256, 512])
    length = chunk or 723
    if not _fits(target, rows * length + length * vectors * lanes + rows * vectors * lanes):
        return None
    block = sch.get_block("c")
    in_registers = chunk is None and rng.random() < 0.7
    result = sch.cache_write(block, 0, "register") if in_registers else None
    i, j, k = sch.get_loops(block)
    i_block = rng.choice([None, 2, 4, 8, 16])
    j_block = rng.choice([None, 2, 4])
    io, im, ii = sch.split(i, [None, i_block or 1, rows])
    jo, jm, jv, jl = sch.split(j, [None, j_block or 1, vectors, lanes])
    ko, ki, ku = sch.split(
        k, [None if chunk else 1, chunk and chunk // 4, 4] if chunk else [1, None, rng.choice([1, 1, 2])]
    )
    outer = [io, jo] if rng.random() < 0.5 else [jo, io]
    outer.insert(rng.randrange(3) if chunk else 2, ko)
    middle = [im, jm] if rng.random() < 0.5 else [jm, im]
    tile = [ii, jv] if rng.random() < 0.5 else [jv, ii]
    return _finish(rng, sch, block, result, [*outer, *middle], [ki, ku], tile, jl, vectors, lanes, copies=(1,))


def draw_convolution(rng: random.Random, target: CpuTargetAttr, sch: Any) -> Any:
    columns, vectors, lanes = _tile(rng)
    chunk = rng.choice([None, None, 4, 8, 16])
    if not _fits(target, (chunk or 48) * 9 * (vectors * lanes + columns + 2) + columns * vectors * lanes):
        return None
    block = sch.get_block("c")
    result = sch.cache_write(block, 0, "register") if chunk is None and rng.random() < 0.7 else None
    y, z, o, c, r, s = sch.get_loops(block)
    zo, zi = sch.split(z, [None, columns])
    oo, ov, ol = sch.split(o, [None, vectors, lanes])
    co, ci = sch.split(c, [None, chunk] if chunk else [1, None])
    outer = [y, zo, oo]
    rng.shuffle(outer)
    outer.insert(rng.randrange(4) if chunk else 3, co)
    reduce = [ci, r, s]
    rng.shuffle(reduce)
    tile = [zi, ov] if rng.random() < 0.5 else [ov, zi]
    return _finish(rng, sch, block, result, outer, reduce, tile, ol, vectors, lanes, copies=(0, 1))


def draw_chain(rng: random.Random, target: CpuTargetAttr, sch: Any) -> Any:
    """Schedule rows one by one or one step after another; draw partial results, vectors, and recomputed values."""
    from tilewright.schedule.handles import BlockRV

    labels = [block.label for block in tilewright.analysis.access.blocks_in(sch.func)]
    lanes, vectors = rng.choice((8, 16, 16, 32)), rng.choice((1, 2, 4, 8))
    is_chain = rng.random() < 0.5
    last = sch.get_block(labels[-1])
    row = sch.get_loops(last)[0]
    for label in reversed(labels[:-1]):
        if is_chain:
            sch.compute_at(sch.get_block(label), row)
    for label in labels:
        block: BlockRV = sch.get_block(label)
        loops = sch.get_loops(block)
        if len(loops) < 2:
            continue
        if label in ("greatest", "total") and rng.random() < 0.8:
            _partial(rng, sch, block, loops[-1], vectors, lanes)
        elif label not in ("greatest", "total") and rng.random() < 0.85:
            _, inner, lane = sch.split(loops[-1], [None, vectors, lanes])
            sch.vectorize(lane)
            if rng.random() < 0.6:
                sch.unroll(inner)
    return sch


def _partial(rng: random.Random, sch: Any, block: Any, terms: Any, vectors: int, lanes: int) -> None:
    """Reduce into as many partial results as vectors have lanes, then these."""
    outer, inner, lane = sch.split(terms, [None, vectors, lanes])
    partial = sch.rfactor(lane, 0)
    loops = sch.get_loops(partial)
    moved = [op for op in loops if sch.loop(op).constant_trip_count == lanes]
    others = [op for op in loops if op not in moved]
    sch.reorder(*others, moved[-1])
    sch.vectorize(moved[-1])


def _tile(rng: random.Random) -> tuple[int, int, int]:
    while True:
        rows, vectors, lanes = rng.randint(1, 16), rng.randint(1, 6), rng.choice(LANES)
        if rows * vectors * lanes / 16 <= MOST_ACCUMULATORS:
            return rows, vectors, lanes


def _fits(target: CpuTargetAttr, elements: int) -> bool:
    return 4 * elements <= target.caches[1] // 2


def _finish(
    rng: random.Random, sch: Any, block: Any, result: Any, outer: list[Any], reduce: list[Any], tile: list[Any],
    lane: Any, vectors: int, lanes: int, copies: Sequence[int],
) -> Any:  # fmt: skip
    """Order the loops, copy an operand, and set kinds."""
    sch.reorder(*outer, *reduce, *tile, lane)
    if rng.random() < 0.4:
        read = sch.cache_read(block, rng.choice(copies), "global")
        sch.compute_at(read, rng.choice(outer[:2]))
        loops = sch.get_loops(read)
        if (sch.loop(loops[-1]).constant_trip_count or 0) >= 16:
            _, inner = sch.split(loops[-1], [None, 16])
            sch.vectorize(inner)
    if result is not None:
        sch.reverse_compute_at(result, outer[-1])
        loops = sch.get_loops(result)
        _, inner, last = sch.split(loops[-1], [1, vectors, lanes])
        sch.vectorize(last)
        sch.unroll(inner)
        sch.unroll(loops[-2])
    if result is not None or rng.random() < 0.8:
        init = sch.decompose_reduction(
            block, reduce[0] if result is not None else _first_reduce(sch, block, outer, reduce)
        )
        below = sch.get_loops(init)
        sch.vectorize(below[-1])
    sch.vectorize(lane)
    written_out = result is not None or rng.random() < 0.8
    for handle in tile:
        if written_out:
            sch.unroll(handle)
    if result is not None:
        for handle in sch.get_loops(sch.get_block("c_init"))[len(outer) : -1]:
            sch.unroll(handle)
    return sch


def _first_reduce(sch: Any, block: Any, outer: list[Any], reduce: list[Any]) -> Any:
    """Return the outermost loop over terms: a chunk's, where the terms are cut."""
    op = sch.block(block)
    driving = {v for _, kind, e, _ in op.iteration() if kind == "reduce" for v in e.values()}
    return next(h for h in [*outer, *reduce] if sch.loop(h).induction_variable in driving)


ROWS = {
    "product": Row("matrix product 310 x 530 x 723", product, draw_product),
    "convolution": Row("convolution 3 x 3, 48 to 80 channels, 30 x 34", convolution, draw_convolution),
    "rows": Row("softmax of 384 rows of 1000", chain, draw_chain),
}


def drawn(row: Row, target: CpuTargetAttr, seed: int, count: int) -> Iterator[Any]:
    """Yield the first `count` drawn schedules that are legal, fit, and are not alike."""
    rng, seen, tries = random.Random(f"{row.name} {seed}"), set[str](), 0
    while len(seen) < count:
        tries += 1
        if tries > 50 * count:
            raise SystemExit(f"error: only {len(seen)} of {tries} drawn plans of '{row.name}' are legal and fit")
        sch = tilewright.Schedule(tilewright.IRModule({"main": te.create_prim_func(row.tensors())}))
        try:
            sch = row.draw(rng, target, sch)
        except TilewrightError:
            continue
        if sch is not None and (text := str(sch.func)) not in seen:
            seen.add(text)
            yield sch


# Measuring


def measure(programs: Sequence[Any], arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Return the seconds of a call of each program: the least of several samples, which are taken in turns."""
    best = np.full(len(programs), np.inf)
    for _ in range(ROUNDS):
        for k, program in enumerate(programs):
            program(*arrays)
            started, calls = time.perf_counter(), 0
            while calls == 0 or time.perf_counter() - started < LEAST_SECONDS:
                one = time.perf_counter()
                program(*arrays)
                best[k] = min(best[k], time.perf_counter() - one)
                calls += 1
    return best


def rank(row: Row, target: CpuTargetAttr, seed: int, count: int) -> Ranked:
    """Draw plans, predict, and only then compile and measure."""
    schedules = list(drawn(row, target, seed, count))
    predicted = np.array([predict(sch.func, target).seconds for sch in schedules])
    tensors = row.tensors()
    arrays = [_array(t, k) for k, t in enumerate(tensors)]
    reference = tilewright.build(tensors, threads=1)
    reference(*arrays)
    expected = arrays[-1].copy()
    programs: list[Any] = []
    for sch in schedules:
        program = tilewright.build(sch, threads=1)
        arrays[-1][:] = 0
        program(*arrays)
        if not np.allclose(arrays[-1], expected, rtol=1e-3, atol=1e-3):
            raise SystemExit(f"error: a plan of '{row.name}' gives another result\n{sch.func}")
        programs.append(program)
    return Ranked(row.name, predicted, measure(programs, arrays))


def _array(tensor: te.Tensor, k: int) -> np.ndarray:
    shape = tuple(int(n) for n in tensor.shape)
    return np.random.default_rng(k).standard_normal(shape, dtype=np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW")
    parser.add_argument("--plans", type=int, default=PLANS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--defaults", action="store_true", help="predict with the facts that a target has unmeasured")
    parser.add_argument("--points", metavar="FILE.json", help="write predicted and measured seconds of each plan")
    args = parser.parse_args()
    target = (host_target() if args.defaults else measured_machine()).with_threads(1)
    print(f"{processor()}: vectors of {target.vector_bits} bits, caches {list(target.caches)}, one thread", flush=True)
    print("facts:", ", ".join(f"{fact.fact} {option_text(fact)}" for fact in target.facts) or "defaults", flush=True)
    points: dict[str, Any] = {}
    for name in args.rows:
        found = rank(ROWS[name], target, args.seed, args.plans)
        low, high = found.interval()
        slow = np.median(found.measured) / found.measured.min()
        print(
            f"{found.row:48} {args.plans} plans  rho {found.rho:.2f} [{low:.2f}, {high:.2f}]  "
            f"fastest {1e3 * found.measured.min():.3f} ms, median {slow:.1f} x, slowest "
            f"{found.measured.max() / found.measured.min():.0f} x",
            flush=True,
        )
        points[name] = {"predicted": found.predicted.tolist(), "measured": found.measured.tolist()}
    if args.points:
        Path(args.points).write_text(json.dumps(points), encoding="utf-8")


if __name__ == "__main__":
    main()
