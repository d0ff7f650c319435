"""LLVM text to machine code.

The interface is text, because text expresses all of LLVM IR, and parsing is cheap compared with optimising. Each
compilation has a separate LLVM context and target machine, so compilations run in parallel. llvmlite calls LLVM through
ctypes, which releases the interpreter's lock, but holds a process-wide lock around every call; the two long calls
bypass that lock.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NoReturn

from ...diagnostics import fail
from ...dialects.target import RISCV64, WASM32
from ...forks import held_off
from ...passes.framework.instruments.spans import span
from ...toolchain import parse_llvm
from .foreign import link_in


@dataclass(frozen=True)
class CodeOptions:
    """The options that determine machine code beside the text."""

    features: tuple[str, ...]
    """LLVM's names of the instruction sets that may be used."""
    vectorize: bool = False
    """True if LLVM's vectorizers run: for functions that hold no vectors yet."""
    level: Literal[0, 1, 2, 3] = 3
    one_by_one: bool = False
    """True if functions are optimized one by one at every level: no function is to be inlined, and loops stay as they
    are vectorized. That is the quicker way to the same loops."""
    linked: tuple[str, ...] = ()
    """Modules of LLVM text whose functions the text calls; they become part of it before it is optimised."""
    triple: str = ""
    """LLVM's name of the kind of machine; empty for this machine's."""

    def __str__(self) -> str:
        linked = "".join(f"\n{text}" for text in self.linked)
        how = f"{'functions at O1' if self.one_by_one else f'module at O{self.level}'} vectorize={self.vectorize}"
        return f"{self.triple} {how} {','.join(self.features)}{linked}"


def emit_object(text: str, options: CodeOptions) -> bytes:
    """Return the object file of a module of LLVM text, position independent. Raises TW0603 where LLVM rejects the
    text."""
    return _compile(text, options, as_object=True)


def emit_assembly(text: str, options: CodeOptions) -> str:
    """Return the assembly of a module of LLVM text. Raises TW0603 where LLVM rejects the text."""
    return _compile(text, options, as_object=False).decode()


@cache
def llvm_version() -> str:
    from llvmlite import binding

    return ".".join(map(str, binding.llvm_version_info))


def target_machine(options: CodeOptions) -> Any:
    """Return a target machine whose code a process and a shared library can hold."""
    features = ",".join(f"+{name}" for name in options.features)
    architecture = options.triple.partition("-")[0]
    return _llvm_target(options.triple).create_target_machine(
        features=features,
        opt=options.level,
        # A WebAssembly module has a separate linear memory and starts at its beginning, so its addresses are constants.
        reloc="static" if architecture == WASM32 else "pic",
        codemodel="small",
        jit=True,
        abiname=_ABI.get(architecture, ""),
    )


_ABI = {RISCV64: "lp64d"}
"""Architecture -> the calling convention by LLVM's name, where there are several."""


def _compile(text: str, options: CodeOptions, as_object: bool) -> bytes:
    from llvmlite import binding

    # Closed in reverse order by hand: a garbage collector that meets them in a cycle knows no order, and a module
    # must not outlive its context.
    with held_off(), ExitStack() as owned:
        context = owned.enter_context(binding.create_context())
        machine = owned.enter_context(target_machine(options))
        try:
            with span("parse", "llvm"):
                module = owned.enter_context(binding.parse_assembly(text, context))
                module.verify()
        except RuntimeError as error:
            problem = str(error)
        else:
            for foreign in options.linked:
                link_in(module, owned.enter_context(parse_llvm(foreign, context)))
            module.triple, module.data_layout = machine.triple, str(machine.target_data)
            with span("optimise", "llvm"):
                _optimize(module, machine, options)
            with span("emit", "llvm"):
                return _emit(module, machine, as_object)
    _reject(text, problem)


def _reject(text: str, message: str) -> NoReturn:
    """Report LLVM's complaint with the line of the text that it names, if it names one."""
    found = re.search(r"<string>:(\d+):\d+: error: (.*)", message)
    if found is None:
        fail("TW0603", f"LLVM rejected the generated code: {message.strip()}")
    number = int(found[1])
    fail(
        "TW0603",
        f"LLVM rejected the generated code at line {number}: {found[2]}",
        notes=[f"line {number}: {text.splitlines()[number - 1].strip()}"],
    )


def _optimize(module: Any, machine: Any, options: CodeOptions) -> None:
    from llvmlite import binding

    with ExitStack() as owned:
        level = 1 if options.one_by_one else options.level
        tuning = owned.enter_context(binding.create_pipeline_tuning_options(speed_level=level))
        tuning.loop_vectorization = options.vectorize
        tuning.slp_vectorization = options.vectorize
        # Loops that should be unrolled are unrolled in the text. Unrolling also makes compilation slow: before
        # vectorising, it multiplies the code by ten and the time by fifty.
        tuning.loop_unrolling = False
        builder = owned.enter_context(binding.create_pass_builder(machine, tuning))
        if options.one_by_one:
            _optimize_functions(module, builder)
        else:
            passes = owned.enter_context(_disposed(builder.getModulePassManager()))
            _unlocked("LLVMPY_RunNewModulePassManager")(passes, module, builder)


def _optimize_functions(module: Any, builder: Any) -> None:
    """Run LLVM's pipeline of function simplifications at level 1, and no other pass.

    LLVM's users run this pipeline, so its passes are the most used ones. The following ones change code of this
    backend:

    - sroa, early-cse, instcombine, simplifycfg, reassociate (of integers), sccp, bdce, adce: local rewrites of values
      and branches. early-cse removes the repeated loads of unrolled loops; MemorySSA, which relies on `noalias`, finds
      the stores between them.
    - loop-simplify, lcssa, loop-rotate, licm, simple-loop-unswitch, indvars, loop-deletion: loops are rotated in the
      text already; licm hoists addresses and loads that no store may alias, and nothing that may trap.
    - loop-idiom and memcpyopt turn loops that fill or copy into memset and memcpy.
    - loop-unroll-full unrolls only loops that request it by metadata, which no loop of this backend does.

    newgvn, which llvmlite offers too, is not run: it replaces a load of `select(guard, address, zero)` by a phi of
    values that the load had in an earlier iteration. In addition to the passes above, it would find conditions that a
    surrounding branch decides, and repeated loads under such conditions; `simplify` and `cse` find these in the IR.
    """
    with _disposed(builder.getFunctionPassManager()) as passes:
        run = _unlocked("LLVMPY_RunNewFunctionPassManager")
        for function in module.functions:
            if not function.is_declaration:
                run(passes, function, builder)


@contextmanager
def _disposed(passes: Any) -> Generator[Any]:
    """Yield a pass manager of llvmlite, disposed of at the end.

    Closing one does nothing where the class takes `_dispose` from its first base, which has an empty one: 30 KiB stay.
    """
    from llvmlite.binding import ffi, newpassmanagers

    with passes:
        try:
            yield passes
        finally:
            if type(passes)._dispose is ffi.ObjectRef._dispose:
                newpassmanagers.NewPassManager._dispose(passes)


def _emit(module: Any, machine: Any, as_object: bool) -> bytes:
    from llvmlite.binding import ffi

    with ffi.OutputString() as error:
        buffer = _unlocked("LLVMPY_TargetMachineEmitToMemory")(machine, module, int(as_object), error)
        if not buffer:
            fail("TW0603", f"LLVM cannot emit code for this machine: {error}")
    try:
        return ctypes.string_at(ffi.lib.LLVMPY_GetBufferStart(buffer), ffi.lib.LLVMPY_GetBufferSize(buffer))
    finally:
        ffi.lib.LLVMPY_DisposeMemoryBuffer(buffer)


@cache
def _unlocked(name: str) -> Callable[..., Any]:
    """Return a function of LLVM's C interface without llvmlite's process-wide lock.

    LLVM itself needs no lock between compilations that share no context and no target machine. If llvmlite no longer
    offers the bare function, the locked one is used, and compilations are serialized.
    """
    from llvmlite.binding import ffi

    function = getattr(ffi.lib, name)
    return getattr(function, "_cfn", function)


@cache
def _llvm_target(triple: str) -> Any:
    """Return LLVM's target of a triple. Raises TW0612 where this build of LLVM has none."""
    from llvmlite import binding

    if not triple:
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        return binding.Target.from_default_triple()
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    try:
        return binding.Target.from_triple(triple)
    except RuntimeError as error:
        fail("TW0612", f"expected a triple that LLVM makes code for, but got '{triple}': {str(error).strip()}")
