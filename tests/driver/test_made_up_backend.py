"""A backend that is registered from outside is built with, emitted with and named like those of the compiler."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.backends import backend_for_text, backend_of, backends
from tilewright.backends.interpreter import build as interpret
from tilewright.dialects.target import TargetAttr
from tilewright.dialects.target_text import Option, read_options
from tilewright.driver import emit
from tilewright.passes.framework.base import Level, level_of
from tilewright.passes.framework.intrinsics import has_rules
from tilewright.runtime import Module
from tilewright.te import Expr
from tilewright.te.calls import Call
from tilewright.tools.opt import main as opt_tool
from tilewright.traversal import operations
from xdsl.context import Context
from xdsl.dialects.builtin import IntAttr, ModuleOp, UnitAttr
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.passes import ModulePass

OPTIONS = {"lanes": Option(str.isdigit, "-lanes= with a number")}


@irdl_attr_definition
class GridTargetAttr(TargetAttr):
    """A grid of cells."""

    name = "madeup.grid"

    lanes: IntAttr = param_def()

    @property
    def kind(self) -> str:
        return "grid"

    @property
    def vector_bits(self) -> int:
        return 32 * self.lanes.data


def read_target(text: str) -> GridTargetAttr:
    return GridTargetAttr(IntAttr(int(read_options(text, OPTIONS).get("lanes", "1"))))


def build(module: ModuleOp, threads: int | None = None, device: str | None = None) -> Module:
    assert level_of(module) is Level.LOOP
    assert "madeup.legal" in module.attributes
    seen.append((module, threads, device))
    return interpret(module, threads)


def text_of(module: ModuleOp) -> str:
    return f"grid of {sum(1 for _ in operations(module))} operations"


def lower_exp(call: Call) -> Expr:
    """Return a value so far from exp that nobody takes it for another rule."""
    return call.args[0] + 100


@dataclass(frozen=True)
class LegalizeForGrid(ModulePass):
    name = "legalize-for-grid"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        op.attributes["madeup.legal"] = UnitAttr()


GRID = tilewright.Backend(
    name="grid",
    kinds=("grid", "mesh"),
    build=build,
    target=read_target,
    options=OPTIONS,
    legalization=("note-aliases", "legalize-for-grid"),
    texts={"grid": text_of},
    call_options=("device",),
    lowerings={"math.exp": "test_made_up_backend:lower_exp"},
    package=__name__.rpartition(".")[0],
)
seen: list[tuple[ModuleOp, int | None, str | None]] = []


@pytest.fixture
def grid() -> Iterator[None]:
    seen.clear()
    tilewright.register_pass(phase=3)(LegalizeForGrid)
    tilewright.register_backend(GRID)
    try:
        yield
    finally:
        tilewright.unregister_backend("grid")
        tilewright.unregister_pass("legalize-for-grid")


def program() -> list[te.Tensor]:
    a = te.placeholder((6,), name="A")
    return [a, te.compute((6,), lambda i: te.exp(a[i]), name="B")]


@pytest.mark.usefixtures("grid")
def test_programs_are_built_for_its_targets() -> None:
    tensors = program()
    function = tilewright.build(te.create_schedule(tensors[1].op), tensors, target="mesh -lanes=4", device="corner")
    x = np.arange(6, dtype=np.float32)
    np.testing.assert_array_equal(function(x), x + 100)
    [(module, threads, device)] = seen
    assert (str(module.attributes["tw.target"]), threads, device) == ("#madeup.grid<#builtin.int<4>>", None, "corner")


@pytest.mark.usefixtures("grid")
def test_its_targets_and_texts_have_names() -> None:
    target = tilewright.Target("grid -lanes=2")
    assert target.backend is GRID and backend_of(target.attribute()) is GRID and backend_for_text("grid") is GRID
    for text, code in (("grid -rows=2", "TW0612"), ("grid -lanes=x", "TW0612"), ("grod", "TW0602")):
        with pytest.raises(TilewrightError) as raised:
            tilewright.Target(text)
        assert raised.value.code == code and ("grid" in str(raised.value) or "lanes" in str(raised.value))
    with pytest.raises(TilewrightError) as raised:
        emit(ModuleOp([]), "grod")
    assert raised.value.code == "TW0209" and raised.value.message.endswith("ptx, sass or grid, but got 'grod'")


@pytest.mark.usefixtures("grid")
def test_the_tools_know_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "exp.mlir"
    file.write_text(
        "func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {\n"
        "  %0 = graph.exp %x : tensor<6xf32>\n  func.return %0 : tensor<6xf32>\n}\n"
    )
    assert opt_tool([str(file), "--emit", "grid", "--target", "grid -lanes=1"]) == 0
    assert capsys.readouterr().out.startswith("grid of ")
    assert opt_tool([str(file), "--phase", "3", "--target", "grid", "--print-pipeline"]) == 0
    assert capsys.readouterr().err.rstrip().endswith("note-aliases,legalize-for-grid")


def test_what_is_unregistered_is_unknown() -> None:
    assert "grid" not in {backend.name for backend in backends()} and not has_rules("math.exp", "grid")
    for make in (lambda: tilewright.Target("grid"), lambda: tilewright.unregister_backend("grid")):
        with pytest.raises(TilewrightError) as raised:
            make()
        assert raised.value.code == "TW0602"


@pytest.mark.parametrize(
    ("name", "kinds", "texts"),
    [("cpu", ("own",), {}), ("own", ("own", "llvm"), {}), ("own", ("own",), {"ptx": text_of})],
)
def test_names_of_others_are_refused(name: str, kinds: tuple[str, ...], texts: dict[str, object]) -> None:
    mine = tilewright.Backend(name=name, kinds=kinds, build=build, target=read_target, texts=texts)  # pyright: ignore[reportArgumentType]
    with pytest.raises(TilewrightError) as raised:
        tilewright.register_backend(mine)
    assert raised.value.code == "TW0616"
    assert mine not in backends()
