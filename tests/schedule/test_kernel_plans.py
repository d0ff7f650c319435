"""Plans of products by kernels for described processors: which kernel, blocks that fit the caches, and what is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tilewright import Target, te
from tilewright.dialects.target import CpuTargetAttr
from tilewright.schedule.product_kernels import ProductKernel, fitting_kernels, product_kernels
from tilewright.schedule.rules.packed_product import (
    ProductPlan,
    best_part,
    block_extents,
    evenly,
    plan_product,
    product_pays,
)

from .programs import block_of

VNNI = "llvm -mcpu=x86-64-v4 -num-cores=1 -mattr=+avx512vnni -caches="
AVX2 = "llvm -mcpu=x86-64-v3 -num-cores=1 -caches="
LARGE, USUAL, SMALL = "48K,2M,32M", "32K,512K,8M", "4K,64K,1M"


def product(
    sizes: tuple[Any, Any, Any],
    types: tuple[str, str, str] = ("int8", "int8", "int32"),
    element: Callable[..., Any] = lambda a, b, i, j, k: a[i, k] * b[k, j],
    combine: Callable[..., Any] = te.sum,
) -> list[te.Tensor]:
    """Return a product; `element` is of the operands widened to the result's type."""
    m, n, depth = sizes
    a, b = te.placeholder((m, depth), types[0], "A"), te.placeholder((depth, n), types[1], "B")
    k = te.reduce_axis((0, depth), "k")

    class Wide:
        def __init__(self, tensor: te.Tensor) -> None:
            self.tensor = tensor

        def __getitem__(self, index: Any) -> Any:
            return self.tensor[index].astype(types[2])

    def body(i: Any, j: Any) -> Any:
        return combine(element(Wide(a), Wide(b), i, j, k), axis=k)

    return [a, b, te.compute((m, n), body, name="C")]


def described(target: str) -> CpuTargetAttr:
    attribute = Target(target).attribute()
    assert isinstance(attribute, CpuTargetAttr)
    return attribute


def plan(tensors: list[te.Tensor], target: str) -> ProductPlan | None:
    found = plan_product(block_of(tensors), described(target))
    return found if found is not None and product_pays(found, described(target)) else None


def kernel(name: str) -> ProductKernel:
    return next(k for k in product_kernels() if k.name == name)


@pytest.mark.parametrize(
    ("target", "sizes", "name", "block", "padded"),
    [
        (VNNI + LARGE, (512, 512, 512), "vpdpbusd_avx512vnni_signed", (512, 64, 512), (512, 512, 512)),
        (VNNI + LARGE, (1000, 1000, 1000), "vpdpbusd_avx512vnni_signed", (500, 64, 1024), (1000, 1024, 1024)),
        (VNNI + LARGE, (4096, 4096, 4096), "vpdpbusd_avx512vnni_signed", (256, 64, 4096), (4096, 4096, 4096)),
        (VNNI + LARGE, (64, 250, 31), "vpdpwssd_avx512", (64, 128, 32), (64, 256, 32)),
        (VNNI + SMALL, (512, 512, 512), "vpdpbusd_avx512vnni_signed", (64, 256, 256), (512, 512, 512)),
        (VNNI + SMALL, (1000, 1000, 1000), "vpdpbusd_avx512vnni_signed", (32, 256, 256), (1024, 1024, 1024)),
        (AVX2 + LARGE, (512, 512, 512), "pmaddwd_avx2", (512, 32, 512), (512, 512, 512)),
        (AVX2 + USUAL, (512, 512, 512), "pmaddwd_avx2", (256, 64, 512), (512, 512, 512)),
        (AVX2 + USUAL, (72, 80, 96), "pmaddwd_avx2", (72, 80, 96), (72, 80, 96)),
        (AVX2 + USUAL, (4096, 4096, 4096), "pmaddwd_avx2", (32, 256, 4096), (4096, 4096, 4096)),
        (AVX2 + SMALL, (1000, 1000, 1000), "pmaddwd_avx2", (16, 256, 512), (1008, 1024, 1024)),
    ],
)
def test_kernels_and_blocks_of_products(
    target: str, sizes: tuple[int, int, int], name: str, block: tuple[int, int, int], padded: tuple[int, int, int]
) -> None:
    found = plan(product(sizes), target)
    assert found is not None
    assert (found.kernel.name, found.block, found.padded) == (name, block, padded)
    assert found.points == sizes[0] * sizes[1] * sizes[2]
    assert found.useful == pytest.approx(found.points / (padded[0] * padded[1] * padded[2]))
    assert (found.pads, found.pads_result) == (padded != sizes, padded[:2] != sizes[:2])


def test_cycles_are_those_of_the_kernel_and_of_copies_for_padding() -> None:
    even, odd = plan(product((512, 512, 512)), AVX2 + USUAL), plan(product((512, 500, 512)), AVX2 + USUAL)
    target = described(AVX2 + USUAL)
    assert even is not None and odd is not None
    assert even.cycles(target) == 512**3 / even.kernel.speed
    assert odd.padded == (512, 512, 512)
    assert odd.cycles(target) == even.cycles(target) + (512 * 512 + 512 * 512 * 4) / 5, (
        "the right operand, and results of four bytes"
    )


@pytest.mark.parametrize("name", ["pmaddwd_avx2", "vpdpbusd_avx512vnni"])
@pytest.mark.parametrize("caches", [LARGE, USUAL, SMALL])
def test_parts_of_terms_are_whole_chunks(name: str, caches: str) -> None:
    attribute = described(VNNI + caches)
    chosen = kernel(name)
    for chunks in (1, 2, 3, 5, 7, 12, 64):
        for is_far in (False, True):
            part = best_part(chosen, chunks * chosen.chunk, attribute, is_far=is_far)
            assert part % chosen.chunk == 0 and 0 < part <= chunks * chosen.chunk
            assert best_part(chosen, chunks * chosen.chunk - 1, attribute, is_far=is_far) % chosen.chunk == 0


@pytest.mark.parametrize(
    ("caches", "name", "terms", "near", "far"),
    [
        (LARGE, "vpdpbusd_avx512vnni", 64 * 64, 512, 4096),
        (USUAL, "vpdpbusd_avx512vnni", 64 * 64, 256, 2048),
        (USUAL, "vpdpbusd_avx512vnni", 7 * 64, 64, 448),
        (SMALL, "vpdpbusd_avx512vnni", 64 * 64, 256, 384),
        (LARGE, "pmaddwd_avx2", 64 * 32, 1024, 1024),
        (USUAL, "pmaddwd_avx2", 64 * 32, 512, 2048),
        (SMALL, "pmaddwd_avx2", 64 * 32, 64, 512),
        (SMALL, "pmaddwd_avx2", 7 * 32, 32, 224),
        (SMALL, "pmaddwd_avx2", 32, 32, 32),
    ],
)
def test_terms_that_are_summed_in_one_go(caches: str, name: str, terms: int, near: int, far: int) -> None:
    attribute = described(VNNI + caches)
    found = [best_part(kernel(name), terms, attribute, is_far=is_far) for is_far in (False, True)]
    assert found == [near, far]


@pytest.mark.parametrize(
    ("extent", "unit", "most", "expected", "alone"),
    [
        (512, 16, 256, 256, 256),
        (512, 16, 200, 176, 176),
        (100, 16, 256, 64, 112),
        (96, 16, 256, 96, 96),
        (100, 1, 256, 100, 100),
        (100, 1, 64, 50, 50),
        (7, 16, 4, 16, 16),
        (48, 16, 8, 16, 16),
    ],
)
def test_even_parts(extent: int, unit: int, most: int, expected: int, alone: int) -> None:
    assert (evenly(extent, unit, most), evenly(extent, unit, most, alone=True)) == (expected, alone)


def test_blocks_of_rows_fit_the_second_cache() -> None:
    chosen = kernel("pmaddwd_avx2")
    for caches, height in ((LARGE, 512), (USUAL, 128), (SMALL, 16)):
        attribute = described(AVX2 + caches)
        rows, columns, _ = block_extents(chosen, (4096, 4096, 1024), attribute, is_far=True)
        assert rows == height and rows * columns * 4 <= 64 << 10


REFUSED: dict[str, list[te.Tensor]] = {
    "too few points": product((64, 64, 31)),
    "rows less than a kernel's": product((3, 600, 128)),
    "columns less than a kernel's": product((600, 7, 128)),
    "mostly padding": product((4, 20000, 2)),
    "rows of which the number is not known": product((te.var("m"), 512, 512)),
    "columns of which the number is not known": product((512, te.var("n"), 512)),
    "terms of which the number is not known": product((512, 512, te.var("k"))),
    "types without a kernel": product((512, 512, 512), ("int8", "int8", "int64")),
    "a sum of elements": product((512, 512, 512), element=lambda a, b, i, j, k: a[i, k] + b[k, j]),
    "a left factor that is computed": product((512, 512, 512), element=lambda a, b, i, j, k: (a[i, k] + 1) * b[k, j]),
    "a right factor that is computed": product((512, 512, 512), element=lambda a, b, i, j, k: a[i, k] * (b[k, j] + 1)),
    "a guarded factor": product(
        (512, 512, 512), element=lambda a, b, i, j, k: te.if_then_else(k > i, a[i, k], 0) * b[k, j]
    ),
    "greatest products": product((512, 512, 512), combine=te.max),
    "a square": product((512, 512, 512), element=lambda a, b, i, j, k: a[i, k] * a[j, k]),
    "operands that both move along rows": product((512, 512, 512), element=lambda a, b, i, j, k: a[i, k] * b[i, k]),
    "an operand without the terms": product((512, 512, 512), element=lambda a, b, i, j, k: a[i, k] * b[0, j]),
}


@pytest.mark.each("case", REFUSED)
@pytest.mark.parametrize("target", [VNNI + LARGE, AVX2 + USUAL])
def test_what_no_kernel_computes(case: str, target: str) -> None:
    assert plan(REFUSED[case], target) is None


@pytest.mark.parametrize(
    "element",
    [
        lambda a, b, i, j, k: a[i, k] * b[k, j],
        lambda a, b, i, j, k: b[k, j] * a[i, k],
        lambda a, b, i, j, k: a[k, i] * b[k, j],
        lambda a, b, i, j, k: a[i, k] * b[j, k],
    ],
)
def test_the_left_operand_is_that_of_the_rows(element: Callable[..., Any]) -> None:
    found = plan(product((512, 512, 512), element=element), AVX2 + USUAL)
    assert found is not None
    assert (found.left.load.buffer.name_hint, found.right.load.buffer.name_hint) == ("A", "B")
    assert (found.rows.position, found.columns.position, found.terms.position) == (0, 1, 2)


@pytest.mark.parametrize(
    "types", [("int8", "uint8", "int32"), ("uint8", "uint8", "int32"), ("int16", "int16", "int32")]
)
def test_operands_are_widened_as_their_types_say(types: tuple[str, str, str]) -> None:
    found = plan(product((512, 512, 512), types), AVX2 + USUAL)
    assert found is not None and (found.left.dtype, found.right.dtype) == types[:2]
    best, *_ = fitting_kernels(types[:2], "int32", described(AVX2 + USUAL))
    assert found.kernel == best
