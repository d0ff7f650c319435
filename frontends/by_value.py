"""Requests of frontends for the values of inputs on which shapes, axes or counts of a model depend.

A frontend cannot import such a model without these values. It raises `NeedsValues`, which names the inputs; the
compile driver takes the values from the arguments of a call, or from the user. Where an operator needs a number and the
model has a symbolic size, the model depends on that size in the same way.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import LocationAttr

from ..diagnostics import TilewrightError
from ..dialects.graph import Dim

MOST_ELEMENTS = 4096
"""An input of more integers is none that a program is specialised by."""
MOST_NUMBERS = 64
"""The same for floats: scales and ratios are few."""


@dataclass(frozen=True)
class OpenInput:
    """An input of a model."""

    name: str
    dtype: str
    shape: tuple[Dim, ...]


@dataclass(frozen=True)
class OpenDefault(OpenInput):
    """An input with a default value, which callers may leave out."""

    digest: str
    """Of the value, by `runtime.arguments.digest_of`."""


class NeedsValues(TilewrightError):
    """TW0304 for a model that can be imported only with the values of some inputs, or with some sizes, given."""

    names: tuple[str, ...] = ()
    """The inputs whose values are missing."""
    sizes: tuple[str, ...] = ()
    """The symbolic sizes that have to be numbers."""
    inputs: tuple[OpenInput, ...] = ()
    """All inputs of the model, in order."""
    outputs: tuple[str, ...] = ()
    defaults: tuple[OpenDefault, ...] = ()
    """The inputs that stay constants, because callers may leave them out."""

    @staticmethod
    def of_values(message: str, names: Sequence[str], location: LocationAttr | None) -> NeedsValues:
        """Return the error for values of inputs that are missing."""
        listed = " ".join(f"--specialise {name}=0,1" for name in names)
        stated = ", ".join(f'"{name}": [0, 1]' for name in names)
        help = (
            f"give values: `{listed}`, or `specialise={{{stated}}}`; `tilewright.compile` takes them from calls, "
            "`tilewright run` from --input"
        )
        error = NeedsValues("TW0304", message, location=location, help=help)
        error.names = tuple(names)
        return error

    @staticmethod
    def of_sizes(cause: TilewrightError, sizes: Sequence[str]) -> NeedsValues:
        """Return the error for sizes that have to be numbers, in the words of `cause`."""
        listed = " ".join(f"--size {shlex.quote(name)}=N" for name in sizes)
        stated = ", ".join(f'"{name}": N' for name in sizes)
        help = (
            f"give numbers: `{listed}`, or `sizes={{{stated}}}`; `tilewright.compile` takes them from calls, "
            "`tilewright run` from --input"
        )
        error = NeedsValues(cause.code, cause.message, location=cause.location, notes=cause.notes, help=help)
        error.sizes = tuple(sizes)
        return error

    def sizes_in(self, shapes: Mapping[str, Sequence[int]]) -> dict[str, int]:
        """Return the missing sizes that the shapes of inputs state; shapes that fit no input are left out."""
        found: dict[str, int] = {}
        for each in self.inputs:
            given = shapes.get(each.name, ())
            if len(given) == len(each.shape):
                found |= {dim: size for dim, size in zip(each.shape, given, strict=True) if dim in self.sizes}  # pyright: ignore[reportAssignmentType]
        return found


class NeedsShape(TilewrightError):
    """TW0304 for a model with an input of unknown rank, which can be imported only with the shape of this input."""

    input: str

    @staticmethod
    def of(name: str) -> NeedsShape:
        """Return the error for the input of that name."""
        help = f"give one: `--shape {shlex.quote(name)}=1,3,224,224`; `tilewright run` takes it from --input"
        error = NeedsShape("TW0304", f"input '{name}' has no shape", help=help)
        error.input = name
        return error
