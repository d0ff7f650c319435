"""Passes of relay.transform: each name does what the pass of this compiler does, or is refused with its reason."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import relay
from tilewright.classic.relay.transform import REFUSED, SAME_AS
from tilewright.passes.framework.registry import BUILTIN
from tilewright.relay import testing, transform


def conv_net() -> Any:
    """Return a normalised convolution, a constant that is computed, and an operator that is computed twice."""
    rng = np.random.default_rng(1)

    def drawn(*shape: int) -> Any:
        return relay.const(np.abs(rng.standard_normal(shape)).astype("float32"))

    x = relay.var("x", shape=(1, 8, 9, 9))
    c = relay.nn.conv2d(x, drawn(16, 8, 3, 3), padding=(1, 1))
    n = relay.nn.batch_norm(c, drawn(16), drawn(16), drawn(16), drawn(16))[0]
    two = relay.const(1.0) + relay.const(1.0)
    y = relay.nn.relu(relay.nn.dropout(n) * two)
    return tvm.IRModule.from_expr(relay.Function([x], relay.exp(y) + relay.exp(y)))


def after(*passes: Any) -> str:
    return str(tvm.transform.Sequential(list(passes))(conv_net()))


def test_passes_do_what_their_names_say() -> None:
    text = str(conv_net())
    assert text.count("graph.exp") == 2 and "graph.batch_norm" in text and "graph.dropout" in text
    simple = after(transform.FoldConstant(), transform.SimplifyInference(), transform.DeadCodeElimination())
    assert "graph.batch_norm" not in simple and "graph.dropout" not in simple and "graph.mul" not in simple
    assert simple.count("graph.constant") == 2, "weights and bias of the convolution"
    assert "dense<2.0" in after(transform.FoldConstant(), transform.DeadCodeElimination())
    assert after(transform.EliminateCommonSubexpr()).count("graph.exp") == 1
    fused = after(transform.InferType(), transform.FuseOps(fuse_opt_level=2))
    assert "graph.fused" in fused
    with tvm.target.Target("llvm -mcpu=x86-64-v3"):
        blocked = after(transform.SimplifyInference(), transform.AlterOpLayout())
    assert "graph.blocked_conv2d" in blocked and "tw.target" not in blocked
    for nothing in (
        transform.ToANormalForm(),
        transform.Legalize(),
        transform.ConvertLayout({"nn.conv2d": ["NCHW", "default"]}),
        transform.FastMath(),
    ):
        assert str(nothing(conv_net())) == text


def test_passes_keep_what_a_network_computes() -> None:
    x = np.random.default_rng(2).standard_normal((1, 8, 9, 9), np.float32)
    wanted = tvm.compile(conv_net(), "interpreter")(x)
    passes = [transform.AlterOpLayout(), *(getattr(transform, name)() for name in SAME_AS)]
    with tvm.transform.PassContext(opt_level=3):
        module = tvm.transform.Sequential(passes)(conv_net())
    np.testing.assert_allclose(tvm.compile(module)(x), wanted, rtol=1e-4, atol=1e-4)


def test_a_context_leaves_passes_out() -> None:
    names = ("eliminate-common-subexpressions", "EliminateCommonSubexpr")
    for given in ({"opt_level": 0}, *({"disabled_pass": [name]} for name in names)):
        with tvm.transform.PassContext(**given):
            assert after(transform.EliminateCommonSubexpr()).count("graph.exp") == 2
    with tvm.transform.PassContext(opt_level=0, required_pass=["EliminateCommonSubexpr", "AlterOpLayout"]):
        assert after(transform.EliminateCommonSubexpr()).count("graph.exp") == 1
    assert tvm.transform.PassContext(disabled_pass=["UnrollLoop", "ToANormalForm"]).disabled_pass == {"unroll"}
    with pytest.raises(tvm.TilewrightError, match="TW0201.*FoldConstants"):
        tvm.transform.PassContext(disabled_pass=["FoldConstants"])


def test_a_pass_of_a_program_rewrites_functions() -> None:
    @relay.transform.function_pass(opt_level=1)
    class Scaled:
        """Multiply each constant."""

        def __init__(self, factor: float) -> None:
            self.factor = factor

        def transform_function(self, func: Any, mod: Any, ctx: Any) -> Any:
            factor = self.factor

            class Multiply(relay.ExprMutator):
                def visit_constant(self, const: Any) -> Any:
                    return relay.multiply(relay.const(factor), const)

            return Multiply().visit(func)

    x = relay.var("x", shape=(1, 3))
    module = tvm.IRModule.from_expr(relay.Function([x], x + relay.const(np.float32([[1, 2, 3]]))))
    scaled = Scaled(3.0)
    given = np.zeros((1, 3), "float32")
    assert tvm.compile(scaled(module))(given).tolist() == [[3, 6, 9]]
    assert tvm.compile(module)(given).tolist() == [[1, 2, 3]], "a pass runs on a copy"
    twice = tvm.transform.Sequential([scaled, transform.FoldConstant(), scaled])
    assert tvm.compile(twice(module))(given).tolist() == [[9, 18, 27]]
    with tvm.transform.PassContext(opt_level=0):
        assert tvm.compile(tvm.transform.Sequential([scaled])(module))(given).tolist() == [[1, 2, 3]]

    @relay.transform.function_pass
    def keeps(func: Any, mod: Any, ctx: Any) -> Any:
        assert [*mod] == ["main"] and isinstance(func, relay.Function) and ctx.opt_level == 2
        return func

    assert str(keeps(module)) == str(module) and keeps.name == "keeps"

    @relay.transform.function_pass(opt_level=0)
    def gives_nothing(func: Any, mod: Any, ctx: Any) -> Any:
        return None

    with pytest.raises(tvm.TilewrightError, match="TW0324.*pass 'gives-nothing' returned NoneType"):
        gives_nothing(module)
    with pytest.raises(tvm.TilewrightError, match="TW0324.*expected a function or a class as pass, but got 3"):
        relay.transform.function_pass(3)


def test_names_stand_for_passes_that_exist() -> None:
    for name, passes in SAME_AS.items():
        assert all(each in BUILTIN for each in passes.split(",") if each), name
        assert getattr(transform, name)().name


@pytest.mark.each("name", sorted(REFUSED))
def test_a_pass_that_is_missing_says_what_does_the_same(name: str) -> None:
    reason, help = REFUSED[name]
    assert not reason.endswith(".") and not help.endswith(".")
    with pytest.raises(AttributeError, match=f"TW0324.*there is no relay.transform.{name}: "):
        getattr(transform, name)


def test_wrong_uses_of_passes() -> None:
    with pytest.raises(tvm.TilewrightError, match="TW0324.*FoldConstant: expected fold_qnn, but got level"):
        transform.FoldConstant(level=1)
    with pytest.raises(tvm.TilewrightError, match="TW0324.*InferType: expected no arguments, but got 1 arguments"):
        transform.InferType(3)
    with pytest.raises(
        tvm.TilewrightError, match="(?s)TW0324.*channels first for nn.conv2d, but got 'NHWC'.*block-channels"
    ):
        transform.ConvertLayout({"nn.conv2d": ["NHWC", "default"]})
    with pytest.raises(AttributeError, match="TW0225.*has no attribute 'FoldConstants'; did you mean 'FoldConstant'"):
        _ = transform.FoldConstants


def test_short_ways_to_run_passes() -> None:
    x = relay.var("x", shape=(2,))
    twice = relay.exp(x) + relay.exp(x)
    once = testing.run_opt_pass(twice, transform.EliminateCommonSubexpr())
    assert relay.analysis.list_op_freqs(once) == {"exp": 1, "add": 1}
    function = testing.run_opt_pass(relay.Function([x], twice), [transform.EliminateCommonSubexpr()])
    assert isinstance(function, relay.Function)
    assert testing.run_infer_type(twice).checked_type == relay.TensorType((2,))


def test_the_page_lists_every_pass() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "relay.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (`[A-Z]\w+`.*?) \| (.*) \|$", text, re.MULTILINE))
    listed = {name: here for names, here in rows.items() for name in re.findall(r"`(\w+)`", names)}
    for name, passes in SAME_AS.items():
        assert listed[name].startswith((passes or "nothing").replace(",", ", ")), name
