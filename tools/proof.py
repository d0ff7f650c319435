"""What opt-tool does to find faults in passes: validation, bisection, reproducers."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..diagnostics import fail
from ..passes.instruments import Instrument
from ..passes.rewrite_limit import count_rewrites

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
        if args.validate is not None or args.reproducer is not None:
            self._add_instruments()

    def _add_instruments(self) -> None:
        from ..passes.reproducer import Reproducer
        from ..passes.validation import Validation

        args, validation = self.args, None
        directory = Path(args.reproducer).parent if args.reproducer is not None else None
        if args.validate is not None:
            validation = Validation(args.validate, directory)
        # First, so that a failure of the validation reaches a reproducer that knows about it.
        if args.reproducer is not None:
            from .files import check_writable

            check_writable(args.reproducer)
            options = {name: getattr(args, name) for name in _REPLAYED}
            self.instruments.append(Reproducer(args.reproducer, options, validation))
        if validation is not None:
            self.instruments.append(validation)

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

    def summarise(self) -> None:
        """Say what validation did."""
        from ..passes.validation import Validation

        for instrument in self.instruments:
            if isinstance(instrument, Validation):
                print(instrument.summary(), file=sys.stderr)

    def bisect(self, module: ModuleOp, passes: Sequence[ModulePass]) -> str:
        """What is wrong with `passes`, as text; a reproducer of it where the command line names one."""
        from ..passes import bisection, reproducer
        from ..passes.validation import DEFAULT_TRIALS

        trials = self.args.validate or DEFAULT_TRIALS
        found = bisection.bisect(module, passes, trials)
        if self.args.reproducer is not None:
            options = {name: getattr(self.args, name) for name in _REPLAYED} | {"validate": trials}
            if found.rewrite is not None and found.rewrite.is_counted:
                options["rewrite_limit"] = found.rewrite.number
            recipe = reproducer.recipe_of(found.pass_, found.error, options)
            reproducer.write(Path(self.args.reproducer), found.module, recipe)
        return found.report() + "\n"


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
