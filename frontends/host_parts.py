"""Models with operators on strings, which run on the host: a compiled program has no strings.

A frontend does not import such a model as one module. It raises `NeedsHost` with three parts; the compile driver
compiles the middle part, and calls the other two before and after it.
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
    """A model in three parts, which pass arrays to one another by name."""

    @property
    def middle_inputs(self) -> Sequence[str]:
        """The inputs of the middle; without outputs there is no middle."""
        ...

    @property
    def has_middle(self) -> bool:
        """True if anything is compiled."""
        ...

    def middle_model(self, given: Arrays) -> tuple[tuple[int, ...], Any]:
        """Return a key, and the model to compile for this key, from the results of earlier parts."""
        ...

    def before(self, given: Arrays) -> dict[str, np.ndarray]:
        """Return the values that the host computes from the inputs."""
        ...

    def after(self, given: Arrays) -> dict[str, np.ndarray]:
        """Return the values that the host computes from the inputs and from the results of the middle."""
        ...


class NeedsHost(TilewrightError):
    """TW0305 for a model with strings; the caller may catch it to run parts of the model on the host."""

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
