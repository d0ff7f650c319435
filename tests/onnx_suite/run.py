"""The tests of the onnx package, all of them, in processes: `make onnx`.

    python tests/onnx_suite/run.py [--kinds node simple real] [--jobs N] [--match TEXT] [--write docs/onnx.md]

A line for each test that is wrong or raises what is no error of ours, then a table of reasons. The exit status is 1
where there is such a test.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

os.environ.setdefault("TILEWRIGHT_PROGRAM_CACHE", "0")

import onnx
from page import write_part
from suite import KINDS, PASSED, RAW, REFUSED, WRONG, Outcome, cases, judge

_CASES = {}
"""The tests by kind, made once and shared with the processes by fork."""

_PAGE = """\
# The tests of ONNX

`make onnx` compiles and runs the tests that the onnx package brings ({version}), as they are fed: inputs stay inputs.
A result counts where its dtype, its shape and its values are right: within 1e-3 and 1e-7 of what is expected, unless a
test says otherwise, and within two units in the last place of float16 and bfloat16. Refused tests end in one error with
a code.

{table}

## Reasons

{reasons}
"""


def _judge(key: tuple[str, int]) -> Outcome:
    kind, number = key
    return judge(_CASES[kind][number])


def outcomes(kinds: Sequence[str], jobs: int, match: str) -> Iterator[Outcome]:
    """Yield the outcome of each test. A process that dies is a raw error of its current test."""
    _CASES.update({kind: [case for case in cases(kind) if match in case.name] for kind in kinds})
    keys = [(kind, number) for kind in kinds for number in range(len(_CASES[kind]))]
    with multiprocessing.get_context("fork").Pool(jobs, maxtasksperchild=100) as pool:
        running = [(key, pool.apply_async(_judge, (key,))) for key in keys]
        for (kind, number), waiting in running:
            try:
                yield waiting.get(timeout=600)
            except multiprocessing.TimeoutError:
                yield Outcome(kind, _CASES[kind][number].name, RAW, "no answer within ten minutes: it hangs or died")


def counts(found: Sequence[Outcome], kinds: Sequence[str]) -> str:
    """Return the table of verdicts by kind."""
    lines = [f"| tests | {PASSED} | {REFUSED} | {WRONG} | {RAW} |", "|---|---|---|---|---|"]
    for kind in kinds:
        count = Counter(each.verdict for each in found if each.kind == kind)
        lines.append(f"| {kind} | {' | '.join(str(count[v]) for v in (PASSED, REFUSED, WRONG, RAW))} |")
    return "\n".join(lines)


def reasons(found: Sequence[Outcome]) -> str:
    """Return the table of reasons of refusals, the most frequent first."""
    count = Counter(each.reason for each in found if each.verdict == REFUSED)
    rows = [f"| {number} | {reason.replace('|', chr(92) + '|')} |" for reason, number in count.most_common()]
    return "\n".join(["| tests | refused with |", "|---|---|", *rows])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--match", default="", metavar="TEXT", help="only tests with this in their names")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables there too")
    args = parser.parse_args()
    found: list[Outcome] = []
    for outcome in outcomes(args.kinds, args.jobs, args.match):
        found.append(outcome)
        if outcome.verdict in (WRONG, RAW):
            print(f"{outcome.verdict}: {outcome.name}: {outcome.reason}", flush=True)
    print(reasons(found), counts(found, args.kinds), sep="\n\n")
    if args.write is not None:
        page = _PAGE.format(version=onnx.__version__, table=counts(found, args.kinds), reasons=reasons(found))
        write_part(args.write, "# The tests of ONNX", page)
    return any(outcome.verdict in (WRONG, RAW) for outcome in found)


if __name__ == "__main__":
    sys.exit(main())
