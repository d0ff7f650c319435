"""One export or a form of one: its program, its error against onnxruntime, and what both cost."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import onnx
import onnxruntime
import tilewright
from onnx import numpy_helper
from onnxruntime.capi.onnxruntime_pybind11_state import Fail
from tilewright.diagnostics import TilewrightError
from tilewright.driver.versions import VersionedCode
from tilewright.frontends.onnx.light_models import light_model

from .products import counted

TOLERANCE = 1e-4
"""Of the spread of an output, for what is computed in float32."""
FLOAT16 = 2.0
"""The most that the error of float16 may be, over that of onnxruntime's float16."""
EPSILON = 2.0**-10
"""The error of float16, of the spread, that is right in any case: onnxruntime keeps float32 between operators."""
QUANTISED = 2.0
"""The most that the error of a quantised network may be, over how far ties move onnxruntime's result."""
QUANTA = 2 / 255
"""The error of a quantised network, of the spread, that is right in any case: two quanta of 8 bits."""
NUDGES = (2.0**-21, -(2.0**-21))
"""Relative changes of inputs of float32, which move integers next to ties alone."""
ROUNDS = 5
LEAST = 0.2
"""CPU seconds that a sample lasts at least."""
LIGHT = "light-"
"""The beginning of the names of light models of the onnx package: `light-resnet50`."""

Arrays = Mapping[str, np.ndarray]
Results = Sequence[np.ndarray]


def measured(directory: Path, has_times: bool) -> dict[str, Any]:
    """Return the cells of a row."""
    if directory.name.startswith(LIGHT):
        return {"verdict": "right", "compile": compiled(light_model(directory.name.removeprefix(LIGHT)))[1]}
    calls = [dict(np.load(file)) for file in sorted(directory.glob("inputs-*.npz"))]
    if (directory / "form.json").exists():
        return measured_form(directory, calls, has_times)
    path = directory / "model.onnx"
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
    cells |= judged(max(errors) < TOLERANCE, f"an error of {max(errors):.1e} of the spread")
    if (directory / "sizes.json").exists() and cells["verdict"] == "right":
        cells |= judged_sizes(directory, program, versions, names)
    if has_times:
        call = {name: calls[0][name] for name in names}
        cells |= times(path, program, session, call)
    return cells


def judged(is_right: bool, reason: str) -> dict[str, Any]:
    """Return the verdict, and the reason where it is `wrong`."""
    return {"verdict": "right"} if is_right else {"verdict": "wrong", "reason": reason}


# Sizes


def judged_sizes(directory: Path, program: Any, versions: int, names: Sequence[str]) -> dict[str, Any]:
    """Return the verdict on how often a program was compiled, and on a call of sizes that the network has no positions
    for."""
    wanted = json.loads((directory / "sizes.json").read_text(encoding="utf-8"))
    if versions != wanted["versions"]:
        return judged(False, f"{versions} compilations instead of {wanted['versions']}")
    if not (directory / "beyond.npz").exists():
        return {}
    given = dict(np.load(directory / "beyond.npz"))
    try:
        run(program, {name: given[name] for name in names})
    except TilewrightError as refusal:
        text = "; ".join((f"{refusal.code}: {refusal.message}", *refusal.notes))
        return (
            {"reason": text}
            if wanted["refused"] in text
            else judged(False, f"says nothing of {wanted['refused']}: {text}")
        )
    return judged(False, "a length beyond the positions is not refused")


# Forms


def measured_form(directory: Path, calls: Sequence[Arrays], has_times: bool) -> dict[str, Any]:
    """Return the cells of a quantised network or of one in float16."""
    form, path = json.loads((directory / "form.json").read_text(encoding="utf-8")), directory / "model.onnx"
    source = directory.parent / form["export"] / "model.onnx"
    session = onnxruntime_session(path)
    names = [value.name for value in session.get_inputs()]
    program, seconds = compiled(str(path))
    call = {name: calls[0][name] for name in names}
    results = run(program, call)
    judge = _judged_float16 if form["kind"] == "float16" else _judged_quantised
    cells: dict[str, Any] = {"compile": seconds, **judge(form, path, source, call, results)}
    if has_times:
        float32 = compiled(str(source))[0]
        more = {"float32": lambda: float32(*call.values())}
        cells |= times(path, program, session, call, more)
    return cells


def _judged_float16(form: Any, path: Path, source: Path, call: Arrays, results: Results) -> dict[str, Any]:
    """Compare both with the float32 network: onnxruntime's error there is what float16 costs."""
    exact = onnxruntime_session(source).run(None, call)
    ours, theirs = error(results, exact), error(onnxruntime_session(path).run(None, call), exact)
    reason = f"float16 differs from float32 by {ours:.1e} of the spread, onnxruntime's by {theirs:.1e}"
    return {"error": ours, "beside": theirs, **judged(ours <= max(FLOAT16 * theirs, EPSILON), reason)}


def _judged_quantised(form: Any, path: Path, source: Path, call: Arrays, results: Results) -> dict[str, Any]:
    """Compare the results with those of onnxruntime on integers, with exact sums."""
    session = exact_session(path)
    exact = session.run(None, call)
    ours, theirs = error(results, exact), _moved_by_ties(session, path, call, exact)
    products = counted(path)
    cells: dict[str, Any] = {"error": ours, "beside": theirs, "products": str(products)}
    reason = f"differs from onnxruntime by {ours:.1e} of the spread, onnxruntime from itself by {theirs:.1e}"
    cells |= judged(ours <= max(QUANTISED * theirs, QUANTA), reason)
    if form["is_every"] and products.missing:
        cells |= judged(False, f"{products.missing} products are not on integers: {_shown(products.reasons)}")
    elif products.unnamed:
        cells |= judged(False, f"{products.unnamed} products on floats have no remark")
    elif products.reasons:
        cells.setdefault("reason", _shown(products.reasons))
    return cells


def _moved_by_ties(session: Any, path: Path, call: Arrays, exact: Results) -> float:
    """Return the largest error that rounding of ties to the other side makes in onnxruntime: a result next to a tie may
    be rounded to either side, and the difference of a quantum goes on through later layers. It shows where the same
    file is computed with fusions, and on floats without them, and where inputs, or the float32 weights if these are
    integers, are moved by less than the last digit of a quantum.
    """
    level = session.get_session_options().graph_optimization_level
    is_plain = level == onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    others = [onnxruntime_session(path, is_plain=not is_plain).run(None, call)]
    if any(array.dtype == np.float32 for array in call.values()):
        others += [session.run(None, {name: _nudged(array, by) for name, array in call.items()}) for by in NUDGES]
    else:
        others += [_with_nudged_weights(path, by).run(None, call) for by in NUDGES]
    return max(error(other, exact) for other in others)


def _with_nudged_weights(path: Path, by: float) -> Any:
    """Return onnxruntime with all vectors and matrices of float32 weights nudged, embeddings among them."""
    model = onnx.load(path)
    for weight in model.graph.initializer:
        if weight.data_type == onnx.TensorProto.FLOAT and max(weight.dims, default=1) > 1:
            weight.CopyFrom(numpy_helper.from_array(_nudged(numpy_helper.to_array(weight), by), weight.name))
    with tempfile.TemporaryDirectory() as folder:
        nudged = Path(folder) / "model.onnx"
        onnx.save(model, nudged)
        return exact_session(nudged)


def exact_session(path: Path) -> Any:
    """Return onnxruntime with exact sums of bytes; without fusions where it cannot load a network with such sums, whose
    weights have a name that it makes twice."""
    try:
        return onnxruntime_session(path, "session.x64quantprecision")
    except Fail as refusal:
        if "Attempt to replace the existing tensor" not in str(refusal):
            raise
        return onnxruntime_session(path, is_plain=True)


def _nudged(array: np.ndarray, by: float) -> np.ndarray:
    return array * np.float32(1 + by) if array.dtype == np.float32 else array


def _shown(reasons: Sequence[str]) -> str:
    return "; ".join(f"{reasons.count(each)} x {each}" for each in dict.fromkeys(reasons))


# Programs


def compiled(model: Any) -> tuple[Any, float]:
    """Return the program, on one thread, and the CPU seconds of import and compilation."""
    start = time.process_time()
    program = tilewright.compile(model, threads=1)
    return program, time.process_time() - start


def run(program: Any, call: Arrays) -> list[np.ndarray]:
    results = program(*call.values())
    return [np.asarray(each) for each in (results if isinstance(results, (tuple, list)) else [results])]


def error(actual: Results, expected: Results) -> float:
    """Return the largest difference over the spread of what is expected; infinite where shapes, dtypes or NaNs
    differ."""
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


def onnxruntime_session(path: Path, entry: str = "", is_plain: bool = False) -> Any:
    """Return onnxruntime on one thread, with an entry of its configuration set to 1; `is_plain` leaves out its
    fusions."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    if entry:
        options.add_session_config_entry(entry, "1")
    if is_plain:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


# Times


def times(
    path: Path, program: Any, session: Any, call: Arrays, more: Mapping[str, Callable[[], Any]] | None = None
) -> dict[str, Any]:
    """Return CPU milliseconds of a call of ours, and what the others take over that: medians of samples in turns."""
    ours: Callable[[], Any] = lambda: program(*call.values())  # noqa: E731
    others: dict[str, Callable[[], Any]] = {"onnxruntime": lambda: session.run(None, dict(call)), **(more or {})}
    if (vino := openvino(path, call)) is not None:
        others["openvino"] = vino
    functions = {"tilewright": ours, **others}
    counts = {name: _count(function) for name, function in functions.items()}
    samples: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(ROUNDS):
        for name, function in functions.items():
            samples[name].append(_sample(function, counts[name]))
    seconds = median(samples["tilewright"])
    return {"time": seconds * 1e3, "peers": {name: median(samples[name]) / seconds for name in others}}


def _sample(function: Callable[[], Any], count: int) -> float:
    start = time.process_time()
    for _ in range(count):
        function()
    return (time.process_time() - start) / count


def _count(function: Callable[[], Any]) -> int:
    function()
    return max(1, int(LEAST / max(_sample(function, 1), 1e-6)))


def openvino(path: Path, call: Arrays) -> Callable[[], Any] | None:
    """Return a call of OpenVINO on one thread; None where it is not installed or cannot run the network."""
    try:
        import openvino
    except ImportError:
        return None
    config = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    try:
        request = openvino.Core().compile_model(str(path), "CPU", config).create_infer_request()
        request.infer(dict(call))
    except RuntimeError:  # no converter for an operator, of onnxruntime's among them
        return None
    return lambda: request.infer(dict(call))
