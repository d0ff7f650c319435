"""Execution of a function by `mlir-opt` and `mlir-runner`, in a separate process."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ...semantics.values import Array
from . import mlir_tools
from .driver import ENTRY, LOWERING, with_driver
from .function import Layout, Original

FILLS = 0xA5, 0x3C
"""The bytes that memory without contents holds: each call is made once with each."""


class CannotRun(Exception):
    """Raised for a function that cannot be executed; the message is the reason, as a clause."""


@dataclass(frozen=True)
class Crash:
    """A call that terminated the process."""

    reason: str


@dataclass(frozen=True)
class Left:
    """The results of a call, once for each of the two bytes with which uninitialised memory is filled."""

    first: list[Array]
    """Arguments, then results."""
    second: list[Array]
    outside: int | None
    """The number of the argument or result beside which memory was written."""


Ran: TypeAlias = "Left | Crash | None"
"""The end of one call; None where it could not be made."""


def run_all(function: Original, trials: Sequence[Sequence[Array]], shapes: Sequence[tuple[int, ...]]) -> list[Ran]:
    """Call a function on the inputs of each trial, all of the same shapes; `shapes` has those of its results.

    Raises CannotRun where the programs are missing or do not take the function.
    """
    if (reason := function.unsuited()) is not None:
        raise CannotRun(reason)
    layout = Layout.of(function, trials[0], shapes)
    with tempfile.TemporaryDirectory(prefix="tilewright-judge-") as folder:
        lowered = Path(folder) / "lowered.mlir"
        _lower(function, layout, Path(folder), lowered)
        ran: list[Ran] = []
        while len(ran) < len(trials):
            ran += _calls(lowered, layout, trials[len(ran) :])
    return ran


def program(name: str) -> str:
    """Return the path of a program of MLIR. Raises CannotRun where it is missing."""
    if (path := mlir_tools.find(name)) is None:
        raise CannotRun(f"{name} is not found")
    return path


def _lower(function: Original, layout: Layout, folder: Path, lowered: Path) -> None:
    opt = program("mlir-opt")
    program("mlir-runner")
    read, driven = folder / "read.mlir", folder / "driven.mlir"
    read.write_text(function.text, encoding="utf-8")
    printed = _done(mlir_tools.run([opt, str(read)]), "mlir-opt does not read the file")
    driven.write_text(with_driver(printed.decode(), function, layout), encoding="utf-8")
    pipeline = f"--pass-pipeline=builtin.module({LOWERING})"
    _done(mlir_tools.run([opt, str(driven), pipeline, "-o", str(lowered)]), "mlir-opt does not lower the file")


def _done(ended: mlir_tools.Ended, failure: str) -> bytes:
    if ended.status != 0:
        raise CannotRun(f"{failure}: {ended.reason}")
    return ended.out


def _calls(lowered: Path, layout: Layout, trials: Sequence[Sequence[Array]]) -> list[Ran]:
    """Return the trials from the first on that one process executes; the last of these may be a crash."""
    blocks = [struct.pack("<i", fill) + layout.block(inputs, fill) for inputs in trials for fill in FILLS]
    command = [program("mlir-runner"), "-O0", "-e", ENTRY, "--entry-point-result=void", str(lowered)]
    if (copies := mlir_tools.library("mlir_c_runner_utils")) is not None:  # memref.copy between strided views
        command.append(f"--shared-libs={copies}")
    ended = mlir_tools.run(command, b"".join(blocks))
    size = layout.size
    left = [ended.out[at : at + size] for at in range(0, len(ended.out) - size + 1, size)]
    pairs = list(zip(left[::2], left[1::2], strict=False))
    ran: list[Ran] = [_left(layout, *pair) for pair in pairs]
    if ended.status == 0 and len(ran) == len(trials):
        return ran
    if not left and ended.status is not None and ended.status > 0:
        raise CannotRun(f"mlir-runner does not run the file: {ended.reason}")
    return [*ran, Crash(ended.reason)]


def _left(layout: Layout, first: bytes, second: bytes) -> Left:
    if struct.unpack_from("<q", first)[0] != 1 or struct.unpack_from("<q", second)[0] != 1:
        raise CannotRun("its results have other shapes than expected")
    outside = next(
        (
            number
            for block, fill in zip((first, second), FILLS, strict=True)
            if (number := layout.written_outside(block, fill)) is not None
        ),
        None,
    )
    slots = [*layout.inputs, *layout.results]
    return Left([slot.of(first) for slot in slots], [slot.of(second) for slot in slots], outside)
