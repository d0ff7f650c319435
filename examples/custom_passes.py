"""User passes, and the four ways to run them.

A pass is a function of the module, a class, or a set of rewrite patterns. It runs

1. inside a `PassContext` that adds it at the end of a phase,
2. by its name, once `@register_pass` has made that known,
3. in `opt-tool --load FILE.py`, from any file that registers passes, such as this one,
4. wherever tilewright runs, as a plugin: an installed distribution with an entry point.

    python examples/custom_passes.py
    opt-tool --load examples/custom_passes.py --list-passes
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import tilewright as tvm
from tilewright import te
from tilewright.analysis import accesses_in, carried
from tilewright.dialects import loop
from tilewright.passes import Level, Pass, collect_remarks, may_rewrite, remark
from tilewright.passes import editor as edit
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, ModuleOp
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern


def vectorize_rows(module: ModuleOp) -> None:
    """Ask for vectors in every innermost loop whose iterations do not depend on one another."""
    for op in module.walk():
        if not isinstance(op, loop.ForOp) or any(isinstance(inner, loop.ForOp) for inner in op.body.walk()):
            continue
        if op.kind == loop.SERIAL and carried(op) is None and may_rewrite("vectorize row", op):
            edit.change(op).kind = loop.VECTORIZED


@tvm.register_pass(phase=3, levels=[Level.LOOP])
class ExactReciprocal(RewritePattern):
    """Divide by a power of two by multiplying with its reciprocal, which is exact."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.DivfOp, rewriter: PatternRewriter) -> None:
        divisor = constant_of(op.rhs)
        if divisor and math.frexp(divisor)[0] in (0.5, -0.5):
            reciprocal = arith.ConstantOp(FloatAttr(1 / divisor, op.rhs.type))
            rewriter.replace(op, [reciprocal, arith.MulfOp(op.lhs, reciprocal)])


def constant_of(value: SSAValue) -> float | None:
    """Return the number of a constant value, None for other values."""
    constant = value.owner
    if isinstance(constant, arith.ConstantOp) and isinstance(constant.value, FloatAttr):
        return constant.value.value.data
    return None


@tvm.register_pass(phase=2)
@dataclass(frozen=True)
class CountAccesses(Pass):
    """Say how many accesses each function makes, from `least` on."""

    name = "count-accesses"
    levels = (Level.LOOP,)

    least: int = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            found = len(accesses_in(function))
            if found >= self.least:
                remark("TW0219", f"{found} accesses", op=function, kind="analysis")


def halves() -> tuple[te.Schedule, list[te.Tensor]]:
    """Compute B = A / 2, row by row."""
    a = te.placeholder((6, 64), name="A")
    b = te.compute((6, 64), lambda i, j: a[i, j] / 2.0, name="B")
    return te.create_schedule(b.op), [a, b]


X = np.random.default_rng(0).standard_normal((6, 64), dtype=np.float32)


def added_to_a_context() -> None:
    """Add a function to a context, at the end of phase 1: phase 2 then makes the vectors."""
    assert "vector<" not in str(tvm.lower(*halves()))
    with tvm.PassContext(config={"tir.add_lower_pass": [(1, vectorize_rows)]}):
        assert "vector<64xf32>" in str(tvm.lower(*halves()))
        np.testing.assert_array_equal(tvm.build(*halves())(X), X / 2)
    print("added to a context: rows are vectors")


def registered() -> None:
    """Add registered passes by name, with options as on the command line."""
    passes = [(2, "count-accesses{least=2}"), (3, "exact-reciprocal")]
    with tvm.PassContext(add_lower_pass=passes, validate=True), collect_remarks() as remarks:
        lowered = str(tvm.lower(*halves()))
        np.testing.assert_array_equal(tvm.build(*halves())(X), X / 2)
    assert "arith.mulf" in lowered
    assert "arith.divf" not in lowered
    assert "2 accesses" in {r.message for r in remarks}
    print("registered: a division is a product")


PROGRAM = """\
func.func @halve(%x: memref<8xf32>) {
  %two = arith.constant 2.0 : f32
  loop.for %i = 0 to 8 {
    %a = loop.load %x[%i] : memref<8xf32>
    %b = arith.divf %a, %two : f32
    loop.store %b, %x[%i] : memref<8xf32>
  }
  func.return
}
"""


def opt_tool(*args: str, folder: str | None = None) -> str:
    """Return the output of opt-tool for PROGRAM, with `folder` among those where Python looks for distributions."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))}
    command = [sys.executable, "-m", "tilewright.tools.opt", *args]
    return subprocess.run(
        command, input=PROGRAM, env=environment, capture_output=True, text=True, check=True, cwd=folder
    ).stdout


def loaded_from_a_file() -> None:
    assert "arith.mulf %a" in opt_tool("--load", str(Path(__file__).resolve()), "--pass", "exact-reciprocal")
    print("loaded from a file: opt-tool runs it")


def installed_as_a_plugin() -> None:
    """Install a distribution as pip does, with an entry point of its pyproject.toml.

    [project.entry-points."tilewright.plugins"]
    halving = "halving_passes"
    """
    with TemporaryDirectory() as folder:
        Path(folder, "halving_passes.py").write_text(Path(__file__).read_text(encoding="utf-8"), encoding="utf-8")
        info = Path(folder, "halving-1.0.dist-info")
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: halving\nVersion: 1.0\n", encoding="utf-8")
        (info / "entry_points.txt").write_text("[tilewright.plugins]\nhalving = halving_passes\n", encoding="utf-8")
        assert "arith.mulf %a" in opt_tool("--pass", "exact-reciprocal", folder=folder)
    print("installed as a plugin: opt-tool knows it")


def main() -> None:
    added_to_a_context()
    registered()
    loaded_from_a_file()
    installed_as_a_plugin()


if __name__ == "__main__":
    main()
