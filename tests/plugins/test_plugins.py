"""Plugins: a distribution that is installed by pip, and those that cannot be loaded."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).with_name("sample")
PROGRAM = """\
func.func @kernel(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) {
  %two = arith.constant 2.0 : f32
  loop.for %i = 0 to 8 {
    %a = loop.load %x[%i] : memref<8xf32>
    %b = arith.mulf %a, %two : f32
    %c = loop.call_intrin "softsign"(%b) : (f32) -> f32
    loop.store %c, %y[%i] : memref<8xf32>
  }
  func.return
}
"""
FROM_PYTHON = """\
import numpy as np
import tilewright as tvm
from tilewright import te, tir

A = te.placeholder((100,), name="A")
B = te.compute((100,), lambda i: tir.call_intrin("float32", "softsign", A[i] * 2), name="B")
x = np.linspace(-3, 3, 100, dtype=np.float32)
want = 2 * x / (1 + np.abs(2 * x))
for target in ("llvm", "c", "interpreter"):
    with tvm.PassContext(add_lower_pass=[(3, "double-to-sum")]):
        np.testing.assert_allclose(tvm.build([A, B], target=target)(x), want, rtol=1e-6)
print("softsign everywhere")
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder into which pip has installed the sample, built from a copy so that its sources stay clean."""
    folder = tmp_path_factory.mktemp("plugin")
    source = shutil.copytree(SAMPLE, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run(
        [*pip, "--target", str(folder / "site"), str(source)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / "site"


def run(site: Path, *command: str, stdin: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(site), **variables}
    return subprocess.run(
        [sys.executable, *command], input=stdin, capture_output=True, text=True, check=False, env=environment
    )


def opt_tool(site: Path, *args: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return run(site, "-m", "tilewright.tools.opt", *args, stdin=PROGRAM, **variables)


def add_broken(site: Path, name: str, source: str | None, target: str = "") -> None:
    """Add a distribution with a plugin of that name, as it lies in a site folder."""
    module = f"broken_{name}"
    if source is not None:
        (site / f"{module}.py").write_text(source, encoding="utf-8")
    info = site / f"tilewright_{name}-0.3.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tilewright-{name}\nVersion: 0.3\n")
    (info / "entry_points.txt").write_text(f"[tilewright.plugins]\n{name} = {target or module}\n")


def test_installed_plugin_adds_to_opt_tool(site: Path) -> None:
    listed = opt_tool(site, "--list-passes")
    line = next(line for line in listed.stdout.splitlines() if line.startswith("double-to-sum "))
    assert line.split(None, 1)[1] == "phase 3  loop: Replace x * 2 by x + x, which is as exact and never slower."
    added = "2:double-to-sum"
    lowered = opt_tool(site, "--phase", "3", "--print-pipeline", TILEWRIGHT_TIR_ADD_LOWER_PASS=added)
    assert ",double-to-sum,simplify," in lowered.stderr
    assert "arith.addf %a, %a : f32" in lowered.stdout
    assert "call_intrin" not in lowered.stdout
    assert "arith.divf" in lowered.stdout


def test_installed_plugin_is_used_from_python(site: Path) -> None:
    done = run(site, "-c", FROM_PYTHON)
    assert done.stdout == "softsign everywhere\n", done.stderr


BROKEN = {
    "absent": (None, "", "ModuleNotFoundError: No module named 'broken_absent'"),
    "attribute": ("", "broken_attribute:register", "AttributeError: module 'broken_attribute' has no attribute"),
    "clash": (
        "import tilewright\n@tilewright.register_pass(phase=1, name='cse')\ndef mine(module): ...\n",
        "",
        "TW0211: the compiler has a pass named 'cse'",
    ),
    "exits": ("raise SystemExit(3)", "", "SystemExit: 3"),
    "raises": ("1 / 0", "", "ZeroDivisionError: division by zero"),
    "same": (
        "import tilewright\n@tilewright.register_pass(phase=1, name='double-to-sum')\ndef mine(module): ...\n",
        "",
        "TW0211: a pass named 'double-to-sum' is registered already, by tilewright_sample.passes.DoubleToSum",
    ),
}
"""Plugins by name: source, entry point and what is wrong with them."""


def test_broken_plugins_cost_a_warning_each_that_names_the_distribution(site: Path, tmp_path: Path) -> None:
    shutil.copytree(site, tmp_path, dirs_exist_ok=True)
    for name, (source, target, _) in BROKEN.items():
        # Plugins are loaded by name: the one that takes a name of the sample's comes after it.
        add_broken(tmp_path, f"z_{name}" if name == "same" else name, source, target)
    register = (
        "import tilewright\ndef register():\n    tilewright.register_pass(phase=1, name='mine')(lambda m: None)\n"
    )
    add_broken(tmp_path, "function", register, "broken_function:register")
    done = opt_tool(tmp_path, "--pass", "mine,double-to-sum,cse")
    lines = done.stderr.splitlines()
    assert len(lines) == len(BROKEN)
    for line, (name, (_, _, reason)) in zip(lines, BROKEN.items(), strict=True):
        name = f"z_{name}" if name == "same" else name
        warning = f"warning[TW0216]: plugin '{name}' of distribution tilewright-{name} 0.3 cannot be loaded: {reason}"
        assert line.startswith(warning)
    assert done.returncode == 0
    assert "%b = arith.addf %a, %a : f32" in done.stdout, "the other plugins are loaded all the same"


def test_an_unknown_pass_reports_plugins_that_failed(tmp_path: Path) -> None:
    add_broken(tmp_path, "raises", "1 / 0")
    program = "from tilewright.passes import pass_names, parse_pipeline; pass_names(); parse_pipeline('double-to-sum')"
    done = run(tmp_path, "-c", program)
    assert "PluginWarning: plugin 'raises' of distribution tilewright-raises 0.3 cannot be loaded" in done.stderr
    assert "TW0201" in done.stderr
    assert "unknown pass 'double-to-sum'" in done.stderr
    assert "note: plugin 'raises' of distribution tilewright-raises 0.3 cannot be loaded" in done.stderr
