"""From a program to a callable, and the texts on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from ..diagnostics import TilewrightError, fail
from ..diagnostics.expectations import expect_threads, expect_type
from ..dialects.ir_module import IRModule
from ..dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr, CudaTargetAttr, OpenClTargetAttr
from ..ir import editor as edit
from ..lazy import load
from ..passes.context import PassContext, more_settings
from ..passes.instruments.spans import span
from .lowering import lower_module
from .models import load_model
from .profiling import WorkRecorder, add_profiler
from .program_cache import cached_program
from .programs import as_module
from .strides import bind_strides
from .targets import Target

if TYPE_CHECKING:
    from ..runtime import Module
    from ..te import Tensor
    from ..te.foreign import Buffer

BACKENDS: dict[str, str] = {
    "c": "backends.c.module:build",
    "cpu": "backends.cpu.module:build",
    "opencl": "backends.c.opencl:build",
    "cuda": "backends.cuda.module:build",
    "interpreter": "backends.interpreter:build",
}
"""Backends: target name -> the function that builds a callable from a module, relative to the root package."""

_SOURCES: dict[str, tuple[str, str]] = {
    "c": ("c", "backends.c.module:c_text"),
    "opencl": ("opencl", "backends.c.opencl:opencl_text"),
    "cuda-python": ("cuda", "backends.cuda.module:cuda_python_text"),
    "ptx": ("cuda", "backends.cuda.module:ptx_text"),
    "sass": ("cuda", "backends.cuda.module:sass_text"),
}
"""Languages of targets of their own -> the target, and the function that writes a module in them."""

_TEXTS: dict[str, tuple[str, ...]] = {
    "c": ("c",),
    "cpu": ("llvm", "asm"),
    "opencl": ("cl",),
    "cuda": ("cuda-python",),
    "interpreter": (),
}
"""Backends -> the texts that they make of a module."""


def build(
    inputs: Any,
    args: Any = None,
    target: str | Target = "cpu",
    target_host: str | Target | None = None,
    *,
    threads: int | None = None,
    name: str = "main",
    binds: Mapping[Tensor, Buffer] | None = None,
    device: str | None = None,
    copy: bool = False,
    unchecked: bool = False,
) -> Module:
    """Compile a program of any kind to a callable on numpy arrays.

    `inputs` and `args` are as for `lower`: a schedule or tensors, a function, a module, an interactive schedule, or a
    mapping from names to those. `target` is "cpu" ("llvm" says the same; see `Target` for options), "c" for C that
    the system's compiler compiles, "opencl" or "cuda" for kernels of thread-bound loops, or "interpreter" for the
    reference semantics. `threads` is how many threads a parallel loop uses, `name` what the function is called.
    `binds` are buffers (`tir.decl_buffer`) for arguments that need not be dense: their strides are numbers, or `te.var`
    for whatever the caller's array has.

    For the target "cuda", `device` is where the kernels run: a GPU, unless it is "simulator", and `copy` lets calls
    copy arrays of the host to the GPU and back.

    Indices that are data are checked while the program runs: one that is out of bounds ends the call with TW0730, and
    outputs may then be partly written. With `unchecked` nothing looks, and the caller answers for all indices.

        multiply = tilewright.build(schedule, [a, b, c], target="llvm", name="multiply")
        multiply(x, y, z)          # all arguments in the order of args: z is written, the result is None
        z = multiply(x, y)         # inputs only: outputs are allocated and returned
    """
    _expect(threads, device, copy, unchecked)
    expect_type("name", name, str)
    expect_type("binds", binds, Mapping, type(None))
    if target_host is not None:
        expect_type("target_host", target_host, str, Target)
        target = Target(str(target), target_host)
    chosen = Target.of(target)
    where = _device_options(chosen, device, copy)
    module = as_module(inputs, args, name)
    if chosen.backend == "interpreter":
        return _build(module, "interpreter", threads)
    if TARGET_ATTRIBUTE not in module.attributes or chosen.has_options:
        edit.change(module).attributes[TARGET_ATTRIBUTE] = chosen.attribute()
    if binds:
        bind_strides(module, binds)
    with more_settings(unchecked=True) if unchecked else nullcontext():
        return _lower_and_build(module, chosen.backend, threads, where)


def compile(
    model: IRModule | ModuleOp | str | Path,
    target: str | Target = "cpu",
    threads: int | None = None,
    *,
    device: str | None = None,
    copy: bool = False,
    allow_foreign: bool = False,
    unchecked: bool = False,
) -> Module:
    """Compile a model, a file or a module of any level to a callable on numpy arrays.

    `target` is "cpu" (see `Target` for options), "c" for C that the system's compiler compiles, "opencl" or "cuda" for
    kernels of thread-bound loops, or "interpreter" for the reference semantics; `threads` is how many threads a
    parallel loop uses, `device`, `copy` and `unchecked` are as for `build`. `allow_foreign` lets a file of IR bring and
    call foreign code, which can do anything that its user can. The result may be called from several threads at once.
    """
    _expect(threads, device, copy, unchecked)
    expect_type("model", model, IRModule, ModuleOp, str, PurePath)
    expect_type("allow_foreign", allow_foreign, bool)
    chosen = Target.of(target)
    where = _device_options(chosen, device, copy)
    if isinstance(model, IRModule):
        model = model.op
    module = model if isinstance(model, ModuleOp) else load_model(model, allow_foreign=allow_foreign)
    if chosen.backend == "interpreter":
        return _build(module, "interpreter", threads)
    with more_settings(unchecked=True) if unchecked else nullcontext():
        return _lower_and_build(_for_target(module, chosen), chosen.backend, threads, where)


def _expect(threads: object, device: object, copy: object, unchecked: object) -> None:
    """Raise TilewrightError TW0725 for what no backend takes."""
    expect_threads(threads)
    expect_type("device", device, str, type(None))
    expect_type("copy", copy, bool)
    expect_type("unchecked", unchecked, bool)


def emit(module: ModuleOp, kind: str, target: str | Target = "cpu") -> str:
    """The text of a compiled module: "mlir" (the last loop module), "llvm", "asm", "c", "opencl" (its kernels),
    "cuda-python", "ptx" or "sass" (kernels for a GPU as Python for numba, compiled, and assembled).

    `target` says for which machine the texts are made.
    """
    from ..backends.cpu.module import assembly, llvm_text
    from ..backends.line_table import requested_lines

    if kind in _SOURCES:
        backend, place = _SOURCES[kind]
        write: Any = load(place, "tilewright")
        chosen = Target.of(target)
        lowered = lower_module(_for_target(module, chosen if chosen.backend == backend else Target(backend)))
        with span("code", "compile"):
            text: str = write(lowered)
        show_code(lowered, {"cl" if kind == "opencl" else kind: lambda: text})
        return text
    if kind not in ("mlir", "llvm", "asm"):
        fail("TW0209", f"expected mlir, llvm, asm, c, opencl, cuda-python, ptx or sass, but got '{kind}'")
    lowered = lower_module(_for_target(module, Target.of(target)))
    lines = requested_lines()
    sources = {"llvm": partial(llvm_text, lowered, lines), "asm": partial(assembly, lowered, lines)}
    show_code(lowered, sources)
    with span("code", "compile"):
        return f"{lowered!s}\n" if kind == "mlir" else sources[kind]()


def target_of_language(kind: str) -> str:
    """The name of the target that the texts of `emit` are for: "c" for C, "llvm" for what the CPU's backend makes."""
    return _SOURCES[kind][0] if kind in _SOURCES else "llvm"


def show_code(module: ModuleOp, sources: Mapping[str, Callable[[], str]]) -> None:
    """Tell the instruments of the current context that code was made of `module`; see `Instrument.after_build`."""
    instruments = PassContext.current().instruments
    if instruments:
        with span("instruments", "instruments"):
            for instrument in reversed(instruments):
                instrument.after_build(module, sources)


def show_code_of(module: ModuleOp) -> None:
    """`show_code` with the texts of a module that passes were run over; where it is not executable there are none."""
    from ..backends.cpu.module import assembly, llvm_text

    target = module.attributes.get(TARGET_ATTRIBUTE)
    writers: dict[str, Callable[[ModuleOp], str]] = {"llvm": llvm_text, "asm": assembly}
    if isinstance(target, OpenClTargetAttr):
        writers = {"cl": load(_SOURCES["opencl"][1], "tilewright")}
    elif isinstance(target, CudaTargetAttr):
        writers = {"cuda-python": load(_SOURCES["cuda-python"][1], "tilewright")}
    elif isinstance(target, CpuTargetAttr) and target.language.data == "c":
        writers = {"c": load(_SOURCES["c"][1], "tilewright")}
    try:
        texts = {kind: write(module) for kind, write in writers.items()}
    except TilewrightError:
        return
    show_code(module, {kind: partial(str, text) for kind, text in texts.items()})


def _for_target(module: ModuleOp, target: Target) -> ModuleOp:
    """The module, or a copy of it that names that target: a module's own gives way to one with options only."""
    if not target.has_options and (target.backend == "cpu" or TARGET_ATTRIBUTE in module.attributes):
        return module
    module = module.clone()
    edit.change(module).attributes[TARGET_ATTRIBUTE] = target.attribute()
    return module


def _device_options(target: Target, device: str | None, copy: bool) -> dict[str, Any]:
    """What the backend of a GPU is told. Raises TilewrightError TW0612 where the target is none."""
    if target.backend == "cuda":
        return {"device": device, "copy": copy}
    if device is not None or copy:
        fail("TW0612", f"expected a device for target 'cuda' only, but the target is '{target}'")
    return {}


def _lower_and_build(module: ModuleOp, backend: str, threads: int | None, where: dict[str, Any]) -> Module:
    cached = cached_program(module) if backend == "cpu" else None
    if cached is not None and (found := cached.load(threads)) is not None:
        return found
    recorder = WorkRecorder()
    lowered = lower_module(module, instruments=[recorder])
    if backend == "cpu" and PassContext.current().instruments:
        from .machine_code import check_machine_code

        check_machine_code(lowered)
    program = _build(lowered, backend, threads, where)
    add_profiler(program, recorder)
    if cached is not None:
        cached.store(program)
    return program


def _build(module: ModuleOp, backend: str, threads: int | None, where: Mapping[str, Any] | None = None) -> Module:
    make: Any = load(BACKENDS[backend], "tilewright")
    with span("code", "compile"):
        program: Module = make(module, threads, **(where or {}))
    show_code(module, {kind: partial(program.get_source, kind) for kind in _TEXTS[backend]})
    return program
