"""Models of which parts run on the host, as frontends describe them: operators on strings, which no program holds.

A frontend makes no module of such a model. It raises `NeedsHost` with the parts; whoever compiles the model compiles
the middle and calls the other two parts around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ..diagnostics import TilewrightError
from .by_value import OpenInput

TEXT_DTYPE = "object"
"""The dtype of strings in `OpenInput` and in callers' arrays."""
Arrays = Mapping[str, np.ndarray]


class HostParts(Protocol):
    """A model in three parts, which hand arrays over by name."""

    @property
    def middle_inputs(self) -> Sequence[str]:
        """The inputs of the middle; without outputs there is no middle."""
        ...

    @property
    def has_middle(self) -> bool:
        """True if anything is compiled."""
        ...

    def middle_model(self, given: Arrays) -> tuple[tuple[int, ...], Any]:
        """Return a key, and the model of that key to compile, for what was computed before."""
        ...

    def before(self, given: Arrays) -> dict[str, np.ndarray]:
        """Return the values that the host computes from the inputs."""
        ...

    def after(self, given: Arrays) -> dict[str, np.ndarray]:
        """Return the values that the host computes from the inputs and from the results of the middle."""
        ...


class NeedsHost(TilewrightError):
    """TW0305 for a model with strings, where nothing runs its parts on the host."""

    parts: HostParts
    inputs: tuple[OpenInput, ...] = ()
    outputs: tuple[str, ...] = ()

    @staticmethod
    def of(parts: HostParts, inputs: Sequence[OpenInput], outputs: Sequence[str], name: str) -> NeedsHost:
        """Return the error for a model whose input or output `name` has strings."""
        error = NeedsHost(
            "TW0305",
            f"'{name}' has element type STRING, which no module holds",
            help="`tilewright.compile`, `tilewright run --input` and the backend of ONNX run its strings on the host",
        )
        error.parts, error.inputs, error.outputs = parts, tuple(inputs), tuple(outputs)
        return error
