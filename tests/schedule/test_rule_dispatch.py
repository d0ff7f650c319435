"""Choice of rules for CPUs, and the fallback after a refusal of the engine."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import te, topi
from tilewright.diagnostics import fail
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import loop
from tilewright.dialects.target import CpuTargetAttr
from tilewright.schedule import Schedule, rules
from tilewright.schedule.rules.rule import RefusedRuleError

from .programs import parse
from .test_result_blocks import TARGET, convolution

N = 96


def refused_rule(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> None:
    """Split, and then ask for what is refused."""
    sch.split(sch.get_loops(sch.get_block(op.label))[0], [None, 3])
    fail("TW0403", "not this one", op=op)


def product() -> list[te.Tensor]:
    a, b = te.placeholder((N, N), name="A"), te.placeholder((N, N), name="B")
    return [a, b, topi.nn.relu(topi.matmul(a, b))]


def build(tensors: list[te.Tensor]) -> tuple[list[str], str]:
    """Return the remarks on refused rules and the loops of the program, whose results are numpy's."""
    with collect_remarks() as found:
        run = tilewright.build(tensors, tensors, threads=1)
    a, b = np.random.default_rng(0).standard_normal((2, N, N)).astype(np.float32)
    np.testing.assert_allclose(run(a, b), np.maximum(a @ b, 0), rtol=1e-4, atol=1e-4)
    return [r.message for r in found if r.code == "TW0409"], run.get_source("mlir")


def test_the_next_rule_replaces_a_refused_one(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = build(product())
    assert expected[0] == [] and "vector<" in expected[1]
    monkeypatch.setattr(rules, "RULES", (refused_rule, *rules.RULES))
    messages, loops = build(product())
    assert messages and all("refused: rule refused_rule for block" in message for message in messages)
    assert loops == expected[1], "nothing of the first attempts is left"


def test_a_block_that_no_rule_takes_keeps_its_loops_and_the_others_are_scheduled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused_for_sums(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> None:
        if "reduce" in op.kinds:
            refused_rule(sch, op, target)

    monkeypatch.setattr(rules, "RULES", (refused_for_sums, rules.RULES[1]))
    messages, loops = build(product())
    assert len(messages) == 1 and "vector<" in loops


def test_what_is_refused_within_a_contraction_in_blocks_refuses_the_contraction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(sch: Schedule, block: object, *_: object) -> None:
        fail("TW0403", "no rows")

    monkeypatch.setattr(rules, "schedule_packed_rows", refuse)
    (function,) = parse(convolution(64, 64, 28)).ops
    with pytest.raises(RefusedRuleError, match="rule contraction for block 'conv': no rows") as caught:
        rules.schedule_by_rule(function, TARGET)
    (function,) = parse(convolution(64, 64, 28)).ops
    schedule = rules.schedule_by_rule(function, TARGET, {caught.value.refused})
    assert not any("cache_read" in line for line in schedule.trace.as_python().splitlines())
