"""The system's compiler as a linker: `cc.create_shared("deploy.so", ["part.o"])`."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ...diagnostics import fail

_MISSING = "install one (gcc or clang), or name one in the environment variable CC"


def get_cc() -> str | None:
    """Return the path of a compiler for C++ or C: that of the environment variable CXX or CC, else g++, clang++, cc or
    gcc; None where there is none."""
    named = (os.environ.get("CXX"), os.environ.get("CC"), "g++", "gcc", "clang++", "clang", "c++", "cc")
    return next((path for name in named if name and (path := shutil.which(name.split()[0]))), None)


def create_shared(
    output: str, objects: str | Sequence[str], options: Sequence[str] | None = None, cc: str | None = None
) -> None:
    """Link object files, or compile source files, to a shared library.

    Raises TilewrightError TW0613 where the compiler is missing or fails.
    """
    run([_compiler(cc), "-shared", "-fPIC", "-o", output, *_files(objects), *(options or ())], "link")


def create_executable(
    output: str, objects: str | Sequence[str], options: Sequence[str] | None = None, cc: str | None = None
) -> None:
    """Link object files, or compile source files, to a program. Raises TW0613 as `create_shared` does."""
    run([_compiler(cc), "-o", output, *_files(objects), *(options or ())], "link")


def cross_compiler(compile_func: str | Callable[..., Any], options: Sequence[str] | None = None) -> Callable[..., None]:
    """Return `create_shared` by another compiler, a path or a function of the same arguments, always with these
    options."""
    always = [*(options or ())]

    def create(output: str, objects: str | Sequence[str], options: Sequence[str] | None = None) -> None:
        given = [*always, *(options or ())]
        if callable(compile_func):
            compile_func(output, objects, options=given)
        else:
            create_shared(output, objects, given, compile_func)

    return create


def run(command: Sequence[str], what: str) -> str:
    """Run a compiler and return its output. Raises TW0613 where it is missing or fails."""
    if shutil.which(command[0]) is None:
        missing(command[0])
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        problem = done.stderr.strip() or f"status {done.returncode}"
        fail("TW0613", f"expected '{command[0]}' to {what}, but it failed: {problem}", help="see what it says")
    return done.stdout


def missing(name: str, remedy: str = _MISSING) -> NoReturn:
    """Raise TW0613 for a compiler that is not there."""
    fail("TW0613", f"expected a compiler, but '{name}' cannot be found", help=remedy)


def _compiler(given: str | None) -> str:
    found = given or get_cc()
    return found if found is not None else missing("cc")


def _files(objects: str | Sequence[str]) -> list[str]:
    return [objects] if isinstance(objects, str) else list(objects)
