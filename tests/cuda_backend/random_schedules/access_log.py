"""Races between the threads of a launch, found without the simulator's shadow memory.

The kernel's own source runs as a Python generator for each thread, with every access to shared and global memory noted
down whole: which thread, between which barriers. Afterwards each element is looked at. Values are computed loosely,
and none comes from another lane: they decide nothing in the kernels that random schedules give.
"""

from __future__ import annotations

import ast
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
from tilewright.backends.cuda.simulator.source import Kernel

Note = tuple[tuple[int, int, int], int, int, bool]
"""Block, thread, interval between barriers, and whether it wrote."""


class NotKnown(Exception):
    """Raised for a kernel whose lanes order their accesses, and for operations that the log does not know."""


class Log:
    """Memory that notes who touches it."""

    def __init__(self, data: Any, clock: SimpleNamespace, notes: dict[int, set[Note]]) -> None:
        self.data = data
        self.clock = clock
        self.notes = notes

    def _note(self, index: int, wrote: bool) -> None:
        self.notes[index].add((self.clock.block, self.clock.thread, self.clock.interval, wrote))

    def __getitem__(self, index: int) -> Any:
        self._note(int(index), False)
        return self.data[int(index)]

    def __setitem__(self, index: int, value: Any) -> None:
        self._note(int(index), True)
        self.data[int(index)] = value


class Device:
    """The operations of `backends.cuda.operations` that kernels of random schedules use."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("load"):
            if not name[4:].isdigit():
                return lambda array, i: float(array[i])
            return lambda array, i: tuple(array[i + k] for k in range(int(name[4:])))
        if name.startswith("store"):
            if not name[5:].isdigit():
                return lambda array, i, value: array.__setitem__(i, value)
            return lambda array, i, values: [array.__setitem__(i + k, v) for k, v in enumerate(values)]
        if name.endswith(("_bits", "_value")):  # of a half
            return float
        if name == "fma":
            return lambda x, y, z: x * y + z
        raise NotKnown(name)


class _Barriers(ast.NodeTransformer):
    """`cuda.syncthreads()` becomes `yield`."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if ast.unparse(node.value) == "cuda.syncthreads()":
            return ast.Expr(ast.Yield())
        return node


def meetings(
    kernel: Kernel, grid: Sequence[int], block: Sequence[int], arguments: Sequence[Any]
) -> Iterator[tuple[str, int, Note, Note]]:
    """Yield pairs of accesses by different threads that nothing separates, one of which writes, with the array and
    element.

    Raises NotKnown where lanes of a warp wait for one another.
    """
    notes: dict[str, dict[int, set[Note]]] = defaultdict(lambda: defaultdict(set))
    clock = SimpleNamespace(block=(0, 0, 0), thread=0, interval=0)
    shared: dict[tuple[Any, int], list[Any]] = {}
    names = _names(clock, notes, shared)
    function = ast.parse(ast.unparse(kernel.node)).body[0]
    assert isinstance(function, ast.FunctionDef)
    function = _Barriers().visit(function)
    function.body.append(ast.parse("if False:\n    yield").body[0])
    exec(compile(ast.fix_missing_locations(ast.Module([function], [])), "<log>", "exec"), names)
    given = [
        Log(a.reshape(-1), clock, notes[name]) if isinstance(a, np.ndarray) else int(a)
        for name, a in zip(kernel.parameters, arguments, strict=True)
    ]
    with np.errstate(all="ignore"):
        for z, y, x in product(*(range(n) for n in reversed(grid))):
            clock.block = (x, y, z)
            _run_block(names[kernel.name], given, clock, names, block)
    for name, elements in notes.items():
        is_global = name in kernel.parameters
        for element, found in elements.items():
            if kernel.owners.get(name) == "thread":  # no barrier orders others
                found = {(block, thread, 0, wrote) for block, thread, _, wrote in found}
            yield from ((name, element, *pair) for pair in _conflicts(found, is_global))


def _run_block(
    function: Callable[..., Any], given: list[Any], clock: SimpleNamespace, names: dict[str, Any], block: Sequence[int]
) -> None:
    indices = [(x, y, z) for z, y, x in product(*(range(n) for n in reversed(block)))]
    threads: list[Any] = [function(*given) for _ in indices]
    clock.interval = 0
    while any(thread is not None for thread in threads):
        for number, thread in enumerate(threads):
            if thread is None:
                continue
            clock.thread = number
            cuda = names["cuda"]
            cuda.threadIdx = SimpleNamespace(**dict(zip("xyz", indices[number], strict=True)))
            cuda.blockIdx = SimpleNamespace(**dict(zip("xyz", clock.block, strict=True)))
            if next(thread, thread) is thread:
                threads[number] = None
        clock.interval += 1


def _conflicts(found: set[Note], is_global: bool) -> Iterator[tuple[Note, Note]]:
    """Yield pairs of accesses between the same barriers of a block, or by different blocks."""
    groups: dict[Any, list[Note]] = defaultdict(list)
    for note in found:
        groups[note[0], note[2]].append(note)
    if is_global and (write := next((note for note in found if note[3]), None)):
        groups[None] = [write, *(note for note in found if note[0] != write[0])][:2]
    for key, group in groups.items():
        write = next((note for note in group if note[3]), None)
        other = write and next((note for note in group if note[1] != write[1] or key is None and note != write), None)
        if write and other:
            yield write, other


def _names(
    clock: SimpleNamespace, notes: dict[str, dict[int, set[Note]]], shared: dict[tuple[Any, int], list[Any]]
) -> dict[str, Any]:
    """Return the values of a kernel's names. Shared arrays are distinguished by their order in the kernel."""

    def shared_array(size: int, *_: Any, **__: Any) -> Log:
        who = (clock.block, clock.thread)
        number = counts[who] = counts[who] + 1
        data = shared.setdefault((clock.block, number), [0] * max(size, 1 << 16 if not size else 0))
        return Log(data, clock, notes[f"shared {number}"])

    def no_lanes(*_: Any) -> None:
        raise NotKnown("lanes")

    counts: dict[Any, int] = defaultdict(int)
    cuda = SimpleNamespace(
        shared=SimpleNamespace(array=shared_array),
        local=SimpleNamespace(array=lambda size, *_, **__: [0] * size),
        syncwarp=no_lanes,
        **{f"shfl_{kind}sync": lambda mask, value, _: value for kind in ("", "up_", "down_", "xor_")},
    )
    names: dict[str, Any] = {"cuda": cuda, "math": math, "device": Device(), "np": np}
    names |= {f"float{bits}": float for bits in (16, 32, 64)} | {"boolean": bool, "bool_": bool}
    for bits in (8, 16, 32, 64):
        names[f"uint{bits}"] = lambda value, mask=(1 << bits) - 1: int(value) & mask
        names[f"int{bits}"] = int
    return names
