"""Reading models: ONNX files are imported, anything else is IR with its weights beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ..diagnostics import fail
from ..dialects import context
from ..passes.context import PassContext
from ..passes.manager import verify_module


def load_model(
    path: str | Path,
    *,
    shapes: Mapping[str, Sequence[int | str]] | None = None,
    sizes: Mapping[str, int] | None = None,
    allow_foreign: bool = False,
) -> ModuleOp:
    """Read a model: `.onnx` is imported, anything else is IR, its weights beside it.

    `shapes` (by input) and `sizes` (by name) fix what an ONNX model leaves open; IR states its own. `allow_foreign`, or
    the setting of that name, lets IR bring and call foreign code.

    Raises TilewrightError for a file that cannot be read (TW0204), is malformed (TW01xx, TW03xx), lacks its weights
    (TW0705), names weights elsewhere (TW0709) or has foreign code without permission (TW0670).
    """
    path = Path(path)
    if path.suffix == ".onnx":
        from ..frontends.onnx import import_model

        return import_model(path, shapes=shapes, sizes=sizes)
    if shapes or sizes:
        fail("TW0209", f"expected an ONNX model where shapes or sizes are given, but got '{path}'")
    from ..diagnostics.files import read_text, shown
    from ..diagnostics.parsing import parse
    from ..dialects.loop import check_foreign
    from ..dialects.resource import resolve_resources

    module = parse(context(), read_text(path), shown(path), in_file=True)
    verify_module(module)
    settings = PassContext.current()
    if not (allow_foreign or settings.value("allow_foreign", bool)):
        check_foreign(module)
    resolve_resources(module, path.parent, anywhere=settings.value("weights_outside", bool))
    return module
