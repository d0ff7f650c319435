"""Results as a table in Markdown and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from tilewright.tune.estimate import Estimate

from .pairing import Result

HOLDS = {True: "holds", False: "SHORT", None: "not judged"}
HEADER = (
    "row",
    "threads",
    "ours",
    "rate",
    "roofline",
    "peers: theirs / ours, median [95 % interval], their time",
    "bar",
)


def markdown(machine: Mapping[str, Any], results: Sequence[Result], pairs: int) -> str:
    """Return the whole table with the machine's description before it and the problems after it."""
    lines = ["# Benchmarks", "", *describe(machine), f"- pairs of samples: {pairs}", ""]
    family = None
    for result in results:
        if result.row.family != family:
            family = result.row.family
            lines += ["", f"## {family}", "", table_line(HEADER), table_line(["---"] * len(HEADER))]
        lines.append(table_line(cells(result)))
    lines += ["", summary(results), ""]
    lines += [f"- {line}" for result in results for line in problems(result)]
    return "\n".join(lines).rstrip() + "\n"


def describe(machine: Mapping[str, Any]) -> list[str]:
    """Return the machine's description as a list."""
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    plain = {key: value for key, value in machine.items() if key != "versions"}
    return [*(f"- {key.replace('_', ' ')}: {value}" for key, value in plain.items()), f"- versions: {versions}"]


def cells(result: Result) -> list[str]:
    """Return a row of the table."""
    if result.seconds is None:
        kind, message = result.problems.get(result.row.subject, ("failed", ""))
        return [result.row.name, str(result.threads), f"**{kind}**", "", "", message.splitlines()[-1], verdicts(result)]
    peers = [f"{name} {peer.ratio} ({duration(peer.seconds.median)})" for name, peer in result.peers.items()]
    missing = [f"{name} {kind}" for name, (kind, _) in result.problems.items()]
    return [
        result.row.name,
        str(result.threads),
        duration(result.seconds.median),
        rate(result),
        f"{100 * result.roofline.median:.0f} %" if result.roofline else "",
        "<br>".join([*peers, *missing]),
        verdicts(result),
    ]


def verdicts(result: Result) -> str:
    """Return the verdicts of a row's bars; one that holds names the measurement that it holds by."""
    return "<br>".join(
        f"{HOLDS[verdict.holds]}: {verdict.bar}" + (f", by {verdict.by}" if verdict.by else "")
        for verdict in result.verdicts
    )


def rate(result: Result) -> str:
    """Return operations or bytes by the second, whichever the row's work is mostly of."""
    work, seconds = result.row.work, result.seconds
    if seconds is None or not (work.operations or work.bytes):
        return ""
    if work.operations > 10 * work.bytes:
        return f"{work.operations / seconds.median / 1e9:.1f} Gop/s"
    return f"{work.bytes / seconds.median / 1e9:.1f} GB/s"


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def table_line(values: Sequence[str]) -> str:
    return f"| {' | '.join(values)} |"


def summary(results: Sequence[Result]) -> str:
    """Return the number of bars that hold, as a sentence."""
    found = [verdict.holds for result in results for verdict in result.verdicts]
    failed = sum(result.failed for result in results)
    return (
        f"{len(results)} rows: {found.count(True)} bars hold, {found.count(False)} fall short, "
        f"{found.count(None)} are not judged, {failed} rows failed"
    )


def problems(result: Result) -> list[str]:
    """Return the messages about systems that could not be measured, the last line of each."""
    where = f"{result.row.name}, {result.threads} threads"
    return [
        f"{where}: {system} {kind}: {message.splitlines()[-1] if message else ''}"
        for system, (kind, message) in result.problems.items()
    ]


def as_json(machine: Mapping[str, Any], results: Sequence[Result], pairs: int) -> str:
    """Return everything that was measured."""
    return json.dumps({"machine": machine, "pairs": pairs, "rows": [record(result) for result in results]}, indent=1)


def record(result: Result) -> dict[str, Any]:
    """Return a row as plain values; seconds and ratios with their intervals."""
    return {
        "row": result.row.name,
        "family": result.row.family,
        "threads": result.threads,
        "subject": result.row.subject,
        "seconds": _plain(result.seconds),
        "error": result.error,
        "operations": result.row.work.operations,
        "bytes": result.row.work.bytes,
        "roofline": _plain(result.roofline),
        "peers": {name: asdict(peer) for name, peer in result.peers.items()},
        "problems": {name: {"kind": kind, "message": text} for name, (kind, text) in result.problems.items()},
        "bars": [asdict(verdict) for verdict in result.verdicts],
    }


def _plain(estimate: Estimate | None) -> dict[str, Any] | None:
    return estimate and asdict(estimate)
