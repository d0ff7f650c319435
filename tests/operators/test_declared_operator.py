"""An operator that is declared in a file of the user's: all that the compiler has for operators follows from it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from inspect import signature
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from ml_dtypes import bfloat16
from onnx import TensorProto, helper
from tilewright import operators, te, topi
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.diagnostics.verification import verify
from tilewright.dialects import context, graph
from tilewright.dialects.graph import properties
from tilewright.driver import program_cache
from tilewright.frontends.onnx import import_model
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.irdl import operand_def, opt_operand_def, result_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

WIDE = operators.Accumulator()


def softsign(x: te.Tensor, *, sharpness: float, sums: str) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        value = x(*index).astype(sums) * sharpness
        return (value / (1 + te.abs(value))).astype(x.dtype)

    return te.compute(x.shape, element, name="sharp_sign")


def second_moment(x: te.Tensor, *, axis: int, keepdims: bool, sums: str) -> te.Tensor:
    """Return the sum of squares along an axis."""
    k = te.reduce_axis((0, x.shape[axis]), "k")
    axis %= x.ndim
    kept = [d for d in range(x.ndim) if keepdims or d != axis]

    def element(*index: Any) -> te.Expr:
        at = dict(zip(kept, index, strict=True)) | {axis: k}
        value = x(*(at[d] for d in range(x.ndim))).astype(sums)
        return te.sum(value * value, axis=[k])

    return te.compute([1 if d == axis else x.shape[d] for d in kept], element, name="second_moment")


def scale_and_shift(x: te.Tensor, scale: te.Tensor, shift: te.Tensor | None = None) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        product = x(*index) * scale[index[-1]]
        return product if shift is None else product + shift[index[-1]]

    return te.compute(x.shape, element, name="scale_and_shift")


@pytest.fixture(autouse=True)
def declared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Declare the operators of this file for as long as a test runs."""
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    declare()
    yield
    for name in list(DECLARED):
        if name in operators.OPERATORS:
            tilewright.unregister_operator(name)


DECLARED: dict[str, type[graph.GraphOp]] = {}


def declare() -> None:
    @tilewright.register_operator(
        kind="elementwise",
        reference=lambda x, sharpness: (sharpness * x / (1 + np.abs(sharpness * x))).astype(x.dtype),
        te=softsign,
        accumulator=WIDE,
        onnx="Softsign",
    )
    class SharpSignOp(graph.UnaryOp):
        """
        sharpness * x / (1 + |sharpness * x|).

        ```mlir
        %y = graph.sharp_sign %x sharpness 2.0 : tensor<4xf32>
        ```
        """

        name = "graph.sharp_sign"
        ELEMENTS: ClassVar[graph.Elements] = graph.Elements.FLOAT

        sharpness = properties.float_prop(1.0)

    @tilewright.register_operator(
        kind=operators.FusionKind.REDUCTION,
        reference=lambda x, axis, keepdims: np.sum(np.square(x), axis=axis, keepdims=keepdims),
        te=second_moment,
        accumulator=WIDE,
    )
    class SecondMomentOp(graph.GraphOp):
        """The sum of squares along an axis."""

        name = "graph.second_moment"

        x = operand_def()
        y = result_def()

        axis = properties.int_prop()
        keepdims = properties.flag_prop()

        def infer_types(self) -> tuple[graph.Tensor, ...]:
            shape, axis = graph.shape_of(self.x), self.axis.value.data
            if not -len(shape) <= axis < len(shape):
                raise VerifyException(f"expected an axis of a tensor of rank {len(shape)}, but got {axis}")
            middle = () if self.keepdims is None else (1,)
            axis %= len(shape)
            return (graph.make_type((*shape[:axis], *middle, *shape[axis + 1 :]), graph.element_of(self.x)),)

    @tilewright.register_operator(
        kind="broadcast", reference=lambda x, a, b=None: x * a if b is None else x * a + b, te=scale_and_shift
    )
    class ScaleAndShiftOp(graph.GraphOp):
        """x * scale + shift, by columns."""

        name = "graph.scale_and_shift"

        x = operand_def()
        scale = operand_def()
        shift = opt_operand_def()
        y = result_def()

        def infer_types(self) -> tuple[graph.Tensor, ...]:
            return (graph.tensor_type(self.x),)

    @tilewright.register_operator(
        kind="opaque", reference=lambda x: x + x, te=lambda x: te.compute(x.shape, lambda *i: x(*i) + x(*i), "twice")
    )
    class TwiceOp(graph.UnaryOp):
        """x + x, on its own."""

        name = "graph.twice"
        ELEMENTS: ClassVar[graph.Elements] = graph.Elements.NUMBER

    @tilewright.register_operator(
        kind="injective",
        reference=lambda *parts: np.concatenate(parts),
        te=lambda *parts: topi.concatenate(parts, axis=0),
    )
    class RowsOp(graph.GraphOp):
        """The rows of tensors, one after another."""

        name = "graph.rows"

        parts = var_operand_def()
        y = result_def()

        def infer_types(self) -> tuple[graph.Tensor, ...]:
            shapes = [graph.static_shape(part) or () for part in self.parts]
            return (graph.make_type((sum(s[0] for s in shapes), *shapes[0][1:]), graph.element_of(self.parts[0])),)

    for operation in (SharpSignOp, SecondMomentOp, ScaleAndShiftOp, TwiceOp, RowsOp):
        DECLARED[operation.name.removeprefix("graph.")] = operation


def parsed(text: str) -> ModuleOp:
    module = Parser(context(), text, "program.mlir").parse_module()
    module.verify()
    return module


def function(body: str, result: str, *arguments: str) -> ModuleOp:
    """Return a module of one function that returns %y."""
    given = ", ".join(f"%x{k} : {type_}" for k, type_ in enumerate(arguments))
    return parsed(f"func.func @main({given}) -> {result} {{\n{body}\n  func.return %y : {result}\n}}")


def random(*shape: int, dtype: str = "float32") -> np.ndarray:
    numbers = np.random.default_rng(len(shape)).standard_normal(shape)
    return np.asarray(numbers).astype(bfloat16 if dtype == "bfloat16" else dtype)


def sharp_sign(x: np.ndarray, sharpness: float = 1.0) -> np.ndarray:
    scaled = sharpness * x.astype(np.float64)
    return (scaled / (1 + np.abs(scaled))).astype(x.dtype)


# Syntax, types, verifier


def test_custom_and_generic_form() -> None:
    module = function("  %y = graph.sharp_sign %x0 sharpness 2.0 : tensor<4xf32>", "tensor<4xf32>", "tensor<4xf32>")
    text = str(module)
    assert "%y = graph.sharp_sign %x0 sharpness 2.0 : tensor<4xf32>" in text
    assert str(parsed(text)) == text
    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    assert '"graph.sharp_sign"(%x0) <{sharpness = 2.000000e+00 : f64}>' in stream.getvalue()
    assert str(parsed(stream.getvalue())) == text


def test_defaults_and_flags_are_written_as_for_other_operators() -> None:
    (x,) = test.TestOp(result_types=[TensorType(f32, [2, 3])]).results
    assert str(DECLARED["sharp_sign"].of(x)) == "%0 = graph.sharp_sign %1 : tensor<2x3xf32>"
    moment = DECLARED["second_moment"].of(x, axis=1, keepdims=True)
    assert str(moment) == "%0 = graph.second_moment %1 axis 1 keepdims : tensor<2x1xf32>"
    assert moment.values == {"axis": 1, "keepdims": True}


def test_wrong_types_are_refused_at_their_location() -> None:
    text = (
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf64> {\n"
        "  %y = graph.sharp_sign %x : tensor<4xf64>\n"
        "  func.return %y : tensor<4xf64>\n}"
    )
    with pytest.raises(TilewrightError) as raised:
        verify(parse(context(), text, "program.mlir"))
    message = str(raised.value)
    assert "expected result type tensor<4xf32>, but got tensor<4xf64>" in message
    assert "program.mlir:2:" in message
    with pytest.raises(VerifyException, match="expected floating-point elements, but got i32"):
        function("  %y = graph.sharp_sign %x0 : tensor<4xi32>", "tensor<4xi32>", "tensor<4xi32>")
    with pytest.raises(VerifyException, match="expected an axis of a tensor of rank 1, but got 3"):
        function("  %y = graph.second_moment %x0 axis 3 : tensor<4xf32>", "tensor<4xf32>", "tensor<4xf32>")


# What it computes


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("shape", [(7,), (3, 1, 5), (), (64, 64)])
def test_interpreter_and_compiled_agree_with_numpy(shape: tuple[int, ...], dtype: str) -> None:
    name = {"float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16"}[dtype]
    type_ = f"tensor<{''.join(f'{size}x' for size in shape)}{name}>"
    module = function(f"  %y = graph.sharp_sign %x0 sharpness 2.0 : {type_}", type_, type_)
    x = random(*shape, dtype=dtype)
    expected = sharp_sign(x, 2.0)
    for target in ("interpreter", "cpu"):
        found = np.asarray(tilewright.compile(module.clone(), target=target)(x))
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        precision = {"float64": 1e-14, "float32": 1e-6, "float16": 1e-3, "bfloat16": 8e-3}[dtype]
        np.testing.assert_allclose(found.astype(np.float64), expected.astype(np.float64), rtol=precision)


@pytest.mark.parametrize(("axis", "keepdims"), [(0, False), (-1, True)])
@pytest.mark.parametrize("shape", [(3, 5), (17, 33)])
def test_reduction(shape: tuple[int, ...], axis: int, keepdims: bool) -> None:
    x = random(*shape)
    result = np.sum(np.square(x.astype(np.float64)), axis=axis, keepdims=keepdims).astype(np.float32)
    source, target = (f"tensor<{'x'.join(map(str, s))}xf32>" for s in (shape, result.shape))
    text = f"  %y = graph.second_moment %x0 axis {axis}{' keepdims' if keepdims else ''} : {target}"
    module = function(text, target, source)
    np.testing.assert_allclose(tilewright.compile(module)(x), result, rtol=1e-5)
    np.testing.assert_allclose(tilewright.compile(module.clone(), target="interpreter")(x), result, rtol=1e-6)


def test_sums_of_narrow_floats_are_wide() -> None:
    """4096 squares of 1: in float16 alone the sum would stop at 2048."""
    module = function("  %y = graph.second_moment %x0 axis 0 : tensor<f16>", "tensor<f16>", "tensor<4096xf16>")
    for target in ("cpu", "interpreter"):
        assert tilewright.compile(module.clone(), target=target)(np.ones(4096, np.float16)) == 4096


def test_named_sizes() -> None:
    type_ = "tensor<?x3xf32, #graph.dims<n, _>>"
    module = function(f"  %y = graph.sharp_sign %x0 : {type_}", type_, type_)
    program = tilewright.compile(module)
    for rows in (1, 5, 33):
        np.testing.assert_allclose(program(random(rows, 3)), sharp_sign(random(rows, 3)), rtol=1e-6)


def test_constant_operands_are_folded() -> None:
    module = parsed(
        "func.func @main() -> tensor<2xf32> {\n  %c = graph.constant dense<[1.0, -3.0]> : tensor<2xf32>\n"
        "  %y = graph.sharp_sign %c : tensor<2xf32>\n  func.return %y : tensor<2xf32>\n}"
    )
    PassManager(parse_pipeline("fold-constant")).run(context(), module)
    assert "graph.sharp_sign" not in str(module) and "5.000000e-01, -7.500000e-01" in str(module)


# Fusion

_KERNELS = "  %a = graph.relu %x0 : tensor<8x4xf32>\n  %b = graph.{} %a : tensor<8x4xf32>\n"
_KERNELS += "  %y = graph.exp %b : tensor<8x4xf32>"


def fused(operator: str) -> str:
    module = function(_KERNELS.format(operator), "tensor<8x4xf32>", "tensor<8x4xf32>")
    PassManager(parse_pipeline("fuse")).run(context(), module)
    return str(module)


def test_elementwise_fuses_with_its_neighbours() -> None:
    assert 'graph.fused "relu_sharp_sign_exp"' in fused("sharp_sign")


def test_opaque_fuses_with_nothing() -> None:
    text = fused("twice")
    assert "graph.fused" not in text and "graph.twice" in text


def test_reduction_takes_in_and_passes_nothing_on() -> None:
    body = "  %a = graph.relu %x0 : tensor<8x4xf32>\n  %b = graph.second_moment %a axis 1 : tensor<8xf32>\n"
    module = function(body + "  %y = graph.exp %b : tensor<8xf32>", "tensor<8xf32>", "tensor<8x4xf32>")
    PassManager(parse_pipeline("fuse")).run(context(), module)
    assert 'graph.fused "relu_second_moment"' in str(module) and "_exp" not in str(module)


@pytest.mark.parametrize(("operator", "kernels"), [("sharp_sign", 1), ("twice", 3)])
def test_how_many_kernels_it_becomes(operator: str, kernels: int) -> None:
    module = function(_KERNELS.format(operator), "tensor<8x4xf32>", "tensor<8x4xf32>")
    PassManager(parse_pipeline("fuse,outline")).run(context(), module)
    assert str(module).count("func.func private") == kernels
    x = random(8, 4)
    middle = sharp_sign(np.maximum(x, 0)) if operator == "sharp_sign" else 2 * np.maximum(x, 0)
    module = function(_KERNELS.format(operator), "tensor<8x4xf32>", "tensor<8x4xf32>")
    np.testing.assert_allclose(tilewright.compile(module)(x), np.exp(middle), rtol=1e-5)


# topi


def test_topi_function() -> None:
    x = te.placeholder((3, 5), "float32", "x")
    y = topi.sharp_sign(x, sharpness=3.0)
    data = random(3, 5)
    np.testing.assert_allclose(tilewright.build([x, y])(data), sharp_sign(data, 3.0), rtol=1e-6)
    assert topi.sharp_sign.__name__ == "sharp_sign"
    assert "sharpness * x" in topi.sharp_sign.__doc__
    assert str(signature(topi.sharp_sign)) == "(x, *, sharpness=1.0)"
    assert str(signature(topi.second_moment)) == "(x, *, axis, keepdims=False)"
    assert str(signature(topi.scale_and_shift)) == "(x, scale, shift=None)"


def test_topi_function_of_an_optional_operand_and_of_several() -> None:
    x, a = te.placeholder((4, 3), "float32", "x"), te.placeholder((3,), "float32", "a")
    b = te.placeholder((3,), "float32", "b")
    data = [random(4, 3), random(3), random(3) + 1]
    shifted = topi.scale_and_shift(x, a, b)
    np.testing.assert_allclose(tilewright.build([x, a, b, shifted])(*data), data[0] * data[1] + data[2], rtol=1e-6)
    scaled = topi.scale_and_shift(x, a)
    np.testing.assert_allclose(tilewright.build([x, a, scaled])(*data[:2]), data[0] * data[1], rtol=1e-6)
    rows = topi.rows([x, x])
    assert rows.shape == (8, 3)
    np.testing.assert_array_equal(tilewright.build([x, rows])(data[0]), np.concatenate([data[0]] * 2))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x, i: topi.sharp_sign(i), "sharp_sign: expected floating-point elements, but got i32"),
        (lambda x, i: topi.sharp_sign(x, sharp=1.0), "sharp_sign: got an unexpected keyword argument 'sharp'"),
        (lambda x, i: topi.sharp_sign(3.0), "expected a tensor as x of sharp_sign, but got 3.0 of type float"),
        (lambda x, i: topi.second_moment(x), "second_moment: missing a required"),
        (lambda x, i: topi.second_moment(x, axis="rows"), "second_moment: "),
        (lambda x, i: topi.second_moment(x, axis=2), "expected an axis of a tensor of rank 1, but got 2"),
    ],
)
def test_topi_refuses(call: Any, message: str) -> None:
    x, i = te.placeholder((4,), "float32", "x"), te.placeholder((4,), "int32", "i")
    with pytest.raises(TilewrightError) as raised:
        call(x, i)
    assert raised.value.code == "TW0447" and message in str(raised.value)
    assert Path(__file__).name in str(raised.value)


def test_topi_has_the_functions_of_all_operators() -> None:
    x = te.placeholder((2, 3, 5, 7), "float32", "x")
    pooled = topi.max_pool2d(x, kernel=(2, 2), strides=(2, 2))
    data = random(2, 3, 5, 7)
    expected = data[:, :, :4, :6].reshape(2, 3, 2, 2, 3, 2).max((3, 5))
    np.testing.assert_array_equal(tilewright.build([x, pooled])(data), expected)
    with pytest.raises(AttributeError):
        _ = topi.softmax  # is topi.nn.softmax


def test_topi_knows_no_other_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'sharp_sin'") as raised:
        _ = topi.sharp_sin
    assert "sharp_sign" in str(raised.value)


# ONNX


def softsign_model(**attributes: Any) -> onnx.ModelProto:
    node = helper.make_node("Softsign", ["x"], ["y"], name="the_node", **attributes)
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, [3, 4])
    body = helper.make_graph([node], "g", [value], [helper.make_empty_tensor_value_info("y")])
    return helper.make_model(body, opset_imports=[helper.make_opsetid("", 22)], ir_version=8)


def test_onnx_operator_of_the_same_meaning() -> None:
    module = import_model(softsign_model())
    assert "graph.sharp_sign %x : tensor<3x4xf32>" in str(module)
    x = random(3, 4)
    session = onnxruntime.InferenceSession(softsign_model().SerializeToString())
    np.testing.assert_allclose(tilewright.compile(module)(x), session.run(None, {"x": x})[0], rtol=1e-6)
    tilewright.unregister_operator("sharp_sign")
    assert "graph.sharp_sign" not in str(import_model(softsign_model()))


def test_onnx_attributes_become_properties() -> None:
    @tilewright.register_operator(
        kind="elementwise",
        reference=lambda x, alpha: np.where(x > alpha, x, 0),
        te=lambda x, alpha: te.compute(x.shape, lambda *i: te.Select(x(*i) > alpha, x(*i), 0.0), "thresholded"),
        onnx="ThresholdedRelu",
    )
    class ThresholdedOp(graph.UnaryOp):
        """x where it is above alpha, otherwise 0."""

        name = "graph.thresholded"
        ELEMENTS: ClassVar[graph.Elements] = graph.Elements.FLOAT

        alpha = properties.float_prop(0.25)

    DECLARED["thresholded"] = ThresholdedOp
    for given, used in (({"alpha": 0.5}, 0.5), ({}, 1.0)):  # ONNX's default, not the property's
        model = softsign_model()
        model.graph.node[0].CopyFrom(helper.make_node("ThresholdedRelu", ["x"], ["y"], name="the_node", **given))
        x = random(3, 4)
        np.testing.assert_array_equal(tilewright.compile(import_model(model))(x), np.where(x > np.float32(used), x, 0))


def test_an_operator_of_the_users_goes_before_the_compilers_conversion() -> None:
    @tilewright.register_operator(
        kind="elementwise",
        reference=lambda x, alpha: np.where(x >= 0, x, x * x.dtype.type(alpha)),
        te=lambda x, alpha: te.compute(x.shape, lambda *i: te.Select(x(*i) >= 0, x(*i), x(*i) * alpha), "leaky"),
        onnx="LeakyRelu",
    )
    class LeakyOp(graph.UnaryOp):
        """x where x >= 0, otherwise alpha * x."""

        name = "graph.leaky"
        ELEMENTS: ClassVar[graph.Elements] = graph.Elements.FLOAT

        alpha = properties.float_prop(0.01)

    DECLARED["leaky"] = LeakyOp
    model = softsign_model()
    model.graph.node[0].CopyFrom(helper.make_node("LeakyRelu", ["x"], ["y"], name="the_node", alpha=0.5))
    assert "graph.leaky %x alpha 0.5" in str(import_model(model))
    tilewright.unregister_operator("leaky")
    assert "graph.leaky_relu %x alpha 0.5" in str(import_model(model))


# Description, registration


def test_description() -> None:
    assert operators.describe("sharp_sign") == (
        "## graph.sharp_sign\n\nsharpness * x / (1 + |sharpness * x|).\n\n"
        "```mlir\n%y = graph.sharp_sign %x sharpness 2.0 : tensor<4xf32>\n```\n\n"
        "- operands: `x`\n- property `sharpness`, 1.0 unless given\n"
        "- fusion: elementwise: each element from the same element of operands of the same shape\n"
        "- sums and steps of float16 and bfloat16 are float32\n- ONNX: Softsign\n"
    )
    assert "- operands: `x`, `scale`, `shift` (may be absent)\n" in operators.describe("scale_and_shift")
    assert "- operands: `parts` (any number)\n" in operators.describe("rows")
    assert "- property `axis`\n- property `keepdims`, a flag\n" in operators.describe("second_moment")
    assert "## graph.sharp_sign" in operators.describe_all()


def register(operation: type[graph.GraphOp], kind: str = "elementwise") -> None:
    tilewright.register_operator(kind=kind, reference=lambda x: x, te=lambda x: x)(operation)


def test_a_name_is_registered_once() -> None:
    class OtherOp(graph.UnaryOp):
        """x."""

        name = "graph.sharp_sign"
        ELEMENTS: ClassVar[graph.Elements] = graph.Elements.FLOAT

    with pytest.raises(
        TilewrightError, match=r"TW0226.*'sharp_sign' is registered already, by .*SharpSignOp"
    ) as raised:
        register(OtherOp)
    assert Path(__file__).name in str(raised.value)
    assert operators.get_operator("sharp_sign").operation is DECLARED["sharp_sign"]


def test_a_registration_of_the_same_line_replaces_it() -> None:
    before = DECLARED["sharp_sign"]
    declare()
    assert before is not DECLARED["sharp_sign"] and graph.OPERATIONS["sharp_sign"] is DECLARED["sharp_sign"]
    assert operators.get_operator("sharp_sign").operation is DECLARED["sharp_sign"]
    test_custom_and_generic_form()


@pytest.mark.parametrize("name", ["graph.relu", "graph.conv1d", "graph.constant", "graph.fused", "my.relu"])
def test_names_that_are_taken_or_of_another_dialect(name: str) -> None:
    class OtherOp(graph.UnaryOp):
        """x."""

        ELEMENTS: ClassVar[graph.Elements] = graph.Elements.FLOAT

    OtherOp.name = name
    with pytest.raises(TilewrightError, match="TW0226"):
        register(OtherOp)


def test_kinds_have_names() -> None:
    class OtherOp(graph.UnaryOp):
        """x."""

        name = "graph.other"
        ELEMENTS: ClassVar[graph.Elements] = graph.Elements.FLOAT

    with pytest.raises(TilewrightError, match=r"TW0227\]: expected a fusion kind of elementwise.*'elemntwise'"):
        register(OtherOp, "elemntwise")
    assert "other" not in graph.OPERATIONS and "other" not in operators.OPERATORS


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "expected class OtherOp to have a name"),
        ({"name": "graph.other", "limit": 3}, "class OtherOp is no operation: OtherOp.limit is neither"),
        ({"name": "graph.other", "cap": properties.float_prop(1.0)}, "reference of graph.other takes other arguments"),
    ],
)
def test_classes_that_are_no_operators(body: dict[str, Any], message: str) -> None:
    members = {"ELEMENTS": graph.Elements.FLOAT, "__annotations__": {"ELEMENTS": ClassVar[graph.Elements]}, **body}
    with pytest.raises(TilewrightError) as raised:
        register(type("OtherOp", (graph.UnaryOp,), members))
    assert raised.value.code == "TW0228" and message in str(raised.value)
    assert Path(__file__).name in str(raised.value)
    assert "other" not in graph.OPERATIONS and "other" not in operators.OPERATORS


def test_operators_have_infer_types_and_are_classes() -> None:
    class OtherOp(graph.GraphOp):
        """x."""

        name = "graph.other"

        x = operand_def()
        y = result_def()

    with pytest.raises(TilewrightError, match=r"TW0228.*expected class OtherOp to have infer_types"):
        register(OtherOp)
    with pytest.raises(TilewrightError, match=r"TW0228.*expected a class of graph.GraphOp, but got 3"):
        register(3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(TilewrightError, match=r"TW0228.*te of graph.other takes other arguments"):

        @tilewright.register_operator(kind="opaque", reference=np.exp, te=lambda x: x, accumulator=WIDE)
        class AnotherOp(graph.UnaryOp):
            """x."""

            name = "graph.other"
            ELEMENTS: ClassVar[graph.Elements] = graph.Elements.FLOAT


def test_programs_of_operators_that_may_change_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of a cached program says nothing of what users register."""
    monkeypatch.setenv("TILEWRIGHT_PROGRAM_CACHE", "1")
    monkeypatch.setattr(program_cache, "compiler_fingerprint", lambda: "these sources")
    x = random(8, 4)
    for factor in (2.0, 3.0):

        @tilewright.register_operator(
            kind="elementwise",
            reference=lambda x, factor=factor: x * np.float32(factor),
            te=lambda x, factor=factor: te.compute(x.shape, lambda *i: x(*i) * factor, name="scaled"),
        )
        class ScaledOp(graph.UnaryOp):
            """x times a number."""

            name = "graph.scaled"
            ELEMENTS: ClassVar[graph.Elements] = graph.Elements.FLOAT

        DECLARED["scaled"] = ScaledOp
        module = function("  %y = graph.scaled %x0 : tensor<8x4xf32>", "tensor<8x4xf32>", "tensor<8x4xf32>")
        np.testing.assert_array_equal(tilewright.compile(module)(x), x * np.float32(factor))
        program_cache.finish_writing()


def test_description_of_what_is_no_operator() -> None:
    for name in ("relux", "fused", "yield"):
        with pytest.raises(TilewrightError, match=rf"TW0227.*but got '{name}'"):
            operators.describe(name)


def test_forgotten_operators_are_unknown() -> None:
    tilewright.unregister_operator("sharp_sign")
    assert "sharp_sign" not in graph.OPERATIONS and "sharp_sign" not in operators.OPERATORS
    with pytest.raises(AttributeError):
        _ = topi.sharp_sign
    with pytest.raises(Exception, match=r"graph\.sharp_sign"):
        function("  %y = graph.sharp_sign %x0 : tensor<4xf32>", "tensor<4xf32>", "tensor<4xf32>")
    with pytest.raises(TilewrightError, match="TW0227.*'sharp_sign'"):
        tilewright.unregister_operator("sharp_sign")
    with pytest.raises(TilewrightError, match="TW0227"):
        tilewright.unregister_operator("conv2d")


# A file of the compiler's own

MISH = '''
"""An operator."""
from tilewright.dialects.graph.families import Elements
from tilewright.operators.deferred import np, te
from tilewright.operators.elementwise import unary

MishOp = unary(
    "mish",
    "x * tanh(log(1 + exp(x))).",
    Elements.FLOAT,
    lambda x: x * te.tanh(te.log1p(te.exp(x))),
    lambda x: x * np.tanh(np.log1p(np.exp(x))),
    in_steps=True,
    onnx="Mish",
)
'''
USES_MISH = """
import sys
import numpy as np
from onnx import TensorProto, helper
import tilewright
from tilewright import operators
operators.__path__.append(sys.argv[1])
from tilewright import te, topi
from tilewright.dialects import context, graph
from tilewright.frontends.onnx import import_model
from xdsl.parser import Parser

x = np.linspace(-2, 2, 7, dtype=np.float32)
want = x * np.tanh(np.log1p(np.exp(x)))
body = "%y = graph.mish %x : tensor<7xf32> return %y : tensor<7xf32>"
text = f"func.func @main(%x: tensor<7xf32>) -> tensor<7xf32> {{ {body} }}"
np.testing.assert_allclose(tilewright.compile(Parser(context(), text).parse_module())(x), want, rtol=1e-5)
X = te.placeholder((7,), name="X")
np.testing.assert_allclose(tilewright.build([X, topi.mish(X)])(x), want, rtol=1e-5)
value = helper.make_tensor_value_info("x", TensorProto.FLOAT, [7])
node = helper.make_node("Mish", ["x"], ["y"])
body = helper.make_graph([node], "g", [value], [helper.make_empty_tensor_value_info("y")])
model = helper.make_model(body, opset_imports=[helper.make_opsetid("", 22)], ir_version=8)
np.testing.assert_allclose(tilewright.compile(import_model(model))(x), want, rtol=1e-5)
print(graph.MishOp.name, operators.describe("mish").splitlines()[2], topi.mish.__name__)
"""


def test_a_file_in_operators_is_listed_nowhere(tmp_path: Path) -> None:
    (tmp_path / "mish.py").write_text(MISH)
    command = [sys.executable, "-c", USES_MISH, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "graph.mish x * tanh(log(1 + exp(x))). mish\n", done.stderr


# On the command line

FILE = '''
"""An operator."""
from typing import ClassVar

import tilewright
from tilewright import te
from tilewright.dialects import graph


@tilewright.register_operator(
    kind="elementwise",
    reference=lambda x: x * x,
    te=lambda x: te.compute(x.shape, lambda *i: x(*i) * x(*i), name="square"),
)
class SquareOp(graph.UnaryOp):
    """x * x."""

    name = "graph.square"
    ELEMENTS: ClassVar[graph.Elements] = graph.Elements.NUMBER
'''
PROGRAM = """
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = graph.square %x : tensor<8xf32>
  %y = graph.relu %a : tensor<8xf32>
  func.return %y : tensor<8xf32>
}
"""


def opt_tool(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tilewright.tools.opt", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))


def test_opt_tool_loads_it(tmp_path: Path) -> None:
    operator, program = tmp_path / "square.py", tmp_path / "program.mlir"
    operator.write_text(FILE)
    program.write_text(PROGRAM)
    done = opt_tool("--load", str(operator), "--pass", "fuse", str(program))
    assert done.returncode == 0, done.stderr
    assert 'graph.fused "square_relu"' in done.stdout
    lowered = opt_tool("--load", str(operator), "--pass", "fuse,outline,lower-graph", str(program))
    assert lowered.returncode == 0 and 'te.compute "square"' in lowered.stdout, lowered.stderr
    without = opt_tool(str(program))
    assert without.returncode == 1 and "graph.square" in without.stderr
