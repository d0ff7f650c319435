"""pad_einsum and decompose_padding."""

from __future__ import annotations

from typing import Any

import pytest
from tilewright import TilewrightError
from tilewright.dialects import loop
from tilewright.schedule import Schedule

from .compiled import check_compiled
from .programs import conv, elementwise, matmul, parse, symbolic_matmul


def refused(text: str, transform: Any, code: str, message: str, help: str = "") -> None:
    schedule = Schedule(parse(text))
    with pytest.raises(TilewrightError) as error:
        transform(schedule)
    assert error.value.code == code
    assert message in error.value.message
    assert help in (error.value.help or "")


def labels(s: Schedule) -> list[str]:
    return [op.label for op in s.func.walk() if isinstance(op, loop.BlockOp)]


@pytest.mark.parametrize(
    ("sizes", "padding", "expected"),
    [
        ((5, 7, 3), (4, 4, 2), ["A_pad", "B_pad", "C", "C_crop"]),
        ((4, 8, 3), (4, 4, 2), ["A_pad", "B_pad", "C"]),
        ((5, 8, 4), (4, 4, 2), ["A_pad", "C", "C_crop"]),
        ((4, 8, 4), (4, 4, 2), ["C"]),
        ((1, 1, 1), (1, 1, 1), ["C"]),
    ],
)
def test_padded_matmul(sizes: tuple[int, int, int], padding: tuple[int, int, int], expected: list[str]) -> None:
    def transform(s: Schedule) -> None:
        c = s.get_block("C")
        s.pad_einsum(c, list(padding))
        for handle, factor in zip(s.get_loops(c), padding, strict=True):
            s.split(handle, factor=factor)
        assert not s.block(c).conditions

    assert labels(check_compiled(matmul(*sizes, epilogue=False), transform)) == expected


@pytest.mark.parametrize("n", [1, 4, 6])
def test_padded_matmul_of_symbolic_sizes(n: int) -> None:
    def transform(s: Schedule) -> None:
        s.pad_einsum(s.get_block("C"), [4, 4, 4])

    s = check_compiled(symbolic_matmul(), transform, {"A": (3, n), "B": (n, 5), "E": (3, 5)})
    assert labels(s) == ["A_pad", "B_pad", "C", "C_crop", "E"]


def test_paddings_that_are_refused() -> None:
    text = matmul(3, 4, 5)
    refused(text, lambda s: s.pad_einsum(s.get_block("C"), [4, 4]), "TW0403", "expected 3 numbers of at least 1")
    refused(text, lambda s: s.pad_einsum(s.get_block("C"), [4, 4, 0]), "TW0403", "but got [4, 4, 0]")
    refused(
        text.replace("%s = arith.addf %c, %p", "%s = arith.maximumf %c, %p"),
        lambda s: s.pad_einsum(s.get_block("C"), [1, 1, 4]),
        "TW0422",
        "padding %vk with zeros would change the result: block 'C' is not a sum",
        "give 1 for the reduce variables",
    )
    refused(
        text.replace("%p = arith.mulf %a, %b", "%p = arith.subf %a, %b"),
        lambda s: s.pad_einsum(s.get_block("C"), [1, 1, 4]),
        "TW0422",
        "does not add products of elements",
    )
    refused(
        conv(2, 5, 2, 3),
        lambda s: s.pad_einsum(s.get_block("C"), [4, 1, 1, 1, 1, 1]),
        "TW0406",
        "should index %P by a separate iteration variable a dimension",
    )

    def split_first(s: Schedule) -> None:
        c = s.get_block("C")
        s.split(s.get_loops(c)[0], factor=2)
        s.pad_einsum(c, [4, 4, 4])

    refused(text, split_first, "TW0406", "pad before loops are split")


def test_spatial_padding_asks_for_no_sum() -> None:
    maximum = matmul(3, 5, 4, epilogue=False).replace("%s = arith.addf %c, %p", "%s = arith.maximumf %c, %p")
    check_compiled(maximum, lambda s: s.pad_einsum(s.get_block("C"), [2, 4, 1]))
    check_compiled(elementwise(3, 5), lambda s: s.pad_einsum(s.get_block("B"), [1, 4]))


@pytest.mark.parametrize("position", [0, 1, 2])
def test_decompose_padding(position: int) -> None:
    def transform(s: Schedule) -> None:
        p = s.get_block("P")
        fill = s.decompose_padding(p, s.get_loops(p)[position])
        s.vectorize(s.get_loops(fill)[-1])

    s = check_compiled(conv(2, 4, 2, 3, pad=1), transform)
    assert labels(s)[:2] == ["P_fill", "P"]


def test_decompositions_of_padding_that_are_refused() -> None:
    refused(
        elementwise(3, 4),
        lambda s: s.decompose_padding(s.get_block("B"), s.get_loop("i")),
        "TW0422",
        "block 'B' does not store a guarded load",
        "else %constant",
    )
    text = conv(2, 4, 2, 3, pad=1)
    refused(
        text,
        lambda s: s.decompose_padding(s.get_block("P"), s.get_loops(s.get_block("E"))[0]),
        "TW0403",
        "block 'P' is not inside loop",
    )
    refused(
        text.replace("else %zero", "else %pad").replace(
            "%a = loop.load %X", "%pad = loop.load %X[%vc, 0, 0] : memref<2x4x4xf64>\n      %a = loop.load %X"
        ),
        lambda s: s.decompose_padding(s.get_block("P"), s.get_loop("c")),
        "TW0422",
        "does not store a constant outside",
    )
