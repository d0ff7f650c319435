"""Earlier public names work, warn with the successor, and stand in one table."""

from __future__ import annotations

import subprocess
import sys
import warnings
from importlib import import_module
from inspect import unwrap
from pathlib import Path
from typing import Any

import pytest
import tilewright
from tilewright import lazy, renamed
from tilewright.diagnostics import TilewrightError
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
