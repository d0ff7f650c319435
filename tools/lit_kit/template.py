"""`tilewright init-lit`: writes the files that a project needs for lit tests."""

from __future__ import annotations

import sys
from pathlib import Path

from ...diagnostics import fail
from ...diagnostics.files import fail_writing
from .. import files
from .suite import CONFIGURATION

_CONFIGURATION = '''\
"""Configuration of lit, which pytest reads too (`pytest {folder}`, with `pip install tilewright[lit]`)."""

# ruff: noqa: F821  (lit provides `config`)

import os
import sys

import lit.formats

config.name = "{name}"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(os.path.dirname(config.test_source_root), "build", "lit")

# opt-tool, tilewright and filecheck are those of the environment that runs lit.
config.environment["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")

# The machine that IR is compiled for, so that a test prints the same everywhere.
config.environment["TILEWRIGHT_HOST"] = "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2"

# Passes of another optimizer, proved one by one: RUN: %prove "mlir-opt --affine-loop-fusion" %s
config.substitutions.append(("%prove", "tilewright prove --opt"))
'''

_EXAMPLE = """\
// RUN: opt-tool --pass cse %s | filecheck %s

// `tilewright update-checks {path}` writes the CHECK lines anew.
// CHECK-LABEL: func.func private @square(
// CHECK-SAME:    %[[X:.*]]: f32) -> f32 {{
// CHECK-NEXT:    %[[A:.*]] = arith.addf %[[X]], %[[X]] : f32
// CHECK-NEXT:    %[[C:.*]] = arith.mulf %[[A]], %[[A]] : f32
// CHECK-NEXT:    func.return %[[C]] : f32
func.func private @square(%x: f32) -> f32 {{
  %a = arith.addf %x, %x : f32
  %b = arith.addf %x, %x : f32
  %c = arith.mulf %a, %b : f32
  func.return %c : f32
}}
"""


def init_lit(folder: str) -> None:
    """Write `lit.cfg.py` and a first lit file into a folder, which is made. Raises TilewrightError TW0204, TW0233."""
    root = Path(folder)
    configuration = root / CONFIGURATION
    if configuration.exists():
        fail("TW0233", f"expected a folder without lit files, but '{configuration}' exists")
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail_writing(folder, error)
    name = root.resolve().parent.name if root.name in ("lit", "tests", "test", ".") else root.resolve().name
    files.write(str(configuration), _CONFIGURATION.format(name=name or "project", folder=folder))
    written = [configuration]
    example = root / "example.mlir"
    if not example.exists():
        files.write(str(example), _EXAMPLE.format(path=example))
        written.append(example)
    for path in written:
        print(f"{path}: written", file=sys.stderr)
