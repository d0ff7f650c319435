"""Loading of models of every kind as modules: files, bytes, objects of other libraries, modules, tensors.

A frontend that a user registered is tried first (`frontends.registry`).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..diagnostics import fail
from ..diagnostics.expectations import expect_type
from ..dialects import context
from ..dialects.ir_module import IRModule
from ..frontends.registry import find_frontend
from ..passes.framework.context import PassContext
from ..passes.framework.manager import verify_module

_ONNX_START = b"\x08"
"""The tag of the first field of an ONNX model, which no text begins with."""


def load_model(
    model: Any,
    *,
    shapes: Mapping[str, Sequence[int | str] | None] | None = None,
    sizes: Mapping[str, int] | None = None,
    specialise: Specialise = None,
    allow_foreign: bool = False,
    replaced: Sequence[str] = (),
) -> ModuleOp:
    """Load the module of a model: of a path, bytes, an `onnx.ModelProto`, a module, or tensors of `te`.

    A path that ends in `.onnx` is imported, the IR of a package (`.tar`) is read, and every other path is a file of IR
    with its weights beside it. Bytes are an ONNX model or the text of IR. Frontends that users registered are tried
    first. `shapes` (by input) and `sizes` (by name) fix what an ONNX model leaves open; IR states its own. `specialise`
    are values of inputs by name, {"axes": [0, 1]}, which the program is for; for several such mappings the module has
    several versions, `@main_1` and so on. `allow_foreign`, or the setting of that name, lets IR bring and call foreign
    code. `replaced` are inputs of an ONNX model with defaults that become arguments.

    Raises TilewrightError for a file that cannot be read (TW0204), is malformed (TW01xx, TW03xx), lacks its weights
    (TW0705), names weights elsewhere (TW0709) or has foreign code without permission (TW0670), and TW0725 for an object
    that no frontend reads.
    """
    settings = PassContext.current()
    is_trusted = allow_foreign or settings.value("allow_foreign", bool)
    expect_type("shapes", shapes, Mapping, type(None))
    expect_type("sizes", sizes, Mapping, type(None))
    _check_sizes(shapes or {}, sizes or {})
    if isinstance(model, (str, bytes)) and not model:
        fail("TW0204", "expected the name of a file or its content, but got nothing", help="name a model")
    stated = (("shapes", shapes), ("sizes", sizes), ("replaced", replaced))
    options: dict[str, Any] = {key: given for key, given in stated if given}
    wanted = versions_of(specialise)
    if len(wanted) > 1:
        from .versions import merged_versions

        parts = [load_model(model, **options, specialise=each, allow_foreign=allow_foreign) for each in wanted]
        return merged_versions(parts)
    if wanted and wanted[0]:
        options["values"] = wanted[0]
    if (frontend := find_frontend(model)) is not None:
        return _checked(frontend(model, options), is_trusted)
    if _is_onnx(model):
        from ..frontends.onnx import import_model

        return import_model(model, **options)
    from ..diagnostics.file_kinds import check_object
    from ..te import Tensor

    check_object(model)
    expect_type("model", model, IRModule, ModuleOp, str, PurePath, bytes, Tensor, list, tuple)
    if options:
        what = f"'{model}'" if isinstance(model, (str, PurePath)) else type(model).__name__
        fail("TW0209", f"expected an ONNX model where shapes, sizes or values are given, but got {what}")
    if isinstance(model, (str, PurePath)):
        return _read(Path(model), is_trusted)
    if isinstance(model, bytes):
        return _parsed(model, is_trusted)
    if isinstance(model, (IRModule, ModuleOp)):
        module = model.op if isinstance(model, IRModule) else model
        verify_module(module)
        return module
    from .programs import as_module

    return as_module(model)


_LARGEST = (1 << 63) - 1


def _check_sizes(shapes: Mapping[str, Any], sizes: Mapping[str, Any]) -> None:
    """Raise TilewrightError TW0725 unless `shapes` are shapes and `sizes` are sizes."""
    for name, shape in shapes.items():
        expect_type(f"shapes[{name!r}]", shape, list, tuple, type(None))
        for dim in shape or ():
            _check_size(f"shapes[{name!r}]", dim, str)
    for name, size in sizes.items():
        _check_size(f"sizes[{name!r}]", size)


def _check_size(name: str, size: object, *others: type[Any]) -> None:
    import numpy as np

    expect_type(name, size.item() if isinstance(size, np.integer) else size, int, *others)
    if isinstance(size, (int, np.integer)) and not 0 <= size <= _LARGEST:
        fail(
            "TW0725",
            f"expected argument '{name}' to be from 0 to {_LARGEST}, but got {size}",
            help="leave a size that is open out, or give it a name",
        )


Specialise: TypeAlias = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
"""Values of inputs by name: of one version of a program, or of several."""


def versions_of(specialise: Specialise) -> list[Mapping[str, Any]]:
    """Return the values for each requested version. Raises TW0725 for an argument of another type."""
    expect_type("specialise", specialise, Mapping, Sequence, type(None))
    wanted = [specialise] if isinstance(specialise, Mapping) else list(specialise or ())
    for each in wanted:
        expect_type("specialise", each, Mapping)
    return wanted


def takes_sizes(model: Any) -> bool:
    """Return whether a model is imported, for sizes that the caller may state; IR states them itself."""
    return find_frontend(model) is not None or _is_onnx(model)


def replaced_defaults(module: ModuleOp, arrays: Mapping[str, Any]) -> list[str]:
    """Return the inputs with a default of which `arrays` has another value."""
    from ..backends.signature import defaults_of

    mains = [op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main"]
    defaults = [default for main in mains for default in defaults_of(main) if default.name in arrays]
    return [default.name for default in defaults if not default.is_default(default.read(arrays[default.name]))]


def has_importer(model: Any) -> bool:
    """Return if a model is one of ONNX that no frontend of a user reads."""
    return find_frontend(model) is None and _is_onnx(model)


def _is_onnx(model: Any) -> bool:
    """Return whether a model is one of ONNX; onnx is not imported to see that."""
    if isinstance(model, (str, PurePath)):
        return Path(model).suffix == ".onnx"
    if isinstance(model, bytes):
        return model[:1] == _ONNX_START
    onnx = sys.modules.get("onnx")
    return onnx is not None and isinstance(model, onnx.ModelProto)


def _read(path: Path, is_trusted: bool) -> ModuleOp:
    from ..diagnostics.files import read_text, shown
    from ..diagnostics.parsing import parse

    if path.suffix == ".tar":
        from .packaging import load_packaged

        return _checked(load_packaged(path), is_trusted)
    module = _checked(parse(context(), read_text(path), shown(path), in_file=True), is_trusted)
    resolve_weights(module, path.parent)
    return module


def resolve_weights(module: ModuleOp, directory: Path) -> None:
    """Point the resources of a module at its file of weights in `directory`, or anywhere with the setting
    `weights_outside`. Raises TilewrightError TW0705 or TW0709 for a file that cannot be used."""
    from ..dialects.resource import resolve_resources

    resolve_resources(module, directory, anywhere=PassContext.current().value("weights_outside", bool))


def _parsed(text: bytes, is_trusted: bool) -> ModuleOp:
    from ..diagnostics.parsing import parse

    try:
        return _checked(parse(context(), text.decode(), "<bytes>"), is_trusted)
    except UnicodeDecodeError:
        from ..diagnostics.file_kinds import fail_as, kind_of

        if (kind := kind_of(text)) is not None:
            fail_as(kind, "bytes")
        fail("TW0301", "expected an ONNX model or the text of IR, but the bytes are neither")


def _checked(module: ModuleOp, is_trusted: bool) -> ModuleOp:
    from ..dialects.loop import check_foreign

    verify_module(module)
    if not is_trusted:
        check_foreign(module)
    return module
