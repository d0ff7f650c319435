"""The progress of a run: cells and time left, the table of a terminal, the tasks of the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from tilewright.tools.tune_display import COLUMNS, Board, History, Several, time_left
from tilewright.tools.tune_page import page
from tilewright.tune.measure.protocol import Failure
from tilewright.tune.space import Built

from .test_sessions import FakeMeasures, by_point, product, run

Shown = list[tuple[list[list[str]], str]]


def some_crash(built: Built) -> float | Failure:
    """Return times of points; those by another rule than the default one crash."""
    crashes = any(d.value != d.default and d.name == "rule" for d in built.decisions)
    return Failure.CRASH if crashes else by_point(built)


def watched(path: Path, trials: int) -> tuple[History, Shown]:
    """Return the history of a run, and what its table showed."""
    measures, history, shown = FakeMeasures(seconds=some_crash), History(), Shown()
    board = Board(
        lambda rows, below: shown.append(([[*row] for row in rows], below)), history, lambda: measures.clock, 100.0
    )
    run(path, product(), measures, trials, events=Several([history, board]))
    return history, shown


def test_the_table_follows_the_run(tmp_path: Path) -> None:
    history, shown = watched(tmp_path / "r.jsonl", 24)
    ((task,),) = (history.histories(),)
    (first, below), (last, _) = shown[0], shown[-1]
    assert below == "0 of 24 trials, about 1:40 left"
    assert all(len(row) == len(COLUMNS) for rows, _ in shown for row in rows)
    assert first[0][1:] == ["matmul_relu", "1", "0", "-", "-", "-", "-", "-"]
    assert last[0][3] == "24" and last[0][6] == f"{task.default / task.best:.2f} x"  # type: ignore[operator]
    crashes = sum(point.failure == "crash: planted" for point in task.trials)
    assert crashes > 0 and last[0][8] == f"{crashes} crash"
    # Schedules that are measured again take time too: 15 s for 12 trials of 1 s each.
    assert {below for _, below in shown if below.startswith("12 ")} == {"12 of 24 trials, about 0:15 left"}


def test_the_history_of_a_run_and_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    before, _ = watched(path, 12)
    after, _ = watched(path, 16)
    ((task,), (more,)) = before.histories(), after.histories()
    assert [point.number for point in task.trials] == list(range(12))
    assert [point.number for point in more.trials] == list(range(16))
    assert more.default == task.default == by_point(product()[0].space.build({}))
    assert more.trials[0].seconds == more.default and 0 < (more.roofline or 0) < (more.best or 0)
    for old, new in zip(task.trials, more.trials, strict=False):
        assert (old.seconds, old.failure) == (new.seconds, new.failure)
    assert "sch.get_block(" in more.schedule and any(note.startswith("chosen: ") for note in more.notes)
    assert page([more], [("seed", "0")]).count('<circle class="failed"') == more.failures["crash"]


@pytest.mark.parametrize(
    ("elapsed", "done", "open_trials", "budget", "text"),
    [
        (0.0, 0, 9, None, "time left unknown"),
        (10.0, 5, 10, None, "about 0:20 left"),
        (10.0, 5, 1000, 70.0, "about 1:00 left"),
        (90.0, 5, 1000, 70.0, "about 0:00 left"),
    ],
)
def test_time_left(elapsed: float, done: int, open_trials: int, budget: float | None, text: str) -> None:
    assert time_left(elapsed, done, open_trials, budget) == text
