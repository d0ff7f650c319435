"""Foreign code compiled and loaded into this process, so that Python can call it: used by the interpreter."""

from __future__ import annotations

import itertools
from contextlib import ExitStack
from functools import cache
from threading import Lock
from typing import Any

from ..diagnostics import fail
from ..forks import held_off
from .c_compiler import compile_c
from .llvm_text import parse_llvm

NOT_FOUND = "TW0432"

_lock = Lock()
_libraries: list[Any] = []
_numbers = itertools.count()


@cache
def load_functions(sources: tuple[tuple[str, str], ...], names: tuple[str, ...]) -> dict[str, int]:
    """Return the addresses of functions of `sources`, as (language, code), and of this process. The code stays loaded.

    Raises TilewrightError TW0427 to TW0429 where a source cannot be compiled, TW0432 where a function is nowhere.
    """
    from llvmlite import binding

    builder = binding.JITLibraryBuilder().add_current_process()
    for language, code in sources:
        if language == "llvm":
            builder.add_object_img(_compile_llvm(code))
        else:
            builder.add_object_img(compile_c(code))
    for name in names:
        builder.export_symbol(name)
    with held_off(), _lock:
        try:
            library = builder.link(_jit(), f"foreign{next(_numbers)}")
        except RuntimeError as error:
            fail(NOT_FOUND, f"expected functions {', '.join(names)} in foreign code, but {str(error).strip()}")
        _libraries.append(library)
    return {name: library[name] for name in names}


def _compile_llvm(text: str) -> bytes:
    from llvmlite import binding

    with held_off(), ExitStack() as owned:
        machine = owned.enter_context(_machine())
        context = owned.enter_context(binding.create_context())
        module = owned.enter_context(parse_llvm(text, context))
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        return machine.emit_object(module)


@cache
def _jit() -> Any:
    from llvmlite import binding

    return binding.create_lljit_compiler(_machine(), use_jit_link=True)


def _machine() -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.Target.from_default_triple().create_target_machine(opt=2, reloc="pic", jit=True)
