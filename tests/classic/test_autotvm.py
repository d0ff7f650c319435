"""autotvm: templates as spaces, contexts that say which configuration a template gets, and record lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import autotvm, te
from tilewright.classic.autotvm.template_space import TemplateSpace
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.tune.space import Space

HOST = "llvm -mcpu=x86-64-v3"


@autotvm.template("tests/rows")
def rows(n: int, m: int) -> tuple[te.Schedule, list[te.Tensor]]:
    A = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), name="k")
    B = te.compute((n,), lambda i: te.sum(A[i, k], axis=k), name="B")
    s = te.create_schedule(B.op)
    cfg = autotvm.get_config()
    cfg.define_split("rows", s[B].op.axis[0], num_outputs=2)
    cfg.define_knob("unroll", [False, True])
    _, inner = cfg["rows"].apply(s, B, s[B].op.axis[0])
    if cfg["unroll"].val:
        s[B].unroll(inner)
    return s, [A, B]


def task(n: int = 12, m: int = 5) -> Any:
    return autotvm.task.create("tests/rows", args=(n, m), target=HOST)


def result(seconds: float, error: int = 0) -> autotvm.MeasureResult:
    return autotvm.MeasureResult((seconds,) if not error else ("text",), error, 0.5, 1.7e9)


def record(made: Any, index: int, seconds: float, error: int = 0) -> Any:
    return autotvm.MeasureInput(made.target, made, made.config_space.get(index)), result(seconds, error)


def written(path: Path, *records: Any) -> Path:
    path.write_text("".join(f"{autotvm.record.encode(*each)}\n" for each in records))
    return path


def test_a_template_is_a_space_whose_points_compute_the_same() -> None:
    made = task()
    space = TemplateSpace(made)
    assert isinstance(space, Space)
    assert [(each.key, len(each.candidates)) for each in space.decisions({})] == [("rows", 6), ("unroll", 2)]
    x = np.random.default_rng(0).random((12, 5), np.float32)
    for index in range(len(made.config_space)):
        point = made.config_space.get(index).values
        built = space.build(point)
        assert built.point == point and "x86-64-v3" not in str(built.function)
        again = space.build(point)
        assert str(again.function) == str(built.function) and again.trace.as_json() == built.trace.as_json()
        out = np.zeros(12, np.float32)
        tvm.build(built.function.parent_op(), target="interpreter")(x, out)
        np.testing.assert_allclose(out, x.sum(1), rtol=1e-6)
    with pytest.raises(tvm.TilewrightError, match="TW0801.*6 candidates of knob 'rows'"):
        space.build({"rows": (-1, 5)})
    with pytest.raises(tvm.TilewrightError, match="TW0801.*a knob of the template, but got 'row'"):
        space.decisions({"row": (-1, 4)})


def test_operations_are_those_of_the_tensors_unless_a_template_states_them() -> None:
    assert task().flop == 12 * 5

    @autotvm.register_customized_task("tests/stated")
    def stated(n: int) -> Any:
        autotvm.get_config().add_flop(100 * n)
        A = te.placeholder((n,), name="A")
        B = te.compute((n,), lambda i: A[i] + 1.0, name="B")
        return te.create_schedule(B.op), [A, B]

    assert autotvm.task.create("tests/stated", args=(3,), target=HOST).flop == 300


def extents(schedule: te.Schedule, args: list[te.Tensor]) -> list[int]:
    return [axis.extent for axis in schedule[args[-1]].leaf_iter_vars if axis.kind == "spatial"]


def test_a_template_gets_the_fastest_record_of_its_arguments_and_target(tmp_path: Path) -> None:
    made = task()
    log = written(
        tmp_path / "rows.log",
        record(made, 1, 0.2),
        record(made, 2, 0.1),
        record(made, 3, 0.05, error=4),
        record(task(24), 5, 0.01),
        record(made, 2, 0.3),  # the same configuration with more samples: this line counts
    )
    with autotvm.apply_history_best(str(log)) as context, tvm.target.Target(HOST):
        assert extents(*rows(12, 5)) == [6, 2]
        assert extents(*rows(24, 5)) == [3, 8]
        assert context.contains(HOST, made.workload) and not context.contains("llvm", made.workload)
        with collect_remarks() as remarks:
            assert extents(*rows(9, 5)) == [9, 1]
        assert [each.code for each in remarks] == ["TW0875"] and "tests/rows(9, 5)" in remarks[0].message
    with autotvm.ApplyHistoryBest(log), tvm.target.Target("llvm"), collect_remarks() as remarks:
        assert extents(*rows(12, 5)) == [12, 1]
    assert [each.code for each in remarks] == ["TW0875"]
    with autotvm.apply_history_best([record(made, 4, 0.2)]), tvm.target.Target(HOST):
        s, args = rows(12, 5)
    assert extents(s, args) == [2, 6]
    x, out = np.ones((12, 5), np.float32), np.zeros(12, np.float32)
    tvm.build(s, args, "llvm")(x, out)
    np.testing.assert_array_equal(out, np.full(12, 5, np.float32))


def test_contexts_one_inside_another() -> None:
    made = task()
    one, other = made.config_space.get(1), made.config_space.get(2)
    with tvm.target.Target(HOST), autotvm.ApplyConfig(one):
        assert extents(*rows(12, 5)) == [6, 2]
        with autotvm.FallbackContext() as context:
            assert extents(*rows(12, 5)) == [6, 2]  # the context around it has an answer
            context.update(HOST, made.workload, other)
            assert extents(*rows(12, 5)) == [4, 3]
        with autotvm.ApplyFixedConfig(["another"], other):
            assert extents(*rows(12, 5)) == [6, 2]
    assert autotvm.get_config().is_fallback
    with autotvm.tophub.context(HOST):
        assert extents(*rows(12, 5)) == [12, 1]


def test_a_record_that_the_template_has_no_candidate_for_is_refused(tmp_path: Path) -> None:
    made = task()
    line = json.loads(autotvm.record.encode(*record(made, 1, 0.2)))
    line["config"]["entity"][0] = ["rows", "sp", [-1, 5]]
    log = tmp_path / "rows.log"
    log.write_text(json.dumps(line))
    with (
        autotvm.apply_history_best(log),
        tvm.target.Target(HOST),
        pytest.raises(tvm.TilewrightError, match="TW0801.*knob 'rows', but the record has"),
    ):
        rows(12, 5)


def test_lines_have_the_classic_form_and_are_read_back(tmp_path: Path) -> None:
    made = task()
    line = autotvm.record.encode(*record(made, 7, 0.25))
    assert json.loads(line) == {
        "input": [HOST, "tests/rows", [12, 5], {}],
        "config": {"index": 7, "code_hash": None, "entity": [["rows", "sp", [-1, 2]], ["unroll", "ot", True]]},
        "result": [[0.25], 0, 0.5, 1.7e9],
        "version": 0.2,
        "tvm_version": tvm.__version__,
    }
    inp, read = autotvm.record.decode(line)
    assert (inp.target.target, inp.task.workload, inp.config) == (HOST, made.workload, made.config_space.get(7))
    assert read == result(0.25)
    failed = json.loads(autotvm.record.encode(*record(made, 7, 0.0, error=5)))
    assert failed["result"][:2] == [[1e9], 5]
    # A line of the original, whose target and version are others.
    original = (
        '{"input": ["llvm -keys=cpu -mcpu=core-avx2", "tests/rows", [["TENSOR", [1, 3], "float32"], 2], {}], '
        '"config": {"index": 3, "code_hash": null, "entity": [["tile", "sp", [-1, 8, 4]], ["order", "re", [1, 0]], '
        '["kind", "an", ["unroll", "vec"]], ["auto", "ot", 1500]]}, "result": [[0.0012, 0.0011], 0, 2.5, 1.5], '
        '"version": 0.2, "tvm_version": "0.8.0"}'
    )
    inp, read = autotvm.record.decode(original)
    assert inp.task.args == (("TENSOR", (1, 3), "float32"), 2) and read.mean == pytest.approx(0.00115)
    assert [inp.config[name].value for name in ("tile", "order", "kind", "auto")] == [
        (-1, 8, 4), (1, 0), ("unroll", "vec"), 1500,
    ]  # fmt: skip


def test_files_of_records_are_reduced_and_divided(tmp_path: Path) -> None:
    small, large = task(), task(24)
    log = written(
        tmp_path / "all.log",
        record(small, 1, 0.2),
        record(small, 1, 0.3),
        record(small, 2, 0.1),
        record(large, 3, 0.4),
        record(large, 4, 0.1, error=1),
    )
    autotvm.record.pick_best(log, tmp_path / "best.log")
    best = list(autotvm.record.load_from_file(tmp_path / "best.log"))
    assert [(inp.task.args, inp.config.index) for inp, _ in best] == [((12, 5), 2), ((24, 5), 3)]
    autotvm.record.split_workload(log)
    parts = [list(autotvm.record.load_from_file(f"{log}.{k:03d}.wkl")) for k in range(2)]
    assert [[read.mean for _, read in part] for part in parts] == [[0.3, 0.1], [0.4]]


def test_damaged_lines_are_passed_over_with_a_remark(tmp_path: Path) -> None:
    log = written(tmp_path / "some.log", record(task(), 1, 0.2))
    with log.open("a") as file:
        file.write('# a comment\n\n{"input": ["llvm", "x", [\n[1, 2]\n{"input": ["lvm", "x", [], {}]}\n')
    with collect_remarks() as remarks:
        assert len(list(autotvm.record.load_from_file(log))) == 1
    assert [each.code for each in remarks] == ["TW0873"] * 3 and "line 4" in remarks[0].message
    (tmp_path / "none.log").write_text("[1, 2]\n")
    for use in (autotvm.apply_history_best, autotvm.ApplyGraphBest):
        with pytest.raises(tvm.TilewrightError, match="TW0873.*none.log"):
            use(tmp_path / "none.log")
    with pytest.raises(tvm.TilewrightError, match="TW0873.*'pickle'"):
        autotvm.record.encode(*record(task(), 1, 0.2), "pickle")


def test_mistakes_of_templates_and_tasks() -> None:
    with pytest.raises(tvm.TilewrightError, match="TW0871.*'tests/row'.*did you mean 'tests/rows'"):
        autotvm.task.create("tests/row", args=(1, 2), target=HOST)
    with pytest.raises(tvm.TilewrightError, match="TW0871.*arguments of a template"):
        autotvm.task.args_to_workload([object()])
    with pytest.raises(tvm.TilewrightError, match="TW0871.*by position"):
        rows(n=3, m=4)

    @autotvm.template("tests/tensors")
    def tensors(n: int) -> Any:
        return te.placeholder((n,))

    with pytest.raises(tvm.TilewrightError, match="TW0874.*a schedule and its tensors, but got Tensor"):
        autotvm.task.create("tests/tensors", args=(3,), target=HOST)


def test_options_of_measurements_become_those_of_the_runner() -> None:
    option = autotvm.measure_option(
        builder=autotvm.LocalBuilder(timeout=7, n_parallel=2),
        runner=autotvm.LocalRunner(number=5, repeat=2, timeout=3, enable_cpu_cache_flush=True),
    )
    options = option.runner.options
    assert (options.number, options.repeat, options.timeout, options.cold) == (5, 2, 3.0, True)
    least = autotvm.LocalRunner(min_repeat_ms=150).options
    assert (least.number, least.least_time) == (0, 0.15)
    assert autotvm.measure_option(builder="local", runner="local").builder.timeout == 10
    with pytest.raises(tvm.TilewrightError, match="TW0725.*'runner'"):
        autotvm.measure_option(builder="local", runner="rpc")
    with pytest.raises(tvm.TilewrightError, match="(?s)TW0251.*ClusterRunner"):
        autotvm.RPCRunner("key", "host", 9190)
    with pytest.raises(tvm.TilewrightError, match="TW0870.*'ndk'"):
        autotvm.LocalBuilder(build_func="ndk")
    with pytest.raises(tvm.TilewrightError, match="TW0870.*no range of indices"):
        autotvm.tuner.GridSearchTuner(task(), range_idx=(0, 3))
    with pytest.raises(tvm.TilewrightError, match="TW0870.*loss_type to be reg, rank"):
        autotvm.tuner.XGBTuner(task(), loss_type="rnk")
    assert autotvm.tuner.DropletTuner(task(), start_position=[2, 1]).start == {"rows": (-1, 3), "unroll": True}
