"""Results as a table and as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.report import duration, table_line
from tilewright.tune.estimate import Estimate

HEADER = ("row", "ours", "rate", "peers: theirs / ours, median [95 % interval], their time", "host", "error", "bar")


def cells(found: Mapping[str, Any]) -> list[str]:
    """Return a row of the table."""
    if "problem" in found:
        kind, message = found["problem"]
        return [found["row"], f"**{kind}**", "", message.replace("|", "/"), "", "", _bars(found)]
    peers = [
        f"{name} {Estimate(**peer['ratio'])} ({duration(peer['seconds']['median'])})"
        for name, peer in found["peers"].items()
    ]
    return [
        found["row"],
        duration(found["seconds"]["median"]),
        _rate(found),
        "<br>".join(peers),
        duration(found["host_seconds"]),
        f"{found['error']:.0e}",
        _bars(found),
    ]


def verdicts(found: Mapping[str, Any]) -> dict[str, bool | None]:
    """Return for each peer of a bar whether ours reaches it; None where the peer is not there."""
    result: dict[str, bool | None] = {}
    for peer, times in found["bars"].items():
        measured = found.get("peers", {}).get(peer)
        result[peer] = (
            False if "problem" in found else None if measured is None else measured["ratio"]["median"] >= times
        )
    return result


def _bars(found: Mapping[str, Any]) -> str:
    words = {True: "holds", False: "SHORT", None: "not judged"}
    return "<br>".join(
        f"{words[holds]}: >= {found['bars'][peer]:g} x {peer}" for peer, holds in verdicts(found).items()
    )


def _rate(found: Mapping[str, Any]) -> str:
    seconds = found["seconds"]["median"]
    if found["operations"]:
        return f"{found['operations'] / seconds / 1e12:.1f} Top/s"
    return f"{found['bytes'] / seconds / 1e9:.0f} GB/s"


def head(machine: Mapping[str, Any]) -> list[str]:
    """Return the machine's description as a list."""
    return [f"- {key}: {value}" for key, value in machine.items()]


def write(
    folder: Path, machine: Mapping[str, Any], checks: Sequence[str], results: Sequence[Mapping[str, Any]]
) -> None:
    """Write results.md and results.json."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        "# Benchmarks on a GPU",
        "",
        *head(machine),
        "",
        "First checks:",
        "",
        *(f"- {line}" for line in checks),
        "",
    ]
    lines += [table_line(HEADER), table_line(["---"] * len(HEADER)), *(table_line(cells(found)) for found in results)]
    lines += ["", summary(results), ""]
    (folder / "results.md").write_text("\n".join(lines))
    record = {"machine": machine, "checks": list(checks), "rows": list(results)}
    (folder / "results.json").write_text(json.dumps(record, indent=1) + "\n")


def summary(results: Sequence[Mapping[str, Any]]) -> str:
    """Return the numbers of bars that hold and of rows without a result, as a sentence."""
    found = [holds for result in results for holds in verdicts(result).values()]
    absent = sum("problem" in result for result in results)
    return (
        f"{len(results)} rows: {found.count(True)} bars hold, {found.count(False)} fall short, "
        f"{found.count(None)} are not judged, {absent} rows have no result"
    )


def folder_name(card: str) -> str:
    """Return the card's name as a folder's."""
    return re.sub(r"[^a-z0-9]+", "-", card.lower()).strip("-")
