"""Profiles: the times of a program's kernels."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Call:
    """One call of a kernel."""

    source: str
    """The operator of the model, or the line, that it comes from; empty where that is not known."""
    seconds: float
    """Median over the runs."""


@dataclass(frozen=True)
class Kernel:
    """A compiled function, with the total time and work of its calls in one run."""

    name: str
    operators: tuple[str, ...]
    """The computations of the kernel, in order: operators of the graph, or tensors of the program."""
    calls: int
    """The number of calls in a run."""
    seconds: float
    """The time of all its calls together; the median over the runs."""
    flops: int | None
    """Operations on floats of all its calls, as `analysis.work` counts them; None where that is not known."""
    bytes: int | None
    """A lower bound of the bytes that all its calls read and write: arguments and results."""
    sources: tuple[Call, ...] = field(repr=False)
    """Each of its calls, in the program's order."""
    predicted_share: float | None = None
    """The part of the attainable speed that the cost model expects of it; None where it expects nothing."""
    reason: str = ""
    """The reason that costs it most, as the cost model sees it; empty where none costs much."""

    @property
    def gflops_per_second(self) -> float | None:
        """None where operations are not counted."""
        return _rate(self.flops, self.seconds)

    @property
    def gigabytes_per_second(self) -> float | None:
        """None where bytes are not counted."""
        return _rate(self.bytes, self.seconds)


@dataclass(frozen=True)
class Profile:
    """Times of a program's kernels, the slowest first. `print` it for a table."""

    kernels: tuple[Kernel, ...]
    kernel_seconds: float
    """All kernels of a run together; the median over the runs."""
    run_seconds: float
    """A whole run of the program without clocks; the median over the runs."""
    ratio: float
    """All kernels of a run with clocks beside the run without that came before it; the median. Near 1 where the times
    can be trusted."""
    repeat: int
    threads: int

    def as_json(self) -> str:
        """Return the profile for programs: seconds, operations and bytes, and each call with its source."""
        kernels: list[dict[str, Any]] = []
        for kernel in self.kernels:
            rates = {
                "share": self._share(kernel),
                "gflops_per_second": kernel.gflops_per_second,
                "gigabytes_per_second": kernel.gigabytes_per_second,
            }
            kernels.append({**asdict(kernel), **rates})
        whole = {
            "run_seconds": self.run_seconds,
            "kernel_seconds": self.kernel_seconds,
            "ratio": self.ratio,
            "repeat": self.repeat,
            "threads": self.threads,
        }
        return json.dumps({**whole, "kernels": kernels}, indent=1) + "\n"

    def __str__(self) -> str:
        heads = (
            "kernel",
            "calls",
            "ms",
            "share",
            "GFLOP",
            "GFLOP/s",
            "MB",
            "GB/s",
            "roofline",
            "operators (and sources)",
        )
        rows = [self._row(kernel) for kernel in self.kernels]
        widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads) - 1)]
        lines = [_line(row, widths) for row in (heads, *rows)]
        run = f"a run without clocks {1e3 * self.run_seconds:.3f} ms"
        total = f"all kernels {1e3 * self.kernel_seconds:.3f} ms, {run}: ratio {self.ratio:.3f}"
        runs = f"medians of {self.repeat} runs, {self.threads} thread{'s' if self.threads > 1 else ''}"
        reasons = [f"{kernel.name}: {kernel.reason}" for kernel in self.kernels if kernel.reason]
        return "\n".join([*lines, f"{total} ({runs})", *reasons])

    def _share(self, kernel: Kernel) -> float:
        total = sum(other.seconds for other in self.kernels)
        return kernel.seconds / total if total else 0.0

    def _row(self, kernel: Kernel) -> tuple[str, ...]:
        return (
            kernel.name,
            str(kernel.calls),
            f"{1e3 * kernel.seconds:.4f}",
            f"{100 * self._share(kernel):.1f}%",
            _number(kernel.flops, 1e-9, 4),
            _number(kernel.gflops_per_second, 1, 1),
            _number(kernel.bytes, 1e-6, 2),
            _number(kernel.gigabytes_per_second, 1, 1),
            "-" if kernel.predicted_share is None else f"{kernel.predicted_share:.0%}",
            _origin(kernel),
        )


def _rate(amount: int | None, seconds: float) -> float | None:
    return None if amount is None or not seconds else 1e-9 * amount / seconds


def _number(value: float | None, scale: float, digits: int) -> str:
    return "-" if value is None else f"{scale * value:.{digits}f}"


def _origin(kernel: Kernel) -> str:
    """Return operators and up to three of their sources."""
    sources = list(dict.fromkeys(call.source for call in kernel.sources if call.source))
    more = f" and {len(sources) - 3} more" if len(sources) > 3 else ""
    where = f" ({', '.join(sources[:3])}{more})" if sources else ""
    return " + ".join(kernel.operators) + where


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    name, *numbers = row[:-1]
    cells = [name.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(numbers, widths[1:]))]
    return "  ".join([*cells, row[-1]])
