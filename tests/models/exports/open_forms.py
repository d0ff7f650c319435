"""Networks whose sizes are open beside the same networks of fixed sizes, in turns in one process: `make open-forms`.

    python tests/models/exports/open_forms.py FOLDER [--match TEXT] [--threads N] [--list] [--write FILE]

FOLDER holds what export.py wrote. An export `NAME-open` is compared with `NAME` on the inputs of that one, and with
itself at the first of its own sizes, fixed while it is imported. Further rows need no export: classifiers of the onnx
package (`light-...`) whose batch, or whose height and width, are opened here, and one recurrent layer of 25 steps, 256
inputs and 256 units at batch 1, 8 and 32. A ratio is the median over turns of the fixed program's time over the open
one's. The results of both are compared with onnxruntime's. The exit status is 1 where a result is wrong, or the open
program was compiled more than once.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import exp, log
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    __package__ = "tests.models.exports"

OPEN = "-open"
TURNS = 9
LEAST = 0.1
"""Seconds that a sample lasts at least."""
AIM, FLOOR = 0.9, 0.7
"""The geometric mean of the ratios that is aimed at, and what no ratio should be below."""

LIGHT_BATCH = ("squeezenet", "resnet50", "shufflenet", "densenet121", "inception_v2", "vgg19")
LIGHT_IMAGES = ("squeezenet", "densenet121")
"""Networks without a size of their images in a constant."""
LAYERS = {"LSTM": 4, "GRU": 3, "RNN": 1}
"""Recurrent operators by the number of their gates."""
STEPS, WIDTH = 25, 256
BATCHES = (1, 8, 32)

TOLERANCE = 1e-4
"""Of the spread of an output."""

Model = str | onnx.ModelProto
Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class Case:
    """Inputs by name, and the file of the network of their sizes; without one these are fixed in the open network."""

    name: str
    inputs: Callable[[], Arrays]
    fixed: Path | None = None


@dataclass(frozen=True)
class Network:
    """A network of open sizes, and the sizes that it is measured at."""

    open: Callable[[], Model]
    cases: tuple[Case, ...]

    def matching(self, text: str) -> Network:
        """Return the network with the cases that have a text in their names."""
        return replace(self, cases=tuple(case for case in self.cases if text in case.name))


@dataclass(frozen=True)
class Row:
    """Seconds of both programs and of onnxruntime, and what else the table says of a case."""

    fixed: float
    open: float
    peer: float
    ratio: float
    """The fixed program's time over the open one's."""
    error: float
    """The largest of both programs, over the spread of the outputs."""
    versions: int
    """The number of compilations of the open program."""

    @property
    def is_right(self) -> bool:
        return self.error < TOLERANCE and self.versions == 1


def networks(folder: Path) -> Iterator[Network]:
    """Yield the networks of the table, the exports first."""
    for directory in sorted(folder.iterdir()) if folder.exists() else []:
        if directory.name.endswith(OPEN) and (directory / "model.onnx").exists():
            yield _exported(directory)
    for name in LIGHT_BATCH:
        yield _light(name, ("batch", None, None), ((1, 224, 224), (4, 224, 224)))
    for name in LIGHT_IMAGES:
        yield _light(name, ("batch", "height", "width"), ((1, 224, 224), (2, 160, 192)))
    for kind in LAYERS:
        for direction in ("forward", "bidirectional"):
            shapes = {f"{kind.lower()}-{direction}-{batch}": (STEPS, batch, WIDTH) for batch in BATCHES}
            cases = tuple(Case(name, partial(_drawn, "x", *shape)) for name, shape in shapes.items())
            yield Network(partial(layer, kind, direction), cases)


def _exported(directory: Path) -> Network:
    cases = [Case(directory.name, partial(_loaded, directory / "inputs-0.npz"))]
    fixed = directory.parent / directory.name.removesuffix(OPEN)
    if (fixed / "model.onnx").exists():
        cases.insert(0, Case(fixed.name, partial(_loaded, fixed / "inputs-0.npz"), fixed / "model.onnx"))
    return Network(lambda: str(directory / "model.onnx"), tuple(cases))


def _light(name: str, names: tuple[str | None, ...], sizes: Sequence[tuple[int, int, int]]) -> Network:
    """Return a classifier of the onnx package with the sizes open that have `names`: batch, height, width."""
    from tilewright.frontends.onnx.light_models import light_model, light_model_path

    graph = onnx.load(light_model_path(name)).graph
    weights = {tensor.name for tensor in graph.initializer}
    (key,) = (value.name for value in graph.input if value.name not in weights)
    what = "+".join(each for each in names if each)
    cases = tuple(
        Case(f"light-{name} {what} {'x'.join(map(str, each))}", partial(_drawn, key, each[0], 3, *each[1:]))
        for each in sizes
    )
    return Network(lambda: opened(light_model(name), names), cases)


def _loaded(path: Path) -> Arrays:
    return dict(np.load(path))


def _drawn(name: str, *shape: int) -> Arrays:
    return {name: np.random.default_rng(1).standard_normal(shape).astype(np.float32)}


def opened(model: onnx.ModelProto, names: Sequence[str | None]) -> onnx.ModelProto:
    """Return `model`, changed in place, whose one image of the input has `names` for sizes but for its channels.

    A constant shape of a Reshape that begins with the batch of 1 copies the batch of its operand instead.
    """
    graph = model.graph
    batch, *image = names
    (value,) = graph.input
    for dim, name in zip(value.type.tensor_type.shape.dim, (batch, None, *image), strict=True):
        if name is not None:
            dim.dim_param = name
    shapes = {node.input[1] for node in graph.node if node.op_type == "Reshape"}
    for tensor in graph.initializer:
        if tensor.name in shapes and (shape := numpy_helper.to_array(tensor).copy())[0] == 1:
            shape[0] = 0
            tensor.CopyFrom(numpy_helper.from_array(shape, tensor.name))
    for output in graph.output:
        output.type.tensor_type.ClearField("shape")
    del graph.value_info[:]
    return model


def layer(kind: str, direction: str) -> onnx.ModelProto:
    """Return a recurrent layer of an open batch with random weights."""
    rng, count = np.random.default_rng(0), 2 if direction == "bidirectional" else 1
    rows = LAYERS[kind] * WIDTH
    shapes = {"w": (count, rows, WIDTH), "r": (count, rows, WIDTH), "b": (count, 2 * rows)}
    weights = [
        numpy_helper.from_array((rng.standard_normal(shape) / np.sqrt(WIDTH)).astype(np.float32), name)
        for name, shape in shapes.items()
    ]
    options = {"linear_before_reset": 1} if kind == "GRU" else {}
    node = helper.make_node(kind, ["x", *shapes], ["y"], hidden_size=WIDTH, direction=direction, **options)
    graph = helper.make_graph(
        [node],
        "layer",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (STEPS, "batch", WIDTH))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (STEPS, count, "batch", WIDTH))],
        weights,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def measured(network: Network, threads: int) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a network by their names."""
    import tilewright
    from tilewright.driver.versions import VersionedCode

    from . import measure

    model = network.open()
    opened = tilewright.compile(model, threads=threads)
    for case in network.cases:
        given = case.inputs()
        if case.fixed is not None:
            fixed = tilewright.compile(str(case.fixed), threads=threads)
        else:
            shapes = {name: array.shape for name, array in given.items()}
            fixed = tilewright.compile(model, threads=threads, shapes=shapes)
        session = _session(case.fixed or model)
        ours = [
            partial(program, *(given[each.name] for each in program.signature.inputs)) for program in (fixed, opened)
        ]
        expected = session.run(None, given)
        error = max(measure.error(_arrays(each()), expected) for each in ours)
        times = in_turns([*ours, partial(session.run, None, given)], threads)
        ratio = median(a / b for a, b in zip(times[0], times[1], strict=True))
        versions = len(opened.code.versions.compiled) if isinstance(opened.code, VersionedCode) else 1
        yield case.name, Row(*map(median, times), ratio=ratio, error=error, versions=versions)


def _session(model: Path | Model) -> Any:
    """Return onnxruntime on one thread, on a file or a model."""
    from . import measure

    if not isinstance(model, onnx.ModelProto):
        return measure.onnxruntime_session(Path(model))
    with tempfile.TemporaryDirectory() as folder:
        onnx.save(model, path := Path(folder) / "model.onnx")
        return measure.onnxruntime_session(path)


def _arrays(results: Any) -> list[np.ndarray]:
    return [np.asarray(each) for each in (results if isinstance(results, (tuple, list)) else [results])]


def in_turns(functions: Sequence[Callable[[], object]], threads: int) -> list[list[float]]:
    """Return seconds of a call of each function, turn by turn: of the processor for one thread, else of the clock."""
    clock = time.process_time if threads == 1 else time.perf_counter

    def sample(function: Callable[[], object], count: int) -> float:
        start = clock()
        for _ in range(count):
            function()
        return (clock() - start) / count

    for function in functions:
        function()
    counts = [max(1, int(LEAST / max(sample(function, 1), 1e-6))) for function in functions]
    turns = [[sample(f, count) for f, count in zip(functions, counts, strict=True)] for _ in range(TURNS)]
    return [list(each) for each in zip(*turns, strict=True)]


HEAD = """\
| network | fixed, ms | open, ms | fixed / open | onnxruntime / fixed | onnxruntime / open | error / spread | versions |
|---|---|---|---|---|---|---|---|"""


def line(name: str, row: Row) -> str:
    """Return a row of the table."""
    times = f"{row.fixed * 1e3:.2f} | {row.open * 1e3:.2f} | {row.ratio:.2f}"
    peers = f"{row.peer / row.fixed:.2f} | {row.peer / row.open:.2f}"
    return f"| {name} | {times} | {peers} | {row.error:.1e} | {row.versions} |"


def closing(rows: dict[str, Row]) -> str:
    """Return the geometric mean of the ratios, and the rows below `FLOOR`."""
    ratios = {name: row.ratio for name, row in rows.items()}
    mean = exp(sum(map(log, ratios.values())) / len(ratios))
    low = [f"{name} {ratio:.2f}" for name, ratio in ratios.items() if ratio < FLOOR]
    text = f"Time of fixed over open sizes: geometric mean {mean:.2f} (aim {AIM}), least {min(ratios.values()):.2f}."
    return f"{text} Below {FLOOR}: {', '.join(low) or 'none'}."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--match", default="", metavar="TEXT", help="only rows with this in their names")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    parser.add_argument("--list", action="store_true", help="print the names of the rows")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table there too")
    args = parser.parse_args()
    chosen = [each for network in networks(args.folder) if (each := network.matching(args.match)).cases]
    if args.list:
        print(*(case.name for network in chosen for case in network.cases), sep="\n")
        return 0
    if not chosen:
        parser.error(f"no row has {args.match!r} in its name")
    rows: dict[str, Row] = {}
    table = [HEAD]
    print(HEAD, flush=True)
    for network in chosen:
        for name, row in measured(network, args.threads):
            rows[name] = row
            table.append(line(name, row))
            print(table[-1], flush=True)
    table += ["", closing(rows)]
    print(*table[-2:], sep="\n")
    if args.write is not None:
        args.write.write_text("\n".join([*table, ""]), encoding="utf-8")
    return 0 if all(row.is_right for row in rows.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
