"""Final operations have locations of their own, and those of the lines that they come from."""

from __future__ import annotations

import inspect
import runpy
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from located import Coverage
from tilewright import te, topi
from tilewright.diagnostics.locations import (
    complete_locations,
    file_location,
    fused_location,
    location_of,
    source_position,
)
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.driver.lowering import lower_module
from tilewright.driver.models import load_model
from tilewright.driver.programs import as_module
from tilewright.passes import PassContext
from tilewright.passes.framework import manager
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import FusedLoc, ModuleOp, UnknownLoc
from xdsl.rewriter import InsertPoint, Rewriter


@pytest.fixture
def _nothing_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what the manager does for operations that were made without a location."""
    monkeypatch.setattr(manager, "complete_locations", lambda op: None)


def lowered_with_locations(module: ModuleOp) -> ModuleOp:
    """Return the module through the default pipeline, after each of whose passes enough operations have a location."""
    coverage = Coverage()
    with PassContext(instruments=[coverage]):
        lowered = lower_module(module)
    coverage.check()
    return lowered


# Schedules, each with the lines of what it computes


def tiled_matmul() -> tuple[te.schedule.Schedule, list[te.Tensor]]:
    a, b = te.placeholder((64, 64), name="A"), te.placeholder((64, 64), name="B")
    k = te.reduce_axis((0, 64), "k")
    c = te.compute((64, 64), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    local = s.cache_write(c, "local")
    io, jo, ii, ji = s[c].tile(*c.op.axis, 8, 16)
    s[local].compute_at(s[c], jo)
    s[local].reorder(*local.op.reduce_axis, *local.op.axis)
    s[local].vectorize(local.op.axis[1])
    s[c].vectorize(ji)
    s[c].parallel(io)
    s[c].unroll(ii)
    return s, [a, b, c]


def factored_softmax() -> tuple[te.schedule.Schedule, list[te.Tensor]]:
    x = te.placeholder((8, 100), name="X")
    k, m = te.reduce_axis((0, 100), "k"), te.reduce_axis((0, 100), "m")
    largest = te.compute((8,), lambda i: te.max(x[i, k], axis=k), name="largest")
    power = te.compute((8, 100), lambda i, j: te.exp(x[i, j] - largest[i]), name="power")
    total = te.compute((8,), lambda i: te.sum(power[i, m], axis=m), name="total")
    y = te.compute((8, 100), lambda i, j: power[i, j] / total[i], name="Y")
    s = te.create_schedule(y.op)
    _, inner = s[total].split(m, factor=10)
    s.rfactor(total, inner)
    s[y].vectorize(s[y].split(y.op.axis[1], factor=8)[1])
    return s, [x, y]


def padded_convolution() -> tuple[te.schedule.Schedule, list[te.Tensor]]:
    x, f = te.placeholder((4, 14, 14), name="X"), te.placeholder((8, 4, 3, 3), name="F")
    rc, ri, rj = (te.reduce_axis((0, n), r) for n, r in ((4, "rc"), (3, "ri"), (3, "rj")))
    inside = lambda i, j: te.all(i >= 1, i < 15, j >= 1, j < 15)  # noqa: E731
    p = te.compute((4, 16, 16), lambda c, i, j: te.if_then_else(inside(i, j), x[c, i - 1, j - 1], 0.0), name="P")
    c = te.compute(
        (8, 14, 14), lambda o, i, j: te.sum(p[rc, i + ri, j + rj] * f[o, rc, ri, rj], axis=[rc, ri, rj]), name="C"
    )
    s = te.create_schedule(c.op)
    filters = s.cache_read(f, "local", [c])
    s[p].compute_at(s[c], c.op.axis[1])
    s[filters].compute_at(s[c], c.op.axis[0])
    return s, [x, f, c]


@pytest.mark.usefixtures("_nothing_filled_in")
@pytest.mark.parametrize("program", [tiled_matmul, factored_softmax, padded_convolution])
def test_schedules(program: Callable[[], tuple[te.schedule.Schedule, list[te.Tensor]]]) -> None:
    schedule, arguments = program()
    module = lowered_with_locations(as_module(schedule, arguments))
    lines, first = inspect.getsourcelines(program)
    positions = [p for op in module.walk() if (p := source_position(op.location)) is not None]
    assert {p.file for p in positions} == {__file__}
    computes = {first + number for number, line in enumerate(lines) if "te.compute(" in line}
    assert computes <= {p.line for p in positions}


def test_expressions_have_their_columns() -> None:
    x = te.placeholder((64,), name="X")
    row = inspect.currentframe().f_lineno + 1  # pyright: ignore[reportOptionalMemberAccess]
    y = te.compute((64,), lambda i: te.exp(x[i]) + te.sqrt(x[i] * 3.0), name="Y")
    line = Path(__file__).read_text().splitlines()[row - 1]
    module = as_module([x, y])
    found = {op.name: source_position(op.location) for op in module.walk()}
    for name, text in (
        ("math.exp", "te.exp"),
        ("math.sqrt", "te.sqrt"),
        ("arith.addf", "te.exp"),
        ("arith.mulf", "x[i] *"),
    ):
        assert found[name] == (__file__, row, line.index(text) + 1)


def test_calls_of_the_library_have_the_line_of_the_call() -> None:
    x = te.placeholder((8, 16), name="X")
    row = inspect.currentframe().f_lineno + 1  # pyright: ignore[reportOptionalMemberAccess]
    y = topi.nn.softmax(x)
    lowered = lower_module(as_module([x, y]))
    lines = Counter(p.line for op in lowered.walk() if (p := source_position(op.location)) is not None)
    assert lines.most_common(1)[0][0] == row


@pytest.mark.usefixtures("_nothing_filled_in")
def test_files(tmp_path: Path) -> None:
    text = """\
func.func @main(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}) {
  loop.for %i = 0 to 64 {
    loop.block "first" (%a = spatial(%i) in 64) {
      %v = loop.load %x[%a] : memref<64xf32>
      %w = math.exp %v : f32
      loop.store %w, %y[%a] : f32, memref<64xf32>
    }
  }
  func.return
}
"""
    path = tmp_path / "exp.mlir"
    path.write_text(text)
    lowered = lowered_with_locations(load_model(path))
    positions = [p for op in lowered.walk() if (p := source_position(op.location)) is not None]
    assert {p.file for p in positions} == {str(path)}
    lines = {(op.name, p.line) for op in lowered.walk() if (p := source_position(op.location)) is not None}
    assert {("loop.load", 4), ("math.fma", 5), ("loop.store", 6)} <= lines


@pytest.mark.usefixtures("_nothing_filled_in")
def test_equal_values_have_the_locations_of_all() -> None:
    x = te.placeholder((64,), name="X")
    y = te.compute((64,), lambda i: te.sqrt(x[i]), name="Y")
    z = te.compute((64,), lambda i: te.sqrt(x[i]) * 2.0, name="Z")
    w = te.compute((64,), lambda i: y[i] + z[i], name="W")
    module = lower_module(as_module([x, w]))
    (root,) = (op for op in module.walk() if op.name == "math.sqrt")
    assert isinstance(root.location, FusedLoc)
    lines = {source_position(location).line for location in root.location.locations.data}  # pyright: ignore
    assert lines == {source_position(t.op.location).line for t in (y, z)}  # pyright: ignore[reportOptionalMemberAccess]


def test_fused_locations_hold_each_location_once() -> None:
    a, b, c = (file_location("f", line, 1) for line in (1, 2, 3))
    both = fused_location(a, b, None, UnknownLoc(), a)
    assert isinstance(both, FusedLoc)
    assert list(both.locations.data) == [a, b]  # pyright: ignore[reportAttributeAccessIssue]
    assert fused_location(a, a) == a
    assert fused_location(None) == UnknownLoc()
    assert source_position(fused_location(both, c)) == ("f", 1, 1)


def test_operations_without_a_location_take_one_nearby() -> None:
    text = "func.func @f(%x: f32) -> f32 {\n  %y = arith.negf %x : f32\n  func.return %y : f32\n}\n"
    module = parse(context(), text, "near.mlir")
    negation = next(op for op in module.walk() if op.name == "arith.negf")
    first, second = arith.AddfOp(negation.operand, negation.operand), arith.MulfOp(negation.result, negation.result)
    Rewriter.insert_op(first, InsertPoint.before(negation))
    Rewriter.insert_op(second, InsertPoint.after(negation))
    negation.operands[0] = first.result
    complete_locations(module)
    assert [source_position(op.location) for op in (first, second)] == [source_position(negation.location)] * 2
    last = func.ReturnOp(second.result)
    assert location_of(last) == negation.location


def test_equal_code_of_two_files_is_distinguished(tmp_path: Path) -> None:
    text = "from tilewright import te\nX = te.placeholder((4,), name='X')\nY = te.compute((4,), lambda i: X[i] + 1.0)\n"
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text(text)
        y = runpy.run_path(str(tmp_path / name))["Y"]
        assert source_position(y.op.location) == (str(tmp_path / name), 3, 5)
        assert source_position(y.op.body[0].origin.location) == (str(tmp_path / name), 3, 32)
