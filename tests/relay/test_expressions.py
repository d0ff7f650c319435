"""Expressions of relay: the IR that they are, their types, where their errors stand, and what visits them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import relay, te
from tilewright.classic.relay.names import CLASSIC_NAMES
from tilewright.diagnostics.locations import source_position
from tilewright.operators import load_operators
from tilewright.relay import TensorType

TYPE = TensorType((1, 3, 8, 8), "float32")


def image() -> Any:
    return relay.var("x", TYPE)


def network() -> Any:
    """Return a convolution with a bias and relu, of which only the image has a type."""
    convolved = relay.nn.conv2d(image(), relay.var("w"), channels=4, kernel_size=(3, 3), padding=(1, 1))
    return relay.nn.relu(relay.nn.bias_add(convolved, relay.var("b")))


def test_an_expression_is_a_function_of_the_graph_dialect() -> None:
    y = network()
    function = relay.Function(relay.analysis.free_vars(y), y)
    text = """builtin.module {
  func.func @main(%x: tensor<1x3x8x8xf32> {tw.name = "x"}, %w: tensor<4x3x3x3xf32> {tw.name = "w"}, %b: tensor<4xf32> {tw.name = "b"}) -> tensor<1x4x8x8xf32> {
    %conv2d = graph.conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x4x8x8xf32>
    %unsqueeze = graph.unsqueeze %b axes [1, 2] : tensor<4x1x1xf32>
    %add = graph.add %conv2d, %unsqueeze : tensor<1x4x8x8xf32>
    %relu = graph.relu %add : tensor<1x4x8x8xf32>
    func.return %relu : tensor<1x4x8x8xf32>
  }
}"""  # noqa: E501
    assert str(tvm.IRModule.from_expr(function)) == text == str(tvm.IRModule.from_expr(y))
    assert tvm.IRModule.from_expr(y).astext() == text
    assert str(function) in text.replace("\n  ", "\n") and str(y) == str(function)


def test_an_operation_knows_the_line_that_made_it() -> None:
    x = image()
    y = relay.exp(x)
    position = source_position(y.operation.location)
    assert position is not None and position.file == __file__
    assert position.line == test_an_operation_knows_the_line_that_made_it.__code__.co_firstlineno + 2


def test_types_are_those_of_the_operators() -> None:
    x = relay.var("x", shape=(te.var("n"), 3, relay.Any()), dtype="int8")
    assert x.type_annotation == TensorType(("n", 3, relay.Any()), "int8") and x.name_hint == "x"
    assert str(x.checked_type) == "Tensor[(n, 3, ?), int8]"
    assert relay.exp(image()).checked_type == TYPE and relay.var("s", "float64").checked_type == relay.scalar_type(
        "float64"
    )
    split = relay.split(image(), 2, 2)
    assert split.checked_type == relay.TupleType([TensorType((1, 3, 4, 8))] * 2) and len(split) == 2
    function = relay.Function([x], x)
    assert function.checked_type == relay.FuncType([x.checked_type], x.checked_type)
    assert str(function.checked_type) == "fn (Tensor[(n, 3, ?), int8]) -> Tensor[(n, 3, ?), int8]"
    assert TYPE.concrete_shape == (1, 3, 8, 8) and tvm.ir.TensorType is TensorType is relay.ty.TensorType


def test_operators_imply_the_types_of_their_weights() -> None:
    def typed(make: Any) -> Any:
        w = relay.var("w")
        make(w)
        return w.type_annotation

    x, rows = image(), relay.var("r", shape=(2, 5), dtype="float16")
    assert typed(lambda w: relay.nn.conv2d(x, w, groups=3, channels=6, kernel_size=5)) == TensorType((6, 1, 5, 5))
    last = relay.transpose(x, (0, 2, 3, 1))
    assert typed(
        lambda w: relay.nn.conv2d(last, w, channels=4, kernel_size=(2, 3), data_layout="NHWC", kernel_layout="HWIO")
    ) == TensorType((2, 3, 3, 4))
    assert typed(lambda w: relay.nn.conv2d_transpose(x, w, channels=7, kernel_size=2)) == TensorType((3, 7, 2, 2))
    assert typed(lambda w: relay.nn.dense(rows, w, units=7)) == TensorType((7, 5), "float16")
    assert typed(lambda w: relay.nn.matmul(rows, w, units=7)) == TensorType((5, 7), "float16")
    assert typed(lambda w: relay.nn.prelu(x, w)) == TensorType((3,))
    assert typed(lambda w: relay.nn.layer_norm(rows, w, relay.var("b"))) == TensorType((5,), "float16")
    assert typed(lambda w: relay.nn.batch_norm(x, relay.var("g"), relay.var("b"), relay.var("m"), w)) == TensorType(
        (3,)
    )


def _not_known() -> Any:
    return relay.exp(relay.var("w"))


def _do_not_broadcast() -> Any:
    return relay.add(relay.var("a", shape=(2, 3)), relay.var("b", shape=(2, 4)))


def _two_types() -> Any:
    return relay.var("a", shape=(2,)) + relay.var("b", shape=(2,), dtype="int32")


def _no_such_axis() -> Any:
    return relay.sum(relay.var("a", shape=(2, 3)), axis=2)


def _a_tuple() -> Any:
    return relay.exp(relay.Tuple([image(), image()]))


def _wrong_weights() -> Any:
    return relay.nn.conv2d(image(), relay.var("w", shape=(4, 5, 3, 3)))


def _other_channels() -> Any:
    return relay.nn.conv2d(image(), relay.var("w", shape=(4, 3, 3, 3)), channels=8)


def _no_size() -> Any:
    return relay.var("x", shape=(2, -3))


def _two_kinds_of_types() -> Any:
    return relay.var("x", TYPE, shape=(1,))


def _another_result() -> Any:
    return relay.Function([x := image()], x, ret_type=TensorType((1,)))


def _free() -> Any:
    return relay.Function([x := image()], x + relay.var("other", shape=(1,))).op


def _twice() -> Any:
    return relay.Function([x := image(), x], x).op


def _function_as_tensor() -> Any:
    return relay.exp(relay.Function([x := image()], x))


def _too_many() -> Any:
    return relay.Function([x := image()], x)(x, x)


def _branches() -> Any:
    return relay.If(relay.var("c", "bool"), image(), relay.exp(relay.var("y", shape=(2,))))


def _condition() -> Any:
    return relay.If(relay.var("c", shape=(2,), dtype="bool"), x := image(), x)


def _layout() -> Any:
    return relay.nn.conv2d(image(), relay.var("w"), data_layout="NCHX")


def _value_of_a_call() -> Any:
    return relay.reshape(image(), relay.var("shape", shape=(2,), dtype="int64"))


def _keyword() -> Any:
    return relay.op.operator_named("gelu")(image(), aproximate=True)


ERRORS = [
    (_not_known, "TW0321", "type of variable 'w' is not known here", "relay.var('w', shape"),
    (_do_not_broadcast, "TW0320", "add: expected shapes that broadcast, but got [2, 3] and [2, 4]", "operand 1 is"),
    (_two_types, "TW0320", "expected operands of one element type, but got f32 and i32", "variable 'b' of type Tensor"),
    (_no_such_axis, "TW0320", "expected axes from -2 to 1, but got 2", ""),
    (_a_tuple, "TW0320", "expected a tensor as the operand, but got a tuple of 2", "take one of its parts"),
    (_wrong_weights, "TW0320", "nn.conv2d: expected input channels of the weights to be 3, but got 5", ""),
    (_other_channels, "TW0320", "weights of 8 output channels, as channels says, but got 4", ""),
    (_no_size, "TW0321", "expected sizes that are numbers, te.var or relay.Any(), but got -3", ""),
    (_two_kinds_of_types, "TW0321", "expected a type or a shape of a variable, but got both", ""),
    (
        _another_result,
        "TW0321",
        "expected a body of type Tensor[(1), float32], but got Tensor[(1, 3, 8, 8), float32]",
        "",
    ),
    (_free, "TW0323", "variable 'other' is no parameter of the function", "bind it to a constant"),
    (_twice, "TW0323", "expected parameters that differ", ""),
    (_function_as_tensor, "TW0322", "a function is no tensor", "take its body"),
    (_too_many, "TW0322", "expected 1 arguments of the function, but got 2", ""),
    (_branches, "TW0320", "if: expected branches of one type", ""),
    (_condition, "TW0320", "if: expected a scalar of bool as the condition", ""),
    (_layout, "TW0320", "expected a layout of the letters of NCHW, but got 'NCHX'", ""),
    (_value_of_a_call, "TW0320", "expected a shape to be known while compiling, but got an expression", "from ONNX"),
    (_keyword, "TW0320", "gelu: unknown argument 'aproximate'", "it takes x, approximate"),
]


@pytest.mark.each("make, code, message, more", ERRORS, ids=[make.__name__ for make, *_ in ERRORS])
def test_an_error_stands_at_the_line_of_the_expression(make: Any, code: str, message: str, more: str) -> None:
    with pytest.raises(tvm.TilewrightError) as raised:
        make()
    error = raised.value
    assert (error.code, source_position(error.location).file) == (code, __file__)  # type: ignore[union-attr]
    assert source_position(error.location).line == make.__code__.co_firstlineno + 1  # type: ignore[union-attr]
    assert message in error.message and more in str(error)


def test_what_is_no_expression_is_refused() -> None:
    with pytest.raises(
        tvm.TilewrightError, match="(?s)TW0725.*expected an expression of relay, but got 'x'.*relay.const"
    ):
        relay.exp("x")
    with pytest.raises(tvm.TilewrightError, match="TW0725.*exp has no parameter 'dta'; did you mean 'data'"):
        relay.exp(dta=image())
    with pytest.raises(tvm.TilewrightError, match="TW0725.*conv2d has no parameter 'stride'; did you mean 'strides'"):
        relay.nn.conv2d(image(), relay.var("w"), stride=2)
    with pytest.raises(tvm.TilewrightError, match="TW0321.*expected numbers as a constant"):
        relay.const("text")
    lowered = tvm.lower([a := te.placeholder((4,), name="a"), te.compute((4,), lambda i: a[i] + 1.0, name="b")])
    with pytest.raises(tvm.TilewrightError, match="TW0725.*expected an expression of relay"):
        relay.analysis.free_vars(lowered["main"])


def test_constants_have_the_types_of_their_arrays() -> None:
    assert [relay.const(value).checked_type.dtype for value in (1, 1.5, True, [1.5], np.float64(2), np.int8([1]))] == [
        "int32", "float32", "bool", "float32", "float64", "int8",
    ]  # fmt: skip
    assert relay.const(1, "float16").checked_type == TensorType((), "float16")
    large = np.arange(20, dtype="float32")
    constant = relay.const(large)
    np.testing.assert_array_equal(constant.data.numpy(), large)
    module = tvm.IRModule.from_expr(relay.Function([], constant + relay.const(large * 2)))
    names = [op.value.data.name for op in module["main"].walk() if op.name == "graph.constant"]
    assert len(set(names)) == 2, "constants of other bytes have other names"


def test_tuples_and_their_parts() -> None:
    x = image()
    pieces = relay.split(x, 2, 2)
    assert isinstance(pieces[1], relay.TupleGetItem) and (pieces[1].index, pieces[1].tuple_value) == (1, pieces)
    assert pieces[-1] == pieces[1] != pieces[0] and list(pieces) == [pieces[0], pieces[1]]
    pair = relay.Tuple([x, pieces[0]])
    assert pair[0] == x and relay.TupleGetItem(pair, 1) == pieces[0] and pair.checked_type.fields[0] == TYPE
    with pytest.raises(tvm.TilewrightError, match="TW0320.*expected a part of a tuple of 2, but got index 2"):
        _ = pair[2]
    module = tvm.IRModule.from_expr(relay.Function([x], relay.Tuple([pieces[1], relay.Tuple([pieces[0]])])))
    assert [str(t) for t in module["main"].function_type.outputs] == ["tensor<1x3x4x8xf32>"] * 2


def test_branches_compute_what_they_alone_use() -> None:
    c, x = relay.var("c", "bool"), relay.var("x", shape=(4,))
    shared = relay.exp(x)
    chosen = relay.If(c, relay.sqrt(relay.sin(shared)), shared)
    module = tvm.IRModule.from_expr(relay.Function([c, x], chosen + shared))
    text = str(module["main"])
    assert text.index("graph.exp") < text.index("graph.if") < text.index("graph.sin") < text.index("} else {")
    given = np.float32([0.1, 0.2, 0.3, 0.4])
    for condition in (True, False):
        found = relay.create_executor("graph", module).evaluate()(np.array(condition), given)
        e = np.exp(given)
        np.testing.assert_allclose(found, (np.sqrt(np.sin(e)) if condition else e) + e, rtol=1e-5)


def test_variables_are_replaced_and_functions_are_their_bodies() -> None:
    x, y = relay.var("x", shape=(3,)), relay.var("y", shape=(3,))
    function = relay.Function([x, y], x * x + y)
    left = relay.bind(function, {y: relay.const(np.float32([1, 2, 3]))})
    assert left.params == [x]
    np.testing.assert_allclose(relay.create_executor("graph").evaluate(left)(np.float32([1, 2, 3])), [2, 6, 12])
    called = function(relay.exp(x), x)
    assert relay.analysis.list_op_freqs(called) == {"exp": 1, "multiply": 1, "add": 1}
    named = relay.Let(relay.var("v"), relay.exp(x), x + relay.exp(x))
    assert named == named and relay.analysis.free_vars(named) == [x]
    v = relay.var("v", shape=(3,))
    assert relay.analysis.list_op_freqs(relay.Let(v, relay.exp(x), v * v)) == {"exp": 1, "multiply": 1}
    with pytest.raises(tvm.TilewrightError, match="TW0321.*expected a value of type"):
        relay.bind(function, {y: relay.const(np.float32([1]))})


def test_a_function_of_a_module_is_an_expression() -> None:
    module = tvm.IRModule.from_expr(network())
    main = module["main"]
    assert [param.name_hint for param in main.params] == ["x", "w", "b"]
    assert main.params[1].checked_type == TensorType((4, 3, 3, 3)) == main.params[1].type_annotation
    assert main.ret_type == TensorType((1, 4, 8, 8)) and main.checked_type.arg_types[0] == TYPE
    assert isinstance(main, relay.Function) and isinstance(main.body, relay.Call) and not isinstance(main, relay.Var)
    assert main.body.op == relay.op.get("nn.relu") and main.body.args[0].op.name == "add"
    again = relay.Function(main.params, relay.exp(main.body))
    assert str(again).count("graph.") == 5
    module["main"] = again
    assert list(module) == ["main"] and module["main"].body.op.name == "exp" and module.get_global_vars() == ["main"]
    module["other"] = relay.Function([x := image()], x)
    assert list(module) == ["main", "other"] and module["other"].body.name_hint == "x"


def test_calls_have_classic_names_and_attributes() -> None:
    x = image()
    call = relay.nn.conv2d(x, relay.var("w"), channels=6, kernel_size=(3, 3), strides=(2, 1), groups=3, dilation=2)
    assert call.op.name == "nn.conv2d" and call.attrs.channels == 6 and call.attrs.kernel_size == (3, 3)
    assert call.attrs["strides"] == (2, 1) and call.attrs.dilation == (2, 2) and call.attrs.get_int("groups") == 3
    assert call.attrs.data_layout == "NCHW" and call.attrs.get_str("kernel_layout") == "OIHW"
    assert call.attrs.get_int_tuple("padding") == (0, 0, 0, 0) and "groups" in call.attrs
    with pytest.raises(AttributeError, match="TW0251.*attributes of a call has no 'units'"):
        _ = call.attrs.units
    pooled = relay.nn.max_pool2d(x, (2, 2), (2, 2))
    assert pooled.attrs.pool_size == (2, 2) and relay.sum(x, 1).attrs.axis == (1,)
    assert relay.concatenate([x, x], 1).args == [relay.Tuple([x, x])]
    assert relay.Call(relay.op.get("add"), [x, x]).op == relay.op.get("add")
    assert relay.Call(relay.op.get("nn.softmax"), [x], {"axis": 1}).attrs.axis == 1
    assert call.op.get_attr("TOpPattern") == 4 and relay.exp(x).op.get_attr("TOpPattern") == 0
    with pytest.raises(AttributeError, match="TW0225.*relay has no operator 'nn.rleu'"):
        relay.op.get("nn.rleu")


def test_classic_names_are_of_one_operator_each() -> None:
    names = [CLASSIC_NAMES.get(name, name) for name, record in load_operators().items() if record.operation is not None]
    assert sorted(names) == sorted(set(names)), "two operators of one classic name"
    assert set(CLASSIC_NAMES) <= set(load_operators())
    for name in CLASSIC_NAMES.values():
        assert relay.op.get(name).name == name


def test_an_operator_without_a_classic_name_has_that_of_its_record() -> None:
    x = relay.var("x", shape=(5,))
    assert relay.gelu(x, approximate=True).attrs.approximate is True
    given = np.float32([-2, -1, 0, 1, 2])
    wanted = given * np.minimum(np.maximum(given / 6 + 0.5, 0), 1)
    np.testing.assert_allclose(
        relay.create_executor("graph").evaluate(relay.Function([x], relay.hard_swish(x)))(given), wanted
    )
    for name in ("conv1d_channels_last", "nothing"):
        with pytest.raises(AttributeError, match=f"TW0225.*has no attribute '{name}'"):
            getattr(relay, name)


def test_visitors_see_each_part_once() -> None:
    x = image()
    shared = relay.exp(x)
    y = relay.concatenate([shared, relay.split(shared, 2, 2)[0]], 2)

    class Counts(relay.ExprVisitor):
        def __init__(self) -> None:
            super().__init__()
            self.seen: list[str] = []

        def visit_call(self, call: Any) -> Any:
            super().visit_call(call)
            self.seen.append(call.op.name)

        def visit_var(self, var: Any) -> Any:
            self.seen.append(var.name_hint)

    visitor = Counts()
    visitor.visit(relay.Function([x], y))
    assert visitor.seen == ["x", "exp", "split", "concatenate"]
    order: list[Any] = []
    relay.analysis.post_order_visit(y, order.append)
    calls = [each.op.name for each in order if isinstance(each, relay.Call)]
    assert calls == ["exp", "split", "concatenate"] and order[-1] == y
    assert relay.analysis.all_vars(relay.Function([x], y)) == [x] and relay.analysis.well_formed(relay.Function([x], y))


def test_mutators_make_functions_anew() -> None:
    class Swap(relay.ExprMutator):
        def visit_call(self, call: Any) -> Any:
            if call.op.name == "nn.relu":
                return relay.tanh(self.visit(call.args[0]))
            return super().visit_call(call)

    module = tvm.IRModule.from_expr(network())
    mutated = Swap().visit(module["main"])
    text = str(module).replace("graph.relu", "graph.tanh").replace("%relu", "%tanh")
    assert str(tvm.IRModule.from_expr(mutated)) == text
    x = image()
    kept = relay.Function([x], relay.Tuple([relay.exp(x), relay.split(x, 2, 2)[1], relay.const(1.0) + x]))
    assert Swap().visit(kept).body == kept.body, "what does not change is the same expression"
    c = relay.var("c", "bool")
    chosen = relay.If(c, relay.nn.relu(x), relay.exp(x))
    assert "graph.tanh" in str(Swap().visit(relay.Function([c, x], chosen)))


def test_deep_expressions_are_visited() -> None:
    x = relay.var("x", shape=(2,))
    y: Any = x
    for _ in range(3000):
        y = relay.nn.relu(y)
    assert relay.analysis.list_op_freqs(y) == {"nn.relu": 3000} and len(relay.analysis.free_vars(y)) == 1
    assert relay.analysis.count_layers(y, ["nn.relu"]) == 3000

    class Same(relay.ExprMutator):
        def visit_call(self, call: Any) -> Any:
            return relay.exp(self.visit(call.args[0]))

    assert relay.analysis.list_op_freqs(Same().visit(relay.Function([x], y))) == {"exp": 3000}
