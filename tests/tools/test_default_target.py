"""Without --target opt-tool runs what the compiler runs, for this machine, which the output does not name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import tilewright
from tilewright.backends import backends
from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.lowering import lower_module
from tilewright.passes.framework.base import asks_target
from tilewright.passes.framework.context import as_pass
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.pipeline import LEGALIZATION, PHASES
from tilewright.tools.opt import main
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

PRODUCT = """\
func.func @main(%a: tensor<64x48xf32>, %b: tensor<48x80xf32>, %c: tensor<80xf32>) -> tensor<64x80xf32> {
  %p = graph.matmul %a, %b : tensor<64x80xf32>
  %s = graph.add %p, %c : tensor<64x80xf32>
  %r = graph.relu %s : tensor<64x80xf32>
  func.return %r : tensor<64x80xf32>
}
"""
NOTE = "note: the target is this machine: vectors of "


def parsed(text: str) -> ModuleOp:
    return Parser(context(), text).parse_module()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "product.mlir"
    path.write_text(PRODUCT)
    return path


@pytest.mark.parametrize("phase", range(4))
def test_phases_are_those_of_the_compiler(phase: int, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--phase", str(phase), str(source)]) == 0
    printed = capsys.readouterr()
    lowered = lower_module(parsed(PRODUCT), phase)
    del lowered.attributes[TARGET_ATTRIBUTE]
    assert printed.out == f"{lowered!s}\n"
    assert printed.err.count(NOTE) == 1


def test_without_a_target_schedules_are_for_none(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--phase", "3", "--target", "none", str(source)]) == 0
    plain = capsys.readouterr()
    assert plain.err == "" and "vector<" not in plain.out
    assert main(["--phase", "3", str(source)]) == 0
    assert "vector<" in capsys.readouterr().out


@pytest.mark.parametrize("target", ["host", "llvm -mtriple=aarch64-linux-gnu"])
def test_a_target_that_was_asked_for_stays(target: str, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--phase", "1", "--target", target, str(source)]) == 0
    printed = capsys.readouterr()
    assert printed.err == "" and "tw.target = #target.cpu<" in printed.out


def test_a_module_keeps_its_target(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = 'tw.target = #target.cpu<features ["sse2"], vector_bits 128, caches [1024, 0, 0], threads 3>'
    source.write_text(f"module attributes {{{target}}} {{\n{PRODUCT}}}")
    assert main(["--phase", "3", str(source)]) == 0
    printed = capsys.readouterr()
    assert target in printed.out and "vector<8xf32>" not in printed.out and printed.err == ""


def test_the_note_comes_once_and_only_where_something_asks(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--pass", "infer-types", str(source)]) == 0
    assert capsys.readouterr().err == ""
    source.write_text(f"{PRODUCT}// -----\n{PRODUCT}")
    assert main(["--pass", "pack-weights", "--split-input-file", str(source)]) == 0
    assert capsys.readouterr().err.count(NOTE) == 1


def test_passes_say_that_they_ask_for_the_target() -> None:
    """Passes that read the attribute, themselves or by a helper, for more than which kind of device it is."""
    endings = (backend.legalization for backend in backends())
    names = dict.fromkeys(name for phase in (*PHASES.values(), *endings) for name in phase)
    passes = {pass_.name: pass_ for pass_ in parse_pipeline(",".join((*names, "tile")))}
    folder = Path(main.__code__.co_filename).parents[1] / "passes"
    reading = {
        _pass_or_module(path.relative_to(folder)).replace("_", "-")
        for path in folder.rglob("*.py")
        if re.search(r"\btarget_of\(", path.read_text(encoding="utf-8"))
    }
    asking = {name for name, pass_ in passes.items() if asks_target(pass_)}
    assert asking == reading - {
        "above-blocks",
        "check-bounds",
        "lower-te",
        "lower-cross-thread-reduction",
        "software-pipeline",
        "tuning-records",
    }
    assert not asks_target(DeadCodeElimination())
    assert asks_target(as_pass(lambda module: None))


def _pass_or_module(path: Path) -> str:
    """Return the name of the pass that a file below passes/ belongs to, or of the module where it is none's."""
    return Path(path.parts[1]).stem if path.parts[0].startswith("phase") else path.stem


def test_the_pipeline_that_is_printed_is_the_one_that_runs(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Passes that the settings leave out are not there, those that take the module down to code are."""
    (tmp_path / "costly.py").write_text(
        "import tilewright\n"
        "from xdsl.passes import ModulePass\n"
        "@tilewright.register_pass(phase=2)\n"
        "class CostlyPass(ModulePass):\n"
        "    'Costly.'\n"
        "    name = 'costly'\n"
        "    opt_level = 3\n"
        "    def apply(self, ctx, op):\n"
        "        raise ValueError('it runs')\n"
    )
    load = ["--load", str(tmp_path / "costly.py")]
    costly = [*load, "--pass", "costly,infer-types", "--print-pipeline", str(source)]
    assert main(costly) == 1
    assert "ValueError: it runs" in capsys.readouterr().err
    with tilewright.PassContext(disabled_pass=["costly"]):
        assert main(costly) == 0
    assert capsys.readouterr().err.splitlines()[-1] == "infer-types"
    assert main(["--pass", "infer-types", "--emit", "llvm", "--print-pipeline", str(source)]) == 0
    (pipeline,) = (line for line in capsys.readouterr().err.splitlines() if line.startswith("infer-types,"))
    assert pipeline.split(",")[1:3] == ["infer-types", "integer-products"]
    assert pipeline.endswith(f"lower-intrinsics,hoist,cse,remove-no-op,{','.join(LEGALIZATION)}")
