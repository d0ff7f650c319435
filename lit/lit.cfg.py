"""Configuration of lit.

tools/lit_kit/shell.py runs the same files in process and reads the substitutions from here.
"""

# ruff: noqa: F821  (lit provides `config`)

import os
import sys

import lit.formats

config.name = "tilewright"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(os.path.dirname(config.test_source_root), "build", "lit")

# opt-tool, tilewright and filecheck are those of the environment that runs lit.
config.environment["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")

# The target "llvm" means this machine, independent of the machine that runs the tests.
config.environment["TILEWRIGHT_HOST"] = "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2"

# The output of a foreign optimizer is compared after each of its passes: %prove "mlir-opt --affine-loop-fusion" %s
config.substitutions.append(("%prove", "tilewright prove --opt"))

# Custom form -> generic form -> custom form, checked against the file's CHECK lines.
_again = "opt-tool --split-input-file"
config.substitutions.append(("ROUNDTRIP", f"{_again} %s | {_again} --print-op-generic | {_again} | filecheck %s"))
