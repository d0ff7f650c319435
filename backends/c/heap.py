"""Heap allocations in C, freed at the end of their region, and the exit for failed allocations.

Each allocation has a pointer that is null outside its lifetime, so one exit can free all live allocations. The body of
a parallel loop has a separate exit, because OpenMP forbids to jump out of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..written.fresh_names import Names
from .text import CLines


@dataclass
class _Exit:
    """The exit of a failing allocation: a label, and the pointers that are freed there."""

    label: str
    position: int
    depth: int
    pointers: list[str] = field(default_factory=list[str])
    is_used: bool = False


class Heap:
    """The heap allocations of one function."""

    def __init__(self, lines: CLines, names: Names) -> None:
        self._lines, self._names = lines, names
        self._regions: list[list[str]] = []
        self._exits: list[_Exit] = []
        self._count = 0
        self.is_used = False
        """True if the function allocates on the heap."""

    def enter(self) -> None:
        """Start a region, at whose end its allocations are freed."""
        self._regions.append([])

    def leave(self) -> None:
        for pointer in reversed(self._regions.pop()):
            self._lines.line(f"free({pointer});")
            self._lines.line(f"{pointer} = NULL;")

    def open_exit(self) -> None:
        """Let failures from here on leave by a label at the end of this scope."""
        label = "failed" if not self._exits else f"failed_{self._count}"
        self._count += 1
        self._exits.append(_Exit(label, len(self._lines.lines), self._lines.depth))

    def close_exit(self, failure: str, end: str) -> None:
        """Write the label, where it is used: `failure` is done after a failure and `end` in every case."""
        exit_ = self._exits.pop()
        if exit_.is_used:
            indent = "  " * exit_.depth
            self._lines.lines[exit_.position : exit_.position] = [f"{indent}void *{p} = NULL;" for p in exit_.pointers]
            done = f"done_{self._count}"
            self._count += 1
            self._lines.line(end if end else f"goto {done};")
            self._lines.lines.append(f"{exit_.label}:")
            for pointer in exit_.pointers:
                self._lines.line(f"free({pointer});")
            self._lines.line(failure)
            if not end:
                self._lines.lines.append(f"{done}:;")
        elif end:
            self._lines.line(end)

    def allocate(self, size: str) -> str:
        """Allocate `size` bytes and return a pointer to them; where a size that is known at the call is below 0, the
        buffer has no element."""
        self.is_used = True
        name = self._names.fresh_everywhere("heap")
        self._exits[-1].pointers.append(name)
        self._regions[-1].append(name)
        bytes_ = f"({size})" if size.isdecimal() else f"tw_most({size}, 0)"
        self._lines.line(f"{name} = malloc((size_t){bytes_} + 1);")
        self.fail_if(f"{name} == NULL")
        return name

    def fail(self) -> None:
        """Leave."""
        self._exits[-1].is_used = True
        self._lines.line(f"goto {self._exits[-1].label};")

    def fail_if(self, condition: str) -> None:
        """Leave where `condition` holds."""
        self._exits[-1].is_used = True
        self._lines.line(f"if ({condition}) goto {self._exits[-1].label};")
