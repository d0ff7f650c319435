"""A step of a cached decoder by two threads, on a quiet machine and beside busy processes, with onnxruntime in turns.

    python benchmarks/busy.py [--threads 2] [--busy 2] [--rounds 5] [--steps 100] [--columns 384] [--layers 12]

The model is a decoder of twelve layers with random weights, whose step of one token reads keys and values of `--past`
tokens: many small products, each a parallel region that all threads have to end. Each system has a separate process,
which is stopped while another one runs. A round measures both systems on the quiet machine and beside `--busy`
processes of this benchmark that do nothing but count. Printed are the median and the mean step of all rounds in
milliseconds, and how many times its quiet median a step takes beside busy processes on the average.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, median

HEAD = 64
SYSTEMS = ("tilewright", "onnxruntime")


def decoder(path: Path, layers: int, columns: int, past: int) -> None:
    """Write a model whose inputs are an embedded token and the keys and values of each layer."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    random, heads = np.random.default_rng(0), columns // HEAD
    nodes, weights, inputs, outputs = [], [], [], []

    def constant(name: str, value: np.ndarray) -> str:
        weights.append(numpy_helper.from_array(value, name))
        return name

    def weight(name: str, *shape: int) -> str:
        return constant(name, random.standard_normal(shape, np.float32) / np.float32(shape[0] ** 0.5))

    def add(operator: str, given: Sequence[str], *results: str, **attributes: object) -> str:
        nodes.append(helper.make_node(operator, given, results, **attributes))
        return results[0]

    def normalized(shown: str, name: str) -> str:
        ones, zeros = np.ones(columns, np.float32), np.zeros(columns, np.float32)
        given = [shown, constant(f"{name}scale", ones), constant(f"{name}shift", zeros)]
        return add("LayerNormalization", given, f"{name}normal", axis=-1)

    def value(name: str, *shape: int) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    split = constant("by_head", np.array([1, heads, 1, HEAD]))
    joined = constant("joined", np.array([1, 1, columns]))
    factor = constant("factor", np.float32(HEAD**-0.5))
    inputs.append(value("x", 1, 1, columns))
    shown = "x"
    for k in range(layers):
        wide = add("MatMul", [normalized(shown, f"a{k}"), weight(f"in{k}", columns, 3 * columns)], f"wide{k}")
        parts = [f"{part}{k}" for part in ("query", "key", "value")]
        add("Split", [wide], *parts, axis=2, num_outputs=3)
        query, key, content = (add("Reshape", [part, split], f"{part}h") for part in parts)
        for name, new in (("keys", key), ("values", content)):
            inputs.append(value(f"{name}{k}", 1, heads, past, HEAD))
            add("Concat", [f"{name}{k}", new], f"all_{name}{k}", axis=2)
            outputs.append(value(new, 1, heads, 1, HEAD))
        turned = add("Transpose", [f"all_keys{k}"], f"turned{k}", perm=[0, 1, 3, 2])
        scores = add("Mul", [add("MatMul", [query, turned], f"raw{k}"), factor], f"scores{k}")
        chosen = add("MatMul", [add("Softmax", [scores], f"soft{k}", axis=-1), f"all_values{k}"], f"chosen{k}")
        attended = add("Reshape", [chosen, joined], f"attended{k}")
        shown = add("Add", [shown, add("MatMul", [attended, weight(f"out{k}", columns, columns)], f"o{k}")], f"b{k}")
        up = add("MatMul", [normalized(shown, f"c{k}"), weight(f"up{k}", columns, 4 * columns)], f"u{k}")
        down = add(
            "MatMul",
            [add("Gelu", [up], f"g{k}", approximate="tanh"), weight(f"down{k}", 4 * columns, columns)],
            f"d{k}",
        )
        shown = add("Add", [shown, down], f"e{k}")
    outputs.insert(0, value(shown, 1, 1, columns))
    graph = helper.make_graph(nodes, "decoder", inputs, outputs, weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), path)


def step_of(system: str, path: Path, threads: int) -> Callable[[], Sequence[object]]:
    """Return a step of the model by a system; its results."""
    import numpy as np
    import onnx

    random, model = np.random.default_rng(1), onnx.load(path)
    shapes = {i.name: [d.dim_value for d in i.type.tensor_type.shape.dim] for i in model.graph.input}
    given = {name: random.standard_normal(shape, np.float32) for name, shape in shapes.items()}
    if system == "onnxruntime":
        from systems.ort import open_session

        session = open_session(model, threads)
        return lambda: session.run(None, given)
    import tilewright

    module, arrays = tilewright.compile(str(path), threads=threads), list(given.values())
    return lambda: module(*arrays)


def serve(system: str, path: Path, threads: int) -> None:
    """Answer each line, a number of steps, with their seconds."""
    step = step_of(system, path, threads)
    for _ in range(10):
        step()
    print("ready", flush=True)
    for line in sys.stdin:
        seconds = []
        for _ in range(int(line)):
            start = time.perf_counter()
            step()
            seconds.append(time.perf_counter() - start)
        print(*seconds, flush=True)


class Worker:
    """A system in a separate process, which is stopped unless it is asked."""

    def __init__(self, system: str, path: Path, threads: int) -> None:
        command = [sys.executable, __file__, "--serve", system, str(path), "--threads", str(threads)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert self.process.stdout.readline().strip() == "ready", f"{system} does not run the model"
        self.process.send_signal(signal.SIGSTOP)

    def steps(self, count: int) -> list[float]:
        """Return the seconds of so many steps."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        seconds = [float(word) for word in self.process.stdout.readline().split()]
        self.process.send_signal(signal.SIGSTOP)
        return seconds

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Run `count` processes that count, inside the `with`."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    time.sleep(0.2)
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def measure(workers: dict[str, Worker], busy: int, rounds: int, steps: int) -> dict[tuple[str, int], list[float]]:
    """Return the seconds of all steps, by system and number of busy processes."""
    found: dict[tuple[str, int], list[float]] = {}
    for number in range(rounds):
        for count in (0, busy):
            with busy_processes(count):
                for system in sorted(workers, reverse=number % 2 == 1):
                    found.setdefault((system, count), []).extend(workers[system].steps(steps))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    defaults = {"threads": 2, "busy": 2, "rounds": 5, "steps": 100, "columns": 384, "layers": 12, "past": 128}
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--systems", nargs="+", default=SYSTEMS, choices=SYSTEMS)
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.serve:
        serve(args.serve[0], Path(args.serve[1]), args.threads)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "decoder.onnx")
        decoder(path, args.layers, args.columns, args.past)
        workers = {system: Worker(system, path, args.threads) for system in args.systems}
        try:
            found = measure(workers, args.busy, args.rounds, args.steps)
        finally:
            for worker in workers.values():
                worker.end()
    print(f"{args.threads} threads on {len(os.sched_getaffinity(0))} processors")
    for system in args.systems:
        quiet, beside = found[system, 0], found[system, args.busy]
        cells = [f"{1e3 * median(each):8.2f} ({1e3 * fmean(each):8.2f})" for each in (quiet, beside)]
        ratio = fmean(beside) / median(quiet)
        print(f"{system:12} quiet {cells[0]} ms   beside {args.busy} busy {cells[1]} ms   {ratio:6.2f} times")


if __name__ == "__main__":
    main()
