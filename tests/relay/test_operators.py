"""Operators of relay beside numpy: by the reference semantics, and compiled, many in one program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from relay_cases import CASES, Case, convolved
from tilewright import relay
from tilewright.classic.relay.types import TupleType

_TYPES = {"float64": "float32", "int64": "int32"}


def checked_types(value: Any) -> list[Any]:
    found = value.checked_type
    return list(found.fields) if isinstance(found, TupleType) else [found]


def same(found: np.ndarray, wanted: np.ndarray, what: str) -> None:
    assert found.shape == wanted.shape, f"{what}: {found.shape}, numpy has {wanted.shape}"
    np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=2e-5, err_msg=what)


@pytest.mark.each("case", CASES, ids=[case.name for case in CASES])
def test_an_operator_computes_as_numpy(case: Case) -> None:
    variables = case.variables()
    made = case.make(*variables)
    value = made.astuple() if isinstance(made, relay.Call) and len(made) > 1 else made
    program = relay.create_executor("debug").evaluate(relay.Function(variables, value))
    found = program(*case.arrays)
    results = found if isinstance(found, list) else [found]
    wanted = case.results()
    assert len(results) == len(wanted)
    for result, expected, type_ in zip(results, wanted, checked_types(value), strict=True):
        assert (result.shape, result.dtype.name) == (type_.shape, type_.dtype)
        kinds = {"f": "floats", "i": "integers", "u": "integers", "b": "truth values"}
        assert kinds[result.dtype.kind] == kinds[expected.dtype.kind], f"{result.dtype}, numpy has {expected.dtype}"
        same(np.asarray(result), expected, case.name)


_PART = 24
_PARTS = [CASES[k : k + _PART] for k in range(0, len(CASES), _PART)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("cases", _PARTS, ids=[part[0].name for part in _PARTS])
def test_operators_compiled_in_one_program(cases: list[Case]) -> None:
    variables: list[Any] = []
    fields: list[Any] = []
    counts: list[int] = []
    for number, case in enumerate(cases):
        variables_of_case = case.variables(f"x{number}_")
        variables += variables_of_case
        made = case.make(*variables_of_case)
        parts = list(made) if isinstance(made, (relay.Tuple, relay.Call)) else [made]
        fields += parts
        counts.append(len(parts))
    program = relay.create_executor("graph").evaluate(relay.Function(variables, relay.Tuple(fields)))
    results = iter(program(*(array for case in cases for array in case.arrays)))
    for case, count in zip(cases, counts, strict=True):
        for expected in case.results()[:count]:
            same(np.asarray(next(results)), expected, case.name)


def test_every_operator_has_a_case() -> None:
    """Names that stand for another one, and operators whose results a case of another name shows."""
    elsewhere = {"flip", "fast_softmax"}
    named = {case.name.split()[0] for case in CASES}
    modules = (*relay.op.PLAIN, relay.nn, relay.image, relay.vision)
    missing = {name for module in modules for name in module.__all__} - named - elsewhere
    assert not missing
    assert relay.flip is relay.reverse and relay.nn.fast_softmax is relay.nn.softmax


def _images() -> dict[str, tuple[Any, Any]]:
    """Return operators on images [n, 4, 6, 6] whose number is known when the program is called, and numpy's result."""
    nn, w = relay.nn, np.random.default_rng(4).standard_normal((5, 4, 3, 3), np.float32)
    rows = np.random.default_rng(5).standard_normal((7, 144), np.float32)
    ones = (1, 1)
    return {
        "exp": (relay.exp, np.exp),
        "arithmetic": (lambda x: x * x + 2.0, lambda x: x * x + 2),
        "comparison": (lambda x: relay.cast(x > relay.zeros_like(x), "int32"), lambda x: (x > 0).astype("int32")),
        "sum": (lambda x: relay.sum(x, (1, 2)), lambda x: x.sum((1, 2))),
        "mean of others": (lambda x: relay.mean(x, 0, exclude=True), lambda x: x.mean((1, 2, 3))),
        "max over images": (lambda x: relay.max(x, 0), lambda x: x.max(0)),
        "argmax": (lambda x: relay.argmax(x, 1), lambda x: x.argmax(1).astype("int32")),
        "variance": (lambda x: relay.variance(x, (2, 3)), lambda x: x.var((2, 3))),
        "concatenate": (lambda x: relay.concatenate([x, x], 1), lambda x: np.concatenate([x, x], 1)),
        "concatenate of images": (lambda x: relay.concatenate([x, x], 0), lambda x: np.concatenate([x, x])),
        "stack": (lambda x: relay.stack([x, x], 1), lambda x: np.stack([x, x], 1)),
        "split": (lambda x: relay.split(x, 2, 1)[1], lambda x: x[:, 2:]),
        "transpose": (lambda x: relay.transpose(x, (1, 0, 3, 2)), lambda x: x.transpose(1, 0, 3, 2)),
        "expand_dims": (lambda x: relay.expand_dims(x, 1), lambda x: x[:, None]),
        "reshape": (lambda x: relay.reshape(x, (0, -1)), lambda x: x.reshape(len(x), -1)),
        "batch_flatten": (nn.batch_flatten, lambda x: x.reshape(len(x), -1)),
        "squeeze": (lambda x: relay.squeeze(relay.sum(x, 1, keepdims=True), [1]), lambda x: x.sum(1)),
        "take": (lambda x: relay.take(x, relay.const([2, 0]), 1), lambda x: x[:, [2, 0]]),
        "where": (
            lambda x: relay.where(x > relay.ones_like(x), x, relay.exp(x)),
            lambda x: np.where(x > 1, x, np.exp(x)),
        ),
        "shape_of": (relay.shape_of, lambda x: np.array(x.shape, "int32")),
        "ndarray_size": (relay.ndarray_size, lambda x: np.int32(x.size)),
        "ones_like": (relay.ones_like, np.ones_like),
        "broadcast_to_like": (lambda x: relay.broadcast_to_like(relay.const(3.0), x), lambda x: np.full_like(x, 3)),
        "layout_transform": (lambda x: relay.layout_transform(x, "NCHW", "NHWC"), lambda x: x.transpose(0, 2, 3, 1)),
        "repeat of channels": (lambda x: relay.concatenate([x] * 3, 1), lambda x: np.tile(x, (1, 3, 1, 1))),
        "pad": (
            lambda x: nn.pad(x, ((0, 0), (0, 0), (1, 1), (2, 0))),
            lambda x: np.pad(x, ((0, 0), (0, 0), (1, 1), (2, 0))),
        ),
        "relu": (nn.relu, lambda x: np.maximum(x, 0)),
        "softmax": (lambda x: nn.softmax(x, 1), lambda x: np.exp(x) / np.exp(x).sum(1, keepdims=True)),
        "dense": (lambda x: nn.dense(nn.batch_flatten(x), relay.const(rows)), lambda x: x.reshape(len(x), -1) @ rows.T),
        "conv2d": (
            lambda x: nn.conv2d(x, relay.const(w), padding=1),
            lambda x: convolved(x, w, ones, (1, 1, 1, 1), ones),
        ),
        "max_pool2d": (lambda x: nn.max_pool2d(x, 2, 2), lambda x: x.reshape(len(x), 4, 3, 2, 3, 2).max((3, 5))),
        "global_avg_pool2d": (nn.global_avg_pool2d, lambda x: x.mean((2, 3), keepdims=True)),
        "batch_norm": (
            lambda x: nn.batch_norm(x, *(relay.const(np.full(4, v, "float32")) for v in (2, 1, 0, 3)), epsilon=1.0)[0],
            lambda x: x + 1,
        ),
        "strided_slice": (lambda x: relay.strided_slice(x, [1], [3], axes=[1]), lambda x: x[:, 1:3]),
        "cumsum": (lambda x: relay.cumsum(x, 1), lambda x: x.cumsum(1)),
        "topk": (lambda x: relay.topk(x, 2, 1, "values"), lambda x: -np.sort(-x, 1)[:, :2]),
        "image.resize2d": (
            lambda x: relay.image.resize2d(
                x, (12, 12), method="nearest_neighbor", coordinate_transformation_mode="asymmetric"
            ),
            lambda x: x.repeat(2, 2).repeat(2, 3),
        ),
    }


def test_operators_on_a_number_of_images_that_a_call_states() -> None:
    x = relay.var("x", shape=(relay.Any(), 4, 6, 6))
    n = relay.var("x", shape=("n", 4, 6, 6))
    cases = _images()
    made = {name: make(n) for name, (make, _) in cases.items()}
    for name, value in made.items():
        assert value.checked_type.dtype in ("float32", "int32"), name
    program = relay.create_executor("graph").evaluate(relay.Function([n], relay.Tuple(list(made.values()))))
    for count in (1, 3):
        given = np.random.default_rng(count).standard_normal((count, 4, 6, 6), np.float32)
        for (name, (_, expected)), found in zip(cases.items(), program(given), strict=True):
            same(np.asarray(found), np.asarray(expected(given)), f"{name} of {count} images")
    assert relay.exp(x).checked_type == x.checked_type and relay.nn.relu(x).checked_type == x.checked_type
    for refused, reason in ((lambda: relay.repeat(n, 2, 0), "a size"), (lambda: relay.tile(n, 2) + x, "")):
        with pytest.raises(tvm.TilewrightError, match=f"TW0320.*{reason}"):
            refused()
