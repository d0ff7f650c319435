"""Validation by proofs: what becomes of each verdict, on the passes that it is about."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import tilewright
from proof_answers import Answer, N, Prover, refuted_at
from tilewright.analysis import equivalence
from tilewright.analysis.equivalence import EXACT, Algebra, Bounded, Proved, UndefinedElements, Unknown, Verdict
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import Remark, collect_remarks
from tilewright.dialects import context
from tilewright.passes.framework import registry
from tilewright.passes.framework.base import Level
from tilewright.passes.framework.bisection import bisect, find_wrong_pass
from tilewright.passes.framework.context import as_pass
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.framework.rewriting import rewrite
from tilewright.passes.framework.validation import Mode, Validation
from tilewright.passes.pipeline import conversion
from tilewright.semantics import proving
from tilewright.tools.opt import main
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, ModuleOp, f32
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from .planted import SUM, Subtracts, module_of

LOOPS = """\
func.func @f(%a: memref<?xf32>, %b: memref<?xf32> {tw.output}) {
  %n = loop.dim %a, 0 : memref<?xf32>
  loop.bind %a shape [%n] strides [1] : memref<?xf32>
  loop.bind %b shape [%n] strides [1] : memref<?xf32>
  loop.for %i = 0 to %n {
    %0 = loop.load %a[%i] : memref<?xf32>
    %1 = loop.load %a[%i] : memref<?xf32>
    %2 = arith.addf %0, %1 : f32
    loop.store %2, %b[%i] : memref<?xf32>
  }
  func.return
}
"""


def turns(module: ModuleOp) -> None:
    """Let operands of additions change places, which changes the text and no value."""
    for op in module.walk():
        if isinstance(op, arith.AddfOp):
            op.operands = [op.rhs, op.lhs]


class Subtract(RewritePattern):
    """a + b == a - b"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.AddfOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, arith.SubfOp(op.lhs, op.rhs))


@pytest.fixture
def prover(monkeypatch: pytest.MonkeyPatch) -> Iterator[Prover]:
    made = Prover(Proved(seconds=0.5))
    monkeypatch.setattr(equivalence, "equivalent", made, raising=False)
    yield made


def run(passes: list[object], validation: Validation, text: str = LOOPS) -> list[Remark]:
    with collect_remarks() as remarks:
        PassManager([as_pass(p) for p in passes], [validation]).run(context(), module_of(text))  # pyright: ignore
    return remarks


def test_what_is_proved_is_not_run(prover: Prover) -> None:
    validation = Validation(mode="symbolic")
    run([turns, *parse_pipeline("cse")], validation)
    assert sum(track.runs for track, _ in validation._tracks) == 0  # pyright: ignore[reportPrivateUsage]
    assert validation.summary().splitlines() == [
        "pass   functions  verdict  seconds",
        "turns          1  proved      0.50",
        "cse            1  proved      0.50",
        "functions after passes: proved 2, bounded 0, unknown 0, refuted 0; passes without a change 0",
    ]
    assert not validation.is_empty


def test_what_did_not_change_is_not_proved(prover: Prover) -> None:
    validation = Validation(mode="symbolic")
    run(parse_pipeline("cse,cse,hoist"), validation)  # pyright: ignore
    assert len(prover.algebras) == 1
    assert "proved 1" in validation.summary() and "passes without a change 2" in validation.summary()


def test_a_pass_is_asked_about_under_its_algebra(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_user", {})
    contracting = as_pass(turns)
    object.__setattr__(contracting, "contracts", True)
    run([turns, contracting], Validation(mode="symbolic"))
    assert prover.algebras == [EXACT, Algebra(contracts=True)]


def test_unknown_functions_are_run_and_reported(prover: Prover) -> None:
    prover.answer = Unknown("loop.shuffle is not modelled", seconds=1.0)
    validation = Validation(mode="symbolic")
    remarks = run([turns], validation)
    assert [(remark.code, remark.message) for remark in remarks] == [
        ("TW0242", "@f after 'turns' is not proved: loop.shuffle is not modelled")
    ]
    assert "  @f unknown: loop.shuffle is not modelled; run on random inputs instead" in validation.summary()
    assert sum(track.runs for track, _ in validation._tracks) == 4  # pyright: ignore[reportPrivateUsage]
    assert not validation.is_empty


def test_unknown_functions_that_compute_something_else_are_found_on_inputs(prover: Prover) -> None:
    prover.answer = Unknown("it takes too long")
    with pytest.raises(TilewrightError, match="TW0550.*'subtracts' changed what @f computes"):
        run([Subtracts()], Validation(mode="symbolic"))


def test_a_proof_before_does_not_stand_in_the_way_of_runs(prover: Prover) -> None:
    """The function is run as it was right before the pass that no proof decides."""

    def doubles(module: ModuleOp) -> None:
        for op in module.walk():
            if isinstance(op, arith.AddfOp):
                op.operands = [op.lhs, op.lhs]

    answers = iter([Proved(), Unknown("no"), Proved(), Unknown("no")])
    prover.answer = lambda before, after: next(answers)
    run([Subtracts(), turns, Subtracts(), doubles], Validation(mode="symbolic"))


@pytest.mark.parametrize(("mode", "runs"), [("symbolic", 0), ("both", 4)])
def test_both_means_that_all_functions_are_run_too(prover: Prover, mode: Mode, runs: int) -> None:
    validation = Validation(mode=mode)
    run([turns], validation)
    assert sum(track.runs for track, _ in validation._tracks) == runs  # pyright: ignore[reportPrivateUsage]
    assert ("validated 1 functions" in validation.summary()) == (mode == "both")


def test_both_finds_what_a_wrong_proof_lets_through(prover: Prover) -> None:
    with pytest.raises(TilewrightError, match="TW0550"):
        run([Subtracts()], Validation(mode="both"))


def test_a_refutation_shows_sizes_element_and_expressions(prover: Prover, tmp_path: Path) -> None:
    prover.answer = refuted_at((2,), 1, "loop.store", 3)
    validation = Validation(2, tmp_path, "symbolic")
    with pytest.raises(TilewrightError) as raised:
        run([Subtracts()], validation)
    error = raised.value
    assert (error.code, error.message) == (
        "TW0241",
        "pass 'subtracts' changed what @f computes: %b[2] differs at n = 3",
    )
    before, after, numbers, which, saved = error.notes
    assert (before, after) == ("before: a loop.store (test.mlir:9:5)", "after: b loop.store (test.mlir:9:5)")
    assert re.fullmatch(r"the interpreter finds -?\d\S* before and 0\.0 after", numbers)
    assert which == "in pass 'subtracts'"
    assert len(list(tmp_path.glob("before-*.mlir"))) == len(list(tmp_path.glob("after-*.mlir"))) == 1
    assert saved.startswith("'tilewright prove ") and saved.endswith(" compares them again")
    assert "refuted 1" in validation.summary()


def test_a_refutation_with_equal_numbers_is_no_refutation(prover: Prover, tmp_path: Path) -> None:
    prover.answer = refuted_at((2,), 1, "loop.store", 3)
    validation = Validation(2, tmp_path, "symbolic")
    remarks = run([turns], validation)
    assert [remark.code for remark in remarks] == ["TW0242", "TW0243"]
    assert remarks[1].message == "@f after 'turns': %b[2] differs at n = 3, and running both shows no difference"
    assert remarks[1].notes[0] == "before: a loop.store (test.mlir:9:5)"
    summary = validation.summary()
    assert "unknown: an axiom is missing: expressions differ at n = 3, element [2], and numbers do not" in summary
    assert "unknown 1, refuted 0, an axiom is missing 1" in summary
    assert "run on random inputs instead; 'tilewright prove " in summary
    (path,) = tmp_path.glob("before-*.mlir")
    assert str(module_of(path.read_text())) == str(module_of(LOOPS))


def test_a_refutation_that_cannot_be_run_is_unknown(prover: Prover) -> None:
    prover.answer = refuted_at((0,), 1, "loop.store", 2_000_000)
    validation = Validation(mode="symbolic")
    run([turns], validation)
    assert "and the numbers there are not known: expected at most" in validation.summary()
    assert "axiom" not in validation.summary()


def test_a_pass_that_expands_intrinsics_is_not_expected_to_be_proved(prover: Prover) -> None:
    prover.answer = refuted_at((2,), 1, "loop.store", 3)
    expanding = as_pass(turns)
    object.__setattr__(expanding, "axioms", ("expand-intrinsic",))
    validation = Validation(mode="symbolic")
    remarks = run([expanding], validation)
    assert [remark.code for remark in remarks] == ["TW0242"]
    assert "it expands intrinsics, and no proof applies the rules for that" in validation.summary()


def test_infinities_are_among_the_inputs_that_exact_passes_have_to_agree_on(prover: Prover) -> None:
    text = LOOPS.replace("arith.addf %0, %1", "arith.subf %0, %1")

    def zeroes(module: ModuleOp) -> None:
        """Replace x - x by 0, which is right but for infinities and NaN."""
        for op in [n for n in module.walk() if isinstance(n, arith.SubfOp)]:
            zero = arith.ConstantOp(FloatAttr(0.0, f32))
            assert op.parent is not None
            op.parent.insert_op_before(zero, op)
            op.result.replace_all_uses_with(zero.result)

    prover.answer = refuted_at((2,), 1, "loop.store", 3)
    with pytest.raises(TilewrightError, match="finds nan before and 0.0 after, with infinities and NaN among"):
        run([zeroes], Validation(mode="symbolic"), text)
    run([zeroes], Validation(2), text)


def test_a_fault_of_the_prover_is_not_one_of_the_pass(prover: Prover) -> None:
    def fails(before: FuncOp, after: FuncOp) -> Verdict:
        raise KeyError("planted")

    prover.answer = fails
    validation = Validation(mode="symbolic")
    run([turns], validation)
    assert "@f unknown: the prover failed: KeyError: 'planted'; run on random inputs instead" in validation.summary()


def test_elements_that_are_undefined_before_are_counted(prover: Prover) -> None:
    prover.answer = Proved(undefined=(UndefinedElements(1, {"n": 4}, 3),))
    validation = Validation(mode="symbolic")
    remarks = run([turns], validation)
    assert [(remark.code, remark.message) for remark in remarks] == [
        ("TW0244", "@f after 'turns': 3 elements are undefined before, and not compared")
    ]
    assert "proved 1, bounded 0, unknown 0, refuted 0, elements undefined before 3;" in validation.summary()


def test_operators_are_assumed_to_mean_what_defines_them(prover: Prover) -> None:
    validation = Validation(mode="symbolic")
    run([*conversion(Level.GRAPH, Level.LOOP), turns], validation, SUM)
    rows = [line.split()[:3] for line in validation.summary().splitlines()]
    assert ["lower-graph", "1", "assumed"] in rows and ["lower-te", "2", "proved"] in rows
    expected = "  @add assumed: graph.add means what defines it in te; run on random inputs instead"
    assert expected in validation.summary()
    assert "refuted 0, assumed 1;" in validation.summary()
    assert validation.proofs is not None and validation.proofs.is_complete


def test_a_wrong_definition_of_an_operator_is_found_on_inputs(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    """An assumption is tested by running the function."""
    (lowering,) = parse_pipeline("lower-graph")
    right = type(lowering).apply

    def wrong(pass_: ModulePass, ctx: Context, op: ModuleOp) -> None:
        right(pass_, ctx, op)  # pyright: ignore[reportArgumentType]
        Subtracts().apply(ctx, op)

    monkeypatch.setattr(type(lowering), "apply", wrong)
    with pytest.raises(TilewrightError, match="TW0550.*'lower-graph' changed what @add computes"):
        run([*parse_pipeline("infer-types,outline"), lowering], Validation(mode="symbolic"), SUM)


def test_large_functions_are_tried_small_where_no_proof_decides(prover: Prover) -> None:
    prover.answer = Unknown("no")
    text = """\
    func.func @main(%x: tensor<1x64x14x14xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x14x14xf32> {
      %c = graph.conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x64x14x14xf32>
      func.return %c : tensor<1x64x14x14xf32>
    }"""
    validation = Validation(1, mode="symbolic")
    with pytest.raises(TilewrightError, match="'subtracts' changed what @conv2d|'subtracts' changed what @main"):
        run([*conversion(Level.GRAPH, Level.LOOP), Subtracts()], validation, text)
    assert validation.failed_small is not None


def test_the_context_takes_how_to_validate(prover: Prover) -> None:
    with tilewright.PassContext(validate="symbolic") as context_:
        PassManager([as_pass(turns)]).run(context(), module_of(LOOPS))
    (validation,) = context_.instruments
    assert isinstance(validation, Validation) and validation.proofs is not None
    assert [step.judgement.word for step in validation.proofs.steps] == ["proved"]
    with pytest.raises(TilewrightError, match="TW0208.*got 'symbolical'"):
        tilewright.PassContext(validate="symbolical")  # pyright: ignore[reportArgumentType]


STATUS: dict[str, tuple[Answer, int]] = {
    "proved": (Proved(), 0),
    "bounded": (Bounded(({N: 0}, {N: 3})), 3),
    "unknown": (Unknown("no"), 3),
    "refuted": (refuted_at((1,), 1, "loop.store", 3), 1),
}

PASSES = '''\
import tilewright
from xdsl.dialects import arith

@tilewright.register_pass(phase=2)
def wrong_pass(module):
    """Subtract where an addition stands."""
    for op in [n for n in module.walk() if isinstance(n, arith.AddfOp)]:
        made = arith.SubfOp(op.lhs, op.rhs)
        op.parent.insert_op_before(made, op)
        op.result.replace_all_uses_with(made.result)
        op.detach()
        op.erase()
'''


@pytest.mark.parametrize("word", STATUS)
def test_the_exit_status_is_that_of_the_worst(
    word: str, prover: Prover, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_user", {})
    prover.answer, status = STATUS[word]
    for name, text in (("f.mlir", LOOPS), ("passes.py", PASSES)):
        (tmp_path / name).write_text(text)
    name = "wrong-pass" if word == "refuted" else "cse"
    arguments = ["--load", str(tmp_path / "passes.py"), "--pass", name, "--target", "none", str(tmp_path / "f.mlir")]
    assert main(["--validate=symbolic", *arguments]) == status
    out, err = capsys.readouterr()
    assert f"{name}  " in err and f"{word} 1" in err
    assert ("func.func" in out) == (word != "refuted")
    assert ("error[TW0241]" in err) == (word == "refuted")
    if word == "bounded":
        assert "  @f bounded: for n = 0; n = 3" in err


@pytest.mark.parametrize(
    ("given", "mode", "trials"),
    [("symbolic", "symbolic", 2), ("both,3", "both", 3), ("4", "sampled", 4), ("sampled", "sampled", 2)],
)
def test_how_to_validate_is_said_on_the_command_line(given: str, mode: Mode, trials: int) -> None:
    from tilewright.tools.proof import How

    assert How.of(given) == (mode, trials)
    assert How.of(str(How.of(given))) == (mode, trials)


@pytest.mark.parametrize("given", ["symbolicc", "both,many", "both,", "0", "-1", "symbolic,0"])
def test_other_words_are_refused(given: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "f.mlir").write_text(LOOPS)
    assert main([f"--validate={given}", str(tmp_path / "f.mlir")]) == 2
    assert "error[TW0209]: expected --validate to be" in capsys.readouterr().err


def test_bisection_finds_the_rewrite_by_proofs(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof refutes a rewrite that no input shows."""

    def subtracts(ctx: Context, module: ModuleOp) -> None:
        rewrite(module, [Subtract()])

    refuted = refuted_at((1,), 1, "loop.store", 3)
    assert callable(refuted)
    prover.answer = lambda before, after: refuted(before, after) if "subf" in str(after) else Proved()
    found = bisect(module_of(LOOPS), [as_pass(turns), as_pass(subtracts)], 2, "symbolic")
    assert (found.position, found.pass_.name) == (2, "subtracts")
    assert found.rewrite is not None and found.rewrite.description.startswith("Subtract on arith.addf")
    assert "error[TW0241]" in found.report()


@pytest.mark.parametrize(("mode", "saved"), [("sampled", [".npz"]), ("symbolic", [".mlir", ".mlir"])])
def test_bisection_saves_what_it_finds_once(prover: Prover, mode: Mode, saved: list[str], tmp_path: Path) -> None:
    """The runs that look for the rewrite find the pass wrong again and again."""

    def subtracts(ctx: Context, module: ModuleOp) -> None:
        rewrite(module, [Subtract()])

    prover.answer = refuted_at((1,), 1, "loop.store", 3)
    validation = Validation(2, tmp_path, mode)
    found = find_wrong_pass(module_of(LOOPS), [as_pass(subtracts)], validation)
    assert found is not None and found.rewrite is not None
    assert [path.suffix for path in tmp_path.iterdir()] == saved


def test_a_judgement_knows_its_word() -> None:
    judgement = proving.Judgement(Bounded(({"n": 0}, {"n": 3, "m": 1})))
    assert (judgement.word, judgement.reason) == ("bounded", "for n = 0; n = 3, m = 1")


def test_views_of_buffers_without_dimensions_are_the_buffers() -> None:
    """flatten-buffers gives every buffer a dimension."""
    text = """\
    func.func @f(%a: memref<8xf32>, %b: memref<f32> {tw.output}) {
      loop.for %k = 0 to 8 {
        %0 = loop.load %a[%k] : memref<8xf32>
        loop.store %0, %b[] : memref<f32>
      }
      func.return
    }"""
    validation = Validation(mode="symbolic")
    run(parse_pipeline("flatten-buffers"), validation, text)  # pyright: ignore
    assert validation.proofs is not None
    assert [step.judgement.word for step in validation.proofs.steps] == ["proved"]


def test_where_nothing_is_proved_the_prover_is_not_loaded() -> None:
    names = "'polyhedral', 'equivalence.prove', 'passes.framework.validation', 'semantics.proving', 'islpy'"
    program = (
        "import sys, tilewright.schedule.schedule, tilewright.tools.process, tilewright.passes.phase0.auto_schedule\n"
        f"print([m for m in sys.modules if any(name in m for name in ({names}))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
