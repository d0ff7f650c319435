"""Refusals of primitives on buffers beyond the common cases: one program for each condition."""

from __future__ import annotations

from typing import Any

import pytest
from tilewright import TilewrightError
from tilewright.schedule import Schedule

from .compiled import check_compiled
from .programs import chain, conv, elementwise, matmul, parse


def refused(text: str, transform: Any, code: str, message: str) -> None:
    """Check that the transformation is refused with that message, and that its last step leaves the program as it
    was."""
    schedule = Schedule(parse(text))
    with pytest.raises(TilewrightError) as error:
        transform(schedule)
    assert error.value.code == code
    assert message in error.value.message
    replayed = Schedule(parse(text))
    schedule.trace.apply_to(replayed)
    assert str(replayed.func) == str(schedule.func)


def reindex(block: str, buffer: str) -> Any:
    return lambda s: s.reindex(s.get_block(block), buffer)


MATMUL = matmul(3, 4, 5)
COPY = elementwise(4, 4)
PADDED = conv(2, 4, 2, 3, pad=1)


def test_reindex_wants_one_access() -> None:
    twice = COPY.replace(
        "%b = arith.mulf %a, %two", "%c = loop.load %A[%vj, %vi] : memref<4x4xf64>\n        %b = arith.mulf %a, %c"
    )
    refused(twice, reindex("B", "A"), "TW0406", "should access %A at one index")
    guarded = COPY.replace("loop.store %b, %B[%vi, %vj]", "loop.store %b, %B[%vi, %vj] where (%vi < 2)")
    refused(guarded, reindex("B", "B"), "TW0406", "should write %B without a guard")
    by_other = PADDED.replace("%vc, %vy - 1, %vx - 1", "%vc, %vy - %vy, %vx - %vx")
    refused(by_other, reindex("P", "X"), "TW0406", "guards its read of %X by variables that do not index it")
    update = COPY.replace("loop.load %A[", "loop.load %B[")
    refused(update, reindex("B", "B"), "TW0406", "reads %B before it writes it")


def test_block_layout_wants_a_box() -> None:
    triangle = COPY.replace("in 4) {", "in 4) where (%i - %j >= 0) {")
    refused(
        triangle,
        lambda s: s.transform_block_layout(s.get_block("B"), lambda i, j: (j, i)),
        "TW0402",
        "run a box of its domain, each instance once",
    )


def test_caches_of_what_is_overwritten_in_between() -> None:
    text = chain(8).replace(
        "  func.return",
        """  loop.for %x = 0 to 8 {
    loop.block "X" (%vx = spatial(%x) in 8) {
      %x0 = loop.load %C[%vx] : memref<8xf64>
      loop.store %x0, %A[%vx] : memref<8xf64>
    }
  }
  loop.for %y = 0 to 8 {
    loop.block "Y" (%vy = spatial(%y) in 8) {
      %y0 = loop.load %A[%vy] : memref<8xf64>
      loop.store %y0, %C[%vy] : memref<8xf64>
    }
  }
  func.return""",
    )
    refused(
        text,
        lambda s: s.cache_read(s.get_block("B"), "A", "local", [s.get_block("Y")]),
        "TW0406",
        "shares %A with block 'X', which writes it before the copy was read",
    )


STAGED = """
func.func @k(%A: memref<8x4xf64>, %C: memref<8x4xf64> {tw.output}) {
  loop.for %i = 0 to 8 {
    %T = loop.alloc : memref<4xf64>
    loop.for %j = 0 to 4 {
      loop.block "T" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
        %a = loop.load %A[%vi, %vj] : memref<8x4xf64>
        loop.store %a, %T[%vj] : memref<4xf64>
      }
    }
    loop.for %j = 0 to 4 {
      loop.block "C" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
        %t = loop.load %T[%vj] : memref<4xf64>
        loop.store %t, %C[%vi, %vj] : memref<8x4xf64>
      }
    }
  }
  func.return
}"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("%A[%vi, %vj]", "%C[%vi, %vj]", "%T is filled from %C, which the loop writes"),
        (
            "loop.store %a, %T[%vj] : memref<4xf64>",
            "loop.store %a, %T[%vj] : memref<4xf64>\n        loop.store %a, %C[%vi, %vj] : memref<8x4xf64>",
            "%T is filled together with %C",
        ),
        (
            "%t = loop.load %T[%vj] : memref<4xf64>",
            "%t = loop.load %A[%vi, %vj] : memref<8x4xf64>",
            "is not written and",
        ),
    ],
)
def test_double_buffer_wants_a_filling_that_depends_on_nothing(old: str, new: str, message: str) -> None:
    text = STAGED.replace(old, new, 1)
    refused(text, lambda s: s.double_buffer(s.get_block("T"), "T"), "TW0420", message)


def test_double_buffer_of_another_block() -> None:
    refused(MATMUL, lambda s: s.double_buffer(s.get_block("E"), "C"), "TW0420", "is not allocated inside a loop")
    text = STAGED.replace(
        "func.return", 'loop.block "Z" () { loop.store %z, %C[0, 0] : memref<8x4xf64> }\n  func.return'
    )
    text = text.replace("  loop.for %i", "  %z = arith.constant 0.0 : f64\n  loop.for %i", 1)
    refused(text, lambda s: s.double_buffer(s.get_block("Z"), "T"), "TW0420", "is not a buffer that it reads or writes")


def test_rolling_buffer_wants_rows_that_move() -> None:
    refused(
        STAGED, lambda s: s.rolling_buffer(s.get_block("T"), "T"), "TW0421", "the reads of %T do not move with loop %i"
    )


def test_pad_einsum_wants_an_einsum() -> None:
    scaled = matmul(3, 4, 5, epilogue=False).replace("%B[%vk, %vj] : memref<5x4xf64>", "%B[%vj] : memref<4xf64>")
    scaled = scaled.replace("%B: memref<5x4xf64>", "%B: memref<4xf64>")
    refused(
        scaled,
        lambda s: s.pad_einsum(s.get_block("C"), [1, 1, 4]),
        "TW0422",
        "multiplies by elements of %B, which it does not index",
    )
    guarded = COPY.replace("loop.load %A[%vi, %vj]", "loop.load %A[%vi, %vj] where (%vi < 2) else %two")
    refused(guarded, lambda s: s.pad_einsum(s.get_block("B"), [3, 1]), "TW0406", "by loads and stores without a guard")
    twice = COPY.replace(
        "%b = arith.mulf %a, %two", "%c = loop.load %A[%vj, %vi] : memref<4x4xf64>\n        %b = arith.mulf %a, %c"
    )
    refused(twice, lambda s: s.pad_einsum(s.get_block("B"), [3, 1]), "TW0406", "should read %A at one index")


def test_decompose_padding_wants_a_copy_alone() -> None:
    scaled = PADDED.replace(
        "loop.store %a, %P", "%t = loop.load %W[0, 0, 0, 0] : memref<2x2x3x3xf64>\n      loop.store %a, %P"
    )
    refused(
        scaled,
        lambda s: s.decompose_padding(s.get_block("P"), s.get_loop("c")),
        "TW0422",
        "does more than to copy elements of another buffer",
    )

    def shared(s: Schedule) -> None:
        c = s.get_block("C")
        s.compute_at(s.get_block("P"), s.get_loops(c)[1])
        s.decompose_padding(s.get_block("P"), s.get_loops(c)[0])

    refused(PADDED, shared, "TW0406", "block 'P' is not alone in loop")


def written_at(index: str, read: str, count: int) -> str:
    """Return a program that writes B[index] for i in 0..4 and reads B[read] for j in 0..count; B has 8 elements."""
    return f"""
func.func @k(%A: memref<8xf64>, %X: memref<8xindex>, %C: memref<8xf64> {{tw.output}}) {{
  %B = loop.alloc : memref<8xf64>
  loop.for %i = 0 to 4 {{
    loop.block "B" (%vi = spatial(%i) in 4) {{
      %x = loop.load %X[%vi] : memref<8xindex>
      %a = loop.load %A[%vi] : memref<8xf64>
      loop.store %a, %B[{index}] : memref<8xf64>
    }}
  }}
  loop.for %j = 0 to {count} {{
    loop.block "C" (%vj = spatial(%j) in {count}) {{
      %b = loop.load %B[{read}] : memref<8xf64>
      loop.store %b, %C[%vj] : memref<8xf64>
    }}
  }}
  func.return
}}"""


def test_a_box_that_is_written_can_be_copied() -> None:
    schedule = Schedule(parse(written_at("%vi + 2", "%vj + 3", 3)))
    schedule.cache_read(schedule.get_block("C"), "B", "local")
    assert "%B_local[%vj + 3]" in str(schedule.func)


@pytest.mark.parametrize(
    ("index", "read", "count", "code", "note"),
    [
        ("%vi + 2", "%vj + 2", 5, "TW0401", "nothing writes %B[6], which the copy would read"),
        ("%vi + 3", "%vj + 3", 5, "TW0401", "nothing writes %B[7], which the copy would read"),
        ("%vi * 2", "%vj * 2", 2, "TW0401", "nothing writes %B[1], which the copy would read"),
        ("%x", "%vj", 2, "TW0402", ""),
    ],
)
def test_a_box_with_elements_that_nothing_writes(index: str, read: str, count: int, code: str, note: str) -> None:
    schedule = Schedule(parse(written_at(index, read, count)))
    with pytest.raises(TilewrightError) as error:
        schedule.cache_read(schedule.get_block("C"), "B", "local")
    assert error.value.code == code
    assert note in "".join(error.value.notes)
    schedule.cache_read(schedule.get_block("C"), "B", "local", assert_legal=True)


def test_reindex_of_a_block_over_tiles() -> None:
    def transform(s: Schedule) -> None:
        _, ji = s.split(s.get_loops(s.get_block("B"))[1], [None, 4])
        s.reindex(s.blockize(ji), "A")

    refused(elementwise(8, 8), transform, "TW0406", "indexes %A with values other than the block's iteration variables")


CACHED = chain(8).replace("%C: memref<8xf64>", "%B: memref<8xf64> {tw.output}, %C: memref<8xf64>")
CACHED = CACHED.replace("  %B = loop.alloc : memref<8xf64>\n", "")


def cached(s: Schedule) -> None:
    s.cache_write(s.get_block("B"), "B", "local", consumer_blocks=[s.get_block("C")])


def test_consumers_read_what_was_written_before_it_is_copied() -> None:
    check_compiled(CACHED, cached)
    schedule = Schedule(parse(CACHED))
    cached(schedule)
    assert "loop.load %B[" not in str(schedule.func) and str(schedule.func).count("loop.load %B_local[") == 2
    replayed = Schedule(parse(CACHED))
    schedule.trace.apply_to(replayed)
    assert str(replayed.func) == str(schedule.func)


def test_consumers_that_read_something_else_than_was_written() -> None:
    beyond = CACHED.replace("%i = 0 to 8", "%i = 0 to 6").replace("(%i) in 8", "(%i) in 6")
    refused(beyond, cached, "TW0401", "the box of %B_local that block 'C' reads is not all written")
    other = CACHED.replace("loop.store %c, %C[%vj]", "loop.store %c, %B[%vj]")
    refused(other, cached, "TW0406", "should read %B directly and not write it")
    again = """  loop.for %k = 0 to 8 {
    loop.block "D" (%vk = spatial(%k) in 8) {
      loop.store %two, %B[%vk] : memref<8xf64>
    }
  }
"""
    twice = CACHED.replace("  loop.for %j", f"{again}  loop.for %j")
    refused(twice, cached, "TW0406", "reads elements that others than block 'B' write to %B")
    refused(
        CACHED,
        lambda s: s.cache_write(s.get_block("C"), "C", "local", consumer_blocks=[s.get_block("B")]),
        "TW0406",
        "does not read %C",
    )
    early = """  loop.for %e = 0 to 1 {
    loop.block "E" (%ve = spatial(%e) in 1) {
      %x = loop.load %B[%ve] : memref<8xf64>
      loop.store %x, %C[%ve] : memref<8xf64>
    }
  }
"""
    refused(
        CACHED.replace("  loop.for %i", f"{early}  loop.for %i"),
        lambda s: s.cache_write(s.get_block("B"), "B", "local", consumer_blocks=[s.get_block("E")]),
        "TW0406",
        "does not come after the loops of block 'B'",
    )
