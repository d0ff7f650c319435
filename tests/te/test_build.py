"""From tensors to the te dialect and on to loops: what is shared, named, typed and where it says it comes from."""

from __future__ import annotations

import inspect

import pytest
from tilewright import te
from tilewright.diagnostics.locations import caller_location, location_of, source_position
from tilewright.dialects import context, loop
from tilewright.dialects import te as dialect
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from xdsl.builder import Builder
from xdsl.dialects import arith, func, math
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType, f32
from xdsl.ir import Block
from xdsl.parser import Parser
from xdsl.rewriter import InsertPoint


def all_of(module: ModuleOp, kind):
    return [op for op in module.walk() if isinstance(op, kind)]


def lowered(module: ModuleOp, passes: str = "lower-te") -> ModuleOp:
    PassManager(parse_pipeline(passes)).run(context(), module)
    return module


def test_equal_subexpressions_are_computed_once() -> None:
    a = te.placeholder((4,), name="a")
    module = te.to_module([a, te.compute((4,), lambda i: te.exp(a[i] + 1) * te.exp(a[i] + 1) + 1)])
    assert len(all_of(module, dialect.ReadOp)) == 1
    assert len(all_of(module, math.ExpOp)) == 1
    assert len(all_of(module, arith.ConstantOp)) == 1


def test_zeros_of_both_signs_are_two_constants() -> None:
    a = te.placeholder((4,), name="a")
    module = te.to_module([a, te.compute((4,), lambda i: te.Select(a[i] > 0, 0.0, -0.0))])
    assert len(all_of(module, arith.ConstantOp)) == 2


def test_functions_keep_names_of_arguments_and_results() -> None:
    n = te.var("n")
    a = te.placeholder((n, 4), name="A")
    module = te.to_module([a, te.compute((n, 4), lambda i, j: a[i, j], name="B")], name="copy")
    (function,) = all_of(module, func.FuncOp)
    assert function.sym_name.data == "copy"
    assert function.arg_attrs is not None
    assert function.res_attrs is not None
    assert function.arg_attrs.data[0].data == {"tw.name": StringAttr("A")}
    assert function.res_attrs.data[0].data == {"tw.name": StringAttr("B")}
    text = "tensor<?x4xf32, #graph.dims<n, _>>"
    assert [str(t) for t in (*function.function_type.inputs, *function.function_type.outputs)] == [text, text]


def test_labels_are_unique_in_a_function() -> None:
    a = te.placeholder((4,), name="a")
    b = te.compute((4,), lambda i: a[i] + 1, name="step")
    c = te.compute((4,), lambda i: b[i] + 1, name="step")
    module = te.to_module([a, te.compute((4,), lambda i: c[i] + 1, name="step")])
    assert [op.label for op in all_of(module, dialect.ComputeOp)] == ["step", "step_1", "step_2"]


def test_only_what_the_outputs_need_is_built_in_order_and_once() -> None:
    a = te.placeholder((4,), name="a")
    b = te.compute((4,), lambda i: a[i] + 1, name="b")
    te.compute((4,), lambda i: a[i] + 2, name="unused")
    c = te.compute((4,), lambda i: b[i] * b[3 - i], name="c")
    module = te.to_module([a, te.compute((4,), lambda i: c[i] + b[i], name="d"), b])
    assert [op.label for op in all_of(module, dialect.ComputeOp)] == ["b", "c", "d"]


def test_computes_into_a_function_that_is_being_built() -> None:
    declared = TensorType(f32, [-1])
    block = Block(arg_types=[TensorType(f32, [4])])
    a = te.placeholder((4,), name="a")
    location = caller_location()
    (value,) = te.build_computes(
        [te.compute((4,), lambda i: a[i] * 2, name="double")],
        {a: block.args[0]},
        Builder(InsertPoint.at_end(block)),
        result_types=[declared],
        location=location,
    )
    assert value.type == declared
    assert value.owner is block.last_op
    assert block.last_op is not None
    assert block.last_op.location == location


def test_ops_know_the_line_that_defined_them() -> None:
    a = te.placeholder((4, 4), name="a")
    k = te.reduce_axis((0, 4), "k")
    total, line = te.compute((4,), lambda i: te.sum(a[i, k], axis=k), name="total"), inspect.currentframe().f_lineno
    module = lowered(te.to_module([a, total]))
    module.verify()
    kinds = (loop.ForOp, loop.BlockOp, loop.InitOp, loop.LoadOp, loop.StoreOp, arith.AddfOp)
    for op in all_of(module, kinds):
        position = source_position(location_of(op))
        assert position is not None
        assert (position.file, position.line) == (__file__, line)


def test_fusion_keeps_the_line_of_what_it_inlines() -> None:
    a = te.placeholder((4,), name="a")
    b, first = te.compute((4,), lambda i: te.exp(a[i]), name="b"), inspect.currentframe().f_lineno
    c, second = te.compute((4,), lambda i: b[i] + 1, name="c"), inspect.currentframe().f_lineno
    module = te.to_module([a, c])
    module = lowered(module, "fuse,lower-te")
    (block,) = all_of(module, loop.BlockOp)
    assert block.label == "c"
    assert source_position(location_of(block)).line == second
    assert source_position(location_of(all_of(module, math.ExpOp)[0])).line == first


def test_a_large_body_does_not_repeat_shared_nodes() -> None:
    a = te.placeholder((4,), name="a")

    def squared(i):
        value = a[i]
        for _ in range(40):
            value = value * value
        return value

    module = te.to_module([a, te.compute((4,), squared, name="power")])
    assert len(all_of(module, arith.MulfOp)) == 40


def test_a_long_sum_is_no_deep_recursion() -> None:
    a = te.placeholder((5000,), name="a")
    c = te.compute((1,), lambda i: sum((a[k] for k in range(5000)), te.const(0.0)), name="c")
    module = te.to_module([a, c])
    assert len(all_of(module, arith.AddfOp)) == 5000
    assert str(c.op).startswith("c[i] = ... + ")
    assert str(c.op).endswith("] + a[4998] + a[4999]")


DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "float16", "bfloat16", "float32", "float64")


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_converts_to_every_other(dtype: str) -> None:
    a = te.placeholder((4,), dtype, name="a")
    outputs = te.compute((4,), lambda i: tuple(a[i].astype(other) for other in DTYPES), name="c")
    check_text(te.to_module([a, *outputs]))


@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_operators_of_every_type(dtype: str) -> None:
    a = te.placeholder((4,), dtype, name="a")
    number = lambda i: (a[i] + 1, -a[i], te.abs(a[i]), te.max(a[i], 2), te.pow(a[i], a[i]), a[i] < 3, a[i] * a[i])  # noqa: E731
    integer = lambda i: (a[i] // 3, a[i] % 3, te.truncdiv(a[i], 3), te.truncmod(a[i], 3), ~a[i], a[i] & 1)  # noqa: E731
    floating = lambda i: (te.erf(a[i]), te.tanh(a[i]), a[i] / 3, te.floor(a[i]), te.sigmoid(a[i]), te.rsqrt(a[i]))  # noqa: E731
    chosen = floating if "float" in dtype else integer
    axes = {f: te.reduce_axis((0, 4), "k") for f in (te.sum, te.prod, te.max, te.min)}
    reductions = [te.compute((), lambda f=f, k=k: f(a[k], axis=k), name=f.__name__) for f, k in axes.items()]
    module = te.to_module([a, *te.compute((4,), number, name="n"), *te.compute((4,), chosen, name="o"), *reductions])
    check_text(module)
    check_text(lowered(module))


def check_text(module: ModuleOp) -> None:
    """Check that the module verifies, and that its text reads back as the same text."""
    module.verify()
    again = Parser(context(), str(module)).parse_module()
    again.verify()
    assert str(again) == str(module)
