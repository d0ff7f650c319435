"""Random quantised models: a short draw of the campaign, and that it sees what it is there to see."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from .quantized_campaign import judge
from .quantized_models import KINDS, TIE, Drawn, draw

COUNT = 6 * len(KINDS)


@pytest.mark.each("part", range(len(KINDS)), ids=list(KINDS))
def test_models_are_right_to_the_quantum(part: int) -> None:
    numbers = range(part, COUNT, len(KINDS))
    verdicts = [judge(draw(7, number)) for number in numbers]
    assert [verdict.problem for verdict in verdicts if verdict.problem] == []


@pytest.mark.sampled(3)
@pytest.mark.each("number", range(len(KINDS)), ids=list(KINDS))
def test_compiled_models_are_right_to_the_quantum(number: int) -> None:
    assert judge(draw(8, number), is_compiled=True).problem is None


def test_draws_have_what_quantised_models_have() -> None:
    drawn = [draw(3, number) for number in range(400)]
    constants = [onnx.numpy_helper.to_array(each) for one in drawn for each in one.model.graph.initializer]
    whole = {array.dtype.name: set[int]() for array in constants if array.dtype.kind in "iu"}
    for array in constants:
        if array.dtype.name in whole and array.size == 1:
            whole[array.dtype.name].add(int(array.reshape(())))
    assert {0, 128, 255} <= whole["uint8"] and {-128, 0, 127} <= whole["int8"]
    saturated = [((d.exact < d.limits[0]) | (d.exact > d.limits[1])).mean() for d in drawn if d.limits is not None]
    assert np.mean(np.array(saturated) > 0) > 0.4 and np.mean(np.array(saturated) < 0.5) > 0.5
    assert {d.kind for d in drawn} == set(KINDS)


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
