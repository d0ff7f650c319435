"""A plot of the results in SVG: for each row the ratio to its closest peer with the interval, and the bar.

Written by hand, since a table of lines and dots needs no library.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from tilewright.tune.estimate import Estimate

from .pairing import Result
from .row import Bar

LEFT, RIGHT, LINE, TOP = 250, 560, 16, 46
RANGE = (0.1, 10.0)
TICKS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
COLOURS = {True: "#1a7f37", False: "#cf222e", None: "#57606a"}
STYLE = "text { font: 11px sans-serif; fill: #24292f } .peer { fill: #57606a }"


def closest(result: Result) -> tuple[str, Estimate] | None:
    """Return the peer that the subject is least ahead of, among those of the row's bar if it has one."""
    judged = {peer for bar in result.row.bars if isinstance(bar, Bar) for peer in bar.peers}
    ratios = {name: peer.ratio for name, peer in result.peers.items() if not judged or name in judged}
    return min(ratios.items(), key=lambda item: item[1].median, default=None)


def svg(results: Sequence[Result], title: str) -> str:
    """Return the plot of all rows that have a peer."""
    shown = [(result, found) for result in results if (found := closest(result)) is not None]
    height = TOP + LINE * len(shown) + 12
    body = [_text(8, 16, title), _text(8, 32, "theirs / ours: right of 1, ours is faster; the bar is the short line")]
    for tick in TICKS:
        x = position(tick)
        colour = "#24292f" if tick == 1.0 else "#d0d7de"
        body += [_line(x, TOP - 8, x, height - 10, colour), _text(x, TOP - 12, f"{tick:g}", "middle")]
    for number, (result, (peer, ratio)) in enumerate(shown):
        body += _row(result, peer, ratio, TOP + LINE * number + LINE // 2)
    width = LEFT + RIGHT + 150
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">\n<style>{STYLE}</style>\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def position(ratio: float) -> float:
    """Return the position of a ratio on a logarithmic axis; ratios beyond its ends are drawn at the ends."""
    low, high = RANGE
    inside = min(max(ratio, low), high)
    return round(LEFT + RIGHT * math.log(inside / low) / math.log(high / low), 1)


def _row(result: Result, peer: str, ratio: Estimate, y: int) -> list[str]:
    verdicts = [verdict.holds for verdict in result.verdicts]
    colour = COLOURS[False if False in verdicts else True if verdicts and all(verdicts) else None]
    bars = [bar.times for bar in result.row.bars if isinstance(bar, Bar) and peer in bar.peers]
    return [
        _text(LEFT - 10, y + 4, f"{result.row.name}, {result.threads} thr.", "end"),
        *(_line(position(bar), y - 6, position(bar), y + 6, colour) for bar in bars),
        _line(position(ratio.low), y, position(ratio.high), y, colour),
        f'<circle cx="{position(ratio.median)}" cy="{y}" r="3.5" fill="{colour}"/>',
        f'<text class="peer" x="{LEFT + RIGHT + 8}" y="{y + 4}">{ratio.median:.2f} x {escape(peer)}</text>',
    ]


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}"/>'
