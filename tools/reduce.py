"""`tilewright reduce`: the smallest IR that a command still finds interesting."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, StringAttr

from .. import backends as _backends  # noqa: F401  # pyright: ignore[reportUnusedImport]  (lowering rules)
from ..diagnostics import fail
from ..diagnostics.parsing import parse
from ..dialects import context
from ..dialects.resource import WEIGHTS_ATTRIBUTE, walk_resources
from ..passes.instruments import print_ir
from ..passes.manager import verify_module
from ..passes.reducing import Reducer, count_ops
from . import files


def reduce_file(args: Namespace) -> None:
    """Reduce the module of a file as the command line says; the result goes to standard output or to a file."""
    if args.output is not None:
        files.check_writable(args.output)
    text, name = files.read(args.file)
    module = parse(context(), text, name, in_file=args.file != files.STDIN)
    verify_module(module)
    _keep_weights_reachable(module, Path(args.file).parent)
    with tempfile.TemporaryDirectory() as folder:
        test = _Test(args.test, Path(folder), args.timeout)
        if not test(module):
            fail("TW0555", f"expected exit status 0 of the test for '{args.file}' as it is", help=test.command)
        before = count_ops(module)
        reducer = Reducer(module, test, args.limit)
        smallest = reducer.run()
    if not any(True for _ in walk_resources(smallest)):
        smallest.attributes.pop(WEIGHTS_ATTRIBUTE, None)
    print(f"{before} operations reduced to {count_ops(smallest)} by {reducer.tests} tests", file=sys.stderr)
    if args.output is None:
        sys.stdout.write(print_ir(smallest))
    else:
        files.write(args.output, print_ir(smallest))


class _Test:
    """Whether a command accepts a module: its file is the last argument, exit status 0 says yes."""

    def __init__(self, command: str, folder: Path, timeout: float) -> None:
        self.path = folder / "candidate.mlir"
        self.command = f"{command} {shlex.quote(str(self.path))}"
        self.timeout = timeout

    def __call__(self, module: ModuleOp) -> bool:
        self.path.write_text(print_ir(module), encoding="utf-8")
        try:
            done = subprocess.run(
                self.command, shell=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=self.timeout
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def _keep_weights_reachable(module: ModuleOp, directory: Path) -> None:
    named = module.attributes.get(WEIGHTS_ATTRIBUTE)
    if isinstance(named, StringAttr):
        module.attributes[WEIGHTS_ATTRIBUTE] = StringAttr(str((directory / named.data).resolve()))
