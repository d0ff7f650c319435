"""Machine code of products by default schedules: wide accesses, sums in registers, nothing spilled."""

from __future__ import annotations

import re
from collections import Counter

import pytest
import tilewright
from tilewright import te, topi

ARCHITECTURES = ["sm_80", "sm_90"]


def product(m: int, n: int, k: int, dtype: str = "float32") -> list[te.Tensor]:
    a, b = te.placeholder((m, k), dtype, name="A"), te.placeholder((k, n), dtype, name="B")
    r = te.reduce_axis((0, k), name="k")
    return [a, b, te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")]


def product_of_halves(size: int, dtype: str) -> list[te.Tensor]:
    a, b = te.placeholder((size, size), dtype, name="A"), te.placeholder((size, size), dtype, name="B")
    r = te.reduce_axis((0, size), name="k")

    def value(i, j):
        return te.sum(a[i, r].astype("float32") * b[r, j].astype("float32"), axis=r)

    return [a, b, te.compute((size, size), value, name="C")]


def convolution(layout: str) -> list[te.Tensor]:
    """Return a convolution of ResNet's for eight images, with its activation."""
    if layout == "NCHW":
        x, w = te.placeholder((8, 64, 56, 56), name="X"), te.placeholder((64, 64, 3, 3), name="W")
        return [x, w, topi.nn.relu(topi.nn.conv2d_nchw(x, w, 1, 1))]
    x, w = te.placeholder((8, 56, 56, 64), name="X"), te.placeholder((3, 3, 64, 64), name="W")
    return [x, w, topi.nn.relu(topi.nn.conv2d_nhwc(x, w, 1, 1))]


def compiled(assembled, tensors: list[te.Tensor], arch: str):
    """Return the registers and the instructions of the one kernel."""
    cubin = assembled(tilewright.build([tensors[-1]], tensors, target=f"cuda -arch={arch}"))
    (usage,), (instructions,) = cubin.kernels.values(), cubin.instructions.values()
    assert usage.spill_stores == usage.spill_loads == usage.stack == 0
    found = Counter(instructions)
    assert not [name for name in found if name.startswith(("LDL", "STL"))]
    assert not [name for name in found if re.match(r"D(ADD|MUL|FMA|SETP|MNMX)|.*F64", name)]
    return usage, found


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize(("size", "sums"), [(1024, 16), (4096, 64)])
def test_products(assembled, arch: str, size: int, sums: int) -> None:
    """Two blocks of 256 threads share a multiprocessor; what is fetched and what is used are loads of 16 bytes."""
    usage, found = compiled(assembled, product(size, size, size), arch)
    assert sums < usage.registers <= 128
    assert found["FFMA"] % sums == 0 and found["FFMA"] > 0
    assert found["LDG.E.128"] >= 4 and not found["LDG.E"]
    assert found["STG.E.128"] >= sums // 4 and not found["STG.E"]
    assert found["LDS.128"] * sums == found["FFMA"] * (2 if sums == 16 else 4) and not found["LDS"]
    assert found["STS.128"] >= 2


def test_ragged_products_that_divide_by_four(assembled) -> None:
    """Borders cost conditions, not the width of accesses."""
    usage, found = compiled(assembled, product(1000, 1000, 1000), "sm_90")
    assert usage.registers <= 128
    assert found["LDG.E.128"] and found["STG.E.128"] and not found["LDG.E"] and not found["STG.E"]


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_convolutions(assembled, arch: str, layout: str) -> None:
    """Weights are fetched four at a time, and pixels that hold channels; pixels beside one another, whose neighbours
    may be padding, one by one."""
    usage, found = compiled(assembled, convolution(layout), arch)
    assert usage.registers <= 128
    assert found["FFMA"] > 0 and found["LDS.128"] > 0 and not found["LDS"]
    assert found["LDG.E.128"] > 0 and found["STG.E.128"] > 0
    assert bool(found["LDG.E"]) == (layout == "NCHW")


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_products_of_halves(assembled, arch: str, dtype: str) -> None:
    """Tensor cores multiply matrices that are loaded as such; nothing is converted on its way."""
    usage, found = compiled(assembled, product_of_halves(4096, dtype), arch)
    assert usage.registers * 2 * 128 <= 65536, "two blocks of four warps share a multiprocessor"
    products = sum(number for name, number in found.items() if name.startswith("HMMA.16816.F32"))
    matrices = sum(number for name, number in found.items() if name.startswith("LDSM.16.M"))
    assert products >= 64 and matrices * 3 >= products // 2 and not found["FFMA"]
    assert found["LDGSTS.E.BYPASS.128"] >= 8, "16 bytes at a time go to shared memory while tensor cores work"
    assert not [name for name in found if name.startswith(("F2F", "HADD2.F32", "STS", "LDG.", "LDS."))]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_ragged_products_of_halves(assembled, dtype: str) -> None:
    """Conditional loads go through registers, without conversion."""
    _, found = compiled(assembled, product_of_halves(1000, dtype), "sm_90")
    assert found["STS.128"] and not found["STS"] and not found["STS.U16"]
    assert not [name for name in found if name.startswith(("F2F", "HADD2.F32"))]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_products_of_warpgroups(assembled, dtype: str) -> None:
    """Four instructions a step; copies for a later one begin between them and their wait."""
    usage, found = compiled(assembled, product_of_halves(4096, dtype), "sm_90a")
    products = sum(n for name, n in found.items() if name.startswith("HGMMA.64x256x16.F32"))
    assert products == 4 * 4 and found["LDGSTS.E.BYPASS.128"] == 12 * 4, "the loop's step and three outside of it"
    assert usage.registers <= 168 and not found["FFMA"]
