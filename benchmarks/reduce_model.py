"""The reduction of a whole model in which one pass goes wrong by `tilewright reduce`: its extent and its speed.

    python benchmarks/reduce_model.py [--model resnet50]

The fault is a pass that drops one kind of operator: relu of a sum. The model is imported, `reduce` runs with the test
that docs/debugging.md shows for a wrong value, and the operations before and after are counted.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import onnx
from tilewright.frontends.onnx.light_models import LIGHT_MODELS, light_model

FAULT = '''
from dataclasses import dataclass

import tilewright
from xdsl.passes import ModulePass


@tilewright.register_pass(phase=0)
@dataclass(frozen=True)
class SkipsRelu(ModulePass):
    """Drop each relu of a sum."""

    name = "skips-relu"

    def apply(self, ctx, op):
        for relu in [member for member in op.walk() if member.name == "graph.relu"]:
            if getattr(relu.operands[0].owner, "name", "") == "graph.add":
                relu.results[0].replace_all_uses_with(relu.operands[0])
                relu.detach()
                relu.erase()
'''
BIN = Path(sys.executable).parent


def operators(text: str) -> int:
    """Return the lines of a module that hold an operator of graph, constants included."""
    return sum(" graph." in line for line in text.splitlines())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="resnet50", choices=sorted(LIGHT_MODELS))
    model = parser.parse_args().model
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "fault.py").write_text(FAULT, encoding="utf-8")
        (folder / "test.sh").write_text(
            f'#!/bin/sh\n{BIN}/opt-tool --load {folder}/fault.py --validate=1 --pass skips-relu "$1" 2>&1'
            " | grep -q TW0550\n",
            encoding="utf-8",
        )
        (folder / "test.sh").chmod(0o755)
        whole, small = folder / "model.mlir", folder / "small.mlir"
        onnx.save(light_model(model), folder / "model.onnx")
        subprocess.run([BIN / "tilewright", "import", folder / "model.onnx", "-o", whole], check=True)
        begin = time.perf_counter()
        command = [BIN / "tilewright", "reduce", whole, "--test", folder / "test.sh", "-o", small]
        status = subprocess.run(command, check=False).returncode
        seconds = time.perf_counter() - begin
        text = small.read_text(encoding="utf-8") if small.exists() else ""
        print(
            f"{model}: {operators(whole.read_text(encoding='utf-8'))} operators -> {operators(text)}, {seconds:.0f} s"
        )
        print(text)
    return status


if __name__ == "__main__":
    sys.exit(main())
