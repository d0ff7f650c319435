"""`tilewright reduce`: reduces IR while a command still finds it interesting."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from .. import backends as _backends  # noqa: F401  # pyright: ignore[reportUnusedImport]  (lowering rules)
from ..diagnostics import TilewrightError, fail
from ..diagnostics.parsing import parse
from ..diagnostics.progress import Step, task
from ..dialects import context
from ..dialects.resource import WEIGHTS_ATTRIBUTE, has_weights, save_resources, walk_resources
from ..passes.framework.instruments import print_ir
from ..passes.framework.manager import verify_module
from ..passes.framework.reducing import Reducer, count_ops
from . import files


def reduce_file(args: Namespace) -> None:
    """Reduce the module of a file as the command line says; the result goes to standard output or to a file."""
    if args.output is not None:
        files.check_writable(args.output)
    text, name = files.read(args.file)
    module = parse(context(), text, name, in_file=args.file != files.STDIN)
    verify_module(module)
    _resolve(module, Path(args.file).parent)
    weights = module.attributes.get(WEIGHTS_ATTRIBUTE)
    with tempfile.TemporaryDirectory() as folder:
        test = _Test(args.test, Path(folder), args.timeout)
        if not test(module):
            fail("TW0555", f"expected exit status 0 of the test for '{args.file}' as it is", help=test.command)
        before = count_ops(module)
        with task("tests") as step:
            test.step = step
            reducer = Reducer(module, test, args.limit)
            smallest = reducer.run()
    smallest.attributes.pop(WEIGHTS_ATTRIBUTE, None)
    if weights is not None and any(True for _ in walk_resources(smallest)):
        smallest.attributes[WEIGHTS_ATTRIBUTE] = weights
    print(f"{before} operations reduced to {count_ops(smallest)} by {reducer.tests} tests", file=sys.stderr)
    if args.output is None:
        sys.stdout.write(print_ir(smallest))
    else:
        if has_weights(smallest):
            save_resources(smallest, Path(args.output).with_suffix(".safetensors"))
        files.write(args.output, print_ir(smallest))


class _Test:
    """The interestingness test of a reduction: a command that takes the module's file as its last argument, and exits
    with status 0 if the module is interesting."""

    def __init__(self, command: str, folder: Path, timeout: float) -> None:
        self.path = folder / "candidate.mlir"
        self.command = f"{command} {shlex.quote(str(self.path))}"
        self.timeout = timeout
        self.step: Step = lambda name: None
        self._has_weights = False

    def __call__(self, module: ModuleOp) -> bool:
        if not self._has_weights and has_weights(module):
            save_resources(module, self.path.with_suffix(".safetensors"))  # the first module has all of them
            self._has_weights = True
        self.step(f"{count_ops(module)} operations")
        self.path.write_text(print_ir(module), encoding="utf-8")
        try:
            done = subprocess.run(
                self.command, shell=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=self.timeout
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def _resolve(module: ModuleOp, directory: Path) -> None:
    """Point resources at their file. A test may need no values, so that a missing file is no error."""
    from ..driver.models import resolve_weights

    try:
        resolve_weights(module, directory)
    except TilewrightError as error:
        if error.code not in ("TW0705", "TW0709"):
            raise
