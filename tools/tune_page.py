"""The page of a tuning run: the history of each task, predictions beside measurements, and the best schedules.

One self-contained HTML file without scripts: plots are SVG, and points have tooltips.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from math import floor, log10
from pathlib import Path

from ..diagnostics.files import write_file

WIDTH, HEIGHT, MARGIN = 640, 260, 56


@dataclass(frozen=True)
class TrialPoint:
    """One trial of a task. Times are seconds of a run."""

    number: int
    seconds: float | None
    """None where the trial failed."""
    predicted: float | None = None
    failure: str = ""
    """The cause and its detail; empty where there is a time."""


@dataclass(frozen=True)
class TaskHistory:
    """The data of a task for the page: its trials and its best schedule."""

    name: str
    key: str
    occurrences: int
    default: float | None
    """Seconds of the default schedule."""
    roofline: float | None = None
    """The least seconds that the machine's multiply-adds and memory allow."""
    trials: Sequence[TrialPoint] = ()
    schedule: str = ""
    """The best schedule as Python."""
    notes: Sequence[str] = field(default=())
    """The reason why the search ended, and whether the winner is proved."""

    @property
    def best(self) -> float | None:
        """Seconds of the fastest trial, the default schedule among them."""
        times = [t.seconds for t in self.trials if t.seconds is not None]
        return min([*times, *([] if self.default is None else [self.default])], default=None)

    @property
    def failures(self) -> Counter[str]:
        """Numbers of failed trials by cause."""
        return Counter(trial.failure.partition(":")[0] for trial in self.trials if trial.failure)


def write_page(path: Path, tasks: Sequence[TaskHistory], about: Sequence[tuple[str, str]]) -> None:
    """Write the page of a run; `about` are rows of facts about it. Raises TilewrightError TW0204 where it cannot."""
    write_file(path, page(tasks, about).encode())


def page(tasks: Sequence[TaskHistory], about: Sequence[tuple[str, str]]) -> str:
    """Return the text of the page."""
    facts = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in about)
    sections = "".join(map(_section, tasks))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>Tuning</title><style>{_STYLE}</style></head><body>\n"
        f"<h1>Tuning</h1><table class=about>{facts}</table>{_summary(tasks)}{sections}</body></html>\n"
    )


def duration(seconds: float | None) -> str:
    """Return a time with three digits and its unit; a dash for none."""
    if seconds is None:
        return "–"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def gain(task: TaskHistory) -> str:
    """Return the time of the default schedule over that of the best one, as text."""
    return "–" if task.best is None or not task.default else f"{task.default / task.best:.2f} ×"


def _summary(tasks: Sequence[TaskHistory]) -> str:
    head = "".join(
        f"<th>{name}</th>"
        for name in ("task", "occurrences", "trials", "failed", "default", "best", "gain", "share of the roofline")
    )
    rows = "".join(
        f'<tr><td><a href="#{_anchor(task)}">{escape(task.name)}</a></td>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in _cells(task))
        + "</tr>"
        for task in tasks
    )
    return f"<table class=tasks><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cells(task: TaskHistory) -> tuple[str, ...]:
    share = "–" if not task.roofline or not task.best else f"{task.roofline / task.best:.0%}"
    failed = sum(task.failures.values())
    times = (duration(task.default), duration(task.best), gain(task), share)
    return (str(task.occurrences), str(len(task.trials)), str(failed), *times)


def _anchor(task: TaskHistory) -> str:
    return f"task-{escape(task.key[:16])}"


def _section(task: TaskHistory) -> str:
    notes = "".join(f"<li>{escape(note)}</li>" for note in task.notes)
    causes = "".join(f"<li>{number} × {escape(cause)}</li>" for cause, number in sorted(task.failures.items()))
    schedule = f"<h3>Best schedule</h3><pre>{escape(task.schedule)}</pre>" if task.schedule else ""
    return (
        f'<section id="{_anchor(task)}"><h2>{escape(task.name)}</h2><ul class=notes>{notes}{causes}</ul>'
        f"<div class=plots>{_history(task)}{_predictions(task)}</div>{schedule}</section>\n"
    )


# Plots


@dataclass(frozen=True)
class _Scale:
    """A logarithmic axis: seconds to a coordinate."""

    low: float
    high: float
    start: float
    end: float

    @staticmethod
    def of(values: Iterable[float], start: float, end: float) -> _Scale:
        found = [value for value in values if value > 0]
        low, high = min(found), max(found)
        return _Scale(log10(low / 1.15), log10(high * 1.15), start, end)

    def __call__(self, value: float) -> float:
        return self.start + (log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Return one, two and five of each power of ten on the axis; its ends where that is none."""
        powers = range(floor(self.low), floor(self.high) + 1)
        found = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
        return [t for t in found if self.low <= log10(t) <= self.high] or [10**self.low, 10**self.high]


def _history(task: TaskHistory) -> str:
    """Draw times by trial, the best so far as a line, the default and the roofline as levels, failures at the
    bottom."""
    times = [t.seconds for t in task.trials if t.seconds is not None]
    levels = [("default", task.default), ("roofline", task.roofline)]
    values = [*times, *(level for _, level in levels if level)]
    if not values or not task.trials:
        return ""
    y = _Scale.of(values, HEIGHT - MARGIN, 12)
    numbers = [t.number for t in task.trials]
    first, last = min(numbers), max(numbers)

    def x(number: float) -> float:
        return MARGIN + (number - first) / max(1, last - first) * (WIDTH - MARGIN - 12)

    parts = [_axis(y, lambda value: f'<line x1="{MARGIN}" x2="{WIDTH}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>')]
    parts += [_label(x(n), HEIGHT - MARGIN + 18, str(n), "middle") for n in sorted({first, (first + last) // 2, last})]
    for name, level in levels:
        if level:
            parts.append(f'<line class="{name}" x1="{MARGIN}" x2="{WIDTH}" y1="{y(level):.1f}" y2="{y(level):.1f}"/>')
            parts.append(_label(WIDTH - 4, y(level) - 4, name, "end"))
    parts.append(f'<polyline class="best" points="{_best_so_far(task, x, y)}"/>')
    for trial in task.trials:
        if trial.seconds is None:
            title, at, kind = f"{trial.number}: {trial.failure}", HEIGHT - MARGIN + 30.0, "failed"
        else:
            title, at, kind = f"{trial.number}: {duration(trial.seconds)}", y(trial.seconds), "trial"
        parts.append(_dot(x(trial.number), at, kind, title))
    return _figure("Time by trial", "trial", parts)


def _best_so_far(task: TaskHistory, x: Callable[[float], float], y: _Scale) -> str:
    best, points = task.default, list[str]()
    for trial in sorted(task.trials, key=lambda t: t.number):
        if trial.seconds is not None and (best is None or trial.seconds < best):
            if best is not None:
                points.append(f"{x(trial.number):.1f},{y(best):.1f}")
            best = trial.seconds
        if best is not None:
            points.append(f"{x(trial.number):.1f},{y(best):.1f}")
    return " ".join(points)


def _predictions(task: TaskHistory) -> str:
    """Draw measured over predicted times, and the line on which both are the same."""
    pairs = [(t.predicted, t.seconds, t.number) for t in task.trials if t.predicted and t.seconds]
    if not pairs:
        return ""
    both = [value for predicted, seconds, _ in pairs for value in (predicted, seconds)]
    x, y = _Scale.of(both, MARGIN, WIDTH - 12), _Scale.of(both, HEIGHT - MARGIN, 12)
    parts = [_axis(y, lambda value: f'<line x1="{MARGIN}" x2="{WIDTH}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>')]
    parts += [_label(x(tick), HEIGHT - MARGIN + 18, duration(tick), "middle") for tick in _spread(x.ticks())]
    (x1, y1), (x2, y2) = ((x(end), y(end)) for end in (10**x.low, 10**x.high))
    parts.append(f'<line class="equal" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')
    for predicted, seconds, number in pairs:
        title = f"{number}: predicted {duration(predicted)}, measured {duration(seconds)}"
        parts.append(_dot(x(predicted), y(seconds), "predicted", title))
    return _figure("Measured by predicted time", "predicted", parts)


def _spread(ticks: Sequence[float]) -> Sequence[float]:
    """Return at most six of the ticks, whose labels do not touch."""
    return ticks[:: -(-len(ticks) // 6)]


def _axis(scale: _Scale, line: Callable[[float], str]) -> str:
    ticks = _spread(scale.ticks())
    labels = "".join(_label(MARGIN - 6, scale(tick) + 4, duration(tick), "end") for tick in ticks)
    return f'<g class="grid">{"".join(map(line, ticks))}</g>{labels}'


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _dot(x: float, y: float, kind: str, title: str) -> str:
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{escape(title)}</title></circle>'


def _figure(title: str, axis: str, parts: Sequence[str]) -> str:
    text = _label(WIDTH - 4, HEIGHT - 4, axis, "end")
    head = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
    return f"<figure><figcaption>{escape(title)}</figcaption>{head}{''.join(parts)}{text}</svg></figure>"


_STYLE = """
:root { color-scheme: light dark; --ink: light-dark(#222, #ddd); --soft: light-dark(#ddd, #444);
  --trial: light-dark(#2a6fb0, #6fb1f0); --best: light-dark(#1a7f37, #56d364); --bad: light-dark(#b3261e, #f2b8b5); }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 84rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink); }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .2rem .8rem; text-align: left; border-bottom: 1px solid var(--soft); font-weight: normal; }
thead th { font-weight: 600; }
.tasks td + td { text-align: right; font-variant-numeric: tabular-nums; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; flex: 1 1 26rem; max-width: 40rem; }
svg { width: 100%; height: auto; font-size: 12px; }
svg text { fill: currentColor; }
.grid line { stroke: var(--soft); }
.trial, .predicted { fill: var(--trial); fill-opacity: .7; }
.failed { fill: var(--bad); }
.best { fill: none; stroke: var(--best); stroke-width: 2; }
.default, .roofline, .equal { stroke: currentColor; stroke-dasharray: 5 4; opacity: .7; }
pre { overflow-x: auto; padding: .8rem; border: 1px solid var(--soft); }
"""
