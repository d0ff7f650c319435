"""ResNet-50 from its ONNX file to machine code, and what every pass made of it on the way.

    python examples/resnet50.py [--model NAME] [--threads N]

The graph ships in the onnx package without weights; seeded random ones replace them. The result is compared with
onnxruntime's on the same input, before the softmax.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from statistics import median

import numpy as np
import onnxruntime
import tilewright
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.light_models import LIGHT_MODELS, light_model
from tilewright.passes.framework.instruments import Instrument
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

TOLERANCE = 1e-4


class Story(Instrument):
    """Prints a line for each pass: its phase, its time, and how the number of operations changed."""

    def __init__(self) -> None:
        self._start = 0.0
        self._before: Counter[str] = Counter()

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._before = census(module)
        self._start = time.perf_counter()

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        elapsed = time.perf_counter() - self._start
        after = census(module)
        gained = {name: after[name] - self._before[name] for name in after.keys() | self._before.keys()}
        changes = sorted((item for item in gained.items() if item[1]), key=lambda item: -abs(item[1]))
        text = ", ".join(f"{change:+} {name}" for name, change in changes[:4]) or "no change in operations"
        print(f"  phase {getattr(pass_, 'phase', '-')}  {pass_.name:34} {1e3 * elapsed:7.0f} ms  {text}")


def census(module: ModuleOp) -> Counter[str]:
    return Counter(op.name for op in module.walk())


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=LIGHT_MODELS, default="resnet50")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=11)
    arguments = parser.parse_args()

    model = light_model(arguments.model)
    start = time.perf_counter()
    module = import_model(model)
    print(f"imported {arguments.model}: {len(list(module.walk()))} operations in {time.perf_counter() - start:.2f} s")
    start = time.perf_counter()
    with tilewright.PassContext(instruments=[Story()]):
        program = tilewright.compile(module, threads=arguments.threads)
    print(f"compiled in {time.perf_counter() - start:.2f} s")

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = arguments.threads
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    (argument,) = session.get_inputs()
    x = np.random.default_rng(1).standard_normal(argument.shape).astype(np.float32)
    expected = session.run(None, {argument.name: x})[0]
    actual = np.asarray(program(x))
    error = float(np.abs(actual - expected).max() / np.ptp(expected))
    verdict = "agrees" if error < TOLERANCE else "DISAGREES"
    print(f"{verdict} with onnxruntime: largest difference {error:.1e} of the outputs' spread")

    times: list[tuple[float, float]] = []
    for _ in range(arguments.repeat):
        times.append((seconds(lambda: program(x)), seconds(lambda: session.run(None, {argument.name: x}))))
    ours, theirs = (1e3 * median(pair[k] for pair in times) for k in (0, 1))
    print(
        f"inference: {ours:.1f} ms, onnxruntime {theirs:.1f} ms "
        f"(medians of {arguments.repeat} turns, {arguments.threads} thread)"
    )
    if error >= TOLERANCE:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
