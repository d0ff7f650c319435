"""`tilewright import` and `tilewright compile`."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from ..diagnostics import fail
from ..dialects.resource import save_resources
from ..passes.framework.instruments import print_ir
from ..passes.framework.instruments.spans import span
from ..passes.framework.manager import verify_module
from . import files
from .sizes import GivenSizes
from .watch import Watch, check_emitted


def import_file(model: str, output: str | None, given: GivenSizes) -> None:
    """Import the ONNX file `model` into the IR file `output`, its weights beside it as .safetensors."""
    from ..driver.versions import merged_versions
    from ..frontends.onnx import import_model
    from ..frontends.onnx.model_file import read_model

    files.check_model(model)
    target = Path(output) if output is not None else Path(Path(model).stem + ".mlir")
    if target.suffix in (".onnx", ".safetensors"):
        fail("TW0204", f"cannot write IR to '{target}': the name is that of another kind of file", help="use .mlir")
    if Path(model).suffix == ".mlir":
        read_model(Path(model))  # which is IR, and no model to import
    files.check_output(str(target), model)
    versions = given.versions or [{}]
    parts = [import_model(model, shapes=given.shapes, sizes=given.sizes, values=values) for values in versions]
    module = merged_versions(parts)
    verify_module(module)
    save_resources(module, target.with_suffix(".safetensors"))
    files.write(str(target), print_ir(module))


def report_file(model: str) -> int:
    """Print which operators of an ONNX file can be imported; 1 if not all of them can."""
    from ..frontends.onnx.coverage import coverage

    files.check_model(model)
    found = coverage(model)
    print(found)
    return 0 if found.is_complete else 1


_TEXTS = {".s": "asm", ".ll": "llvm", ".mlir": "mlir"}
"""Ends of file names -> the texts that they are for."""


def compile_file(args: Namespace, given: GivenSizes, watch: Watch) -> None:
    """Compile a model and write the requested output: a program in the form that the output's name ends in, or
    text."""
    from .packages import FORMS, check_form, save_program

    output = args.output
    ending = ".s" if output is None or files.is_special(output) else Path(output).suffix
    if args.emit is None:
        check_form(output, ending, _TEXTS)
    else:
        check_emitted(args.emit)
        if ending in FORMS and args.emit != ending[1:]:
            fail("TW0262", f"cannot write {args.emit} to '{output}': a name that ends so is that of a program")
    if args.weights is not None and (args.emit is not None or ending != ".so"):
        fail("TW0209", "expected --weights for a library (-o x.so) only", help="leave it out")
    if output is not None:
        files.check_output(output, args.model)
    if args.emit is None and ending in FORMS:
        save_program(args, given, watch)
    else:
        _write_text(args, given, watch, args.emit or _TEXTS[ending])


def _write_text(args: Namespace, given: GivenSizes, watch: Watch, kind: str) -> None:
    from ..driver import emit
    from .packages import load_source

    with watch.reporting(), watch.watching():
        with span("load", "compile"):
            module = load_source(args.model, given)
        text = emit(module, kind, args.target or "llvm")
    if args.output is None:
        sys.stdout.write(text)
    else:
        files.write(args.output, text)
