"""
Random ONNX models, compiled and run, against onnxruntime.

    python tests/fuzz/onnx_campaign.py [--seed 0] [--count 2000] [--jobs 2] [--out build/fuzz-onnx]
    python tests/fuzz/onnx_campaign.py --seed 0 --number 17

A model has 2 to 8 nodes of the operators that the importer takes, with random types, attributes and operands; two in
five have a batch whose size is known only when they are called, and are called with 0, 1 and more. What each element
may differ by is measured (`onnx_tolerance.py`). Where onnxruntime differs by more, the evaluator that comes with the
standard decides: a model is wrong unless its results are that one's, within the same bounds. A model that fails is
saved with its data, and made smaller: with one output, and the nodes that it needs. The exit status is 1 if anything
was wrong.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import tilewright
from onnx.reference import ReferenceEvaluator
from tilewright.diagnostics import TilewrightError
from tilewright.toolchain.forks import Ended, run_forked
from xdsl.dialects.builtin import ModuleOp

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    sys.path.append(str(Path(__file__).resolve().parents[1] / "conditions"))
    __package__ = "fuzz"

from hangs import HANG

from .draw import Draw
from .onnx_makers import MAKERS
from .onnx_pool import BATCH, LENGTH, Info, Pool, Unfit, reads
from .onnx_tolerance import MANY_RUNS, RUNS, NotComparable, import_unfolded, tolerances
from .processes import in_processes

SAME, REFERENCE, REFUSED, DIFFERENT, FAILED, NOT_RUN, NOT_COMPARABLE = (
    "same",
    "as the standard's reference, unlike onnxruntime",
    "refused",
    "different",
    "failed",
    "not run by onnxruntime",
    "not comparable",
)
BAD = (DIFFERENT, FAILED)
COMPARED = (SAME, REFERENCE, DIFFERENT)
REFUSALS = ("TW0302", "TW0304", "TW0305", "TW0306", "TW0317")
"""Codes with which the importer may refuse a valid model."""


@dataclass
class Verdict:
    """The verdict on a model."""

    number: int
    outcome: str
    detail: str = ""
    operators: list[str] = field(default_factory=list[str])
    loose: float = 0.0
    """The share of elements that may differ by more than a hundredth of the greatest."""


@dataclass
class Case:
    """A model and the data of its runs, one for each size of the batch."""

    model: onnx.ModelProto
    runs: list[dict[str, np.ndarray]]
    by_value: tuple[str, ...] = ()
    """The inputs that decide shapes, axes and counts."""


def draw_case(seed: int, number: int) -> tuple[Pool, Case]:
    """Return the model of a number."""
    pool = Pool(Draw(seed, number))
    draw, count = pool.draw, pool.draw.between(2, 8)
    names = sorted(MAKERS)
    for _ in range(40):
        if len(pool.nodes) >= count:
            break
        operator = draw.one_of(names)
        before = len(pool.inputs), dict(pool.values), len(pool.nodes)
        try:
            MAKERS[operator](pool, operator)
        except Unfit:
            _take_back(pool, *before)
    model = pool.model(pool.results())
    symbolic = any(isinstance(size, str) for info in pool.inputs for size in info.shape)
    sizes = [(draw.one_of((2, 3, 5, 8)), draw.between(2, 6)), (1, 1), (0, 3)] if symbolic else [(1, 1)]
    integral = draw.chance(0.2)
    runs = [pool.data(model, {BATCH: batch, LENGTH: length}, integral) for batch, length in sizes]
    return pool, _case(pool, model, runs)


def _case(pool: Pool, model: onnx.ModelProto, runs: list[dict[str, np.ndarray]]) -> Case:
    names = {value.name for value in model.graph.input}
    return Case(model, runs, tuple(name for name in pool.numerals if name in names))


def _take_back(pool: Pool, inputs: int, values: dict[str, Info], nodes: int) -> None:
    del pool.inputs[inputs:]
    del pool.nodes[nodes:]
    pool.values = values


def judge(case: Case) -> tuple[str, str, float]:
    """Return (outcome, detail, share of elements whose tolerance says little)."""
    expected = [_expected(case.model, data) for data in case.runs]
    if expected[0] is None:
        return NOT_RUN, "", 0.0
    try:
        unfolded = [_unfolded(case, data) for data in case.runs]
        allowed = [_allowed(module, data, RUNS) for module, data in zip(unfolded, case.runs, strict=True)]
        if all(each is None for each in allowed):
            return NOT_COMPARABLE, "", 0.0
        program = tilewright.compile(case.model, "cpu")
    except TilewrightError as error:
        return (REFUSED if error.code in REFUSALS else FAILED), f"{error.code} {error}", 0.0
    loose: list[float] = []
    for module, data, wanted, each in zip(unfolded, case.runs, expected, allowed, strict=True):
        if wanted is None or each is None:
            continue
        actual = program(*data.values())
        results = list(actual) if isinstance(actual, (tuple, list)) else [actual]
        problem = _difference(results, wanted, each)
        if problem:
            each = _allowed(module, data, MANY_RUNS) or each
            problem = _difference(results, wanted, each)
        if problem:
            detail = f"{problem}; inputs of shapes {[v.shape for v in data.values()]}"
            return (REFERENCE if _is_reference(case.model, data, results, wanted, each) else DIFFERENT), detail, 0.0
        loose += [_loose(w, a) for w, a in zip(wanted, each, strict=True)]
    return SAME, "", float(np.mean(loose)) if loose else 0.0


def _unfolded(case: Case, data: dict[str, np.ndarray]) -> ModuleOp:
    """Import the model for the sizes of a run, or for all sizes where one is 0 and nodes refuse a known size of 0."""
    try:
        return import_unfolded(case.model, data, case.by_value)
    except TilewrightError:
        if all(array.size for array in data.values()):
            raise
        return import_unfolded(case.model, {name: data[name] for name in case.by_value}, case.by_value)


def _expected(model: onnx.ModelProto, data: dict[str, np.ndarray]) -> list[np.ndarray] | None:
    """Return onnxruntime's results; None if it refuses the model or its process dies, as with an empty LSTM."""
    found = run_forked(lambda: _run_onnxruntime(model, data), HANG)
    return None if isinstance(found, Ended) else found


def _run_onnxruntime(model: onnx.ModelProto, data: dict[str, np.ndarray]) -> list[np.ndarray] | None:
    """Return the results of the model as it is, without rewriting."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return session.run(None, data)
    except Exception:  # its exceptions have no class of their own in common
        return None


def _is_reference(
    model: onnx.ModelProto,
    data: dict[str, np.ndarray],
    results: Sequence[object],
    expected: Sequence[np.ndarray],
    allowed: Sequence[np.ndarray],
) -> bool:
    """Return whether every result that is not onnxruntime's is that of the evaluator that comes with the standard."""
    for k, output in enumerate(model.graph.output):
        if not _difference(results[k : k + 1], expected[k : k + 1], allowed[k : k + 1]):
            continue
        try:
            behind = _behind(model, output)
            inputs = {value.name: data[value.name] for value in behind.graph.input}
            (wanted,) = ReferenceEvaluator(behind).run(None, inputs)
        except Exception:  # what it lacks ends in exceptions of every class
            return False
        if _difference(results[k : k + 1], [np.asarray(wanted)], allowed[k : k + 1]):
            return False
    return True


def _behind(model: onnx.ModelProto, output: onnx.ValueInfoProto) -> onnx.ModelProto:
    """Return the part of a model that an output needs."""
    needed, nodes = {output.name}, list[onnx.NodeProto]()
    for node in reversed(model.graph.node):
        if needed & set(node.output):
            nodes.append(node)
            needed |= reads(node)
    part = onnx.ModelProto()
    part.CopyFrom(model)
    for of_all, of_part in (
        (part.graph.node, nodes[::-1]),
        (part.graph.output, [output]),
        (part.graph.input, [value for value in model.graph.input if value.name in needed]),
    ):
        del of_all[:]
        of_all.extend(of_part)  # pyright: ignore[reportArgumentType, reportUnknownMemberType]
    return part


def _allowed(module: object, data: dict[str, np.ndarray], runs: int) -> list[np.ndarray] | None:
    try:
        return tolerances(module, list(data.values()), runs)  # pyright: ignore[reportArgumentType]
    except NotComparable:
        return None


def _difference(actual: Sequence[object], expected: Sequence[np.ndarray], allowed: Sequence[np.ndarray]) -> str:
    if len(actual) != len(expected):
        return f"{len(actual)} results, not {len(expected)}"
    for position, (a, b, tolerance) in enumerate(zip(map(np.asarray, actual), expected, allowed, strict=True)):
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            return f"output {position}: {a.dtype}{[*a.shape]}, not {b.dtype}{[*b.shape]}"
        if tolerance.shape != b.shape:
            return f"output {position}: the reference has shape {[*tolerance.shape]}, not {[*b.shape]}"
        x, y = a.astype(np.float64), b.astype(np.float64)
        with np.errstate(invalid="ignore"):
            wrong = ~((x == y) | (np.isnan(x) & np.isnan(y)) | (np.abs(x - y) <= tolerance))
        if wrong.any():
            at = tuple(int(k) for k in np.argwhere(wrong)[0])
            values = f"{a[at]}, not {b[at]} within {tolerance[at]:.3g}"
            return f"output {position} at {list(at)}: {values}; {wrong.sum()} of {a.size}"
    return ""


def _loose(expected: np.ndarray, allowed: np.ndarray) -> float:
    if not expected.size:
        return 0.0
    greatest = float(np.abs(expected.astype(np.float64)).max())
    return float((allowed > 0.01 * max(greatest, 1e-30)).mean())


def draw_one(seed: int, number: int, directory: Path | None = None) -> Verdict:
    """Check the model of a number; one that is wrong is written to `directory`."""
    pool, case = draw_case(seed, number)
    operators = [node.op_type for node in case.model.graph.node]
    outcome, detail, loose = _judged(case)
    if outcome in BAD and directory is not None:
        save(directory, f"{seed}-{number}", case, detail)
        small = shrunk(pool, case, outcome, detail)
        if small is not None:
            save(directory, f"{seed}-{number}-small", small, _judged(small)[1])
    return Verdict(number, outcome, detail, operators, loose)


def _judged(case: Case) -> tuple[str, str, float]:
    try:
        return judge(case)
    except TilewrightError as error:
        return FAILED, f"{error.code} {error}", 0.0
    except Exception as error:
        return FAILED, f"{type(error).__name__} {error}\n{traceback.format_exc()}", 0.0


def shrunk(pool: Pool, case: Case, outcome: str, detail: str) -> Case | None:
    """Return the model with one output, and the nodes that it needs, of which the fewest go wrong in the same way."""
    made = [name for node in pool.nodes for name in node.output if name in pool.values]
    models = sorted((pool.model([name]) for name in made), key=lambda model: len(model.graph.node))
    for model in models:
        names = {value.name for value in model.graph.input}
        smaller = _case(pool, model, [{k: v for k, v in data.items() if k in names} for data in case.runs])
        if len(model.graph.node) >= len(case.model.graph.node):
            return None
        found, text, _ = _judged(smaller)
        if found == outcome and (outcome == DIFFERENT or text[:30] == detail[:30]):
            return smaller
    return None


def save(directory: Path, name: str, case: Case, detail: str) -> None:
    """Save the model, its data, and what is wrong."""
    directory.mkdir(parents=True, exist_ok=True)
    onnx.save(case.model, directory / f"{name}.onnx")
    for k, data in enumerate(case.runs):
        np.savez(directory / f"{name}-{k}.npz", **data)
    (directory / f"{name}.txt").write_text(f"{detail}\n\n{onnx.printer.to_text(case.model)}\n")


# Campaigns


@dataclass
class Summary:
    """The summary of many models."""

    outcomes: Counter[str] = field(default_factory=Counter[str])
    operators: Counter[str] = field(default_factory=Counter[str])
    """In how many models that were compared an operator occurs."""
    refusals: Counter[str] = field(default_factory=Counter[str])
    bad: list[str] = field(default_factory=list[str])
    unlike: list[str] = field(default_factory=list[str])
    """Models for which only onnxruntime differs."""
    loose: float = 0.0

    def add(self, seed: int, verdict: Verdict) -> None:
        self.outcomes[verdict.outcome] += 1
        self.loose += verdict.loose
        if verdict.outcome in COMPARED:
            self.operators.update(set(verdict.operators))
        if verdict.outcome == REFUSED:
            message = verdict.detail.partition("error[")[2].partition("\n")[0]
            self.refusals[message.partition("(")[2][:90]] += 1
        report = f"--seed {seed} --number {verdict.number}: {verdict.outcome}: {verdict.detail[:400]}"
        if verdict.outcome == REFERENCE:
            self.unlike.append(report)
        if verdict.outcome in BAD:
            self.bad.append(report)

    def __str__(self) -> str:
        compared = max(self.outcomes[SAME], 1)
        return "\n".join(
            [
                ", ".join(f"{name} {count}" for name, count in self.outcomes.most_common()),
                f"{len(self.operators)} operators compared: "
                + " ".join(f"{name} {count}" for name, count in sorted(self.operators.items())),
                f"elements whose tolerance exceeds a hundredth of the greatest: {self.loose / compared:.2%}",
                *(f"refused {count} times: {text}" for text, count in self.refusals.most_common(20)),
                *self.unlike,
                f"failures: {len(self.bad)}",
                *self.bad,
            ]
        )


def _draw_chunk(seed: int, directory: Path | None, numbers: Sequence[int]) -> list[Verdict]:
    return [draw_one(seed, number, directory) for number in numbers]


def run_campaign(seed: int, start: int, count: int, jobs: int, directory: Path | None) -> Summary:
    """Check all models from `start` on."""
    summary, judged = Summary(), partial(_draw_chunk, seed, directory)
    died = partial(Verdict, outcome=FAILED, detail="the process died")
    for verdict in in_processes(judged, range(start, start + count), jobs, died):
        summary.add(seed, verdict)
        done = sum(summary.outcomes.values())
        if done % 200 == 0:
            print(f"{done} models, {len(summary.bad)} failures", flush=True)
    return summary


def show(seed: int, number: int) -> int:
    """Print the model of a number and the verdict."""
    _, case = draw_case(seed, number)
    print(onnx.printer.to_text(case.model))
    outcome, detail, _ = _judged(case)
    print(outcome, detail)
    return int(outcome in BAD)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a campaign, or show one model; the exit status says whether anything is wrong."""
    parser = argparse.ArgumentParser(description="random ONNX models against onnxruntime")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--number", type=int, help="show this model alone")
    parser.add_argument("--from", type=int, default=0, dest="start", help="the first number")
    parser.add_argument("--count", type=int, default=2000, help="how many models")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("build/fuzz-onnx"), help="where models that fail are written")
    options = parser.parse_args(arguments)
    if options.number is not None:
        return show(options.seed, options.number)
    summary = run_campaign(options.seed, options.start, options.count, options.jobs, options.out)
    print(summary)
    return int(bool(summary.bad))


if __name__ == "__main__":
    sys.exit(main())
