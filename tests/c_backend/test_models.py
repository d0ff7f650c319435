"""Whole models as C files, compiled without warnings by each compiler and run beside onnxruntime."""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright
from legal import legal
from needed_tools import those_there
from tilewright import te, tir
from tilewright.backends.c.mathematics import LIBRARY_FUNCTIONS
from tilewright.backends.c.model import write_model
from tilewright.backends.c.model.weights import Weights
from tilewright.diagnostics import TilewrightError
from xdsl.dialects.builtin import ModuleOp

from .models import (
    EACH_COMPILER,
    MEMORY,
    SANITIZED,
    STRICT,
    CModel,
    defined_symbols,
    onnxruntime_results,
    run_program,
    undefined_symbols,
    written,
)

LIBM = {*LIBRARY_FUNCTIONS, *(f"{name}f" for name in LIBRARY_FUNCTIONS)}
RNG = np.random.default_rng(3)


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : 21]>\n{text}')


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


# 93.7 (k + 1/2) is no integer for any k, so that no sum lies between two results.
QUANTISED = """g (float[n, 3, 8, 8] x) => (float[n, 4, 6, 6] y)
<float s = {0.05}, uint8 z = {128}, float ws = {0.02}, int8 wz = {0}, float ys = {0.0937}, uint8 yz = {120}> {
  q = QuantizeLinear(x, s, z)
  d = DequantizeLinear(q, s, z)
  flat = Constant<value_floats = FLATS>()
  shape = Constant<value_ints = [4, 3, 3, 3]>()
  f = Reshape(flat, shape)
  wq = QuantizeLinear(f, ws, wz)
  w = DequantizeLinear(wq, ws, wz)
  c = Conv(d, w)
  r = Relu(c)
  o = QuantizeLinear(r, ys, yz)
  y = DequantizeLinear(o, ys, yz)
}""".replace("FLATS", str([round(float(v), 3) for v in RNG.standard_normal(108)]))

MODELS: dict[str, tuple[str, list[dict[str, np.ndarray]]]] = {
    "softmax": (
        "g (float[n, m] x) => (float[n, m] y) { y = Softmax<axis=1>(x) }",
        [{"x": normal(3, 7)}, {"x": normal(1, 1)}, {"x": normal(9, 64)}],
    ),
    "products": (
        """g (float[n, 64] x, float[64, k] w) => (float[n, k] y, float[n] z) <int64[1] one = {1}> {
           a = MatMul(x, w) b = Tanh(a) y = Softmax<axis=1>(b) z = ReduceSum<keepdims=0>(b, one) }""",
        [{"x": normal(n, 64), "w": normal(64, k)} for n, k in ((1, 1), (5, 9), (33, 20))],
    ),
    "take": (
        "g (float[8, 4] x, int64[n] i) => (float[n, 4] y) { y = Gather(x, i) }",
        [{"x": normal(8, 4), "i": np.array([7, 0, -1], np.int64)}, {"x": normal(8, 4), "i": np.zeros(0, np.int64)}],
    ),
    "convolution": (
        "g (float[1, 3, h, w] x, float[8, 3, 3, 3] k) => (float[1, 8, a, b] y) { y = Conv(x, k) }",
        [{"x": normal(1, 3, *hw), "k": normal(8, 3, 3, 3)} for hw in ((3, 3), (9, 12), (16, 5))],
    ),
    "loop": (
        """g (float[4] x) => (float[4] y, float[k, 4] s) <int64 n = {5}> {
           c = Constant<value_int = 1>()
           t = Cast<to = 9>(c)
           y, s = Loop (n, t, x) <body = body (int64 i, bool cin, float[4] a) => (bool cout, float[4] b, float[4] o)
             { cout = Identity(cin) b = Tanh(a) o = Add(a, b) }> }""",
        [{"x": normal(4)}],
    ),
    "halves": (
        "g (float16[n] x) => (float16[n] y, bool[n] z) { y = Add(x, x) z = Greater(y, x) }",
        [{"x": normal(n).astype(np.float16)} for n in (1, 17)],
    ),
    "integers": (
        """g (int64[n] x, uint8[n] b) => (int64[n] y, uint8[n] c)
           <int64[3] k = {-9223372036854775808, 9223372036854775807, 5}, int64[1] one = {1}> {
           m = ReduceMax<keepdims = 1>(k) a = Div(m, x) y = Add(a, x) c = BitShift<direction = "LEFT">(b, b) }""",
        [{"x": np.array([3, -7, 1, 9], np.int64), "b": np.array([1, 2, 7, 3], np.uint8)}],
    ),
    "flags": (
        """g (float[n, 4] x, bool[n, 4] f) => (bool[n, 4] y, float[n, 4] z, float[n, 4] m)
           <bool[4] mask = {1, 0, 1, 1}, float zero = {0}, float two = {2}> {
           y = And(f, mask) z = Where(y, x, zero) m = Mod<fmod = 1>(x, two) }""",
        [{"x": normal(3, 4), "f": normal(3, 4) > 0}],
    ),
    "quantised": (QUANTISED, [{"x": normal(n, 3, 8, 8)} for n in (1, 3)]),
    "recurrent": (
        """g (float[s, 2, 4] x, float[1, 12, 4] w, float[1, 12, 3] r) => (float[s, 1, 2, 3] y, float[1, 2, 3] h)
           { y, h = GRU<hidden_size = 3>(x, w, r) }""",
        [{"x": normal(s, 2, 4), "w": normal(1, 9, 4), "r": normal(1, 9, 3)} for s in (1, 4)],
    ),
}
MODELS["recurrent"] = (MODELS["recurrent"][0].replace("12", "9"), MODELS["recurrent"][1])


def fields(header: str, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray | int]:
    """Return the fields of the struct of inputs: arrays in the order of the model's, and open sizes, which comments
    name."""
    found: dict[str, np.ndarray | int] = {}
    listed = re.findall(r"^  const \w+ \*(\w+);  /\* .*?\[(.*?)\] \*/", header, re.M)
    for (name, shape), array in zip(listed, inputs.values(), strict=True):
        found[name] = np.ascontiguousarray(array)
        for text, size in zip(shape.split(", ") if shape else (), array.shape, strict=True):
            if text.isidentifier():
                found[text] = size
    return found


def called(program: CModel, inputs: Mapping[str, np.ndarray], expected: list[np.ndarray]) -> list[np.ndarray]:
    """Return the outputs of a call."""
    outputs = [np.full(e.shape, 77, e.dtype) for e in expected]
    names = [name for name, type_ in program.outputs_type._fields_ if type_ is not ctypes.c_int64]
    status = program.status(fields(program.header, inputs), dict(zip(names, outputs, strict=True)))
    assert status == 0, program.message(status)
    stated = zip(expected, program.output_shapes, strict=True)
    sizes = [size for array, shape in stated for size in open_sizes(array, shape)]
    assert list(program.sizes.values()) == sizes
    return outputs


def open_sizes(array: np.ndarray, stated: list[str]) -> list[int]:
    """Return the dimensions of an array that its comment in a header leaves open."""
    return [size for size, text in zip(array.shape, stated, strict=True) if not text.isdecimal()]


@pytest.mark.parametrize("compiler", EACH_COMPILER)
def test_models_beside_onnxruntime(tmp_path: Path, compiler: str) -> None:
    failures: list[str] = []
    for name, (text, calls) in MODELS.items():
        model = parsed(text)
        written(model, tmp_path / f"{name}.c")
        program = CModel(tmp_path / f"{name}.c", compiler, ("-O1",))
        for inputs in calls:
            expected = onnxruntime_results(model, inputs)
            for actual, wanted in zip(called(program, inputs, expected), expected, strict=True):
                if not np.allclose(actual, wanted, rtol=1e-5, atol=1e-5):
                    failures.append(f"{name} {[v.shape for v in inputs.values()]}: {actual} is not {wanted}")
    assert not failures, "\n".join(failures)


@pytest.mark.needs("sanitizers")
def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    """Arrays, arena and weights have memory of their own size, whose neighbours nothing may touch."""
    for name in ("products", "quantised", "loop"):
        model = parsed(MODELS[name][0])
        (tmp_path / name).mkdir()
        path = tmp_path / name / "net.c"
        written(model, path, weights_limit=16)
        inputs = MODELS[name][1][-1]
        expected = onnxruntime_results(model, inputs)
        names = re.findall(r"^  (?!const)\w+ \*(\w+);", path.with_suffix(".h").read_text(), re.M)
        given = fields(path.with_suffix(".h").read_text(), inputs)
        found = run_program(path, "gcc", SANITIZED, given, dict(zip(names, expected, strict=True)))
        for actual, wanted in zip(found, expected, strict=True):
            np.testing.assert_allclose(actual, wanted, rtol=1e-5, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("compiler", EACH_COMPILER)
def test_nothing_is_taken_from_a_system(tmp_path: Path, compiler: str) -> None:
    """Objects for such machines take functions of memory and mathematics alone, and define names with their prefix."""
    for name in ("products", "quantised", "convolution"):
        written(parsed(MODELS[name][0]), tmp_path / f"{name}.c", weights_limit=16)
        taken = undefined_symbols(tmp_path / f"{name}.c", compiler) - MEMORY
        assert taken <= LIBM, name
        assert all(symbol.startswith(f"{name}_") for symbol in defined_symbols(tmp_path / f"{name}.c"))


@pytest.mark.needs("cc")
def test_calls_at_once(tmp_path: Path) -> None:
    """Eight threads run one model, each on arrays of its own."""
    model = parsed(MODELS["products"][0])
    written(model, tmp_path / "net.c")
    program = CModel(tmp_path / "net.c", "cc")
    inputs = [{"x": normal(n, 64), "w": normal(64, 50)} for n in range(100, 132)]

    def run(number: int) -> list[np.ndarray]:
        outputs = [np.empty((100 + number, 50), np.float32), np.empty(100 + number, np.float32)]
        names = [name for name, type_ in program.outputs_type._fields_ if type_ is not ctypes.c_int64]
        status = program.status(fields(program.header, inputs[number]), dict(zip(names, outputs, strict=True)))
        assert status == 0
        return outputs

    alone = [*map(run, range(len(inputs)))]
    with ThreadPoolExecutor(8) as pool:
        for actual, wanted in zip(pool.map(run, range(len(inputs))), alone, strict=True):
            np.testing.assert_equal(actual, wanted)


@pytest.mark.needs("cc")
def test_weights_in_a_file(tmp_path: Path) -> None:
    """Above the limit weights lie in a file, which is looked at: another model's and a damaged one are refused."""
    text = "g (float[2, 3] x) => (float[2, 4] y) <float[3, 4] w = {WEIGHTS}> { y = MatMul(x, w) }"
    numbers = ", ".join(map(str, range(12)))
    model = parsed(text.replace("WEIGHTS", numbers))
    sizes = written(model, tmp_path / "inside.c", weights_limit=48)
    assert sizes.constants == 48 and sizes.weights is None and not (tmp_path / "inside.weights").exists()
    sizes = written(model, tmp_path / "net.c", weights_limit=47)
    assert sizes.weights == tmp_path / "net.weights" and "net.weights" in str(sizes)
    program = CModel(tmp_path / "net.c", "cc")
    x, y = normal(2, 3), np.zeros((2, 4), np.float32)
    assert program.status({"x": x}, {"y": y}) == 0
    np.testing.assert_allclose(y, x @ np.arange(12, dtype=np.float32).reshape(3, 4), rtol=1e-6)
    assert program.weights is not None
    assert program.weights_status() == 0 and program.weights_status(program.weights[:-1]) == 2
    assert program.function("check_weights")(None, ctypes.c_size_t(0)) == 1
    for position in range(8, len(program.weights)):
        damaged = program.weights.copy()
        damaged[position] ^= np.uint64(1 << 40)
        assert program.weights_status(damaged) == 2, position
    written(parsed(text.replace("WEIGHTS", f"1, {numbers[3:]}")), tmp_path / "other.c", weights_limit=0)
    program.weights = np.fromfile(tmp_path / "other.weights", np.uint64)
    status = program.status({"x": x}, {"y": y})
    assert (
        program.message(status) == "the weights are those of another model"
        and program.weights_status(program.weights) == status
    )


def test_large_weights_are_written_and_digested_in_pieces() -> None:
    sizes = (3, 64, 1 << 20, (1 << 20) + 64, (3 << 20) + 5, 1)
    arrays = [RNG.integers(0, 256, size, np.uint8) for size in sizes]
    weights = Weights(arrays, [], [], True)
    words = np.frombuffer(b"".join(a.tobytes().ljust(-(-a.size // 64) * 64, b"\0") for a in arrays), np.uint64)
    with np.errstate(over="ignore"):
        factors = np.arange(1, len(words) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) | np.uint64(1)
        assert weights.digest == int((words * factors).sum(dtype=np.uint64))
    pieces = [*weights.pieces()]
    assert b"".join(pieces)[64:] == words.tobytes() and max(map(len, pieces)) <= 1 << 20


@pytest.mark.needs("cc")
def test_bad_arguments(tmp_path: Path) -> None:
    """Null pointers, sizes out of range and indices out of bounds give a status with a message."""
    written(parsed(MODELS["take"][0]), tmp_path / "take.c")
    program = CModel(tmp_path / "take.c", "cc")
    x, y = normal(8, 4), np.zeros((2, 4), np.float32)
    inputs: dict[str, np.ndarray | int] = {"x": x, "i": np.array([1, 2], np.int64), "n": 2}
    assert program.status(inputs, {"y": y}) == 0
    for wrong in ({"n": -1}, {"n": 1 << 31}, {"x": 0}):
        status = program.status({**inputs, **wrong}, {"y": y})
        assert status == 1 and program.message(status) == "a pointer is null or a size is out of range"
    status = program.status({**inputs, "i": np.array([1, 8], np.int64)}, {"y": y})
    assert status >= 3 and "expected an index within [" in program.message(status)
    assert program.message(99) == "unknown status"
    written(parsed(MODELS["convolution"][0]), tmp_path / "convolution.c")
    program = CModel(tmp_path / "convolution.c", "cc")
    smaller: dict[str, np.ndarray | int] = {"x": x, "k": x, "h": 1, "w": 3}  # than the kernel
    assert program.status(smaller, {"y": y}) == 1
    written(parsed(MODELS["softmax"][0]), tmp_path / "softmax.c")
    program = CModel(tmp_path / "softmax.c", "cc")
    for sizes, least in (((-1, 3), -1), ((0, 0), 0), ((2**31 - 1, 2**31 - 1), 1 << 33)):
        count = program.arena_bytes(program.inputs_type(None, *sizes))
        assert count == -1 if least < 0 else count >= least


@pytest.mark.needs("cc")
def test_several_functions_and_strides(tmp_path: Path) -> None:
    """Each function of a module has names of its own, strides that callers state are numbers of its inputs."""
    n, s = te.var("n"), te.var("s")
    x = te.placeholder((n, 5), name="x")
    y = te.compute(x.shape, lambda i, j: x[i, j] + 1.0, name="y")
    strided = tir.decl_buffer(x.shape, x.dtype, name="x", strides=[s, 1])
    built = tilewright.build(te.create_schedule(y.op), [x, y], target="c", binds={x: strided})
    built.save(tmp_path / "rows.c")
    program = CModel(tmp_path / "rows.c", "cc")
    values, result = normal(4, 8), np.zeros((4, 5), np.float32)
    assert program.status({"x": values, "n": 4, "x_stride0": 8}, {"y": result}) == 0
    np.testing.assert_array_equal(result, values[:, :5] + 1)
    z = te.compute((n,), lambda i: i * 2, name="z")
    built = tilewright.build({"main": tilewright.lower([z]), "add": tilewright.lower([x, y])}, target="c")
    built.save(tmp_path / "both.c")
    program = CModel(tmp_path / "both.c", "cc", name="both_main")
    parts = {name: tilewright.lower([z]) for name in ("a-b", "a_b")}
    tilewright.build(parts, target="c").save(tmp_path / "alike.c")
    assert all(f"int alike_{name}_run(" in (tmp_path / "alike.h").read_text() for name in ("a_b", "a_b_1"))
    doubled = np.zeros(6, np.int64)
    assert program.status({"n": 6}, {"z": doubled}) == 0
    np.testing.assert_array_equal(doubled, np.arange(6) * 2)


def test_hostile_names(tmp_path: Path) -> None:
    """Names of models, functions and arguments may be anything: comments, trigraphs, words of C, line ends."""
    model = parsed("g (float[n] x) => (float[n] y) { t = Tanh(x) y = Add(t, x) }")
    names = {"x": "*/ int main; /*", "y": "what??/\nint", "t": "for\\"}
    model.graph.input[0].name = names["x"]
    model.graph.output[0].name = names["y"]
    for node in model.graph.node:
        for list_ in (node.input, node.output):
            list_[:] = [names.get(name, name) for name in list_]
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "inputs"
    model.graph.output[0].type.tensor_type.shape.dim[0].dim_param = "inputs"
    for file in ("for.c", "9 lives.c", "Größe.c"):
        written(model, tmp_path / file)
        for compiler in those_there("gcc", "clang"):
            subprocess.run([compiler, *STRICT, "-O1", "-c", file, "-o", "out.o"], cwd=tmp_path, check=True)


ROOM = """
func.func @main(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    %room = loop.alloc(%i + 1) : memref<?xf32>
    loop.for %k = 0 to %i + 1 {
      %a = loop.load %x[%k] : memref<8xf32>
      loop.store %a, %room[%k] : memref<?xf32>
    }
    %b = loop.load %room[%i] : memref<?xf32>
    loop.store %b, %y[%i] : memref<8xf32>
  }
  func.return
}
"""
PRINTS = """
func.func @main(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    %a = loop.load %x[%i] : memref<8xf32>
    loop.print "{}" () %a : f32
    loop.store %a, %y[%i] : memref<8xf32>
  }
  func.return
}
"""


@pytest.mark.parametrize("code, text", [("TW0675", ROOM), ("TW0677", PRINTS)])
def test_refused_loops(parse: Callable[[str], ModuleOp], tmp_path: Path, code: str, text: str) -> None:
    with pytest.raises(TilewrightError) as raised:
        write_model(legal(parse(text), "c"), tmp_path / "model.c")
    assert raised.value.code == code
    assert not [*tmp_path.iterdir()]


def test_an_output_whose_shape_is_found(tmp_path: Path) -> None:
    with pytest.raises(TilewrightError, match="TW0676.*'y' has as many elements as data says"):
        written(parsed("g (float[3, 4] x) => (int64[2, r] y) { y = NonZero(x) }"), tmp_path / "model.c")
    assert not [*tmp_path.iterdir()]
