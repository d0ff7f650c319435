"""Compilation of a program or a model to a callable module, and the texts of the IR on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp

from ..backends import Backend, backend_for_text, backend_of, backends
from ..diagnostics import TilewrightError, fail
from ..diagnostics.expectations import expect_threads, expect_type
from ..dialects.ir_module import IRModule
from ..dialects.target import TARGET_ATTRIBUTE
from ..frontends.by_value import NeedsValues
from ..frontends.host_parts import NeedsHost
from ..ir import editor as edit
from ..passes.framework.context import PassContext, more_settings, with_records
from ..passes.framework.instruments.spans import span
from ..passes.framework.manager import verify_module
from ..passes.framework.tuning_records import Tuned, records_kept, tuned
from .lowering import lower_module
from .models import Specialise, has_importer, load_model, takes_sizes, versions_of
from .packaged_ir import GraphRecorder, add_packager
from .packed_calls import check_packed_calls, keep_in_process, packed_calls
from .profiling import WorkRecorder, add_profiler
from .program_cache import cached_program
from .programs import as_module
from .targets import Target, TargetLike

if TYPE_CHECKING:
    from ..backends.c.model import ModelSizes
    from ..diagnostics.files import FilePath
    from ..runtime import Function, Module
    from ..te import Tensor, Var
    from ..te.foreign import Buffer


def build(
    inputs: Any,
    args: Any = None,
    target: TargetLike | None = None,
    target_host: TargetLike | None = None,
    *,
    threads: int | None = None,
    name: str = "main",
    binds: Mapping[Tensor, Buffer] | None = None,
    device: str | None = None,
    copy: bool = False,
    unchecked: bool = False,
    fast: bool = False,
) -> Module:
    """Compile a program of any kind to a callable on numpy arrays.

    `inputs` and `args` are as for `lower`: a schedule or tensors, a function, a module, an interactive schedule, or a
    mapping from names to those. `target` is "cpu" ("llvm" is another name; see `Target` for options), "c" for C that
    the system's compiler compiles, "opencl" or "cuda" for kernels of thread-bound loops, or "interpreter" for the
    reference semantics; without one it is that of the `with Target(...):` around, else "cpu". `threads` is the number
    of threads of a parallel loop, `name` is the name of the function. `binds` are buffers (`tir.decl_buffer`) for
    arguments that need not be dense: their strides are numbers, or `te.var` for strides that the caller's array
    determines.

    For the target "cuda", `device` is where the kernels run: a GPU, unless it is "simulator", and `copy` lets calls
    copy arrays of the host to the GPU and back.

    Indices that are data are checked while the program runs: one that is out of bounds ends the call with TW0730, and
    outputs may then be partly written. With `unchecked` nothing looks, and the caller answers for all indices.

    Sums of products of integers are exact. With `fast` the sum of two products of bytes may saturate at 16 bits, on
    x86-64 without VNNI, which takes a third of the instructions; remark TW0794 names the kernels.

        multiply = tilewright.build(schedule, [a, b, c], target="llvm", name="multiply")
        multiply(x, y, z)          # all arguments in the order of args: z is written, the result is None
        z = multiply(x, y)         # inputs only: outputs are allocated and returned
    """
    _expect(threads, device, copy, unchecked, fast)
    expect_type("name", name, str)
    expect_type("binds", binds, Mapping, type(None))
    if target is None and isinstance(args, (str, Target)):  # build(module, "llvm"): functions state their arguments
        args, target = None, args
    if target_host is not None:
        expect_type("target_host", target_host, str, Mapping, Target)
        target = Target.of(target).with_host(target_host)
    chosen = Target.of(target)
    where = _device_options(chosen, device, copy)
    module = as_module(inputs, args, name)
    if chosen.backend.takes_any_level:
        return _build(module, chosen.backend, threads)
    if TARGET_ATTRIBUTE not in module.attributes or chosen.has_options:
        edit.change(module).attributes[TARGET_ATTRIBUTE] = chosen.attribute()
    if binds:
        from .strides import bind_strides

        bind_strides(module, binds)
    with _permitted(unchecked, fast):
        return _lower_and_build(module, chosen.backend, threads, where)


def compile(
    model: IRModule | ModuleOp | str | Path | bytes | Tensor | Sequence[Tensor | Var] | Any,
    target: TargetLike | None = None,
    threads: int | None = None,
    *,
    shapes: Mapping[str, Sequence[int | str] | None] | None = None,
    sizes: Mapping[str, int] | None = None,
    specialise: Specialise = None,
    device: str | None = None,
    copy: bool = False,
    allow_foreign: bool = False,
    unchecked: bool = False,
    fast: bool = False,
    records: FilePath | None = None,
) -> Module:
    """Compile a model to a callable on numpy arrays.

    `model` is a path of an ONNX model or of IR, bytes of either, an `onnx.ModelProto`, a module of any level, tensors
    of `te` (arguments in order), or an object that a registered frontend reads (`register_frontend`). `shapes` (by
    input) and `sizes` (by name) fix what an ONNX model leaves open.

    Where shapes, axes or counts of an ONNX model follow from the values of inputs, a version of the program is compiled
    for each value that a call brings, and kept: sixteen of them at most. `specialise` compiles some at once: a mapping
    from inputs to values, {"axes": [0, 1]}, or several. `Module.save` writes the versions that were compiled; a loaded
    program raises TW0714 for another value. Initializers that are inputs are defaults: the first call that brings
    another value compiles a version that takes it, and a loaded program raises TW0714.

    `target` is "cpu" (see `Target` for options), "c" for C that the system's compiler compiles, "opencl" or "cuda" for
    kernels of thread-bound loops, or "interpreter" for the reference semantics; without one it is that of the
    `with Target(...):` around, else "cpu". `threads` is how many threads a parallel loop uses, `device`, `copy`,
    `unchecked` and `fast` are as for `build`. `allow_foreign` lets a file of IR bring and call foreign code, which can
    do anything that its user can. `records` is a file of tuning records: functions that were tuned for the target, on
    this machine and by this compiler, get the best schedule that was measured. Threads may call the result at the same
    time.
    """
    _expect(threads, device, copy, unchecked, fast)
    expect_type("allow_foreign", allow_foreign, bool)
    if records is not None:
        with more_settings(**with_records(records)):
            return compile(
                model, target, threads, shapes=shapes, sizes=sizes, specialise=specialise, device=device, copy=copy,
                allow_foreign=allow_foreign, unchecked=unchecked, fast=fast,
            )  # fmt: skip
    chosen = Target.of(target)
    where = _device_options(chosen, device, copy)
    versions = versions_of(specialise)
    load = partial(load_model, model, shapes=shapes, sizes=sizes, allow_foreign=allow_foreign)

    def make(module: ModuleOp) -> Module:
        if chosen.backend.takes_any_level:
            return _build(module, chosen.backend, threads)
        with _permitted(unchecked, fast):
            return _lower_and_build(_for_target(module, chosen), chosen.backend, threads, where)

    def program(replaced: Sequence[str], versions: Sequence[Mapping[str, Any]]) -> Module:
        if not takes_sizes(model):
            return make(load(specialise=versions))
        return _versions(partial(load, replaced=replaced), make, sizes or {}, versions, threads)

    try:
        found = program((), versions)
    except NeedsHost as needs:
        from .host_parts import compile_host_parts

        options: dict[str, Any] = {"device": device, "copy": copy, "unchecked": unchecked, "fast": fast}
        return compile_host_parts(needs, partial(compile, target=target, threads=threads, **options), threads)
    if found.signature.defaults and has_importer(model):
        context = PassContext.current()

        def replacing(names: Sequence[str]) -> Function:
            with context:
                return program(names, ()).entry

        found.entry.compile_others(replacing)
    return found


def _versions(
    load: Callable[..., ModuleOp],
    make: Callable[[ModuleOp], Module],
    sizes: Mapping[str, int],
    versions: Sequence[Mapping[str, Any]],
    threads: int | None,
) -> Module:
    """Return the program of a model, in versions where it depends on values of inputs or on sizes."""
    from .versions import assumed_sizes, compile_versions, versions_beside

    def load_version(values: Mapping[str, Any], fixed: Mapping[str, int]) -> ModuleOp:
        return load(specialise=values, sizes={**sizes, **fixed})

    try:
        module = load()
    except NeedsValues as needs:
        return compile_versions(needs, load_version, make, versions, threads)
    if any(versions):
        return make(load(specialise=versions))
    assumed = assumed_sizes(module)
    program = make(module)
    return versions_beside(program, assumed, load_version, make) if assumed else program


def _permitted(unchecked: bool, fast: bool) -> AbstractContextManager[None]:
    """Apply the settings that the caller permits on top of the settings of the current context."""
    given: dict[str, Any] = {key: True for key, is_given in (("unchecked", unchecked), ("fast", fast)) if is_given}
    return more_settings(**given) if given else nullcontext()


def _expect(threads: object, device: object, copy: object, unchecked: object, fast: object) -> None:
    """Raise TilewrightError TW0725 for options that no backend accepts."""
    expect_threads(threads)
    expect_type("device", device, str, type(None))
    expect_type("copy", copy, bool)
    expect_type("unchecked", unchecked, bool)
    expect_type("fast", fast, bool)


def emit(module: ModuleOp, kind: str, target: str | Target = "cpu") -> str:
    """Return the text of a compiled module: "mlir" (the last loop module), "llvm", "asm", "c", "opencl" (its kernels),
    "cuda-python", "ptx" or "sass" (kernels for a GPU as Python for numba, compiled, and assembled).

    `target` says for which machine the texts are made.
    """
    chosen, backend = Target.of(target), backend_for_text(kind)
    if backend is None and kind != "mlir":
        kinds = ["mlir", *(text for known in backends() for text in known.texts)]
        fail("TW0209", f"expected {', '.join(kinds[:-1])} or {kinds[-1]}, but got '{kind}'")
    if backend is not None and chosen.backend is not backend:
        chosen = Target(backend.kinds[0])
    expect_type("module", module, ModuleOp)
    verify_module(module)
    lowered = lower_module(_for_target(module, chosen))
    sources = _sources(chosen.backend, lowered)
    with span("code", "compile"):
        text = f"{lowered!s}\n" if backend is None else backend.load(backend.texts[kind])(lowered)
    if backend is not None:
        sources[backend.source_of(kind)] = lambda: text
    show_code(lowered, sources)
    return text


def write_c_files(module: ModuleOp, path: Path, target: str | Target) -> ModelSizes:
    """Write a module of any level as C files (`backends.c.model`); their sizes.

    Raises TilewrightError TW0612 for another target than "c", and the errors of `write_model`.
    """
    from ..backends.c.model import write_model

    chosen = Target.of(target)
    if "c" not in chosen.backend.kinds:
        fail("TW0612", f"expected target 'c' for '{path}', but got '{chosen}'", help="as in: c -vector-width=256")
    expect_type("module", module, ModuleOp)
    verify_module(module)
    lowered = lower_module(_for_target(module, chosen))
    with span("code", "compile"):
        return write_model(lowered, path)


def target_of_language(kind: str) -> str:
    """Return the name of the target that the texts of `emit` are for: "c" for C, "llvm" where they are for any
    target."""
    backend = backend_for_text(kind)
    return "llvm" if backend is None or backend.keeps_machine_code else backend.kinds[0]


def show_code(module: ModuleOp, sources: Mapping[str, Callable[[], str]]) -> None:
    """Notify the instruments of the current context that code was made of `module`; see `Instrument.after_build`."""
    instruments = PassContext.current().instruments
    if instruments:
        with span("instruments", "instruments"):
            for instrument in reversed(instruments):
                instrument.after_build(module, sources)


def show_code_of(module: ModuleOp) -> None:
    """Call `show_code` with the texts of a module that passes were run over; where it is not executable there are
    none."""
    backend = backend_of(module.attributes.get(TARGET_ATTRIBUTE)) or Target().backend
    try:
        texts = {kind: write() for kind, write in _sources(backend, module).items()}
    except TilewrightError:
        return
    show_code(module, {kind: partial(str, text) for kind, text in texts.items()})


def _sources(backend: Backend, module: ModuleOp) -> dict[str, Callable[[], str]]:
    """Return the functions that write the texts which a program of the backend keeps."""
    return {kind: partial(backend.load(writer), module) for kind, writer in backend.sources.items()}


def _for_target(module: ModuleOp, target: Target) -> ModuleOp:
    """Return the module, or a copy of it that names that target; only a target with options replaces an earlier one."""
    if not target.has_options and (target.backend.keeps_machine_code or TARGET_ATTRIBUTE in module.attributes):
        return module
    module = module.clone()
    edit.change(module).attributes[TARGET_ATTRIBUTE] = target.attribute()
    return module


def _device_options(target: Target, device: str | None, copy: bool) -> dict[str, Any]:
    """Return the options for the backend of a device. Raises TilewrightError TW0612 where the target takes none."""
    given = {"device": device, "copy": copy}
    taken = target.backend.call_options
    if any(value not in (None, False) and name not in taken for name, value in given.items()):
        having = " or ".join(f"'{known.kinds[0]}'" for known in backends() if known.call_options)
        fail(
            "TW0612",
            f"expected a device for target {having} only, but the target is '{target}'",
            help=f"leave it out, or build for {having}",
        )
    return {name: given[name] for name in taken}


def _lower_and_build(module: ModuleOp, backend: Backend, threads: int | None, where: dict[str, Any]) -> Module:
    with records_kept(records := tuned()):
        return _lower_with_records(module, backend, threads, where, records)


def _lower_with_records(
    module: ModuleOp, backend: Backend, threads: int | None, where: dict[str, Any], records: Tuned | None
) -> Module:
    calls_python = bool(packed_calls(module))
    cached = cached_program(module, records) if backend.keeps_machine_code and not calls_python else None
    if cached is not None and (found := cached.load(threads)) is not None:
        return found
    recorder, graph = WorkRecorder(), GraphRecorder()
    lowered = lower_module(module, instruments=[recorder, graph])
    if backend.keeps_machine_code and PassContext.current().instruments:
        from .machine_code import check_machine_code

        check_machine_code(lowered)
    check_packed_calls(lowered, backend)
    program = _build(lowered, backend, threads, where)
    if calls_python:
        keep_in_process(program)
    else:
        add_packager(program, graph.packaged)
    add_profiler(program, recorder)
    if cached is not None:
        cached.store(program, graph)
    return program


def _build(module: ModuleOp, backend: Backend, threads: int | None, where: Mapping[str, Any] | None = None) -> Module:
    with span("code", "compile"):
        program = backend.make(module, threads, **(where or {}))
    show_code(module, {kind: partial(program.get_source, kind) for kind in backend.sources})
    return program
