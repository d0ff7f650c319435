"""The bytes, memory and seconds that compiling and saving a model takes.

    python benchmarks/saving.py [MODEL.onnx] [--forms so tar o] [--layers 12] [--columns 768] [--words 50257] [--cached]

Without a model it makes one with the weights of GPT-2 124M: twelve layers of four products each, and a matrix of
embeddings that rows are gathered from and that the last layer multiplies by. Each form is compiled and saved in a
process of its own, with an empty cache of programs (with `--cached`: in a second process, which finds it there).

Two peaks are printed. *Resident* is VmHWM, the memory of the process and the pages of files that it has mapped, its
libraries among them. *Anonymous* is the memory alone that no file has (RssAnon, looked at every five milliseconds).
Both are beside the bytes of the model's file.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Event, Thread

TOKENS = 16
MIB = 1 << 20


def transformer(path: Path, layers: int, columns: int, words: int) -> None:
    """Write a model with the products of a language model whose embeddings are tied."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    random = np.random.default_rng(0)
    nodes, weights, shown = [], [], "e"

    def weight(name: str, *shape: int) -> str:
        weights.append(numpy_helper.from_array(random.standard_normal(shape, np.float32) / 50, name))
        return name

    nodes.append(helper.make_node("Gather", [weight("embeddings", words, columns), "ids"], [shown]))
    for k in range(layers):
        shapes = {"all": 3 * columns, "out": columns, "up": 4 * columns}
        wide, out, up = (weight(f"{name}{k}", columns, size) for name, size in shapes.items())
        down = weight(f"down{k}", 4 * columns, columns)
        for operator, inputs, output in (
            ("MatMul", [shown, wide], f"a{k}"),
            ("Slice", [f"a{k}", "first", "last", "axis"], f"b{k}"),
            ("MatMul", [f"b{k}", out], f"c{k}"),
            ("MatMul", [f"c{k}", up], f"d{k}"),
            ("Relu", [f"d{k}"], f"r{k}"),
            ("MatMul", [f"r{k}", down], f"f{k}"),
            ("Add", [shown, f"f{k}"], f"e{k}"),
        ):
            nodes.append(helper.make_node(operator, inputs, [output]))
        shown = f"e{k}"
    weights += [numpy_helper.from_array(np.array([n]), s) for s, n in (("first", 0), ("last", columns), ("axis", 2))]
    nodes.append(helper.make_node("Transpose", ["embeddings"], ["turned"], perm=[1, 0]))
    nodes.append(helper.make_node("MatMul", [shown, "turned"], ["scores"]))
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, [1, TOKENS])
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, TOKENS, words])
    graph = helper.make_graph(nodes, "transformer", [ids], [scores], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)


def status(key: str) -> int:
    """Bytes of this process, of the field `key` of its status."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith(f"{key}:"))


def measure(model: str, saved: str) -> None:
    """Compile and save in this process; print both peaks in bytes and the seconds."""
    peak, ended = 0, Event()

    def look() -> None:
        nonlocal peak
        while not ended.wait(0.005):
            peak = max(peak, status("RssAnon"))

    watching = Thread(target=look)
    watching.start()
    try:
        started = time.perf_counter()
        import tilewright

        tilewright.compile(model).save(saved)
        seconds = time.perf_counter() - started
    finally:
        ended.set()
        watching.join()
    print(status("VmHWM"), peak, seconds)


def report(model: Path, form: str, is_cached: bool) -> str:
    """The row of a form."""
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder, f"model.{form}")
        command = [sys.executable, __file__, "--measure", str(model), str(saved)]
        environment = {**os.environ, "TILEWRIGHT_CACHE_DIR": str(Path(folder, "cache"))}
        for _ in range(1 + is_cached):
            output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        resident, anonymous, seconds = map(float, output.split())
        weights = model.stat().st_size
        written = saved.stat().st_size
        return (
            f"{form:5s} {written / MIB:8.1f} MiB ({written / weights:.2f})   resident {resident / MIB:7.0f} MiB "
            f"({resident / weights:.2f})   anonymous {anonymous / MIB:7.0f} MiB ({anonymous / weights:.2f})   "
            f"{seconds:.1f} s"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--forms", nargs="+", default=["so", "tar", "o"], metavar="FORM")
    for name, default in (("layers", 12), ("columns", 768), ("words", 50257)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument(
        "--cached", action="store_true", help="measure a second process, which finds the program cached"
    )
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.measure:
        measure(*args.measure)
        return
    with tempfile.TemporaryDirectory() as folder:
        model = args.model
        if model is None:
            model = Path(folder, "model.onnx")
            transformer(model, args.layers, args.columns, args.words)
        print(f"model {model.stat().st_size / MIB:8.1f} MiB; in brackets: parts of that")
        for form in args.forms:
            print(report(model, form, args.cached), flush=True)


if __name__ == "__main__":
    main()
