"""Calls of programs with optional inputs: a model's initializers that are inputs too.

The program is compiled with the default values as constants. A call with another value uses a version in which the
input is an argument; this version is compiled at the first such call and kept in a table of versions. A saved program
has no compiler, so another value raises TW0714.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .buffers import Array
from .checked_call import CheckedCall, Outputs
from .errors import fail

if TYPE_CHECKING:
    from .function import Function
    from .versions import Versions


class _Given(NamedTuple):
    """The arguments of a call, and the inputs that it sets to other values than the default."""

    inputs: tuple[object, ...]
    outputs: tuple[object, ...]
    named: dict[str, object]
    replaced: dict[str, object]
    """Values of inputs that are not the defaults, by name in the order of the signature."""


class DefaultedCall(CheckedCall):
    """Calls of a program that has defaults: `inner` runs the calls that use only default values."""

    def __init__(self, inner: CheckedCall) -> None:
        super().__init__(inner.signature, inner.threads)
        self._inner = inner
        self.versions: Versions | None = None
        """The programs for other values; None where nothing can be compiled."""

    def compile_others(self, compile: Callable[[Sequence[str]], Function]) -> None:
        """Let calls bring other values: `compile` returns the function whose last inputs are the inputs of these
        names."""
        from .versions import Cause, Version, Versions

        names = [default.name for default in self.signature.defaults]

        def version(values: Mapping[str, Array], replaced: Mapping[str, int]) -> Version:
            return Version(compile([name for name in names if replaced[name]]), (), replaced)

        causes = {
            name: Cause(
                f"a call brings another value of '{name}', whose default is a constant of the program",
                f"leave '{name}' out of calls, or compile a model of which it is an input alone, no initializer",
            )
            for name in names
        }
        self.versions = Versions((), (), names, (), version, causes, is_beside=True)

    def __call__(self, *arrays: object, out: Outputs | None = None, threads: int | None = None, **named: object) -> Any:
        """Run the program; see `Function`. Defaults come after all other inputs, and outputs after the defaults."""
        given = self._split(arrays, named)
        if not given.replaced:
            return self._inner(*given.inputs, *given.outputs, out=out, threads=threads, **given.named)
        function = self._version(given.replaced)
        if given.outputs and out is None:
            # By position they would stand behind the defaults that stay.
            function(*given.inputs, out=given.outputs, threads=threads, **given.named, **given.replaced)
            return None
        return function(*given.inputs, *given.outputs, out=out, threads=threads, **given.named, **given.replaced)

    def run(self, inputs: Mapping[str, object], out: Outputs | None, threads: int | None) -> dict[str, Array]:
        """Run the program on inputs by name; the outputs by name."""
        given = self._split((), inputs)
        if not given.replaced:
            return self._inner.run(given.named, out, threads)
        return self._version(given.replaced).run({**given.named, **given.replaced}, out, threads)

    def synchronize(self) -> None:
        """Wait until the last call is done."""
        self._inner.synchronize()
        for version in self.versions.compiled if self.versions is not None else ():
            version.function.synchronize()

    def _split(self, arrays: tuple[object, ...], named: Mapping[str, object]) -> _Given:
        count, defaults = len(self.signature.inputs), self.signature.defaults
        rest, others = arrays[count:], dict(named)
        values = {default.name: value for default, value in zip(defaults, rest)}
        for default in defaults:
            if default.name in others:
                if default.name in values:
                    fail("TW0702", f"expected input '{default.name}' once, but got it by position and by name")
                values[default.name] = others.pop(default.name)
        replaced: dict[str, object] = {}
        for default in defaults:
            if default.name in values:
                value = values[default.name]
                array = default.read(value) if self._inner.device_kinds == ("cpu",) else None
                if array is None or not default.is_default(array):
                    replaced[default.name] = value if array is None else array
        return _Given(arrays[:count], rest[len(defaults) :], others, replaced)

    def _version(self, replaced: Mapping[str, object]) -> Function:
        """Return the function that takes these inputs."""
        if self.versions is None:
            listed = ", ".join(f"'{name}'" for name in replaced)
            fail(
                "TW0714",
                f"expected the default of {listed}, for which the program was compiled, but got another value",
                help="leave the input out, or let `tilewright.compile` compile the model where it is called",
            )
        stated = {default.name: default.name in replaced for default in self.signature.defaults}
        return self.versions.version((), stated).function

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        raise AssertionError("the program within is called as a whole")
