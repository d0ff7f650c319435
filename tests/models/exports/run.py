"""Networks as torch exports them, imported as they are and compared with onnxruntime: `make test-models`.

    python tests/models/exports/run.py FOLDER [--match TEXT] [--jobs N] [--no-times] [--write FILE]

FOLDER holds what export.py wrote. Each export is a process of its own. A row says whether it imports, the largest error
over the spread of the outputs, how often it was compiled, the CPU seconds of import and compilation beside those of
light ResNet-50, and the time of one thread beside onnxruntime's, and OpenVINO's where that is installed. Exports whose
sizes are open are run at each of their sizes by one program; networks of texts have to be compiled once for twenty
lengths, and refuse a length that they have no positions for by its name.

Quantised networks are compared with onnxruntime on integers with exact sums, networks in float16 with the one in
float32; beside the error stands the one that onnxruntime shows where ties are rounded to the other side, or in float16:
an error above twice that is wrong. Their rows have the time beside our float32 network, and how many of the
convolutions and products that are quantised in the file are computed on integers.

The exit status is 1 where an export is wrong, or more are refused than `ALLOWED`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from math import exp, log
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    __package__ = "tests.models.exports"

ALLOWED = 5
"""The number of fixed exports that may be refused."""
LIMIT = 900
"""Seconds for an export."""
OPEN = "-open"
FORM, FLOAT16 = "form.json", "float16"
RIGHT, WRONG, REFUSED, RAW, ABSENT = "right", "wrong", "refused", "raw error", "not exported"


@dataclass
class Row:
    """The outcome of an export."""

    name: str
    verdict: str
    reason: str = ""
    error: float = 0.0
    beside: float = 0.0
    """The error by which that of a quantised network, or of one in float16, is judged."""
    kind: str = ""
    """The form, as form.json has it; empty of what torch exports."""
    products: str = ""
    """The number on integers of the convolutions and products that are quantised in the file."""
    versions: int = 1
    """The number of compilations."""
    compile: float = 0.0
    """CPU seconds."""
    time: float = 0.0
    """CPU milliseconds of a call."""
    peers: dict[str, float] = field(default_factory=dict[str, float])
    """Their time over ours."""


def judge(directory: Path, has_times: bool) -> Row:
    """Import, compile, run and compare one export, in this process."""
    from tilewright.diagnostics import TilewrightError

    from . import measure

    try:
        return Row(directory.name, **measure.measured(directory, has_times))
    except TilewrightError as error:
        return Row(directory.name, REFUSED, f"{error.code}: {error.message}"[:400])
    except Exception as error:  # anything else is a fault of ours
        last = traceback.extract_tb(error.__traceback__)[-1]
        return Row(directory.name, RAW, f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})")


def judged(directory: Path, has_times: bool) -> Row:
    """Measure a network in a process of its own, with an empty cache."""
    refused = directory / "refused.txt"
    if refused.exists():
        return Row(directory.name, ABSENT, refused.read_text(encoding="utf-8").splitlines()[0][:200])
    form = directory / FORM
    kind = json.loads(form.read_text(encoding="utf-8"))["kind"] if form.exists() else ""
    options = ["--one"] if has_times else ["--one", "--no-times"]
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "TILEWRIGHT_CACHE_DIR": cache, "TILEWRIGHT_PROGRAM_CACHE": "0"}
        command = [sys.executable, __file__, str(directory), *options]
        try:
            run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return Row(directory.name, RAW, f"no answer within {LIMIT} seconds", kind=kind)
    try:
        return replace(Row(**json.loads(run.stdout.splitlines()[-1])), kind=kind)
    except (IndexError, ValueError):
        return Row(
            directory.name, RAW, f"the process ended with status {run.returncode}: {run.stderr[-200:]}", kind=kind
        )


def line(row: Row, unit: float) -> str:
    """Return a row of the table; compile times are in units of light ResNet-50's."""
    if row.verdict not in (RIGHT, WRONG):
        return f"| {row.name} | {row.verdict} {'| ' * COLUMNS}|"
    peers = [f"{row.peers[peer]:.2f}" if peer in row.peers else "" for peer in PEERS]
    compiled = f"{row.compile:.2f} | {row.compile / unit:.2f}" if unit else f"{row.compile:.2f} | "
    error = f"{row.error:.1e}" + (f" ({row.beside:.1e})" if row.beside else "")
    cells = [error, str(row.versions), compiled, f"{row.time:.1f}" if row.time else "", *peers, row.products]
    return f"| {row.name} | {row.verdict} | {' | '.join(cells)} |"


PEERS = ("onnxruntime", "openvino", "float32")
HEAD = """\
| export | verdict | error / spread | versions | compile, CPU s | x ResNet-50 | CPU ms \
| x onnxruntime | x OpenVINO | x float32 | on integers |
|---|---|---|---|---|---|---|---|---|---|---|"""
COLUMNS = HEAD.splitlines()[1].count("---") - 2


def closing(rows: Sequence[Row]) -> list[str]:
    """Return counts, and geometric means of the times."""
    lines: list[str] = []
    exports = [row for row in rows if not row.kind]
    for what, some in (
        ("exports with fixed sizes", [row for row in exports if not row.name.endswith(OPEN)]),
        ("exports with open sizes", [row for row in exports if row.name.endswith(OPEN)]),
        ("quantised networks", [row for row in rows if row.kind not in ("", FLOAT16)]),
        ("networks in float16", [row for row in rows if row.kind == FLOAT16]),
    ):
        if some:
            right = sum(row.verdict == RIGHT for row in some)
            lines.append(f"{right} of {sum(row.verdict != ABSENT for row in some)} {what} are right.")
            lines += _means(some)
    return lines


def _means(rows: Sequence[Row]) -> list[str]:
    """Return geometric means of the times of peers over ours."""
    lines: list[str] = []
    for peer in PEERS:
        if ratios := [row.peers[peer] for row in rows if peer in row.peers]:
            mean = exp(sum(map(log, ratios)) / len(ratios))
            lines.append(f"Time of {peer} over ours: geometric mean {mean:.2f}, least {min(ratios):.2f}.")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--match", default="", metavar="TEXT", help="only exports with this in their names")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--no-times", action="store_true", help="check values alone")
    parser.add_argument("--one", action="store_true", help="FOLDER is one export; its row is printed as JSON")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table there too")
    args = parser.parse_args()
    if args.one:
        print(json.dumps(asdict(judge(args.folder, not args.no_times))))
        return 0
    folders = [p for p in sorted(args.folder.iterdir()) if args.match in p.name and p.suffix != ".partial"]
    unit = 0.0 if args.no_times else judged(args.folder / "light-resnet50", True).compile
    table = [HEAD]
    print(HEAD, flush=True)
    rows: list[Row] = []
    with ThreadPoolExecutor(args.jobs) as pool:
        for row in pool.map(lambda directory: judged(directory, not args.no_times), folders):
            rows.append(row)
            table.append(line(row, unit))
            print(table[-1], f"<!-- {row.reason} -->" if row.reason else "", flush=True)
    print("", *closing(rows), sep="\n")
    if args.write is not None:
        args.write.write_text("\n".join([*table, "", *closing(rows), ""]), encoding="utf-8")
    bad = [row for row in rows if row.verdict in (WRONG, RAW)]
    refused = [row for row in rows if row.verdict == REFUSED]
    fixed = [row for row in refused if not row.kind and not row.name.endswith(OPEN)]
    return 1 if bad or len(fixed) < len(refused) or len(fixed) > ALLOWED else 0


if __name__ == "__main__":
    sys.exit(main())
