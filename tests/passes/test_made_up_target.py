"""A target that nobody foresaw goes through the whole pipeline: passes ask what a target has, not which one it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr, TargetAttr, target_of
from tilewright.passes.framework.base import Level, level_of
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.pipeline import default_pipeline
from tilewright.semantics.calls import run_function
from tilewright.semantics.program import Program
from tilewright.traversal import operations
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.irdl import irdl_attr_definition

PASSES = Path(__file__).resolve().parents[2] / "passes"
BACKENDS = {"cpu", "cuda", "opencl"}


@irdl_attr_definition
class SystolicTargetAttr(TargetAttr):
    """Cores with vectors of four floats, no product and sum in one, and few registers."""

    name = "madeup.systolic"

    @property
    def kind(self) -> str:
        return "systolic"

    @property
    def core(self) -> CpuTargetAttr:
        return CpuTargetAttr.get([], self.vector_bits, [16 << 10, 0, 0], 4)

    @property
    def vector_bits(self) -> int:
        return 128


@irdl_attr_definition
class BareTargetAttr(TargetAttr):
    """Nothing is known of it."""

    name = "madeup.bare"

    @property
    def kind(self) -> str:
        return "bare"


def product() -> ModuleOp:
    a, b = te.placeholder((20, 12), name="A"), te.placeholder((12, 24), name="B")
    k = te.reduce_axis((0, 12), name="k")
    c = te.compute((20, 24), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    d = te.compute((20, 24), lambda i, j: te.max(c[i, j], 0.0), name="D")
    module = tilewright.IRModule({"main": te.create_prim_func([a, b, d])}).op
    assert isinstance(module, ModuleOp)
    return module


@pytest.mark.parametrize("target", [SystolicTargetAttr(), BareTargetAttr()])
def test_a_made_up_target_goes_through_the_pipeline(target: TargetAttr) -> None:
    module = product()
    module.attributes[TARGET_ATTRIBUTE] = target
    assert target_of(next(iter(module.ops))) is target
    PassManager(default_pipeline(level_of(module))).run(context(), module)
    assert level_of(module) is Level.LOOP
    lanes = {t.get_shape()[0] for op in operations(module) for v in op.results if isinstance(t := v.type, VectorType)}
    assert lanes == ({target.vector_bits // 32} if target.core else set())
    assert not any(op.name == "math.fma" for op in operations(module))
    rng = np.random.default_rng(0)
    x, y = (rng.integers(-4, 5, shape).astype(np.float32) for shape in ((20, 12), (12, 24)))
    result = run_function(Program(module), "main", [x, y], 0).values[0]
    np.testing.assert_array_equal(result, np.maximum(x @ y, 0))


def questions_of_names(tree: ast.AST) -> Iterator[str]:
    """Yield the tests of a module for a target's class or a backend's name."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, kinds]) if "TargetAttr" in ast.unparse(kinds):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.Constant(value=str(text)) if text in BACKENDS:
                yield f"{node.lineno}: {text!r}"
            case _:
                pass


def test_passes_ask_what_a_target_has() -> None:
    found = [
        f"{path.relative_to(PASSES)}:{question}"
        for path in sorted(PASSES.rglob("*.py"))
        for question in questions_of_names(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found, "\n".join(found)
    assert list(questions_of_names(ast.parse("if isinstance(t, (CpuTargetAttr, X)) or t.kind == 'cuda': pass")))
