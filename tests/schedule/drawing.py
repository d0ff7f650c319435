"""Draws primitives for a schedule as it stands: arguments that exist, most of them sensible, legal or not."""

from __future__ import annotations

from .drawing_buffers import BufferDraws
from .drawing_loops import LoopDraws
from .drawing_placement import PlacementDraws

TRIES = 12


class Drawer(LoopDraws, PlacementDraws, BufferDraws):
    """Each `do_` method draws one primitive and applies it; returns False where there is nothing to apply it to."""

    def step(self) -> str:
        """Apply one primitive and return its name, "" where none was found.

        Raises TilewrightError where the engine refuses it; `attempted` has its name.
        """
        names = sorted(k for k in dir(self) if k.startswith("do_"))
        for _ in range(TRIES):
            self.attempted = self.pick(names).removeprefix("do_")
            if getattr(self, f"do_{self.attempted}")() is not False:
                return self.attempted
        return ""
