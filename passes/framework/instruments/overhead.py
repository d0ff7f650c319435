"""The overhead of the manager: the time of its runs without passes, verification and instruments.

```python
with Recorder().recording() as recorder:
    driver.lower_module(module)
print(manager_overhead(recorder))
```
The figure includes the opening and closing of spans, so that the overhead without a recorder is slightly smaller.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .spans import Recorder, Span


@dataclass(frozen=True)
class Overhead:
    """Seconds of the outermost runs of managers."""

    passes: float
    verification: float
    instruments: float
    manager: float

    @property
    def share(self) -> float:
        """The manager's own time as a part of the passes'."""
        return self.manager / self.passes if self.passes else 0.0

    def __str__(self) -> str:
        parts = {"passes": self.passes, "verification": self.verification, "instruments": self.instruments}
        listed = ", ".join(f"{name} {1e3 * seconds:.1f} ms" for name, seconds in parts.items() if seconds)
        return f"{listed}; the manager itself {1e3 * self.manager:.1f} ms, {100 * self.share:.2f} % of the passes"


def manager_overhead(recorder: Recorder) -> Overhead:
    """Divide the time of the recorded runs. Runs inside passes are part of these passes."""
    inside = [span for run in recorder.walk() if run.kind == "run" and _is_outermost(run) for span in _parts(run)]

    def total(kind: str) -> float:
        return sum(span.seconds for span in inside if span.kind == kind)

    manager = sum(span.self_seconds for span in inside if span.kind in ("run", "phase", "locations"))
    return Overhead(total("pass"), total("verification"), total("instruments"), manager)


def _is_outermost(run: Span) -> bool:
    around = run.parent
    while around is not None and around.kind != "run":
        around = around.parent
    return around is None


def _parts(run: Span) -> Iterator[Span]:
    """Yield the run, its phases and the spans directly inside them."""
    yield run
    for child in run.children:
        if child.kind == "phase":
            yield child
            yield from child.children
        else:
            yield child
