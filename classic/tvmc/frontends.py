"""`tvmc.load`: imports models from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...diagnostics import fail
from ...diagnostics.expectations import expect_type
from ...diagnostics.text import did_you_mean
from ...frontends.by_value import NeedsValues
from ...frontends.host_parts import NeedsHost
from .model import TVMCModel

FORMATS = {"onnx": (".onnx",), "mlir": (".mlir",)}
"""The formats of models, and how the names of their files end."""
_CONVERTED = ("keras", "pb", "tflite", "pytorch", "paddle", "coreml", "relay")
"""Formats of TVM's importers that are converted to ONNX first."""


def load_model(
    path: str | Path,
    model_format: str | None = None,
    shape_dict: Mapping[str, Sequence[int | str]] | None = None,
    **options: Any,
) -> TVMCModel:
    """Return the model of a file, with the shapes of its inputs by name where the file leaves them open.

    The format is that of the file's suffix, ONNX or MLIR, or a format of a frontend registered by `register_frontend`.
    Raises TilewrightError TW0209 for another format or option, and what `tilewright.compile` raises for the file.
    """
    expect_type("path", path, str, Path)
    expect_type("model_format", model_format, str, type(None))
    expect_type("shape_dict", shape_dict, Mapping, type(None))
    if options:
        fail("TW0209", f"expected no option '{next(iter(options))}' of a frontend", help="leave it out")
    if model_format in _CONVERTED:
        fail("TW0209", f"expected a model of ONNX or MLIR, but got the format '{model_format}'", help=_EXPORT)
    if model_format is not None and model_format not in FORMATS:
        fail("TW0209", f"unknown format '{model_format}'{did_you_mean(model_format, FORMATS)}", help=_EXPORT)
    if model_format is not None and Path(path).suffix not in FORMATS[model_format]:
        endings = " or ".join(FORMATS[model_format])
        fail("TW0209", f"expected a file name that ends in {endings}, but got '{path}'", help="rename the file")
    model = TVMCModel.of_file(path, shape_dict)
    with suppress(NeedsValues, NeedsHost):  # which compiling the file answers
        _ = model.mod
    return model


_EXPORT = "export the model to ONNX with the library that made it, and load x.onnx"
