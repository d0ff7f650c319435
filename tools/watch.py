"""Options that report on a compilation, shared by the command line tools, and their implementation.

Reports are written to standard error or to the named files, even if the compilation fails.
"""

from __future__ import annotations

import re
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..diagnostics.remarks import Remark
    from ..passes.framework.instruments import DumpIR, Instrument, Statistics
    from ..passes.framework.instruments.spans import Recorder


def add_watch_options(group: Any) -> None:
    """Add the options to an argument parser or one of its groups."""
    add = group.add_argument
    add("--dump-dir", metavar="DIR", help="write the module after every pass to this folder, and the code made of it")
    add("--trace", metavar="DIR", help="write the same and one page, DIR/index.html, that shows what each pass did")
    add("--remarks", metavar="=KINDS", nargs="?", const="passed,missed,analysis", default=(), type=_remark_kinds,
        help="print what passes have to say, such as why a loop is not vectorised; of passed, missed and analysis "
        "those given")  # fmt: skip
    add("--remarks-filter", metavar="REGEX", type=_pattern, help="only remarks of passes whose name this matches")
    add("--remarks-output", metavar="FILE.yaml", help="write all remarks, or those filtered, to this file")
    add("--timing", action="store_true", help="print a tree of what took how long")
    add("--statistics", metavar="=json", nargs="?", const="table", choices=("table", "json"),
        help="print how often each pass rewrote what, and operations before and after")  # fmt: skip
    add("--perfetto", metavar="FILE.json", help="write a trace of compile time, for ui.perfetto.dev")


CODE = ("mlir", "llvm", "asm", "c", "opencl", "cuda-python", "ptx", "sass")
"""The forms of a module that `--emit` prints."""


UPSTREAM = "mlir-upstream"
"""The choice of `--emit` that prints loops in dialects of upstream MLIR."""


def add_debug_option(add: Any) -> None:
    """Add `-g` through the `add_argument` of a parser or a group."""
    add("-g", dest="debug_info", metavar="=LINES", nargs="?", const="ir", choices=("ir", "source"),
        help="let compiled code name its lines to debuggers and profilers: those of the final IR, or with -g=source "
        "of the file that it comes from")  # fmt: skip


def add_trust_options(add: Any) -> None:
    """Add the options for the permissions of a file."""
    add("--allow-foreign", action="store_true",
        help="let files bring and call foreign code, which can do anything that you can do")  # fmt: skip
    add("--weights-outside", action="store_true",
        help="let models name files of weights outside of their folder")  # fmt: skip


def add_level_option(add: Any) -> None:
    """Add -O0 to -O3 through the `add_argument` of a parser or a group."""
    add("-O", dest="opt_level", metavar="0..3", type=int, choices=range(4),
        help="how much to optimise. 0: what a target needs and schedules ask for; 1: fusion and simplifications that "
        "keep every rounding; 2 (default): layouts, ranges without conditions, fused multiplication and addition; 3: "
        "LLVM spends more time")  # fmt: skip


def add_fast_option(add: Any) -> None:
    """Add `--fast` through the `add_argument` of a parser or a group."""
    add("--fast", action="store_true",
        help="let sums of two products of bytes saturate at 16 bits where that saves instructions, as on x86-64 "
        "without VNNI; --remarks names the kernels (TW0794). Default: all sums of integers are exact")  # fmt: skip


def add_records_option(add: Any) -> None:
    """Add `--records` through the `add_argument` of a parser or a group."""
    add("--records", metavar="FILE.jsonl",
        help="a file of tuning records: functions that were tuned get the best schedule that was measured")  # fmt: skip


@contextmanager
def optioned(args: Namespace) -> Generator[None]:
    """Compile by the options of `add_level_option`, `add_fast_option` and `add_records_option`, and give files the
    permissions of `add_trust_options`."""
    given = ("allow_foreign", "weights_outside", "fast")
    config: dict[str, Any] = {key: True for key in given if getattr(args, key, False)}
    if getattr(args, "records", None) is not None:
        from ..passes.framework.context import with_records

        config |= with_records(args.records)
    level: int | None = getattr(args, "opt_level", None)
    if not config and level is None:
        yield
        return
    from ..passes.framework.context import more_settings

    with more_settings(opt_level=level, **config):
        yield


def check_emitted(kind: str, known: Sequence[str] = CODE) -> None:
    """Raise TilewrightError TW0209 for a kind of text that neither is `known` nor a backend makes, as files and plugins
    may register."""
    if kind in known:
        return
    from ..backends import backends
    from ..diagnostics import fail
    from ..diagnostics.text import did_you_mean

    kinds = [*known, *(text for backend in backends() for text in backend.texts if text not in known)]
    if kind not in kinds:
        near = did_you_mean(kind, kinds)
        fail("TW0209", f"argument --emit: expected one of {', '.join(kinds)}, but got '{kind}'{near}")


class Watch:
    """The instruments and output files that the options select. Raises TilewrightError TW0204 for files that cannot be
    written, before any work."""

    def __init__(self, args: Namespace) -> None:
        from .files import check_writable

        self.args = args
        for path in (args.remarks_output, args.perfetto):
            if path is not None:
                check_writable(path)
        self.instruments: list[Instrument] = []
        self._remarks: list[Remark] = []
        self._recorder: Recorder | None = None
        self._statistics: Statistics | None = None
        self._dump: DumpIR | None = None
        self._add_instruments()

    def _add_instruments(self) -> None:
        args = self.args
        if args.dump_dir is not None:
            from ..passes.framework.instruments import DumpIR

            self._dump = DumpIR(args.dump_dir)
            self.instruments.append(self._dump)
        if args.statistics is not None:
            from ..passes.framework.instruments import Statistics

            self._statistics = Statistics()
            self.instruments.append(self._statistics)
        if args.trace is not None:
            self._add_trace()
        if args.timing or args.perfetto is not None:
            from ..passes.framework.instruments.spans import Recorder

            self._recorder = Recorder()

    def _add_trace(self) -> None:
        from pathlib import Path

        from ..passes.framework.tracing import Trace

        source = getattr(self.args, "file", None) or self.args.model
        self.instruments.append(Trace(self.args.trace, "standard input" if source == "-" else Path(source).name))

    def begin_part(self, number: int | None) -> None:
        """Say which part of the input comes; None where there is only one."""
        if self._dump is not None:
            self._dump.folder = "" if number is None else f"part{number}"

    def recording(self) -> AbstractContextManager[object]:
        """Record the times of the work inside the `with`."""
        return nullcontext() if self._recorder is None else self._recorder.recording()

    @contextmanager
    def watching(self, more: Sequence[Instrument] = ()) -> Generator[None]:
        """Watch compilations inside the `with`; `more` instruments come first."""
        with ExitStack() as active:
            instruments = [*more, *self.instruments]
            lines = self.args.debug_info
            is_unchecked = getattr(self.args, "unchecked", False)
            if instruments or lines is not None or is_unchecked:
                from ..passes.framework.context import PassContext

                config: dict[str, Any] = {} if lines is None else {"debug_info": True, "debug_lines": lines}
                if is_unchecked:
                    config["unchecked"] = True
                active.enter_context(PassContext.current().derived(config, instruments=instruments))
            active.enter_context(self.recording())
            if self.args.remarks or self.args.remarks_output is not None:
                from ..diagnostics.remarks import collect_remarks

                found = active.enter_context(collect_remarks())
                active.callback(lambda: self._remarks.extend(found))
            yield

    @contextmanager
    def reporting(self) -> Generator[None]:
        """Print and write the findings at the end of the `with`."""
        try:
            yield
        finally:
            self._report_remarks()
            if self._recorder is not None:
                self._report_times(self._recorder)
            if self._statistics is not None:
                is_json = self.args.statistics == "json"
                print(self._statistics.as_json() if is_json else self._statistics.report(), file=sys.stderr)

    def _report_remarks(self) -> None:
        pattern = self.args.remarks_filter
        # Of a loop that a pass copied, later passes say the same for each copy.
        found = {remark if remark.location is not None else id(remark): remark for remark in self._remarks}
        chosen = [r for r in found.values() if pattern is None or pattern.search(r.pass_name)]
        sys.stderr.writelines(f"{remark}\n" for remark in chosen if remark.kind in self.args.remarks)
        if self.args.remarks_output is not None:
            from ..diagnostics.remarks import as_yaml
            from .files import write

            kinds = self.args.remarks
            write(self.args.remarks_output, as_yaml(r for r in chosen if not kinds or r.kind in kinds))

    def _report_times(self, recorder: Recorder) -> None:
        if self.args.timing:
            from ..passes.framework.instruments.timing import time_report

            print(time_report(recorder), file=sys.stderr)
        if self.args.perfetto is not None:
            from ..passes.framework.instruments.spans import chrome_trace_text
            from .files import write

            write(self.args.perfetto, chrome_trace_text(recorder))


def _remark_kinds(text: str) -> tuple[str, ...]:
    from ..diagnostics.remarks import KINDS
    from ..diagnostics.text import did_you_mean

    chosen = tuple(kind.strip() for kind in text.split(","))
    for kind in chosen:
        if kind not in KINDS:
            raise ArgumentTypeError(f"expected some of {', '.join(KINDS)}, but got '{kind}'{did_you_mean(kind, KINDS)}")
    return chosen


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise ArgumentTypeError(f"expected a regular expression, but got '{text}': {error}") from error
