"""Programs for the host, whichever that is: what is planned, written and computed on each described machine."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
import tilewright
from small_network import network
from tilewright import te
from tilewright.backends.cpu.host import host_target
from tilewright.dialects import loop
from tilewright.dialects.target import CpuTargetAttr
from tilewright.driver.lowering import lower_module
from tilewright.driver.programs import as_module
from tilewright.frontends.onnx import import_model
from tilewright.passes import collect_remarks
from tilewright.runtime import Module

from .cases import cases
from .machine_code import refused_by_gnu

pytestmark = pytest.mark.hosts
NAMES = ("matmul", "softmax", "reductions", "masks_and_gathers", "narrow_arithmetic")
WIDTHS = {128: "xmm", 256: "ymm", 512: "zmm"}


@cache
def built(host: CpuTargetAttr) -> Module:
    """Return the programs for a host. `host` is the key: the target says nothing."""
    assert host == host_target()
    return tilewright.build({name: [*cases()[name].tensors] for name in NAMES}, target="llvm")


@pytest.mark.parametrize("name", NAMES)
def test_values(name: str) -> None:
    results = built(host_target())[name](*cases()[name].inputs)
    cases()[name].check(results if isinstance(results, tuple) else (results,))


@pytest.mark.needs("x86-64-as")
def test_assembly_is_for_the_host(tmp_path) -> None:
    host, text = host_target(), built(host_target()).get_source("asm")
    assert f"%{WIDTHS[host.vector_bits]}" in text
    assert not [name for bits, name in WIDTHS.items() if bits > host.vector_bits and f"%{name}" in text]
    assert bool(re.search(r"\tvfmadd", text)) == host.has("fma")
    assert refused_by_gnu(text, [f.data for f in host.features], tmp_path) == ""


def product(n: int, dtype: str, result: str) -> list[te.Tensor]:
    a, b = te.placeholder((n, n), dtype, "A"), te.placeholder((n, n), dtype, "B")
    k = te.reduce_axis((0, n), "k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k].astype(result) * b[k, j].astype(result), axis=k), name="C")
    return [a, b, c]


def planned(tensors: list[te.Tensor]) -> tuple[loop.ForOp | None, set[str], list[str]]:
    """Return the first parallel loop, the foreign functions that are called, and what rules say."""
    with collect_remarks() as remarks:
        module = lower_module(as_module(tensors, tensors))
    ops = [*module.walk()]
    parallel = [op for op in ops if isinstance(op, loop.ForOp) and op.kind == loop.PARALLEL]
    called = {op.callee for op in ops if isinstance(op, loop.CallExternOp)}
    return next(iter(parallel), None), called, [r.code for r in remarks]


def test_loops_are_parallel_where_there_are_threads() -> None:
    parallel, _, codes = planned(product(256, "float32", "float32"))
    assert (parallel is not None) == (host_target().threads > 1)
    assert "TW0409" not in codes, "no default schedule is refused"
    if parallel is not None and parallel.constant_trip_count is not None:
        assert parallel.constant_trip_count >= min(host_target().threads, 8)


@pytest.mark.parametrize(("dtype", "result"), [("int8", "int32"), ("bfloat16", "float32")])
def test_products_of_narrow_types_use_the_instructions_of_the_host(dtype: str, result: str) -> None:
    host = host_target()
    _, called, _ = planned(product(256, dtype, result))
    assert any("avx512" in name for name in called) == host.has("avx512f")
    if dtype == "int8":
        assert called and any("vpdpbusd" in name for name in called) == host.has("avx512vnni")


def test_a_network_has_the_layout_of_the_host() -> None:
    with collect_remarks() as remarks:
        lower_module(import_model(network()))
    messages = " ".join(r.message for r in remarks if r.code in ("TW0758", "TW0759"))
    lanes = host_target().lanes(32)
    assert f"blocks of {lanes} channels" in messages if lanes <= 8 else messages
    assert "TW0409" not in {r.code for r in remarks}


def test_values_of_a_network() -> None:
    import onnxruntime

    model = network()
    x = np.random.default_rng(1).standard_normal((1, 3, 16, 16), np.float32)
    expected = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"data": x})[0]
    actual = np.asarray(tilewright.compile(import_model(model), target="llvm")(x))
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)
