"""
Random quantised models: what integer-products makes of them is right to the quantum, and equal to onnxruntime's result.

    python tests/fuzz/quantized_campaign.py [--seed 0] [--count 1000] [--jobs 2] [--out build/fuzz-quantized]
    python tests/fuzz/quantized_campaign.py --count 16000 --references
    python tests/fuzz/quantized_campaign.py --seed 0 --number 17

Each model is imported, computed by the references of its operators after integer-products, and compiled without caches,
for one or two threads and an instruction set of `TARGETS` that this machine runs: integers have to be right both times.
With `--references` no model is compiled. A result is right where it is the exact one rounded, or either of two within
1e-5 quanta of a tie; onnxruntime's is compared beside it where it has a kernel. The summary counts operators by form,
the corners that were drawn, and the kernels that were compiled. A model that fails is saved. The exit status is 1 if
anything was wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import tilewright
from tilewright.backends.cpu.host import obstacle_here
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context, graph, loop
from tilewright.dialects.loop.kinds import PARALLEL
from tilewright.dialects.target import CpuTargetAttr
from tilewright.driver.targets import Target
from tilewright.frontends.onnx import import_model
from tilewright.passes.framework.context import PassContext
from tilewright.passes.framework.instruments.base import Instrument
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.passes import ModulePass

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    __package__ = "tests.fuzz"

from ..frontends.models import reference_results
from .processes import in_processes
from .quantized_draw import MICROSOFT, Drawn
from .quantized_models import draw

PIPELINE = "infer-types,integer-products,dead-code"
TARGETS = {
    "SSE2": "llvm -mcpu=x86-64 -caches=32K,512K,4M",
    "AVX2": "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M",
    "AVX-VNNI": "llvm -mcpu=x86-64-v3 -mattr=+avxvnni -caches=48K,2M,32M",
    "AVX-512": "llvm -mcpu=x86-64-v4 -caches=48K,2M",
    "AVX-512 VNNI": "llvm -mcpu=x86-64-v4 -mattr=+avx512vnni -caches=32K,1M",
}
"""The instruction sets that differ in kernels of bytes."""
THREADS = (1, 2)
_UNCACHED = {"program_cache": False, "cache_dir": ""}


@dataclass
class Verdict:
    """The judgement on a model."""

    kind: str
    problem: str | None = None
    as_onnxruntime: bool | None = None
    """True where the integers are onnxruntime's; None where it has no kernel, and of floats."""
    operators: list[str] = field(default_factory=list[str])
    """The form and the name of each."""
    corners: frozenset[str] = frozenset()
    kernels: frozenset[str] = frozenset()
    target: str = ""
    """The instruction set and the threads that it was compiled for."""
    seconds: float = 0.0
    """Of processor time."""
    number: int = 0


class Kernels(Instrument):
    """The operators on integers, and the products of bytes, that code is generated from."""

    def __init__(self) -> None:
        self.found = set[str]()

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        loops = (op for op in module.walk() if isinstance(op, loop.ForOp)) if pass_.name == "outline-parallel" else ()
        if any(op.kind == PARALLEL for op in loops):
            self.found.add("parallel loops")

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if pass_.name == "dead-code":
            self.found.update(name for op in module.walk() if isinstance(op, graph.GraphOp) and (name := _kernel(op)))
        if pass_.name == "fuse-dot4":
            calls = (op.symbol for op in module.walk() if isinstance(op, loop.CallIntrinOp))
            self.found.update(name for name in calls if name.startswith("dot4"))


def _kernel(op: graph.GraphOp) -> str | None:
    if isinstance(op, (graph.BlockedConv2dOp, graph.PackedMatmulOp)) and op.words.data:
        return f"{op.name} in words {op.words.data}"
    if op.name.endswith(("conv2d", "conv3d", "matmul", "dense")):
        return f"{op.name} of {'integers' if getattr(op, 'out_dtype', None) == i32 else 'floats'}"
    return None


def judge(drawn: Drawn, target: str | None = None, pipeline: str = PIPELINE) -> Verdict:
    """Run a model by references, and compiled if there is a target, and judge its results."""
    began = time.process_time()
    verdict = Verdict(drawn.kind, operators=list(_operators(drawn.model)), corners=drawn.corners)
    module = import_model(drawn.model)
    PassManager(parse_pipeline(pipeline)).run(context(), module)
    arrays = list(drawn.inputs.values())
    result = reference_results(module, *arrays)[0]
    verdict.problem = drawn.wrong(result)
    if verdict.problem is None and target is not None:
        kernels = Kernels()
        with PassContext(instruments=[kernels], config=_UNCACHED):
            program = tilewright.compile(drawn.model, target)
        problem = drawn.wrong(np.asarray(program(*arrays)))
        verdict.problem = problem and f"compiled for {target}: {problem}"
        verdict.kernels = frozenset(kernels.found)
    theirs = run_by_onnxruntime(drawn)
    if theirs is not None and drawn.limits is not None:
        verdict.as_onnxruntime = bool(np.array_equal(result, theirs))
    verdict.seconds = time.process_time() - began
    return verdict


def _operators(model: onnx.ModelProto) -> Iterator[str]:
    """Yield the operators of a model, each behind its form: QOperator, dynamic or QDQ."""
    names = [node.op_type for node in model.graph.node]
    is_dynamic = any("Integer" in name or name.startswith("Dynamic") for name in names)
    for node in model.graph.node:
        is_operator = node.op_type.startswith("QLinear") or node.domain == MICROSOFT
        form = "dynamic" if is_dynamic else "QOperator" if is_operator or "QLinearAdd" in names else "QDQ"
        yield f"{form} {node.op_type}"


_REFUSALS = ("NOT_IMPLEMENTED", "must be a scalar", "must be scalar", "per-tensor")


def run_by_onnxruntime(drawn: Drawn) -> np.ndarray | None:
    """Return onnxruntime's result with exact sums; None where it has no kernel."""
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.x64quantprecision", "1")
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(drawn.model.SerializeToString(), options)
        return np.asarray(session.run(None, drawn.inputs)[0])
    except Exception as error:
        if not any(words in str(error) for words in _REFUSALS):
            raise
        return None


def target_of(number: int) -> tuple[str, str]:
    """Return the name and the text of the target of a number, drawn from what this machine runs."""
    chance, names = np.random.default_rng([number, 1]), targets_here()
    name, threads = names[int(chance.integers(len(names)))], THREADS[int(chance.integers(len(THREADS)))]
    return f"{name}, {threads} thread{'s' * (threads > 1)}", f"{TARGETS[name]} -threads={threads}"


@cache
def targets_here() -> list[str]:
    """Return the instruction sets that this machine runs."""
    found: list[str] = []
    for name, text in TARGETS.items():
        attribute = Target(text).attribute()
        if isinstance(attribute, CpuTargetAttr) and obstacle_here(attribute) is None:
            found.append(name)
    return found


def draw_one(seed: int, folder: Path, is_compiled: bool, number: int) -> Verdict:
    """Check the model of a number; one that is wrong is saved."""
    drawn = draw(seed, number)
    name, target = target_of(number) if is_compiled else ("references alone", None)
    try:
        verdict = judge(drawn, target)
    except TilewrightError as error:
        verdict = Verdict(drawn.kind, f"{error.code} {error}")
    except Exception as error:
        verdict = Verdict(drawn.kind, f"{type(error).__name__} {error}\n{traceback.format_exc()}")
    verdict.number, verdict.target = number, name
    if verdict.problem is not None:
        save(drawn, verdict.problem, folder, f"{seed}-{number}")
    return verdict


def _draw_chunk(seed: int, folder: Path, is_compiled: bool, numbers: Sequence[int]) -> list[Verdict]:
    return [draw_one(seed, folder, is_compiled, number) for number in numbers]


def save(drawn: Drawn, problem: str, folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(drawn.model, folder / f"{name}.onnx")
    arrays: dict[str, Any] = drawn.inputs
    np.savez(folder / f"{name}.npz", **arrays)
    (folder / f"{name}.txt").write_text(f"{drawn.kind}: {problem}\n\n{onnx.printer.to_text(drawn.model)}\n")


@dataclass
class Summary:
    """The counts of many verdicts."""

    counts: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    bad: list[str] = field(default_factory=list[str])
    total: int = 0
    seconds: float = 0.0

    def add(self, seed: int, verdict: Verdict) -> None:
        self.total += 1
        self.seconds += verdict.seconds
        if verdict.problem is not None:
            self.bad.append(f"--seed {seed} --number {verdict.number}: {verdict.kind}: {verdict.problem}")
        forms = {form: [] for form in ("QDQ", "QOperator", "dynamic")}
        for name in sorted(set(verdict.operators)):
            form, _, operator = name.partition(" ")
            forms[form].append(operator)
        for form, operators in forms.items():
            self._count(f"models with operators in {form} form", operators)
        self._count("models with corners", verdict.corners)
        self._count("models compiled to kernels", verdict.kernels)
        self._count("models by target", [verdict.target])
        words = {
            True: "as onnxruntime's",
            False: "other than onnxruntime's",
            None: "of no kernel of onnxruntime's, or floats",
        }
        self._count("integers", [words[verdict.as_onnxruntime]])

    def _count(self, title: str, names: Sequence[str] | frozenset[str]) -> None:
        self.counts.setdefault(title, Counter[str]()).update(names)

    def __str__(self) -> str:
        lines: list[str] = []
        for title, counts in self.counts.items():
            lines += [f"{title}:", *(f"  {count:5}  {name}" for name, count in sorted(counts.items()))]
        per_model = self.seconds / max(self.total, 1)
        lines.append(f"{self.total} models, {per_model:.2f} s of processor time each")
        return "\n".join([*lines, f"failures: {len(self.bad)}", *self.bad])


def run_campaign(seed: int, numbers: Sequence[int], jobs: int, folder: Path, is_compiled: bool) -> Summary:
    """Return the verdicts on the models of some numbers."""
    summary, judged = Summary(), partial(_draw_chunk, seed, folder, is_compiled)
    for verdict in in_processes(judged, numbers, jobs, _died):
        summary.add(seed, verdict)
        if summary.total % 100 == 0:
            print(f"{summary.total} models, {len(summary.bad)} failures", flush=True)
    return summary


def _died(number: int) -> Verdict:
    return Verdict("unknown", "the process died", number=number)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[1])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--from", type=int, default=0, dest="start", help="the first number")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--number", type=int, help="run this model alone")
    parser.add_argument("--references", action="store_true", help="compile no model")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("build/fuzz-quantized"))
    given = parser.parse_args()
    if given.number is not None:
        print(onnx.printer.to_text(draw(given.seed, given.number).model))
        verdict = draw_one(given.seed, given.out, not given.references, given.number)
        print(verdict)
        return int(verdict.problem is not None)
    numbers = range(given.start, given.start + given.count)
    summary = run_campaign(given.seed, numbers, given.jobs, given.out, not given.references)
    print(summary)
    missing = sorted(TARGETS.keys() - set(targets_here()))
    if missing:
        print(f"this machine does not run {', '.join(missing)}")
    return int(bool(summary.bad))


if __name__ == "__main__":
    sys.exit(main())
