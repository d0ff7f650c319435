"""The kinds of inputs: valid ones, how each is damaged, and what reads it.

A `Trial` is a folder of files and a call, which runs in a process of its own. `main` there is one of the command line
tools or a function of this module.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .mutators import damaged_bytes, damaged_json, damaged_text
from .onnx_drawn import prepare as prepare_drawn
from .onnx_drawn import run_drawn, write_drawn
from .packages import prepare as prepare_packages
from .packages import run_package, write_damaged

__all__ = ["KINDS", "prepare", "run_drawn", "run_package", "write_canaries"]

LIT = Path(__file__).resolve().parents[3] / "lit"
CANARY = 12345.678
"""The content of files that no input may read."""


class Trial(NamedTuple):
    """One damaged input."""

    kind: str
    call: tuple[str, ...]
    """A tool and its arguments, or "python" and a function of this module."""


Maker = Callable[[random.Random, Path], Trial]

GRAPH = """builtin.module attributes {tw.weights = "m.safetensors"} {
  func.func @main(%x: tensor<2x3xf32> {tw.name = "x"}) -> (tensor<2x4xf32> {tw.name = "y"}) {
    %w = graph.constant resource<"w"> : tensor<3x4xf32>
    %m = graph.matmul %x, %w : tensor<2x4xf32>
    %y = graph.relu %m : tensor<2x4xf32>
    func.return %y : tensor<2x4xf32>
  }
}
"""
BLOCKS = """func.func @main(%A: memref<16x8xf32>, %B: memref<16x8xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    loop.for %j = 0 to 8 {
      loop.block "B" (%vi = spatial(%i) in 16, %vj = spatial(%j) in 8) {
        %a = loop.load %A[%vi, %vj] : memref<16x8xf32>
        %s = arith.addf %a, %a : f32
        loop.store %s, %B[%vi, %vj] : memref<16x8xf32>
      }
    }
  }
  func.return
}
"""


@cache
def ir_texts() -> dict[str, tuple[str, ...]]:
    """Return modules by dialect, from the lit cases."""
    found: dict[str, list[str]] = {}
    for path in sorted(LIT.rglob("*.mlir")):
        for part in re.split(r"^// -----[ \t]*$", path.read_text(), flags=re.M):
            text = "".join(f"{line}\n" for line in part.splitlines() if not line.lstrip().startswith("//"))
            if 20 < len(text) < 6000:
                dialects = set(re.findall(r"\b(graph|te|loop|schedule|target|scf|vector|math)\.", text))
                for dialect in dialects or {"builtin"}:
                    found.setdefault(dialect, []).append(text)
    return {dialect: tuple(texts) for dialect, texts in found.items()}


def mlir(random_: random.Random, folder: Path) -> Trial:
    dialect = random_.choice(sorted(ir_texts()))
    texts = ir_texts()[dialect]
    _write(folder / "m.mlir", damaged_text(random_, random_.choice(texts), texts))
    calls = [
        ("opt-tool", "m.mlir"),
        ("opt-tool", "--phase", "3", "m.mlir"),
        ("opt-tool", "--phase", "1", "--print-op-generic", "m.mlir"),
        ("opt-tool", "--phase", "3", "--emit", "llvm", "m.mlir"),
        ("tilewright", "compile", "m.mlir"),
        ("tilewright", "compile", "--emit", "c", "m.mlir"),
        ("tilewright", "compile", "--emit", "cuda-python", "m.mlir"),
        ("tilewright", "run", "--backend", "interpreter", "m.mlir"),
    ]
    return Trial("mlir", random_.choice(calls))


def onnx(random_: random.Random, folder: Path) -> Trial:
    data = random_.choice(_onnx_models())
    data = damaged_bytes(random_, data) if random_.random() < 0.5 else _damaged_model(random_, data)
    (folder / "m.onnx").write_bytes(data)
    (folder / "w.bin").write_bytes(np.arange(12, dtype=np.float32).tobytes())
    calls = [("run", "m.onnx", "--output", "y.npz"), ("import", "m.onnx"), ("compile", "m.onnx")]
    return Trial("onnx", ("tilewright", *random_.choice(calls)))


def onnx_drawn(random_: random.Random, folder: Path) -> Trial:
    write_drawn(random_, folder)
    return Trial("onnx-drawn", ("python", "run_drawn"))


def npz(random_: random.Random, folder: Path) -> Trial:
    _weighted(folder)
    buffer = io.BytesIO()
    save = random_.choice((np.savez, np.savez_compressed))
    x = np.ones((2, 3), np.float32)
    arrays = random_.choice(({"x": x}, {"x": x, "other": x.astype("f8")}, {"x": x.astype(">f4")}, {"x": x.T.copy().T}))
    save(buffer, **arrays)  # pyright: ignore[reportArgumentType]
    data = buffer.getvalue()
    if random_.random() < 0.5:
        data = _damaged_member(random_, x)
    (folder / "x.npz").write_bytes(damaged_bytes(random_, data) if random_.random() < 0.8 else data)
    return Trial("npz", ("tilewright", "run", "m.mlir", "--input", "x.npz", "--output", "y.npz"))


def safetensors(random_: random.Random, folder: Path) -> Trial:
    _weighted(folder)
    data = (folder / "m.safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    if random_.random() < 0.6:
        header = damaged_json(random_, data[8 : 8 + size].decode()).encode("utf-8", "surrogatepass")
        data = len(header).to_bytes(8, "little") + header + data[8 + size :]
    else:
        data = damaged_bytes(random_, data)
    (folder / "m.safetensors").write_bytes(data)
    if random_.random() < 0.2:
        _write(folder / "m.mlir", damaged_text(random_, GRAPH))
    return Trial("safetensors", ("tilewright", "run", "m.mlir", "--output", "y.npz"))


@cache
def _schedule() -> Any:
    """Return a schedule of `BLOCKS` with primitives of many kinds."""
    from tilewright import Schedule
    from tilewright.diagnostics.parsing import parse
    from tilewright.dialects import context

    schedule = Schedule(parse(context(), BLOCKS, "<blocks>"))
    block = schedule.get_block("B")
    cache_ = schedule.cache_read(block, 0, "global")
    i, j = schedule.get_loops(block)
    outer, inner = schedule.split(i, factor=4)
    schedule.reorder(outer, j, inner)
    schedule.compute_at(cache_, outer)
    schedule.vectorize(inner)
    schedule.parallel(outer)
    schedule.annotate(block, "note", 3)
    return schedule.trace


def schedule(random_: random.Random, folder: Path) -> Trial:
    _write(folder / "m.mlir", BLOCKS)
    texts = (*ir_texts().get("schedule", ()), _schedule().as_mlir("main"))
    text = texts[-1] if random_.random() < 0.7 else random_.choice(texts)
    _write(folder / "s.schedule", damaged_text(random_, text, texts))
    return Trial("schedule", ("opt-tool", "--schedule", "s.schedule", "--phase", "3", "m.mlir"))


def trace(random_: random.Random, folder: Path) -> Trial:
    _write(folder / "trace.json", damaged_json(random_, _schedule().as_json()))
    return Trial("trace", ("python", "replay_trace"))


def replay_trace() -> None:
    from tilewright import Schedule
    from tilewright.diagnostics.parsing import parse
    from tilewright.dialects import context
    from tilewright.schedule.trace import Trace

    replayed = Trace.from_json(Path("trace.json").read_text(encoding="utf-8", errors="surrogateescape"))
    replayed.as_python()
    schedule_ = Schedule(parse(context(), BLOCKS, "<blocks>"))
    replayed.apply_to(schedule_)
    schedule_.trace.as_mlir()


@cache
def _program() -> bytes:
    import tempfile

    import tilewright

    with tempfile.TemporaryDirectory() as name:
        _weighted(Path(name))
        tilewright.compile(Path(name) / "m.mlir").save(Path(name) / "p.so")
        return (Path(name) / "p.so").read_bytes()


def library(random_: random.Random, folder: Path) -> Trial:
    """Change the ELF header or the description, under a new seal or none, which hides the damage; or anything in a
    sealed file."""
    from tilewright.runtime.description import HEADER, MAGIC
    from tilewright.runtime.library import SEAL, SEAL_MARK

    data = bytearray(_program()[: -SEAL.size])
    _, covered, _ = SEAL.unpack(_program()[-SEAL.size :])
    start = data.rindex(MAGIC)
    length = HEADER.unpack_from(data, start)[2]
    end = start + HEADER.size + length
    match random_.randrange(4):
        case 0:
            data[:64] = damaged_bytes(random_, bytes(data[:64]))[:64].ljust(64, b"\0")
        case 1:
            fresh = damaged_bytes(random_, bytes(data[start:end]))
            data[start:end] = fresh[: end - start].ljust(end - start)
        case _:
            text = damaged_json(random_, bytes(data[start + HEADER.size : end]).decode())
            fresh = text.encode("utf-8", "surrogatepass")[:length].ljust(length)
            data[start + HEADER.size : end] = fresh
    result = bytes(data)
    match random_.randrange(3):
        case 0:
            result = damaged_bytes(random_, _program())
        case 1:
            result += SEAL.pack(SEAL_MARK, covered, hashlib.sha256(result[:covered]).digest())
        case _:
            pass
    (folder / "p.so").write_bytes(result)
    return Trial("library", ("python", "load_library"))


def package(random_: random.Random, folder: Path) -> Trial:
    write_damaged(random_, folder)
    return Trial("package", ("python", "run_package"))


def load_library() -> None:
    """Load it; machine code is not called, because nobody says that a wrong description is safe to call by."""
    import tilewright

    program = tilewright.load_module("p.so")
    repr(program)
    _ = [repr(function.signature) for function in program.functions.values()]


@cache
def _kernels() -> bytes:
    import tempfile

    from tilewright.runtime.kernels.saved import save_kernels

    program = _simulated().code.device.program.program
    with tempfile.TemporaryDirectory() as name:
        save_kernels(Path(name) / "k.ptx", program, ".version 8.0\n.target sm_90\n.address_size 64\n")
        return (Path(name) / "k.ptx").read_bytes()


def _simulated() -> Any:
    import tilewright
    from tilewright import te

    a = te.placeholder((64,), name="A")
    b = te.compute((64,), lambda i: a[i] + 1.0, name="B")
    return tilewright.build([a, b], [a, b], target="cuda", device="simulator")


def ptx(random_: random.Random, folder: Path) -> Trial:
    text, seal, _ = _kernels().decode().rpartition("//! sha256 ")
    lines = text.splitlines(keepends=True)
    if random_.random() < 0.6:
        marked = [n for n, line in enumerate(lines) if line.startswith("//! ") and "kernels" not in line]
        data = damaged_json(random_, "".join(lines[n][4:] for n in marked))
        lines[marked[0] : marked[-1] + 1] = [f"//! {line}\n" for line in data.splitlines()]
    else:
        lines = damaged_text(random_, text).splitlines(keepends=True)
    content = "".join(lines).encode("utf-8", "surrogatepass")
    content += seal.encode() + hashlib.sha256(content).hexdigest().encode() + b"\n"
    (folder / "k.ptx").write_bytes(content if random_.random() < 0.8 else damaged_bytes(random_, content))
    return Trial("ptx", ("python", "run_kernels"))


def run_kernels() -> None:
    import tilewright

    program = tilewright.load_module("k.ptx", device="simulator")
    program(np.ones(64, np.float32))


def cache_entry(random_: random.Random, folder: Path) -> Trial:
    shutil.copytree(_filled_cache(), folder / "cache")
    files = sorted(p for p in (folder / "cache").rglob("*") if p.is_file())
    path = random_.choice(files)
    if random_.random() < 0.3:
        path.write_bytes(random_.choice(files).read_bytes())
    else:
        path.write_bytes(damaged_bytes(random_, path.read_bytes()))
    return Trial("cache", ("python", "compile_from_cache"))


@cache
def _filled_cache() -> Path:
    import subprocess
    import sys
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="tilewright-mutation-"))
    _weighted(folder)
    code = "import tilewright, sys; tilewright.compile('m.mlir', threads=1)"
    environment = {**os.environ, "TILEWRIGHT_CACHE_DIR": str(folder / "cache"), "TILEWRIGHT_PROGRAM_CACHE": "1"}
    subprocess.run([sys.executable, "-c", code], check=True, cwd=folder, env=environment)
    return folder / "cache"


def compile_from_cache() -> None:
    import tilewright

    folder = Path.cwd()
    os.environ.update(TILEWRIGHT_CACHE_DIR=str(folder / "cache"), TILEWRIGHT_PROGRAM_CACHE="1")
    _weighted(folder)
    x = np.ones((2, 3), np.float32)
    expected = np.maximum(x @ np.arange(12, dtype=np.float32).reshape(3, 4), 0)
    assert np.array_equal(tilewright.compile("m.mlir", threads=1)(x), expected), "another program came from the cache"


TARGETS = (
    "llvm -mcpu=x86-64-v3 -mattr=+avx512f -num-cores=4",
    "cuda -arch=sm_90a",
    "c",
    "opencl",
    "llvm",
    "interpreter",
    "cpu",
    "llvm -mtriple=aarch64-linux-gnu -mattr=+neon",
    "llvm -mcpu=native",
    "cuda -arch=native",
)


def target(random_: random.Random, folder: Path) -> Trial:
    text = damaged_text(random_, random_.choice(TARGETS), TARGETS)
    if random_.random() < 0.3:
        text = f"{text} {damaged_text(random_, random_.choice(TARGETS))}"
    _write(folder / "target.json", json.dumps(text))
    return Trial("target", ("python", "make_target"))


def make_target() -> None:
    import tilewright

    text = json.loads(Path("target.json").read_text())
    made = tilewright.Target(text)
    str(made.attribute())
    assert str(tilewright.Target(str(made))) == str(made)


def command_line(random_: random.Random, folder: Path) -> Trial:
    from tilewright.tools import cli, opt

    _weighted(folder)
    _write(folder / "b.mlir", BLOCKS)
    tool = random_.choice(("tilewright", "opt-tool"))
    words = [
        "m.mlir",
        "b.mlir",
        "-",
        "--",
        "none.mlir",
        "fuse,tile",
        "tile{sizes=4,4}",
        "x=1",
        "x=2,3",
        "n=4",
        "llvm",
        "asm",
        "1",
        "0",
        "-1",
        "3",
        "1e9",
        "9" * 30,
        "",
        "=",
        "cuda",
        "y.npz",
        ".",
        "/dev/null",
        "TW0101",
        "\udcff",
        "é",
    ]
    if tool == "tilewright":
        command = random_.choice(("run", "compile", "import", "explain", "cache", "reduce", "rnu"))
        (commands,) = (a for a in cli.argument_parser()._actions if a.dest == "command")
        parser = dict(commands.choices or {}).get(command, cli.argument_parser())  # type: ignore[arg-type]
        given = [command]
    else:
        parser, given = opt.argument_parser(), []
    options = [name for name in parser._option_string_actions if name not in ("--test", "--load")]
    for _ in range(random_.randrange(1, 5)):
        option = random_.choice(options)
        match random_.randrange(4):
            case 0:
                given.append(option)
            case 1:
                given += [option, random_.choice(words)]
            case 2:
                given.append(f"{option}={random_.choice(words)}")
            case _:
                given.append(random_.choice(words))
    given.insert(random_.randrange(1, len(given) + 1), random_.choice(("m.mlir", "b.mlir")))
    return Trial("command", (tool, *(word for word in given if "\0" not in word)))


KINDS: dict[str, Maker] = {
    "mlir": mlir,
    "onnx": onnx,
    "onnx-drawn": onnx_drawn,
    "npz": npz,
    "safetensors": safetensors,
    "schedule": schedule,
    "trace": trace,
    "library": library,
    "package": package,
    "ptx": ptx,
    "cache": cache_entry,
    "target": target,
    "command": command_line,
}


def prepare() -> None:
    """Make what all trials share, before processes are forked."""
    ir_texts(), _schedule(), _program(), _kernels(), _filled_cache(), _onnx_models()
    prepare_drawn()
    prepare_packages()


def write_canaries(folder: Path) -> None:
    """Write files beside a trial's folder, which it has no right to."""
    from safetensors.numpy import save_file

    secret = np.full((3, 4), CANARY, np.float32)
    save_file({"w": secret}, folder / "canary.safetensors")
    (folder / "canary.bin").write_bytes(secret.tobytes())


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", "surrogateescape"))


def _weighted(folder: Path) -> None:
    from safetensors.numpy import save_file

    _write(folder / "m.mlir", GRAPH)
    save_file({"w": np.arange(12, dtype=np.float32).reshape(3, 4)}, folder / "m.safetensors")


def _damaged_member(random_: random.Random, array: np.ndarray) -> bytes:
    """Return an archive that is whole, whose member is damaged."""
    import zipfile

    buffer = io.BytesIO()
    np.save(buffer, array)
    header = buffer.getvalue()
    start = header.index(b"{")
    text = damaged_text(random_, header[start:128].decode()).encode("utf-8", "surrogateescape")
    body = header[:start] + text.ljust(128 - start)[: 128 - start] + header[128:]
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("x.npy", body)
    return archive.getvalue()


@cache
def _onnx_models() -> tuple[bytes, ...]:
    from onnx import TensorProto, helper, numpy_helper

    value = helper.make_tensor_value_info
    rng = np.random.default_rng(0)

    def model(nodes: Any, shape: Any, **weights: np.ndarray) -> bytes:
        initializers = [numpy_helper.from_array(array, name) for name, array in weights.items()]
        inputs = [value("x", TensorProto.FLOAT, shape)]
        graph = helper.make_graph(nodes, "g", inputs, [value("y", TensorProto.FLOAT, None)], initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8).SerializeToString()

    node = helper.make_node
    network = [
        node("Conv", ["x", "k"], ["c"], pads=[1, 1, 1, 1], strides=[2, 2]),
        node("Relu", ["c"], ["r"]),
        node("MaxPool", ["r"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
        node("ReduceMean", ["p", "axes"], ["m"], keepdims=0),
        node("Gemm", ["m", "w"], ["y"], transB=1),
    ]
    shapes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "i"], ["n"]),
        node("Concat", ["n", "minus"], ["t"], axis=0),
        node("Reshape", ["x", "t"], ["z"]),
        node("Transpose", ["z"], ["u"], perm=[1, 0]),
        node("Slice", ["u", "i", "two"], ["v"]),
        node("Softmax", ["v"], ["y"], axis=-1),
    ]
    products = [
        node("MatMul", ["x", "w"], ["m"]),
        node("Pad", ["m", "pads"], ["q"]),
        node("Resize", ["q", "", "f"], ["y"]),
    ]
    external = onnx_external()
    return (
        model(
            network,
            [1, 3, 8, 8],
            k=rng.standard_normal((4, 3, 3, 3), np.float32),
            axes=np.array([2, 3]),
            w=rng.standard_normal((5, 4), np.float32),
        ),
        model(shapes, [2, 3, 4], i=np.array([0]), minus=np.array([-1]), two=np.array([2])),
        model(
            products, [2, 3], w=np.ones((3, 4), np.float32), pads=np.array([0, 1, 0, 1]), f=np.array([2, 2], np.float32)
        ),
        external,
    )


def onnx_external() -> bytes:
    """Return a model whose weights are in a file beside it."""
    from onnx import TensorProto, helper, numpy_helper

    value = helper.make_tensor_value_info
    weight = numpy_helper.from_array(np.zeros((3, 4), np.float32), "w")
    weight.ClearField("raw_data")
    weight.data_location = TensorProto.EXTERNAL
    for key, text in (("location", "w.bin"), ("offset", "0"), ("length", "48")):
        entry = weight.external_data.add()
        entry.key, entry.value = key, text
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    graph = helper.make_graph(
        nodes, "g", [value("x", TensorProto.FLOAT, [2, 3])], [value("y", TensorProto.FLOAT, None)], [weight]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    return model.SerializeToString()


def _damaged_model(random_: random.Random, data: bytes) -> bytes:
    """Return a model that can be read, some of whose fields have other values."""
    import onnx as package

    model = package.load_model_from_string(data)
    for _ in range(random_.choice((1, 1, 2, 3))):
        node = random_.choice(model.graph.node)
        number = random_.choice((0, 1, -1, 2, 7, 2**31, 2**40, -(2**40), 2**62))
        match random_.randrange(7):
            case 0 if node.input:
                node.input[random_.randrange(len(node.input))] = random_.choice(
                    ("", "x", "y", "w", "none", node.input[0])
                )
            case 1:
                operators = (
                    "Relu",
                    "Gather",
                    "Concat",
                    "Resize",
                    "Conv",
                    "Split",
                    "Expand",
                    "Tile",
                    "Range",
                    "TopK",
                    "If",
                    "ScatterND",
                    "ConvTranspose",
                    "OneHot",
                    "Einsum",
                    "Where",
                    "CumSum",
                    "Unsqueeze",
                    "Cast",
                )
                node.op_type = random_.choice(operators)
            case 2 if node.attribute:
                attribute = random_.choice(node.attribute)
                attribute.i = number
                if attribute.ints:
                    attribute.ints[random_.randrange(len(attribute.ints))] = number
            case 3 if model.graph.initializer:
                weight = random_.choice(model.graph.initializer)
                if weight.dims and random_.random() < 0.5:
                    weight.dims[random_.randrange(len(weight.dims))] = number
                else:
                    weight.data_type = random_.randrange(25)
                for entry in weight.external_data:
                    entry.value = random_.choice(
                        (entry.value, "../canary.bin", "/etc/hostname", str(number), "\0", ".")
                    )
            case 4:
                for weight in model.graph.initializer:
                    if weight.data_type == package.TensorProto.INT64 and len(weight.raw_data) >= 8:
                        weight.raw_data = number.to_bytes(8, "little", signed=True) + weight.raw_data[8:]
            case 5:
                dims = model.graph.input[0].type.tensor_type.shape.dim
                if dims:
                    dims[random_.randrange(len(dims))].dim_value = number
            case _:
                model.graph.node.insert(random_.randrange(len(model.graph.node) + 1), random_.choice(model.graph.node))
    return model.SerializeToString()
