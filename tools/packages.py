"""`tilewright compile -o x.so` and other output formats, and `tilewright info`: packages for deployment."""

from __future__ import annotations

import json
import re
import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ..diagnostics import fail
from ..passes.framework.instruments.spans import span
from . import files
from .sizes import GivenSizes
from .watch import Watch

FORMS = {
    ".so": "llvm",
    ".tar": "llvm",
    ".o": "llvm",
    ".c": "c -vector-width=128 -threads=1",
    ".wasm": "wasm32",
    ".ptx": "cuda",
}
"""Ends of the names of programs -> the targets that they are for unless the command line names one."""

_FUNCTION = re.compile(r"(?P<file>.+\.py):(?P<name>[A-Za-z_]\w*)")


def check_form(output: str | None, ending: str, texts: Iterable[str]) -> None:
    """Raise TilewrightError TW0262 where a file name ends in no form that is written."""
    known = [*FORMS, *texts]
    if ending not in known:
        fail("TW0262", f"expected a file name that ends in {', '.join(known[:-1])} or {known[-1]}, but got '{output}'")


def save_program(args: Namespace, given: GivenSizes, watch: Watch) -> None:
    """Compile a model and write it in the form that the output's name ends in."""
    from ..driver import compile

    output = Path(args.output)
    target = args.target or FORMS[output.suffix]
    if output.suffix == ".c":
        _save_c(args.model, given, watch, output, target)
        return
    with watch.reporting(), watch.watching():
        if _FUNCTION.fullmatch(args.model):
            program = compile(load_source(args.model, given), target)
        else:
            files.check_model(args.model)
            options: dict[str, Any] = {"shapes": given.shapes, "sizes": given.sizes, "specialise": given.versions}
            program = compile(args.model, target, **{key: value for key, value in options.items() if value})
        with span("save", "compile"):
            program.save(output, weights=args.weights)
    print(_written(output), file=sys.stderr)


def _save_c(model: str, given: GivenSizes, watch: Watch, output: Path, target: str) -> None:
    """Write a model as C files and print their sizes."""
    from ..driver.building import write_c_files

    with watch.reporting(), watch.watching():
        with span("load", "compile"):
            module = load_source(model, given)
        sizes = write_c_files(module, output, target)
    print(f"{output}: {sizes}", file=sys.stderr)


def _written(output: Path) -> str:
    """Return a line about the file that was written, with its sizes."""
    size = f"{output}: {output.stat().st_size} bytes"
    if output.suffix not in (".so", ".tar", ".o"):
        return size
    from ..runtime.package_info import package_info

    info = package_info(output)
    inside = not info.weights or output.suffix == ".tar"
    return f"{size}, {info.constant_bytes} of constants {'among them' if inside else f'in {info.weights}'}"


def load_source(model: str, given: GivenSizes) -> ModuleOp:
    """Load the module that the command line names: a file, or a function of a Python file, which is called."""
    from ..driver import load_model

    found = _FUNCTION.fullmatch(model)
    if found is None:
        files.check_model(model)
        options = {"shapes": given.shapes, "sizes": given.sizes, "specialise": given.versions}
        return load_model(model, **{key: value for key, value in options.items() if value})  # type: ignore[arg-type]
    return _module_of(found["file"], found["name"])


def _module_of(path: str, name: str) -> ModuleOp:
    """Return the result of a function of a Python file as a module: tensors, a schedule and its arguments, or IR."""
    from ..diagnostics.text import did_you_mean
    from ..driver.programs import as_module
    from .plugins import load_file

    namespace = vars(load_file(path))
    if name not in namespace:
        public = [each for each, value in namespace.items() if callable(value) and not each.startswith("_")]
        fail("TW0263", f"'{path}' has no function '{name}'{did_you_mean(name, public)}")
    made = namespace[name]
    if callable(made) and not hasattr(made, "op"):
        made = made()
    if isinstance(made, tuple) and len(made) == 2 and isinstance(made[1], (list, tuple)):
        return as_module(*made)
    return as_module(made)


def print_info(package: str, *, as_json: bool) -> None:
    """Print the inputs, outputs and requirements of a saved program."""
    from ..runtime.package_info import package_info

    info = package_info(Path(package))
    print(json.dumps(info.as_json(), indent=2) if as_json else info)
