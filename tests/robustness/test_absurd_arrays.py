"""Arrays of absurd size, made by strides of 0, end in a code before a copy is allocated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.runtime import memory
from tilewright.runtime.kernels.device_array import DeviceArray
from tilewright.semantics import evaluate
from xdsl.dialects.builtin import ModuleOp

MODEL = """\
func.func @main(%x: tensor<?x?xf32, #graph.dims<n, m>>) -> tensor<?x?xf32, #graph.dims<n, m>> {
  %0 = graph.relu %x : tensor<?x?xf32, #graph.dims<n, m>>
  return %0 : tensor<?x?xf32, #graph.dims<n, m>>
}
"""


def absurd(shape: tuple[int, ...]) -> np.ndarray:
    """Return an array of that shape with one element."""
    return np.lib.stride_tricks.as_strided(np.zeros(1, np.float32), shape, (0,) * len(shape))


def module() -> ModuleOp:
    return parse(context(), MODEL, "m.mlir")


def kernel(target: str, rows: Any = None) -> Any:
    n = te.var("n") if rows is None else rows
    a = te.placeholder((n, n), name="A")
    b = te.compute((n, n), lambda i, j: a[i, j] + 1.0, name="B")
    return tilewright.build([a, b], [a, b], target=target)


HUGE = absurd((1 << 30, 1 << 30))
CALLS: dict[str, Callable[[], object]] = {
    "a kernel": lambda: kernel("cpu")(HUGE),
    "a kernel with its output": lambda: kernel("cpu")(HUGE, np.zeros((3, 3), np.float32)),
    "a model": lambda: tilewright.compile(module())(HUGE),
    "a model by name": lambda: tilewright.compile(module()).run({"x": HUGE}),
    "a profile": lambda: tilewright.compile(module()).profile({"x": HUGE}, 1),
    "the interpreter": lambda: evaluate(module(), HUGE),
    "a classic array": lambda: tilewright.nd.array(HUGE),
    "an array of a device": lambda: DeviceArray.of(HUGE),
}


def test_each_way_to_pass_one_ends_in_a_code() -> None:
    codes: dict[str, str] = {}
    for way, call in CALLS.items():
        with pytest.raises(TilewrightError) as raised:
            call()
        codes[way] = raised.value.code
    assert codes == dict.fromkeys(CALLS, "TW0708")


def test_the_message_names_the_argument_and_the_reason() -> None:
    message = r"TW0708.*copy of argument 'A': 4611686018427387904 bytes for shape \[1073741824, 1073741824\].*"
    with pytest.raises(TilewrightError, match=rf"(?s){message}strides of 0 repeat elements"):
        kernel("cpu")(HUGE)


def test_a_wrong_shape_is_named_before_anything_is_copied() -> None:
    with pytest.raises(TilewrightError, match=r"TW0704.*'A' to have shape \[4, 4\]"):
        kernel("cpu", 4)(HUGE)


def test_what_fits_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that is as large as the memory is allowed, one element more is not."""
    monkeypatch.setattr(memory, "_memory_bytes", lambda: 400)
    np.testing.assert_array_equal(kernel("cpu")(absurd((10, 10))), np.ones((10, 10)))
    with pytest.raises(TilewrightError, match="484 bytes for shape .*, but there are 400"):
        kernel("cpu")(absurd((11, 11)))
    monkeypatch.setattr(memory, "_memory_bytes", lambda: None)
    np.testing.assert_array_equal(kernel("cpu")(absurd((11, 11))), np.ones((11, 11)))
    with pytest.raises(TilewrightError, match="TW0708.*copy of argument 'A': Unable to allocate"):
        kernel("cpu")(HUGE)
