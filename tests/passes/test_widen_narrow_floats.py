"""Networks of float16 and bfloat16 whose convolutions and products are computed in float32."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import onnx
import onnx.parser
import onnxruntime
import pytest
import tilewright
from onnx import helper, numpy_helper
from operator_case import build
from operator_cases import CASES
from tilewright import PassContext
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context
from tilewright.dialects.dtypes import dtype_name
from tilewright.dialects.graph import GraphOp, MatmulOp, element_of
from tilewright.dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from tilewright.frontends.onnx import import_model
from tilewright.operators import OPERATORS
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.framework.validation import Validation
from tilewright.passes.phase0 import widen_narrow_floats as widening
from tilewright.schedule.decisions import deciding
from xdsl.dialects.builtin import ModuleOp

NARROW = {"FLOAT16": np.dtype(np.float16), "BFLOAT16": np.dtype(ml_dtypes.bfloat16)}
ULP = {"FLOAT16": 2.0**-10, "BFLOAT16": 2.0**-7}
"""The distance of neighbouring numbers, of 1."""
PASS = "widen-narrow-floats"
TARGET = CpuTargetAttr.get(["avx2", "fma", "f16c"], 256, [32 << 10, 512 << 10, 0], 1)

LAYERS = """\
<ir_version: 9, opset_import: ["" : 17]>
network (TYPE[1,8,9,9] x) => (TYPE[1,5] y, TYPE[1,8,5,5] other, bool[1,8,5,5] large)
{
  c = Conv<pads=[1,1,1,1]>(x, w1)
  n = BatchNormalization(c, scale, shift, mean, variance)
  r = Relu(n)
  d = Conv<pads=[1,1,1,1], group=8>(r, w2, b2)
  joined = Concat<axis=1>(d, r)
  e = Conv<strides=[2,2], pads=[1,1,1,1]>(joined, w3)
  a = HardSwish(e)
  other = Mul(a, a)
  large = Greater(other, e)
  p = GlobalAveragePool(a)
  f = Flatten(p)
  y = Gemm<transB=1>(f, w4, b4)
}
"""
SHAPES = {
    "w1": (8, 8, 3, 3),
    "w2": (8, 1, 3, 3),
    "b2": (8,),
    "w3": (8, 16, 3, 3),
    "w4": (5, 8),
    "b4": (5,),
} | dict.fromkeys(("scale", "shift", "mean", "variance"), (8,))

ATTENTION = """\
<ir_version: 9, opset_import: ["" : 17]>
network (TYPE[1,12,16] x) => (TYPE[1,12,16] y)
{
  q = MatMul(x, wq)
  k = MatMul(x, wk)
  turned = Transpose<perm=[0,2,1]>(k)
  s = MatMul(q, turned)
  p = Softmax<axis=-1>(s)
  v = MatMul(p, x)
  sum = Add(v, x)
  y = LayerNormalization(sum, gain, offset)
}
"""
ATTENTION_SHAPES = {"wq": (16, 16), "wk": (16, 16), "gain": (16,), "offset": (16,)}


def model(text: str, shapes: dict[str, tuple[int, ...]], type_: str) -> onnx.ModelProto:
    """Return a network with drawn weights of a narrow type."""
    result = onnx.parser.parse_model(text.replace("TYPE", type_.lower()))
    rng, dtype = np.random.default_rng(0), NARROW[type_]
    for name, shape in shapes.items():
        array = rng.standard_normal(shape) / np.sqrt(max(np.prod(shape[1:]), 4))
        array = (np.abs(array) + 0.5 if name == "variance" else array).astype(dtype)
        code = getattr(onnx.TensorProto, type_)
        result.graph.initializer.append(helper.make_tensor(name, code, array.shape, array.tobytes(), raw=True))
    return result


def in_float32(narrow: onnx.ModelProto) -> onnx.ModelProto:
    """Return the same network, with the same numbers, in float32."""
    result = onnx.ModelProto()
    result.CopyFrom(narrow)
    for tensor in result.graph.initializer:
        array = numpy_helper.to_array(tensor).astype(np.float32)
        tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))
    for value in (*result.graph.input, *result.graph.output):
        if value.type.tensor_type.elem_type != onnx.TensorProto.BOOL:
            value.type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    del result.graph.value_info[:]
    return result


def run(model: onnx.ModelProto, x: np.ndarray, **options: Any) -> list[np.ndarray]:
    results = tilewright.compile(model, **options)(x)
    return [np.asarray(each) for each in (results if isinstance(results, (tuple, list)) else [results])]


NETWORKS = {"layers": (LAYERS, SHAPES, (1, 8, 9, 9)), "attention": (ATTENTION, ATTENTION_SHAPES, (1, 12, 16))}


@pytest.mark.sampled(2)
@pytest.mark.each(("name", "type_"), [(name, type_) for name in NETWORKS for type_ in NARROW], shards=2)
def test_results_are_those_of_float32_within_the_rounding_of_the_type(name: str, type_: str) -> None:
    """A few roundings of half a unit each, of numbers near one."""
    text, shapes, shape = NETWORKS[name]
    network = model(text, shapes, type_)
    x = np.random.default_rng(1).standard_normal(shape).astype(NARROW[type_])
    wide = in_float32(network)
    session = onnxruntime.InferenceSession(wide.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = session.run(None, {"x": x.astype(np.float32)})
    found = run(network, x)
    for ours, theirs in zip(found, expected, strict=True):
        if ours.dtype == bool:
            assert (ours != theirs).mean() < 0.02  # numbers that are nearly equal
            continue
        assert ours.dtype == NARROW[type_]
        np.testing.assert_allclose(ours.astype(np.float32), theirs, atol=6 * ULP[type_], rtol=4 * ULP[type_])


@pytest.mark.each("name", NETWORKS)
def test_float16_is_as_near_to_float32_as_onnxruntime_comes(name: str) -> None:
    text, shapes, shape = NETWORKS[name]
    network = model(text, shapes, "FLOAT16")
    x = np.random.default_rng(2).standard_normal(shape).astype(np.float16)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    theirs, exact = (
        onnxruntime.InferenceSession(m.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(
            None, {"x": given}
        )
        for m, given in ((network, x), (in_float32(network), x.astype(np.float32)))
    )
    for a, b, c in zip(run(network, x), theirs, exact, strict=True):
        if a.dtype != bool:
            ours, peer = (np.abs(each.astype(np.float32) - c).max() for each in (a, b))
            assert ours <= 1.5 * peer + ULP["FLOAT16"] * np.abs(c).max()


@pytest.mark.sampled(2)
@pytest.mark.each("type_", NARROW, shards=2)
def test_the_pass_agrees_with_the_operators_that_it_replaces(type_: str) -> None:
    """Within roundings: normalisation reads sums that are rounded without the pass."""
    network = model(LAYERS, SHAPES, type_)
    x = np.random.default_rng(3).standard_normal((1, 8, 9, 9)).astype(NARROW[type_])
    wide = run(network, x)
    with PassContext(disabled_pass=[PASS]):
        plain = run(network, x)
    for ours, theirs in zip(wide[:2], plain[:2], strict=True):
        a, b = ours.astype(np.float32), theirs.astype(np.float32)
        np.testing.assert_allclose(a, b, atol=4 * ULP[type_], rtol=4 * ULP[type_])


@pytest.mark.each("type_", NARROW)
def test_each_result_is_a_number_of_the_type(type_: str) -> None:
    """Whatever reads it: here a conversion to float32, which ends in no narrow value."""
    text = """\
<ir_version: 9, opset_import: ["" : 17]>
network (TYPE[1,8,9,9] x) => (float[1,8,9,9] y)
{
  c = Conv<pads=[1,1,1,1]>(x, w1)
  s = Add(c, c)
  p = Softmax<axis=1>(s)
  y = Cast<to=1>(p)
}
"""
    x = np.random.default_rng(5).standard_normal((1, 8, 9, 9)).astype(NARROW[type_])
    (found,) = run(model(text, {"w1": (8, 8, 3, 3)}, type_), x)
    np.testing.assert_array_equal(found, found.astype(NARROW[type_]).astype(np.float32))


@pytest.mark.each("type_", NARROW)
def test_validation_accepts_the_pass_and_those_that_follow(type_: str) -> None:
    module = import_model(model(LAYERS, SHAPES, type_))
    module.attributes[TARGET_ATTRIBUTE] = TARGET
    passes = parse_pipeline(f"infer-types,{PASS},simplify-inference,fold-constant,block-channels,pack-weights")
    PassManager(passes, [Validation(2)]).run(context(), module)


def widened(network: onnx.ModelProto, answers: dict[str, Any] | None = None) -> ModuleOp:
    """Return the module of a network after the pass."""
    module = import_model(network)
    module.attributes[TARGET_ATTRIBUTE] = TARGET
    with deciding(answers or {}):
        PassManager(parse_pipeline(f"infer-types,{PASS}")).run(context(), module)
    return module


def test_what_is_widened_has_the_passes_of_float32() -> None:
    """Transformed tiles, packed weights, and folded normalisation."""
    network = model(LAYERS, SHAPES, "FLOAT16")
    module = widened(network)
    PassManager(parse_pipeline("simplify-inference,fold-constant,block-channels,winograd,fold-constant,dead-code")).run(
        context(), module
    )
    text = str(module)
    assert "graph.blocked_conv2d" in text and "batch_norm" not in text and "graph.conv2d" not in text
    assert text.count("graph.dense") == 1  # one row, of narrow weights
    assert "tensor<5x8xf16>" in text


def test_the_choice_is_a_decision() -> None:
    network = model(ATTENTION, ATTENTION_SHAPES, "FLOAT16")
    with deciding({}) as asked:
        module = import_model(network)
        module.attributes[TARGET_ATTRIBUTE] = TARGET
        PassManager(parse_pipeline(f"infer-types,{PASS}")).run(context(), module)
    keys = [key for key, each in asked.asked.items() if each.name == "widen"]
    assert keys and all(asked.asked[key].value is True and asked.asked[key].changes_sums for key in keys)
    left = widened(network, answers=dict.fromkeys(keys, False))
    products = [op for op in left.walk() if isinstance(op, MatmulOp)]
    assert len(products) == 4 and all(dtype_name(element_of(op.b)) == "float16" for op in products)


def test_a_symbolic_number_of_rows_is_named_in_a_remark() -> None:
    text = ATTENTION.replace("[1,12,16]", "[n,12,16]").replace("[1,12,16] y", "[n,12,16] y")
    rows = "TYPE[n,16] x) => (TYPE[n,4] y)"
    alone = f'<ir_version: 9, opset_import: ["" : 17]>\nnetwork ({rows} {{ y = MatMul(x, w) }}'
    with collect_remarks() as remarks:
        module = widened(model(alone, {"w": (16, 4)}, "FLOAT16"))
    assert "tensor<16x4xf16>" in str(module) and "16x4xf32" not in str(module)
    assert [r.code for r in remarks if r.code.startswith("TW079")] == ["TW0792"]
    assert "xf32" in str(widened(model(text, ATTENTION_SHAPES, "FLOAT16")))  # twelve rows at least


@pytest.mark.sampled(2)
@pytest.mark.each(("type_", "columns"), [("FLOAT16", 32), ("BFLOAT16", 32), ("FLOAT16", 10)], shards=2)
def test_products_of_few_and_of_any_rows_are_rounded_once(type_: str, columns: int) -> None:
    """Weights in blocks of columns, and others; beside sums in double precision."""
    dtype = NARROW[type_]
    text = f"""\
<ir_version: 9, opset_import: ["" : 17]>
network (TYPE[ROWS,48] x) => (TYPE[ROWS,{columns}] y, TYPE[ROWS,{columns}] z)
{{
  y = MatMul(x, w)
  z = Gemm<transB=1>(x, v, b)
}}
"""
    shapes = {"w": (48, columns), "v": (columns, 48), "b": (columns,)}
    any_rows = tilewright.compile(model(text.replace("ROWS", "n"), shapes, type_))
    for rows in (1, 2, 5, 8, 9):
        network = model(text.replace("ROWS", str(rows)), shapes, type_)
        w, v, b = (numpy_helper.to_array(each).astype(np.float64) for each in network.graph.initializer)
        x = np.random.default_rng(rows).standard_normal((rows, 48)).astype(dtype)
        for program in (tilewright.compile(network), any_rows):
            for found, exact in zip(
                program(x), (x.astype(np.float64) @ w, x.astype(np.float64) @ v.T + b), strict=True
            ):
                ours = np.asarray(found).astype(np.float64)
                assert np.all(np.abs(ours - exact) <= np.abs(exact) * ULP[type_] / 2 + 1e-5)


def is_exact(value: object) -> bool:
    """Return whether a property is no number, or one of float16: the pass rounds results of all others."""
    return not isinstance(value, float) or float(np.float16(value)) == value


SELECTING = [
    case
    for case in CASES
    if case.operator in widening._SELECTS and all(map(is_exact, case.values.values()))  # pyright: ignore
]


def test_what_selects_gives_numbers_of_the_type_of_its_operands() -> None:
    """Computed in float32 from numbers of float16, without rounding."""
    failed: list[str] = []
    for case in SELECTING:
        arrays = [a.astype(np.float16).astype(np.float32) if a.dtype == np.float32 else a for a in case.arrays()]
        (op,) = (each for each in build(case).walk() if isinstance(each, GraphOp))
        for result in OPERATORS[case.operator].evaluate(op, *arrays):
            if result.dtype == np.float32 and (result.astype(np.float16).astype(np.float32) != result).any():
                failed.append(str(case))
    assert not failed
    assert {case.operator for case in SELECTING} == widening._SELECTS  # pyright: ignore
