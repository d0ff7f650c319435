"""Pass `select-shuffles`: states the lane of the warp from which an access reads its element."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...analysis.domain import resolve
from ...analysis.ranges import Facts, RangeAnalysis
from ...analysis.warp_memory import is_of_warps, is_warp_of_row, loop_over_lanes
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects.loop import (
    LANE_AXIS,
    LANES,
    WARP,
    ForOp,
    IfOp,
    LoadOp,
    StoreOp,
    depends_on_thread,
    enclosing,
    is_over_threads,
    scope_of,
)
from ...dialects.loop.shuffles import INDEX, SAME_LANE, SHUFFLE, XOR, ShuffleAttr, shuffle_of
from ...dialects.target import target_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass

OTHER_LANE = "TW0661"


@dataclass(frozen=True)
class SelectShufflesPass(Pass):
    """State the lane of each access to memory of scope "warp": the thread's lane, or the one that a shuffle reads from.

    ```mlir
    loop.store %v, %w[%t] : memref<32xf32, "warp">
    %a = loop.load %w[(%t floordiv 8 * 2 + 1) * 8 - %t + 7 - ...] : memref<32xf32, "warp">
    // becomes, where each lane t names lane t xor 8
    loop.store %v, %w[%t] attributes {tw.shuffle = #loop.shuffle<own>} : memref<32xf32, "warp">
    %a = loop.load %w[...] attributes {tw.shuffle = #loop.shuffle<xor 8>} : memref<32xf32, "warp">
    ```
    Lanes are the threads along `threadIdx.x`, 32 of which are a warp; with fewer threads, a divisor of 32, several rows
    of threads share a warp, with separate lanes. The pass evaluates the index for all lanes. It refuses (TW0661) stores
    to another lane's element, lanes that access different registers, exchanges that not all lanes of a warp execute,
    and patterns of fewer than 32 lanes that are not an exclusive or. The interpreter exchanges the elements as the
    shuffles would.

    Needs: `expand-warp-memory` and `unify-thread-binding`: memory of warps has dimensions for them, loops one extent.
    Grants: each scalar access to memory of scope "warp" has `tw.shuffle`.
    """

    name = "select-shuffles"
    phase = 3
    levels = (Level.LOOP,)
    asks_target = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is None or not target.warp:
            return
        facts = RangeAnalysis()
        for access in operations(op):
            if not isinstance(access, (LoadOp, StoreOp)) or scope_of(access.buffer.type) != WARP:
                continue
            shuffle = _Exchange(access, facts.at(access)).shuffle()
            if shuffle_of(access) != shuffle and may_rewrite("shuffle", access, is_needed=True):
                edit.change(access).attributes[SHUFFLE] = shuffle


@dataclass
class _Exchange:
    """An access to memory of a warp, with the lanes that execute it and the lanes whose elements they access."""

    op: LoadOp | StoreOp
    facts: Facts
    threads: int = field(init=False)
    """The number of threads along the axis of lanes."""
    lanes: np.ndarray = field(init=False)
    named: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        loop, extents = loop_over_lanes(self.op), _extents_around(self.op)
        threads = extents.get(LANE_AXIS)
        if loop is None or threads is None:
            self._refuse(f"there is no constant number of threads along {LANE_AXIS}")
        is_row = all(extent == 1 for tag, extent in extents.items() if tag != LANE_AXIS)
        if threads % LANES and LANES % threads and not is_row:
            self._refuse(f"rows of {threads} threads lie across warps")
        if self.op.lanes is not None:
            self._refuse("it is accessed in vectors")
        self.threads, variable = threads, loop.induction_variable
        numbers = self._coming(variable)
        self.lanes, e = numbers % LANES, resolve(self.op.index[-1])
        if any(v is not variable for v in e.variables):
            self._refuse(f"lane {e} is not known for each thread")
        self.named = np.broadcast_to(e.evaluate({variable: numbers}), numbers.shape)
        for d, register in enumerate(self.op.index[:-1]):
            is_warp = is_of_warps(self.op.buffer, d) or is_warp_of_row(self.op.buffer, d)
            if variable in resolve(register).values() and not is_warp:
                self._refuse("lanes name different registers")

    def _coming(self, variable: SSAValue) -> np.ndarray:
        """Return the numbers of the threads that come to the access, as far as they alone decide it."""
        low, high = self.facts.ranges.get(variable, (0, None))
        last = self.threads - 1
        numbers = np.arange(max(low or 0, 0), min(last if high is None else high, last) + 1)
        inside: Operation = self.op
        for parent in enclosing(self.op, (IfOp, ForOp)):
            if isinstance(parent, IfOp) and parent.then_body.blocks and inside.parent is parent.then_body.block:
                for e in map(resolve, parent.conditions):
                    if set(e.variables) == {variable}:
                        numbers = numbers[np.broadcast_to(e.evaluate({variable: numbers}), numbers.shape) >= 0]
            inside = parent
        return numbers

    def shuffle(self) -> ShuffleAttr:
        """Return the shuffle by which the access reads its element. Raises TW0661 where no lane has it."""
        if (self.named == self.lanes).all():
            return ShuffleAttr.get(SAME_LANE)
        if isinstance(self.op, StoreOp):
            self._refuse(f"lane {int((self.named != self.lanes).argmax())} writes an element of another one")
        self._check_all_come()
        exchanged = self.lanes ^ self.named
        if (exchanged == exchanged[0]).all() and exchanged[0] < LANES:
            return ShuffleAttr.get(XOR, int(exchanged[0]))
        if self.threads < LANES:
            self._refuse(f"rows of {self.threads} lanes exchange elements by a pattern that is no exclusive or")
        return ShuffleAttr.get(INDEX)

    def _check_all_come(self) -> None:
        if not self.facts.proves_all(self.op.conditions, exact=False):
            self._refuse("a lane is asked for only where a condition holds, while all of a warp have to answer")
        for parent in enclosing(self.op, (IfOp, ForOp)):
            if not is_over_threads(parent) and any(_parts_warps(v, self.threads) for v in parent.operands):
                self._refuse("not all lanes of a warp come to where they exchange elements")

    def _refuse(self, reason: str) -> NoReturn:
        fail(
            OTHER_LANE,
            f"expected each lane of a warp to write only its elements of {name_of(self.op.buffer)}, whose scope is "
            f'"warp", and all lanes to read others\' together, but {reason}',
            op=self.op,
            help='share it by the whole block instead: scope "shared"',
        )


def _extents_around(op: Operation) -> dict[str, int | None]:
    """Return the number of threads along each axis of the kernel around an access; None where it is not constant."""
    *_, nest = enclosing(op, ForOp)
    loops = [n for n in operations(nest) if isinstance(n, ForOp) and is_over_threads(n)]
    return {n.kind.tag.data: n.constant_trip_count for n in loops}


def _parts_warps(value: SSAValue, threads: int) -> bool:
    """Return whether a value may differ between the threads of one warp.

    `depends_on_thread` answers that for all threads of a block. If rows of threads consist of whole warps, different
    rows are different warps."""
    if isinstance(value, BlockArgument) and threads % LANES == 0:
        around = value.block.parent_op()
        if isinstance(around, ForOp) and is_over_threads(around) and around.kind.tag.data != LANE_AXIS:
            return False
    return depends_on_thread(value)
