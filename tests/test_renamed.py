"""Earlier public names work, warn with the successor, and stand in one table."""

from __future__ import annotations

import subprocess
import sys
import warnings
from importlib import import_module
from inspect import signature, unwrap
from pathlib import Path
from typing import Any

import pytest
import tilewright
from tilewright import lazy, renamed
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context, loop
from tilewright.passes import PassContext, parse_pipeline
from tilewright.passes.framework.registry import BUILTIN, get_pass
from tilewright.renamed import RenamedWarning

ROOT = tilewright.__name__


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make up earlier names of a module, a function of a face, and a pass."""
    options = "passes.framework.options"
    names = {"passes.unrolling_of_loops": options, "passes.spelling": f"{options}:spec_of"}
    monkeypatch.setattr(renamed, "NAMES", {**renamed.NAMES, **names})
    monkeypatch.setattr(renamed, "PASSES", {**renamed.PASSES, "repeat-bodies": "unroll"})
    monkeypatch.setattr(lazy._finder, "table", {**lazy._finder.table, **names})
    monkeypatch.delitem(sys.modules, f"{ROOT}.passes.unrolling_of_loops", raising=False)


@pytest.mark.usefixtures("made_up")
def test_an_earlier_module_is_the_module() -> None:
    with pytest.warns(
        RenamedWarning, match=r"passes\.unrolling_of_loops' is called 'tilewright\.passes\.framework\.options'"
    ) as seen:
        module = import_module(f"{ROOT}.passes.unrolling_of_loops")
    assert module is import_module(f"{ROOT}.passes.framework.options")
    assert len(seen) == 1


@pytest.mark.usefixtures("made_up")
def test_an_earlier_name_is_the_successor_and_the_line_that_uses_it_is_named() -> None:
    from tilewright.passes.framework.options import spec_of

    with pytest.warns(RenamedWarning, match=r"is called 'tilewright\.passes\.framework\.options\.spec_of'") as seen:
        from tilewright.passes import spelling  # type: ignore[attr-defined]  # pyright: ignore
    assert unwrap(spelling) is spec_of
    assert {each.filename for each in seen} == {__file__}


@pytest.mark.usefixtures("made_up")
def test_an_earlier_pass_is_found_wherever_a_pass_is_named() -> None:
    with pytest.warns(RenamedWarning, match="pass 'repeat-bodies' is called 'unroll'"):
        (pass_,) = parse_pipeline("repeat-bodies")
    assert pass_.name == "unroll"
    with pytest.warns(RenamedWarning):
        assert PassContext(disabled_pass=["repeat-bodies"]).disabled_pass == {"unroll"}
    with pytest.warns(RenamedWarning):
        from tilewright.tools.explain import explain

        assert explain("repeat-bodies") == explain("unroll")
    with warnings.catch_warnings(), pytest.raises(TilewrightError, match="unknown pass 'repeat-body'"):
        warnings.simplefilter("error")
        parse_pipeline("repeat-body")


def test_a_command_line_says_it_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "empty.mlir"
    file.write_text("builtin.module {}\n")
    code = """
from tilewright import renamed
renamed.PASSES = {"repeat-bodies": "unroll"}
from tilewright.tools.opt import main
main(["--pass", "repeat-bodies", "--print-ir-after", "repeat-bodies", "--pass", "repeat-bodies", FILE])
"""
    code = code.replace("FILE", repr(str(file)))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    notes = [line for line in done.stderr.splitlines() if line.startswith("note:")]
    assert notes == ["note: pass 'repeat-bodies' is called 'unroll'; the earlier name goes with the next minor version"]
    assert done.stdout.startswith("builtin.module")


def test_all_earlier_names_work() -> None:
    for earlier, successor in renamed.NAMES.items():
        module, _, name = successor.partition(":")
        expected: Any = import_module(f"{ROOT}.{module}")
        for part in name.split(".") if name else ():
            expected = getattr(expected, part)
        owner, _, last = f"{ROOT}.{earlier}".rpartition(".")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RenamedWarning)
            found = getattr(import_module(owner), last) if name else import_module(f"{ROOT}.{earlier}")
        assert (unwrap(found) is unwrap(expected)) if callable(found) else (found is expected), earlier
        with pytest.warns(RenamedWarning):
            lazy._finder.find_spec(f"{ROOT}.{earlier}")


def test_all_earlier_names_of_passes_work() -> None:
    for earlier, successor in renamed.PASSES.items():
        assert earlier not in BUILTIN and successor in BUILTIN, earlier
        with pytest.warns(RenamedWarning, match=successor):
            assert get_pass(earlier).name == successor


def test_all_earlier_members_have_successors() -> None:
    for path, names in renamed.MEMBERS.items():
        module, _, owner = path.rpartition(".")
        members = dir(found := getattr(import_module(f"{ROOT}.{module}"), owner))
        for earlier, successor in names.items():
            assert vars(found)[earlier].successor == successor, path
            assert successor in members or successor in fields_of(found), path


def fields_of(owner: type) -> set[str]:
    """Return the names of the fields that a class states, by a base or by annotations."""
    return {name for base in owner.__mro__ for name in vars(base).get("__annotations__", {})}


def loop_with(captures: str) -> loop.ForOp:
    """Return a parallel loop that captures two buffers."""
    text = f"""
        func.func @f(%a : memref<4xf32>, %b : memref<4xf32>) {{
          loop.for %i = 0 to 4 kind parallel captures({captures}) {{ }}
          func.return
        }}
    """
    (op,) = (op for op in parse(context(), text, "loop.mlir").walk() if isinstance(op, loop.ForOp))
    return op


def test_earlier_members_of_an_operation_are_read_and_written() -> None:
    op = loop_with("%a apart, %b")
    earlier: Any = op
    with pytest.warns(RenamedWarning, match="'ForOp.captured_apart' is called 'captured_disjoint'") as seen:
        assert earlier.captured_apart == op.captured_disjoint != []
    assert {each.filename for each in seen} == {__file__}
    with pytest.warns(RenamedWarning, match="'ForOp.apart' is called 'disjoint'"):
        earlier.apart = None
    assert op.disjoint is None


def test_an_earlier_method_is_called() -> None:
    context: Any = PassContext()
    with pytest.warns(RenamedWarning, match="'PassContext.tell' is called 'report_keys'"):
        context.tell()


def test_an_earlier_argument_is_the_argument() -> None:
    op = loop_with("%a")
    state: Any = op.state_captures
    with pytest.warns(RenamedWarning, match=r"argument 'apart' of 'ForOp.state_captures' is called 'disjoint'"):
        state(op.captures, apart=op.captures)
    assert list(op.captured_disjoint) == list(op.captures)
    with pytest.raises(TypeError, match="unexpected keyword argument 'far'"):
        state(op.captures, far=())


def test_all_earlier_arguments_are_known() -> None:
    for path, names in renamed.ARGUMENTS.items():
        module, owner, function = path.rsplit(".", 2)
        found: Any = vars(getattr(import_module(f"{ROOT}.{module}"), owner))[function]
        assert set(names.values()) <= set(signature(found.__wrapped__).parameters), path
