"""Argument parsing and error reporting, common to the command line tools.

Nothing heavy is imported here: `--help` must be quick.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from ..diagnostics import TilewrightError

FAILURE = 1
"""The exit status of every other error."""

USAGE = 2
"""The exit status of a command line that cannot be used (TW0209), or that names a tool that fails (TW0249)."""

UNDECIDED = 3
"""The exit status where a proof was asked for and something was neither proved for all sizes nor refuted."""


class ArgumentParser(argparse.ArgumentParser):
    """argparse with the errors of this project: one line with the nearest option, exit status 2."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        # argparse calls this for commands too; an error reported here names the options of the command.
        given = list(sys.argv[1:] if args is None else args)
        result, unknown = super().parse_known_args(self._with_values(given), namespace)
        if unknown:
            from ..diagnostics.text import did_you_mean

            self.error(f"unknown argument '{unknown[0]}'{did_you_mean(unknown[0], self._option_string_actions)}")
        return result, unknown

    def _with_values(self, args: list[str]) -> list[str]:
        """Give options that may stand without a value their constant: a value follows after `=` only, another word is
        the file."""
        optional = {name: a.const for name, a in self._option_string_actions.items() if a.nargs == "?"}
        end = args.index("--") if "--" in args else len(args)
        return [f"{a}={optional[a]}" if a in optional else a for a in args[:end]] + args[end:]

    def error(self, message: str) -> NoReturn:
        from ..diagnostics import TilewrightError

        print(TilewrightError("TW0209", f"{self.prog}: {message}"), file=sys.stderr)
        raise SystemExit(USAGE)


def seconds(text: str) -> float:
    """Return the value of an option in seconds, for argparse."""
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"expected a time above 0, but got '{text}'")
    return value


def version() -> str:
    """Return the versions that a report of a fault should give."""
    from importlib.metadata import version as installed
    from platform import python_version

    from .. import __version__
    from .doctor import versions

    first = f"tilewright {__version__} (Python {python_version()}, xdsl {installed('xdsl')})"
    return f"{first}\n{versions()}"


class VersionAction(argparse.Action):
    """`--version`."""

    def __init__(self, option_strings: Sequence[str], dest: str, **_: object) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the versions of all parts")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(version())
        raise SystemExit(0)


def report(run: Callable[[], int], *, traceback: bool) -> int:
    """Call `run` and return its exit status; an error becomes one message on standard error and status 1, or 2 where
    the command line is wrong (TW0209) or the tool that it names (TW0249)."""
    from ..diagnostics import TilewrightError
    from ..diagnostics.attribution import of_user
    from ..diagnostics.progress import progress_shown
    from .terminal import show

    try:
        with plain_warnings(), progress_shown():
            status = run()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader has gone, as in `opt-tool ... | head`. Python would complain again while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except KeyboardInterrupt:
        return 130
    except TilewrightError as error:
        show(error)
        _trace(traceback)
        return USAGE if error.code in ("TW0209", "TW0249") else FAILURE
    except RecursionError as error:
        show(of_user(error) or TilewrightError("TW0105", "the IR is nested too deeply to be processed"))
        _trace(traceback)
    except MemoryError as error:
        show(TilewrightError("TW0708", f"expected enough memory, but an allocation failed: {error or 'no details'}"))
        _trace(traceback)
    except Exception as error:
        show(of_user(error) or internal(error))
        _trace(traceback)
    return FAILURE


@contextmanager
def plain_warnings() -> Generator[None]:
    """Print warnings about plugins and earlier names as one line on standard error, without the line of code."""
    from ..plugins import PluginWarning
    from ..renamed import RenamedWarning

    as_usual = warnings.showwarning
    shown = set[str]()

    def show(message: Warning | str, category: type[Warning], *where: Any) -> None:
        if issubclass(category, PluginWarning):
            print(f"warning[TW0216]: {message}", file=sys.stderr)
        elif issubclass(category, RenamedWarning):
            if str(message) not in shown:
                print(f"note: {message}", file=sys.stderr)
            shown.add(str(message))
        else:
            as_usual(message, category, *where)

    with warnings.catch_warnings():
        warnings.showwarning = show
        warnings.simplefilter("always", RenamedWarning)
        yield


def internal(error: Exception) -> TilewrightError:
    """Return the error for an exception that is an internal error of the compiler."""
    from ..diagnostics import TilewrightError
    from ..diagnostics.attribution import notes_of

    return TilewrightError(
        "TW0299",
        f"internal error of the compiler: {type(error).__name__}: {error}",
        notes=notes_of(error),
        help="run with --traceback and report the output, with the reproducer where a note names one",
    )


def _trace(wanted: bool) -> None:
    """Print the traceback of the exception at hand, with those that it replaces."""
    if not wanted:
        return
    from traceback import print_exc

    error = sys.exception()
    while error is not None:
        error.__suppress_context__ = False
        error = error.__cause__ or error.__context__
    print_exc(file=sys.stderr)
