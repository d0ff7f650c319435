"""One function that reads any file of the project's, and imports no more than that file needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def load_module(
    path: str | Path,
    *,
    shapes: Mapping[str, Sequence[int | str]] | None = None,
    sizes: Mapping[str, int] | None = None,
) -> Any:
    """Read what a file holds: a compiled program (`.so`) as a callable `runtime.Module`, without importing a compiler;
    a model (`.onnx`) or IR as a module operation.

    `shapes` (by input) and `sizes` (by name) fix what an ONNX model leaves open; IR states its own.

    Raises TilewrightError for a file that cannot be read (TW0204), is malformed (TW01xx, TW03xx) or lacks its weights
    (TW0705), or is no saved program (TW0711).
    """
    if Path(path).suffix == ".so":
        from ..runtime.library import load_module as load_library

        return load_library(path)
    from .models import load_model

    return load_model(path, shapes=shapes, sizes=sizes)
