"""Programs that depend on the values of inputs: a version for each value, in a table of bounded size.

A shape, an axis or a count that is passed as data has to be known when a program is compiled. Each version was compiled
for one value of the inputs that determine such quantities; a call runs the version that matches its values. In a
process with a compiler, a missing version is compiled, once, even if several threads need it.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from threading import Lock
from typing import NoReturn

import numpy as np

from .arguments import Argument, Default, Signature, shown_value
from .buffers import Array
from .checked_call import CheckedCall, Outputs
from .errors import fail
from .expectations import expect_type
from .extent import Extent
from .function import Function
from .slots import REMARK

_log = logging.getLogger("tilewright.versions")

MOST_VERSIONS = 16
"""The version that was used least recently makes room for another one."""

Values = Mapping[str, Array]
"""Inputs by name that a program depends on by value."""


Compile = Callable[[Values, "Mapping[str, int]"], "Version"]
_Key = tuple[int, tuple[tuple[str, tuple[int, ...], bytes], ...], tuple[tuple[str, int], ...]]
"""The process, because no thread continues in the child of a fork; inputs by name, shape and bytes; and sizes."""


class OpenOutput(Argument):
    """An output whose dtype and shape depend on the values of inputs."""

    def __init__(self, name: str) -> None:
        super().__init__(name, np.dtype("V"), ())

    def __str__(self) -> str:
        return f"{self.name}: depends on the values of inputs"


@dataclass(frozen=True)
class Cause:
    """The reason why calls need separate versions."""

    reason: str
    remedy: str
    """The remedy against the compilation."""


class MissingValues(Exception):
    """A version depends on the values of more inputs, or on more sizes, than it was to be compiled for."""

    def __init__(self, names: Sequence[str], sizes: Sequence[str], cause: Cause) -> None:
        super().__init__(", ".join((*names, *sizes)))
        self.names = tuple(names)
        self.sizes = tuple(sizes)
        self.cause = cause


@dataclass(frozen=True)
class Version:
    """A function that was compiled for values of inputs, and for some sizes."""

    function: Function
    values: tuple[tuple[int, Argument], ...]
    """Inputs by number."""
    sizes: Mapping[str, int]
    """By name; an input with a default has True where the function takes it, and False where it has the default."""
    takes: Callable[[Mapping[str, int]], bool] = lambda sizes: True
    """The predicate of the sizes that the version serves, where it serves several."""
    assumed: tuple[str, ...] = ()
    """The sizes that `takes` reads: a call that it declines needs a version for the values of these sizes."""
    cause: Cause | None = None
    """The cause of versions for calls that `takes` declines."""

    @staticmethod
    def of(
        function: Function,
        sizes: Mapping[str, int],
        takes: Callable[[Mapping[str, int]], bool] = lambda sizes: True,
        assumed: Sequence[str] = (),
        cause: Cause | None = None,
    ) -> Version:
        """Return the version that a function is: its signature has the values."""
        signature = function.signature
        values = tuple((number, signature.inputs[number]) for number in signature.by_value)
        return Version(function, values, sizes, takes, tuple(assumed), cause)

    def is_for(self, arrays: Sequence[Array], sizes: Mapping[str, int]) -> bool:
        """Return whether the inputs of a call have the values and sizes that it was compiled for."""
        has_sizes = all(sizes[name] == size for name, size in self.sizes.items())
        return has_sizes and all(argument.has_value(arrays[number]) for number, argument in self.values)

    def fits(self, arrays: Sequence[Array], sizes: Mapping[str, int]) -> bool:
        """Return if the version takes a call: one for its values and sizes that agrees with its assumptions."""
        return self.takes(sizes) and self.is_for(arrays, sizes)

    def __str__(self) -> str:
        values = (f"{a.name} = {shown_value(a.array)}" for _, a in self.values)
        sizes = [f"{name} = {size}" for name, size in self.sizes.items() if not isinstance(size, bool)]
        replaced = [f"other values of {name}" for name, is_given in self.sizes.items() if is_given is True]
        return ", ".join((*values, *sizes, *replaced))


class Versions:
    """The versions of a program, the most recently used first.

    `compile` makes the version for values of inputs and for sizes of a call; it raises MissingValues where it depends
    on more of them than it was given. Without it the versions are all that there are. `causes` has the cause of each
    input and size that versions depend on. Each compilation beside a version, or beside another program
    (`is_beside`), is announced: by a warning of the logger "tilewright.versions", and by remark TW0330.
    """

    def __init__(
        self,
        names: Sequence[str],
        by_value: Sequence[str],
        by_size: Sequence[str],
        versions: Sequence[Version] = (),
        compile: Compile | None = None,
        causes: Mapping[str, Cause] | None = None,
        is_beside: bool = False,
    ) -> None:
        self._names = tuple(names)
        self._by_value = [name for name in names if name in by_value]
        self._by_size = [*by_size]
        self._found = list(versions)
        self._compile = compile
        self._causes = dict(causes or {})
        self._is_announced = is_beside or bool(versions)
        self._pending: dict[_Key, Future[Version]] = {}
        self._lock = os.getpid(), Lock()

    def _process_lock(self) -> Lock:
        """Return the lock of this process: one that a thread held while the process was forked stays held in the
        child."""
        process = os.getpid()
        if self._lock[0] != process:
            self._lock = process, Lock()
        return self._lock[1]

    @property
    def compiled(self) -> tuple[Version, ...]:
        """The versions that stand in the table, those that were used most recently first."""
        with self._process_lock():
            return tuple(self._found)

    def version(self, arrays: Sequence[Array], sizes: Mapping[str, int]) -> Version:
        """Return the version for the inputs of a call. Raises TW0714 where there is none and none can be compiled."""
        while True:
            with self._process_lock():
                if (found := self._look_up(arrays, sizes)) is not None:
                    return found
                if self._compile is None:
                    break
                values = {name: arrays[self._names.index(name)] for name in self._by_value}
                declining = [version for version in self._found if version.is_for(arrays, sizes)]
                assumed = [name for version in declining for name in version.assumed]
                fixed = {name: sizes[name] for name in dict.fromkeys((*self._by_size, *assumed))}
                causes = self._causes_of(fixed, declining)
                stated = tuple((name, array.shape, array.tobytes()) for name, array in values.items())
                key = os.getpid(), stated, tuple(fixed.items())
                waiting, is_mine = self._pending.get(key), key not in self._pending
                if waiting is None:
                    waiting = self._pending[key] = Future[Version]()
            if is_mine:
                self._make(self._compile, values, fixed, key, waiting, causes)
            try:
                version = waiting.result()
                if version.takes(sizes) or set(version.assumed) <= {*fixed}:
                    return version
            except MissingValues as missing:
                self._depend_on(missing)
        self._fail(arrays, sizes)

    def _look_up(self, arrays: Sequence[Array], sizes: Mapping[str, int]) -> Version | None:
        for number, version in enumerate(self._found):
            if version.fits(arrays, sizes):
                self._found.insert(0, self._found.pop(number))
                return version
        return None

    def _make(
        self,
        compile: Compile,
        values: Values,
        sizes: Mapping[str, int],
        key: _Key,
        waiting: Future[Version],
        causes: Sequence[Cause],
    ) -> None:
        """Compile the version that others wait for."""
        try:
            version = compile(values, sizes)
        except BaseException as error:
            with self._process_lock():
                del self._pending[key]
            waiting.set_exception(error)
            return
        with self._process_lock():
            del self._pending[key]
            self._found.insert(0, version)
            dropped = self._found[MOST_VERSIONS:]
            del self._found[MOST_VERSIONS:]
            count, is_announced = len(self._found), self._is_announced
            self._is_announced = True
        text = f"version {count} of at most {MOST_VERSIONS} is compiled for {version}"
        if is_announced:
            _announce(text, causes)
        else:
            REMARK.value("TW0308", text, kind="analysis")
        for each in dropped:
            REMARK.value("TW0308", f"the version for {each}, used least recently, makes room", kind="analysis")
        waiting.set_result(version)

    def _depend_on(self, missing: MissingValues) -> None:
        with self._process_lock():
            self._by_value = [name for name in self._names if name in {*self._by_value, *missing.names}]
            self._by_size += [name for name in missing.sizes if name not in self._by_size]
            self._causes |= dict.fromkeys((*missing.names, *missing.sizes), missing.cause)

    def _causes_of(self, fixed: Mapping[str, int], declining: Sequence[Version]) -> list[Cause]:
        """Return the causes of a version, each once: inputs and sizes it is for, and versions that decline its
        calls."""
        names = (name for name in (*self._by_value, *fixed) if fixed.get(name) is not False)
        found = [*map(self._causes.get, names), *(version.cause for version in declining)]
        return [cause for cause in dict.fromkeys(found) if cause is not None]

    def _fail(self, arrays: Sequence[Array], sizes: Mapping[str, int]) -> NoReturn:
        versions = self.compiled
        known = "; ".join(sorted(map(str, versions)))
        numbers = sorted({number for version in versions for number, _ in version.values})
        given = [f"{self._names[n]} = {shown_value(arrays[n])}" for n in numbers]
        given += [f"{name} = {sizes[name]}" for name in self._by_size]
        fail("TW0714", f"expected what the program has a version for ({known}), but got {', '.join(given)}")


def _announce(text: str, causes: Sequence[Cause]) -> None:
    """Say that a program that runs was compiled again."""
    reasons, remedies = ("; ".join(parts) for parts in zip(*((cause.reason, cause.remedy) for cause in causes)))
    message = f"the program is compiled again while it runs: {text}, because {reasons}"
    _log.warning("TW0330: %s (%s)", message, remedies)
    REMARK.value("TW0330", message, kind="missed", notes=[remedies])


class VersionedCall(CheckedCall):
    """Calls of a program with versions."""

    def __init__(
        self,
        inputs: Sequence[Argument],
        outputs: Sequence[str],
        versions: Versions,
        threads: int,
        defaults: Sequence[Default] = (),
    ) -> None:
        signature = Signature(tuple(inputs), tuple(map(OpenOutput, outputs)), defaults=tuple(defaults))
        super().__init__(signature, threads)
        self.versions = versions
        self._last: Function | None = None

    def run(self, inputs: Mapping[str, object], out: Outputs | None, threads: int | None) -> dict[str, Array]:
        """Run the version for inputs by name; its outputs by name, of which versions may have different ones."""
        expect_type("inputs", inputs, Mapping)
        arrays = self.signature.collect((), inputs)
        names = [argument.name for argument in self.signature.inputs]
        return self._version(arrays).run(dict(zip(names, arrays)), out, threads)

    def _run(
        self,
        inputs: list[Array],
        out: Outputs | None,
        threads: int | None,
        stated: Mapping[str, object] | None = None,
    ) -> list[Array]:
        result = self._version(inputs)(*inputs, out=out, threads=threads)
        return list(result) if isinstance(result, tuple) else [] if result is None else [result]

    def _version(self, inputs: list[Array]) -> Function:
        """Return the function of the version for the inputs of a call."""
        self._last = function = self.versions.version(inputs, self._bind(inputs)).function
        return function

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        raise AssertionError("a version is entered as a whole")

    def synchronize(self) -> None:
        """Wait until the last call is done."""
        if self._last is not None:
            self._last.synchronize()


def versioned(functions: Mapping[str, Function]) -> dict[str, Function]:
    """Return functions of a program and, where they are versions of one, `main`, which takes the version for its
    inputs.

    Versions are called `main_1`, `main_2` and so on, and have the same inputs.
    """
    found = dict(functions)
    names = [f"{VERSION_NAME}{number}" for number in range(1, len(functions) + 1)]
    signatures = [function.signature for function in functions.values()]
    named = {(tuple(a.name for a in s.inputs), tuple(a.name for a in s.results)) for s in signatures}
    if list(functions) != names or len(named) > 1:
        return found
    ((inputs, outputs),) = named
    stated = [_common(signatures, number) for number in range(len(inputs))]
    sizes = [_sizes_in(stated, signature) for signature in signatures]
    versions = [Version.of(*each) for each in zip(functions.values(), sizes)]
    versions = [replace(each, takes=_leaving(each, versions)) for each in versions]
    if not all(version.values or version.sizes for version in versions):
        return found
    by_value = [a.name for version in versions for _, a in version.values]
    table = Versions(inputs, by_value, list(sizes[0]), versions)
    call = VersionedCall(stated, outputs, table, versions[0].function.threads, signatures[0].defaults)
    return {"main": Function(call), **found}


def _leaving(version: Version, versions: Sequence[Version]) -> Callable[[Mapping[str, int]], bool]:
    """Return the test of sizes by which a version leaves calls to others of the same values, which are for more
    numbers."""
    values = [(number, argument.value) for number, argument in version.values]
    closer = [
        other.sizes
        for other in versions
        if [(number, argument.value) for number, argument in other.values] == values
        and len(other.sizes) > len(version.sizes)
    ]
    return lambda sizes: not any(all(sizes[name] == size for name, size in each.items()) for each in closer)


def _common(signatures: Sequence[Signature], number: int) -> Argument:
    """Return an input as all versions have it, sizes open where they have different ones."""
    inputs = [signature.inputs[number] for signature in signatures]
    shape = tuple(
        sizes[0] if all(size == sizes[0] for size in sizes) else Extent.symbol(f"{inputs[0].name}_dim{dimension}")
        for dimension, sizes in enumerate(zip(*(each.shape for each in inputs)))
    )
    return Argument(inputs[0].name, inputs[0].dtype, shape)


def _sizes_in(stated: Sequence[Argument], signature: Signature) -> dict[str, int]:
    """Return the sizes of a version that are open in the program, where they are numbers."""
    inputs = [(a, b) for a, b in zip(stated, signature.inputs) if b.value is None]
    pairs = (pair for a, b in inputs for pair in zip(a.shape, b.shape))
    return {str(a): b for a, b in pairs if isinstance(a, Extent) and isinstance(b, int)}


VERSION_NAME = "main_"
"""The prefix of the name of a version in a module; its number follows."""
