"""Kernels of models as tasks of autotvm: extracted, tuned by any tuner, written as lines, and applied."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
import tilewright.tune.measure as measuring
from tilewright import relay
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.tune.measure.protocol import Measured, Options

autotvm = tvm.autotvm
TARGET = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=1"


def model() -> tuple[Any, dict[str, np.ndarray]]:
    x, w = relay.var("x", shape=(8, 16)), relay.var("w", shape=(24, 16))
    params = {"w": np.random.default_rng(0).random((24, 16), np.float32)}
    dense = relay.nn.dense(x, w)
    return tvm.IRModule.from_expr(relay.Function([x, w], relay.nn.softmax(relay.tanh(dense)))), params


class Longest:
    """Measures schedules by the lengths of their texts, without a clock: the longest is the fastest."""

    def __call__(self, candidates: Sequence[Any], incumbent: Any, options: Options) -> Iterator[Measured]:
        for built in candidates:
            seconds = [1.0 / len(str(each.function)) for each in (built, incumbent or built)]
            yield Measured(str(hash(str(built.function))), *((each,) * options.repeat for each in seconds))

    def close(self) -> None:
        pass


@pytest.fixture
def measured_by_length(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    asked: list[dict[str, Any]] = []

    def measure_for(workload: Any, *runner: Any, **options: Any) -> Longest:
        asked.append({"constants": [a.is_constant for a in workload.arguments], **options})
        return Longest()

    monkeypatch.setattr(measuring, "measure_for", measure_for)
    return asked


def tasks(**options: Any) -> list[Any]:
    mod, params = model()
    return autotvm.task.extract_from_program(mod["main"], params, TARGET, **options)


def test_tasks_of_a_model() -> None:
    found = tasks()
    assert [task.args[0] for task in found] == ["dense_tanh", "softmax"]
    dense = found[0]
    assert dense.name == "tilewright.kernel" and dense.workload == (dense.name, *dense.args)
    assert dense.flop > 2 * 8 * 16 * 24 and len(dense.config_space) > 1
    assert "b0:rule" in dense.config_space.space_map
    assert [task.args[0] for task in tasks(ops=["nn.softmax"])] == ["softmax"]
    assert tasks(ops=[]) == []
    mod, params = model()
    several = autotvm.task.extract_from_multiple_program([mod["main"]] * 2, [params] * 2, TARGET)
    assert [task.args for task in several] == [task.args for task in found]
    with pytest.raises(tvm.TilewrightError, match="TW0871.*is a kernel of a model"):
        dense.instantiate(dense.config_space)


@pytest.mark.parametrize("tuner", ["XGBTuner", "DropletTuner"])
def test_tuned_kernels_are_applied(tuner: str, tmp_path: Path, measured_by_length: list[dict[str, Any]]) -> None:
    """As classic programs do it: each task, a file of lines, the best of it, the model compiled with them."""
    log, best = tmp_path / "all.log", tmp_path / "best.log"
    option = autotvm.measure_option(builder=autotvm.LocalBuilder(timeout=7), runner=autotvm.LocalRunner())
    found = tasks()
    for task in found:
        made = getattr(autotvm.tuner, tuner)(task)
        made.tune(min(8, len(task.config_space)), option, callbacks=[autotvm.callback.log_to_file(log)])
        assert made.best_config is not None and made.best_flops > 0
    assert [asked["constants"] for asked in measured_by_length] == [[False, True, False], [False, False]]
    assert {(asked["seconds"], asked["threads"]) for asked in measured_by_length} == {(7, 1)}
    autotvm.record.pick_best(log, best)
    assert len(best.read_text().splitlines()) == len(found)

    def text() -> str:
        with tvm.transform.PassContext(opt_level=3), collect_remarks() as remarks:
            built = relay.build(model()[0], target=TARGET, params=model()[1])
        assert not [remark for remark in remarks if remark.code == "TW0822"]
        return str(built.lib.get_source("mlir"))

    plain = text()
    with autotvm.apply_history_best(str(best)):
        tuned = text()
    assert tuned != plain == text()

    lines = [json.loads(line) for line in best.read_text().splitlines()]
    for line in lines:
        line["config"]["code_hash"] = "another machine"
    best.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with autotvm.apply_history_best(str(best)):
        assert text() == plain, "records of another machine or compiler"


def test_a_history_is_where_a_tuner_begins(tmp_path: Path, measured_by_length: list[dict[str, Any]]) -> None:
    (task,) = tasks(ops=["softmax"])
    option, log = autotvm.measure_option("local", "local"), tmp_path / "softmax.log"
    first = autotvm.tuner.RandomTuner(task, seed=3)
    first.tune(8, option, callbacks=[autotvm.callback.log_to_file(log)])
    second = autotvm.tuner.RandomTuner(task, seed=4)
    second.load_history(autotvm.record.load_from_file(log))
    second.tune(2, option)
    assert second.best_config == first.best_config and second.best_config is not None
    again = pickled(task)
    assert again.workload == task.workload


def pickled(task: Any) -> Any:
    import pickle

    return pickle.loads(pickle.dumps(task))
