"""Runs of tuning with measurements that a formula gives: records, resumption, equal bytes, the shares of tasks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from tilewright import PassContext
from tilewright.diagnostics import TilewrightError, fail
from tilewright.driver.lowering import lower_module
from tilewright.schedule.records import AGAIN, TRIAL, VERDICT, Record, Winners, read_records
from tilewright.tune.measure.protocol import Failure, Measured, Options
from tilewright.tune.records import RecordStore
from tilewright.tune.search.exploring import key_of
from tilewright.tune.session import Session, SessionEvents, Settings, TaskState
from tilewright.tune.space import Built
from tilewright.tune.tasks import Task, tasks_of
from tuning_tasks import PRODUCT, module_of, target

TWO = """
func.func @main(%x: tensor<24x32xf32>, %w: tensor<32x40xf32>, %v: tensor<48x48xf32>, %z: tensor<48x48xf32>)
    -> (tensor<24x40xf32>, tensor<48x48xf32>) {
  %s = graph.matmul %x, %w : tensor<24x40xf32>
  %t = graph.matmul %v, %z : tensor<48x48xf32>
  %u = graph.matmul %t, %z : tensor<48x48xf32>
  func.return %s, %u : tensor<24x40xf32>, tensor<48x48xf32>
}
"""


def share(text: str) -> float:
    """Return a number from 0 to 1 that looks random."""
    return int(sha256(text.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF


Seconds = Callable[[Built], "float | Failure"]


def by_point(built: Built) -> float:
    """Return seconds that differ from point to point."""
    return 1e-3 * (1 + share(key_of(built.point)))


@dataclass
class FakeMeasures:
    """Gives times by a formula; `asked` are the points in the order in which they were measured."""

    seconds: Seconds = by_point
    code: Callable[[Built], str] = field(default=lambda built: key_of(built.point))
    asked: list[str] = field(default_factory=list[str])
    clock: float = 0.0
    refused: Sequence[str] = ()

    def __call__(self, task: Task, known: Sequence[Record]) -> FakeMeasures:
        if task.name in self.refused:
            fail("TW0811", f"@{task.name} cannot be called")
        return replace_measure(self, task)

    def measure(self, candidates: Sequence[Built], incumbent: Built | None, options: Options) -> Iterator[Measured]:
        for built in candidates:
            self.asked.append(key_of(built.point))
            self.clock += 1.0
            found = self.seconds(built)
            name = sha256(self.code(built).encode()).hexdigest()
            if isinstance(found, Failure):
                yield Measured(name, failure=found, detail="planted", machine="fake")
                continue
            paired = () if incumbent is None else (self.seconds(incumbent),) * options.repeat
            assert not any(isinstance(each, Failure) for each in paired)
            yield Measured(name, (found,) * options.repeat, paired, machine="fake")  # type: ignore[arg-type]


def replace_measure(measures: FakeMeasures, task: Task) -> FakeMeasures:
    """Return the measure of one task."""

    class OfTask:
        def __call__(self, *arguments: object) -> Iterator[Measured]:
            return measures.measure(*arguments)  # type: ignore[arg-type]

    return OfTask()  # type: ignore[return-value]


def run(
    path: Path,
    tasks: Sequence[Task],
    measures: FakeMeasures,
    trials: int,
    events: SessionEvents | None = None,
    **more: object,
) -> tuple[Session, str]:
    settings = Settings(trials, **more)  # type: ignore[arg-type]
    session = Session(tasks, RecordStore(path), settings, measures, clock=lambda: measures.clock, events=events)
    return session, session.run()


def product() -> list[Task]:
    return tasks_of(module_of(), target())


def firsts(path: Path) -> list[tuple[str, str]]:
    """Return the tasks and points of first measurements."""
    return [(r.task, key_of(r.decisions)) for r in read_records(path).records if r.role == TRIAL]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "records.jsonl"


def test_records_of_a_run(file: Path) -> None:
    (task,) = product()
    session, why = run(file, [task], FakeMeasures(), 9, seed=5)
    records = read_records(file).records
    assert why == "trials" and session.trials == 9
    assert [r.trial for r in records if r.role == TRIAL] == list(range(9))
    assert {r.role for r in records} <= {TRIAL, AGAIN, VERDICT} and records[-1].role == VERDICT
    assert (
        records[0].is_default
        and records[0].paired == ()
        and records[0].samples == (by_point(task.space.build({})),) * 3
    )
    default = records[0].code
    assert records[1].beside == default and len(records[1].paired) == len(records[1].samples)
    for record in records:
        assert (record.task, record.name, record.seed, record.flops) == (task.key, "matmul_relu", 5, task.flops)
        assert (record.trace is None) == (record.role == AGAIN)
    verdict = records[-1]
    times = {r.trial: median(r.samples) for r in records if r.role == TRIAL}
    assert times[verdict.trial] == min(times.values()) and len(verdict.paired) >= 6
    assert verdict.beside == default and verdict.detail == "proved"
    assert Winners.of(records, verdict.machine, verdict.compiler).best[task.key] == verdict


def test_the_default_has_the_verdict_where_nothing_is_faster(file: Path) -> None:
    (task,) = product()
    default = key_of(task.space.build({}).point)
    measures = FakeMeasures(lambda built: 1e-3 if key_of(built.point) == default else 2e-3)
    session, _ = run(file, [task], measures, 6)
    verdict = read_records(file).records[-1]
    assert (verdict.role, verdict.is_default) == (VERDICT, True)
    assert session.states[0].has_verdict


def test_equal_seeds_give_equal_bytes(tmp_path: Path) -> None:
    def bytes_of(name: str, seed: int) -> bytes:
        run(tmp_path / name, tasks_of(module_of(TWO), target()), FakeMeasures(), 12, seed=seed)
        return (tmp_path / name).read_bytes()

    assert bytes_of("one", 1) == bytes_of("same", 1)
    assert bytes_of("one2", 2).replace(b'"seed":2', b'"seed":1') != bytes_of("one", 1)


def test_resumption_measures_nothing_twice(file: Path) -> None:
    tasks = tasks_of(module_of(TWO), target())
    run(file, tasks, FakeMeasures(), 8)
    before = file.read_bytes()
    known = firsts(file)
    assert len(known) == 8

    nothing = FakeMeasures()
    session, why = run(file, tasks, nothing, 8)
    assert (why, nothing.asked, file.read_bytes()) == ("trials", [], before)
    assert all(state.has_verdict for state in session.states)

    more = FakeMeasures()
    run(file, tasks, more, 14)
    assert file.read_bytes().startswith(before)
    assert len(firsts(file)) == 14 == len(set(firsts(file)))


def test_a_run_that_ended_anywhere_goes_on(file: Path) -> None:
    """Whatever line of the file is the last one, and if it is torn: every point is measured first once."""
    tasks = product()
    run(file, tasks, FakeMeasures(), 7)
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    for kept in range(0, len(lines), 3):
        file.write_bytes(b"".join(lines[:kept]) + lines[kept][: len(lines[kept]) // 2])
        session, _ = run(file, tasks, FakeMeasures(), 7)
        found = read_records(file)
        assert [problem.line for problem in found.problems] == [kept + 1]
        assert session.trials == 7 == len(set(firsts(file))) == len(firsts(file))
        assert found.records[-1].role == VERDICT
        assert file.read_bytes().startswith(b"".join(lines[:kept]))


def test_failures_are_records_and_the_run_goes_on(file: Path) -> None:
    (task,) = product()
    causes = list(Failure)
    default = key_of(task.space.build({}).point)

    def seconds(built: Built) -> float | Failure:
        key = key_of(built.point)
        chosen = int(share(key) * 100)
        return by_point(built) if key == default or chosen % 2 else causes[chosen % len(causes)]

    session, _ = run(file, [task], FakeMeasures(seconds), 14)
    failed = [r for r in read_records(file).records if r.error is not None]
    assert session.trials == 14 and len({r.error for r in failed}) >= 2
    assert all(r.detail == "planted" and r.samples == () and r.trace for r in failed)
    again = FakeMeasures(seconds)
    run(file, [task], again, 14)
    assert again.asked == []


def test_equal_machine_code_has_its_lines(file: Path) -> None:
    (task,) = product()

    def rule(built: Built) -> str:
        return str(built.point["b0:rule"])

    run(file, [task], FakeMeasures(lambda built: 1e-3 * (1 + share(rule(built))), rule), 8)
    records = [r for r in read_records(file).records if r.role == TRIAL]
    codes = Counter(r.code for r in records)
    assert len(records) == 8 and max(codes.values()) > 1
    assert all(r.samples and r.trace for r in records)


def test_trials_go_to_tasks_whose_time_counts(file: Path) -> None:
    tasks = tasks_of(module_of(TWO), target())
    assert [task.occurrences for task in tasks] == [1, 2]
    slow = tasks[1].space.build({}).function

    def seconds(built: Built) -> float:
        return by_point(built) * (100 if str(built.function.function_type) == str(slow.function_type) else 1)

    session, _ = run(file, tasks, FakeMeasures(seconds), 40)
    counts = Counter(record.task for record in read_records(file).records if record.role == TRIAL)
    assert session.trials == 40
    assert counts[tasks[1].key] > counts[tasks[0].key] >= 1


def test_a_task_that_cannot_be_measured_is_left_out(file: Path) -> None:
    tasks = tasks_of(module_of(TWO), target())
    left_out: list[str] = []

    class Noting(SessionEvents):
        def ended(self, state: TaskState) -> None:
            if state.outcome is None:
                left_out.append(state.why_ended)

    run(file, tasks, FakeMeasures(refused=[tasks[0].name]), 5, Noting())
    assert left_out == [f"TW0811: @{tasks[0].name} cannot be called"]
    assert {record.task for record in read_records(file).records} == {tasks[1].key}


def test_the_budget_ends_a_run(file: Path) -> None:
    session, why = run(file, product(), FakeMeasures(), 1000, budget=12.0)
    assert why == "budget" and 2 <= session.trials < 12
    longer, why = run(file, product(), FakeMeasures(), 1000, budget=12.0)
    assert why == "budget" and longer.trials > session.trials
    assert len(firsts(file)) == len(set(firsts(file)))


def test_early_stopping(file: Path) -> None:
    (task,) = product()
    default = key_of(task.space.build({}).point)
    measures = FakeMeasures(lambda built: 1e-3 if key_of(built.point) == default else 2e-3)
    session, why = run(file, [task], measures, 1000, early_stopping=4)
    assert why == "early stopping" and session.trials < 40


def test_records_of_others_are_where_a_search_starts(file: Path) -> None:
    (task,) = product()
    run(file, [task], FakeMeasures(), 8)
    found = [replace(record, machine="another") for record in read_records(file).records]
    best = found[-1]
    assert not best.is_default
    file.write_text("".join(record.as_line() for record in found))
    measures = FakeMeasures()
    session, _ = run(file, [task], measures, 2)
    assert session.trials == 2
    assert measures.asked[:2] == [key_of(task.space.build({}).point), key_of(best.decisions)]


def test_a_space_that_ends(file: Path) -> None:
    scale = """
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %r = graph.relu %x : tensor<3xf32>
      func.return %r : tensor<3xf32>
    }
    """
    session, why = run(file, tasks_of(module_of(scale), target()), FakeMeasures(), 5000)
    assert why == "space" and 1 <= session.trials < 5000


def test_tasks_of_a_model() -> None:
    tasks = tasks_of(module_of(TWO), target())
    assert [(t.name, t.occurrences, t.flops) for t in tasks] == [
        ("matmul", 1, 2 * 24 * 32 * 40),
        ("matmul_1", 2, 2 * 48**3),
    ]
    assert [t.bytes for t in tasks] == [4 * (24 * 32 + 32 * 40 + 24 * 40), 4 * 3 * 48 * 48]
    (one,) = tasks_of(module_of(PRODUCT), target())
    (other,) = tasks_of(module_of(PRODUCT.replace("%x", "%left").replace("@main", "@model")), target())
    assert one.key == other.key and str(one.function) == str(other.function)


# Open sizes and weights

OPEN = """
func.func @main(%x: tensor<?x32xf32, #graph.dims<n, _>>, %v: tensor<40x?xf32, #graph.dims<_, m>>)
    -> (tensor<?x40xf32, #graph.dims<n, _>>, tensor<?x?xf32, #graph.dims<n, m>>) {
  %w = graph.constant dense<2.0> : tensor<32x40xf32>
  %s = graph.matmul %x, %w : tensor<?x40xf32, #graph.dims<n, _>>
  %r = graph.matmul %s, %v : tensor<?x?xf32, #graph.dims<n, m>>
  func.return %s, %r : tensor<?x40xf32, #graph.dims<n, _>>, tensor<?x?xf32, #graph.dims<n, m>>
}
"""


def open_tasks(**ranges: tuple[int, int]) -> list[Task]:
    return tasks_of(module_of(OPEN), target(), ranges)


def test_open_sizes_of_tasks_have_the_names_of_the_model() -> None:
    first, second = open_tasks(n=(1, 512))
    assert [(size.name, size.key) for size in first.open_sizes] == [("n", "a0[0]")]
    assert [(size.name, size.key) for size in second.open_sizes] == [("n", "a0[0]"), ("m", "a1[1]")]
    assert second.ranges == {"a0[0]": (1, 512), "a1[1]": (64, 256)}
    assert [end.at for end in second.ends] == [{"a0[0]": 1, "a1[1]": 64}, {"a0[0]": 512, "a1[1]": 256}]
    assert product()[0].ends == () and product()[0].ranges == {}


def test_workloads_have_sizes_of_their_ranges() -> None:
    (_, task) = open_tasks(n=(1, 4), m=(100, 110))
    shapes = {tuple(a.shape for a in task.workload(seed).arguments) for seed in range(8)}
    assert len(shapes) > 1
    assert all(1 <= x[0] <= 4 and w == (40, r[1]) and x[0] == r[0] and 100 <= r[1] <= 110 for x, w, r in shapes)
    ends = [[a.shape for a in end.workload().arguments] for end in task.ends]
    assert ends == [[(1, 40), (40, 100), (1, 100)], [(4, 40), (40, 110), (4, 110)]]
    (usual, _) = open_tasks()
    for seed in range(8):
        assert 96 <= usual.workload(seed).arguments[0].shape[0] <= 192


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ({"k": (1, 2)}, "expected the name of an open size (n, m), but got 'k'"),
        ({"n": (0, 2)}, "expected a range of size 'n' from 1 or more up, but got 0..2"),
        ({"m": (5, 4)}, "expected a range of size 'm' from 1 or more up, but got 5..4"),
    ],
)
def test_ranges_that_do_not_fit(ranges: dict[str, tuple[int, int]], message: str) -> None:
    with pytest.raises(TilewrightError, match=re.escape(message)) as refusal:
        open_tasks(**ranges)
    assert refusal.value.code == "TW0826"
    with pytest.raises(TilewrightError, match=re.escape("(there are none)")):
        tasks_of(module_of(TWO), target(), {"n": (1, 2)})


def test_weights_of_tasks_are_constants() -> None:
    """Of the first product; one that has weights in one call and none in another has none."""
    assert [task.constants for task in open_tasks()] == [{1}, frozenset()]
    arguments = open_tasks()[0].workload().arguments
    assert [a.is_constant for a in arguments] == [False, True, False]
    mixed = OPEN.replace("%r = graph.matmul %s, %v", "%q = graph.matmul %y, %z : tensor<?x40xf32, #graph.dims<n, _>>\n"
        "  %r = graph.matmul %q, %v").replace("(%x: ", "(%y: tensor<?x32xf32, #graph.dims<n, _>>, "
        "%z: tensor<32x40xf32>, %x: ")  # fmt: skip
    first, _ = tasks_of(module_of(mixed), target())
    assert (first.occurrences, first.constants) == (2, frozenset())


@dataclass
class AtSizes(FakeMeasures):
    """Other schedules than the default one are twice as fast, but at some ends of the range."""

    slower_at: dict[str, int] = field(default_factory=dict[str, int])
    failure: Failure | None = None
    ends: list[dict[str, int]] = field(default_factory=list[dict[str, int]])

    def __call__(self, task: Task, known: Sequence[Record]) -> FakeMeasures:
        default = key_of(task.space.build({}).point)
        is_end = bool(task.at)
        if is_end:
            self.ends.append(dict(task.at))

        def seconds(built: Built) -> float | Failure:
            if key_of(built.point) == default:
                return 1e-3
            if is_end and self.failure is not None:
                return self.failure
            return 2e-3 if is_end and task.at == self.slower_at else 5e-4

        return replace_measure(FakeMeasures(seconds), task)


def test_a_winner_for_a_range_is_compared_at_its_ends(file: Path) -> None:
    (task, _) = open_tasks(n=(2, 300))
    measures = AtSizes()
    run(file, [task], measures, 5)
    verdict = read_records(file).records[-1]
    assert not verdict.is_default and verdict.detail == "proved" and measures.ends == [{"a0[0]": 2}, {"a0[0]": 300}]
    assert {tuple(record.sizes.items()) for record in read_records(file).records} == {(("a0[0]", (2, 300)),)}
    again = AtSizes()
    run(file, [task], again, 5)
    assert again.ends == []


@pytest.mark.each(
    ("options", "detail"),
    [
        ({"slower_at": {"a0[0]": 300}}, "2.00 x the default's time at n = 300"),
        ({"slower_at": {"a0[0]": 2}}, "2.00 x the default's time at n = 2"),
        ({"failure": Failure.WRONG}, "wrong result at n = 2: planted"),
    ],
)
def test_a_winner_that_does_not_hold_at_an_end_loses(options: dict[str, Any], detail: str, tmp_path: Path) -> None:
    path = tmp_path / f"{detail[:6]}{detail[-3:]}.jsonl"
    (task, _) = open_tasks(n=(2, 300))
    run(path, [task], AtSizes(**options), 5)
    verdict = read_records(path).records[-1]
    assert (verdict.role, verdict.is_default, verdict.detail) == (VERDICT, True, detail)
    assert verdict.samples[0] == 1e-3 and verdict.paired[0] == 5e-4, "of the last comparison in the middle of the range"


def test_another_range_is_another_search(file: Path) -> None:
    """Its records stand beside those of the first range, whose best points are where it starts."""
    (wide, _), (narrow, _) = open_tasks(n=(2, 300)), open_tasks(n=(2, 8))
    assert wide.key == narrow.key
    run(file, [wide], AtSizes(), 5)
    first = read_records(file).records
    session, _ = run(file, [narrow], AtSizes(), 3)
    assert session.trials == 3
    records = read_records(file).records
    assert records[: len(first)] == first and [r.trial for r in records[len(first) :] if r.role == TRIAL] == [0, 1, 2]
    best = first[-1]
    assert records[len(first) + 1].decisions == best.decisions
    versions = Winners.of(records, best.machine, best.compiler).versions[wide.key]
    assert [dict(record.sizes) for record in versions] == [{"a0[0]": (2, 8)}, {"a0[0]": (2, 300)}]
    with PassContext(records=file):
        text = str(lower_module(module_of(OPEN), 0))
    assert text.index("loop.if (%n >= 2, %n < 9)") < text.index("loop.if (%n >= 2, %n < 301)")
