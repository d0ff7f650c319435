"""Gains of tuning and of fusion, and a network tuned beside its peers: each pair of programs in turns in one process.

    python benchmarks/tuned.py shapes [--trials 64] [--seconds 60]     odd and memory-bound kernels, tuned / default
    python benchmarks/tuned.py fusion                                  groups of operators, fused / one kernel for each
    python benchmarks/tuned.py network [--seconds 900]                 the light ResNet-50 beside its peers

Speeds are in parts of the speed of the other program, with the interval of 95 %. A network runs once as it is by
default and once tuned, beside onnxruntime and, where it is installed, OpenVINO.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from importlib.util import find_spec
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import paired
import tilewright
from harness.machine import describe
from harness.report import describe as described
from harness.report import table_line
from systems.onnx_text import NAMES, OPSET
from systems.ort import open_session
from tilewright import PassContext
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.light_models import light_model, light_model_path

Shape = tuple[int, ...]
Run = Callable[[], object]
REPEAT = 41
LEAST_SECONDS = 0.002
"""Runs of a program are grouped until they take so long."""


@dataclass(frozen=True)
class Graph:
    """Nodes in ONNX's text on float32 inputs a, b, c and so on; `weights` are the names of those that are constants."""

    name: str
    body: str
    inputs: Sequence[Shape]
    weights: str = ""

    def arrays(self) -> dict[str, np.ndarray]:
        """Draw seeded values of all inputs."""
        random, named = np.random.default_rng(7), zip(NAMES, self.inputs, strict=False)
        return {name: random.standard_normal(shape).astype(np.float32) for name, shape in named}

    def model(self) -> Any:
        """Return the graph as an ONNX model."""
        import onnx
        from onnx import numpy_helper, parser

        arrays = self.arrays()
        given = [f"float{list(x.shape)} {name}" for name, x in arrays.items() if name not in self.weights]
        head = f'<ir_version: 8, opset_import: ["" : {OPSET}]>'
        model = parser.parse_model(f"{head} row ({', '.join(given)}) => (y) {{ {self.body} }}")
        model.graph.initializer.extend(numpy_helper.from_array(arrays[name], name) for name in self.weights)
        return onnx.shape_inference.infer_shapes(model)

    def given(self) -> list[np.ndarray]:
        """Return the values of the inputs that are no constants."""
        return [x for name, x in self.arrays().items() if name not in self.weights]


ROWS = "axes = Constant<value_ints = [1]>()"
COLUMNS = "axes = Constant<value_ints = [0]>()"
SHAPES = (
    Graph("a * b + c, 1500 x 1777", "t = Mul(a, b) y = Add(t, c)", [(1500, 1777)] * 3),
    Graph("sums of rows, 4099 x 1000", f"{ROWS} y = ReduceSum<keepdims = 0>(a, axes)", [(4099, 1000)]),
    Graph("sums of columns, 1000 x 4099", f"{COLUMNS} y = ReduceSum<keepdims = 0>(a, axes)", [(1000, 4099)]),
    Graph("softmax, 1501 x 333", "y = Softmax<axis = -1>(a)", [(1501, 333)]),
    Graph("layer norm, 129 x 4099", "y = LayerNormalization(a, b, c)", [(129, 4099), (4099,), (4099,)]),
    Graph("transpose, 1023 x 2049", "y = Transpose<perm = [1, 0]>(a)", [(1023, 2049)]),
    Graph("product, 17 x 1001 x 1000", "y = MatMul(a, b)", [(17, 1000), (1000, 1001)]),
    Graph("product, 1 x 1000 x 4096", "y = MatMul(a, b)", [(1, 4096), (4096, 1000)]),
    Graph("product, 310 x 723 x 530", "y = MatMul(a, b)", [(310, 530), (530, 723)]),
    Graph("convolution, 3 to 13, 97", "y = Conv<pads = [1, 1, 1, 1]>(a, b)", [(1, 3, 97, 97), (13, 3, 3, 3)]),
    Graph("depthwise, 72, 41", "y = Conv<pads = [2, 2, 2, 2], group = 72>(a, b)", [(1, 72, 41, 41), (72, 1, 5, 5)]),
    Graph("maximum, 67, 55, 3 x 3 / 2", "y = MaxPool<kernel_shape = [3, 3], strides = [2, 2]>(a)", [(1, 67, 55, 55)]),
)

IMAGE, KERNEL, TOKENS = (1, 64, 56, 56), (64, 64, 3, 3), (512, 768)
CONV = "Conv<pads = [1, 1, 1, 1]>"
GROUPS = (
    Graph("convolution, bias, relu", f"t = {CONV}(a, b, c) y = Relu(t)", [IMAGE, KERNEL, (64,)], "bc"),
    Graph("convolution, sum, relu", f"t = {CONV}(a, b) u = Add(t, c) y = Relu(u)", [IMAGE, KERNEL, IMAGE], "b"),
    Graph("convolution, swish", f"t = {CONV}(a, b) s = Sigmoid(t) y = Mul(t, s)", [IMAGE, KERNEL], "b"),
    Graph("product, bias, relu", "t = MatMul(a, b) u = Add(t, c) y = Relu(u)", [TOKENS, (768, 3072), (3072,)], "bc"),
    Graph("product, bias, tanh", "t = MatMul(a, b) u = Add(t, c) y = Tanh(u)", [TOKENS, (768, 768), (768,)], "bc"),
    Graph(
        "five elementwise", "p = Mul(a, b) q = Add(p, c) r = Tanh(q) s = Mul(r, a) y = Sub(s, b)", [(2000, 1500)] * 3
    ),
    Graph("sum, layer norm", "t = Add(a, b) y = LayerNormalization(t, c, d)", [TOKENS, TOKENS, (768,), (768,)], "cd"),
    Graph("product, sum, softmax", "t = Mul(a, b) u = Add(t, c) y = Softmax<axis = -1>(u)", [(2048, 512)] * 3),
    Graph("square error of rows", f"{ROWS} t = Sub(a, b) s = Mul(t, t) y = ReduceMean(s, axes)", [(3000, 900)] * 2),
    Graph("scaled by sums of columns", f"{COLUMNS} t = ReduceSum(a, axes) y = Mul(a, t)", [(1500, 900)]),
)


def grouped(run: Run) -> Run:
    """Return the program as often as takes `LEAST_SECONDS`."""
    run()
    start = time.perf_counter()
    run()
    count = max(1, round(LEAST_SECONDS / (time.perf_counter() - start)))

    def runs() -> None:
        for _ in range(count):
            run()

    return runs if count > 1 else run


def speed(ours: Run, theirs: Run, repeat: int = REPEAT) -> paired.Estimate:
    """Return the speed of the first in parts of the second's."""
    return paired.measure(grouped(ours), grouped(theirs), repeat).ratio


def tuned_records(model: Path, folder: Path, options: Sequence[str]) -> Path:
    """Return the records of a run of `tilewright tune`. Raises RuntimeError where it fails."""
    path = folder / f"{model.stem}.jsonl"
    command = [sys.executable, "-m", "tilewright", "tune", str(model), "-o", str(path), *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return path


def report(name: str, found: paired.Estimate) -> None:
    """Print the row of a pair."""
    print(table_line((name, f"{found.median:.3f} [{found.low:.3f}, {found.high:.3f}]")), flush=True)


def shapes(args: argparse.Namespace) -> None:
    """Tune each kernel, and time it beside the default one."""
    gains: list[float] = []
    options = ["--trials", str(args.trials), "--budget", str(args.seconds or 60), "--threads", str(args.threads)]
    for graph in chosen(SHAPES, args.rows):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "kernel.onnx"
            path.write_bytes(graph.model().SerializeToString())
            records = tuned_records(path, Path(folder), options)
            default = tilewright.compile(import_model(graph.model()), threads=args.threads)
            tuned = tilewright.compile(import_model(graph.model()), threads=args.threads, records=records)
        given = graph.given()  # the same arrays: other pages are another speed
        found = speed(partial(tuned, *given), partial(default, *given))
        report(graph.name, found)
        gains.append(found.median)
    print(f"geometric mean {mean(gains):.3f}")


def fusion(args: argparse.Namespace) -> None:
    """Time each group as one kernel beside a kernel for each of its operators."""
    gains: list[float] = []
    for graph in chosen(GROUPS, args.rows):
        programs = []
        for context in (nullcontext(), PassContext(disabled_pass=["fuse"])):
            with context:
                programs.append(tilewright.compile(import_model(graph.model()), threads=args.threads))
        given = graph.given()
        fused, cut = (partial(program, *given) for program in programs)
        np.testing.assert_allclose(np.asarray(fused()), np.asarray(cut()), rtol=1e-3, atol=1e-3)
        found = speed(fused, cut)
        report(graph.name, found)
        gains.append(found.median)
    print(f"geometric mean {mean(gains):.3f}, least {min(gains):.3f}")


def network(args: argparse.Namespace) -> None:
    """Tune the light ResNet-50, and time it beside the untuned one and beside its peers."""
    model = light_model("resnet50")
    default = tilewright.compile(import_model(model), threads=args.threads)
    options = ["--budget", str(args.seconds or 900), "--trials", "100000", "--threads", str(args.threads)]
    with tempfile.TemporaryDirectory() as folder:
        records = tuned_records(light_model_path("resnet50"), Path(folder), options)
        tuned = tilewright.compile(import_model(model), threads=args.threads, records=records)
    session = open_session(model, args.threads)
    (argument,) = session.get_inputs()
    x = np.random.default_rng(1).standard_normal(argument.shape).astype(np.float32)
    peers: dict[str, Run] = {"onnxruntime": lambda: session.run(None, {argument.name: x})}
    if find_spec("openvino") is not None:
        peers["OpenVINO"] = in_openvino(model, args.threads, x)
    report("tuned / default", speed(partial(tuned, x), partial(default, x)))
    for name, peer in peers.items():
        report(f"default / {name}", speed(partial(default, x), peer))
        report(f"tuned / {name}", speed(partial(tuned, x), peer))


def in_openvino(model: Any, threads: int, x: np.ndarray) -> Run:
    """Return a run of the model in OpenVINO in float32, which it would compute in bfloat16 where the processor can."""
    import openvino  # pyright: ignore[reportMissingImports]

    core = openvino.Core()
    config = {
        "INFERENCE_NUM_THREADS": threads,
        "INFERENCE_PRECISION_HINT": "f32",
        "PERFORMANCE_HINT": "LATENCY",
    }
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        Path(file.name).write_bytes(model.SerializeToString())
        compiled = core.compile_model(core.read_model(file.name), "CPU", config)
    request = compiled.create_infer_request()
    return lambda: request.infer([x], share_inputs=True, share_outputs=True)


def chosen(graphs: Sequence[Graph], patterns: Sequence[str]) -> list[Graph]:
    """Return the graphs whose names have one of the patterns in them."""
    return [graph for graph in graphs if any(fnmatch(graph.name, f"*{pattern}*") for pattern in patterns)]


def mean(speeds: Sequence[float]) -> float:
    """Return the geometric mean."""
    return exp(fmean(log(each) for each in speeds))


SUBJECTS = {"shapes": shapes, "fusion": fusion, "network": network}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("subject", choices=SUBJECTS)
    parser.add_argument("--rows", nargs="*", default=["*"], help="patterns of names")
    parser.add_argument("--trials", type=int, default=64, help="trials for each kernel")
    parser.add_argument("--seconds", type=float, help="the limit of tuning: 60 for a kernel, 900 for a network")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    print("\n".join([*described(describe()), f"- threads: {args.threads}", ""]))
    print("\n".join([table_line(("pair", "speed")), table_line(("---", "---"))]), flush=True)
    SUBJECTS[args.subject](args)


if __name__ == "__main__":
    main()
