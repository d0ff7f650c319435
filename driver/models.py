"""Reading models: ONNX files are imported, anything else is IR with its weights beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ..diagnostics import fail
from ..dialects import context
from ..passes.manager import verify_module


def load_model(
    path: str | Path,
    *,
    shapes: Mapping[str, Sequence[int | str]] | None = None,
    sizes: Mapping[str, int] | None = None,
) -> ModuleOp:
    """Read a model: `.onnx` is imported, anything else is IR, its weights beside it.

    `shapes` (by input) and `sizes` (by name) fix what an ONNX model leaves open; IR states its own.

    Raises TilewrightError for a file that cannot be read (TW0204), is malformed (TW01xx, TW03xx) or lacks its weights
    (TW0705).
    """
    path = Path(path)
    if path.suffix == ".onnx":
        from ..frontends.onnx import import_model

        return import_model(path, shapes=shapes, sizes=sizes)
    if shapes or sizes:
        fail("TW0209", f"expected an ONNX model where shapes or sizes are given, but got '{path}'")
    from ..diagnostics.files import read_text, shown
    from ..diagnostics.parsing import parse
    from ..dialects.resource import resolve_resources

    module = parse(context(), read_text(path), shown(path), in_file=True)
    verify_module(module)
    resolve_resources(module, path.parent)
    return module
