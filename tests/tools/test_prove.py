"""tilewright prove: what it prints, its records, its exit status, and what it refuses to compare."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from proof_answers import Answer, N, Prover, refuted_at
from tilewright.analysis import equivalence
from tilewright.analysis.equivalence import EXACT, Algebra, Axiom, Bounded, Proved, UndefinedElements, Unknown
from tilewright.passes.framework.base import Level, level_of
from tilewright.tools.cli import main
from tilewright.tools.opt import main as opt
from xdsl.dialects.func import FuncOp

DOUBLE = """\
func.func @f(%a: memref<?xf32>, %b: memref<?xf32> {tw.output}) {
  %n = loop.dim %a, 0 : memref<?xf32>
  loop.bind %b shape [%n] strides [1] : memref<?xf32>
  loop.for %i = 0 to %n {
    %0 = loop.load %a[%i] : memref<?xf32>
    %1 = arith.addf %0, %0 : f32
    loop.store %1, %b[%i] : memref<?xf32>
  }
  func.return
}
"""
NOTHING = DOUBLE.replace("addf", "subf")
TENSOR = """\
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = te.compute "y" [%i to 8] -> tensor<8xf32> {
    %a = te.read %x[%i] : tensor<8xf32>
    %b = arith.addf %a, %a : f32
    te.yield %b : f32
  }
  func.return %y : tensor<8xf32>
}
"""


@pytest.fixture
def prover(monkeypatch: pytest.MonkeyPatch) -> Iterator[Prover]:
    made = Prover(Proved(seconds=0.5))
    monkeypatch.setattr(equivalence, "equivalent", made, raising=False)
    yield made


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("a.mlir", DOUBLE), ("b.mlir", NOTHING), ("te.mlir", TENSOR)):
        Path(name).write_text(text)
    Path("two.mlir").write_text(DOUBLE + NOTHING.replace("@f", "@g"))


ANSWERS: dict[str, tuple[Answer, int, str]] = {
    "proved": (Proved(seconds=0.5), 0, "@f: proved in 0.50 s\n"),
    "bounded": (
        Bounded(({N: 0}, {N: 3}), seconds=1.0, undefined=(UndefinedElements(1, {N: 3}, 2),)),
        3,
        "@f: bounded in 1.00 s: for n = 0; n = 3\n  2 elements are undefined before, and not compared\n",
    ),
    "unknown": (Unknown("loop.shuffle is not modelled", seconds=0.1), 3, "@f: unknown in 0.10 s: loop.shuffle is not"),
    "refuted": (
        refuted_at((1,), 1, "loop.store", 3),
        1,
        "@f: refuted in 0.25 s: at n = 3, element [1]\n"
        "  before: a loop.store (a.mlir:7:5)\n  after: b loop.store (b.mlir:7:5)\n  the interpreter finds ",
    ),
}


@pytest.mark.parametrize("word", ANSWERS)
@pytest.mark.usefixtures("files")
def test_text_and_exit_status(word: str, prover: Prover, capsys: pytest.CaptureFixture[str]) -> None:
    prover.answer, status, text = ANSWERS[word]
    assert main(["prove", "a.mlir", "b.mlir"]) == status
    out, err = capsys.readouterr()
    assert out.startswith(text)
    assert ("TW0245]: the programs compute different results in @f: %b[1] differs at n = 3" in err) == (
        word == "refuted"
    )


@pytest.mark.usefixtures("files")
def test_records(prover: Prover, capsys: pytest.CaptureFixture[str]) -> None:
    prover.answer = ANSWERS["refuted"][0]
    assert main(["prove", "--json", "a.mlir", "b.mlir"]) == 1
    (record,) = json.loads(capsys.readouterr().out)
    numbers = record["difference"].pop("numbers")
    assert numbers.startswith("the interpreter finds ") and numbers.endswith(" before and 0.0 after")
    assert record == {
        "before": "f",
        "after": "f",
        "verdict": "refuted",
        "seconds": 0.25,
        "undefined": 0,
        "condition": None,
        "assumptions": ["arguments do not overlap", "indices do not wrap around"],
        "reason": "at n = 3, element [1]",
        "difference": {
            "sizes": {"n": 3},
            "output": 1,
            "element": [1],
            "before": {"expression": "a loop.store", "place": "a.mlir:7:5"},
            "after": {"expression": "b loop.store", "place": "b.mlir:7:5"},
        },
    }
    prover.answer = ANSWERS["bounded"][0]
    assert main(["prove", "--json", "a.mlir", "b.mlir"]) == 3
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["verdict"], record["sizes"], record["undefined"]) == ("bounded", [{"n": 0}, {"n": 3}], 2)


@pytest.mark.usefixtures("files")
def test_equal_numbers_are_no_difference(prover: Prover, capsys: pytest.CaptureFixture[str]) -> None:
    prover.answer = ANSWERS["refuted"][0]
    assert main(["prove", "a.mlir", "a.mlir"]) == 3
    out = capsys.readouterr().out
    assert out.startswith("@f: unknown in 0.25 s: an axiom is missing: expressions differ at n = 3, element [1]")
    assert "  before: a loop.store (a.mlir:7:5)\n  after: b loop.store (a.mlir:7:5)\n" in out


@pytest.mark.usefixtures("files")
def test_the_algebra_is_said_on_the_command_line(prover: Prover) -> None:
    assert main(["prove", "a.mlir", "b.mlir"]) == 0
    options = ["--reassociates", "--contracts", "--axiom", "add-zero", "--axiom", "multiply-zero"]
    assert main(["prove", "a.mlir", "b.mlir", *options]) == 0
    both = frozenset({Axiom.ADD_ZERO, Axiom.MULTIPLY_ZERO})
    assert prover.algebras == [EXACT, Algebra(contracts=True, reassociates=True, axioms=both)]


@pytest.mark.usefixtures("files", "prover")
def test_what_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "two.mlir", "two.mlir"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("  assumed: ")]
    assert [line.partition(":")[0] for line in lines] == ["@f", "@g"]
    assert main(["prove", "two.mlir", "two.mlir", "--function", "g"]) == 0
    assert capsys.readouterr().out.startswith("@g: proved")
    Path("g.mlir").write_text(NOTHING.replace("@f", "@g"))
    assert main(["prove", "a.mlir", "g.mlir"]) == 0, "the only functions of both files"
    assert capsys.readouterr().out.startswith("@f and @g: proved")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["two.mlir", "a.mlir"], "error[TW0246]: expected @g of 'two.mlir' in 'a.mlir' too"),
        (
            ["a.mlir", "b.mlir", "--function", "h"],
            "expected a function @h in 'a.mlir', but its functions are @f",
        ),
        (["a.mlir", "b.mlir", "--axiom", "zero"], "error[TW0240]: expected the label of an axiom, but got 'zero'"),
        (["a.mlir", "none.mlir"], "error[TW0204]"),
    ],
)
@pytest.mark.usefixtures("files", "prover")
def test_what_is_refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", *arguments]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("files")
def test_tensor_expressions_are_compared_as_they_are(prover: Prover, capsys: pytest.CaptureFixture[str]) -> None:
    levels: list[Level] = []

    def answer(before: FuncOp, after: FuncOp) -> Proved:
        levels.extend([level_of(before), level_of(after)])
        return Proved()

    prover.answer = answer
    assert main(["prove", "te.mlir", "a.mlir"]) == 0
    assert levels == [Level.TE, Level.LOOP]
    assert "note" not in capsys.readouterr().err


@pytest.mark.usefixtures("files")
def test_operators_are_taken_down_beside_a_file_without_any(capsys: pytest.CaptureFixture[str]) -> None:
    """Two files of operators are compared by their names first, then by what defines them."""
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = graph.relu %x : tensor<4xf32>
      %z = graph.OP %y : tensor<4xf32>
      func.return %z : tensor<4xf32>
    }"""
    Path("relu.mlir").write_text(text.replace("OP", "relu"))
    Path("neg.mlir").write_text(text.replace("OP", "neg"))
    assert opt(["relu.mlir", "--pass", "outline,lower-graph", "--target", "none", "-o", "kernels.mlir"]) == 0
    assert main(["prove", "relu.mlir", "relu.mlir"]) == 0
    assert main(["prove", "relu.mlir", "neg.mlir"]) == 1
    assert "differs" in capsys.readouterr().err
    assert main(["prove", "relu.mlir", "kernels.mlir"]) == 0
    assert "note: 'relu.mlir' is of graph level" in capsys.readouterr().err
