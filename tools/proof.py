"""What opt-tool does to find faults in passes: validation, bisection, reproducers."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..diagnostics import fail
from ..passes.instruments import Instrument
from ..passes.rewrite_limit import count_rewrites

if TYPE_CHECKING:
    from ..passes.validation import Validation

_REPLAYED = ("validate", "rewrite_limit", "load", "no_auto_lower")
"""The options that a reproducer keeps."""


class Proof:
    """The instruments and limits that the command line asks for."""

    def __init__(self, args: Namespace) -> None:
        self.args = args
        for option, least in (("validate", 1), ("rewrite_limit", 0)):
            value = getattr(args, option)
            if value is not None and value < least:
                fail("TW0209", f"expected --{option.replace('_', '-')} to be at least {least}, but got {value}")
        self.instruments: list[Instrument] = []
        self.validation: Validation | None = None
        if args.validate is not None or args.reproducer is not None:
            self._add_instruments()

    def _add_instruments(self) -> None:
        from ..passes.reproducer import Reproducer
        from ..passes.validation import Validation

        args = self.args
        directory = Path(args.reproducer).parent if args.reproducer is not None else None
        if args.validate is not None:
            self.validation = Validation(args.validate, directory)
        # First, so that a failure of the validation reaches a reproducer that knows about it.
        if args.reproducer is not None:
            from .files import check_writable

            check_writable(args.reproducer)
            options = {name: getattr(args, name) for name in _REPLAYED}
            self.instruments.append(Reproducer(args.reproducer, options, self.validation))
        if self.validation is not None:
            self.instruments.append(self.validation)

    @contextmanager
    def rewrites_limited(self) -> Generator[None]:
        """Make no more rewrites than the command line allows."""
        if self.args.rewrite_limit is None:
            yield
            return
        with count_rewrites(self.args.rewrite_limit) as counter:
            yield
        if counter.last:
            print(f"rewrite {counter.limit}: {counter.last}", file=sys.stderr)

    def conclude(self, module: ModuleOp) -> None:
        """Say what validation did, and compare the machine code of what the passes made.

        Raises TilewrightError TW0552 where it computes something else, TW0223 where nothing was compared at all.
        """
        if self.validation is None:
            return
        from ..driver.machine_code import WrongCode, compare_machine_code

        print(self.validation.summary(), file=sys.stderr)
        found = compare_machine_code(self.validation, module, apart=True)
        if isinstance(found, WrongCode):
            error = found.error(self.validation.directory)
            self._write_reproducer(found.module, "", error, {name: getattr(self.args, name) for name in _REPLAYED})
            raise error
        print(found, file=sys.stderr)
        if self.validation.is_empty and not found.compared:
            fail(
                "TW0223",
                "expected validation to run something, but no function was run and compared",
                help="--pass or --phase says what is validated; remarks of code TW0551 say why a function is not run",
            )

    def bisect(self, module: ModuleOp, passes: Sequence[ModulePass]) -> str:
        """What is wrong with `passes`, or with what LLVM makes of the module after them, as text; a reproducer of it
        where the command line names one."""
        from ..driver.machine_code import WrongCode, compare_machine_code
        from ..passes import bisection
        from ..passes.options import spec_of
        from ..passes.validation import DEFAULT_TRIALS, Validation

        trials = self.args.validate or DEFAULT_TRIALS
        options = {name: getattr(self.args, name) for name in _REPLAYED} | {"validate": trials}
        validation = Validation(trials)
        found = bisection.find_wrong_pass(module, passes, validation)
        if found is not None:
            if found.rewrite is not None and found.rewrite.is_counted:
                options["rewrite_limit"] = found.rewrite.number
            self._write_reproducer(found.module, spec_of(found.pass_), found.error, options)
            return found.report() + "\n"
        code = compare_machine_code(validation, module, apart=True)
        if not isinstance(code, WrongCode):
            bisection.fail_unfound(passes, validation, *str(code).splitlines())
        error = code.error()
        self._write_reproducer(code.module, "", error, options)
        culprit = code.wrong_pass()
        return "\n".join(
            [
                f"all {len(passes)} passes keep what the module computes; LLVM, or its text, does not",
                str(error),
                str(culprit or "the code is wrong without any pass of LLVM too: --emit llvm shows what it is made of"),
                "",
            ]
        )

    def _write_reproducer(self, module: ModuleOp, pipeline: str, error: Exception, options: dict[str, Any]) -> None:
        from ..passes import reproducer

        if self.args.reproducer is not None:
            recipe = reproducer.recipe_of(pipeline, error, options)
            reproducer.write(Path(self.args.reproducer), module, recipe)


def take_recipe(args: Namespace, text: str, name: str) -> None:
    """Set the options that a reproducer was written with, where the command line does not set them itself."""
    from ..passes.reproducer import read

    recipe = read(text, name)
    options: dict[str, Any] = {k: v for k, v in recipe.options.items() if k in _REPLAYED}
    if not args.load and options.get("load"):
        needed = " ".join(f"--load {shlex.quote(str(path))}" for path in options["load"])
        fail(
            "TW0671",
            f"expected the Python files that '{name}' names to be given",
            help=f"add {needed}, which runs them",
        )
    args.passes = [recipe.pipeline]
    for option in ("validate", "rewrite_limit"):
        if getattr(args, option) is None:
            setattr(args, option, options.get(option))
    print(f"reproducing {recipe.failure}", file=sys.stderr)
