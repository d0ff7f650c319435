"""The bytes, memory and seconds that compiling, saving and loading a model takes.

    python benchmarks/saving.py [MODEL.onnx] [--forms so tar o c beside] [--layers 12] [--columns 768] [--words 50257]

Without a model it makes one with the weights of GPT-2 124M: twelve layers of four products each, and a matrix of
embeddings that rows are gathered from and that the last layer multiplies by. Each form is compiled and saved in a
process of its own, with an empty cache of programs, and in a second one, which finds the program cached (C source is
not). *beside* is a library with its weights beside it. What Python loads is loaded in a third process.

Two peaks are printed. *Resident* is VmHWM, the memory of the process and the pages of files that it has mapped, its
libraries among them. *Anonymous* is the memory alone that no file has (RssAnon, looked at every five milliseconds).
Both are beside the bytes of the model's file. For a model of `LARGE` bytes and more the exit status is 1 where a
resident peak of saving is not below `LIMIT` times these.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event, Thread

TOKENS = 16
MIB = 1 << 20
LIMIT = 2
LARGE = 256 * MIB
FORMS = ("so", "tar", "o", "c", "beside")
LOADED = ("so", "tar", "beside")


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
    """Return the bytes of this process, of the field `key` of its status."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith(f"{key}:"))


def measure(model: str, saved: str, form: str) -> None:
    """Compile and save in this process, or load where `model` is empty; print both peaks in bytes and the seconds."""
    peak, ended = 0, Event()

    def look() -> None:
        nonlocal peak
        while not ended.wait(0.005):
            peak = max(peak, status("RssAnon"))

    watching = Thread(target=look)
    watching.start()
    try:
        started = time.perf_counter()
        if model:
            import tilewright

            target = "c" if form == "c" else None
            tilewright.compile(model, target=target).save(saved, weights="beside" if form == "beside" else None)
        else:
            from tilewright.runtime import load

            load(saved)
        seconds = time.perf_counter() - started
    finally:
        ended.set()
        watching.join()
    print(status("VmHWM"), peak, seconds)


def rows(model: Path, form: str) -> Iterator[tuple[str, float]]:
    """Yield the rows of a form, each with its resident peak beside the bytes of the model; 0 for that of loading."""
    weights = model.stat().st_size
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder, "saved", f"model.{'so' if form == 'beside' else form}")
        saved.parent.mkdir()
        environment = {**os.environ, "TILEWRIGHT_CACHE_DIR": str(Path(folder, "cache"))}
        stages = ["save", *(["save, cached"] if form != "c" else []), *(["load"] if form in LOADED else [])]
        for stage in stages:
            source = "" if stage == "load" else str(model)
            command = [sys.executable, __file__, "--measure", source, str(saved), form]
            output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
            resident, anonymous, seconds = map(float, output.split())
            written = sum(file.stat().st_size for file in saved.parent.iterdir())
            yield (
                (
                    f"{form:7s} {stage:13s} {written / MIB:6.1f} MiB ({written / weights:.2f})   "
                    f"resident {resident / MIB:5.0f} MiB ({resident / weights:.2f})   "
                    f"anonymous {anonymous / MIB:5.0f} MiB ({anonymous / weights:.2f})   {seconds:.2f} s"
                ),
                0 if stage == "load" or weights < LARGE else resident / weights,
            )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--forms", nargs="+", default=FORMS, choices=FORMS, metavar="FORM")
    for name, default in (("layers", 12), ("columns", 768), ("words", 50257)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.measure:
        measure(*args.measure)
        return 0
    largest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        model = args.model
        if model is None:
            model = Path(folder, "model.onnx")
            transformer(model, args.layers, args.columns, args.words)
        print(f"model {model.stat().st_size / MIB:.1f} MiB; in brackets: parts of that")
        for form in args.forms:
            for text, peak in rows(model, form):
                print(text, flush=True)
                largest = max(largest, peak)
    if largest:
        print(f"largest peak of saving: {largest:.2f}, limit {LIMIT}")
    return int(largest >= LIMIT)


if __name__ == "__main__":
    sys.exit(main())
