"""Remarks of the default schedules: what they say of products, large results and chains, and where they say nothing."""

from __future__ import annotations

import re

import pytest
from tilewright import te
from tilewright.diagnostics.remarks import Remark, collect_remarks
from tilewright.dialects import context
from tilewright.dialects.target import CpuTargetAttr
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline

CACHES = (32 << 10, 256 << 10, 0)


def remarks_of(code: str, *tensors: te.Tensor, passes: str = "lower-te,auto-schedule") -> list[Remark]:
    """Return the remarks of a code about a function of these tensors, for a machine whose caches hold 256 KiB."""
    module = te.to_module(tensors)
    module.attributes["tw.target"] = CpuTargetAttr.get(["avx2", "fma"], 256, CACHES, 1)
    with collect_remarks() as found:
        PassManager(parse_pipeline(passes)).run(context(), module)
    assert not [str(r) for r in found if r.code == "TW0409"], "refused by the engine"
    return [r for r in found if r.code == code]


def doubled(rows: int) -> tuple[te.Tensor, te.Tensor]:
    a = te.placeholder((rows, 64), name="A")
    return a, te.compute((rows, 64), lambda i, j: a[i, j] + a[i, j], name="B")


def test_results_larger_than_the_caches_are_streamed() -> None:
    (remark,) = remarks_of("TW0761", *doubled(4096))
    assert remark.kind == "analysis"
    assert remark.message == "vectors stored to 'B' pass the caches by, which hold 262144 bytes"


@pytest.mark.parametrize("rows", [1024, 16])  # 1024 rows fill the last cache and no more
def test_results_that_fit_are_not_streamed(rows: int) -> None:
    assert remarks_of("TW0761", *doubled(rows)) == []


def test_results_that_are_read_again_are_not_streamed() -> None:
    a, b = doubled(4096)
    c = te.compute((64,), lambda j: b[0, j] + b[1, j], name="C")
    assert not any("'B'" in remark.message for remark in remarks_of("TW0761", a, b, c))


def softmax(rows: int, columns: int) -> tuple[te.Tensor, te.Tensor]:
    a = te.placeholder((rows, columns), name="A")
    k, r = te.reduce_axis((0, columns), "k"), te.reduce_axis((0, columns), "r")
    largest = te.compute((rows,), lambda i: te.max(a[i, k], axis=k), name="largest")
    powers = te.compute((rows, columns), lambda i, j: te.exp(a[i, j] - largest[i]), name="powers")
    total = te.compute((rows,), lambda i: te.sum(powers[i, r], axis=r), name="total")
    return a, te.compute((rows, columns), lambda i, j: powers[i, j] / total[i], name="y")


def test_a_chain_over_rows_is_reported_with_its_blocks_and_bytes() -> None:
    (remark,) = remarks_of("TW0762", *softmax(256, 512))
    assert remark.kind == "analysis"
    assert remark.message == (
        "blocks 'largest', 'powers', 'total', 'y' are computed row by row, with 2048 bytes of a row kept between them"
    )


def test_blocks_that_share_loops_already_are_no_chain() -> None:
    """`fuse` has brought them together: their loops are somebody's arrangement."""
    assert remarks_of("TW0762", *softmax(1, 5))
    assert remarks_of("TW0762", *softmax(1, 5), passes="lower-te,fuse,auto-schedule") == []


def test_one_reduction_alone_is_no_chain() -> None:
    a, k = te.placeholder((256, 512), name="A"), te.reduce_axis((0, 512), "k")
    total = te.compute((256,), lambda i: te.sum(a[i, k], axis=k), name="total")
    mean = te.compute((256,), lambda i: total[i] / 512.0, name="mean")
    assert remarks_of("TW0762", a, mean) == []


def product(size: int) -> tuple[te.Tensor, ...]:
    a, b = te.placeholder((size, size), name="A"), te.placeholder((size, size), name="B")
    k = te.reduce_axis((0, size), "k")
    return a, b, te.compute((size, size), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")


def test_a_large_product_is_computed_over_packed_panels() -> None:
    (remark,) = remarks_of("TW0755", *product(1024))
    assert remark.kind == "analysis"
    assert re.match(r"packs .* into panels for tiles of \d+ x \d+ results, .* of the multiply-adds", remark.message)


def test_a_small_product_is_not_packed() -> None:
    assert remarks_of("TW0755", *product(16)) == []


@pytest.mark.parametrize("size", [16, 64])
def test_a_small_product_reports_its_tile(size: int) -> None:
    (remark,) = remarks_of("TW0763", *product(size))
    found = re.fullmatch(
        r"keeps tiles of (\d+) x (\d+) results in registers; predicted: (\d+)% of the .*", remark.message
    )
    assert found is not None, remark.message
    rows, columns, share = map(int, found.groups())
    assert rows * columns <= 16 * 8, "registers of eight lanes"
    assert 20 <= share <= 100
