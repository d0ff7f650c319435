"""Modules of old programs: where they are found, that each exists once, and which are refused."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tilewright as tvm
from tilewright.classic.import_paths import PATHS
from tilewright.classic.reasons import MODULES

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_names_what_exists() -> None:
    for path in PATHS:
        module, _, name = f"tilewright.{path}".rpartition(".")
        found = importlib.import_module(module)
        assert getattr(found, name) is not None, path


def test_every_refused_module_stands_in_the_table() -> None:
    refused = {path.removeprefix("classic.") for path, target in PATHS.items() if target.startswith("classic.refused:")}
    assert refused == set(MODULES)


@pytest.mark.parametrize("path", ["nd", "target", "testing", "transform", "instrument", "contrib"])
def test_a_module_exists_once_under_both_paths(path: str) -> None:
    assert importlib.import_module(f"tilewright.{path}") is importlib.import_module(f"tilewright.classic.{path}")
    assert importlib.import_module(f"tilewright.{path}").__spec__.name == f"tilewright.classic.{path}"
    assert getattr(tvm, path) is importlib.import_module(f"tilewright.{path}")


def test_programs_import_modules_in_every_way() -> None:
    code = """
import tilewright as tvm
import tilewright.testing
import tilewright.nd as nd
from tilewright import target
from tilewright.target import Target
from tilewright.transform import PassContext
import tilewright.transform
assert tvm.nd is nd and tvm.target is target and target.Target is Target is tvm.Target
assert tvm.transform.PassContext is PassContext is tvm.PassContext
import tilewright.classic.nd
assert tilewright.classic.nd is nd
print(sorted(m for m in __import__("sys").modules if m.endswith(".nd")))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['tilewright.classic.nd', 'tilewright.nd']"


def test_a_missing_module_raises_pythons_error_too() -> None:
    for path in ("tilewright.nothing", "tilewright.contrib.nothing", "tilewright.nd.nothing"):
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(path)
    with pytest.raises(tvm.TilewrightError, match="TW0225.*has no attribute 'tesing'; did you mean 'testing'"):
        _ = tvm.tesing
    assert not hasattr(tvm, "nothing") and not hasattr(tvm.contrib, "nothing")


def test_a_refused_module_can_be_imported_and_says_why_it_is_missing() -> None:
    from tilewright import relax
    from tilewright.contrib import mkl

    with pytest.raises(tvm.TilewrightError, match=r"(?s)TW0251.*'relax.Var' is not part of .*: models are read from"):
        relax.Var("x")
    with pytest.raises(tvm.TilewrightError, match=r"(?s)TW0251.*'contrib.mkl.matmul'.*help: write topi.matmul"):
        mkl.matmul(None, None)
    assert not hasattr(relax, "Var")
    from tilewright.relax.backend import Runtime

    with pytest.raises(tvm.TilewrightError, match=r"TW0251.*'relax.backend.Runtime' is not part of"):
        Runtime("cpp")


def test_arrays_know_their_module() -> None:
    assert type(tvm.nd.array(np.zeros(3))).__module__ == "tilewright.classic.nd"


def test_importing_the_package_loads_tables_of_names_alone() -> None:
    code = "import sys, tilewright; print(sorted(m for m in sys.modules if m.split('.')[0] == 'tilewright'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout) == [
        "tilewright",
        "tilewright.classic",
        "tilewright.classic.import_paths",
        "tilewright.lazy",
        "tilewright.renamed",
        "tilewright.runtime",
        "tilewright.runtime.lazy",
        "tilewright.runtime.slots",
    ]


def test_the_commands_load_nothing_classic() -> None:
    code = """
import sys
from tilewright.tools.opt import main
sys.argv = ["opt-tool", "--help"]
try:
    main()
except SystemExit:
    pass
print(sorted(m for m in sys.modules if "classic" in m))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout.splitlines()[-1]) == ["tilewright.classic", "tilewright.classic.import_paths"]
