"""The cache of compiled models on disk: a model that was compiled before is loaded without running a pass.

The object cache (`backends.cache`) already saves LLVM's work; this cache saves the passes. The key is a hash of
everything that determines the program: the module's text and the bytes of its weights, the target, the settings of the
`PassContext`, the best tuning records for the target, the compiler's sources and its libraries. The cache is bypassed
where something observes or changes the compilation: instruments, collected remarks, added passes, plugins, rules of
users, debug information, checks. Programs that are no graphs compile in a fraction of a second and are not cached.

An entry holds the program's IR for packages too, so that a program from the cache is saved without running a pass. A
damaged entry is compiled again and replaced.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextvars import copy_context
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp

from ..backends.cache import PROGRAMS, Cache, report_once
from ..diagnostics import TilewrightError
from ..diagnostics.remarks import remarks_wanted
from ..dialects.loop.foreign import FOREIGN
from ..dialects.resource import walk_resources
from ..dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from ..forks import held_off
from ..passes.framework.base import Level, level_of
from ..passes.framework.config import SETTINGS
from ..passes.framework.context import PassContext
from ..passes.framework.instruments.spans import span
from ..passes.framework.tuning_records import Tuned, records_kept
from ..runtime.description import data_of, encode
from ..schedule.canonical import target_in_records
from .compiler_state import compiler_fingerprint, is_as_shipped
from .lowering import lower_module
from .packaged_ir import GraphRecorder, PackagedIR, add_packager
from .profiling import WorkRecorder, add_profiler

if TYPE_CHECKING:
    from ..backends.cpu.code import CpuCode
    from ..runtime import Module

_ABOUT_FILES = ("cache_dir", "cache_size", "records")
"""Settings that say where files are. Programs depend on tuning records, whose content the key has."""

_WATCHING = ("debug_info", "check_bounds")
"""Settings under which a program depends on locations in the user's source."""

_being_written: dict[Path, Thread] = {}
"""The threads that write programs, by file. `_writers` guards it."""

_writers = Lock()


def finish_writing(path: Path | None = None) -> None:
    """Wait until the programs compiled in this process, or that of `path`, are on disk. A process that ends does."""
    with held_off(), _writers:
        writing = [thread for written, thread in _being_written.items() if path in (None, written)]
    for thread in writing:
        thread.join()


@dataclass(frozen=True)
class CachedProgram:
    """The entry of a program in the cache, and the inputs of its compilation."""

    cache: Cache
    key: str
    source: ModuleOp
    target: CpuTargetAttr
    context: PassContext
    records: Tuned | None
    """The tuning records that the key is made from."""

    def load(self, threads: int | None) -> Module | None:
        """Load the program into this process; None where it is absent or damaged."""
        from ..backends.cpu.module import restore
        from ..backends.cpu.program_file import decode_program

        finish_writing(self.cache.path(self.key))
        with span("cached program", "compile"):
            data = self.cache.load(self.key)
            found = None if data is None else decode_program(data)
            if found is None:
                return None
            parts, files = found
            recorder, source = WorkRecorder(), self.source.clone()
            program = restore(parts, self.target, cache(lambda: self._lowered(source, recorder)), threads)
            add_profiler(program, recorder)
            ir = PackagedIR.of(files) if files else None
            add_packager(program, lambda _: ir)
            return program

    def store(self, program: Module, graph: GraphRecorder) -> None:
        """Keep a program that was compiled from the source, and the IR that was recorded meanwhile. A folder that
        cannot be written to does no harm.

        The file is written in the background, because the weights of a large model take a while.
        """
        from ..backends.cpu.code import CpuCode

        code, path = program.code, self.cache.path(self.key)
        assert isinstance(code, CpuCode) and path is not None
        context = copy_context()

        def write() -> None:
            context.run(self._write, code, graph, path)

        writing = Thread(target=write, name="tilewright-cache", daemon=False)  # the process waits for it
        try:
            with held_off(), _writers:
                writing.start()
                _being_written[path] = writing
        except RuntimeError:  # the process ends
            write()

    def _write(self, code: CpuCode, graph: GraphRecorder, path: Path) -> None:
        from ..backends.cpu.program_file import encode_program

        try:
            with span("storing the program", "compile"):
                ir = graph.packaged(encode(code.entries, [], digests=False).constants)
                files = [] if ir is None else ir.files()
                self.cache.store(self.key, encode_program(code.entries, code.objects, files))
        except TilewrightError as error:  # weights that the program does not read were replaced meanwhile
            report_once(path, f"the program {path} is not cached: {error.message}")
        finally:
            with held_off(), _writers:
                _being_written.pop(path, None)

    def _lowered(self, source: ModuleOp, recorder: WorkRecorder) -> ModuleOp:
        """Return the loops of the program: for callers that ask for its text or its profile."""
        with self.context, records_kept(self.records):
            return lower_module(source, instruments=[recorder])


def cached_program(module: ModuleOp, records: Tuned | None = None) -> CachedProgram | None:
    """Return the entry of the program that `module` becomes on the CPU with these tuning records; None where it has to
    be compiled."""
    from ..backends.cpu.host import host_target, obstacle_here

    cache, context = Cache.of(PROGRAMS), PassContext.current()
    if cache.folder is None or _is_watched(context) or level_of(module) is not Level.GRAPH or _has_foreign_code(module):
        return None
    target = module.attributes.get(TARGET_ATTRIBUTE) or host_target()
    if not isinstance(target, CpuTargetAttr) or obstacle_here(target) is not None or not is_as_shipped():
        return None
    compiler = compiler_fingerprint()
    if compiler is None or not all(resource.data.is_resolved for _, _, resource in walk_resources(module)):
        return None
    with span("key", "compile"):
        key = _key(module, target, context, compiler, records)
    return CachedProgram(cache, key, module, target, context, records)


def _is_watched(context: PassContext) -> bool:
    """Return whether the compilation is observed, or changed by code that no key covers."""
    if context.instruments or remarks_wanted() or not context.value("program_cache", bool):
        return True
    return any(context.added(phase) for phase in range(4)) or any(context.value(key, bool) for key in _WATCHING)


def _has_foreign_code(module: ModuleOp) -> bool:
    """Return whether functions carry foreign code, which compilers beside this one may translate."""
    return any(FOREIGN in op.attributes for op in module.walk())


def _key(module: ModuleOp, target: CpuTargetAttr, context: PassContext, compiler: str, records: Tuned | None) -> str:
    digest, schedules = hashlib.sha256(), "" if records is None else records.winners.digest(target_in_records(target))
    parts = (compiler, str(target), str(context.opt_level), *_settings(context), schedules, str(module))
    for part in (*parts, *_names(module), *_locations(module)):
        digest.update(part.encode() + b"\0")
    for _, key, resource in walk_resources(module):
        data = resource.data
        digest.update(f"{key} {data.name} {data.dtype} {data.shape}\0".encode())
        for part in data.parts():
            digest.update(data_of(part))
    return digest.hexdigest()


def _settings(context: PassContext) -> Iterator[str]:
    yield f"required {sorted(context.required_pass)} disabled {sorted(context.disabled_pass)}"
    for key in sorted(SETTINGS):
        if SETTINGS[key].type is not list and key not in _ABOUT_FILES:
            yield f"{key} {context.value(key, SETTINGS[key].type)!r}"


def _names(module: ModuleOp) -> Iterator[str]:
    """Yield the names of arguments of each function, which callers see: the IR's text numbers equal names."""
    for op in module.ops:
        if isinstance(op, FuncOp) and op.body.blocks:
            yield " ".join(str(argument.name_hint) for argument in op.body.block.args)


def _locations(module: ModuleOp) -> Iterator[str]:
    """Yield the source locations of operations that may read at an index which is data, for messages about indices out
    of bounds."""
    for op in module.walk():
        if any(isinstance(t := v.type, TensorType) and isinstance(t.element_type, IntegerType) for v in op.operands):
            yield str(op.location)
