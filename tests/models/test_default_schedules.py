"""Default schedules of real networks' kernels: no rule is refused, and what was done replays.

Of networks that test_light_models.py compiles as they are, it says that no rule is refused.
"""

from __future__ import annotations

from functools import cache

import pytest
from tilewright.analysis.access import blocks_in
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.light_models import light_model
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.schedule import Schedule
from tilewright.schedule.rules import schedule_by_rule
from unscheduled import before_schedules
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

TARGETS = {
    "avx2": CpuTargetAttr.get(["avx2", "fma"], 256, [32 << 10, 512 << 10, 4 << 20], 2),
    "avx512": CpuTargetAttr.get(["avx512f", "fma"], 512, [48 << 10, 2 << 20, 32 << 20], 16),
    "sse": CpuTargetAttr.get(["sse2"], 128, [32 << 10, 256 << 10, 0], 1),
}

WITH_LARGE_LAYERS = ("bvlc_alexnet", "vgg19", "zfnet512")
"""The networks that test_light_models.py compiles with fewer units in their hidden layers."""


@cache
def kernels(name: str) -> ModuleOp:
    """Return a network as shipped, its kernels as plain loops with blocks."""
    module = import_model(light_model(name, seed=None))
    PassManager(before_schedules(), verify_each=False).run(context(), module)
    return module


def distinct(module: ModuleOp, count: int) -> list[FuncOp]:
    return [f for f in module.ops if isinstance(f, FuncOp) and blocks_in(f)][:count]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", WITH_LARGE_LAYERS)
def test_no_default_schedule_is_refused(name: str) -> None:
    module = kernels(name).clone()
    module.attributes[TARGET_ATTRIBUTE] = TARGETS["avx2"]
    with collect_remarks() as remarks:
        PassManager(parse_pipeline("auto-schedule")).run(context(), module)
    assert [str(r) for r in remarks if r.code == "TW0409"] == []
    loops = [str(f) for f in distinct(module, 1000)]
    assert sum("kind vectorized" in text for text in loops) > 0.9 * len(loops)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["squeezenet", "resnet50"])
def test_schedules_replay_to_identical_loops(name: str, target: str) -> None:
    for function in distinct(kernels(name), 8):
        scheduled, replayed = function.clone(), function.clone()
        trace = schedule_by_rule(scheduled, TARGETS[target]).trace
        trace.apply_to(Schedule(replayed))
        assert str(replayed) == str(scheduled)
        scheduled.verify()
