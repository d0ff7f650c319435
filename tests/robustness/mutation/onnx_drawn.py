"""ONNX models that the fuzzer draws, damaged in bytes or in structure: one error each, or a right result."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import numpy as np

from .mutators import damaged_bytes

MODEL, DATA, VERDICT = "m.onnx", "x.npz", "verdict.txt"
_RANDOM = ("Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike")
"""Operators whose numbers no two implementations draw alike; damage may put them where drawn models do not."""
_DRAWN = 1 << 30
_SECONDS = 60
"""The time limit of the comparison with onnxruntime, in seconds."""


def prepare() -> None:
    """Load what draws models, before processes are forked."""
    from fuzz import onnx_campaign, onnx_mutations

    assert onnx_campaign and onnx_mutations


def write_drawn(random_: random.Random, folder: Path) -> None:
    """Write a damaged model, and data for its inputs."""
    from fuzz.onnx_campaign import draw_case
    from fuzz.onnx_mutations import mutated, write_weights

    _, case = draw_case(0, random_.randrange(_DRAWN))
    model = case.model
    if random_.random() < 0.2:
        data = damaged_bytes(random_, model.SerializeToString())
    else:
        model = mutated(random_, model)
        data = model.SerializeToString()
    (folder / MODEL).write_bytes(data)
    np.savez(folder / DATA, **case.runs[0])
    write_weights(random_, model, folder)


def run_drawn() -> None:
    """Compile and run the model of this folder. Where that works, onnxruntime's results must be the same."""
    import tilewright

    with np.load(DATA) as arrays:
        data = {name: arrays[name] for name in arrays}
    program = tilewright.compile(MODEL, "cpu")
    program.run(data)
    process = os.fork()
    if process == 0:
        try:
            _compare(data)
        finally:
            os._exit(0)
    deadline = time.monotonic() + _SECONDS
    while os.waitpid(process, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            break
        time.sleep(0.005)
    if Path(VERDICT).exists():
        raise AssertionError(Path(VERDICT).read_text())


def _compare(data: dict[str, np.ndarray]) -> None:
    """Write down how the results differ from those of onnxruntime, if they do."""
    import onnx
    from fuzz.onnx_campaign import DIFFERENT, Case, judge

    model = onnx.load(MODEL)
    if any(node.op_type in _RANDOM for node in model.graph.node):
        return
    names = {value.name for value in model.graph.input}
    integers = [name for name, array in data.items() if name in names and array.dtype.kind in "iu" and array.size < 8]
    given = {value.name: data[value.name] for value in model.graph.input if value.name in data}
    outcome, detail, _ = judge(Case(model, [given], tuple(integers)))
    if outcome == DIFFERENT:
        Path(VERDICT).write_text(detail)
