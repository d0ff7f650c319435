"""Calls of schedules as text, in which loops go by their variables and blocks by their labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tilewright.schedule import Schedule
from tilewright.schedule.primitive_declaration import primitives


class Names(Mapping[str, Any]):
    """Names for calls: primitives, blocks by label, loops by variable."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule

    def __getitem__(self, name: str) -> Any:
        if name in primitives():
            return getattr(self.schedule, name)
        labels = {self.schedule.block(b).label for b in self.schedule.get_child_blocks()}
        return self.schedule.get_block(name) if name in labels else self.schedule.get_loop(name)

    def __iter__(self) -> Iterator[str]:
        return iter(primitives())

    def __len__(self) -> int:
        return len(primitives())


def call(schedule: Schedule, text: str) -> Any:
    """Carry out one call, such as `split(i, [None, 8])`."""
    return eval(text, {"__builtins__": {}}, Names(schedule))
