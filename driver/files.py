"""`load_module`: reads a file of any supported format, and imports only the parts that this format needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from ..diagnostics import fail
from ..diagnostics.expectations import expect_type

_COMPILED = (".so", ".tar", ".ptx")
_NO_KERNELS = "expected a device for saved kernels only, but got '{}'"


def load_module(
    path: str | Path,
    *,
    shapes: Mapping[str, Sequence[int | str] | None] | None = None,
    sizes: Mapping[str, int] | None = None,
    specialise: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    device: str | None = None,
    copy: bool = False,
    allow_foreign: bool = False,
) -> Any:
    """Read what a file holds: a compiled program (`.so`, `.tar`, and `.ptx` of kernels) as a callable `runtime.Module`,
    without importing a compiler; a model (`.onnx`) or IR as a module operation.

    `shapes` (by input) and `sizes` (by name) fix what an ONNX model leaves open; IR states its own. `specialise` are
    values of inputs by name, {"axes": [0, 1]}, which the module is for; for several such mappings it has several
    versions. `device` is where kernels run: a GPU, unless it is "simulator", which reads the kernels' source; `copy`
    lets calls copy arrays of the host to the GPU and back. `allow_foreign` lets IR bring and call foreign code, which
    can do anything.

    Raises TilewrightError for a file that cannot be read (TW0204), is malformed (TW01xx, TW03xx), lacks its weights
    (TW0705), names weights outside of its folder (TW0709), has foreign code without permission (TW0670), is no saved
    program (TW0711), or has no kernels where a device is named (TW0612).
    """
    expect_type("path", path, str, PurePath)
    expect_type("shapes", shapes, Mapping, type(None))
    expect_type("sizes", sizes, Mapping, type(None))
    expect_type("device", device, str, type(None))
    for name, value in (("copy", copy), ("allow_foreign", allow_foreign)):
        expect_type(name, value, bool)
    if Path(path).suffix in _COMPILED:
        return _program(path, device, copy)
    if device is not None or copy:
        fail("TW0612", _NO_KERNELS.format(path))
    from .models import load_model

    return load_model(path, shapes=shapes, sizes=sizes, specialise=specialise, allow_foreign=allow_foreign)


def _program(path: str | Path, device: str | None, copy: bool) -> Any:
    """Load a compiled program; its kernels on a GPU or in the simulator, which is part of the compiler."""
    from ..runtime.library import load_program

    if device not in (None, "gpu", "simulator"):
        fail("TW0612", f"expected a device of gpu, simulator, but got '{device}'")
    if device is None and not copy:
        return load_program(path)
    from ..runtime.kernels.saved import KernelCalls, SavedKernels

    calls = KernelCalls(copy)
    if device == "simulator":
        from ..backends.cuda.launch import SimulatedCall

        calls = KernelCalls(copy, SimulatedCall)
    program = load_program(path, calls=calls)
    if not isinstance(program.code, SavedKernels):
        fail("TW0612", _NO_KERNELS.format(path))
    return program
