"""auto_scheduler: workloads, record lines, records applied to schedules and to models, several tasks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import auto_scheduler, relay, te
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.hardware import machine_name
from tilewright.passes.framework.tuning_records import compiler_of_records
from tilewright.schedule.records import Record
from tilewright.tune import measure as measuring
from tilewright.tune.measure.protocol import Measured, Options

HOST = "llvm -mcpu=x86-64-v3 -threads=2"


@auto_scheduler.register_workload
def scaled_rows(n: int, m: int) -> list[te.Tensor]:
    A = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), name="k")
    B = te.compute((n,), lambda i: te.sum(A[i, k] * 2.0, axis=k), name="B")
    return [A, B]


@auto_scheduler.register_workload("tests/product")
def product(n: int) -> list[te.Tensor]:
    A, B = (te.placeholder((n, n), name=name) for name in "AB")
    k = te.reduce_axis((0, n), name="k")
    return [A, B, te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")]


def task(n: int = 32) -> Any:
    return auto_scheduler.SearchTask(func="tests/product", args=(n,), target=HOST)


def another_point(made: Any) -> dict[str, Any]:
    """Return a point beside the default, with other loops."""
    default = str(made.schedule({}).func)
    for decision in made.task.space.decisions({}):
        for value in decision.candidates:
            point = {decision.key: value}
            try:
                if str(made.schedule(point).func) != default:
                    return point
            except tvm.TilewrightError:
                continue
    raise AssertionError("the space has one point")


def record(made: Any, point: dict[str, Any], seconds: float, trial: int = 1) -> Record:
    return Record(
        made.task.key, made.task.name, str(made.task.target), point, samples=(seconds,), trial=trial,
        machine=machine_name(), compiler=compiler_of_records(), code=str(sorted(point.items())),
    )  # fmt: skip


def written(path: Path, made: Any, *records: Record) -> Path:
    inputs = [auto_scheduler.MeasureInput(made, made.workload_key, each) for each in records]
    auto_scheduler.RecordToFile(path).callback(None, inputs, [])
    return path


def test_workloads_are_known_by_name_and_key() -> None:
    key = auto_scheduler.make_workload_key(scaled_rows, (4, 6))
    assert key == '["scaled_rows", 4, 6]'
    assert [t.shape for t in auto_scheduler.workload_key_to_tensors(key)] == [(4, 6), (4,)]
    by_key = auto_scheduler.SearchTask(workload_key=key, target=HOST)
    assert by_key.task.key == auto_scheduler.SearchTask(func=scaled_rows, args=(4, 6), target=HOST).task.key
    assert str(by_key.compute_dag) == "A = PLACEHOLDER [4, 6]\nB[i] = sum(A[i, k] * 2.0, axis=[k])"
    with pytest.raises(tvm.TilewrightError, match="TW0871.*'scaled_row'.*did you mean 'scaled_rows'"):
        auto_scheduler.make_workload_key("scaled_row", ())
    with pytest.raises(tvm.TilewrightError, match="TW0871.*make_workload_key"):
        auto_scheduler.workload_key_to_tensors("scaled_rows")
    with pytest.raises(tvm.TilewrightError, match="TW0871.*either func"):
        auto_scheduler.SearchTask(target=HOST)
    with pytest.raises(tvm.TilewrightError, match="TW0871.*a new name of a workload"):
        auto_scheduler.register_workload("scaled_rows", product)
    auto_scheduler.register_workload("tests/inputs", lambda n: [te.placeholder((n,))])
    with pytest.raises(tvm.TilewrightError, match="TW0874.*its tensors"):
        auto_scheduler.SearchTask(func="tests/inputs", args=(3,), target=HOST)


def test_lines_hold_the_record_in_the_classic_form(tmp_path: Path) -> None:
    made = task()
    log = written(
        tmp_path / "product.json",
        made,
        record(made, {}, 0.5),
        replace(record(made, {}, 1.0), samples=(), error="crash"),
    )
    first, second = map(json.loads, log.read_text().splitlines())
    assert first["i"] == [['["tests/product", 32]', HOST, [], "", 0, []], [[], []]]
    assert (first["r"], first["v"]) == ([[0.5], 0, 0.5, 0.0], "v0.6")
    assert second["r"][:2] == [[1e9], 4]
    inputs, results = auto_scheduler.RecordReader(log).read_lines()
    assert [inp.record for inp in inputs][0] == record(made, {}, 0.5) and results[1].error_no == 4
    best, result = auto_scheduler.load_best_record(log, made.workload_key)
    assert best is not None and result is not None and result.costs == (0.5,)


def test_lines_of_the_original_are_passed_over_with_a_remark(tmp_path: Path) -> None:
    made = task()
    log = tmp_path / "product.json"
    original = {
        "i": [
            ['["abc", 32]', "llvm -keys=cpu", [8, 64, 64, 0, 0, 0, 0, 0], "", 2, []],
            [[], [["SP", 2, 0, 32, [4], 1]]],
        ],
        "r": [[0.002], 0, 0.3, 1.6e9],
        "v": "v0.6",
    }
    log.write_text(json.dumps(original) + "\n{\n")
    with collect_remarks() as remarks, pytest.raises(tvm.TilewrightError, match="TW0873.*product.json"):
        auto_scheduler.load_records(log)
    assert [each.code for each in remarks] == ["TW0876", "TW0873"]
    with log.open("a") as file:
        file.write(record(made, {}, 0.5).as_line())  # as `tilewright tune` writes it
    assert [inp.workload_key for inp, _ in auto_scheduler.load_records(log)] == [made.task.key]


def test_the_best_record_of_this_machine_is_applied(tmp_path: Path) -> None:
    made, point = task(), another_point(task())
    elsewhere = replace(record(made, {}, 0.01), machine="another machine")
    log = written(tmp_path / "a.json", made, record(made, {}, 0.5, trial=0), record(made, point, 0.1), elsewhere)
    sch, args = made.apply_best(log)
    assert str(sch.func) == str(made.schedule(point).func) != str(made.schedule({}).func)
    x, out = np.random.default_rng(0).random((32, 32), np.float32), np.zeros((32, 32), np.float32)
    program = tvm.build(sch, args, "llvm", name="product")
    program(x, x, out)
    np.testing.assert_allclose(out, x @ x, rtol=1e-4)
    assert program.entry_name == "product"
    with pytest.raises(tvm.TilewrightError, match="TW0610"):
        tvm.build(sch, args[:2], "llvm")
    with pytest.raises(tvm.TilewrightError, match="TW0209.*schedule, or cuda for a target of cuda"):
        made.print_best(log, print_mode="cuda")
    only = written(tmp_path / "b.json", made, elsewhere)
    with pytest.raises(tvm.TilewrightError, match="TW0877.*1 of another machine"):
        made.apply_best(only)
    with pytest.raises(tvm.TilewrightError, match="TW0877.*the file has none"):
        task(16).apply_best(log)


def model() -> tuple[Any, dict[str, np.ndarray]]:
    x, w = relay.var("x", shape=(8, 16)), relay.var("w", shape=(24, 16))
    params = {"w": np.random.default_rng(0).random((24, 16), np.float32)}
    return tvm.IRModule.from_expr(relay.Function([x, w], relay.tanh(relay.nn.dense(x, w)))), params


def test_kernels_of_a_model_are_tasks_whose_records_are_applied(tmp_path: Path) -> None:
    mod, params = model()
    tasks, weights = auto_scheduler.extract_tasks(mod["main"], params, HOST)
    assert len(tasks) == len(weights) == 1 and weights == [1]
    point = another_point(tasks[0])
    log = written(tmp_path / "model.json", tasks[0], record(tasks[0], point, 0.1))
    sch, args = tasks[0].apply_best(log)
    assert args is None and tasks[0].desc in str(tasks[0].compute_dag)

    def text() -> str:
        with tvm.transform.PassContext(opt_level=3):
            return str(relay.build(mod, target=HOST, params=params).lib.get_source("mlir"))

    plain = text()
    with auto_scheduler.ApplyHistoryBest(str(log)):
        tuned = text()
    assert tuned != plain == text()


class Sorted:
    """Measures schedules by the lengths of their texts, without a clock."""

    def __call__(self, candidates: Sequence[Any], incumbent: Any, options: Options) -> Iterator[Measured]:
        for built in candidates:
            seconds = 1e-6 * len(str(built.function))
            paired = 1e-6 * len(str((incumbent or built).function))
            repeated = (seconds,) * options.repeat, (paired,) * options.repeat
            yield Measured(str(hash(str(built.function))), *repeated)

    def close(self) -> None:
        """End nothing."""


@pytest.fixture
def measured_by_length(monkeypatch: pytest.MonkeyPatch) -> None:
    from tilewright.classic.auto_scheduler import task as tasks

    monkeypatch.setattr(tasks, "measure_for", lambda workload, **options: Sorted())


@pytest.mark.usefixtures("measured_by_length")
def test_several_tasks_share_the_trials(tmp_path: Path) -> None:
    log = tmp_path / "all.json"
    tasks = [task(16), task(24)]
    scheduler = auto_scheduler.TaskScheduler(tasks, [1, 5])
    calls: list[int] = []
    options = auto_scheduler.TuningOptions(
        num_measure_trials=8,
        measure_callbacks=[auto_scheduler.RecordToFile(log), lambda policy, inputs, results: calls.append(len(inputs))],
    )
    scheduler.tune(options)
    pairs = auto_scheduler.load_records(log)
    assert len([1 for inp, _ in pairs if inp.record.role == "trial"]) == 8 and len(calls) == len(pairs)
    assert {inp.workload_key for inp, _ in pairs} == {each.workload_key for each in tasks}
    assert all(0 < cost < 1 for cost in scheduler.best_costs)
    lines = log.read_text().splitlines()
    auto_scheduler.TaskScheduler(tasks, [1, 5], load_log_file=log).tune(
        auto_scheduler.TuningOptions(num_measure_trials=4, measure_callbacks=[auto_scheduler.RecordToFile(log)])
    )
    further = [inp.record for inp, _ in auto_scheduler.load_records(log)][len(lines) :]
    known = [(inp.record.task, dict(inp.record.decisions)) for inp, _ in pairs]
    new = [each for each in further if each.role == "trial"]
    assert len(new) == 4 and all((each.task, dict(each.decisions)) not in known for each in new)
    with pytest.raises(tvm.TilewrightError, match="TW0870.*TaskScheduler"):
        auto_scheduler.TaskScheduler(tasks, objective_func=sum)


@pytest.mark.usefixtures("measured_by_length")
def test_equal_seeds_give_equal_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        options = auto_scheduler.TuningOptions(
            num_measure_trials=6, measure_callbacks=[auto_scheduler.RecordToFile(tmp_path / name)]
        )
        made = task(16)
        made.tune(options, auto_scheduler.SketchPolicy(made, auto_scheduler.RandomModel(), seed=3))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_parts_that_are_missing_are_refused() -> None:
    assert measuring.LocalRunner is not auto_scheduler.LocalRunner
    for use in (
        lambda: auto_scheduler.RPCRunner("key", "host", 9190),
        lambda: auto_scheduler.PreloadCustomSketchRule(None, None),
    ):
        with pytest.raises(tvm.TilewrightError, match="TW0251"):
            use()
    context = auto_scheduler.LocalRPCMeasureContext(min_repeat_ms=300, repeat=2)
    assert (context.runner.options.least_time, context.runner.options.repeat) == (0.3, 2)
