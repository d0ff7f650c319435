"""Programs of models with operators that run on the host, before and after the compiled middle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

import numpy as np

from ..diagnostics import fail
from ..dialects.dtypes import numpy_dtype
from ..frontends.by_value import OpenInput
from ..frontends.host_parts import TEXT_DTYPE, HostParts, NeedsHost
from ..runtime.arguments import Argument, Signature
from ..runtime.buffers import Array
from ..runtime.checked_call import CheckedCall, Outputs
from ..runtime.extent import Extent
from ..runtime.function import Function
from ..runtime.module import Module
from ..runtime.openmp import available_threads
from ..runtime.versions import MOST_VERSIONS, OpenOutput

CompileModel = Callable[[Any], Module]


def compile_host_parts(needs: NeedsHost, compile_: CompileModel, threads: int | None) -> Module:
    """Return the program of a model with parts that run on the host; the middle is compiled when a call first needs
    it."""
    call = HostedCall(needs.inputs, needs.outputs, needs.parts, compile_, threads or available_threads())
    return Module({"main": Function(call)})


class HostedCall(CheckedCall):
    """Calls of a program with parts that run on the host. Strings are passed as arrays of objects, or as any array of
    strings of numpy."""

    def __init__(
        self,
        inputs: Sequence[OpenInput],
        outputs: Sequence[str],
        parts: HostParts,
        compile_: CompileModel,
        threads: int,
    ) -> None:
        super().__init__(Signature(tuple(map(_argument, inputs)), tuple(map(OpenOutput, outputs))), threads)
        self._parts, self._compile = parts, compile_
        self._programs: dict[tuple[int, ...], Module] = {}
        self._lock = Lock()

    def _run(
        self,
        inputs: list[Array],
        out: Outputs | None,
        threads: int | None,
        stated: Mapping[str, object] | None = None,
    ) -> list[Array]:
        if out is not None:
            fail(
                "TW0715",
                "expected no arrays for outputs, because parts of the program run on the host",
                help="take the results that the call returns",
            )
        self._bind(inputs)
        known = {a.name: array for a, array in zip(self.signature.inputs, inputs, strict=True)}
        for name, array in known.items():
            _check_strings(name, array)
        given = known | self._parts.before(known)
        if self._parts.has_middle:
            middle = self._middle(given)
            given |= middle.run({name: given[name] for name in self._parts.middle_inputs}, None, threads)
        given |= self._parts.after(given)
        return [given[output.name] for output in self.signature.outputs]

    def _middle(self, given: Mapping[str, Array]) -> Module:
        """Return the program of the middle, compiled once for the values that decide its types."""
        key, model = self._parts.middle_model(given)
        with self._lock:
            if key not in self._programs:
                if len(self._programs) == MOST_VERSIONS:
                    del self._programs[next(iter(self._programs))]
                self._programs[key] = self._compile(model)
            return self._programs[key]

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        raise AssertionError("parts are run by name")


def _argument(given: OpenInput) -> Argument:
    dtype = np.dtype(object) if given.dtype == TEXT_DTYPE else numpy_dtype(given.dtype)
    names = (f"{given.name}_dim{axis}" if dim is None else dim for axis, dim in enumerate(given.shape))
    return Argument(given.name, dtype, tuple(d if isinstance(d, int) else Extent.symbol(d) for d in names))


def _check_strings(name: str, array: Array) -> None:
    """Raise TW0703 for an array of objects that are no strings."""
    if array.dtype.kind == "O" and not all(isinstance(item, str) for item in array.reshape(-1).tolist()):
        fail("TW0703", f"expected argument '{name}' to have strings, but got {array.dtype} of other objects")
