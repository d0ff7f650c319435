"""Passes that arrange loops, on random kernels: the interpreter, native code and numpy agree before and after."""

from __future__ import annotations

import pytest
import tilewright
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tilewright.backends.cpu.host import host_target
from tilewright.backends.cpu.module import build as compile_cpu
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects.target import CpuTargetAttr
from tilewright.driver import lower_module
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.schedule.rules import block_work
from tilewright.semantics import evaluate
from xdsl.dialects.builtin import ModuleOp

from .small_kernels import CONTRACTIONS, KERNELS, POINTWISE, REDUCTIONS, Kernel

BOUNDED = {"deadline": None, "suppress_health_check": list(HealthCheck)}
ARRANGEMENTS = (
    "tile",
    "tile{sizes=3,8}",
    "tile{sizes=2,4,8}",
    "reorder",
    "tile{sizes=4,8},reorder",
    "parallelize",
    "tile{sizes=5},parallelize",
    "fuse",
    "fuse,reorder",
    "auto-schedule",
    "fuse,auto-schedule",
)


@pytest.fixture(autouse=True, scope="module")
def object_cache(tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("objects")))
        yield


def with_target(module: ModuleOp, vector_bits: int, threads: int = 1) -> ModuleOp:
    host = host_target()
    features = [f.data for f in host.features]
    module.attributes["tw.target"] = CpuTargetAttr.get(features, vector_bits, host.caches, threads)
    return module


def at_block_level(kernel: Kernel, passes: str = "lower-te", vector_bits: int = 256) -> ModuleOp:
    module = with_target(kernel.module(), vector_bits)
    PassManager(parse_pipeline(passes)).run(tilewright.dialects.context(), module)
    return module


@settings(max_examples=60, **BOUNDED)
@given(KERNELS, st.sampled_from(ARRANGEMENTS), st.sampled_from((128, 256, 512)))
def test_an_arrangement_keeps_the_values(kernel: Kernel, arrangement: str, vector_bits: int) -> None:
    arrays = kernel.arrays()
    expected = kernel.expected(arrays)
    with collect_remarks() as remarks:
        module = at_block_level(kernel, f"lower-te,{arrangement}", vector_bits)
    assert not [remark for remark in remarks if remark.code == "TW0409"], "refused by the engine"
    (result,) = evaluate(module, *arrays)
    kernel.check(result, expected, arrangement)


@settings(max_examples=40, **BOUNDED)
@given(KERNELS, st.sampled_from((128, 256, 512)))
def test_the_default_pipeline_keeps_the_values(kernel: Kernel, vector_bits: int) -> None:
    """From te to native code, with the interpreter at te level and at the end."""
    arrays = kernel.arrays()
    expected = kernel.expected(arrays)
    module = with_target(kernel.module(), vector_bits)
    (result,) = evaluate(module, *arrays)
    kernel.check(result, expected, "te level")
    with collect_remarks() as remarks:
        lowered = lower_module(module)
    assert "TW0409" not in {r.code for r in remarks}
    (result,) = evaluate(lowered, *arrays)
    kernel.check(result, expected, "loop level")
    if vector_bits <= host_target().vector_bits:
        kernel.check(compile_cpu(lowered, 1)(*arrays), expected, "native code")


@settings(max_examples=15, **BOUNDED)
@given(KERNELS, st.sampled_from(ARRANGEMENTS))
def test_native_code_of_an_arrangement(kernel: Kernel, arrangement: str) -> None:
    """A schedule of the user, then the default pipeline."""
    arrays = kernel.arrays()
    program = compile_cpu(lower_module(at_block_level(kernel, f"lower-te,{arrangement}")), 2)
    kernel.check(program(*arrays), kernel.expected(arrays), arrangement)


@settings(max_examples=15, **BOUNDED)
@given(st.one_of(CONTRACTIONS, REDUCTIONS, POINTWISE))
def test_default_schedules_in_parallel(kernel: Kernel) -> None:
    """Every kernel counts as large enough for threads."""
    arrays = kernel.arrays()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_work, "PARALLEL_GAIN", 0)
        lowered = lower_module(with_target(kernel.module(), 256, threads=3))
    (result,) = evaluate(lowered, *arrays)
    kernel.check(result, kernel.expected(arrays), "loop level")
    for threads in (1, 3):
        kernel.check(compile_cpu(lowered, threads)(*arrays), kernel.expected(arrays), f"{threads} threads")
