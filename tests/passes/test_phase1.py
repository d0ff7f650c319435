"""Phase 1 on small programs of every size: after each pass the interpreter gives the same numbers, and numpy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context, loop
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.pipeline import PHASES
from tilewright.semantics import run
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.parser import Parser

from . import kernels

ORDERS = {
    "default": PHASES[1],
    "guards first": (
        "lower-blocks",
        "sink-allocations",
        "relax-guards",
        "plan-arena",
        "fix-layouts",
        "flatten-buffers",
    ),
    "memory first": ("lower-blocks", "plan-arena", "flatten-buffers", "sink-allocations", "relax-guards"),
}
SIZE = st.sampled_from([1, 2, 3, 4, 5, 7])
# The programs are small as they are: a failure is reported as found.
QUICK = (Phase.explicit, Phase.generate)
KIND = st.sampled_from(["serial", "parallel"])
ORDER = st.sampled_from(list(ORDERS.values()))
Arrays = dict[str, np.ndarray]


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def execute(module: ModuleOp, rows: int = 0) -> Arrays:
    """Return all arguments of @main by name, after a call on small integers; `rows` stands for dynamic extents."""
    main = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    rng = np.random.default_rng(7)
    arguments: Arrays = {}
    for argument, attributes in zip(main.body.block.args, main.arg_attrs or (), strict=True):
        assert isinstance(argument.type, MemRefType)
        shape = [rows if n < 0 else n for n in argument.type.get_shape()]
        dtype = np.int64 if isinstance(argument.type.element_type, IndexType) else np.float32
        arguments[attributes.data["tw.name"].data] = rng.integers(-4, 5, shape).astype(dtype)
    run(module, "main", *arguments.values())
    return arguments


def lowered(text: str, order: tuple[str, ...] = PHASES[1], rows: int = 0) -> tuple[Arrays, ModuleOp]:
    """Run the passes in order and check the numbers after each; the arguments after a call, and the last module."""
    module = parse(text)
    expected = execute(module, rows)
    for pass_ in parse_pipeline(",".join(order)):
        PassManager([pass_]).run(context(), module)
        for name, array in execute(module, rows).items():
            np.testing.assert_array_equal(array, expected[name], err_msg=f"{name} after {pass_.name}:\n{module}")
    assert str(parse(str(module))) == str(module)
    return expected, module


def ops(module: ModuleOp, kind: type[Operation]) -> list[Operation]:
    return [op for op in module.walk() if isinstance(op, kind)]


@settings(max_examples=16, deadline=None, phases=QUICK)
@given(SIZE, SIZE, SIZE, st.tuples(SIZE, SIZE, SIZE), st.sampled_from(["local", "register", "global"]), KIND, ORDER)
def test_tiled_matmul(n, m, k, tile, scope, kind, order) -> None:
    arrays, module = lowered(kernels.tiled_matmul(n, m, k, tile, scope, kind), order)
    np.testing.assert_array_equal(arrays["C"], arrays["A"] @ arrays["B"])
    if scope == "register":
        (tiles,) = ops(module, loop.AllocOp)
        assert tiles.res.type.get_shape() == (tile[0], tile[1])


@settings(max_examples=10, deadline=None, phases=QUICK)
@given(SIZE, SIZE, SIZE, KIND, ORDER)
def test_tiled_stencil(n, m, tile, kind, order) -> None:
    arrays, _ = lowered(kernels.tiled_stencil(n, m, tile, kind), order)
    padded = np.pad(arrays["X"], 1, constant_values=1)
    np.testing.assert_array_equal(arrays["Y"], padded[:n, :m] * padded[2 : n + 2, 1 : m + 1])


@settings(max_examples=10, deadline=None, phases=QUICK)
@given(SIZE, SIZE, KIND, ORDER)
def test_rows(n, m, kind, order) -> None:
    arrays, module = lowered(kernels.rows(n, m, kind), order)
    np.testing.assert_array_equal(arrays["Y"], arrays["X"] - arrays["X"].max(axis=1, keepdims=True))
    np.testing.assert_array_equal(arrays["I"], np.arange(n))
    assert not ops(module, loop.BlockOp)


@settings(max_examples=10, deadline=None, phases=QUICK)
@given(SIZE, SIZE, ORDER)
def test_running_sums(n, m, order) -> None:
    arrays, _ = lowered(kernels.running_sums(n, m), order)
    np.testing.assert_array_equal(arrays["Y"], arrays["X"].cumsum(axis=0))
    np.testing.assert_array_equal(arrays["S"], [arrays["X"].sum()])


@settings(max_examples=10, deadline=None, phases=QUICK)
@given(SIZE, SIZE, ORDER)
def test_calls(n, m, order) -> None:
    arrays, _ = lowered(kernels.calls(n, m), order)
    reversed_ = (2 * arrays["X"]).reshape(-1)[::-1].reshape(n, m)
    np.testing.assert_array_equal(arrays["Y"], 2 * reversed_ + arrays["W"])


@settings(max_examples=10, deadline=None, phases=QUICK)
@given(SIZE, st.sampled_from([0, 1, 2, 5, 8]))
def test_symbolic_rows(tile, rows) -> None:
    arrays, _ = lowered(kernels.symbolic_rows(tile), rows=rows)
    np.testing.assert_array_equal(arrays["Y"], arrays["X"] + arrays["X"][:, :1])


def test_private_tails_are_computed_without_conditions() -> None:
    _, module = lowered(kernels.tiled_matmul(5, 7, 3, (2, 4, 3), "register", "parallel"))
    conditions = [e for op in ops(module, loop.IfOp) for e in op.conditions]
    assert len(conditions) == 2, "those of the store to C alone"
    guarded = [op for op in ops(module, loop.LoadOp) if op.conditions]
    assert sorted(op.res.name_hint for op in guarded) == ["a", "b"]


def test_only_rows_in_use_are_kept() -> None:
    _, module = lowered(kernels.tiled_stencil(40, 6, 4, "parallel"))
    (rows,) = ops(module, loop.AllocOp)
    assert rows.res.type == loop.buffer_type([6 * 8], f32, "local")


def test_buffers_of_all_kernels_share_one_arena() -> None:
    with collect_remarks() as remarks:
        _, module = lowered(kernels.calls(7, 5))
    (arena,) = ops(module, loop.AllocOp)
    # 140 bytes each round up to 192: at any time two buffers of main live, or one of them and a kernel's own.
    assert loop.byte_size(arena.res.type) == 3 * 192
    texts = [r.message for r in remarks if r.code == "TW0521"]
    assert texts == [
        "@twice: 1 buffer, 192 bytes, in a workspace of 192 bytes",
        "@main: 5 buffers, 960 bytes, in an arena of 576 bytes",
    ]


@pytest.mark.parametrize("text", [kernels.rows(3, 4), kernels.tiled_matmul(5, 7, 3, (2, 4, 2)), kernels.calls(2, 3)])
def test_locations_and_names_stay(text: str) -> None:
    from tilewright.diagnostics.locations import is_known, location_of
    from tilewright.diagnostics.parsing import SourceParser

    module = SourceParser(context(), text, "kernel.mlir").parse_module()
    PassManager(parse_pipeline(",".join(PHASES[1]))).run(context(), module)
    for op in module.walk():
        if op is not module:
            assert is_known(location_of(op)), op
        if isinstance(op, (loop.LoadOp, loop.StoreOp, loop.IfOp, loop.ForOp, loop.AllocOp)):
            assert is_known(op.location), op
        for result in op.results:
            assert result.name_hint is not None, op
