"""tilewright import, compile, run and explain, in process."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright.diagnostics import CODES, TilewrightError
from tilewright.tools.cli import main

MODEL = """\
!t = tensor<4x3xf32>
func.func @main(%x: !t {tw.name = "left"}, %y: !t {tw.name = "right"}) -> (!t {tw.name = "sum"}) {
  %s = graph.add %x, %y : tensor<4x3xf32>
  %r = graph.relu %s : tensor<4x3xf32>
  func.return %r : tensor<4x3xf32>
}
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.mlir"
    path.write_text(MODEL)
    return path


def call(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    """Exit status, standard output and standard error."""
    try:
        status = main([str(arg) for arg in args])
    except SystemExit as exit:
        assert isinstance(exit.code, int)
        status = exit.code
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return status, out, err


def npz(path: Path, **arrays: np.ndarray) -> Path:
    np.savez(path, **arrays)  # pyright: ignore[reportArgumentType]
    return path


@pytest.mark.each("code", CODES)
def test_explain_every_code(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "explain", code)
    assert (status, err) == (0, "")
    assert out.startswith(f"{code}: {CODES[code].title}\n\n")
    assert " ".join(out.split("\n\n")[1].split()) == CODES[code].explanation


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_run_on_given_inputs(model: Path, tmp_path: Path, backend: str, capsys: pytest.CaptureFixture[str]) -> None:
    generator = np.random.default_rng(0)
    left, right = (generator.standard_normal((4, 3)).astype(np.float32) for _ in range(2))
    inputs = npz(tmp_path / "in.npz", right=right, left=left)
    output = tmp_path / "out.npz"
    status, out, err = call(capsys, "run", model, "--input", inputs, "--output", output, "--backend", backend)
    assert (status, err) == (0, "")
    assert out.startswith("sum: float32[4, 3] min ")
    with np.load(output) as file:
        assert file.files == ["sum"]
        np.testing.assert_array_equal(file["sum"], np.maximum(left + right, 0))


def test_random_inputs_are_seeded(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [call(capsys, "run", model, "--random-seed", seed)[1] for seed in (1, 1, 2)]
    assert lines[0] == lines[1] != lines[2]


def test_times_go_to_standard_error(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "run", model, "--repeat", "3", "--print-time", "--threads", "1")
    assert status == 0
    assert len(out.splitlines()) == 1
    assert re.fullmatch(r"compile [\d.]+ s\nrun +[\d.]+ ms \(least of 3\), [\d.]+ ms \(median\)\n", err)


@pytest.mark.parametrize(
    ("arrays", "code", "words"),
    [
        ({"left": np.zeros((4, 3), np.float32)}, "TW0701", "right"),
        (dict.fromkeys(("left", "right", "more"), np.zeros((4, 3), np.float32)), "TW0702", "more"),
        (dict.fromkeys(("left", "rihgt"), np.zeros((4, 3), np.float32)), "TW0702", "rihgt"),
        ({"left": np.zeros((4, 3), np.float32), "right": np.zeros((4, 3))}, "TW0703", "'right'.*float32.*float64"),
        ({"left": np.zeros((4, 4), np.float32), "right": np.zeros((4, 3), np.float32)}, "TW0704", "'left'.*4.*3.*4.*4"),
    ],
)
@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_arguments_that_do_not_fit_are_named(
    arrays: dict[str, np.ndarray],
    code: str,
    words: str,
    backend: str,
    model: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, err = call(capsys, "run", model, "--input", npz(tmp_path / "in.npz", **arrays), "--backend", backend)
    assert (status, out) == (1, "")
    assert re.match(rf"error\[{code}\]: .*{words}", err)


def test_files_that_cannot_be_used(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = tmp_path / "damaged.npz"
    damaged.write_bytes(b"PK\x03\x04 no archive")
    npy = tmp_path / "single.npy"
    np.save(npy, np.zeros(3))
    cases = [
        (("run", tmp_path / "none.mlir"), "error[TW0204]: cannot read '.*none.mlir': no such file"),
        (("run", tmp_path), "error[TW0204]: cannot read '.*': it is a folder"),
        (("run", model, "--input", damaged), "error[TW0204]: cannot read '.*': expected an intact .npz file"),
        (("run", model, "--input", npy), "error[TW0204]: cannot read '.*': expected an .npz file with named arrays"),
        (("run", model, "--input", "none.npz"), "error[TW0204]: cannot read 'none.npz': no such file"),
        (("run", model, "--output", tmp_path / "no" / "o.npz"), "error[TW0204]: cannot write"),
        (("run", model, "--threads", "0"), "error[TW0209]: expected --threads to be at least 1, but got 0"),
        (("run", model, "--repeat", "0"), "error[TW0209]: expected --repeat to be at least 1, but got 0"),
        (("run", model, "--size", "n"), "error[TW0209]: expected --size NAME=N, but got 'n'"),
        (("compile", tmp_path / "none.onnx"), "error[TW0204]: cannot read '.*none.onnx': no such file"),
        (("import", tmp_path / "none.onnx"), "error[TW0204]: cannot read '.*none.onnx': no such file"),
        (("run", model, "--backend", "gpu"), "error[TW0209]: tilewright run: argument --backend: invalid choice"),
        (
            ("run", model, "--thread", "1"),
            "error[TW0209]: tilewright run: unknown argument '--thread'; did you mean",
        ),
        (("rum", model), "error[TW0209]: tilewright: argument COMMAND: invalid choice: 'rum'"),
        ((), "error[TW0209]: tilewright: the following arguments are required: COMMAND"),
    ]
    for args, message in cases:
        status, out, err = call(capsys, *args)
        assert status == (2 if "TW0209" in message else 1), args
        pattern = message.replace("[", r"\[").replace("]", r"\]")
        assert re.match(pattern, err), (args, err)


def test_symbolic_sizes_of_random_inputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "symbolic.mlir"
    tensor = "tensor<?x3xf32, #graph.dims<n, _>>"
    path.write_text(
        f"!t = {tensor}\nfunc.func @main(%x: !t) -> !t {{\n  %r = graph.relu %x : !t\n  func.return %r : !t\n}}\n"
    )
    status, _, err = call(capsys, "run", path)
    assert status == 2
    assert err.startswith("error[TW0209]: input 'x' has a symbolic size 'n'\nhelp: give --size n=N, or --input")
    status, out, err = call(capsys, "run", path, "--size", "n=5")
    assert (status, err) == (0, "")
    assert "float32[5, 3]" in out


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("mlir", "loop.store"),
        ("llvm", "define i32 @tw_entry"),
        ("asm", "tw_entry:"),
        ("c", "int32_t"),
        ("cuda-python", "cuda.threadIdx.x"),
    ],
)
def test_compile(kind: str, text: str, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "compile", "--emit", kind, model)
    assert (status, err) == (0, "")
    assert text in out
    target = tmp_path / "out"
    assert call(capsys, "compile", "--emit", kind, model, "-o", target) == (0, "", "")
    assert target.read_text() == out


def test_unknown_target(model: Path) -> None:
    with pytest.raises(TilewrightError, match="TW0602.*unknown target 'interpeter'; did you mean 'interpreter'?"):
        tilewright.compile(model, target="interpeter")


def test_import_writes_module_and_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    onnx = pytest.importorskip("onnx")
    weight = onnx.numpy_helper.from_array(np.arange(12, dtype=np.float32).reshape(3, 4), "w")
    value = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("MatMul", ["x", "w"], ["y"])],
        "g",
        [value("x", onnx.TensorProto.FLOAT, [2, 3])],
        [value("y", onnx.TensorProto.FLOAT, [2, 4])],
        [weight],
    )
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]), tmp_path / "m.onnx")
    target = tmp_path / "m.mlir"
    assert call(capsys, "import", tmp_path / "m.onnx", "-o", target) == (0, "", "")
    assert (tmp_path / "m.safetensors").exists()
    assert 'tw.weights = "m.safetensors"' in target.read_text()
    x = np.random.default_rng(0).standard_normal((2, 3)).astype(np.float32)
    for path in (target, tmp_path / "m.onnx"):
        assert (
            call(capsys, "run", path, "--input", npz(tmp_path / "x.npz", x=x), "--output", tmp_path / "y.npz")[0] == 0
        )
        with np.load(tmp_path / "y.npz") as file:
            np.testing.assert_allclose(file["y"], x @ np.arange(12, dtype=np.float32).reshape(3, 4), rtol=1e-6)
    status, _, err = call(capsys, "import", tmp_path / "m.onnx", "-o", tmp_path / "no" / "m.mlir")
    assert status == 1
    assert "error[TW0204]" in err
