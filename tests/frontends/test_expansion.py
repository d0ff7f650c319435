"""Operators without a converter are replaced by what the standard, or the model, defines them by."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright
from onnx.reference import ReferenceEvaluator
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.registry import supported_operators

HEADER = '<ir_version: 10, opset_import: ["" : 21, "own" : 1]>\n'


def agree(text: str, *arrays: np.ndarray) -> None:
    model = onnx.parser.parse_model(HEADER + text)
    onnx.checker.check_model(model)
    names = [value.name for value in model.graph.input]
    expected = ReferenceEvaluator(model).run(None, dict(zip(names, arrays, strict=True)))
    result = tilewright.compile(model)(*arrays)
    results = result if isinstance(result, tuple) else (result,)
    for found, value in zip(results, expected, strict=True):
        np.testing.assert_allclose(np.asarray(found), value, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("operator", ["Softsign", "Mish", "Selu", "ThresholdedRelu", "Shrink"])
def test_bodies_of_the_standard(operator: str) -> None:
    assert operator not in supported_operators()
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(4, 6)
    agree(f"g (float[4, 6] x) => (float[4, 6] y) {{ y = {operator}(x) }}", x)


def test_attributes_and_their_defaults() -> None:
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(4, 6)
    for attributes in ("", "<lambd=1.5>", "<lambd=1.5, bias=0.25>"):
        agree(f"g (float[4, 6] x) => (float[4, 6] y) {{ y = Shrink {attributes} (x) }}", x)


def test_bodies_that_depend_on_types() -> None:
    x = np.array([0.6, -1.4, 250.0, 3.0], np.float32)
    text = "g (float[4] x, {0}[1] like) => ({0}[4] y) {{ y = CastLike(x, like) }}"
    agree(text.format("int32"), x, np.zeros(1, np.int32))
    agree(text.format("double"), x, np.zeros(1, np.float64))


def test_functions_of_the_model_go_before_operators() -> None:
    text = """g (float[4] x) => (float[4] y) { s = own.twice <by=3.0> (x) y = own.twice(s) }
    <domain: "own", opset_import: ["" : 21]>
    twice <by: float = 2.0> (a) => (b) { two = Constant <value_float: float = @by> () b = Mul(a, two) }"""
    x = np.arange(4, dtype=np.float32)
    model = onnx.parser.parse_model(HEADER + text)
    np.testing.assert_array_equal(np.asarray(tilewright.compile(model)(x)), x * 6)


def test_operators_of_the_standard_go_before_functions_of_their_name() -> None:
    text = """g (float[4] x) => (float[4] y) { s = Abs(x) y = Softsign(s) }
    <domain: "", opset_import: ["" : 21]> Abs (a) => (b) { b = Relu (a) }"""
    x = np.linspace(-2, 2, 4, dtype=np.float32)
    model = onnx.parser.parse_model(HEADER + text)
    np.testing.assert_allclose(np.asarray(tilewright.compile(model)(x)), np.abs(x) / (1 + np.abs(x)), rtol=1e-6)


def test_a_remark_states_what_was_replaced() -> None:
    model = onnx.parser.parse_model(HEADER + "g (float[4] x) => (float[4] y) { a = Mish(x) b = Mish(a) y = Selu(b) }")
    with collect_remarks() as remarks:
        import_model(model)
    (remark,) = [each for each in remarks if each.code == "TW0307"]
    assert remark.message == "operators are replaced by what defines them: Mish (2x), Selu (1x)"


def test_what_nothing_defines_is_named() -> None:
    text = "g (float[4] x) => (float[4] y) { a = own.missing(x) y = Selu(a) }"
    with pytest.raises(TilewrightError, match=r"not supported at opset 21: own\.missing \(1×") as error:
        import_model(onnx.parser.parse_model(HEADER + text))
    assert error.value.code == "TW0302"


@pytest.mark.parametrize("body", ["y = own.f(x)", "y = own.g(x)"])
def test_functions_that_call_themselves_are_refused(body: str) -> None:
    header = '\n<domain: "own", opset_import: ["" : 21, "own" : 1]>\n'
    functions = f"{header}f (x) => (y) {{ {body} }}{header}g (x) => (y) {{ y = own.f(x) }}"
    model = onnx.parser.parse_model(HEADER + "m (float[4] x) => (float[4] y) { y = own.f(x) }" + functions)
    with pytest.raises(TilewrightError, match="but the body of 'own.f' leads back to it") as caught:
        import_model(model)
    assert caught.value.code == "TW0303"
