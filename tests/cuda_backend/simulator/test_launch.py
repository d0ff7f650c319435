"""Arguments of a launch, and kernels that the simulator refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tilewright.backends.cuda import simulator
from tilewright.diagnostics import TilewrightError

PLAIN = simulator.load(Path(__file__).parent / "kernels" / "plain.py")
ARRAYS = [np.zeros(64, np.float32) for _ in range(3)]
ADD = PLAIN.function("vector_add")


@pytest.mark.parametrize(
    ("grid", "block", "arguments", "said"),
    [
        (1, 1025, [*ARRAYS, 64], "TW0658.*extents are from 1 to"),
        (1, (64, 32), [*ARRAYS, 64], "TW0658.*2048 threads in a block: a block has at most 1024"),
        (0, 64, [*ARRAYS, 64], "TW0658.*a grid of"),
        ((1, 70000), 64, [*ARRAYS, 64], "TW0658.*a grid of"),
        (1, 64, ARRAYS, "TW0658.*3 arguments: it takes 4"),
        (1, 64, [*ARRAYS, "64"], "TW0658.*'n', a str"),
        (1, 64, [np.zeros(64, np.complex64), *ARRAYS[1:], 64], "TW0658.*'A' of complex64"),
        (1, 64, [np.zeros(128, np.float32)[::2], *ARRAYS[1:], 64], "TW0658.*do not follow one another"),
    ],
)
def test_launches_are_checked(grid: Any, block: Any, arguments: list[Any], said: str) -> None:
    with pytest.raises(TilewrightError, match=said):
        simulator.launch(ADD, grid, block, arguments)


def test_written_arguments() -> None:
    fixed = np.zeros(64, np.float32)
    fixed.flags.writeable = False
    simulator.launch(ADD, 1, 64, [fixed, fixed, ARRAYS[2], 64])
    with pytest.raises(TilewrightError, match="TW0658.*'C', which cannot be written"):
        simulator.launch(ADD, 1, 64, [*ARRAYS[:2], fixed, 64])


def test_overlapping_arguments() -> None:
    whole = np.ones(128, np.float32)
    simulator.launch(ADD, 1, 64, [whole[:64], whole[:64], whole[:64], 64])
    assert whole.tolist() == [2] * 64 + [1] * 64
    simulator.launch(ADD, 1, 64, [whole[:64], whole[32:96], ARRAYS[2], 64])
    with pytest.raises(TilewrightError, match="TW0658.*overlap: the kernel writes one"):
        simulator.launch(ADD, 1, 64, [whole[:64], ARRAYS[1], whole[32:96], 64])


def test_too_much_shared_memory() -> None:
    with pytest.raises(TilewrightError, match="TW0658.*256 bytes of static and 240000 of dynamic"):
        simulator.launch(PLAIN.function("block_sum"), 1, 64, [*ARRAYS[:2], 64], shared_bytes=240000)


def test_a_function_of_python_is_found_in_its_file() -> None:
    from importlib.util import module_from_spec, spec_from_file_location

    specification = spec_from_file_location("plain_kernels", PLAIN.path)
    assert specification is not None and specification.loader is not None
    module = module_from_spec(specification)
    specification.loader.exec_module(module)
    A, C = np.ones(64, np.float32), np.zeros(64, np.float32)
    simulator.launch(module.vector_add, 1, 64, [A, A, C, 64])
    assert (C == 2).all()


HEADER = """
from numba import cuda, float32, int32, uint32
from numba.types import float16
from tilewright.backends.cuda import operations as device
LIMIT = 4
def kernel(A, C, n):
    i = uint32(cuda.threadIdx.x)
"""


@pytest.mark.each(
    ("body", "said"),
    [
        ("x = print(i)", "unknown function 'print'"),
        ("C[i] = A[i] @ A[i]", "no operator @ of float32 and float32"),
        (
            "C[i] = float32(float16(A[i]) * float16(2.0))",
            "no operator .* of float16 and float16.*help: compute on",
        ),
        ("C[A[i]] = A[i]", "expected an integer, but got float32"),
        ("with i: pass", "the simulator knows no With in kernels"),
        ("C[i] = missing", "unknown name 'missing'"),
        ("C[i] = device.load3(A, i)", "unknown function 'device.load3'"),
        ("C[i] = device.load4(A, i)", "expected a number, but got"),
        ("device.store4(C, i, (A[i], A[i]))", "expected \\(float32, float32, float32, float32\\)"),
        ("tile = cuda.shared.array(n, float32)", "expected an integer constant"),
        ("tile = cuda.local.array(0, float32)", "expected a size above 0"),
        ("C[i] = A", "expected float32, but got global array of float32"),
        ("C[i] = x\n    x = x + float32(1.0)", "variable 'x' is used before it is assigned"),
        ("a, b = device.load4(A, i)", "expected 2 values"),
        ("for x in A: pass", "expected a loop over a range"),
        ("C[i] = device.ldmatrix_x1(A, i)", "expected an array in shared memory"),
        ("device.cp_async_wait(n)", "expected an integer constant"),
        ("C[i] = float32(device.load_bf16(A, i))", "expected an array of bf16 or of their bits"),
        ("C[i] = cuda.shfl_sync(-1, int8(i), 0)", "unknown function 'int8'"),
        ("C[i] = (A[i], A[i])[n]", "expected an integer constant"),
    ],
)
def test_what_no_kernel_has(body: str, said: str) -> None:
    file = simulator.parse(f"{HEADER}    {body}\n", "kernel.py")
    with pytest.raises(TilewrightError, match=f"(?s)TW0650.*{said}") as caught:
        simulator.launch(file.function("kernel"), 1, 4, [*ARRAYS[:2], 4])
    assert str(caught.value).startswith("kernel.py:")


def test_source_without_the_kernel() -> None:
    with pytest.raises(TilewrightError, match="TW0650.*kernel.py has no function 'other'"):
        simulator.parse(HEADER, "kernel.py").function("other")
    with pytest.raises(TilewrightError, match="TW0650.*no Python"):
        simulator.parse("def", "kernel.py")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = i\n    for k in range(LIMIT):\n        x = x + k\n    C[i] = float32(x)", [6, 7, 8, 9]),
        ("if i == 1:\n        return\n    C[i] = float32(1.0)", [1, 0, 1, 1]),
        (
            "k = 0\n    while True:\n        k += 1\n        if k > i:\n            break\n    C[i] = float32(k)",
            [1, 2, 3, 4],
        ),
        ("for k in range(3, -1, -1):\n        C[k] = float32(k)", [0, 1, 2, 3]),
        ("C[i] = float32(1.0) if 0 < i < 3 or i == 3 else float32(-1.0)", [-1, 1, 1, 1]),
        ("n = n + 1\n    C[i] = float32(n)", [5, 5, 5, 5]),
        ("C[i] = float32(cuda.ballot_sync(0xF, i % 2 == 1))", [10, 10, 10, 10]),
        (
            "C[i] = float32(1.0) if cuda.all_sync(0xF, i < 4) and not cuda.any_sync(0xF, i > 3) else float32(0.0)",
            [1] * 4,
        ),
        ("C[i] = cuda.shfl_xor_sync(0xF, float32(i), 1)", [1, 0, 3, 2]),
        ("C[i] = min(float32(i), float32(2.0)) + max(float32(i), float32(1.0))", [1, 2, 4, 5]),
        ("C[i] = float32(min(i, 2) + max(i, 1) + abs(int32(i) - 3) + round(float32(i) * float32(0.5)))", [4, 4, 6, 7]),
        ("C[i] = cuda.shfl_up_sync(0xF, float32(i), 1)", [0, 0, 1, 2]),
        ("C[i] = float32(int32(-7) // int32(2)) + float32(int32(-7) % int32(2))", [-3] * 4),
        ("C[i] = float32(cuda.atomic.max(C, 4 + i, float32(3.0)))", [0] * 4),
        ("C[i] = float32(cuda.atomic.cas(C, 4, float32(0.0), float32(i)))", [0, 0, 1, 1]),
    ],
)
def test_what_kernels_have(body: str, expected: list[float]) -> None:
    file = simulator.parse(f"{HEADER}    {body}\n", "kernel.py")
    C = np.zeros(64, np.float32)
    one_at_a_time = "for k in range(3, -1" in body
    simulator.launch(file.function("kernel"), 1, 1 if one_at_a_time else 4, [ARRAYS[0], C, 4])
    assert C[:4].tolist() == expected


@pytest.mark.parametrize("element", ["float32", "float64"])
@pytest.mark.parametrize(
    "call",
    ["device.fma(own[0], {0}(2.0), {0}(1.0))", "device.fma({0}(2.0), {0}(1.0), own[0])", "device.round_away(own[0])"],
)
def test_operations_on_nothing_give_nothing(element: str, call: str) -> None:
    """Values that only guarded stores use may be computed from memory that was never written."""
    source = f"""
from numba import cuda, float32, float64, int64
from tilewright.backends.cuda import operations as device

def guarded(C):
    i = int64(cuda.threadIdx.x)
    own = cuda.local.array(1, {element})
    if i < 2:
        own[0] = {element}(3.0)
    t = {call.format(element)}
    if i < 2:
        C[i] = t
"""
    c = np.zeros(4, element)
    simulator.launch(simulator.parse(source, "kernel.py").function("guarded"), 1, 4, [c])
    expected = 3 if "round" in call else 7 if call.startswith("device.fma(own") else 5
    np.testing.assert_array_equal(c, [expected, expected, 0, 0])
