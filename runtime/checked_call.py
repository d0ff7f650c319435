"""Checked calls of a function on numpy arrays: arguments are checked, sizes are bound, outputs are allocated.

This is the slow path of calls: it accepts every valid argument and raises every error. Subclasses run the function.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Union

from .arguments import Signature, separate
from .buffers import Array
from .errors import fail
from .expectations import expect_serial, expect_threads, expect_type

OUT_OF_MEMORY = 1
"""The native entry's result where an allocation failed."""

Outputs = Union[Sequence[object], Mapping[str, object], Array]


class CheckedCall(ABC):
    """A function that checks and converts its arguments, and then runs on arrays that match the signature."""

    serial: ClassVar[str] = ""
    """The reason why calls have no threads on the host; empty where parallel loops have some."""
    device_kinds: ClassVar[tuple[str, ...]] = ("cpu",)
    """The kinds of devices that the function runs on."""

    def __init__(self, signature: Signature, threads: int = 1) -> None:
        self.signature = signature
        self.threads = threads
        """Threads of a parallel loop, unless the call says otherwise."""
        self._last_bound: tuple[list[tuple[int, ...]] | None, Mapping[str, int]] = (None, {})

    @abstractmethod
    def _invoke(self, arrays: list[Array], threads: int) -> int:
        """Run on the inputs and the outputs, which fit the signature; 0, or OUT_OF_MEMORY."""

    def __call__(
        self, *arrays: object, out: Outputs | None = None, threads: int | None = None, **named: object
    ) -> Array | tuple[Array, ...] | None:
        """Run the function; see `Function`."""
        if named or out is not None:
            outputs = self._run(self.signature.collect(arrays, named), out, threads)
        else:
            inputs, given, sizes = self.signature.split(arrays)
            outputs = self._run(self.signature.collect(inputs, {}), given, threads, sizes)
            if given is not None:
                return None
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def run(self, inputs: Mapping[str, object], out: Outputs | None, threads: int | None) -> dict[str, Array]:
        """Run the function on inputs by name; the outputs by name."""
        expect_type("inputs", inputs, Mapping)
        outputs = self._run(self.signature.collect((), inputs), out, threads)
        return {a.name: o for a, o in zip(self.signature.results, outputs)}

    def synchronize(self) -> None:
        """Wait until the last call is done, where calls return before that."""
        return

    def _run(
        self,
        inputs: list[Array],
        out: Outputs | None,
        threads: int | None,
        stated: Mapping[str, object] | None = None,
    ) -> list[Array]:
        signature = self.signature
        if out is None:
            sizes = self._bind(inputs)
            outputs = signature.allocate(sizes)
        else:
            outputs = signature.collect_outputs(out)
            sizes = self._bind([*inputs, *outputs])
            inputs = separate(inputs, outputs)
        if stated:
            signature.check_sizes(stated, sizes)
        self._expect_threads(threads)
        wanted = self.threads if threads is None else threads
        status = self._invoke([*inputs, *outputs], max(1, wanted))
        if status == OUT_OF_MEMORY:
            given = ", ".join(f"{name} = {size}" for name, size in sizes.items())
            fail(
                "TW0708",
                f"expected enough memory for the program's buffers, but an allocation failed ({given})",
            )
        return signature.results_of(outputs)

    def _expect_threads(self, threads: int | None) -> None:
        """Raise TW0725 for what is no number of threads, and for threads where calls have none."""
        expect_threads(threads)
        if self.serial:
            expect_serial(threads, self.serial)

    def _bind(self, arrays: list[Array]) -> Mapping[str, int]:
        """Return the sizes of a call. The sizes of the last call are cached, because callers usually repeat the same
        shapes."""
        shapes = [array.shape for array in arrays]
        known, sizes = self._last_bound
        if shapes != known:
            sizes = self.signature.bind(arrays)
            self._last_bound = shapes, sizes
        return sizes


class ElsewhereCall(CheckedCall):
    """Calls of code that was compiled for another machine: it can be saved, and calls of it are refused."""

    def __init__(self, signature: Signature, threads: int, machine: str, obstacle: str) -> None:
        """Keep `machine`, which the code is for, and `obstacle`, which keeps this one from running it."""
        super().__init__(signature, threads)
        self._machine = machine
        self._obstacle = obstacle

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        fail(
            "TW0750",
            f"expected to run on {self._machine}, but {self._obstacle}",
            help="save the program and load it on such a machine, or build it for this one",
        )
