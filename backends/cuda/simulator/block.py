"""The scheduler of a block's threads.

A warp runs until each of its threads waits at a barrier or has ended. Lanes that wait for one another continue as soon
as all lanes of their mask have arrived. Then the next warp runs. When all threads wait at the same barrier, the next
epoch begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ....hardware import WARP_THREADS
from ..operations.table import WARPGROUP_PRODUCTS, WARPGROUP_WARPS
from .faults import Fault
from .memory import Shadow
from .stamps import epoch_stamp, thread_stamp
from .warp import Request, resolve

Index = tuple[int, int, int]
Thread = Generator[Any, Any, None]

_ENDED = "ended"


@dataclass
class Clock:
    """The epochs of a launch, and the shadows that are notified of a new epoch."""

    shadows: list[Shadow] = field(default_factory=list[Shadow])
    """Of global memory."""
    epoch: int = 0
    begins: list[int] = field(default_factory=list[int])
    """The first epoch of each block so far."""

    def advance(self, shared: list[Shadow]) -> None:
        """Pass a barrier; `shared` are the shadows of the block's shared memory."""
        self.epoch += 1
        for shadow in (*self.shadows, *shared):
            shadow.advance(epoch_stamp(self.epoch))

    def start_block(self, shared: list[Shadow]) -> None:
        self.begins.append(self.epoch + 1)
        for shadow in self.shadows:
            shadow.begin = epoch_stamp(self.epoch + 1)
        self.advance(shared)


class Block:
    """The state of a block while it runs."""

    def __init__(
        self, function: Callable[..., Any], threads: list[Index], clock: Clock, shadows: list[Shadow], yields: bool
    ) -> None:
        self._function = function
        self._threads = threads
        self._clock = clock
        self._shadows = shadows
        self._yields = yields
        self._starting = True
        self._latest = 0
        """The last thread that has run in this epoch."""
        self.current = 0
        """The thread that runs, or ran last."""

    def run(self) -> None:
        """Run until all threads have ended."""
        try:
            self._run()
        except Fault as fault:
            if fault.missing is not None:
                self._look_for_writer(fault, *fault.missing)
            raise

    def _look_for_writer(self, fault: Fault, shadow: Shadow, cell: int) -> None:
        """Report a race instead if another thread would have written, before the next barrier, the cell that was read
        too early."""
        epoch = self._clock.epoch
        shadow.first[cell] = shadow.second[cell] = 0  # or the write would be a separate fault
        for number in range(self._latest + 1, len(self._threads)):
            with suppress(Fault, ZeroDivisionError, StopIteration):
                if self._yields:
                    self._generators[number].send(self._sent(number))
                else:
                    self._function(thread_stamp(epoch, 0, number), number % WARP_THREADS, *self._threads[number])
            if shadow.writer[cell]:
                fault.code = "TW0654"
                fault.message = f"read of element {cell} of '{shadow.name}', shared memory, races"
                fault.other = ("wrote", shadow.writer[cell])
                fault.help = "a barrier between the two orders them"
                return

    def _sent(self, number: int) -> Any:
        return None if self._starting else self._stamps[number]

    def _run(self) -> None:
        if self._yields:
            self._run_in_turns()
            return
        epoch = self._clock.epoch
        for number, index in enumerate(self._threads):
            self.current = self._latest = number
            self._function(thread_stamp(epoch, 0, number), number % WARP_THREADS, *index)

    def _run_in_turns(self) -> None:
        function, epoch = self._function, self._clock.epoch
        self._stamps = [thread_stamp(epoch, 0, number) for number in range(len(self._threads))]
        self._generators: list[Thread] = [
            function(stamp, number % WARP_THREADS, *index)
            for number, (stamp, index) in enumerate(zip(self._stamps, self._threads, strict=True))
        ]
        self._states: list[Any] = [None] * len(self._threads)
        self._synchronisations = [0] * len(self._threads)
        self._products: Counter[int] = Counter()
        while True:
            for first in range(0, len(self._threads), WARP_THREADS):
                self._run_warp(range(first, min(first + WARP_THREADS, len(self._threads))))
            self._check_products()
            if all(state is _ENDED for state in self._states):
                return
            self._pass_barrier()
            self._starting = False

    def _run_warp(self, numbers: range) -> None:
        states, stamps, generators, starting = self._states, self._stamps, self._generators, self._starting
        waiting = False
        for number in numbers:
            self.current = self._latest = number
            try:
                state = states[number] = generators[number].send(None if starting else stamps[number])
                waiting = waiting or type(state) is Request
            except StopIteration:
                states[number] = _ENDED
        self._latest = numbers.stop - 1
        while waiting:
            waiting = self._meet(numbers)

    def _meet(self, numbers: range) -> bool:
        """Let the lanes that wait for one another go on; whether lanes wait again."""
        groups: dict[tuple[str, int], dict[int, Request]] = {}
        for number in numbers:
            request = self._states[number]
            if type(request) is Request:
                lanes = groups.setdefault((request.operation, request.mask), {})
                lanes[number - numbers.start] = request
        met = False
        for (operation, mask), lanes in groups.items():
            present = sum(1 << lane for lane in lanes)
            if present & mask != present:
                self._unnamed(numbers.start, lanes, mask)
            if present == mask & ((1 << len(numbers)) - 1):
                self._exchange(numbers.start, operation, lanes, len(numbers))
                met = True
        if groups and not met:
            self._absent(numbers, groups)
        return any(type(self._states[number]) is Request for number in numbers)

    def _exchange(self, first: int, operation: str, lanes: dict[int, Request], size: int) -> None:
        if size < WARP_THREADS and not operation.endswith("sync") and operation != "syncwarp":
            self.current = first
            raise Fault(
                "TW0656",
                f"{operation} by a warp of {size} threads",
                line=next(iter(lanes.values())).line,
                help=f"all {WARP_THREADS} lanes take part: the threads of a block are a multiple of {WARP_THREADS}",
            )
        if operation in WARPGROUP_PRODUCTS:
            self._products[first // WARP_THREADS] += 1
        if operation == "syncwarp":
            latest = 1 + max(self._synchronisations[first + lane] for lane in lanes)
            for lane in lanes:
                self._synchronisations[first + lane] = latest
                self._stamps[first + lane] = thread_stamp(self._clock.epoch, latest, first + lane)
        try:
            received = resolve(operation, lanes, {lane: self._stamps[first + lane] for lane in lanes})
        except Fault as fault:
            self.current = first + (fault.thread or 0)
            raise
        for lane in lanes:
            number = self.current = first + lane
            answer = self._stamps[number] if operation == "syncwarp" else received[lane]
            try:
                self._states[number] = self._generators[number].send(answer)
            except StopIteration:
                self._states[number] = _ENDED

    def _check_products(self) -> None:
        """Check that the warps of each group have started the same products."""
        for warp, count in self._products.items():
            first = warp // WARPGROUP_WARPS * WARPGROUP_WARPS
            group = range(first, first + WARPGROUP_WARPS)
            if (absent := next((other for other in group if self._products[other] != count), None)) is not None:
                self.current = warp * WARP_THREADS
                raise Fault(
                    "TW0656",
                    f"product of a warpgroup that warp {warp} has started {count} times, and warp {absent} "
                    f"{self._products[absent]} times",
                    help="all four warps of a group take part: no branch of the kernel may keep one away",
                )

    def _unnamed(self, first: int, lanes: dict[int, Request], mask: int) -> None:
        lane, request = next((lane, request) for lane, request in lanes.items() if not mask >> lane & 1)
        self.current = first + lane
        message = f"{request.operation} with mask {mask:#010x} by lane {lane}, which it does not name"
        raise Fault("TW0656", message, line=request.line)

    def _absent(self, numbers: range, groups: dict[tuple[str, int], dict[int, Request]]) -> None:
        (operation, mask), lanes = next(iter(groups.items()))
        lane, request = next(iter(lanes.items()))
        self.current = numbers.start + lane
        missing = next(n for n in numbers if mask >> (n - numbers.start) & 1 and n - numbers.start not in lanes)
        raise Fault(
            "TW0656",
            f"{operation} with mask {mask:#010x} waits for lane {missing - numbers.start}, "
            f"thread {self._threads[missing]}, which {_whereabouts(self._states[missing])}",
            line=request.line,
            help="all lanes that the mask names take part: no branch of the kernel may keep one away",
        )

    def _pass_barrier(self) -> None:
        states = self._states
        here = next(number for number, state in enumerate(states) if state is not _ENDED)
        for number, state in enumerate(states):
            if state != states[here]:
                self.current = here
                raise Fault(
                    "TW0651",
                    f"barrier that not all threads reach: thread {self._threads[number]} {_whereabouts(state)}",
                    line=states[here],
                    help="no condition that differs between threads may stand around a barrier",
                )
        self._clock.advance(self._shadows)
        epoch = self._clock.epoch
        self._stamps = [thread_stamp(epoch, 0, number) for number in range(len(states))]
        self._synchronisations = [0] * len(states)


def _whereabouts(state: Any) -> str:
    if state is _ENDED:
        return "has ended"
    if isinstance(state, Request):
        return f"is at {state.operation} in line {state.line}"
    return f"waits at the barrier in line {state}"
