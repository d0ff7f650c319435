"""meta_schedule: a program that draws is tuned on a function of loops, and the fastest schedule is made again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import meta_schedule as ms
from tilewright import te, tir
from tilewright.classic.meta_schedule.space_generator import ProgramSpace
from tilewright.driver import Target
from tilewright.tune.space import Space

N = 24


def module(n: int = N) -> tvm.IRModule:
    A, B = (te.placeholder((n, n), name=name) for name in "AB")
    k = te.reduce_axis((0, n), "k")
    C = te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, B, C])})


def stochastic_schedule_mm(sch: tir.Schedule) -> None:
    block = sch.get_block("C")
    i, j, k = sch.get_loops(block)
    i_0, i_1 = sch.split(i, factors=sch.sample_perfect_tile(i, n=2))
    j_0, j_1 = sch.split(j, factors=sch.sample_perfect_tile(j, n=2, max_innermost_factor=32))
    k_0, k_1 = sch.split(k, factors=sch.sample_perfect_tile(k, n=2))
    sch.reorder(i_0, j_0, k_0, i_1, k_1, j_1)
    if sch.sample_categorical([0, 1], [0.5, 0.5]):
        sch.unroll(i_1)
    sch.decompose_reduction(block, k_0)


def test_a_program_that_draws_is_a_space() -> None:
    target = Target("llvm -mcpu=x86-64-v3").attribute()
    space = ProgramSpace(module()["main"], target, stochastic_schedule_mm)
    assert isinstance(space, Space)
    keys = [f"sample_perfect_tile.{k}" for k in range(3)] + ["sample_categorical.3"]
    assert [each.key for each in space.decisions({})] == keys
    built = space.build({"sample_perfect_tile.1": (3, 8), "sample_categorical.3": 1})
    assert built.point == {keys[0]: (24, 1), keys[1]: (3, 8), keys[2]: (24, 1), keys[3]: 1}
    assert space.build(built.point).trace.as_json() == built.trace.as_json()
    for point in ({"sample_perfect_tile.1": (5, 5)}, {"sample_perfect_tile.4": (3, 8)}):
        with pytest.raises(tvm.TilewrightError, match="TW0801"):
            space.build(point)


def test_tune_tir_and_compile_tir(tmp_path: Path) -> None:
    database = ms.tune_tir(
        mod=module(),
        target="llvm --num-cores=1".replace("--", "-"),
        max_trials_global=4,
        num_trials_per_iter=4,
        space=ms.space_generator.ScheduleFn(stochastic_schedule_mm),
        work_dir=str(tmp_path),
    )
    records = database.get_all_tuning_records()
    assert len([each for each in records if each.role == "trial"]) == 4 and len(database) == len(records)
    sch: Any = ms.tir_integration.compile_tir(database, module(), "llvm -num-cores=1")
    assert "sample_perfect_tile(" in sch.trace.as_python() and "decision=" in sch.trace.as_python()
    x, out = np.random.default_rng(0).random((N, N), np.float32), np.zeros((N, N), np.float32)
    tvm.build(sch.mod, target="llvm")(x, x, out)
    np.testing.assert_allclose(out, x @ x, rtol=1e-4)
    # Another folder, function or target has no record.
    assert ms.compile_tir(ms.JSONDatabase(tmp_path / "other"), module(), "llvm -num-cores=1") is None
    assert ms.compile_tir(database, module(16), "llvm -num-cores=1") is None
    assert ms.compile_tir(database, module(), "llvm -mcpu=x86-64-v2 -num-cores=1") is None
    # The folder is the run: nothing is measured again.
    again = ms.tune_tir(
        module(), "llvm -num-cores=1", str(tmp_path), 4, space=ms.space_generator.ScheduleFn(stochastic_schedule_mm)
    )
    assert len([each for each in again.get_all_tuning_records() if each.role == "trial"]) == 4


def test_options_that_are_not_here_are_refused(tmp_path: Path) -> None:
    for option in ({"space": "cuda"}, {"runner": "rpc"}, {"builder": "cuda"}):
        with pytest.raises(tvm.TilewrightError, match="TW0870.*post-order-apply or a ScheduleFn"):
            ms.tune_tir(module(), "llvm", tmp_path, 4, **option)
    with pytest.raises(tvm.TilewrightError, match="TW0634"):
        ms.tune_tir(module(), "cuda", tmp_path, 1)
