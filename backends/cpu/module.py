"""Compilation of loop IR to a runnable program, and the texts on the way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from xdsl.dialects.builtin import ModuleOp

from ...analysis.entries import entry_functions
from ...diagnostics import fail
from ...diagnostics.progress import task
from ...dialects.constant_data import constant_array
from ...dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from ...passes.framework.context import MOST_OPTIMIZED, PassContext
from ...passes.framework.instruments.spans import span
from ...runtime import packed
from ...runtime.checked_call import ElsewhereCall
from ...runtime.description import Entry
from ...runtime.executable import Executable
from ...runtime.function import Function
from ...runtime.module import Module
from ...runtime.openmp import available_threads
from ..constant_block import move_to_block
from ..line_table import Lines, LineTable, line_table, requested_lines
from ..signature import signature_of
from . import kept_blocks, thread_pool
from .call_entry import call_entry_address
from .code import CpuCode
from .emit.legality import verify_executable
from .emit.program import MAIN, EmittedProgram, emit_program
from .foreign import foreign_objects, linked_text
from .host import code_triple, host_target, obstacle_here
from .jit import ObjectCompiler, load_objects
from .llvm import CodeOptions, emit_assembly
from .program_file import Parts

T = TypeVar("T")
R = TypeVar("R")


def build(module: ModuleOp, threads: int | None = None) -> Module:
    """Compile a module of executable loop IR and load it into this process.

    `threads` is how many threads its parallel loops use unless a call says otherwise; None takes all that this process
    may use. Code for a kind of machine that the target names by its triple is not loaded where it cannot run: calls of
    its functions raise TW0750. Raises TW0601 for IR that is not executable, TW0603 where LLVM rejects the code, TW0612
    where this machine lacks an instruction set of a target without a triple, TW0705 where weights are missing.
    """
    target = target_of(module)
    obstacle = obstacle_here(target)
    if obstacle is not None and not target.triple:
        fail("TW0612", f"expected a target that this machine runs, but {obstacle}")
    lines = requested_lines()
    table = _table(module, lines)
    entries, objects = _compile(module, target, table)
    if obstacle is None:
        functions = _loaded(entries, objects, table, threads)
    else:
        wanted = threads or target.threads
        calls = (ElsewhereCall(entry.signature, wanted, target.triple, obstacle) for entry in entries)
        functions = {entry.name: Function(call) for entry, call in zip(entries, calls, strict=True)}
    code = CpuCode(
        lambda: module,
        entries,
        objects,
        target,
        partial(llvm_text, lines=lines),
        _as_here(partial(assembly, lines=lines)),
        None if lines is None else _as_here(partial(_objects_beside, module, target, lines)),
    )
    return Module(functions, code)


def restore(parts: Parts, target: CpuTargetAttr, lowered: Callable[[], ModuleOp], threads: int | None = None) -> Module:
    """Return a program that was compiled before, loaded into this process, which runs code for `target`; `lowered`
    makes its module of executable loop IR."""
    entries, objects = parts
    functions = _loaded(entries, objects, None, threads)
    return Module(functions, CpuCode(lowered, entries, objects, target, llvm_text, _as_here(assembly)))


def _as_here(make: Callable[[T], R]) -> Callable[[T], R]:
    """Return `make`, to be called later with the optimisation settings of the current context."""
    context = PassContext.current().derived({}, instruments=())

    def made(given: T) -> R:
        with context:
            return make(given)

    return made


def _loaded(
    entries: Sequence[Entry], objects: Sequence[bytes], table: LineTable | None, threads: int | None
) -> dict[str, Function]:
    """Return the functions of code that this machine runs, loaded into this process."""
    symbols = [entry.symbol for entry in entries]
    with span("linking", "compile"):
        if table is None:
            addresses = {**thread_pool.addresses(), **packed.addresses(), **kept_blocks.addresses()}
            code, limit = load_objects(objects, addresses, symbols), thread_pool.LIMIT
        else:
            from .debugging import load_library

            code, limit = load_library(objects, symbols, table.path.with_suffix(".so")), None
    return {
        entry.name: Function.of(
            Executable(
                code[entry.symbol],
                entry.signature,
                entry.constants,
                entry.arena_size,
                (code,),
                thread_arena_size=entry.thread_arena_size,
                checks=entry.checks,
                call_entry=call_entry_address(),
                thread_limit=limit,
            ),
            threads,
        )
        for entry in entries
    }


def units_of(module: ModuleOp) -> list[Unit]:
    """Return the units that LLVM compiles for executable loop IR. Raises TW0601 for IR that is not executable."""
    return list(_units(module, target_of(module), None))


def load_units(module: ModuleOp, objects: Sequence[bytes], threads: int | None = None) -> Module:
    """Return the program that `build` makes of `module`, with these objects for the units that `units_of` gives."""
    target = target_of(module)
    entries = [_entry(program) for program in _programs(module, target, None)]
    foreign = foreign_objects(module, target).values()
    return restore((entries, [*objects, *foreign]), target, lambda: module, threads)


def llvm_text(module: ModuleOp, lines: Lines | None = None) -> str:
    """Return the LLVM modules that are emitted for executable loop IR, each under a comment with its function's name.

    `lines` are the lines for its debug information.
    """
    units = _units(module, target_of(module), _table(module, lines))
    return "\n".join(f"; function @{unit.name}\n{unit.text}" for unit in units)


def assembly(module: ModuleOp, lines: Lines | None = None) -> str:
    """Return the assembly that executable loop IR becomes, function by function; `lines` as for `llvm_text`."""
    units = _units(module, target_of(module), _table(module, lines))
    return "\n".join(f"# function @{unit.name}\n{emit_assembly(unit.text, unit.options)}" for unit in units)


def emitted_llvm(module: ModuleOp) -> str:
    """Return `llvm_text` with the lines that the current `PassContext` wants."""
    return llvm_text(module, requested_lines())


def emitted_assembly(module: ModuleOp) -> str:
    """Return `assembly` with the lines that the current `PassContext` wants."""
    return assembly(module, requested_lines())


def target_of(module: ModuleOp) -> CpuTargetAttr:
    """Return the target that the module names, else this machine."""
    target = module.attributes.get(TARGET_ATTRIBUTE)
    return target if isinstance(target, CpuTargetAttr) else host_target()


@dataclass(frozen=True)
class Unit:
    """A unit of compilation: the LLVM module of one function."""

    name: str
    text: str
    options: CodeOptions


def _table(module: ModuleOp, lines: Lines | None) -> LineTable | None:
    """Return the lines of a module whose text is kept for debuggers."""
    if lines is None:
        return None
    from .debugging import text_path, write_text

    table = line_table(module, text_path(f"{lines}\n{module!s}"), lines)
    write_text(table)
    return table


def _objects_beside(module: ModuleOp, target: CpuTargetAttr, lines: Lines, path: Path) -> list[bytes]:
    """Return the object files of a module whose text is written to `path`."""
    from .debugging import write_text

    table = line_table(module, path.absolute(), lines)
    write_text(table)
    return _compile(module, target, table)[1]


def _compile(
    module: ModuleOp, target: CpuTargetAttr, lines: LineTable | None = None
) -> tuple[list[Entry], list[bytes]]:
    """Return the entries, and the object files of all of them: entries share kernels."""
    with ObjectCompiler(available_threads()) as compiler:
        with span("LLVM text", "compile"):
            programs = list(_programs(module, target, lines))
            units = _units_of(programs, module, target)
            pending = [(unit.name, compiler.submit(unit.text, unit.options, unit.name)) for unit in units]
        move_to_block(value for program in programs for value in program.constants)
        entries = [_entry(program) for program in programs]
        foreign = foreign_objects(module, target).values()
        with span("waiting for machine code", "compile"), task("machine code", len(pending)) as step:
            objects: list[bytes] = []
            for name, future in pending:
                step(name)
                objects.append(future.result())
            return entries, [*objects, *foreign]


def _entry(program: EmittedProgram) -> Entry:
    constants = tuple(constant_array(value) for value in program.constants)
    name = program.main.sym_name.data
    return Entry(
        name,
        program.entry,
        signature_of(program.main),
        constants,
        program.arena_size,
        program.checks,
        program.thread_arena_size,
    )


def _programs(module: ModuleOp, target: CpuTargetAttr, lines: LineTable | None) -> Iterator[EmittedProgram]:
    verify_executable(module, target)
    # A module without a function to enter is refused by the search for @main.
    for name in [function.sym_name.data for function in entry_functions(module)] or [MAIN]:
        yield emit_program(module, target, name, lines)


def _units(module: ModuleOp, target: CpuTargetAttr, lines: LineTable | None) -> Iterator[Unit]:
    return _units_of(_programs(module, target, lines), module, target)


def _units_of(programs: Iterable[EmittedProgram], module: ModuleOp, target: CpuTargetAttr) -> Iterator[Unit]:
    """Yield the functions of the programs as LLVM text, written as they are asked for, each text once."""
    linked = linked_text(module, target)
    written: set[str] = set()
    for program in programs:
        for name, text in program.texts:
            if text not in written:
                written.add(text)
                yield Unit(name, text, code_options(text, target, linked.get(name, ())))


def code_options(text: str, target: CpuTargetAttr, linked: tuple[str, ...]) -> CodeOptions:
    """Return the compile options of a module. LLVM's vectorisers run only where the IR has no vectors, so that
    vectorization by a schedule is kept.

    Where code is linked in, whose functions are to be inlined, and at `opt_level` 3, the module is optimised as a
    whole. At level 0 nothing is optimised, and below 2 nothing is vectorised.
    """
    has_vectors = re.search(r"<\d+ x ", text) is not None
    features = tuple(f.data for f in target.features)
    context = PassContext.current()
    scalar = context.opt_level < 2 or context.value("tir.disable_vectorize", bool)
    return CodeOptions(
        features,
        vectorize=not has_vectors and not scalar,
        level=3 if context.opt_level > 0 else 0,
        one_by_one=(has_vectors or scalar) and not linked and 0 < context.opt_level < MOST_OPTIMIZED,
        linked=linked,
        triple=code_triple(target),
    )
