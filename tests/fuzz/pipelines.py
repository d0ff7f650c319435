"""Random orders of passes, each with random options, that are legal for the level of a module."""

from __future__ import annotations

from typing import Any, get_args

from tilewright.diagnostics import TilewrightError
from tilewright.passes.framework.base import Level, is_exact
from tilewright.passes.framework.options import Option, options_of
from tilewright.passes.framework.registry import BUILTIN, get_pass
from tilewright.passes.pipeline import PHASES, level_after, levels_of, with_conversions
from xdsl.passes import ModulePass

from .draw import Draw

LEFT_OUT = {
    "apply-schedule": "it needs a schedule in the module",
    "check-bounds": "what it inserts reports to a runtime",
}
"""Passes that are not drawn, with the reason."""

VALUES: dict[tuple[str, str], tuple[Any, ...]] = {
    ("auto-schedule", "threads"): (1, 2),
    ("partition-loops", "max-ops"): (600, 600, 100, 2000),
    ("tile", "sizes"): ((), (2,), (3, 2), (4, 4), (2, 3, 4)),
    ("unroll", "factor"): (1, 2, 4, 8),
    ("unroll", "max-ops"): (8, 64, 256),
    ("vectorize", "max-lanes"): (4, 8, 64),
    ("vectorize", "strict"): (False,),
    ("vectorize", "width"): (None, None, 2, 3, 4, 8),
}
"""Values of options whose type does not give them."""


def pass_names() -> list[str]:
    """Return the passes that are drawn, those that were added to the registry since included."""
    return [name for name in BUILTIN if name not in LEFT_OUT]


def random_pipeline(draw: Draw, level: Level, *, rounds: bool) -> list[ModulePass]:
    """Return passes in a random order with the conversions they need; none that rounds differently unless `rounds`."""
    drawn = _disturbed(draw) if draw.chance(0.35) else None
    chosen: list[ModulePass] = []
    current = level
    for name in drawn if drawn is not None else [None] * draw.between(1, 8):
        among = [n for n in pass_names() if _fits(n, current, rounds) and _is_likely(draw, n, current)]
        if (name is None and not among) or (name is not None and not _fits(name, current, rounds)):
            continue
        pass_ = with_options(draw, get_pass(name or draw.one_of(among)))
        steps = with_conversions([pass_], current)
        if not rounds and not all(map(is_exact, steps)):
            continue
        chosen += steps
        for step in steps:
            current = level_after(step, current)
    return chosen


def _disturbed(draw: Draw) -> list[str]:
    """Return the default order with passes left out, some of them exchanged, from its start to somewhere."""
    names = [name for phase in PHASES.values() for name in phase if name not in LEFT_OUT]
    names = [name for name in names if draw.chance(0.7)][: draw.between(4, len(names))]
    for _ in range(draw.between(0, 3)):
        if len(names) > 1:
            i = draw.between(0, len(names) - 2)
            names[i], names[i + 1] = names[i + 1], names[i]
    return names


def _fits(name: str, level: Level, rounds: bool) -> bool:
    """Return whether the pass works on a module of that level, or on what becomes of it."""
    cls = get_pass(name)
    if not is_exact(cls) and not rounds:
        return False
    return any(below <= level for below in levels_of(cls))  # pyright: ignore[reportArgumentType]


def _is_likely(draw: Draw, name: str, level: Level) -> bool:
    """Return whether to draw a pass: passes of the module's level come more often than those that convert it first."""
    return level in levels_of(get_pass(name)) or draw.chance(0.15)  # pyright: ignore[reportArgumentType]


def with_options(draw: Draw, cls: type[ModulePass]) -> ModulePass:
    """Return the pass with some options at random; their defaults where the pass refuses those."""
    values: dict[str, Any] = {}
    for option in options_of(cls).values():
        among = VALUES.get((cls.name, option.name), _values(option))
        if among and draw.chance(0.5):
            values[option.name.replace("-", "_")] = draw.one_of(among)
    try:
        return cls(**values)
    except (TilewrightError, ValueError, TypeError):
        return cls()


def _values(option: Option) -> tuple[Any, ...]:
    types = (option.type, *get_args(option.type))
    if bool in types:
        return (True, False)
    if int in types:
        return (1, 2, 4, 8)
    return ()
