"""Requirements of every graph operation: an example, a round trip, and result types as inferred."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tilewright.dialects import context, graph
from tilewright.dialects.graph import make_type, shape_of
from tilewright.operators import OPERATORS, describe
from xdsl.dialects import test
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, UnrankedTensorType, f32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

LIT = Path(__file__).resolve().parents[2] / "lit" / "graph"


def values(*types: Attribute) -> list[SSAValue]:
    return list(test.TestOp(result_types=types).results)


@pytest.mark.each("name", graph.OPERATIONS)
def test_docstring_has_an_example(name: str) -> None:
    example = re.search(r"```mlir\n(.*?)```", graph.OPERATIONS[name].__doc__ or "", re.DOTALL)
    assert example is not None and f"graph.{name}" in example[1]


def test_round_trip_of_structure_is_tested() -> None:
    """The operators' is tested on the cases in tests/operators."""
    text = "".join((LIT / name).read_text() for name in ("round-trip.mlir", "regions.mlir")).replace("\n", " ")
    structure = {name for name, operation in graph.OPERATIONS.items() if name not in OPERATORS}
    assert structure == {"constant", "fused", "if", "loop", "yield"} and all(
        f"graph.{name} " in text for name in structure
    )


@pytest.mark.each("name", OPERATORS)
def test_description_has_the_example(name: str) -> None:
    if name in graph.OPERATIONS:
        text = describe(name)
        assert f"## graph.{name}\n" in text and f"= graph.{name} " in text and "- fusion: " in text


def test_built_from_python_values() -> None:
    x, w = values(TensorType(f32, [1, 3, 8, 8]), TensorType(f32, [4, 3, 3, 3]))
    op = graph.Conv2dOp.of(x, w, strides=(2, 2), padding=(1, 1, 1, 1))
    op.verify()
    assert op.y.type == TensorType(f32, [1, 4, 4, 4])
    window = {"strides": (2, 2), "padding": (1, 1, 1, 1), "dilations": (1, 1)}
    assert op.values == {**window, "groups": 1, "pad_value": 0, "out_dtype": None}


def test_failed_construction_leaves_no_uses() -> None:
    a, b = values(TensorType(f32, [2]), TensorType(f32, [3]))
    with pytest.raises(VerifyException, match="expected shapes that broadcast"):
        graph.AddOp.of(a, b)
    assert a.first_use is None and b.first_use is None


def test_flags_and_types_as_values() -> None:
    (x,) = values(TensorType(f32, [2, 3]))
    assert graph.ReduceSumOp.of(x, axes=(1,), keepdims=True).values == {"axes": (1,), "keepdims": True}
    assert graph.ReduceSumOp.of(x, axes=(1,), keepdims=False).values == {"axes": (1,), "keepdims": False}
    assert graph.CastOp.of(x, to="int64").values == {"to": "int64"}
    assert graph.ClipOp.of(x, low=0.0).values == {"low": 0.0, "high": None}


@pytest.mark.parametrize(
    ("declared", "fits"),
    [
        (TensorType(f32, [2, 3]), True),
        (TensorType(f32, [DYNAMIC_INDEX, 3]), True),
        (UnrankedTensorType(f32), True),
        (TensorType(f32, [2, 4]), False),
        (TensorType(f32, [2]), False),
        (TensorType(i64, [2, 3]), False),
        (UnrankedTensorType(i64), False),
        (make_type(("n", 3), f32), False),
    ],
)
def test_declared_type_may_say_less(declared: Attribute, fits: bool) -> None:
    (x,) = values(TensorType(f32, [2, 3]))
    op = graph.ReluOp.create(operands=[x], result_types=[declared])
    if fits:
        op.verify()
    else:
        with pytest.raises(VerifyException, match="expected result type tensor<2x3xf32>, but got"):
            op.verify()


def test_named_sizes_flow() -> None:
    (x,) = values(make_type(("n", 4, 6), f32))
    assert shape_of(graph.ReshapeOp.of(x, shape=(0, -1)).y) == ("n", 24)
    assert shape_of(graph.FlattenOp.of(x, axis=1).y) == ("n", 24)
    assert shape_of(graph.FlattenOp.of(x, axis=2).y) == ("4 * n", 6)
    assert shape_of(graph.ConcatOp.of(x, x, axis=0).y) == ("2 * n", 4, 6)
    assert shape_of(graph.ConcatOp.of(x, x, axis=1).y) == ("n", 8, 6)
    assert shape_of(graph.TransposeOp.of(x, permutation=(1, 2, 0)).y) == (4, 6, "n")
    assert shape_of(graph.BroadcastToOp.of(x, shape=(5, -1, 4, -1)).y) == (5, "n", 4, 6)


@pytest.mark.parametrize(
    ("value", "text"), [(6.0, "6.0"), (1e-30, "1.0e-30"), (float("inf"), "inf"), (-float("inf"), "minus_inf")]
)
def test_numbers_survive_text(value: float, text: str) -> None:
    source = f"func.func @f(%x: tensor<2xf32>) {{ %y = graph.clip %x low {text} : tensor<2xf32> func.return }}"
    (op,) = (op for op in Parser(context(), source).parse_module().walk() if isinstance(op, graph.ClipOp))
    assert op.values["low"] == value
    assert f"low {text} :" in str(op)
