"""Records of what phase 0 chooses for operators: measured for a small graph, applied in each model that has these."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
import tilewright
from onnx import numpy_helper
from tilewright import PassContext
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import Remark, collect_remarks
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.lowering import lower_module
from tilewright.driver.targets import Target
from tilewright.frontends.onnx import import_model
from tilewright.hardware import machine_name
from tilewright.passes.framework.tuning_records import compiler_of_records, tuned
from tilewright.schedule.canonical import target_in_records
from tilewright.schedule.records import GRAPH, VERDICT, Record, Winners, parse_record, read_records
from tilewright.tools import cli
from tilewright.tune.graph_space import GraphSpace, GraphTask, graph_task
from tilewright.tune.measure.building import workload_of
from tilewright.tune.records import RecordStore
from tilewright.tune.session import Session, Settings
from tilewright.tune.space import Built
from tuning_tasks import TARGET, module_of, target
from xdsl.dialects.builtin import ModuleOp

from .test_sessions import FakeMeasures

SMALL = """<ir_version: 10, opset_import: ["" : 22]> g (float[1,16,10,10] x) => (float y) {
  a = Conv <pads = [1, 1, 1, 1]> (x, w) y = Relu (a)
}"""
LARGE = """<ir_version: 10, opset_import: ["" : 22]> g (float[1,16,10,10] x) => (float y) {
  a = Conv <pads = [1, 1, 1, 1]> (x, w) b = Relu (a) c = Conv <pads = [1, 1, 1, 1]> (b, v) y = Sigmoid (c)
}"""
SHAPES = {"w": (16, 16, 3, 3), "v": (16, 16, 3, 3)}
X = np.random.default_rng(2).standard_normal((1, 16, 10, 10), np.float32)


def graph_of(text: str = SMALL, for_target: str | None = TARGET) -> ModuleOp:
    model, rng = onnx.parser.parse_model(text), np.random.default_rng(0)
    for name, shape in SHAPES.items():
        if f", {name})" in text:
            weights = rng.standard_normal(shape).astype(np.float32) / 10
            model.graph.initializer.append(numpy_helper.from_array(weights, name))
    module = import_model(model)
    if for_target is not None:
        module.attributes[TARGET_ATTRIBUTE] = target(for_target)
    return module


_X86 = target("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3")
CONVOLUTION = next(d.block for d in GraphSpace(graph_of(for_target=None), _X86).decisions({}) if d.name == "block_size")
"""The key of a convolution: its types and attributes."""


def chosen(decisions: dict[str, Any], **fields: Any) -> Record:
    """Return the record of a graph for which these decisions are faster."""
    stated: dict[str, Any] = {"samples": (1.0,) * 3, "paired": (2.0,) * 3, "trial": 1, "role": VERDICT}
    stated |= {"machine": machine_name(), "compiler": compiler_of_records(), "code": "c", "kind": GRAPH}
    stated |= {"task": "key", "target": target_in_records(target())}
    return Record(name="conv2d_relu", decisions=decisions, **{**stated, **fields})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "records.jsonl"


@pytest.fixture
def applied(file: Path) -> Callable[..., tuple[str, list[Remark]]]:
    """Return the text after phase 0 with some records, and the remarks about records of operators."""

    def text_of(*records: Record, module: ModuleOp | None = None) -> tuple[str, list[Remark]]:
        file.write_text("".join(record.as_line() for record in records))
        with PassContext(records=file), collect_remarks() as remarks:
            text = str(lower_module(module or graph_of(), 0))
        return text, [remark for remark in remarks if remark.code == "TW0822"]

    return text_of


def test_lines_of_graphs() -> None:
    assert CONVOLUTION.startswith("conv2d(1x16x10x10xf32, 16x16x3x3xf32, ")
    record = chosen({f"{CONVOLUTION}:block_size": 4})
    assert parse_record(record.as_line()) == record and '"kind":"graph"' in record.as_line()
    assert '"kind"' not in replace(record, kind="kernel").as_line()
    with pytest.raises(ValueError, match="kind is none of kernel, graph: 'model'"):
        parse_record(record.as_line().replace('"kind":"graph"', '"kind":"model"'))


@pytest.mark.sampled(2)
@pytest.mark.each(("decisions", "has"), [
    ({f"{CONVOLUTION}:block_channels": False}, "@conv2d_relu("),
    ({f"{CONVOLUTION}:block_size": 4}, "x4xf32"),
], shards=2)  # fmt: skip
def test_decisions_are_applied_wherever_the_operator_is(
    decisions: dict[str, Any], has: str, applied: Callable[..., tuple[str, list[Remark]]], file: Path
) -> None:
    for text in (SMALL, LARGE):
        default, _ = applied(module=graph_of(text))
        found, remarks = applied(chosen(decisions), module=graph_of(text))
        assert remarks == [] and found != default and has in found and has not in default
        assert found == str(lower_module(planned(text, decisions), 0)), "the program that was measured"
    expected = tilewright.compile(graph_of(LARGE, "llvm -threads=1"))(X)
    here = target_in_records(Target("llvm -threads=1").attribute())
    file.write_text(chosen(decisions, target=here).as_line())
    program = tilewright.compile(graph_of(LARGE, "llvm -threads=1"), records=file)
    np.testing.assert_allclose(program(X), expected, rtol=1e-4, atol=1e-5)


def planned(text: str, decisions: dict[str, Any]) -> ModuleOp:
    """Return the graph after phase 0 as its space builds it."""
    module = GraphSpace(graph_of(text), target()).build(decisions).function.parent_op()
    assert isinstance(module, ModuleOp)
    return module


def test_a_cut_of_a_group_is_applied(applied: Callable[..., tuple[str, list[Remark]]]) -> None:
    cut = "matmul(24x32xf32, 32x40xf32); relu(%0):fuse.cut"
    whole, _ = applied(module=module_of())
    found, remarks = applied(chosen({cut: 1}), module=module_of())
    assert remarks == [] and "@matmul_relu" in whole and "@matmul_relu" not in found
    assert "call @matmul(" in found and "call @relu(" in found


def test_an_answer_that_does_not_fit_gives_the_default_and_a_remark(
    applied: Callable[..., tuple[str, list[Remark]]],
) -> None:
    default, _ = applied(module=graph_of(LARGE))
    wrong = {f"{CONVOLUTION}:block_size": 5, f"{CONVOLUTION}:block_channels": True}
    found, remarks = applied(chosen(wrong), module=graph_of(LARGE))
    assert found == default
    assert len(remarks) == 1, "once for all convolutions of the form"
    assert "tuning record of operators is refused, and 8 is chosen: expected one of the" in remarks[0].message
    found, remarks = applied(chosen({"matmul(1x1xf32):pack_weights": 16}))
    assert (found, remarks) == (applied()[0], []), "an operator that the model does not have"


def test_records_of_others_are_not_applied(applied: Callable[..., tuple[str, list[Remark]]]) -> None:
    record, (default, _) = chosen({f"{CONVOLUTION}:block_size": 4}), applied()
    others = [{"machine": "another"}, {"compiler": "another"}, {"target": "another"}, {"trial": 0}, {"kind": "kernel"}]
    for fields in others:
        assert applied(replace(record, **fields))[0] == default, fields
    measured = f"{TARGET} -loads=1.7@measured"
    assert "x4xf32" in applied(record, module=graph_of(SMALL, measured))[0]


def test_the_graph_that_gained_more_decides() -> None:
    """Two graphs have an operator in common. Digests are those of the answers, in whatever order lines stand."""
    one = chosen({"a": 1, "b": 1}, task="1", paired=(1.5,) * 3)
    other = chosen({"b": 2, "c": 2}, task="2", paired=(3.0,) * 3)
    here = one.machine, one.compiler
    winners = [Winners.of(records, *here) for records in ([one, other], [other, one])]
    assert [each.answers(one.target) for each in winners] == [{"a": 1, "b": 2, "c": 2}] * 2
    assert winners[0].digest(one.target) == winners[1].digest(one.target) != ""
    assert winners[0].digest(one.target) != Winners.of([one], *here).digest(one.target) != ""
    assert Winners.of([one], *here).answers("another target") == {}
    without_pairs = replace(other, paired=())
    assert Winners.of([without_pairs, one], *here).answers(one.target)["b"] == 1


def test_a_search_is_not_answered_by_records(file: Path) -> None:
    file.write_text(chosen({f"{CONVOLUTION}:block_size": 4}).as_line())
    space = GraphSpace(graph_of(), target())
    default = space.build({})
    with PassContext(records=file):
        assert tuned() is not None
        assert str(space.build({}).function.parent_op()) == str(default.function.parent_op())


def faster_in_blocks_of_4(built: Built) -> float:
    return 1.0 if built.point.get(f"{CONVOLUTION}:block_size") == 4 else 2.0


def test_a_session_writes_what_compiling_applies(file: Path) -> None:
    task = graph_task(graph_of(), target())
    assert isinstance(task, GraphTask) and task.name == "conv2d_relu"
    assert task.key != graph_task(graph_of(LARGE), target()).key
    assert task.key == graph_task(graph_of(SMALL), target(f"{TARGET} -loads=1.7@measured")).key
    measures = FakeMeasures(faster_in_blocks_of_4)
    session = Session([task], RecordStore(file), Settings(12), measures, clock=lambda: measures.clock)
    session.run()
    records = read_records(file).records
    assert {(record.kind, record.trace) for record in records} == {(GRAPH, None)}
    verdict = records[-1]
    assert verdict.role == VERDICT and verdict.decisions[f"{CONVOLUTION}:block_size"] == 4
    with PassContext(records=file):
        assert "x4xf32" in str(lower_module(graph_of(LARGE), 0))
    again = FakeMeasures(faster_in_blocks_of_4)
    Session([task], RecordStore(file), Settings(12), again, clock=lambda: again.clock).run()
    assert again.asked == []


def test_the_function_of_a_task_can_be_measured() -> None:
    """Its arguments are those of the graph, and the reference gives what the default plan does."""
    task = graph_task(graph_of(LARGE, "llvm -threads=1"), Target("llvm -threads=1").attribute())
    workload = workload_of(task.function, task.target)
    assert [(a.shape, a.is_output) for a in workload.arguments] == [((1, 16, 10, 10), False), ((1, 16, 10, 10), True)]
    found = pickle.loads(workload.reference.code)(X)
    np.testing.assert_allclose(found, tilewright.compile(task.graph)(X), rtol=1e-4, atol=1e-5)


def test_a_module_without_a_graph_is_refused() -> None:
    with pytest.raises(TilewrightError) as refusal:
        graph_task(lower_module(graph_of(), 0), target())
    assert refusal.value.code == "TW0825"


def test_kernels_are_tuned_as_records_of_operators_make_them(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tasks of a model are those that compiling with the file has."""
    model = tmp_path / "model.mlir"
    model.write_text(str(module_of()))

    def kernels() -> list[str]:
        assert cli.main(["tune", str(model), "--tasks", "list", "-o", str(file), "--target", TARGET]) == 0
        return [line.split()[1] for line in capsys.readouterr().out.splitlines()[1:]]

    assert kernels() == ["matmul_relu"]
    # The command compiles in this process, with the rules that other tests registered.
    file.write_text(chosen({"matmul(24x32xf32, 32x40xf32); relu(%0):fuse.cut": 1}).as_line())
    assert kernels() == ["matmul", "relu"]
