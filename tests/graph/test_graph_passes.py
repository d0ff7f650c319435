"""Graph passes keep what random graphs compute, each alone and all in order, down to loops."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright.operators  # noqa: F401  (registers the references that the interpreter runs)
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright.dialects import context, graph
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import evaluate, random_inputs
from xdsl.dialects.builtin import ModuleOp

from .random_graphs import Writer

GRAPH_PASSES = (
    "infer-types",
    "simplify-inference",
    "fold-constant",
    "eliminate-common-subexpressions",
    "dead-code",
    "fuse",
    "outline",
)
PIPELINE = ",".join(GRAPH_PASSES)


def transformed(module: ModuleOp, pipeline: str) -> ModuleOp:
    copy = module.clone()
    PassManager(parse_pipeline(pipeline)).run(context(), copy)
    return copy


def assert_equal(before: ModuleOp, after: ModuleOp, seed: int) -> None:
    inputs = random_inputs(before, seed=seed)
    for expected, actual in zip(evaluate(before, *inputs), evaluate(after, *inputs), strict=True):
        assert (expected.dtype, expected.shape) == (actual.dtype, actual.shape)
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", [*GRAPH_PASSES, PIPELINE])
@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 1 << 20), length=st.integers(1, 12))
def test_pass_keeps_results(name: str, seed: int, length: int) -> None:
    module = Writer(seed).module(length)
    module.verify()
    assert_equal(module, transformed(module, name), seed)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(seed=st.integers(0, 1 << 20), length=st.integers(1, 6))
def test_lowered_graphs_keep_results(seed: int, length: int) -> None:
    module = Writer(seed).module(length)
    te_module = transformed(module, f"{PIPELINE},lower-graph")
    assert_equal(module, te_module, seed)
    assert_equal(module, transformed(te_module, "fuse,lower-te,lower-blocks"), seed)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=st.integers(0, 1 << 20), length=st.integers(1, 14))
def test_groups_are_not_fused_again(seed: int, length: int) -> None:
    """After `fuse` no two operators could still be fused."""
    once = transformed(Writer(seed).module(length), "simplify-inference,dead-code,fuse")
    assert str(transformed(once, "fuse")) == str(once)


def test_scaled_weights_are_new_arrays() -> None:
    """Folding never writes into the arrays that a module was made of."""
    module = Writer(11).module(0)
    x = module.body.block.first_op.body.block.args[0]
    channels = graph.static_shape(x)[1]
    weight = np.ones((4, channels, 1, 1), np.float32)
    before = weight.copy()
    block = module.body.block.first_op.body.block
    constant = graph.ConstantOp.from_array(weight, "w")
    conv = graph.Conv2dOp.of(x, constant)
    factor = graph.ConstantOp.from_array(np.full((4, 1, 1), 3.0, np.float32), "s")
    scaled = graph.MulOp.of(conv, factor)
    block.insert_ops_before([constant, conv, factor, scaled], block.last_op)
    block.last_op.operands[0] = scaled.y
    function = module.body.block.first_op
    function.function_type = type(function.function_type).from_lists([x.type], block.last_op.operand_types)
    after = transformed(module, "simplify-inference,dead-code")
    (folded,) = (op.array for op in after.walk() if isinstance(op, graph.ConstantOp))
    np.testing.assert_array_equal(folded, before * 3)
    np.testing.assert_array_equal(weight, before)
