"""`tilewright run`: runs a model on arrays from a file, or on random arrays."""

from __future__ import annotations

import re
import shlex
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Protocol, TypeAlias
from zipfile import ZipFile

import numpy as np
from numpy.lib.format import write_array
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ..diagnostics import TilewrightError, fail
from ..diagnostics.files import check_file, fail_writing, open_file, shown, written_whole
from ..diagnostics.text import printable
from ..driver.model_inputs import Input as Argument
from ..driver.model_inputs import drawn_inputs
from ..passes.framework.instruments.spans import span
from ..runtime.profile import Profile
from .files import check_model, check_writable, write
from .sizes import GivenSizes, check_names
from .watch import Watch

Array: TypeAlias = NDArray[Any]

_TABLE = "-"
"""The argument of `--profile` for a table on standard error."""
_PROFILED_RUNS = 10
"""The number of runs where the command line names none."""


class ModelSignature(Protocol):
    """The inputs of a program."""

    @property
    def inputs(self) -> Sequence[Argument]: ...


class CompiledModel(Protocol):
    """The interface of a compiled model."""

    @property
    def signature(self) -> ModelSignature: ...
    def run(self, inputs: Mapping[str, object]) -> dict[str, Array]:
        """Run the program and return the outputs by name. Raises TilewrightError TW07xx for arguments that do not fit,
        which the message names."""
        ...

    def profile(self, inputs: Mapping[str, object], repeat: int) -> Profile:
        """Return the profile of each kernel. Raises TilewrightError TW0734 where there are no clocks."""
        ...


def run_file(args: Namespace) -> None:
    """Run the model as the command line says; print a line for each output."""
    is_compiled = Path(args.model).suffix in _COMPILED
    check_model(args.model)
    if args.output is not None:
        check_writable(args.output)
    for option, least in (("threads", 1), ("repeat", 1), ("random_seed", 0)):
        value = getattr(args, option)
        if value is not None and value < least:
            fail("TW0209", f"expected --{option.replace('_', '-')} to be at least {least}, but got {value}")
    if args.profile not in (None, _TABLE):
        check_writable(args.profile)
    given = GivenSizes.of(args)
    arrays = load_arrays(args.input) if args.input else None
    started = time.perf_counter()
    program = _loaded(args) if is_compiled else _compile(args, given, arrays or {})
    compiled = time.perf_counter() - started
    sizes = {} if _is_onnx(args.model) else given.sizes
    inputs = _inputs(program.signature, arrays, args, sizes, draws=is_compiled or args.fill_mode is not None)
    outputs, seconds = _timed(program, inputs, args.repeat)
    for name, array in outputs.items():
        print(_summary(name, array))
    if args.output is not None:
        save_arrays(args.output, outputs)
    if args.profile is not None:
        _profile(program, inputs, args)
    if args.print_time:
        print(f"{'load   ' if is_compiled else 'compile'} {compiled:.3f} s", file=sys.stderr)
        print(
            f"run     {1e3 * min(seconds):.3f} ms (least of {len(seconds)}), {1e3 * median(seconds):.3f} ms (median)",
            file=sys.stderr,
        )


_COMPILED = (".so", ".tar", ".ptx")
"""Ends of the names of compiled programs."""


def _loaded(args: Namespace) -> CompiledModel:
    """Load a compiled program. For a profile it is built from the IR in its package: clocks are put in as code is
    made."""
    if args.validate:
        fail("TW0209", f"expected a model beside --validate, but '{args.model}' is compiled", help="name the model")
    if args.profile is not None and args.model.endswith(".tar"):
        from ..driver import compile

        return compile(args.model, threads=args.threads)
    from ..diagnostics.files import check_kind
    from ..runtime.kernels.saved import KernelCalls
    from ..runtime.library import load_program
    from ..runtime.packages import is_package

    if args.model.endswith(".tar") and not is_package(Path(args.model)):
        check_kind(args.model)
    return load_program(args.model, args.threads, KernelCalls(copy=True))


def _inputs(
    signature: ModelSignature,
    arrays: dict[str, Array] | None,
    args: Namespace,
    sizes: Mapping[str, int],
    *,
    draws: bool,
) -> dict[str, Array]:
    """Return the inputs of a run: those of the file; without a file, or where it `draws` those that the file lacks,
    others."""
    if arrays is not None and not draws:
        return arrays
    given = arrays or {}
    missing = [a for a in signature.inputs if a.name not in given]
    if missing and (draws or arrays is None):
        mode = args.fill_mode or "random"
        known = {**sizes, **_sizes_of(signature, given)}
        drawn = random_inputs(_Inputs(missing), args.random_seed, known, mode)
        free = [printable(a.name) for a in missing if a.value is None]
        if draws and free:
            what = f"drawn at random (--random-seed {args.random_seed})" if mode == "random" else f"all {mode}"
            print(f"note: {what}: {', '.join(free)}", file=sys.stderr)
        return {**given, **drawn}
    return given


@dataclass(frozen=True)
class _Inputs:
    """A subset of the inputs of a program."""

    inputs: Sequence[Argument]


def _sizes_of(signature: ModelSignature, arrays: Mapping[str, Array]) -> dict[str, int]:
    """Return the symbolic sizes that arrays have."""
    return {
        str(size): found
        for a in signature.inputs
        if a.name in arrays and arrays[a.name].ndim == len(a.shape)
        for size, found in zip(a.shape, arrays[a.name].shape, strict=True)
        if not isinstance(size, int)
    }


def _compile(args: Namespace, given: GivenSizes, arrays: Mapping[str, Array]) -> CompiledModel:
    """Compile the program and show the compilation as the command line says; `arrays` are the inputs by name."""
    from ..driver import compile
    from ..frontends.host_parts import NeedsHost

    watch = Watch(args)
    chosen: dict[str, Any] = {"target": args.backend, "threads": args.threads}
    with watch.reporting():
        try:
            with watch.watching(), span("load", "compile"):
                module = _load(args, given, arrays)
        except NeedsHost:
            if args.validate or args.profile is not None or not arrays:
                raise
            with watch.watching():
                return compile(args.model, shapes=given.shapes, sizes=given.sizes, **chosen)
        if args.validate:
            from ..driver.oracle import compare_with_plain

            print(compare_with_plain(module), file=sys.stderr)
        with watch.watching():
            return compile(module, **chosen)


def _load(args: Namespace, given: GivenSizes, arrays: Mapping[str, Array]) -> ModuleOp:
    """Load the module of the model.

    Values, sizes and shapes that the model needs and the command line does not give are those of the inputs. Inputs
    with a default are arguments where another value is given.
    """
    from ..driver import load_model, load_module
    from ..driver.models import has_importer, replaced_defaults
    from ..driver.versions import excluded_sizes
    from ..frontends.by_value import NeedsShape, NeedsValues

    shapes: dict[str, Any] = dict(given.shapes)
    sizes = dict(given.sizes) if _is_onnx(args.model) else {}
    values: dict[str, Any] = {}
    lengths = {name: array.shape for name, array in arrays.items()}
    load: Callable[..., ModuleOp] = load_module
    while True:
        try:
            module = load(args.model, shapes=shapes, sizes=sizes, specialise=given.versions or values)
            if has_importer(args.model) and (replaced := replaced_defaults(module, arrays)):
                load = partial(load_model, replaced=replaced)
                continue
            fixed = excluded_sizes(module, lengths) if _is_onnx(args.model) else {}
            if not fixed:
                return module
            sizes |= fixed
        except NeedsShape as error:
            if error.input not in arrays or error.input in shapes:
                raise
            shapes[error.input] = arrays[error.input].shape
        except NeedsValues as error:
            more = {name: arrays[name] for name in error.names if name in arrays and name not in values}
            fixed = error.sizes_in(lengths)
            if given.versions or {*more, *fixed} != {*error.names, *error.sizes} or fixed.keys() & sizes.keys():
                raise
            values |= more
            sizes |= fixed


def _is_onnx(model: str) -> bool:
    """Return whether a model is imported, for the sizes of the command line; IR states them itself."""
    return Path(model).suffix == ".onnx"


def _profile(program: CompiledModel, inputs: Mapping[str, Array], args: Namespace) -> None:
    """Print or write the profile; `--repeat` is the number of runs."""
    profile = program.profile(inputs, args.repeat if args.repeat > 1 else _PROFILED_RUNS)
    if args.profile == _TABLE:
        print(profile, file=sys.stderr)
    else:
        write(args.profile, profile.as_json())


def load_arrays(path: str) -> dict[str, Array]:
    """Load the arrays of an .npz file by name. Raises TilewrightError TW0204."""
    check_file(path)
    try:
        with open_file(path) as stream:
            loaded = np.load(stream, allow_pickle=False)
            arrays: dict[str, Any] | None = dict(loaded) if isinstance(loaded, NpzFile) else None
    except (MemoryError, TilewrightError):
        raise
    except Exception:  # the exceptions of zip, zlib and numpy for damaged members have no common base class
        fail(
            "TW0204",
            f"cannot read '{shown(path)}': expected an intact .npz file of numbers",
            help="write it with numpy.savez; objects are not read, because loading them can run code",
        )
    if (other := next((n for n, a in (arrays or {}).items() if not isinstance(a, np.ndarray)), None)) is not None:
        fail(
            "TW0204",
            f"cannot read '{shown(path)}': expected arrays, but '{printable(other)}' in it is none",
            help="write it with numpy.savez, each input under its name",
        )
    if arrays is None:
        fail(
            "TW0204",
            f"cannot read '{shown(path)}': expected an .npz file with named arrays",
            help="write it with numpy.savez, each input under its name",
        )
    return arrays


def random_inputs(
    signature: ModelSignature, seed: int, sizes: Mapping[str, int], mode: str = "random"
) -> dict[str, Array]:
    """Draw the inputs of `driver.model_inputs.drawn_inputs`, for sizes of the command line.

    Raises TilewrightError TW0209 for sizes that are missing or unknown.
    """
    check_names(sizes, (str(d) for a in signature.inputs for d in a.shape if not isinstance(d, int)))
    _check_sizes(signature, sizes)
    return drawn_inputs(signature.inputs, sizes, mode, seed)


def save_arrays(path: str, arrays: Mapping[str, Array]) -> None:
    """Write arrays to an .npz file, to a temporary file beside it first. Raises TilewrightError TW0204."""
    try:
        # numpy.savez takes names as keyword arguments, which may collide with the names of its parameters.
        with written_whole(path) as temporary, ZipFile(temporary, "w") as archive:
            for name, array in _members({name: _as_stored(array) for name, array in arrays.items()}).items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                    write_array(file, array, allow_pickle=False)
    except OSError as error:
        fail_writing(path, error)


def _as_stored(array: Array) -> Array:
    """Return an array as files have it: strings are numpy's there, not objects of Python."""
    return array.astype(np.str_) if array.dtype == np.object_ else array


def _members(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Return arrays by names that lead nowhere where the archive is unpacked: a model may call an output `../../x`."""
    members: dict[str, Array] = {}
    for name, array in arrays.items():
        member = safe_member(name)
        while member in members or (member != name and member in arrays):
            member += "_"
        if member != name:
            print(f"note: output '{printable(name)}' is called '{member}' in the file", file=sys.stderr)
        members[member] = array
    return members


def safe_member(name: str) -> str:
    """Return a name for an archive's member: a relative path without `..`, drive letter or control characters."""
    kept = "".join(c if c.isprintable() else "_" for c in name)
    parts = re.split(r"([/\\])", kept)
    parts = ["__" if part.strip(" ") == ".." else part for part in parts]
    if re.match(r"[A-Za-z]:", parts[0]):
        parts[0] = parts[0].replace(":", "_")
    return "".join(parts) if parts[0] else "_" + "".join(parts)


def _timed(program: CompiledModel, inputs: Mapping[str, Array], repeat: int) -> tuple[dict[str, Array], list[float]]:
    outputs: dict[str, Array] = {}
    seconds: list[float] = []
    for _ in range(repeat):
        started = time.perf_counter()
        outputs = program.run(inputs)
        seconds.append(time.perf_counter() - started)
    return outputs, seconds


def _check_sizes(signature: ModelSignature, known: Mapping[str, int]) -> None:
    """Raise TilewrightError TW0209 for symbolic sizes of random inputs that the command line does not give."""
    sizes = [(a.name, str(d)) for a in signature.inputs for d in a.shape if not isinstance(d, int)]
    missing = [(name, size) for name, size in sizes if size not in known]
    if missing:
        name, size = missing[0]
        options = " ".join(f"--size {shlex.quote(each)}=N" for each in dict.fromkeys(size for _, size in missing))
        fail("TW0209", f"input '{name}' has a symbolic size '{size}'", help=f"give {options}, or --input")


def _summary(name: str, array: Array) -> str:
    dtype = "string" if array.dtype == np.object_ else array.dtype
    head = f"{printable(name)}: {dtype}[{', '.join(map(str, array.shape))}]"
    if array.size == 0 or array.dtype.kind not in "bifuV":
        return head
    numbers = array.astype(np.float64)
    return f"{head} min {numbers.min():.6g} max {numbers.max():.6g} mean {numbers.mean():.6g}"
