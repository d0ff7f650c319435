"""Options of opt-tool that find faults in passes: validation, bisection, reproducers."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..diagnostics import fail
from ..diagnostics.text import did_you_mean
from ..ir.rewrites import count_rewrites
from ..passes.framework.instruments import Instrument

if TYPE_CHECKING:
    from ..passes.framework.validation import Mode, Validation

_REPLAYED = ("validate", "rewrite_limit", "load", "no_auto_lower")
"""The options that a reproducer keeps."""

_SECONDS = 10.0
"""The time limit of a proof that --bisect tries without --validate=symbolic."""


class How(NamedTuple):
    """The value of `--validate`: `symbolic`, `4`, or both in this order with a comma."""

    mode: Mode
    trials: int

    @staticmethod
    def of(text: str | int) -> How:
        """Read it. Raises TilewrightError TW0209."""
        from ..passes.framework.validation import DEFAULT_TRIALS, MODES

        word, separator, number = str(text).partition(",")
        if not separator and word.lstrip("-").isdecimal():
            word, number = "sampled", word
        mode: Mode | None = next((mode for mode in MODES if mode == word), None)
        if mode is None or (separator and not number.isdecimal()):
            among = f"{', '.join(MODES)}, a number of trials, or one of each with a comma between"
            fail("TW0209", f"expected --validate to be {among}, but got '{text}'{did_you_mean(word, MODES)}")
        if number and int(number) < 1:
            fail("TW0209", f"expected --validate to be at least 1, but got {number}")
        return How(mode, int(number) if number else DEFAULT_TRIALS)

    def __str__(self) -> str:
        return f"{self.mode},{self.trials}"


class Proof:
    """The instruments and limits that the options select."""

    def __init__(self, args: Namespace) -> None:
        self.args = args
        self.how = None if args.validate is None else How.of(args.validate)
        if args.rewrite_limit is not None and args.rewrite_limit < 0:
            fail("TW0209", f"expected --rewrite-limit to be at least 0, but got {args.rewrite_limit}")
        self.instruments: list[Instrument] = []
        self.validation: Validation | None = None
        if args.validate is not None or args.reproducer is not None:
            self._add_instruments()

    def _add_instruments(self) -> None:
        from ..passes.framework.reproducer import Reproducer
        from ..passes.framework.validation import Validation

        args = self.args
        directory = Path(args.reproducer).parent if args.reproducer is not None else None
        if self.how is not None:
            self.validation = Validation(self.how.trials, directory, self.how.mode)
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
        with count_rewrites(self.args.rewrite_limit, counts_passes=True) as counter:
            yield
        if counter.last:
            print(f"rewrite {counter.limit}: {counter.last}", file=sys.stderr)

    @contextmanager
    def telling(self) -> Generator[None]:
        """Report the proofs so far when a pass fails inside the `with`, for any reason."""
        try:
            yield
        except Exception:
            if self.validation is not None and self.validation.proofs is not None:
                print(self.validation.proofs.table(), file=sys.stderr)
            raise

    def conclude(self, module: ModuleOp) -> bool:
        """Report the validation, and compare the machine code of the resulting module; return whether proofs were
        undecided.

        Raises TilewrightError TW0552 where it computes something else, TW0223 where nothing was compared at all.
        """
        if self.validation is None:
            return False
        from ..driver.machine_code import WrongCode, compare_machine_code

        print(self.validation.summary(), file=sys.stderr)
        found = compare_machine_code(self.validation, module, forked=True)
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
        proofs = self.validation.proofs
        return proofs is not None and not proofs.is_complete

    def bisect(self, module: ModuleOp, passes: Sequence[ModulePass]) -> str:
        """Return a description of the fault in `passes`, or in LLVM's work on the module after them; writes a
        reproducer where the command line names one."""
        from ..analysis.equivalence import Budget
        from ..driver.machine_code import WrongCode, compare_machine_code
        from ..passes.framework import bisection
        from ..passes.framework.options import spec_of
        from ..passes.framework.validation import Validation

        how = self.how or How.of("sampled")
        options = {name: getattr(self.args, name) for name in _REPLAYED} | {"validate": str(how)}
        validation, given = Validation(how.trials, mode=how.mode), module.clone()
        found = bisection.find_wrong_pass(module, passes, validation)
        if found is None and self.how is None:
            # No inputs showed a difference: a proof covers all sizes, and rare values of inputs.
            proving = Validation(how.trials, mode="symbolic", budget=Budget(seconds=_SECONDS))
            found = bisection.find_wrong_pass(given, passes, proving)
            options["validate"] = "symbolic"
        if found is not None:
            if found.rewrite is not None and found.rewrite.is_counted:
                options["rewrite_limit"] = found.rewrite.number
            self._write_reproducer(found.module, spec_of(found.pass_), found.error, options)
            return found.report() + "\n"
        code = compare_machine_code(validation, module, forked=True)
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
        from ..passes.framework import reproducer

        if self.args.reproducer is not None:
            recipe = reproducer.recipe_of(pipeline, error, options)
            reproducer.write(Path(self.args.reproducer), module, recipe)


def take_recipe(args: Namespace, text: str, name: str) -> None:
    """Set the options that a reproducer was written with, where the command line does not set them itself."""
    from ..passes.framework.reproducer import read

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
