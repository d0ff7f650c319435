"""Intrinsics of the user's: known to expressions, lowered by rules, run by the interpreter and compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import tilewright
import tilewright.backends  # its rules must be registered before a test replaces the table
from tilewright import TilewrightError, ir, te, tir
from tilewright.passes.framework import intrinsics as rules
from tilewright.passes.framework.intrinsics import register_lowering, rules_for, targets_with_rules, unregister_lowering
from tilewright.semantics import intrinsics as known
from tilewright.semantics import register_intrinsic
from xdsl.dialects import arith
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

X = np.linspace(0.1, 3, 37, dtype=np.float32)


@pytest.fixture(autouse=True)
def registries(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the registries after a test."""
    monkeypatch.setattr(rules, "_rules", {key: dict(levels) for key, levels in rules._rules.items()})
    monkeypatch.setattr(known, "_INTRINSICS", {})
    yield


def run(
    function: Callable[..., te.Expr], target: str = "cpu", lanes: int = 0, dtype: str = "float32", x: Any = X
) -> np.ndarray:
    """Return the function of every element of X."""
    n = te.var("n")
    a = te.placeholder((n,), dtype=dtype, name="a")
    b = te.compute((n,), lambda i: function(a[i]), name="b")
    schedule = te.create_schedule(b.op)
    if lanes:
        _, inner = schedule[b].split(b.op.axis[0], factor=lanes)
        schedule[b].vectorize(inner)
    return tilewright.build(schedule, [a, b], target)(x.astype(dtype))


def mylog(x: te.Expr) -> te.Expr:
    return tir.call_intrin(x.dtype, "tir.mylog", x)


def logf(op: Any) -> Any:
    return tir.call_pure_extern("float32", "logf", op.args[0]) if op.dtype == "float32" else op


@pytest.mark.parametrize("lanes", [0, 8])
def test_expression_rule_on_scalars_and_vectors(lanes: int) -> None:
    register_intrinsic("mylog")
    register_lowering("mylog", target="cpu")(logf)
    np.testing.assert_allclose(run(mylog, lanes=lanes), np.log(X), rtol=1e-6)

    @register_lowering("mylog", target="cpu", level=11)
    def other(op: Any) -> Any:
        x = op.args[0]
        inside = te.all(x > 1, x < 2)
        return te.if_then_else(inside, te.log(x) + 1, te.cast("float32", te.cast("int32", x) * 3 // 2))

    expected = np.where((X > 1) & (X < 2), np.log(X) + 1, X.astype(np.int32) * 3 // 2)
    np.testing.assert_allclose(run(mylog, lanes=lanes), expected, rtol=1e-6)


@pytest.mark.parametrize("lanes", [0, 8])
def test_rewriting_rule(lanes: int) -> None:
    register_intrinsic("twice", arity=1)

    @register_lowering("twice", target="llvm")
    def rule(op: Operation, rewriter: PatternRewriter) -> bool:
        rewriter.replace(op, arith.AddfOp(op.operands[0], op.operands[0]))
        return True

    np.testing.assert_array_equal(run(lambda x: te.call_intrin("float32", "twice", x), lanes=lanes), X + X)


def test_spelling_by_attributes() -> None:
    ir.register_op_attr("tir.mylog", "TCallEffectKind", tir.CallEffectKind.Pure)
    ir.register_op_attr("tir.mylog", "TCallEffectKind", tir.CallEffectKind.Pure)
    ir.register_op_attr("tir.mylog", "TVectorizable", True)
    assert ir.register_intrin_lowering("tir.mylog", target="cpu", f=logf, level=99) is logf
    np.testing.assert_allclose(run(mylog), np.log(X), rtol=1e-6)

    @ir.register_op_attr("tir.mylog", "default.FLowerIntrinsic", level=5)
    def generic(op: Any) -> te.Expr:
        return te.log(op.args[0])

    assert targets_with_rules("mylog") == ["cpu", "default"]
    x = X.astype(np.float64)
    np.testing.assert_allclose(run(mylog, dtype="float64", x=x), np.log(x), rtol=1e-14)


def test_builtin_is_overridden_above_its_level() -> None:
    @register_lowering("tir.exp", target="cpu", level=11)
    def minus(op: Any) -> Any:
        return -op.args[0]

    np.testing.assert_array_equal(run(te.exp), -X)
    np.testing.assert_array_equal(run(lambda x: te.call_intrin("float32", "tir.exp", x)), -X)
    unregister_lowering("tir.exp", target="cpu", level=11)
    with pytest.raises(TilewrightError, match="TW0215.*level 10 for 'math.exp' on target 'cpu' .* by the compiler"):
        register_lowering("tir.exp", target="cpu")(minus)


@pytest.mark.parametrize("lanes", [0, 8])
def test_rule_dispatches_on_the_name_of_the_operation(lanes: int) -> None:
    seen: list[str] = []

    def by_name(call: Any) -> Any:
        seen.append(call.op.name)
        return te.call_pure_extern("float32", f"{call.op.name.removeprefix('tir.')}f", *call.args)

    for name in ("exp", "sin"):
        ir.register_intrin_lowering(f"tir.{name}", target="cpu", f=by_name, level=99)
    try:
        np.testing.assert_allclose(run(lambda x: te.exp(te.sin(x)), lanes=lanes), np.exp(np.sin(X)), rtol=1e-6)
    finally:
        for name in ("exp", "sin"):
            unregister_lowering(f"tir.{name}", target="cpu", level=99)
    assert set(seen) == {"tir.exp", "tir.sin"}
    assert te.call_pure_extern("float32", "cbrtf", te.const(1.0)).op.name == "tir.call_pure_extern"  # pyright: ignore


def test_a_cell_that_runs_again_replaces_its_rule() -> None:
    cell = "register_lowering('again', target='cpu')(lambda op: op.args[0])"
    for _ in range(2):
        exec(compile(cell, "<cell>", "exec"), {"register_lowering": register_lowering, "__name__": "__main__"})
    assert len(rules_for("again", "cpu")) == 1
    for number in range(2):
        refused = pytest.raises(TilewrightError, match="TW0215.* by __main__.<lambda>")
        with refused:
            register_lowering("again", target="cpu")(lambda op, number=number: op.args[number])
    unregister_lowering("again", target="cpu")


def test_rules_of_element_types() -> None:
    def declining(op: Any) -> Any:
        return op

    def other(op: Any) -> Any:
        return None

    register_lowering("f", target="cpu", dtypes=["float32"])(declining)
    register_lowering("f", target="cpu", dtypes=["float64"])(other)
    assert len(rules_for("f", "cpu", "float32")) == len(rules_for("f", "llvm", "float64")) == 1
    assert rules_for("f", "cpu", "int32") == []
    with pytest.raises(TilewrightError, match="TW0215.* by .*test_intrinsics.test_rules_of_.*declining"):
        register_lowering("f", target="cpu", dtypes=["float16", "float32"])(lambda op: op)
    with pytest.raises(TilewrightError, match="TW0215"):
        register_lowering("f", target="cpu")(lambda op: op)


def test_result_is_visited_again_and_default_comes_last() -> None:
    for name in ("f", "g"):
        register_intrinsic(name)
    register_lowering("f", level=99)(lambda op: op.args[0] * 3)
    register_lowering("f", target="cpu", level=5)(lambda op: te.call_intrin(op.dtype, "g", op.args[0]) + 1)
    register_lowering("g")(lambda op: op.args[0] * 2)
    np.testing.assert_array_equal(run(lambda x: te.call_intrin("float32", "f", x)), X * 2 + 1)


def test_interpreter_takes_reference_then_rule() -> None:
    register_intrinsic("mylog")
    with pytest.raises(TilewrightError, match="TW0533.*reference of intrinsic 'mylog'"):
        run(mylog, "interpreter")
    register_lowering("mylog", target="interpreter")(logf)
    np.testing.assert_allclose(run(mylog, "interpreter"), np.log(X), rtol=1e-6)
    register_intrinsic("mylog", reference=lambda x: -x)
    np.testing.assert_array_equal(run(mylog, "interpreter"), -X)


def test_target_without_a_rule() -> None:
    register_intrinsic("mylog")
    with pytest.raises(TilewrightError, match="TW0533.*'mylog' of float32 for target 'cpu', .* rules for no target"):
        run(mylog)
    register_lowering("mylog", target="opencl")(logf)
    with pytest.raises(TilewrightError, match="TW0533.*there are rules for 'opencl'\n"):
        run(mylog)
    register_lowering("mylog", target="cpu")(logf)
    with pytest.raises(TilewrightError, match="TW0533.*of float64 .* 'cpu', 'opencl'; those that are asked .* decline"):
        run(mylog, dtype="float64")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: te.call_intrin("float32", "mylgo", x), "TW0530.*'mylgo'; did you mean 'mylog'"),
        (lambda x: te.call_intrin("int32", "mylog", x), "TW0531.*to give float32, but got int32"),
        (lambda x: te.call_intrin("float32", "mylog", x, x), "TW0531.*expected 1 operands of 'mylog', but got 2"),
    ],
)
def test_bad_calls(call: Callable[..., te.Expr], message: str) -> None:
    register_intrinsic("mylog", dtypes=["float32"], arity=1)
    with pytest.raises(TilewrightError, match=message):
        call(te.const(1.0))


@pytest.mark.parametrize(
    ("register", "message"),
    [
        (lambda: register_intrinsic("f", effect="opaque"), "effect 'pure', but got 'opaque' for 'f'"),
        (lambda: register_intrinsic("tir.exp"), "'exp' is a function of te"),
        (lambda: register_intrinsic(""), "got an empty name"),
        (lambda: register_intrinsic("f", dtypes=["float31"]), "but got 'float31'"),
        (lambda: (register_intrinsic("f"), register_intrinsic("f", arity=2)), "'f' is registered already"),
        (lambda: ir.register_op_attr("f", "TCallEffectKind", tir.CallEffectKind.ReadState), "but got 'ReadState'"),
        (lambda: ir.register_op_attr("f", "TGlobalSymbol", "f"), "but got 'TGlobalSymbol'"),
    ],
)
def test_bad_registrations(register: Callable[[], object], message: str) -> None:
    with pytest.raises(TilewrightError, match=f"TW0532.*{message}"):
        register()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda op: te.cast("int32", op.args[0]), "to return float32, but got int32"),
        (lambda op: op.args[0] + te.cast("float32", te.var("n")), "operands only, but got `n`"),
    ],
)
def test_bad_results_of_rules(rule: Callable[..., Any], message: str) -> None:
    register_intrinsic("mylog")
    register_lowering("mylog", target="cpu")(rule)
    with pytest.raises(TilewrightError, match=f"TW0534.*{message}"):
        run(mylog)


def test_pure_extern_with_operands_of_several_types() -> None:
    for target in ("cpu", "interpreter"):
        found = run(lambda x: te.call_pure_extern("float32", "ldexpf", x, te.const(2, "int32")), target)
        np.testing.assert_array_equal(found, X * 4)


def test_pure_extern_that_nobody_defines() -> None:
    with pytest.raises(TilewrightError, match="TW0432.*'no_such_function'"):
        run(lambda x: te.call_pure_extern("float32", "no_such_function", x))


def test_target_c_calls_the_function_lane_by_lane() -> None:
    register_intrinsic("mylog")
    register_lowering("mylog", target="c")(logf)
    np.testing.assert_allclose(run(mylog, "c", lanes=8), np.log(X), rtol=1e-6)


def test_kernel_in_opencl_c() -> None:
    ir.register_op_attr("tir.mylog", "TCallEffectKind", tir.CallEffectKind.Pure)
    rule = lambda op: tir.call_pure_extern("float32", "log", op.args[0])  # noqa: E731
    ir.register_intrin_lowering("tir.mylog", target="opencl", f=rule, level=99)
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: mylog(a[i]), name="B")
    schedule = te.create_schedule(b.op)
    outer, inner = schedule[b].split(b.op.axis[0], factor=64)
    schedule[b].bind(outer, te.thread_axis("blockIdx.x"))
    schedule[b].bind(inner, te.thread_axis("threadIdx.x"))
    kernel = tilewright.build(schedule, [a, b], "opencl", name="mykernel").imported_modules[0].get_source()
    assert "= log(A[" in kernel
