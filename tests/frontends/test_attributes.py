"""Attributes of nodes: each is used, has no effect on results, or is refused where it is not the default."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import onnx
import pytest
import tilewright
from onnx import helper
from onnx.reference import ReferenceEvaluator
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.node import WITHOUT_DEFINITION, WITHOUT_EFFECT
from tilewright.frontends.onnx.node import Node as ImportedNode
from tilewright.frontends.onnx.registry import supported_operators

from . import structured_models
from .models import model_of, node_model, onnxruntime_results, reference_results
from .onnxruntime_nodes import ALL as OF_ONNXRUNTIME
from .onnxruntime_nodes import model_for, values_of
from .test_counted_results import CALLS, parsed
from .test_nodes import FOLDED, IN_MODELS, NEWER, NODES, RANDOM, ints, real
from .test_quantized_nodes import CASES as QUANTIZED

FIRST_OPSET = 7
REFUSED = {
    "Constant": {"sparse_value", "value_string", "value_strings"},
    "Range": {"stash_type"},
    "Scan": {"directions"},
}
"""Attributes that the importer never asks for."""


def schemas(operator: str) -> list[Any]:
    """Return a schema for each version of an operator that models may use: onnxruntime's, where the standard has
    none."""
    domain, _, name = operator.rpartition(".")
    if domain or operator in WITHOUT_DEFINITION:
        return [each for each in get_all_operator_schema() if (each.domain, each.name) == (domain, name)]
    found = {onnx.defs.get_schema(operator, opset).since_version: opset for opset in opsets(operator)}
    return [onnx.defs.get_schema(operator, opset) for opset in found.values()]


def opsets(operator: str) -> list[int]:
    every = range(FIRST_OPSET, onnx.defs.onnx_opset_version() + 1)
    return [opset for opset in every if onnx.defs.has(operator, opset) and not _is_gone(operator, opset)]


def _is_gone(operator: str, opset: int) -> bool:
    return onnx.defs.get_schema(operator, opset).deprecated


@pytest.fixture(scope="module")
def asked() -> dict[str, set[str]]:
    """Return the attributes that each converter asks for, in all the models of the tests of nodes."""
    found: dict[str, set[str]] = defaultdict(set)

    def note(node: ImportedNode) -> None:
        found[node.operator] |= node._read  # pyright: ignore[reportPrivateUsage]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ImportedNode, "check_attributes", note)
        for operator, inputs, constants, rest in (*NODES, *NEWER, *RANDOM, *QUANTIZED):
            import_model(node_model(operator, inputs, constants, **rest))
        for case in OF_ONNXRUNTIME:
            import_model(model_for(case)[0], values=values_of(case))
        for _, node, data in FOLDED:
            import_model(model_of([node], {"x": real(2, 3, 5)}, ["y"], data))
        for text, _ in CALLS.values():
            import_model(parsed(text))
        for text in structured_models.STRUCTURED.values():
            import_model(structured_models.model(text))
        for name, value in {
            "value": helper.make_tensor("v", 1, [1], [2.0]),
            "value_float": 1.0,
            "value_ints": [1],
        }.items():
            import_model(model_of([helper.make_node("Constant", [], ["y"], **{name: value})], {}, ["y"]))
    return found


@pytest.mark.each("operator", sorted(supported_operators() - IN_MODELS))
def test_every_attribute_of_every_version_is_accounted_for(operator: str, asked: dict[str, set[str]]) -> None:
    versions = schemas(operator)
    assert versions
    known = {name for schema in versions for name in schema.attributes}
    ignored = set(WITHOUT_EFFECT.get(operator, ()))
    assert ignored <= known
    if operator == "Constant":
        assert asked[operator] <= known
    assert known - asked[operator] - ignored - CONSTANTS.get(operator, set()) == REFUSED.get(operator, set())


CONSTANTS = {"Constant": {"value_floats", "value_int"}}
"""A constant has one attribute; the tests of nodes have those that stand here in other cases."""


def test_an_attribute_that_nobody_asks_for_is_refused_unless_it_is_the_default() -> None:
    x, scale = real(2, 3, 5), np.ones(5, np.float32)
    import_model(node_model("LayerNormalization", [x, scale], stash_type=1))
    with pytest.raises(TilewrightError) as caught:
        import_model(node_model("LayerNormalization", [x, scale], stash_type=11))
    assert caught.value.code == "TW0306"
    assert "stash_type" in str(caught.value)


def test_an_attribute_that_the_operator_does_not_have_is_refused() -> None:
    with pytest.raises(TilewrightError, match="'alpha'") as caught:
        import_model(node_model("Relu", [real(3)], alpha=0.5))
    assert caught.value.code == "TW0303"


@pytest.mark.parametrize(
    ("operator", "shape", "name"),
    [
        ("ReduceSum", (2, 3), "keepdims"),
        ("ArgMax", (2, 3), "select_last_index"),
        ("MaxPool", (1, 1, 4, 4), "ceil_mode"),
    ],
)
def test_a_flag_is_0_or_1(operator: str, shape: tuple[int, ...], name: str) -> None:
    needed = {"kernel_shape": [2, 2]} if operator == "MaxPool" else {}
    with pytest.raises(TilewrightError, match=f"TW0303.*expected '{name}' to be 0 or 1, but got -3"):
        import_model(node_model(operator, [real(*shape)], **needed, **{name: -3}))


def test_the_one_position_between_aligned_corners_is_the_first_corner() -> None:
    model = node_model("AffineGrid", [real(2, 2, 3)], [np.array([2, 3, 1, 4])], align_corners=1, opset=20)
    theta = real(2, 2, 3)
    with np.errstate(divide="ignore"):  # the reference divides by the distance, and does not use it
        (expected,) = ReferenceEvaluator(model).run(None, {model.graph.input[0].name: theta})
    (result,) = reference_results(import_model(model), theta)
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)


def test_an_operator_of_a_later_opset_is_refused() -> None:
    with pytest.raises(TilewrightError, match="opset 22 has no operator CumProd") as caught:
        import_model(node_model("CumProd", [real(3)], [np.array(0)], opset=22))
    assert caught.value.code == "TW0303"


def test_an_attribute_of_a_later_opset_is_refused() -> None:
    with pytest.raises(TilewrightError, match="'mode'") as caught:
        import_model(node_model("SpaceToDepth", [real(1, 2, 2, 4)], blocksize=2, mode="CRD", opset=13))
    assert caught.value.code == "TW0303"


def test_an_attribute_without_effect_may_have_any_value() -> None:
    x = real(4, 5)
    (result,) = reference_results(import_model(node_model("Dropout", [x], seed=3)), x)
    np.testing.assert_array_equal(result, x)


def test_a_margin_of_pixels_has_no_use_for_a_value() -> None:
    x = real(2, 3)
    model = node_model("Pad", [x], pads=[0, 1, 0, 1], mode="reflect", value=0.5, opset=8)
    (result,) = reference_results(import_model(model), x)
    np.testing.assert_array_equal(result, np.pad(x, ((0, 0), (1, 1)), "reflect"))


def test_pieces_must_be_as_many_as_outputs() -> None:
    with pytest.raises(TilewrightError, match="num_outputs") as caught:
        import_model(node_model("Split", [real(6)], outputs=2, num_outputs=3))
    assert caught.value.code == "TW0303"


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_space_to_depth_orders_channels_as_its_mode_says(mode: str) -> None:
    opset = onnx.defs.get_schema("SpaceToDepth").since_version
    if "mode" not in onnx.defs.get_schema("SpaceToDepth").attributes:
        pytest.skip("this onnx knows one mode")
    x = real(2, 3, 4, 6)
    model = node_model("SpaceToDepth", [x], blocksize=2, mode=mode, opset=opset)
    (expected,) = ReferenceEvaluator(model).run(None, {"x0": x})
    np.testing.assert_array_equal(tilewright.compile(import_model(model), "cpu")(x), expected)


@pytest.mark.parametrize("by", ["sizes", "scales"])
@pytest.mark.parametrize("axes", [[3, 1], [-1, 2], [0, 3, 2]])
def test_sizes_of_resize_belong_to_axes_in_their_order(by: str, axes: list[int]) -> None:
    x, factors = real(2, 3, 2, 5), [2, 3, 4][: len(axes)]
    given: list[Any] = [None, None, ints(*(x.shape[a] * f for a, f in zip(axes, factors, strict=True)))]
    if by == "scales":
        given = [None, np.array(factors, np.float32)]
    expected = x
    for axis, factor in zip(axes, factors, strict=True):
        expected = np.repeat(expected, factor, axis)
    model = node_model("Resize", [x], given, axes=axes, mode="nearest", opset=19)
    np.testing.assert_array_equal(tilewright.compile(import_model(model), "cpu")(x), expected)


@pytest.mark.parametrize("operator", ["AveragePool", "MaxPool"])
@pytest.mark.parametrize(
    ("kernel", "pads", "include"), [([900, 700], [0] * 4, 0), ([9, 20], [1, 0, 2, 3], 1), ([5, 30], [0, 2, 1, 2], 0)]
)
def test_a_window_larger_than_the_image_lies_in_it_once(
    operator: str, kernel: list[int], pads: list[int], include: int
) -> None:
    x = real(1, 2, 5, 7)
    rest: dict[str, Any] = {"count_include_pad": include} if operator == "AveragePool" else {}
    model = node_model(operator, [x], kernel_shape=kernel, strides=kernel, pads=pads, ceil_mode=1, **rest)
    (expected,) = onnxruntime_results(model, x)
    np.testing.assert_allclose(tilewright.compile(import_model(model), "cpu")(x), expected, rtol=1e-5, atol=1e-6)


def test_a_window_that_lies_nowhere_is_an_invalid_node() -> None:
    for ceil_mode in (0, 1):
        with pytest.raises(TilewrightError, match="window") as caught:
            import_model(node_model("AveragePool", [real(1, 2, 4)], kernel_shape=[6], strides=[2], ceil_mode=ceil_mode))
        assert caught.value.code == "TW0303"


@pytest.mark.parametrize(
    ("node", "constants"),
    [
        (helper.make_node("Range", ["z", "o", "n"], ["y"]), {"z": np.array(0), "o": np.array(1)}),
        (helper.make_node("Pad", ["x", "p", "n"], ["y"]), {"p": ints(0, 1)}),
    ],
    ids=lambda value: value.op_type if isinstance(value, onnx.NodeProto) else "",
)
def test_a_symbolic_size_where_a_number_is_needed(node: onnx.NodeProto, constants: dict[str, np.ndarray]) -> None:
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Squeeze", ["s", "ax"], ["n"]),
        node,
    ]
    model = model_of(nodes, {"x": ("int64", ["batch"])}, ["y"], {"ax": ints(0), **constants})
    with pytest.raises(TilewrightError) as caught:
        import_model(model)
    assert caught.value.code == "TW0304"
    assert "batch" in str(caught.value)
    assert "--size batch=N" in str(caught.value)


def test_masks_of_dropout_keep_everything() -> None:
    nodes = [helper.make_node("Dropout", ["x"], ["y", "m"]), helper.make_node("Not", ["m"], ["z"])]
    x = real(3)
    y, z = reference_results(import_model(model_of(nodes, {"x": x}, ["y", "z"])), x)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(z, [False] * 3)
