"""`tilewright run`: a model on arrays from a file, or on random ones."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Protocol, TypeAlias
from zipfile import BadZipFile

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from ..diagnostics import TilewrightError, fail
from .models import check_file

Array: TypeAlias = NDArray[Any]


class Argument(Protocol):
    """An input or output of a program."""

    @property
    def name(self) -> str: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def shape(self) -> Sequence[object]:
        """An int for each fixed size; something that prints as its name for a symbolic one."""
        ...


class Signature(Protocol):
    """The inputs of a program."""

    @property
    def inputs(self) -> Sequence[Argument]: ...


class Program(Protocol):
    """What the driver compiles a model to."""

    @property
    def signature(self) -> Signature: ...
    def run(self, inputs: Mapping[str, object]) -> dict[str, Array]:
        """The outputs by name; arguments that do not fit are TilewrightErrors TW07xx that name them."""
        ...


def run_file(args: Namespace) -> None:
    """Run the model as the command line says; print a line for each output."""
    from ..driver import compile, load_module

    check_file(args.model)
    for option, least in (("threads", 1), ("repeat", 1)):
        value = getattr(args, option)
        if value is not None and value < least:
            fail("TW0209", f"expected --{option} to be at least {least}, but got {value}")
    started = time.perf_counter()
    program: Program = compile(load_module(args.model), target=args.backend, threads=args.threads)
    compiled = time.perf_counter() - started
    inputs = load_arrays(args.input) if args.input else random_inputs(program.signature, args.random_seed, args.size)
    outputs, seconds = _timed(program, inputs, args.repeat)
    for name, array in outputs.items():
        print(_summary(name, array))
    if args.output is not None:
        save_arrays(args.output, outputs)
    if args.print_time:
        print(f"compile {compiled:.3f} s", file=sys.stderr)
        print(
            f"run     {1e3 * min(seconds):.3f} ms (least of {len(seconds)}), {1e3 * median(seconds):.3f} ms (median)",
            file=sys.stderr,
        )


def load_arrays(path: str) -> dict[str, Array]:
    """The arrays of an .npz file by name. Raises TilewrightError TW0204."""
    check_file(path)
    try:
        with Path(path).open("rb") as stream:
            loaded = np.load(stream, allow_pickle=False)
            arrays = dict(loaded) if isinstance(loaded, NpzFile) else None
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        raise TilewrightError("TW0204", f"cannot read '{path}': expected an intact .npz file of numbers") from error
    if arrays is None:
        fail("TW0204", f"cannot read '{path}': expected an .npz file with named arrays")
    return arrays


def random_inputs(signature: Signature, seed: int, sizes: Sequence[str]) -> dict[str, Array]:
    """Seeded inputs: normal numbers for floats, 0 to 9 for integers. `sizes` are texts `name=value`."""
    generator = np.random.default_rng(seed)
    known = dict(_size(text) for text in sizes)
    result: dict[str, Array] = {}
    for argument in signature.inputs:
        shape = [_extent(argument.name, dimension, known) for dimension in argument.shape]
        if argument.dtype == np.bool_:
            array = generator.integers(0, 2, shape)
        elif np.issubdtype(argument.dtype, np.integer):
            array = generator.integers(0, 10, shape)
        else:
            array = generator.standard_normal(shape)
        result[argument.name] = array.astype(argument.dtype)
    return result


def save_arrays(path: str, arrays: Mapping[str, Array]) -> None:
    """Write arrays to an .npz file, beside its place first. Raises TilewrightError TW0204."""
    target = Path(path)
    temporary = target.with_name(target.name + ".part")
    try:
        with temporary.open("wb") as file:
            np.savez(file, **arrays)  # pyright: ignore[reportArgumentType]
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        fail("TW0204", f"cannot write '{path}': {error.strerror}")


def _timed(program: Program, inputs: Mapping[str, Array], repeat: int) -> tuple[dict[str, Array], list[float]]:
    outputs: dict[str, Array] = {}
    seconds: list[float] = []
    for _ in range(repeat):
        started = time.perf_counter()
        outputs = program.run(inputs)
        seconds.append(time.perf_counter() - started)
    return outputs, seconds


def _size(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    if not name or not value.isdecimal():
        fail("TW0209", f"expected --size NAME=N, but got '{text}'")
    return name, int(value)


def _extent(name: str, dimension: object, known: Mapping[str, int]) -> int:
    if isinstance(dimension, int):
        return dimension
    if str(dimension) in known:
        return known[str(dimension)]
    fail("TW0209", f"input '{name}' has a symbolic size '{dimension}'", help=f"give --size {dimension}=N, or --input")


def _summary(name: str, array: Array) -> str:
    head = f"{name}: {array.dtype}[{', '.join(map(str, array.shape))}]"
    if array.size == 0:
        return head
    numbers = array.astype(np.float64)
    return f"{head} min {numbers.min():.6g} max {numbers.max():.6g} mean {numbers.mean():.6g}"
