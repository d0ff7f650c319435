"""From loop IR to a program that runs, and the texts on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Future

from xdsl.dialects.builtin import ModuleOp

from ...dialects.constant_data import constant_array
from ...dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from ...diagnostics import fail
from ...runtime.function import Executable, Function
from ...runtime.module import Module
from ...runtime.openmp import available_threads, openmp
from ..signature import entry_functions, signature_of
from .code import CpuCode, Entry
from .emit.legality import verify_executable
from .emit.program import MAIN, Program, emit_program
from .host import host_features, host_target
from .jit import ObjectCompiler, load_objects
from .llvm import CodeOptions, emit_assembly


def build(module: ModuleOp, threads: int | None = None) -> Module:
    """Compile a module of executable loop IR and load it into this process.

    `threads` is how many threads its parallel loops use unless a call says otherwise; None takes all that
    this process may use. Raises TW0601 for what is not executable, TW0603 where LLVM rejects the code, TW0612 where
    this machine lacks an instruction set of the module's target, TW0705 where weights are missing.
    """
    target = target_of(module)
    _check_runs_here(target)
    entries, objects = _compile(module, target)
    addresses = load_objects([*objects.values()], openmp().addresses, [entry.symbol for entry in entries])
    functions = {
        entry.name: Function(
            Executable(addresses[entry.symbol], entry.signature, entry.constants, entry.arena_size), threads
        )
        for entry in entries
    }
    return Module(functions, CpuCode(module, entries, [*objects.values()], llvm_text, assembly))


def llvm_text(module: ModuleOp) -> str:
    """The LLVM modules that executable loop IR becomes, each under a comment with its function's name."""
    return "\n".join(f"; function @{name}\n{text}" for name, text in _texts(module))


def assembly(module: ModuleOp) -> str:
    """The assembly that executable loop IR becomes, function by function."""
    target = target_of(module)
    parts = (f"# function @{name}\n{emit_assembly(text, _options(text, target))}" for name, text in _texts(module))
    return "\n".join(parts)


def target_of(module: ModuleOp) -> CpuTargetAttr:
    """The target that the module names, else this machine."""
    target = module.attributes.get(TARGET_ATTRIBUTE)
    return target if isinstance(target, CpuTargetAttr) else host_target()


def _compile(module: ModuleOp, target: CpuTargetAttr) -> tuple[list[Entry], dict[str, bytes]]:
    """The entries, and the object files by the text that they were made from: entries share kernels."""
    with ObjectCompiler(available_threads()) as compiler:
        pending: dict[str, Future[bytes]] = {}
        entries: list[Entry] = []
        for program in _programs(module, target):
            for _, text in program.texts:
                if text not in pending:
                    pending[text] = compiler.submit(text, _options(text, target))
            constants = tuple(constant_array(value) for value in program.constants)
            name, signature = program.main.sym_name.data, signature_of(program.main)
            entries.append(Entry(name, program.entry, signature, constants, program.arena_size))
        return entries, {text: future.result() for text, future in pending.items()}


def _programs(module: ModuleOp, target: CpuTargetAttr) -> Iterator[Program]:
    verify_executable(module)
    # A module without anything to enter is refused by the one that looks for @main.
    for name in [function.sym_name.data for function in entry_functions(module)] or [MAIN]:
        yield emit_program(module, target, name)


def _texts(module: ModuleOp) -> list[tuple[str, str]]:
    """The functions' names and LLVM texts, each text once."""
    texts: dict[str, str] = {}
    for program in _programs(module, target_of(module)):
        for name, text in program.texts:
            texts.setdefault(text, name)
    return [(name, text) for text, name in texts.items()]


def _check_runs_here(target: CpuTargetAttr) -> None:
    missing = sorted({f.data for f in target.features} - set(host_features()))
    if missing:
        fail("TW0612", f"expected a target that this machine runs, but it has no {', '.join(missing)}")


def _options(text: str, target: CpuTargetAttr) -> CodeOptions:
    """LLVM's vectorisers run only where the IR has no vectors: what a schedule vectorised stays as it is."""
    has_vectors = re.search(r"<\d+ x ", text) is not None
    return CodeOptions(tuple(f.data for f in target.features), vectorize=not has_vectors)
