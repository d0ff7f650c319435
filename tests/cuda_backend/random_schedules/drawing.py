"""Draws a schedule for a GPU: most of it sensible, some of it not.

Each stage that stands for itself becomes a kernel: its axes are split and bound to blocks, virtual threads and threads,
the rest stays in a thread. What it reads is fetched into shared memory by all threads of a block, or into each thread's
own; sums are made in a thread, across threads, or by parts. At last something is done that has no reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from random import Random
from typing import Any, TypeVar

from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.schedule.stages import LazySchedule
from tilewright.te.tensor import Computation, Placeholder

from .programs import Program

T = TypeVar("T")
SPLITS = (1, 2, 2, 3, 4, 4, 5, 8)
LONG = range(10, 29)
"""The numbers of calls of a long schedule."""


class Nest:
    """A kernel as it is drawn: which threads it has, and the loops at which other stages may compute."""

    def __init__(self) -> None:
        self.threads: dict[str, int | None] = {}
        """Tag -> extent; None where the loop has whatever extent its axis has."""
        self.positions: list[tuple[Any, Any, bool]] = []
        """Stage, axis, and whether it is inside of the loops over threads."""


class Drawer:
    """A schedule that grows by random calls; `steps` tells of them."""

    def __init__(self, program: Program, rng: Random) -> None:
        self.rng = rng
        self.program = program
        self.schedule: LazySchedule = te.create_schedule(list({id(t.op): t.op for t in program.outputs}.values()))
        self.steps: list[str] = []

    def draw(self) -> LazySchedule:
        """Draw the schedule. Raises TilewrightError where a call is refused that others build on."""
        stages = [stage for stage in self.schedule.stages if isinstance(stage.op, Computation)]
        nests: list[Nest] = []
        for stage in reversed(stages):  # readers first
            if not stage.is_output and not self._is_kernel(stage):
                if not stage.op.reduce_axis and self.often(0.6):
                    self.call(stage, "compute_inline")
                    continue
                if nests and self.often(0.8):
                    self.attach(stage, nests)
                    continue
            nests.append(self.kernel(stage))
        while self.often(0.2):
            self.anything()
        for _ in range(self.pick(LONG) - len(self.steps) if self.often(0.25) else 0):
            self.anything()
        return self.schedule

    def _is_kernel(self, stage: Any) -> bool:
        return self.often(0.25) and stage.op is not None

    # Choices

    def often(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, choices: Sequence[T]) -> T:
        return self.rng.choice(choices)

    # Calls

    def call(self, target: Any, name: str, *arguments: Any, **named: Any) -> Any:
        """Make a call and tell of it."""
        what = getattr(target, "name", "s")
        given = [*map(_shown, arguments), *(f"{key}={_shown(value)}" for key, value in named.items())]
        self.steps.append(f"{what}.{name}({', '.join(given)})")
        try:
            return getattr(target, name)(*arguments, **named)
        except TilewrightError as error:
            self.steps[-1] += f"  # {error.code}"
            raise

    def maybe(self, target: Any, name: str, *arguments: Any, **named: Any) -> None:
        """Make a call that nothing builds on."""
        with suppress(TilewrightError):
            self.call(target, name, *arguments, **named)

    def split(self, stage: Any, axis: Any, extent: int | None = None) -> tuple[Any, Any]:
        return self.call(stage, "split", axis, **{self.pick(["factor", "nparts"]): extent or self.pick(SPLITS)})

    def bind(self, stage: Any, axis: Any, tag: str, extent: int | None = None) -> None:
        thread = tag if extent is None or self.often(0.3) else te.thread_axis((0, extent), tag)
        self.call(stage, "bind", axis, thread)

    # A kernel

    def kernel(self, stage: Any) -> Nest:
        """Give a stage loops over blocks and threads, and place what it reads."""
        nest = Nest()
        work = stage
        mode = "plain"
        if stage.op.reduce_axis:
            mode = self.pick(["plain", "local", "local", "local", "cross", "cross", "rfactor"])
        if mode == "local":
            scope = self.pick(["local"] * 6 + ["shared", "global"])
            made = self.call(self.schedule, "cache_write", stage.op.outputs, scope)
            work = self.schedule[made[0] if isinstance(made, (list, tuple)) else made]
            stage = self._copy_of(work)
        elif mode == "rfactor":
            work = self.factored(stage)
            stage = self._reader_of(work)
        self.spatial_loops(stage, nest)
        if mode == "cross":
            self.across_threads(stage, nest)
        if work is not stage:
            self.attach_work(stage, work, nest, mode)
        self.reduction_positions(work, nest)
        for tensor in dict.fromkeys(work.op.inputs):
            if self.often(0.55):
                self.fetch(tensor, work, nest)
        self.inner_kinds(stage)
        if work is not stage:
            self.inner_kinds(work)
        return nest

    def _copy_of(self, work: Any) -> Any:
        return next(s for s in self.schedule.stages if s is not work and self.schedule.reads(s, work))

    _reader_of = _copy_of

    def factored(self, stage: Any) -> Any:
        """Return the stage of partial results."""
        axis = self.pick(stage.op.reduce_axis)
        parts = self.split(stage, axis)
        made = self.call(self.schedule, "rfactor", stage.op.outputs, self.pick(parts), self.pick([0, 0, -1]))
        return self.schedule[made[0] if isinstance(made, (list, tuple)) else made]

    def spatial_loops(self, stage: Any, nest: Nest) -> None:
        """Bind blocks around virtual threads around threads around the loops of one thread."""
        axes = [a for a in stage.leaf_iter_vars if a.kind == "spatial"]
        if len(axes) > 1 and self.often(0.25):
            axes = [self.call(stage, "fuse", *axes)]
        tags = self.rng.sample("xyz", 3) if self.often(0.2) else ["x", "y", "z"]
        levels: list[list[Any]] = [[], [], [], []]
        for number, axis in enumerate(reversed(axes)):
            known = isinstance(axis.extent, int) and axis.extent <= 64
            shape = self.pick(["bt", "bt", "bti", "bti", "bvti", "b", *(["t", "ti", "i"] if known else [])])
            if number > 2:
                shape = "i"
            if number == len(axes) - 1 and not (levels[0] or levels[2]) and shape == "i":
                shape = "bt"
            self.bind_parts(stage, axis, shape, tags[min(number, 2)], nest, levels)
        order = [axis for level in levels for axis in reversed(level)]
        if len(order) > 1:
            self.call(stage, "reorder", *order)
        for loop in levels[0] if self.often(0.1) else levels[0][:1]:  # the innermost block, mostly
            nest.positions.append((stage, loop, not levels[1] and not levels[2]))
        for loop in levels[2]:
            nest.positions.append((stage, loop, loop is levels[2][0]))

    def bind_parts(self, stage: Any, axis: Any, shape: str, tag: str, nest: Nest, levels: Sequence[list[Any]]) -> None:
        """Split one axis into the parts that its shape names, and bind those."""
        for level, letter in enumerate("bvti"):
            if letter not in shape:
                continue
            part: Any = axis
            extent: int | None = axis.extent if isinstance(axis.extent, int) else None
            if letter != shape[-1]:
                part, axis = self.split(stage, axis)
                extent = part.extent if isinstance(part.extent, int) else None
            if letter == "b":
                self.bind(stage, part, f"blockIdx.{tag}")
            elif letter == "v":
                self.bind(stage, part, "vthread")
            elif letter == "t":
                nest.threads[f"threadIdx.{tag}"] = extent
                self.bind(stage, part, f"threadIdx.{tag}", extent)
            levels[level].append(part)

    def across_threads(self, stage: Any, nest: Nest) -> None:
        """Bind a part of a reduction to threads."""
        axes = [a for a in stage.leaf_iter_vars if a.kind == "reduce"]
        if len(axes) > 1 and self.often(0.5):
            axes = [self.call(stage, "fuse", *axes)]
        axis = self.pick(axes)
        part = axis
        if not isinstance(axis.extent, int) or self.often(0.8):
            outer, inner = self.split(stage, axis)
            part = self.pick([inner, inner, outer])
            if part is inner and self.often(0.3):
                self.call(stage, "reorder", inner, outer)
        free = [t for t in ("threadIdx.x", "threadIdx.y", "threadIdx.z") if t not in nest.threads]
        tag = self.pick(free) if free and not self.often(0.05) else "threadIdx.x"
        extent = part.extent if isinstance(part.extent, int) else None
        nest.threads[tag] = extent
        self.bind(stage, part, tag, extent)

    def attach_work(self, stage: Any, work: Any, nest: Nest, mode: str) -> None:
        """Compute the sums at a loop of the stage that takes them."""
        positions = [(s, axis) for s, axis, inside in nest.positions if inside or self.often(0.15)]
        if mode == "rfactor" and stage.op.reduce_axis and self.often(0.8):
            axis = stage.op.reduce_axis[0]
            if self.often(0.7):
                extent = axis.extent if isinstance(axis.extent, int) else None
                free = [t for t in ("threadIdx.x", "threadIdx.y", "threadIdx.z") if t not in nest.threads]
                if free:
                    nest.threads[free[0]] = extent
                    self.bind(stage, axis, free[0], extent)
            positions = [(stage, axis)]
        if mode == "rfactor" and self.often(0.1):
            self.spatial_loops(work, Nest())  # a kernel of its own
            return
        if positions:
            self.call(work, "compute_at", *self.pick(positions))

    def reduction_positions(self, work: Any, nest: Nest) -> None:
        """Split the reduction, and let its loops stand around the elements of a thread."""
        bound = set(work.iter_var_kinds()) if hasattr(work, "iter_var_kinds") else set()
        axes = [a for a in work.leaf_iter_vars if a.kind == "reduce" and a not in bound]
        if not axes:
            return
        axis = self.pick(axes)
        loops = [axis]
        if self.often(0.7):
            with suppress(TilewrightError):
                loops = list(self.split(work, axis))
        if self.often(0.6):
            inner = [a for a in work.leaf_iter_vars if a.kind == "spatial" and work is not None]
            self.maybe(work, "reorder", *loops, *inner)
        nest.positions += [(work, loop, True) for loop in loops]

    # What a kernel reads

    def fetch(self, tensor: Any, reader: Any, nest: Nest) -> None:
        """Copy what is read into shared memory or a thread's own, or into both, one after the other."""
        scope = self.pick(["shared"] * 6 + ["local", "local", "global", "global", "warp"])
        with suppress(TilewrightError):
            copy = self.call(self.schedule, "cache_read", tensor, scope, [reader])
            position = self.attach_copy(self.schedule[copy], scope, nest)
            if scope == "shared" and self.often(0.3):
                private = self.call(self.schedule, "cache_read", copy, "local", [reader])
                self.attach_copy(self.schedule[private], "local", nest, position)

    def attach_copy(self, stage: Any, scope: str, nest: Nest, below: Any = None) -> Any:
        """Attach a copy, mostly at a loop inside of `below` or at that, and return the position."""
        positions = [p for p in nest.positions if p[2]] or nest.positions if scope == "local" else nest.positions
        if below is not None and self.often(0.9):
            first = next((k for k, p in enumerate(positions) if p[:2] == below), 0)
            positions = positions[first:]
        if not positions:
            return None
        parent, axis, _ = self.pick(positions)
        self.call(stage, "compute_at", parent, axis)
        if scope == "shared" or (scope == "global" and self.often(0.3)):
            self.cooperate(stage, nest)
        if self.often(0.15):
            dimensions = [a for a in stage.roots if a.kind == "spatial"]
            dimensions = dimensions[:-1] or dimensions
            self.maybe(stage, "storage_align", self.pick(dimensions), self.pick([2, 4, 8]), self.pick([0, 1, 1]))
        if scope == "shared" and self.often(0.15):
            self.maybe(stage, "storage_swizzle")
        if scope == "shared" and self.often(0.3 if axis.kind == "reduce" else 0.03):
            self.maybe(stage, "double_buffer")
        return parent, axis

    def cooperate(self, stage: Any, nest: Nest) -> None:
        """Share the elements of a stage among the threads of a block; at times among some of them, or other ones."""
        threads = [(tag, extent) for tag, extent in nest.threads.items() if extent]
        if threads and self.often(0.1):
            threads = threads[1:]
        axes = [a for a in stage.leaf_iter_vars if a.kind == "spatial"]
        if len(axes) > 1 and self.often(0.7):
            axes = [self.call(stage, "fuse", *axes)]
        if self.often(0.25):
            axes[-1], lanes = self.call(stage, "split", axes[-1], factor=self.pick([2, 4]))
            self.call(stage, "vectorize", lanes)
        if len(axes) == 1:
            (rest,) = axes
            for tag, extent in threads:
                first, second = self.split(stage, rest, extent)
                part, rest = (first, second) if first.extent == extent else (second, first)
                self.bind(stage, part, tag, extent)
            return
        for axis, (tag, extent) in zip(axes, threads, strict=False):
            outer, inner = self.split(stage, axis, extent)
            self.bind(stage, outer if outer.extent == extent else inner, tag, extent)

    def attach(self, stage: Any, nests: Iterable[Nest]) -> None:
        """Compute a stage of the program where it is read."""
        positions = [(p, axis) for nest in nests for p, axis, _ in nest.positions if self.schedule.reads(p, stage)]
        if not positions:
            nests.append(self.kernel(stage))  # pyright: ignore[reportAttributeAccessIssue]
            return
        parent, axis = self.pick(positions)
        nest = next(n for n in nests if any(p is parent for p, _, _ in n.positions))
        if self.often(0.3):
            axis = self.pick(parent.leaf_iter_vars)
        self.call(stage, "compute_at", parent, axis)
        if self.often(0.7):
            scope = self.pick(["shared", "shared", "local", "global", "global", "warp"])
            self.call(stage, "set_scope", scope)
            if scope == "shared" or (scope == "global" and self.often(0.3)):
                self.cooperate(stage, nest)
        self.inner_kinds(stage)

    # Details

    def inner_kinds(self, stage: Any) -> None:
        """Unroll or vectorize what is innermost."""
        if not self.often(0.3):
            return
        axis = stage.leaf_iter_vars[-1]
        self.maybe(stage, self.pick(["unroll", "vectorize", "unroll"]), axis)

    def anything(self) -> None:
        """Make a call without a reason."""
        stages = [stage for stage in self.schedule.stages if isinstance(stage.op, Computation)]
        stage = self.pick(stages)
        axes = list(stage.leaf_iter_vars)
        if not axes:
            return
        choices: list[Callable[[], None]] = [
            lambda: self.maybe(stage, "split", self.pick(axes), factor=self.pick(SPLITS)),
            lambda: self.maybe(stage, "reorder", *self.rng.sample(axes, min(2, len(axes)))),
            lambda: self.maybe(stage, "unroll", self.pick(axes)),
            lambda: self.maybe(stage, "vectorize", self.pick(axes)),
            lambda: self.maybe(stage, "set_scope", self.pick(["shared", "local", "global", "warp"])),
            lambda: self.maybe(stage, "fuse", *axes[(first := self.rng.randrange(len(axes))) : first + 2]),
            lambda: self.maybe(stage, "bind", self.pick(axes), self.pick(["threadIdx.x", "threadIdx.y", "vthread"])),
            lambda: self.maybe(stage, "compute_at", *self._position(stage)),
            lambda: self.maybe(stage, "compute_inline"),
            lambda: self.maybe(stage, "pragma", self.pick(axes), "auto_unroll_max_step", 8),
            lambda: self.maybe(stage, "double_buffer"),
        ]
        if isinstance(stage.op, Placeholder):
            return
        self.pick(choices)()

    def _position(self, stage: Any) -> tuple[Any, Any]:
        """Return a loop of a stage that reads this one, or of the stage itself where none does: that is refused."""
        readers = [s for s in self.schedule.stages if isinstance(s.op, Computation) and self.schedule.reads(s, stage)]
        reader = self.pick(readers or [stage])
        return reader, self.pick(reader.leaf_iter_vars or [None])


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_shown, value))}]"
    return str(getattr(value, "name", getattr(value, "thread_tag", value)))
