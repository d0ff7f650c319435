"""Inference times of whole models, ours beside onnxruntime's in one run.

    python benchmarks/models.py [--models resnet50 squeezenet] [--threads 1] [--repeat 15]

Both systems run in this process on preallocated inputs, taking turns, and each pair of neighbouring runs gives one
ratio (ours / onnxruntime; below 1 is faster). Printed are medians. Weights are seeded random numbers.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time

import numpy as np
import onnxruntime
import paired
import tilewright
from systems.ort import open_session
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.light_models import LIGHT_MODELS, light_model


def measure(name: str, threads: int, repeat: int) -> None:
    model = light_model(name)
    session = open_session(model, threads)
    start = time.perf_counter()
    module = import_model(model)
    imported = time.perf_counter()
    program = tilewright.compile(module, threads=threads)
    compiled = time.perf_counter()
    (argument,) = session.get_inputs()
    x = np.random.default_rng(1).standard_normal(argument.shape).astype(np.float32)
    expected = session.run(None, {argument.name: x})[0]
    actual = np.asarray(program(x))
    error = float(np.abs(actual - expected).max() / np.ptp(expected))
    pairs = paired.measure(lambda: program(x), lambda: session.run(None, {argument.name: x}), repeat)
    print(
        f"{name:16} {threads:7} {imported - start:8.2f} {compiled - imported:9.2f} {1e3 * pairs.median_ours:9.2f} "
        f"{1e3 * pairs.median_theirs:9.2f} {1 / pairs.speedup:7.2f} {error:9.1e}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", choices=LIGHT_MODELS, default=LIGHT_MODELS, metavar="NAME")
    parser.add_argument("--threads", nargs="+", type=int, default=[1], metavar="N")
    parser.add_argument("--repeat", type=int, default=15, metavar="N", help="pairs of runs (default: 15)")
    parser.add_argument("--warm", action="store_true", help="use the object cache; otherwise compilation is cold")
    arguments = parser.parse_args()
    print(f"{paired.machine()}, onnxruntime {onnxruntime.__version__}, tilewright {tilewright.__version__}")
    print("model            threads import_s compile_s   ours_ms    ort_ms   ratio     error")
    with tempfile.TemporaryDirectory() as cold:
        if not arguments.warm:
            os.environ["TILEWRIGHT_CACHE_DIR"] = cold
        for name in arguments.models:
            for threads in arguments.threads:
                measure(name, threads, arguments.repeat)


if __name__ == "__main__":
    main()
