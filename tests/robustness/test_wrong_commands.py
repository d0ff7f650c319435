"""Command lines and calls that a new user gets wrong end in one error, and leave all files as they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.tools import cli, opt

MODEL = onnx.parser.parse_model(
    '<ir_version: 8, opset_import: ["" : 17]> g (float[n, 3] x, float[3] w) => (float[n, 3] y) { y = Mul(x, w) }'
)
TEXT = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  func.return %x : tensor<2xf32>\n}\n"

COMMANDS: dict[str, str] = {
    "import m.onnx -o m.onnx": "TW0204.*cannot write IR to 'm.onnx'",
    "import m.onnx -o w.safetensors": "TW0204.*cannot write IR to 'w.safetensors'",
    "import m.mlir": "TW0301.*'m.mlir' is IR, not an ONNX model\nhelp: it needs no import",
    "import m.onnx -o no/m.mlir": "TW0204.*folder 'no' does not exist",
    "import m.onnx -o folder": "TW0204.*it is a folder",
    "import m.onnx --shape x=5": r"TW0303.*fits \[n, 3\], but got \[5\]\nhelp: keep the number of sizes",
    "import m.onnx --shape z=5,3": "TW0303.*'z', which the model does not have\nhelp: its inputs are x, w",
    "import m.onnx --size k=5": "TW0303.*'k', which the model does not have\nhelp: its sizes without a value are n",
    "import m.onnx --size n=99999999999999999999": "TW0209.*expected sizes below 2^63",
    "import m.onnx --shape x=99999999999999999999,3": "TW0209.*expected sizes below 2^63",
    "compile m.mlir -o m.mlir": "TW0204.*it is the model itself",
    "compile m.mlir -o ./folder/../m.mlir": "TW0204.*it is the model itself",
    "compile empty.mlir": "TW0106.*the input is empty",
    "compile cut.mlir": "TW0101",
    "compile m.mlir --emit asmm": "TW0209.*did you mean 'asm'",
    "compile m.mlir --target lvm": "TW0602.*did you mean 'llvm'",
    "compile m.mlir --load no.py": "TW0212.*no such file",
    "run empty.onnx": "TW0301.*is empty",
    "run cut.onnx": "TW0301.*truncated",
    "run m.onnx --input m.mlir": "TW0204.*expected an intact .npz file",
    "run m.onnx --input folder": "TW0204.*it is a folder",
    "run m.onnx --sizes n=3": "TW0209.*did you mean '--size'",
    "run m.onnx --size n=3 --threads 0": "TW0209.*at least 1",
    "reduce m.mlir --test true --timeout -1": "TW0209.*expected a time above 0",
    "reduce m.mlir --test true --limit nan": "TW0209.*expected a time above 0",
    "prove m.mlir m.mlir --seconds 0": "TW0209.*expected a time above 0",
    "prove m.mlir no.mlir": r"^error\[TW0204\].*'no.mlir': no such file",
    "opt m.onnx": "TW0261.*an ONNX model.*\nhelp: import it",
    "opt m.mlir --pass fuze": "TW0201.*did you mean 'fuse'",
    "opt m.mlir --pass tile{size=3}": "TW0202.*did you mean 'sizes'",
    "opt m.mlir --schedule no": "TW0204.*no such file",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    onnx.save(MODEL, "m.onnx")
    Path("m.mlir").write_text(TEXT)
    Path("cut.mlir").write_text(TEXT[:70])
    Path("cut.onnx").write_bytes(Path("m.onnx").read_bytes()[:60])
    Path("empty.mlir").touch()
    Path("empty.onnx").touch()
    Path("m.safetensors").write_bytes(b"weights of another model")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_wrong_command_lines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, wrong = contents(folder), list[str]()
    for line, said in COMMANDS.items():
        words = line.split()
        main = opt.main if words[0] == "opt" else cli.main
        try:
            status: object = main(words[words[0] == "opt" :])
        except SystemExit as exit:
            status = exit.code
        out, err = capsys.readouterr()
        said = said.replace("2^63", r"2\^63")
        if status not in (1, 2) or out or not re.search(said, err, re.DOTALL) or err.count("error[TW") != 1:
            wrong.append(f"{line}: {status}, {err}")
        if contents(folder) != before:
            wrong.append(f"{line} changes a file")
    assert wrong == []


def test_an_import_without_weights_leaves_the_file_beside_it_alone(folder: Path) -> None:
    assert cli.main(["import", "m.onnx", "-o", "m.mlir"]) == 0
    assert Path("m.safetensors").read_bytes() == b"weights of another model"
    assert "graph.mul" in Path("m.mlir").read_text()


def test_wrong_calls(folder: Path) -> None:
    a = te.placeholder((te.var("n"),), name="A")
    b = te.compute(a.shape, lambda i: a[i] + 1.0, name="B")
    schedule = te.create_schedule(b.op)
    program = tilewright.build(schedule, [a, b])
    huge = np.broadcast_to(np.zeros(1, np.float32), (1 << 45,))
    calls: dict[str, tuple[Callable[[], Any], str]] = {
        "strides of 0": (lambda: program(huge), "TW0708.*contiguous copy of argument 'A'"),
        "more of them": (
            lambda: program(np.lib.stride_tricks.as_strided(np.zeros(1, np.float32), (1 << 60,), (0,))),
            "TW0708.*contiguous copy",
        ),
        "no name": (lambda: tilewright.compile(""), "TW0204.*got nothing"),
        "a text as a shape": (lambda: tilewright.compile("m.onnx", shapes={"x": "5,3"}), "TW0725.*shapes"),
        "a number as a shape": (lambda: tilewright.compile("m.onnx", shapes={"x": 5}), "TW0725.*shapes"),  # pyright: ignore
        "half a row": (lambda: tilewright.compile("m.onnx", shapes={"x": (2.5, 3)}), "TW0725.*shapes"),  # pyright: ignore
        "fewer than none": (lambda: tilewright.compile("m.onnx", shapes={"x": (-1, 3)}), "TW0725.*from 0 to"),
        "a text as a size": (lambda: tilewright.compile("m.onnx", sizes={"n": "5"}), "TW0725.*sizes"),  # pyright: ignore
        "half a size": (lambda: tilewright.compile("m.onnx", sizes={"n": 2.5}), "TW0725.*sizes"),  # pyright: ignore
        "a truth value": (lambda: tilewright.compile("m.onnx", sizes={"n": True}), "TW0725.*sizes"),
        "a huge size": (lambda: tilewright.compile("m.onnx", sizes={"n": 1 << 70}), "TW0725.*from 0 to"),
        "no program": (lambda: tilewright.build({}), "TW0610.*mapping without any"),
        "a number by name": (lambda: tilewright.IRModule({3: tilewright.lower(schedule, [a, b])["main"]}), "TW0725"),  # pyright: ignore
        "no module": (lambda: tilewright.driver.emit(3, "asm"), "TW0725.*'module'"),  # pyright: ignore
        "no device": (lambda: tilewright.device("foo"), "TW0602.*\nhelp: take one of cpu, cuda, simulator"),
        "no text": (lambda: program.get_source("foo"), "TW0209.*\nhelp: take what the message names"),
    }
    for name, (call, said) in calls.items():
        with pytest.raises(TilewrightError, match=said):
            print(name, call())
    assert tilewright.compile("m.onnx", sizes={"n": np.int64(2)}) is not None  # pyright: ignore
