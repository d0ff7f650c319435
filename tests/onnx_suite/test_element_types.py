"""A sample of the generated programs of operators and element types, and the list of those that are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from tilewright import TilewrightError
from tilewright.frontends.onnx import backend, import_model

from . import type_campaign
from .specimens import FORMS, Triple, triples
from .type_campaign import (
    REFUSED,
    SAME,
    WRONG,
    Verdict,
    judge,
    listed_refusals,
    not_allowed,
    programs,
    refused,
    write_refusals,
)

PAGE = Path(__file__).resolve().parents[2] / "docs" / "onnx.md"
EVERY = 499
"""Of as many programs one is in the sample."""
MOST_REFUSED = 2506
"""The number of programs in the list of refusals, which may only fall."""

MENDED = """
BatchNormalization-15 T float 1
CastLike-25 T2 string 1
Celu-12 T float 0
CenterCropPad-18 T bool 2
CenterCropPad-18 Tind int32 2
Constant-21 T string 2
Dropout-22 T float8e4m3fnuz 2
Dropout-7 T float 2
DynamicQuantizeLinear-11 T1 float empty
Erf-9 T int32 2
GridSample-20 T1 uint8 4
IsInf-20 T1 float8e5m2fnuz 1
IsNaN-20 T1 float8e5m2 2
MaxRoiPool-1 T double 4
Pad-25 T bool 2
Pad-25 T float4e2m1 2
Pad-25 T int2 empty
ReduceMean-18 T int32 3
ReduceMean-13 T uint64 2
Resize-13 T1 uint8 4
Resize-19 T1 int16 2
ScatterND-18 T bool 2
Unique-28 T bool 3
"""


def test_no_program_of_the_sample_is_wrong() -> None:
    found = [judge(*each) for each in programs()[::EVERY]]
    assert sum(each.outcome == SAME for each in found) > 40
    assert not_allowed(found, listed_refusals()) == []


def test_element_types_of_operators_that_take_floats_in_other_systems() -> None:
    wanted = MENDED.split("\n")[1:-1]
    found = [judge(*each) for each in programs() if f"{each[0]} {each[1]}" in wanted]
    assert len(found) == len(wanted)
    assert [str(each) for each in found if each.outcome != SAME] == []


def test_the_list_of_refusals_only_shrinks() -> None:
    listed = listed_refusals()
    known = {(triple, form) for triple in triples() for form in FORMS}
    assert len(listed) <= MOST_REFUSED
    assert [str(key[0]) for key in listed if key not in known] == []
    assert [str(key[0]) for key, refusal in listed.items() if refusal.code == "TW0303"] == []


def test_the_list_is_read_as_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        Verdict(Triple("Pad", 25, "T", element), form, REFUSED, "no form; none: at all", "TW0317")
        for element in ("bool", "int4")
        for form in ("2", "empty")
    ]
    monkeypatch.setattr(type_campaign, "REFUSALS", tmp_path / "refusals.txt")
    write_refusals(refused(found), tmp_path / "refusals.txt")
    assert listed_refusals() == refused(found)


def test_what_fails_a_campaign() -> None:
    triple = Triple("Pad", 25, "T", "bool")
    refusal = Verdict(triple, "2", REFUSED, "no form", "TW0317")
    blame = Verdict(triple, "2", REFUSED, "no form", "TW0303")
    wrong = Verdict(triple, "2", WRONG, "1, not 2")
    assert not_allowed([refusal], refused([refusal])) == []
    assert not_allowed([refusal], {}) == [refusal]
    assert not_allowed([blame], refused([blame])) == [blame]
    assert not_allowed([wrong], refused([refusal])) == [wrong]


def test_a_wrong_result_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    triple = Triple("Add", 14, "T", "float16")
    assert judge(triple, "2").outcome == SAME
    run = type_campaign._results
    for spoil in (lambda y: y + np.float16(0.25), lambda y: y.astype(np.float32), lambda y: y[:1]):
        monkeypatch.setattr(type_campaign, "_results", lambda program, spoil=spoil: [spoil(y) for y in run(program)])
        assert judge(triple, "2").outcome == WRONG


def _node_of(operator: str, element: int, **attributes: int) -> onnx.ModelProto:
    node = helper.make_node(operator, ["x"], ["y"], name="the_node", **attributes)
    x, y = helper.make_tensor_value_info("x", element, [4]), helper.make_empty_tensor_value_info("y")
    graph = helper.make_graph([node], "g", [x], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 26)], ir_version=10)


def test_a_type_that_the_standard_allows_is_no_fault_of_the_node() -> None:
    """A node of a type that its operator does not have is wrong; one of a type that it has is not supported."""
    codes: list[str] = []
    for model in (
        _node_of("BitCast", TensorProto.FLOAT8E5M2, to=TensorProto.UINT8),
        _node_of("Sqrt", TensorProto.INT32),
    ):
        with pytest.raises(TilewrightError) as caught:
            import_model(model)
        codes.append(caught.value.code)
    assert codes == ["TW0317", "TW0303"]


def test_means_of_large_integers_are_exact() -> None:
    x = np.array([2**60 + 1, 2**60 + 3, 2**60 + 5, 2**60 + 8])
    (mean,) = backend.prepare(_node_of("ReduceMean", TensorProto.INT64, keepdims=0)).run([x])
    assert mean == sum(map(int, x)) // 4


def test_the_page_has_the_reasons_of_the_list() -> None:
    assert type_campaign.table_of_reasons(listed_refusals()) in PAGE.read_text()
