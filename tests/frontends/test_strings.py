"""Models that take or give strings: what works on strings runs on the host, around what is compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import tilewright
from onnx import TensorProto, helper, parser
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx import backend, import_model

_HEADER = '<ir_version: 10, opset_import: ["" : 21, "ai.onnx.ml" : 4]>\n'

_CLASSIFIER = """
main (string[n] words, float[n, 2] x) => (string[n] label, float[n] best, int64[n] place) {
  small = StringNormalizer <case_change_action = "LOWER", locale = "C"> (words)
  place = ai.onnx.ml.LabelEncoder <keys_strings = ["ja", "nein"], values_int64s = [0, 1], default_int64 = 2> (small)
  rows = Constant <value = float[3, 2] {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}> ()
  weights = Gather(rows, place)
  products = Mul(weights, x)
  best = ReduceMax <keepdims = 0> (products, axis)
  class = ArgMax <axis = 1, keepdims = 0> (products)
  label = ai.onnx.ml.LabelEncoder <keys_int64s = [0, 1], values_strings = ["left", "right"]> (class)
}
"""
_WORDS = np.array(["ja", "NEIN", "vielleicht", "Ja"], object)
_X = np.array([[1, 2], [-1, -3], [7, 1], [2, 0.5]], np.float32)


def _model(text: str) -> onnx.ModelProto:
    model = parser.parse_model(_HEADER + text)
    if "axis)" in text:
        model.graph.initializer.append(helper.make_tensor("axis", TensorProto.INT64, [1], [1]))
    return model


def _results(text: str, *inputs: Any) -> tuple[Any, ...]:
    return backend.prepare(_model(text)).run(list(inputs))


def test_strings_before_and_behind_a_compiled_middle() -> None:
    runtime = pytest.importorskip("onnxruntime")
    model = _model(_CLASSIFIER)
    session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    program = tilewright.compile(model)
    for count in (4, 1, 3):  # one program for all of them
        words, x = _WORDS[:count], _X[:count]
        for result, expected in zip(program(words, x), session.run(None, {"words": words, "x": x}), strict=True):
            assert result.dtype == expected.dtype
            np.testing.assert_array_equal(result, expected)


def test_strings_of_numpy_are_taken_too_and_inputs_by_name() -> None:
    program = tilewright.compile(_model(_CLASSIFIER))
    expected = program(_WORDS, _X)
    for words in (_WORDS.astype(str), _WORDS.astype(np.dtypes.StringDType())):
        found = program.run({"x": _X, "words": words})
        assert [*found] == ["label", "best", "place"]
        for result, value in zip(found.values(), expected, strict=True):
            np.testing.assert_array_equal(result, value)


def test_values_handed_over_may_have_a_rank_that_is_open() -> None:
    program = tilewright.compile(
        _model(
            """main (string[n, 2] words) => (int64[k] counts) {
              pieces, several = StringSplit(words)
              one = Constant <value_int = 1> ()
              counts = Add(several, one)
            }"""
        )
    )
    (counts,) = [program(np.array([["a b", ""], ["c", "d e f"]], object))]
    np.testing.assert_array_equal(counts, [[3, 1], [2, 4]])


@pytest.mark.parametrize(
    ("body", "inputs", "expected"),
    [
        ("a = Concat <axis = 0> (x, x)\ny = StringConcat(a, a)", ["a", "b"], ["aa", "bb", "aa", "bb"]),
        ('y = StringNormalizer <stopwords = ["B"], is_case_sensitive = 1> (x)', ["a", "b"], ["a", "b"]),
        ('y = StringNormalizer <stopwords = ["B"], case_change_action = "UPPER"> (x)', ["b", "ß"], ["SS"]),
        ('c = Constant <value_strings = ["-", "+"]> ()\ny = StringConcat(x, c)', ["a", "b"], ["a-", "b+"]),
        ('c = Constant <value_string = "a"> ()\ne = Equal(x, c)\ny = Where(e, x, c)', ["a", "b"], ["a", "a"]),
        ("n = Cast <to = 7> (x)\nm = Mul(n, n)\ny = Cast <to = 8> (m)", ["12", "-3"], ["144", "9"]),
        ("n = Cast <to = 1> (x)\nm = Neg(n)\ny = Cast <to = 8> (m)", ["0.5", "inf"], ["-0.5", "-INF"]),
    ],
)
def test_operators(body: str, inputs: list[str], expected: list[str]) -> None:
    (found,) = _results(f"main (string[n] x) => (string[m] y) {{\n{body}\n}}", np.array(inputs, object))
    assert found.dtype == object and found.tolist() == expected


def test_labels_that_are_numbers_are_compiled() -> None:
    encoder = "ai.onnx.ml.LabelEncoder <keys_int64s = [3, 1], values_floats = [0.5, 1.5]> (x)"
    model = _model(f"main (int64[n] x) => (float[n] y) {{\ny = {encoder}\n}}")
    np.testing.assert_array_equal(tilewright.compile(model)(np.array([1, 2, 3])), np.float32([1.5, -0.0, 0.5]))


def test_a_label_that_is_no_number_has_a_value() -> None:
    keys = {"keys_floats": [3.0, np.nan], "values_int64s": [7, 8]}
    node = helper.make_node("LabelEncoder", ["x"], ["y"], domain="ai.onnx.ml", **keys)
    kinds = {"x": TensorProto.FLOAT, "y": TensorProto.INT64}
    x, y = (helper.make_tensor_value_info(name, kind, ["n"]) for name, kind in kinds.items())
    opset = helper.make_opsetid("ai.onnx.ml", 4)
    model = helper.make_model(helper.make_graph([node], "labels", [x], [y]), opset_imports=[opset])
    np.testing.assert_array_equal(tilewright.compile(model)(np.float32([np.nan, 3, 4])), [8, 7, -1])


def test_n_grams_of_strings_and_of_a_row() -> None:
    gram = (
        'TfIdfVectorizer <mode = "TFIDF", min_gram_length = 1, max_gram_length = 2, max_skip_count = 1, '
        "ngram_counts = [0, 1], ngram_indexes = [2, 0], weights = [0.5, 2.0], {pool}> (x)"
    )
    words = gram.format(pool='pool_strings = ["a", "b", "c"]')
    (found,) = _results(
        f"main (string[4] x) => (float[3] y) {{\ny = {words}\n}}", np.array(["b", "a", "c", "a"], object)
    )
    np.testing.assert_array_equal(found, np.float32([2, 0, 1]))
    numbers = gram.format(pool="pool_int64s = [1, 2, 3]")
    (found,) = _results(f"main (int64[4] x) => (float[3] y) {{\ny = {numbers}\n}}", np.array([2, 1, 3, 1]))
    np.testing.assert_array_equal(found, np.float32([2, 0, 1]))


def _error(call: Any) -> TilewrightError:
    with pytest.raises(TilewrightError) as error:
        call()
    return error.value


def test_errors(tmp_path: Path) -> None:
    model = _model(_CLASSIFIER)
    assert _error(lambda: import_model(model)).code == "TW0305"
    program = tilewright.compile(model)
    assert _error(lambda: program(_X, _X)).code == "TW0703"
    assert _error(lambda: program(np.array([1, 2], object), _X[:2])).code == "TW0703"
    assert _error(lambda: program(_WORDS[:3], _X)).code == "TW0704"
    assert _error(lambda: program(_WORDS, _X, out=[np.empty(4, object)] * 3)).code == "TW0715"
    assert _error(lambda: program.save(tmp_path / "program.so")).code == "TW0614"
    pattern = 'main (string[n] x) => (bool[n] y) {\ny = RegexFullMatch <pattern = "("> (x)\n}'
    assert _error(lambda: _results(pattern, _WORDS)).code == "TW0303"
    number = "main (string[n] x) => (float[n] y) {\ny = Cast <to = 1> (x)\n}"
    assert _error(lambda: _results(number, _WORDS)).code == "TW0303"
    inside = 'main (float[2] x) => (bool[2] y) {\nc = Constant <value_string = "a"> ()\ny = Equal(x, c)\n}'
    assert _error(lambda: _results(inside, _X[0])).code == "TW0305"


def test_shapes_that_are_given_fix_sizes() -> None:
    program = tilewright.compile(_model(_CLASSIFIER), sizes={"n": 2})
    assert [str(a) for a in program.signature.inputs] == ["words: object[2]", "x: float32[2, 2]"]
    assert _error(lambda: program(_WORDS, _X)).code == "TW0704"
    program = tilewright.compile(_model(_CLASSIFIER), shapes={"words": (1,), "x": (1, 2)})
    assert program(_WORDS[:1], _X[:1])[0].tolist() == ["right"]
