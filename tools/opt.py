"""opt-tool: runs passes over IR.

Standard output has IR alone; all messages go to standard error.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .common import FAILURE, UNDECIDED, ArgumentParser, VersionAction, report
from .watch import (
    CODE,
    UPSTREAM,
    add_debug_option,
    add_fast_option,
    add_level_option,
    add_trust_options,
    add_watch_options,
    check_emitted,
    optioned,
)

if TYPE_CHECKING:
    from .process import Processor

_EMITTED = (*CODE, "schedule", "tvmscript", UPSTREAM)
_DESCRIPTION = """\
Reads IR of any of the dialects, or a script in TVMScript (a file .py), runs passes over it and prints what comes out.

  opt-tool --pass "fuse,tile{sizes=32,32},vectorize{width=16}" matmul.mlir

Where a pass works on a lower dialect than the module has, the conversions in between are inserted."""


def argument_parser() -> ArgumentParser:
    """Return the command line of opt-tool."""
    from argparse import RawDescriptionHelpFormatter

    parser = ArgumentParser(
        "opt-tool", description=_DESCRIPTION, formatter_class=RawDescriptionHelpFormatter, allow_abbrev=False
    )
    add = parser.add_argument
    add("file", nargs="?", default="-", help="the IR; - or nothing reads standard input")
    add("-o", "--output", metavar="FILE", help="write the result here, whole or not at all")
    add("--version", action=VersionAction)
    add("--traceback", action="store_true", help="show the Python traceback of an error")

    group = parser.add_argument_group("passes")
    add = group.add_argument
    add("-p", "--pass", dest="passes", metavar="PIPELINE", action="append", default=[],
        help="passes to run, separated by commas, with options in braces; may be given several times")  # fmt: skip
    add("--schedule", metavar="FILE", help="before them, apply the schedule.sequence operations of this file")
    add("--phase", type=int, choices=range(4), metavar="0..3",
        help="then run the default pipeline up to this phase")  # fmt: skip
    add_level_option(add)
    add_fast_option(add)
    add("--target", metavar="TARGET",
        help='the target where the module names none: this machine (host), no target (none), or another one: '
        'aarch64, riscv64, wasm32, a triple, or as in "llvm -mcpu=x86-64-v3"; without it this machine, which the '
        "output then does not name")  # fmt: skip
    add("--load", metavar="FILE.py", action="append", default=[],
        help="a Python file that registers passes, dialects or rules")  # fmt: skip
    add("--allow-unregistered-dialect", action="store_true",
        help="read operations of dialects that are not known; passes leave them alone")  # fmt: skip
    add("--list-passes", action="store_true", help="list the passes with phase, level and options")
    add_trust_options(add)
    add("--no-auto-lower", action="store_true", help="a missing conversion is an error")

    group = parser.add_argument_group("output")
    add = group.add_argument
    add("--emit", metavar=f"{{{','.join(_EMITTED)}}}", default="mlir",
        help="what to print (default: mlir); schedule: what default schedules would do, for --schedule; tvmscript: "
        "loops in Python's syntax; mlir-upstream: the loops in func, arith, math, memref, scf, affine and vector, for "
        "mlir-opt")  # fmt: skip
    add_debug_option(add)
    add("--print-op-generic", action="store_true", help="print operations in the generic form")
    add("--print-locations", action="store_true", help="print the source location of every operation")

    group = parser.add_argument_group("watching passes (on standard error)")
    add = group.add_argument
    add("--print-ir-before", metavar="PASS", action="append", default=[], help="print the IR before this pass")
    add("--print-ir-after", metavar="PASS", action="append", default=[], help="print the IR after this pass")
    add("--print-ir-after-all", action="store_true", help="print the IR after every pass")
    add("--print-ir-after-change", metavar="=full", nargs="?", const="diff", choices=("diff", "full"),
        help="print what every pass changed, as a diff, or the whole IR after passes that changed it")  # fmt: skip
    add("--print-pipeline", action="store_true", help="print the passes that run, inserted conversions included")
    add_watch_options(group)

    group = parser.add_argument_group("finding faults in passes")
    add = group.add_argument
    add("--validate", metavar="=HOW", nargs="?", const="sampled",
        help="check that passes keep what functions compute. sampled (default): run functions before and after every "
        "pass on random inputs; symbolic: prove them equal for all sizes, and run those that no proof decides; both. "
        "A number says on how many sets of inputs, 2 by default: --validate=4, --validate=symbolic,4")  # fmt: skip
    add("--bisect", action="store_true",
        help="find the first pass, and in it the first rewrite, that is wrong: on inputs, then by proofs")  # fmt: skip
    add("--rewrite-limit", metavar="N", type=int, help="make no more than the first N rewrites")
    add("--reproducer", metavar="FILE", help="where a pass fails, write the IR before it and how to run it")
    add("--run-reproducer", action="store_true", help="run what the file, a reproducer, says over its IR")

    group = parser.add_argument_group("testing")
    add = group.add_argument
    add("--split-input-file", action="store_true", help="treat parts separated by '// -----' one by one")
    add("--verify-diagnostics", action="store_true",
        help="expect the errors that '// expected-error {{...}}' comments announce, and no others")  # fmt: skip
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    args = argument_parser().parse_args(argv)
    return report(lambda: _run_optioned(args), traceback=args.traceback)


def _run_optioned(args: Namespace) -> int:
    from .observing import around_command

    with optioned(args), around_command():
        return _run(args)


def _run(args: Namespace) -> int:
    from . import files
    from .process import Processor

    for path in args.load:
        from .plugins import load_file

        load_file(path)
    check_emitted(args.emit, _EMITTED)
    if args.list_passes:
        from .pass_descriptions import list_passes

        print(list_passes())
        return 0
    text, name = files.read(args.file)
    if args.run_reproducer:
        from .proof import take_recipe

        take_recipe(args, text, name)
    processor = Processor(args)
    parts = files.split(text) if args.split_input_file else [text]
    results: list[str] = []
    with processor.requiring(), processor.watch.reporting():
        failed = not _process_parts(processor, parts, name, results)
    output = files.SEPARATOR.join(results)
    if failed:
        return FAILURE
    if args.output is None:
        sys.stdout.write(output)
    else:
        files.write(args.output, output)
    return UNDECIDED if processor.is_undecided else 0


def _process_parts(processor: Processor, parts: Sequence[str], name: str, results: list[str]) -> bool:
    """Process the parts of the input and return whether those that should fail did so as they should."""
    is_right = True
    for number, part in enumerate(parts):
        processor.begin_part(number if len(parts) > 1 else None)
        if processor.args.verify_diagnostics:
            is_right &= _check_part(processor, part, name, results)
        else:
            results.append(processor.process(part, name))
    return is_right


def _check_part(processor: Processor, part: str, name: str, results: list[str]) -> bool:
    """Process one part and compare its error, if any, with the comments; return whether they agree."""
    from ..diagnostics import TilewrightError
    from .expectations import check
    from .terminal import show

    error: TilewrightError | None = None
    try:
        results.append(processor.process(part, name))
    except TilewrightError as raised:
        error = raised
    problems = check(part, name, error)
    for problem in problems:
        show(problem)
    return not problems


if __name__ == "__main__":
    sys.exit(main())
