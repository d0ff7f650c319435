"""Draws the pictures of the documentation: `python docs/pictures/draw.py`.

Each is an SVG file of boxes, arrows and text, which reads on light and dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
_STYLE = """\
<style>
  text { font: 14px sans-serif; fill: #1b1f24; }
  .code { font: 12px monospace; }
  .small { font-size: 12px; fill: #57606a; }
  .box { fill: #f6f8fa; stroke: #57606a; }
  .tile { fill: #b6d7f2; stroke: #ffffff; }
  .turn { fill: #f2c078; stroke: #ffffff; }
  .cell { fill: #e8ecf0; stroke: #ffffff; }
  .arrow { stroke: #57606a; stroke-width: 1.5; fill: none; marker-end: url(#head); }
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
  <path d="M0,0 L8,4 L0,8 z" fill="#57606a"/></marker></defs>
"""


def picture(width: int, height: int, parts: Iterable[str]) -> str:
    """Draw an SVG document of that size in pixels."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    ground = f'<rect width="{width}" height="{height}" fill="#ffffff" rx="6"/>'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', _STYLE + ground, *parts, "</svg>\n"])


def box(x: int, y: int, width: int, height: int, kind: str = "box") -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="3"/>'


def label(x: int, y: int, text: str, kind: str = "", anchor: str = "middle") -> str:
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>'


def arrow(x: int, y: int, to_x: int, to_y: int) -> str:
    return f'<path class="arrow" d="M{x},{y} L{to_x},{to_y}"/>'


def flow() -> str:
    """Draw the levels of IR from top to bottom, with the phases between them."""
    rows = (
        ("model.onnx, te, topi, file.mlir", "programs"),
        ("graph", "tensors, named operators"),
        ("te", "one compute for each tensor"),
        ("block", "loop nests around statements"),
        ("loop", "loops, vectors, registers, barriers"),
        ("LLVM, C, OpenCL C, Python for CUDA", "what a backend writes"),
    )
    steps = (
        "frontends",
        "phase 0: fold, fuse, outline",
        "phase 0: inline, collapse",
        "phase 0: schedule; phase 1: storage",
        "phase 2: loops; phase 3: clean-up, legalize; backend",
    )
    return picture(640, 424, _flow(rows, steps))


def _flow(rows: Iterable[tuple[str, str]], steps: tuple[str, ...]) -> Iterator[str]:
    for number, (name, meaning) in enumerate(rows):
        top = 12 + number * 72
        yield box(20, top, 280, 40)
        yield label(160, top + 18, name)
        yield label(160, top + 34, meaning, "small")
        if number < len(steps):
            yield arrow(160, top + 40, 160, top + 71)
            yield label(172, top + 60, steps[number], "small", "start")


def tiled_nest() -> str:
    """Draw a 12 x 16 space of iterations in tiles of 4 x 4, with the order in which one tile is walked."""
    return picture(520, 300, _tiled_nest(12, 16, 4, 22))


def _tiled_nest(rows: int, columns: int, tile: int, size: int) -> Iterator[str]:
    for i in range(rows):
        for j in range(columns):
            is_first = i // tile == 0 and j // tile == 1
            is_even = (i // tile + j // tile) % 2 == 0
            kind = "turn" if is_first else "tile" if is_even else "cell"
            yield box(20 + j * size, 20 + i * size, size, size, kind)
    right = 20 + columns * size + 16
    for number, line in enumerate(("for io in 3:", "  for jo in 4:", "    for ii in 4:", "      for ji in 4:")):
        yield label(right, 60 + number * 20, line.replace(" ", "\u00a0"), "code", "start")
    yield label(right, 160, "orange: the tile", "small", "start")
    yield label(right, 176, "io = 0, jo = 1", "small", "start")


PICTURES = {"flow.svg": flow, "tiled-nest.svg": tiled_nest}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (HERE / name).write_text(draw(), encoding="utf-8")
