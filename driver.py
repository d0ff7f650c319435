"""From a model or a module to something that runs: load, lower, compile, emit.

The driver is the only place that knows both the passes and the backends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from . import backends as _backends  # noqa: F401  # pyright: ignore[reportUnusedImport]  (their lowering rules)
from .diagnostics import fail
from .diagnostics.suggestions import did_you_mean
from .dialects import context
from .dialects.target import TARGET_ATTRIBUTE
from .passes.base import level_of
from .passes.manager import PassManager, verify_module
from .passes.pipeline import default_pipeline

if TYPE_CHECKING:
    from .runtime import Module

BACKENDS: dict[str, str] = {
    "cpu": "backends.cpu.module:build",
    "interpreter": "backends.interpreter:build",
}
"""Backends: target name -> the function that builds a callable from a module, relative to this package."""


def load_module(
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
        from .frontends.onnx import import_model

        return import_model(path, shapes=shapes, sizes=sizes)
    if shapes or sizes:
        fail("TW0209", f"expected an ONNX model where shapes or sizes are given, but got '{path}'")
    from .diagnostics.parsing import parse, read_source
    from .dialects.resource import resolve_resources

    module = parse(context(), read_source(path), str(path), in_file=True)
    verify_module(module)
    resolve_resources(module, path.parent)
    return module


def lower(module: ModuleOp, last_phase: int = 3, *, verify_each: bool = False) -> ModuleOp:
    """A copy of `module` taken through the default pipeline, up to `last_phase`, for the module's target.

    A module without a target is compiled for the machine that this runs on. The result is verified; `verify_each` does
    it after every pass, which doubles the time.
    """
    module = module.clone()
    if TARGET_ATTRIBUTE not in module.attributes:
        from .backends.cpu.host import host_target

        module.attributes[TARGET_ATTRIBUTE] = host_target()
    passes = default_pipeline(level_of(module), last_phase)
    PassManager(passes, verify_each=verify_each).run(context(), module)
    return module


def compile(model: ModuleOp | str | Path, target: str = "cpu", threads: int | None = None) -> Module:
    """Compile a model, a file or a module of any level to a callable on numpy arrays.

    `target` is "cpu", or "interpreter" for the reference semantics; `threads` is how many threads a parallel loop uses.
    The result may be called from several threads at once.
    """
    from .lazy import load

    if target not in BACKENDS:
        fail("TW0602", f"unknown target '{target}'{did_you_mean(target, BACKENDS)}")
    module = model if isinstance(model, ModuleOp) else load_module(model)
    build: Any = load(BACKENDS[target], __package__ or "")
    return build(module if target == "interpreter" else lower(module), threads)


def emit(module: ModuleOp, kind: str) -> str:
    """The text of a compiled module: "mlir" (the last loop module), "llvm" or "asm"."""
    from .backends.cpu.module import assembly, llvm_text

    lowered = lower(module)
    match kind:
        case "mlir":
            return f"{lowered}\n"
        case "llvm":
            return llvm_text(lowered)
        case "asm":
            return assembly(lowered)
        case _:
            return fail("TW0209", f"expected mlir, llvm or asm, but got '{kind}'")
