"""Random quantised models: a short draw of the campaign, and that it sees what it is there to see."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from tilewright.frontends.onnx.registry import CONVERTERS

from .quantized_campaign import judge
from .quantized_draw import TIE, Drawn, Model, Quantized, finish
from .quantized_models import KINDS, draw

COUNT = 6 * len(KINDS)
ALL = 20 * len(KINDS)
"""The models within which everything is drawn."""
QUANTIZED = ("quantized", "quantized_operators")
"""The modules of converters of operators on quantised numbers."""


@pytest.mark.sampled(2)
@pytest.mark.each("part", range(len(KINDS)), ids=list(KINDS), shards=2)
def test_models_are_right_to_the_quantum(part: int) -> None:
    numbers = range(part, COUNT, len(KINDS))
    verdicts = [judge(draw(7, number)) for number in numbers]
    assert [verdict.problem for verdict in verdicts if verdict.problem] == []


@pytest.mark.sampled(3)
@pytest.mark.each("number", range(len(KINDS)), ids=list(KINDS), shards=2)
def test_compiled_models_are_right_to_the_quantum(number: int) -> None:
    assert judge(draw(8, number), "llvm").problem is None


def test_all_operators_of_quantised_models_are_drawn() -> None:
    """The importer's, and those that onnxruntime's quantiser leaves between conversions or on integers."""
    drawn = {node.op_type for number in range(ALL) for node in draw(3, number).model.graph.node}
    known = {
        operator.removeprefix("com.microsoft.")
        for operator, converter in CONVERTERS.items()
        if converter.partition(":")[0] in QUANTIZED
    }
    between = "Conv MatMul Gemm Add Mul Sub Max Min Relu Clip LeakyRelu Sigmoid Tanh HardSwish Abs MaxPool AveragePool"
    between += " Concat Split GlobalAveragePool ReduceMean ReduceSum Reshape Transpose Squeeze Flatten Slice Pad Gather"
    between += " Resize Where Softmax"
    assert known and {*known, *between.split(), "LayerNormalization", "ConvTranspose"} - drawn == set()


def test_draws_have_the_corners_of_quantised_models() -> None:
    drawn = [draw(3, number) for number in range(ALL)]
    corners = {corner for one in drawn for corner in one.corners}
    assert CORNERS - corners == set()
    assert {one.kind for one in drawn} == set(KINDS)


POSITIONS = ("at the low end", "at the high end", "in the middle", "elsewhere")
CORNERS = {
    *(f"{role}: zero point {at}" for role in ("activation", "weight", "result") for at in POSITIONS),
    *(f"{role}: zero points that differ" for role in ("activation", "weight")),
    *(f"{role} per {what}" for role in ("activation", "weight") for what in ("tensor", "channel")),
    *(f"activation of {dtype}" for dtype in ("int8", "uint8", "int16", "uint16")),
    *(f"weight of {dtype}" for dtype in ("int8", "uint8")),
    *(f"result saturates at the {end} end" for end in ("low", "high")),
    *(f"convolution of {rank} dimensions" for rank in (1, 2, 3)),
    *(f"convolution: {groups}" for groups in ("one group", "blocks of channels", "groups", "depthwise")),
    *(f"constants behind: {chosen}" for chosen in ("Mul", "Div", "Add", "Sub", "both")),
    *(
        "activation: scale and zero point that are data",
        "weight per block",
        "more than half of the result saturates",
        "no element saturates",
    ),
    *("integers at both ends", "all integers at the ends", "a tie within reach"),
    *("padding with 0", "padding with a zero point other than 0", "means of padding too"),
    *("bias of integers", "bias of floats", "relu behind", "clip behind", "open batch"),
}


def test_a_number_names_a_model_for_ever() -> None:
    first, second = draw(5, 8), draw(5, 8)
    assert first.model == second.model and np.array_equal(first.exact, second.exact)


def test_one_quantum_is_noticed_and_a_tie_is_either_one() -> None:
    exact = np.array([0.3, 1.5 + TIE / 2, -0.5, 7.0, 300.0])
    drawn = Drawn("", onnx.ModelProto(), {}, exact, (0, 255))
    assert drawn.wrong(np.array([0, 2, 0, 7, 255])) is None
    assert drawn.wrong(np.array([0, 1, 0, 7, 255])) is None
    for index, wrong in ((0, 1), (1, 3), (3, 8), (4, 254)):
        result = np.array([0, 2, 0, 7, 255])
        result[index] = wrong
        assert (drawn.wrong(result) or "").startswith("1 of 5 elements")


def test_integers_are_those_of_onnxruntime() -> None:
    """All but a few, next to ties."""
    verdicts = [judge(draw(9, number)) for number in range(3 * len(KINDS))]
    compared = [verdict.as_onnxruntime for verdict in verdicts if verdict.as_onnxruntime is not None]
    assert len(compared) > 2 * len(KINDS) and np.mean(compared) > 0.95


@pytest.mark.each("form", ["again", "sum", "mean"])
def test_numbers_are_exact_beside_a_large_zero_point(form: str) -> None:
    """The zero point is subtracted before a product by a scale is rounded: what is 0 stays 0 at any scale."""
    model = Model(np.random.default_rng(0))
    zero, integers = np.int16(32767), np.full((2, 3, 4, 4), 32767, np.int16)
    names = ["x", model.constant(np.float32(1.1)), model.constant(np.asarray(zero))]
    model.inputs["x"] = integers
    x = model.dequantize(Quantized(names, integers, np.float32(1.1), np.asarray(zero)))
    match form:
        case "sum":
            names = ["z", model.constant(np.float32(0.7)), names[2]]
            model.inputs["z"] = integers
            x = model.node("Add", [x, model.dequantize(Quantized(names, integers, np.float32(0.7), np.asarray(zero)))])
        case "mean":
            x = model.node("GlobalAveragePool", [x])
        case _:
            pass
    shape = (2, 3, 1, 1) if form == "mean" else integers.shape
    parameters = [model.constant(np.float32(1e-5)), model.constant(np.uint8(7))]
    drawn = finish(model, form, model.node("QuantizeLinear", [x, *parameters]), np.full(shape, 7.0), (0, 255), "uint8")
    assert judge(drawn, "llvm").problem is None
