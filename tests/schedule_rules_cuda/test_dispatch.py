"""Choice of rules for GPUs, and the fallback after a refusal of the engine."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics import TilewrightError, fail
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context, loop
from tilewright.dialects.target import CudaTargetAttr
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.schedule import Schedule
from tilewright.schedule.rules import cuda
from tilewright.schedule.rules.cuda import schedule_for_cuda
from tilewright.schedule.rules.rule import RefusedRuleError

from .gpu import draw


def refused_rule(sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr) -> None:
    """Split, and then ask for what is refused."""
    sch.split(sch.get_loops(sch.get_block(op.label))[0], [None, 3])
    fail("TW0403", "not this one", op=op)


def program() -> list[te.Tensor]:
    a = te.placeholder((40,), name="A")
    return [a, te.compute((40,), lambda i: a[i] + 1, name="B")]


def test_the_next_rule_replaces_a_refused_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "RULES", (refused_rule, *cuda.RULES))
    a, b = program()
    with collect_remarks() as found:
        run = tilewright.build([b], [a, b], target="cuda", device="simulator")
    messages = [r.message for r in found if r.code == "TW0409"]
    assert messages == ["default schedule of @main refused: rule refused_rule for block 'B': not this one"]
    x = draw((40,))
    np.testing.assert_array_equal(run(x), x + 1)
    assert "range(" not in run.imported_modules[0].get_source(), "nothing of the first attempt is left"


def test_without_any_rule_one_thread_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "RULES", (refused_rule,))
    a, b = program()
    with collect_remarks() as found:
        run = tilewright.build([b], [a, b], target="cuda", device="simulator")
    assert "TW0647" in [r.code for r in found]
    x = draw((40,))
    np.testing.assert_array_equal(run(x), x + 1)


def test_a_refusal_names_rule_and_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "RULES", (refused_rule,))
    module = te.to_module(program())
    PassManager(parse_pipeline("lower-te")).run(context(), module)
    with pytest.raises(RefusedRuleError, match="rule refused_rule for block 'B'") as caught:
        schedule_for_cuda(Schedule(module).func, CudaTargetAttr.get())
    assert caught.value.refused == ("B", "refused_rule")
    assert isinstance(caught.value.error, TilewrightError)
