"""
Random quantised models: what integer-products makes of them is right to the quantum, and equal to onnxruntime's result.

    python tests/fuzz/quantized_campaign.py [--seed 0] [--count 1000] [--compiled 10] [--out build/fuzz-quantized]
    python tests/fuzz/quantized_campaign.py --seed 0 --number 17

Each model is imported and computed by the references of its operators after integer-products; one in `--compiled` is
compiled too, and has to give the same integers. A result is right where it is the exact one rounded, or either of two
within 1e-5 quanta of a tie; onnxruntime's is compared beside it where it has a kernel. A model that fails is saved. The
exit status is 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import tilewright
from tilewright.dialects import context
from tilewright.frontends.onnx import import_model
from tilewright.passes.manager import PassManager
from tilewright.passes.registry import parse_pipeline

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    __package__ = "tests.fuzz"

from ..frontends.models import reference_results
from .quantized_models import Drawn, draw

PIPELINE = "infer-types,integer-products,dead-code"


@dataclass
class Verdict:
    """The judgement on a model."""

    kind: str
    problem: str | None = None
    as_onnxruntime: bool | None = None
    """True where the integers are onnxruntime's; None where it has no kernel, and of floats."""


def judge(drawn: Drawn, is_compiled: bool = False, pipeline: str = PIPELINE) -> Verdict:
    """Run a model and judge its result."""
    module = import_model(drawn.model)
    PassManager(parse_pipeline(pipeline)).run(context(), module)
    arrays = list(drawn.inputs.values())
    result = reference_results(module, *arrays)[0]
    problem = drawn.wrong(result)
    if problem is None and is_compiled:
        compiled = np.asarray(tilewright.compile(drawn.model)(*arrays))
        problem = drawn.wrong(compiled)
        problem = problem and f"compiled: {problem}"
    theirs = run_by_onnxruntime(drawn)
    is_same = None if theirs is None or drawn.limits is None else bool(np.array_equal(result, theirs))
    return Verdict(drawn.kind, problem, is_same)


def run_by_onnxruntime(drawn: Drawn) -> np.ndarray | None:
    """onnxruntime's result with exact sums; None where it has no kernel."""
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.x64quantprecision", "1")
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(drawn.model.SerializeToString(), options)
    except Exception as error:
        if "NOT_IMPLEMENTED" not in str(error):
            raise
        return None
    return np.asarray(session.run(None, drawn.inputs)[0])


def save(drawn: Drawn, problem: str, folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(drawn.model, folder / f"{name}.onnx")
    arrays: dict[str, Any] = drawn.inputs
    np.savez(folder / f"{name}.npz", **arrays)
    (folder / f"{name}.txt").write_text(f"{drawn.kind}: {problem}\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[1])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--number", type=int, help="run this model alone, compiled too")
    parser.add_argument("--compiled", type=int, default=10, help="compile one model in so many")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz-quantized"))
    given = parser.parse_args()
    numbers = range(given.count) if given.number is None else [given.number]
    kinds, other, failures = Counter[str](), Counter[str](), 0
    for number in numbers:
        drawn = draw(given.seed, number)
        is_compiled = given.number is not None or (number // 20 + number) % given.compiled == 0
        verdict = judge(drawn, is_compiled)
        kinds[verdict.kind] += 1
        other[verdict.kind] += verdict.as_onnxruntime is False
        if verdict.problem is not None:
            failures += 1
            save(drawn, verdict.problem, given.out, f"{given.seed}-{number}")
            print(f"{number} {verdict.kind}: {verdict.problem}")
    print(", ".join(f"{kind} {count}" for kind, count in kinds.items()))
    print(f"other integers than onnxruntime's: {sum(other.values())} of {sum(kinds.values())} models")
    print(f"failures: {failures}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
