"""Storage of buffers: alignment, double and rolling buffers, scopes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tilewright import TilewrightError
from tilewright.dialects import loop
from tilewright.schedule import Schedule
from xdsl.dialects.builtin import ModuleOp, UnitAttr

from .compiled import check_compiled
from .programs import chain, check, conv, matmul, parse, symbolic_matmul


def refused(text: str, transform: Any, code: str, message: str, help: str = "") -> None:
    schedule = Schedule(parse(text))
    with pytest.raises(TilewrightError) as error:
        transform(schedule)
    assert error.value.code == code
    assert message in error.value.message
    assert help in (error.value.help or "")


def lowered(s: Schedule, last_phase: int = 3) -> str:
    from tilewright.driver.lowering import lower_module

    module = s.func.parent_op()
    assert isinstance(module, ModuleOp)
    s.func.attributes["tw.scheduled"] = UnitAttr()
    return str(lower_module(module, last_phase))


@pytest.mark.parametrize(
    ("m", "factor", "offset", "stride"),
    [
        *((5, 8, 0, 8), (8, 8, 0, 8), (8, 8, 3, 11), (11, 4, 1, 13), (4, 1, 0, 4)),
        *((5, 9, 10, 10), (10, 9, 10, 10), (11, 9, 10, 19), (8, 8, 19, 11), (5, 1, 7, 5), (8, 8, -5, 11)),
    ],
)
def test_storage_align(m: int, factor: int, offset: int, stride: int) -> None:
    s = check_compiled(matmul(3, m, 5), lambda s: s.storage_align(s.get_block("C"), 0, 0, factor, offset))
    text = lowered(s)
    assert re.search(rf"%C\[%\w+ \* {stride} \+ %\w+\] : memref<{3 * stride}xf64>", text) or "%arena" in text
    assert f"memref<{3 * stride}xf64>" in text
    assert "storage_align" not in text


def test_storage_align_of_symbolic_rows() -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        s.transform_layout(c, 0, lambda i, j: (i, j // 4, j % 4))
        s.storage_align(c, "C", 1, 8, 1)

    sizes = {"A": (3, 2), "B": (2, 7), "E": (3, 7)}
    text = lowered(check_compiled(symbolic_matmul(), transform, sizes))
    assert "storage_align" not in text


def test_storage_swizzle_is_left_to_backends() -> None:
    """It says nothing of a CPU, where elements stay in order."""
    s = check_compiled(matmul(3, 64, 5), lambda s: s.storage_swizzle(s.get_block("C"), 0))
    assert "tw.storage_swizzle" in str(s.func)
    refused(
        matmul(3, 4, 5),
        lambda s: s.storage_swizzle(s.get_block("C"), ("read", 0)),
        "TW0420",
        "storage_swizzle: block 'C': %A is not allocated in this function",
    )


def test_storage_align_refusals() -> None:
    text = matmul(3, 4, 5)
    c = "C"
    refused(
        text,
        lambda s: s.storage_align(s.get_block(c), ("read", 0), 0, 8),
        "TW0420",
        "storage_align: block 'C': %A is not allocated in this function",
        "cache_read(block, 'A', 'local')",
    )
    refused(text, lambda s: s.storage_align(s.get_block(c), 0, 2, 8), "TW0403", "expected an axis of %C")
    refused(text, lambda s: s.storage_align(s.get_block(c), 0, 0, 0, 8), "TW0403", "expected a factor of at least 1")
    refused(text, lambda s: s.storage_align(s.get_block(c), 0, 1, 8), "TW0420", "their stride is 1", "further out")

    def register(s: Schedule) -> None:
        s.set_scope(s.get_block(c), 0, "register")
        s.storage_align(s.get_block(c), 0, 0, 8)

    refused(text, register, "TW0420", "lives in registers", "set_scope")

    def layout_after(s: Schedule) -> None:
        s.storage_align(s.get_block(c), 0, 0, 8)
        s.transform_layout(s.get_block(c), 0, lambda i, j: (j, i))

    refused(text, layout_after, "TW0406", "transform_layout comes before storage_align")


def staged_stencil(s: Schedule) -> None:
    """Give each tile of C the elements of B that it reads."""
    i = s.get_loops(s.get_block("C"))[0]
    io, _ = s.split(i, factor=4)
    s.compute_at(s.get_block("B"), io)


@pytest.mark.parametrize("n", [3, 4, 9, 16])
def test_double_buffer(n: int) -> None:
    def transform(s: Schedule) -> None:
        staged_stencil(s)
        s.double_buffer(s.get_block("B"), 0)

    s = check_compiled(chain(n), transform)
    text = lowered(s, last_phase=1)
    assert "double_buffer" not in text
    if n > 4:
        assert "mod 2" in text and "memref<8xf64>" in text


@pytest.mark.parametrize("n", [0, 1, 6])
def test_double_buffer_in_a_symbolic_loop(n: int) -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        copy = s.cache_read(c, "A", "local")
        s.compute_at(copy, s.get_loops(c)[0])
        s.double_buffer(copy, 0)

    check_compiled(symbolic_matmul(), transform, {"A": (n, 2), "B": (2, 4), "E": (n, 4)})


def test_double_buffer_of_a_reduction() -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        s.compute_at(c, s.get_loops(s.get_block("E"))[0])
        s.double_buffer(c, 0)

    text = lowered(check_compiled(matmul(3, 4, 5), transform), last_phase=1)
    assert "mod 2" in text


def test_double_buffer_refusals() -> None:
    text = chain(8)
    refused(
        text,
        lambda s: s.double_buffer(s.get_block("B"), 0),
        "TW0420",
        "double_buffer: block 'B': %B is not allocated inside a loop",
        "compute_at",
    )

    def parallel(s: Schedule) -> None:
        staged_stencil(s)
        s.parallel(s.get_loops(s.get_block("C"))[0])
        s.double_buffer(s.get_block("B"), 0)

    refused(text, parallel, "TW0420", "in a loop that is not serial")
    refused(matmul(3, 4, 5), lambda s: s.double_buffer(s.get_block("E"), "C"), "TW0420", "not allocated inside a loop")


def rolled_padding(s: Schedule) -> None:
    """Let each row of the convolution compute the rows of the padded image that it is the first to read."""
    _, h, _ = s.get_loops(s.get_block("E"))
    s.reorder(h, s.get_loops(s.get_block("E"))[0])
    s.compute_at(s.get_block("C"), h)
    s.compute_at(s.get_block("P"), h)
    s.rolling_buffer(s.get_block("P"), 0)


@pytest.mark.parametrize(("kernel", "stride", "pad"), [(3, 1, 1), (3, 2, 1), (2, 1, 0)])
def test_rolling_buffer(kernel: int, stride: int, pad: int) -> None:
    s = check_compiled(conv(2, 6, 2, kernel, stride, pad), rolled_padding)
    assert s.buffer("P").type.get_shape()[1] == kernel  # pyright: ignore
    inner = [op for op in s.func.walk() if isinstance(op, loop.BlockOp) and op.label == "P"][0]
    rows = [op.constant_trip_count for op in loop.enclosing(inner, loop.ForOp) if isinstance(op, loop.ForOp)]
    assert rows[1] == stride or stride == 1


ROWS = """
func.func @k(%A: memref<?xf64>, %C: memref<?xf64> {tw.output}) {
  %n = loop.dim %C, 0 : memref<?xf64>
  loop.bind %A shape [%n + 2] strides [1] : memref<?xf64>
  %B = loop.alloc (%n + 2) : memref<?xf64>
  loop.for %j = 0 to %n + 2 {
    loop.block "B" (%vj = spatial(%j) in %n + 2) {
      %a = loop.load %A[%vj] : memref<?xf64>
      %b = arith.addf %a, %a : f64
      loop.store %b, %B[%vj] : memref<?xf64>
    }
  }
  loop.for %i = 0 to %n {
    loop.block "C" (%vi = spatial(%i) in %n) {
      %x = loop.load %B[%vi] : memref<?xf64>
      %y = loop.load %B[%vi + 2] : memref<?xf64>
      %c = arith.addf %x, %y : f64
      loop.store %c, %C[%vi] : memref<?xf64>
    }
  }
  func.return
}"""


@pytest.mark.parametrize("n", [0, 1, 7])
@pytest.mark.parametrize("factor", [1, 2])
def test_rolling_buffer_of_symbolic_size(n: int, factor: int) -> None:
    def transform(s: Schedule) -> None:
        (i,) = s.get_loops(s.get_block("C"))
        io, _ = s.split(i, factor=factor)
        s.compute_at(s.get_block("B"), io)
        s.rolling_buffer(s.get_block("B"), "B")

    check(ROWS, transform, {"A": (n + 2,), "C": (n,)})


def test_rolling_buffer_of_guarded_instances() -> None:
    """The row that is not computed is among those before the loop."""
    edge = (
        ROWS.replace("shape [%n + 2]", "shape [%n + 1]")
        .replace("%j) in %n + 2)", "%j) in %n + 2) where (%j >= 1)")
        .replace("%A[%vj]", "%A[%vj - 1]")
        .replace("%x = loop.load %B[%vi]", "%x = loop.load %B[%vi] where (%vi >= 1) else %zero")
        .replace("%B = loop.alloc", "%zero = arith.constant 0.0 : f64\n  %B = loop.alloc")
    )

    def transform(s: Schedule) -> None:
        s.compute_at(s.get_block("B"), s.get_loop("i"))
        s.rolling_buffer(s.get_block("B"), "B")

    check(edge, transform, {"A": (8,), "C": (7,)})


ROW_SUMS = """
func.func @k(%A: memref<7x5xf64>, %C: memref<6xf64> {tw.output}) {
  %zero = arith.constant 0.0 : f64
  %B = loop.alloc : memref<7xf64>
  loop.for %j = 0 to 7 {
    loop.for %k = 0 to 5 {
      loop.block "B" (%vj = spatial(%j) in 7, %vk = reduce(%k) in 5) {
        loop.init {
          loop.store %zero, %B[%vj] : memref<7xf64>
        }
        %a = loop.load %A[%vj, %vk] : memref<7x5xf64>
        %b = loop.load %B[%vj] : memref<7xf64>
        %s = arith.addf %b, %a : f64
        loop.store %s, %B[%vj] : memref<7xf64>
      }
    }
  }
  loop.for %i = 0 to 6 {
    loop.block "C" (%vi = spatial(%i) in 6) {
      %x = loop.load %B[%vi] : memref<7xf64>
      %y = loop.load %B[%vi + 1] : memref<7xf64>
      %c = arith.addf %x, %y : f64
      loop.store %c, %C[%vi] : memref<6xf64>
    }
  }
  func.return
}"""


def test_rolling_buffer_of_a_reduction() -> None:
    def transform(s: Schedule) -> None:
        s.compute_at(s.get_block("B"), s.get_loop("i"))
        first = s.rolling_buffer(s.get_block("B"), "B")
        assert s.block(first).label == "B_first"

    s = check_compiled(ROW_SUMS, transform)
    assert s.buffer("B").type.get_shape() == (2,)  # pyright: ignore


def test_rolling_buffer_refusals() -> None:
    def at_tiles(s: Schedule) -> None:
        staged_stencil(s)
        s.rolling_buffer(s.get_block("B"), 0)

    refused(chain(9), at_tiles, "TW0421", "share no rows between iterations of loop %jo", "loop over rows")
    refused(chain(9), lambda s: s.rolling_buffer(s.get_block("B"), 0), "TW0420", "is not allocated inside a loop")

    def all_rows(s: Schedule) -> None:
        c = s.get_block("C")
        copy = s.cache_read(c, "B", "local")
        s.compute_at(copy, s.get_loops(c)[0])
        s.rolling_buffer(copy, 0)

    refused(matmul(3, 4, 5), all_rows, "TW0421", "do not move with loop %i")


def test_scopes_by_position_and_of_users() -> None:
    def transform(s: Schedule) -> None:
        s.set_scope(s.get_block("C"), 0, "vtcm")
        s.cache_read(s.get_block("C"), 0, "my.scratch")

    s = check(matmul(3, 4, 5), transform)
    assert loop.scope_of(s.buffer("C").type) == "vtcm"
    assert loop.scope_of(s.buffer("A_my.scratch").type) == "my.scratch"


def test_scope_refusals() -> None:
    text = matmul(3, 4, 5)
    refused(text, lambda s: s.set_scope("C", "no scope"), "TW0403", "expected the name of a scope for %C", "global")
    refused(text, lambda s: s.cache_read(s.get_block("C"), 0, ""), "TW0403", "expected the name of a scope for %A")
    refused(text, lambda s: s.set_scope("A", "local"), "TW0406", "%A is not allocated in this function", "cache_read")
    refused(text, lambda s: s.set_scope(s.get_block("C"), "local"), "TW0403", "a block, a buffer and a scope")

    def aligned(s: Schedule) -> None:
        s.storage_align(s.get_block("C"), 0, 0, 8)
        s.set_scope("C", "register")

    refused(text, aligned, "TW0406", "tw.storage_align, which registers cannot have")


@pytest.mark.parametrize("n", [5, 8])
@pytest.mark.parametrize("scope", ["global", "register"])
def test_a_buffer_inside_a_vectorized_loop_has_a_lane_each(n: int, scope: str) -> None:
    def transform(s: Schedule) -> None:
        (j,) = s.get_loops(s.get_block("C"))
        s.compute_at(s.get_block("B"), j)
        s.set_scope("B", scope)
        s.vectorize(j)

    check_compiled(chain(n), transform)
