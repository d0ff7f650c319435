"""One export: its program, its error against onnxruntime, and what both cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import onnx
import onnxruntime
import tilewright
from tilewright.driver.versions import VersionedCode
from tilewright.frontends.onnx.light_models import light_model

TOLERANCE = 1e-4
ROUNDS = 5
LEAST = 0.2
"""CPU seconds that a sample lasts at least."""
LIGHT = "light-"
"""What stands before the name of a light model of the onnx package: `light-resnet50`."""

Arrays = Mapping[str, np.ndarray]


def measured(place: Path, has_times: bool) -> dict[str, Any]:
    """The cells of a row."""
    if place.name.startswith(LIGHT):
        return {"verdict": "right", "compile": compiled(light_model(place.name.removeprefix(LIGHT)))[1]}
    path = place / "model.onnx"
    calls = [dict(np.load(file)) for file in sorted(place.glob("inputs-*.npz"))]
    session = onnxruntime_session(path)
    names = [value.name for value in session.get_inputs()]
    program, seconds = compiled(str(path))
    errors: list[float] = []
    for number, given in enumerate(calls):
        call, start = {name: given[name] for name in names}, time.process_time()
        if number == 0 and isinstance(program.code, VersionedCode):
            run(program, call)  # compiles the version of these sizes
            seconds += time.process_time() - start
        errors.append(error(run(program, call), session.run(None, call)))
    versions = len(program.code.versions.compiled) if isinstance(program.code, VersionedCode) else 1
    cells: dict[str, Any] = {"error": max(errors), "versions": versions, "compile": seconds}
    cells["verdict"] = "right" if max(errors) < TOLERANCE else "wrong"
    if has_times:
        call = {name: calls[0][name] for name in names}
        cells |= times(path, program, session, call)
    return cells


def compiled(model: Any) -> tuple[Any, float]:
    """The program, on one thread, and the CPU seconds of import and compilation."""
    start = time.process_time()
    program = tilewright.compile(model, threads=1)
    return program, time.process_time() - start


def run(program: Any, call: Arrays) -> list[np.ndarray]:
    results = program(*call.values())
    return [np.asarray(each) for each in (results if isinstance(results, (tuple, list)) else [results])]


def error(actual: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> float:
    """The largest difference over the spread of what is expected; infinite where shapes, dtypes or NaNs differ."""
    worst = 0.0
    if len(actual) != len(expected):
        return float("inf")
    for ours, theirs in zip(actual, expected, strict=True):
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            return float("inf")
        if theirs.size == 0 or np.array_equal(ours, theirs):
            continue
        spread = float(np.ptp(theirs.astype(np.float64)))
        difference = float(np.abs(ours.astype(np.float64) - theirs).max())
        if not np.isfinite(difference):
            return float("inf")
        worst = max(worst, difference / (spread or 1.0))
    return worst


def onnxruntime_session(model: Path | str | onnx.ModelProto) -> Any:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    source = model.SerializeToString() if isinstance(model, onnx.ModelProto) else str(model)
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def times(path: Path, program: Any, session: Any, call: Arrays) -> dict[str, Any]:
    """CPU milliseconds of a call of ours, and what the others take over that: medians of samples in turns."""
    ours: Callable[[], Any] = lambda: program(*call.values())  # noqa: E731
    others: dict[str, Callable[[], Any]] = {"onnxruntime": lambda: session.run(None, dict(call))}
    if (vino := openvino(path, call)) is not None:
        others["openvino"] = vino
    functions = {"tilewright": ours, **others}
    counts = {name: _count(function) for name, function in functions.items()}
    samples: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(ROUNDS):
        for name, function in functions.items():
            samples[name].append(_sample(function, counts[name]))
    own = median(samples["tilewright"])
    return {"time": own * 1e3, "peers": {name: median(samples[name]) / own for name in others}}


def _sample(function: Callable[[], Any], count: int) -> float:
    start = time.process_time()
    for _ in range(count):
        function()
    return (time.process_time() - start) / count


def _count(function: Callable[[], Any]) -> int:
    function()
    return max(1, int(LEAST / max(_sample(function, 1), 1e-6)))


def openvino(path: Path, call: Arrays) -> Callable[[], Any] | None:
    """A call of OpenVINO on one thread; None where it is not installed."""
    try:
        import openvino
    except ImportError:
        return None
    config = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    request = openvino.Core().compile_model(str(path), "CPU", config).create_infer_request()
    return lambda: request.infer(dict(call))
