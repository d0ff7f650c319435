"""Configuration of lit, which pytest reads too (`pytest tests/lit`, with `pip install tilewright[lit]`)."""

# ruff: noqa: F821  (lit provides `config`)

import os
import sys

import lit.formats

config.name = "tilewright_poly"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(os.path.dirname(config.test_source_root), "build", "lit")

# opt-tool, tilewright and filecheck are those of the environment that runs lit.
config.environment["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")
config.environment["TILEWRIGHT_HOST"] = "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2"
