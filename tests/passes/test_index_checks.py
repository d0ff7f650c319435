"""Indices that are data are checked unless somebody answers for them, wherever the check was moved to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, dialects, te, topi
from tilewright.diagnostics.parsing import parse
from tilewright.driver import build, lower
from tilewright.passes.framework.context import PassContext
from tilewright.runtime import Module

TARGETS: dict[str, dict[str, Any]] = {
    "cpu": {"target": "cpu"},
    "c": {"target": "c"},
    "threads": {"target": "cpu", "threads": 4},
    "cuda": {"target": "cuda", "device": "simulator"},
    "interpreter": {"target": "interpreter"},
}


def compiled(text: str, **options: Any) -> Module:
    return tilewright.compile(parse(dialects.context(), text, "loops.mlir"), **options)


def loops_of(tensors: list[te.Tensor]) -> str:
    return str(lower(tensors))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("shape", "axis"), [((9, 5), 0), ((40, 7), 1), ((31,), 0)], ids=["rows", "columns", "elements"]
)
def test_gathers_are_right_or_report(target: str, shape: tuple[int, ...], axis: int) -> None:
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    n = shape[axis]
    numbers = np.random.default_rng(0).integers(-n, n, (7, 3))
    a, i = te.placeholder(shape, name="A"), te.placeholder((7, 3), name="I", dtype="int64")
    take = build([a, i, topi.take(a, i, axis=axis, mode="wrap_negative")], **TARGETS[target])
    np.testing.assert_array_equal(take(x, numbers), np.take(x, numbers, axis))
    for wrong in (n, -n - 1, 1 << 40, -(1 << 63)):
        bad = numbers.copy()
        bad[6, 1] = wrong
        with pytest.raises(TilewrightError) as caught:
            take(x, bad)
        assert caught.value.code in ("TW0730", "TW0721")
        reported = wrong + n if wrong < 0 else wrong
        assert str(reported) in caught.value.message and "A[" in caught.value.message
    np.testing.assert_array_equal(take(x, numbers), np.take(x, numbers, axis))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "uint64"])
def test_indices_of_any_type(dtype: str) -> None:
    a, i = te.placeholder((5,), name="A"), te.placeholder((20,), name="I", dtype=dtype)
    pick = build([a, i, te.compute((20,), lambda k: a[i[k]] * 2.0, name="C")])
    x, numbers = np.arange(5, dtype=np.float32), (np.arange(20) % 5).astype(dtype)
    np.testing.assert_array_equal(pick(x, numbers), x[numbers] * 2)
    numbers[13] = np.iinfo(dtype).max
    with pytest.raises(TilewrightError, match="TW0730"):
        pick(x, numbers)


def test_rows_have_one_check_and_elements_one_branch_for_a_vector() -> None:
    a, i = te.placeholder((64, 32), name="A"), te.placeholder((256,), name="I", dtype="int64")
    rows = loops_of([a, i, topi.take(a, i, axis=0, mode="fast")])
    before, behind = rows.split("loop.assert")
    assert before.count("loop.for") == 1 and "loop.store" not in before and "vector<" in behind
    b = te.placeholder((4096,), name="B")
    elements = loops_of([b, i, topi.take(b, i, axis=0, mode="fast")])
    copying = elements[elements.rindex("loop.for") :]
    assert "iter_args" in elements and "loop.assert" in elements and "loop.assert" not in copying


def test_indices_that_a_loop_uses_again_are_checked_before_it() -> None:
    a, i = te.placeholder((64, 100), name="A"), te.placeholder((256,), name="I", dtype="int64")
    text = loops_of([a, i, topi.take(a, i, axis=1, mode="fast")])
    assert text.index("loop.assert") < text.index("0 to 64")


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_not_used_is_not_looked_at(target: str) -> None:
    """Reads behind conditions, of both kinds, with and without the lower bound."""
    a, i = te.placeholder((6,), name="A"), te.placeholder((40,), name="I", dtype="int64")
    bodies = [
        lambda k: te.if_then_else(te.all(i[k] >= 0, i[k] < 6), a[i[k]], -1.0),
        lambda k: te.if_then_else(k < 30, a[i[k]], -1.0),
    ]
    if target != "interpreter":  # a choice of te reads both of its values there
        bodies.append(lambda k: te.Select(te.all(i[k] >= 0, i[k] < 6), a[i[k]], te.const(-1.0, "float32")))
    x = np.arange(6, dtype=np.float32)
    wild = np.random.default_rng(1).choice([0, 3, 5, 6, -1, 1 << 50, -(1 << 63)], 40)
    inside = (wild >= 0) & (wild < 6)
    for number, body in enumerate(bodies):
        pick = build([a, i, te.compute((40,), body, name="C")], **TARGETS[target])
        used = np.arange(40) < 30 if number == 1 else inside
        numbers = np.where(used, np.where(inside, wild, 2), wild)
        wanted = np.where(used, x[np.where(used, numbers, 0)], -1)
        np.testing.assert_array_equal(pick(x, numbers), wanted)
        if number == 1:
            numbers[29] = 6
            with pytest.raises(TilewrightError) as caught:
                pick(x, numbers)
            assert caught.value.code in ("TW0730", "TW0721")


SCATTER = """
func.func @main(%D: memref<8x5xf32> {tw.name = "D"}, %I: memref<6xi32> {tw.name = "I"},
                %C: memref<8x5xf32> {tw.name = "C", tw.output}) {
  loop.for %i = 0 to 6 {
    %0 = loop.load %I[%i] : memref<6xi32>
    %k = arith.index_cast %0 : i32 to index
    loop.for %j = 0 to 5 {
      %d = loop.load %D[%i, %j] : memref<8x5xf32>
      %c = loop.load %C[%k, %j] : memref<8x5xf32>
      %s = arith.addf %c, %d : f32
      loop.store %s, %C[%k, %j] : memref<8x5xf32>
    }
  }
  func.return
}"""


@pytest.mark.parametrize("target", ["cpu", "c", "interpreter"])
def test_a_scatter_adds_up_and_writes_nowhere_else(target: str) -> None:
    scatter = compiled(SCATTER, **TARGETS[target])
    data, numbers = np.arange(40, dtype=np.float32).reshape(8, 5), np.array([3, 0, 3, 7, 3, 0], np.int32)
    wanted = np.zeros((8, 5), np.float32)
    np.add.at(wanted, numbers, data[:6])
    memory = np.zeros((24, 5), np.float32)
    scatter(data, numbers, memory[8:16])
    np.testing.assert_array_equal(memory[8:16], wanted)
    for wrong in (8, -1, -8, 1 << 30):
        memory[...] = 0
        with pytest.raises(TilewrightError) as caught:
            scatter(data, np.array([1, 2, 3, 4, wrong, 5], np.int32), memory[8:16])
        assert caught.value.code in ("TW0730", "TW0721")
        assert not memory[:8].any() and not memory[16:].any()


RENUMBERED = """
func.func @main(%A: memref<4xf32> {tw.name = "A"}, %I: memref<8xi64> {tw.name = "I", tw.output},
                %C: memref<8xf32> {tw.name = "C", tw.output}) {
  %far = arith.constant 1000000 : i64
  loop.for %i = 0 to 7 {
    %0 = loop.load %I[%i] : memref<8xi64>
    %k = arith.index_cast %0 : i64 to index
    %a = loop.load %A[%k] : memref<4xf32>
    loop.store %a, %C[%i] : memref<8xf32>
    loop.if (%i >= 3) { loop.store %far, %I[%i + 1] : memref<8xi64> }
  }
  func.return
}"""


@pytest.mark.parametrize("target", ["cpu", "c"])
def test_indices_that_change_on_the_way_are_checked_when_they_are_used(target: str) -> None:
    run = compiled(RENUMBERED, **TARGETS[target])
    numbers, out = np.array([0, 1, 2, 3, 0, 1, 2, 3]), np.full(8, -1, np.float32)
    with pytest.raises(TilewrightError, match=r"TW0730.*A\[1000000\] is read"):
        run(np.arange(4, dtype=np.float32), numbers, out)
    np.testing.assert_array_equal(out, [0, 1, 2, 3, -1, -1, -1, -1])


@pytest.mark.parametrize("rows", [0, 1, 3])
@pytest.mark.parametrize("target", ["cpu", "c"])
def test_what_does_not_run_is_not_checked(target: str, rows: int) -> None:
    n = te.var("n")
    a, b = te.placeholder((n, 6), name="A"), te.placeholder((n, 9), name="B")
    i = te.placeholder((9,), name="I", dtype="int32")
    take = build([a, b, i, te.compute((n, 9), lambda r, k: a[r, i[k]] + b[r, k], name="C")], **TARGETS[target])
    numbers = np.array([0, 1, 2, 3, 4, 5, 6, 0, 0], np.int32)
    x, y = np.ones((rows, 6), np.float32), np.ones((rows, 9), np.float32)
    if rows == 0:
        assert take(x, y, numbers).shape == (0, 9)
    else:
        with pytest.raises(TilewrightError, match=r"expected an index within \[\d, 6\], but A\[\d, 6\] is read"):
            take(x, y, numbers)


def test_indices_of_indices() -> None:
    a, i = te.placeholder((4,), name="A"), te.placeholder((7,), name="I", dtype="int64")
    j = te.placeholder((50,), name="J", dtype="int16")
    pick = build([a, i, j, te.compute((50,), lambda k: a[i[j[k]]], name="C")])
    x, inner = np.arange(4, dtype=np.float32), np.array([3, 2, 1, 0, 1, 2, 9])
    outer = (np.arange(50) % 6).astype(np.int16)
    np.testing.assert_array_equal(pick(x, inner, outer), x[inner[outer]])
    for number, message in ((6, r"A\[9\] is read"), (7, r"I\[7\] is read"), (-1, r"I\[-1\] is read")):
        outer[49] = number
        with pytest.raises(TilewrightError, match=message):
            pick(x, inner, outer)


@pytest.mark.parametrize("target", TARGETS)
def test_two_sizes_that_need_not_agree(target: str) -> None:
    n, m = te.var("n"), te.var("m")
    a, b = te.placeholder((n,), name="A"), te.placeholder((m,), name="B")
    add = build([a, b, te.compute((m,), lambda k: a[k] + b[k], name="C")], **TARGETS[target])
    x, y = np.arange(9, dtype=np.float32), np.ones(7, np.float32)
    np.testing.assert_array_equal(add(x, y), x[:7] + 1)
    with pytest.raises(TilewrightError) as caught:
        add(x[:5].copy(), y)
    assert caught.value.code in ("TW0730", "TW0721") and "A[5" in caught.value.message


def outside(shape: Any, extent: Any, body: Any) -> None:
    a = te.placeholder(shape, name="A")
    build([a, te.compute(extent, lambda *k: body(a, *k), name="B")])


def test_what_is_outside_whatever_the_data_is_an_error_of_the_program() -> None:
    n = te.var("n")
    for shape, extent, body, message in (
        ((8,), (16,), lambda a, k: a[k + 4], r"within \[8\], but A\[(8|9|1\d)\] is read"),
        ((8,), (4,), lambda a, k: a[k - 1], r"A\[-1\] is read"),
        ((8, 3), (8,), lambda a, k: a[k, 3], r"within \[8, 3\], but A\[\d, 3\] is read"),
        ((n,), (n + 4,), lambda a, k: a[k], r"within \[n\].*whatever the sizes are"),
        ((8,), (9,), lambda a, k: te.if_then_else(k < 9, a[k], 0.0), r"A\[8\] is read"),
    ):
        with pytest.raises(TilewrightError, match=message) as caught:
            outside(shape, extent, body)
        assert caught.value.code == "TW0560" and caught.value.help is not None
        assert str(caught.value).startswith(__file__)


def test_guards_make_reads_over_a_larger_space_right() -> None:
    n = te.var("n")
    outside((8,), (16,), lambda a, k: te.if_then_else(k < 8, a[k], 0.0))
    outside((n,), (n + 4,), lambda a, k: te.if_then_else(te.all(k >= 2, k < n + 2), a[k - 2], 0.0))
    outside((n,), (n - 4,), lambda a, k: a[k] + a[k + 4])
    outside((8,), (16,), lambda a, k: te.Select(k < 8, a[k], te.const(0.0, "float32")))


def test_loops_that_leave_a_buffer_are_refused_before_they_run() -> None:
    text = """
      func.func @main(%C: memref<4xf32> {tw.output}) {
        %one = arith.constant 1.0 : f32
        loop.for %i = 0 to 5 { loop.store %one, %C[%i] : memref<4xf32> }
        func.return
      }"""
    with pytest.raises(TilewrightError, match=r"TW0560.*within \[4\].*\[4\] is written"):
        compiled(text)
    assert compiled(text.replace("0 to 5", "0 to 4"))().tolist() == [1, 1, 1, 1]


def test_what_a_kernel_passes_on_has_to_be_known_to_be_inside() -> None:
    text = """
      func.func @main(%I: memref<1xi64>, %A: memref<8xf32>, %C: memref<8xf32> {tw.output}) attributes {tw.scheduled} {
        loop.for %t = 0 to 1 kind thread<"threadIdx.x"> {
          %0 = loop.load %I[0] : memref<1xi64>
          %k = arith.index_cast %0 : i64 to index
          loop.call_extern "f"(read %A[%k] box [1] : memref<8xf32>, write %C[0] box [1] : memref<8xf32>)
        }
        func.return
      }"""
    with pytest.raises(TilewrightError, match="TW0562"):
        compiled(text, target="cuda", device="simulator")


def test_who_answers_for_indices_says_so() -> None:
    a, i = te.placeholder((8,), name="A"), te.placeholder((4,), name="I", dtype="int64")
    tensors = [a, i, te.compute((4,), lambda k: a[i[k]], name="C")]
    assert "loop.assert" not in build(tensors, unchecked=True).get_source("mlir")
    with PassContext(config={"check_bounds": True}):
        assert "loop.assert" in build(tensors, unchecked=True).get_source("mlir")
    assert "loop.assert" in build(tensors).get_source("mlir")


@pytest.mark.parametrize("operator", ["gather", "gather_elements"])
def test_constant_indices_outside_are_an_error_of_the_model(operator: str) -> None:
    def compiled_with(numbers: str) -> Module:
        text = f"""
          func.func @main(%x: tensor<4x2xf32>) -> tensor<2x2xf32> {{
            %i = graph.constant dense<{numbers}> : tensor<{"2" if operator == "gather" else "2x2"}xi64>
            %y = graph.{operator} %x, %i axis 0 : tensor<2x2xf32>
            func.return %y : tensor<2x2xf32>
          }}"""
        return compiled(text)

    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    right, wrong = ("[3, -4]", "[0, -5]") if operator == "gather" else ("[[3, 3], [-4, 0]]", "[[0, 0], [0, -5]]")
    np.testing.assert_array_equal(compiled_with(right)(x), x[[3, 0]])
    with pytest.raises(TilewrightError, match=r"loops.mlir:4.*expected indices from -4 to 3, but got -5"):
        compiled_with(wrong)
