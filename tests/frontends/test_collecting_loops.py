"""Loops and scans that collect values, for as long as a condition says, without iterations too, beside onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx.converters import loops

from .structured_models import X, model, scan

COLLECTING = """
main (float[2] x, {inputs} float[2] start) => (float[2] last, float[n, 2] sums, int64[m] numbers) {{
  last, sums, numbers = Loop ({trips}, {going}, start) <body = again (int64 k, bool c, float[2] h)
      => (bool next, float[2] g, float[2] part, int64 number) {{
    most = Constant <value_float = 10.0> ()
    g = Add(h, x)
    total = ReduceSum <keepdims = 0> (g)
    next = Less(total, most)
    part = Neg(g)
    number = Identity(k)
  }}>
}}
"""

START, STEP = np.array([0, 1], np.float32), np.array([1, 2], np.float32)


def differences(
    proto: onnx.ModelProto, calls: Sequence[dict[str, Any]], targets: Sequence[str] = ("cpu", "interpreter")
) -> list[str]:
    """Return the calls of which a result is not that of onnxruntime."""
    session = onnxruntime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    wrong: list[str] = []
    for target in targets:
        program = tilewright.compile(proto, target)
        for inputs in calls:
            given = {name: np.asarray(value) for name, value in inputs.items()}
            for result, wanted in zip(program.run(given).items(), session.run(None, given), strict=True):
                name, found = result
                if (found.shape, found.dtype) != (wanted.shape, wanted.dtype) or not np.allclose(found, wanted):
                    wrong.append(f"{target} {inputs}: {name} is {found} instead of {wanted}")
    return wrong


def test_a_condition_of_the_body_ends_a_loop_that_collects() -> None:
    proto = model(COLLECTING.format(inputs="int64 n, bool c,", trips="n", going="c"))
    pairs = ((5, True), (2, True), (1, True), (0, True), (-3, True), (5, False), (2**62, True), (2**63 - 1, False))
    calls = [{"x": STEP, "n": n, "c": c, "start": START} for n, c in pairs]
    calls.append({"x": STEP, "n": 7, "c": True, "start": START + 100})
    assert not (wrong := differences(proto, calls, ("cpu", "c", "interpreter"))), "\n".join(wrong)


def test_numbers_and_conditions_that_are_left_out() -> None:
    calls = [{"x": STEP * scale, "start": START} for scale in (1, 0.25, 100)]
    wrong: list[str] = []
    for trips, going, head in (
        ("", "", ""),
        ("", "yes", "yes = Constant <value = bool {1}> ()"),
        ("three", "", "three = Constant <value_int = 3> ()"),
    ):
        text = COLLECTING.format(inputs="", trips=trips, going=going).replace(") {\n", f") {{\n  {head}\n", 1)
        wrong += differences(model(text), calls)
    assert not wrong, "\n".join(wrong)


def test_what_follows_takes_as_many_as_were_collected() -> None:
    text = COLLECTING.format(inputs="int64 n,", trips="n", going="").rstrip().removesuffix("}")
    head, outputs = text.split("(float[2] last, float[n, 2] sums, int64[m] numbers)"), "(float[2] all, int64 count)"
    proto = model(
        f"""{outputs.join(head)}
        zero = Constant <value_ints = [0]> ()
        all = ReduceSum <keepdims = 0> (sums, zero)
        count = Size(numbers)
        }}"""
    )
    calls = [{"x": STEP, "n": n, "start": START} for n in (5, 2, 0)]
    assert not (wrong := differences(proto, calls)), "\n".join(wrong)


NESTED = """
main (float[2] x, int64 n) => (float[2] last, float[{parts}, 2] all, float[{parts}] totals) {{
  last, all, totals = Loop (n, , x) <body = outer (int64 k, bool c, float[2] h)
      => (bool next, float[2] g, float[2] part, float total) {{
    one = Constant <value_float = 1.0> ()
    yes = Constant <value = bool {{1}}> ()
    g = Loop (, yes, h) <body = inner (int64 j, bool d, float[2] v) => (bool again, float[2] w) {{
      w = Add(v, one)
      sum = ReduceSum <keepdims = 0> (w)
      twenty = Constant <value_float = 20.0> ()
      again = Less(sum, twenty)
    }}>
    part = Mul(g, x)
    total = ReduceSum <keepdims = 0> (part)
    next = {next}
  }}>
}}
"""


@pytest.mark.parametrize("next_", ["Identity(c)", "Less(total, most)"])
def test_loops_within_loops(next_: str) -> None:
    text = NESTED.format(parts="r", next=next_)
    if "most" in next_:
        text = text.replace("one = Constant", "most = Constant <value_float = 60.0> ()\n    one = Constant", 1)
    calls = [{"x": STEP, "n": n} for n in (3, 1, 0)]
    assert not (wrong := differences(model(text), calls)), "\n".join(wrong)


def test_a_loop_that_is_written_out_may_have_no_iteration() -> None:
    proto = model("""
    main (float[2, 3] x, int64 n) => (float[a, 3] y, float[b, 1, 3] parts) {
      one = Constant <value_ints = [1]> ()
      zero = Constant <value_ints = [0]> ()
      y, parts = Loop (n, , x) <body = again (int64 k, bool c, float[r, 3] h)
          => (bool next, float[s, 3] g, float[1, 3] part) {
        next = Identity(c)
        g = Concat <axis = 0> (h, x)
        part = Slice(g, zero, one)
      }>
    }""")
    assert not (wrong := differences(proto, [{"x": X, "n": n} for n in (3, 1, 0)])), "\n".join(wrong)


@pytest.mark.parametrize("axes", ["", ", scan_output_directions = [1]", ", scan_input_directions = [1]"])
def test_scans_of_nothing(axes: str) -> None:
    """onnxruntime cannot cut an empty tensor."""
    last, all_ = tilewright.compile(model(scan("0, 2", axes)))(START, np.zeros((0, 2), np.float32))
    np.testing.assert_array_equal(last, START)
    assert all_.shape == (0, 2)
    program = tilewright.compile(model(scan("n, 2", axes)))
    for size in (0, 2):
        last, all_ = program(START, np.ones((size, 2), np.float32))
        np.testing.assert_array_equal(last, START + size)
        assert all_.shape == (size, 2)


def test_a_loop_that_needs_more_room_than_it_has_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("_MOST_ROOM", 8), ("_USUAL_ROOM", 6), ("_USUAL_ITERATIONS", 1)):
        monkeypatch.setattr(loops, name, value)
    proto = model(COLLECTING.format(inputs="int64 n,", trips="n", going=""))
    for target in ("cpu", "interpreter"):
        program = tilewright.compile(proto, target)
        assert program(STEP, np.array(2**62), START + 2)[1].shape == (2, 2)
        assert program(STEP, np.array(3), START)[1].shape == (3, 2)
        with pytest.raises(TilewrightError) as error:
            program(STEP, np.array(2**62), START - 1)
        assert error.value.code == "TW0730"
        if target == "cpu":
            assert "last_has_room_for_3_iterations[1] is read" in error.value.message
