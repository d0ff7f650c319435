"""PTX of the default schedules' kernels."""

from __future__ import annotations

import pytest
from tilewright import TilewrightError, te, topi

from .gpu import build


def ptx_of(inputs: list[te.Tensor], output: te.Tensor) -> str:
    program = build(inputs, output)
    try:
        return program.imported_modules[0].get_source("ptx")
    except TilewrightError as error:
        if error.code == "TW0635" and "numba's own compiler" in error.message:
            pytest.skip("vectors of shared memory take numba-cuda")
        raise


@pytest.fixture(autouse=True)
def _compiler(nvvm: None) -> None:
    """Skip where there is none."""


def test_elementwise_kernels_load_and_store_vectors() -> None:
    a = te.placeholder((256, 1024), name="A")
    text = ptx_of([a], te.compute((256, 1024), lambda i, j: a[i, j] * 2 + 1, name="B"))
    assert "ld.global.v4" in text
    assert "st.global.v4" in text
    assert ".f64" not in text


def test_sums_load_vectors_and_shuffle() -> None:
    a = te.placeholder((64, 1024), name="A")
    k = te.reduce_axis((0, 1024), name="k")
    text = ptx_of([a], te.compute((64,), lambda i: te.sum(a[i, k], axis=k), name="B"))
    assert "ld.global.v4" in text
    assert "shfl.sync" in text
    assert ".f64" not in text


def test_softmax_reads_and_writes_vectors() -> None:
    a = te.placeholder((64, 1024), name="A")
    text = ptx_of([a], topi.nn.softmax(a, axis=-1))
    assert text.count(".entry") == 1
    assert "ld.global.v4" in text
    assert "st.global.v4" in text
    assert ".local" not in text
    assert ".minnctapersm" in text
    assert ".f64" not in text


def test_rows_that_end_within_a_step_stay_in_registers() -> None:
    a = te.placeholder((8192, 8000), name="A")
    text = ptx_of([a], topi.nn.softmax(a, axis=-1))
    assert text.count("ld.global.v4") == 8
    assert ".local" not in text


def test_transposes_touch_shared_memory() -> None:
    a = te.placeholder((64, 96), name="A")
    text = ptx_of([a], te.compute((96, 64), lambda i, j: a[j, i], name="B"))
    assert "st.shared.f32" in text
    assert "ld.shared.f32" in text
