"""Draws a schedule for a GPU by the interactive interface: loops of a consumer bound, its producers inside of them.

Buffers keep the scope that they have, global, or are given any other one; a producer is computed at any loop, inside
of loops over blocks, threads or virtual threads, or beside them; loops are bound before or after it is placed.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import tilewright
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.schedule import Schedule
from tilewright.schedule.handles import BlockRV, LoopRV
from tilewright.te.tensor import Computation

from .programs import Program

SCOPES = ("global", "global", "global", "shared", "local", "warp")
TAGS = ("blockIdx.x", "blockIdx.y", "threadIdx.x", "threadIdx.x", "threadIdx.y", "vthread")


class InteractiveDrawer:
    """A schedule that grows by random calls; `steps` tells of them, refused ones included."""

    def __init__(self, program: Program, rng: Random) -> None:
        self.rng = rng
        self.steps: list[str] = []
        stages = te.create_schedule(list({id(t.op): t.op for t in program.outputs}.values())).stages
        self.names = [stage.op.name for stage in stages if isinstance(stage.op, Computation)]
        self.schedule = Schedule(tilewright.IRModule({"main": te.create_prim_func(program.args)}))

    def draw(self) -> Any:
        """Draw the schedule. Each kernel has a block or a thread; what is left unbound is refused when it is built."""
        for name in reversed(self.names):
            if name != self.names[-1] and self.often(0.25):
                self.try_("compute_inline", self.block(name))
        for name in reversed(self.names):
            if name != self.names[-1] and self.often(0.8):
                self.attach(name)
        for name in self.names:
            self.loops_of(name)
        for _ in range(self.rng.choice((0, 0, 2, 6, 12))):
            self.anything()
        for name in self.names:
            self.bind_outermost(name)
        return self.schedule

    def often(self, share: float) -> bool:
        return self.rng.random() < share

    def try_(self, name: str, *arguments: Any, **named: Any) -> Any:
        """Make a call that may be refused, and return None then."""
        try:
            given = ", ".join([*map(self._shown, arguments), *(f"{key}={value}" for key, value in named.items())])
        except TilewrightError:  # a loop that is gone
            return None
        self.steps.append(f"s.{name}({given})")
        try:
            return getattr(self.schedule, name)(*arguments, **named)
        except TilewrightError as error:
            self.steps[-1] += f"  # {error.code}"
            return None

    def _shown(self, argument: Any) -> str:
        if isinstance(argument, BlockRV):
            return self.schedule.block(argument).label
        if isinstance(argument, LoopRV):
            return str(self.schedule.loop(argument).induction_variable.name_hint)
        return repr(argument)

    def block(self, name: str) -> Any:
        """Return the block of this name; None where it is gone."""
        try:
            return self.schedule.get_block(name)
        except TilewrightError:
            return None

    def loops(self, name: str) -> list[Any]:
        block = self.block(name)
        return [] if block is None else list(self.schedule.get_loops(block))

    def attach(self, name: str) -> None:
        """Compute a producer at a loop of a consumer, in memory of some scope."""
        block = self.block(name)
        if block is None:
            return
        try:
            consumers = list(self.schedule.get_consumers(block))
        except TilewrightError:
            return
        if not consumers:
            return
        around = list(self.schedule.get_loops(self.rng.choice(consumers)))
        if around and self.often(0.3):
            self.bind(self.rng.choice(around))
        if around:
            self.try_("compute_at", block, self.rng.choice(around))
        if self.often(0.6):
            self.try_("set_scope", block, 0, self.rng.choice(SCOPES))

    def loops_of(self, name: str) -> None:
        """Split, fuse, reorder and bind the loops around a block."""
        for _ in range(self.rng.randint(1, 4)):
            if loops := self.loops(name):
                self.loop_call(loops)

    def loop_call(self, loops: list[Any]) -> None:
        """Make a call about some of the loops around a block."""
        match self.rng.choice(("split", "fuse", "reorder", "bind", "bind")):
            case "split":
                self.try_("split", self.rng.choice(loops), factor=self.rng.choice((1, 2, 3, 4, 8)))
            case "fuse":
                self.try_("fuse", *self._neighbours(loops))
            case "reorder":
                self.try_("reorder", *self.rng.sample(loops, min(2, len(loops))))
            case _:
                self.bind(self.rng.choice(loops))

    def _neighbours(self, loops: list[Any]) -> list[Any]:
        first = self.rng.randrange(len(loops))
        return loops[first : first + 2]

    def bind(self, loop: Any) -> None:
        self.try_("bind", loop, self.rng.choice(TAGS))

    def bind_outermost(self, name: str) -> None:
        """Give what has no loop over blocks or threads one."""
        loops = self.loops(name)
        if loops and not self.schedule.loop(loops[0]).kind.tag.data:
            used = {self.schedule.loop(loop).kind.tag.data for loop in loops}
            free = [tag for tag in ("blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x") if tag not in used]
            self.try_("bind", loops[0], free[0] if self.often(0.7) else self.rng.choice(free))

    def anything(self) -> None:
        """Make a call without a reason."""
        name = self.rng.choice(self.names)
        block, loops = self.block(name), self.loops(name)
        if block is None or not loops:
            return
        choices: list[Callable[[], Any]] = [
            lambda: self.try_("cache_read", block, 0, self.rng.choice(SCOPES)),
            lambda: self.try_("cache_write", block, 0, self.rng.choice(SCOPES)),
            lambda: self.try_("set_scope", block, 0, self.rng.choice(SCOPES)),
            lambda: self.try_("unroll", loops[-1]),
            lambda: self.try_("vectorize", loops[-1]),
            lambda: self.try_("decompose_reduction", block, self.rng.choice(loops)),
            lambda: self.try_("rfactor", self.rng.choice(loops), 0),
            lambda: self.try_("double_buffer", block, 0),
            lambda: self.try_("storage_align", block, 0, 0, 4, 1),
            lambda: self.attach(name),
            lambda: self.loops_of(name),
        ]
        self.rng.choice(choices)()
