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
from numpy.typing import NDArray

from ..diagnostics import fail
from ..diagnostics.suggestions import did_you_mean
from .models import check_file

Array: TypeAlias = NDArray[Any]
Spec: TypeAlias = tuple[str, Sequence[object], Any]
"""An input or output: name, shape (an int, or something that prints as its name, for each dimension), dtype."""


class Program(Protocol):
    """What the driver compiles a model to."""

    input_specs: Sequence[Spec]
    output_specs: Sequence[Spec]

    def __call__(self, *inputs: Array) -> Any: ...


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
    inputs = load_inputs(args.input, program) if args.input else random_inputs(program, args.random_seed, args.size)
    outputs, seconds = _timed(program, inputs, args.repeat)
    named = {spec[0]: array for spec, array in zip(program.output_specs, outputs, strict=True)}
    for name, array in named.items():
        print(_summary(name, array))
    if args.output is not None:
        save_outputs(args.output, named)
    if args.print_time:
        print(f"compile {compiled:.3f} s", file=sys.stderr)
        print(
            f"run     {1e3 * min(seconds):.3f} ms (least of {len(seconds)}), {1e3 * median(seconds):.3f} ms (median)",
            file=sys.stderr,
        )


def load_inputs(path: str, program: Program) -> list[Array]:
    """The arrays of an .npz file in the order of the program's inputs.

    Raises TilewrightError TW0204, TW0701 for a missing input and TW0702 for an unknown one. Shapes and dtypes are
    checked by the program.
    """
    check_file(path)
    try:
        with np.load(path, allow_pickle=False) as file:
            if not isinstance(file, Mapping):
                fail("TW0204", f"cannot read '{path}': expected an .npz file with named arrays")
            arrays: dict[str, Array] = dict(file)
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        fail("TW0204", f"cannot read '{path}': {error}")
    names = [spec[0] for spec in program.input_specs]
    listing = ", ".join(f"'{name}'" for name in names)
    for name in arrays:
        if name not in names:
            fail("TW0702", f"'{path}' has '{name}', but the inputs are {listing}{did_you_mean(name, names)}")
    if missing := [name for name in names if name not in arrays]:
        fail("TW0701", f"expected inputs {listing}, but '{path}' lacks '{missing[0]}'")
    return [arrays[name] for name in names]


def random_inputs(program: Program, seed: int, sizes: Sequence[str]) -> list[Array]:
    """Seeded inputs: normal numbers for floats, 0 to 9 for integers. `sizes` are texts `name=value`."""
    generator = np.random.default_rng(seed)
    known = dict(_size(text) for text in sizes)
    result: list[Array] = []
    for name, shape, dtype in program.input_specs:
        extents = [_extent(name, dimension, known) for dimension in shape]
        dtype = np.dtype(dtype)
        if dtype == np.bool_:
            array = generator.integers(0, 2, extents)
        elif np.issubdtype(dtype, np.integer):
            array = generator.integers(0, 10, extents)
        else:
            array = generator.standard_normal(extents)
        result.append(array.astype(dtype))
    return result


def save_outputs(path: str, outputs: Mapping[str, Array]) -> None:
    """Write arrays to an .npz file, beside its place first. Raises TilewrightError TW0204."""
    target = Path(path)
    temporary = target.with_name(target.name + ".part")
    try:
        with temporary.open("wb") as file:
            np.savez(file, **outputs)  # pyright: ignore[reportArgumentType]
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        fail("TW0204", f"cannot write '{path}': {error.strerror}")


def _timed(program: Program, inputs: Sequence[Array], repeat: int) -> tuple[list[Array], list[float]]:
    outputs: Any = None
    seconds: list[float] = []
    for _ in range(repeat):
        started = time.perf_counter()
        outputs = program(*inputs)
        seconds.append(time.perf_counter() - started)
    return (list(outputs) if isinstance(outputs, tuple | list) else [outputs]), seconds


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
