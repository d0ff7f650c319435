"""A compiled function, callable on numpy arrays.

The native entry has the C type

    int32_t entry(void *const *arguments, const int64_t *sizes, void *const *constants, void *arena, int32_t
    threads)

- `arguments`: the strides in elements that the signature leaves to the caller, then the data pointers of the inputs
  and of the outputs, in the order of the signature. Each is aligned to its element, and dense in row-major order unless
  the signature states strides. No output shares memory with any other argument.
- `sizes`: for each argument in that order, the dimensions that are symbolic in its type, outermost first.
- `constants`: the data pointers of the program's constants, each aligned to 64 bytes, never written to; among them, in
  a program that checks itself, pointers to the record of the call (`runtime.checks`).
- `arena`: scratch memory of the program's fixed size, aligned to 64 bytes, for this call alone.
- `threads`: how many threads a parallel loop may use, at least 1.
- The result is 0, or 1 where memory that depends on symbolic sizes could not be had, or a check failed.

The entry keeps no state between calls, so any number of threads may call it at once; ctypes releases the
interpreter's lock.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics import fail
from .arguments import Signature, separate
from .buffers import ArenaPool, Array, address_of, aligned
from .checks import Checks
from .openmp import available_threads, openmp

_ENTRY_TYPE = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32
)

OUT_OF_MEMORY = 1
"""The entry's result where an allocation failed."""

Outputs = Sequence[object] | Mapping[str, object] | Array


@dataclass(frozen=True)
class Executable:
    """Native code and what it needs to run."""

    address: int
    """Of the entry function."""
    signature: Signature
    constants: tuple[Array, ...] = ()
    arena_size: int = 0
    """Bytes."""
    keep_alive: tuple[Any, ...] = field(default=(), repr=False)
    """Whatever owns the code."""
    checks: Checks | None = None
    """The checks that it makes while it runs."""


class Function:
    """A compiled function.

    Call it with the inputs as numpy arrays, by position or by name: `f(x)` or `f(input=x)`. It returns the output
    array, or a tuple where there are several. Called with inputs and outputs, `f(x, y)`, it writes the outputs in place
    and returns None; arguments then come in the order in which the function was defined. `run` takes and returns
    dictionaries, for names that are no Python identifiers. Safe to call from several threads at once.
    """

    _last_bound: tuple[list[tuple[int, ...]] | None, Mapping[str, int]] = (None, {})

    def __init__(self, executable: Executable, threads: int | None = None) -> None:
        self.signature = executable.signature
        self.threads = threads or available_threads()
        """Threads of a parallel loop, unless the call says otherwise."""
        self.executable = executable
        self._entry = _ENTRY_TYPE(executable.address)
        self._symbolic = [
            (position, dimension)
            for position, argument in enumerate((*self.signature.inputs, *self.signature.outputs))
            for dimension, size in enumerate(argument.shape)
            if not isinstance(size, int)
        ]
        self._arenas = ArenaPool(executable.arena_size)
        self._constants = [aligned(c) for c in executable.constants]
        self._constant_table = (ctypes.c_void_p * len(self._constants))(*map(address_of, self._constants))
        self._strided = [
            (position, dimension)
            for position, argument in enumerate(self.signature.arguments)
            for dimension, stride in enumerate(argument.strides or ())
            if stride is None
        ]
        self._pointers_type = ctypes.c_void_p * (len(self._strided) + len(self.signature.arguments))
        self._sizes_type = ctypes.c_int64 * len(self._symbolic)

    def __call__(
        self, *arrays: object, out: Outputs | None = None, threads: int | None = None, **named: object
    ) -> Array | tuple[Array, ...] | None:
        """Run the function.

        `out` receives the results in place: an array, or a sequence or mapping of arrays; so do outputs that follow
        the inputs by position. Raises TilewrightError TW0701 to TW0708 for arguments that do not fit; see
        `tilewright.runtime.arguments`; TW0730 where a check of the program fails, after which outputs that the caller
        gave may be partly written.
        """
        if named or out is not None:
            outputs = self._run(self.signature.collect(arrays, named), out, threads)
        else:
            inputs, given, sizes = self.signature.split(arrays)
            outputs = self._run(self.signature.collect(inputs, {}), given, threads, sizes)
            if given is not None:
                return None
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def run(
        self, inputs: Mapping[str, object], out: Outputs | None = None, threads: int | None = None
    ) -> dict[str, Array]:
        """Run the function on inputs by name; the outputs by name."""
        outputs = self._run(self.signature.collect((), inputs), out, threads)
        return {a.name: o for a, o in zip(self.signature.outputs, outputs, strict=True)}

    def __repr__(self) -> str:
        return f"<tilewright function {self.signature}>"

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
        status = self._invoke([*inputs, *outputs], self._thread_count(threads))
        if status == OUT_OF_MEMORY:
            given = ", ".join(f"{name} = {size}" for name, size in sizes.items())
            fail(
                "TW0708",
                f"expected enough memory for the program's buffers, but an allocation failed ({given})",
            )
        return outputs

    def _bind(self, arrays: list[Array]) -> Mapping[str, int]:
        """The sizes of a call. Those of the last one are kept: callers come with the same shapes again and again."""
        shapes = [array.shape for array in arrays]
        known, sizes = self._last_bound
        if shapes != known:
            sizes = self.signature.bind(arrays)
            self._last_bound = shapes, sizes
        return sizes

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        strides = [arrays[a].strides[d] // arrays[a].itemsize for a, d in self._strided]
        pointers = self._pointers_type(*strides, *map(address_of, arrays))
        sizes = self._sizes_type(*[arrays[argument].shape[dimension] for argument, dimension in self._symbolic])
        checks = self.executable.checks
        record = None if checks is None else checks.new_record()
        constants = self._constant_table if record is None else self._constants_with(record)
        arena = self._arenas.take()
        try:
            address = 0 if arena is None else address_of(arena)
            status = self._entry(pointers, sizes, constants, address, threads)
        finally:
            self._arenas.give_back(arena)
        if checks is not None and record is not None:
            checks.report(record)
        return status

    def _constants_with(self, record: Array) -> ctypes.Array[ctypes.c_void_p]:
        """The table of constants of a call that keeps a record."""
        checks = self.executable.checks
        assert checks is not None
        table = checks.with_places([address_of(c) for c in self._constants], address_of(record))
        return (ctypes.c_void_p * len(table))(*table)

    def _thread_count(self, threads: int | None) -> int:
        count = self.threads if threads is None else threads
        return max(1, count) if openmp().usable() else 1
