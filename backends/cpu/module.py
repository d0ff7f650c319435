"""From loop IR to a program that runs, and the texts on the way."""

from __future__ import annotations

import re

from xdsl.dialects.builtin import ModuleOp

from ...dialects.constant_data import constant_array
from ...dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from ...runtime.module import Executable, Module
from ...runtime.openmp import available_threads, openmp
from ..signature import signature_of
from .emit.legality import verify_executable
from .emit.program import ENTRY, Program, emit_program
from .host import host_target
from .jit import ObjectCompiler, load_objects
from .llvm import CodeOptions, emit_assembly


def build(module: ModuleOp, threads: int | None = None) -> Module:
    """Compile a module of executable loop IR and load it into this process.

    `threads` is how many threads its parallel loops use unless a call says otherwise; None takes all that
    this process may use. Raises TW0601 for what is not executable, TW0603 where LLVM rejects the code, TW0705
    where weights are missing.
    """
    program = _emit(module)
    target = target_of(module)
    signature = signature_of(program.main)
    with ObjectCompiler(available_threads()) as compiler:
        pending = [compiler.submit(text, _options(text, target)) for _, text in program.texts]
        constants = tuple(constant_array(value) for value in program.constants)
        objects = [future.result() for future in pending]
    runtime = openmp()
    entry = load_objects(objects, runtime.addresses, [ENTRY])[ENTRY]
    return Module(Executable(entry, signature, constants, program.arena_size), threads)


def llvm_text(module: ModuleOp) -> str:
    """The LLVM modules that executable loop IR becomes, each under a comment with its function's name."""
    return "\n".join(f"; function @{name}\n{text}" for name, text in _emit(module).texts)


def assembly(module: ModuleOp) -> str:
    """The assembly that executable loop IR becomes, function by function."""
    target = target_of(module)
    parts = (f"# function @{name}\n{emit_assembly(text, _options(text, target))}" for name, text in _emit(module).texts)
    return "\n".join(parts)


def target_of(module: ModuleOp) -> CpuTargetAttr:
    """The target that the module names, else this machine."""
    target = module.attributes.get(TARGET_ATTRIBUTE)
    return target if isinstance(target, CpuTargetAttr) else host_target()


def _emit(module: ModuleOp) -> Program:
    verify_executable(module)
    return emit_program(module, target_of(module))


def _options(text: str, target: CpuTargetAttr) -> CodeOptions:
    """LLVM's vectorisers run only where the IR has no vectors: what a schedule vectorised stays as it is."""
    has_vectors = re.search(r"<\d+ x ", text) is not None
    return CodeOptions(tuple(f.data for f in target.features), vectorize=not has_vectors)
