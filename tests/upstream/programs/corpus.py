"""The programs of `source/`, the outputs of upstream passes for them (`after/`), and how both are read.

A file of `source/` holds programs of one subject, each after a line `// -----` with comments that name it, the upstream
test or issue that it follows, and further pipelines. The head of the file lists the pipelines of all its programs, as
`mlir-opt --pass-pipeline` takes them; passes that are not in MODULE_PASSES run on functions. A file of `after/` holds
the outputs that differ from their input, each under a header with the program, the tool and the pipeline.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE, AFTER, SCHEDULES = HERE / "source", HERE / "after", HERE / "schedules"
_SEPARATOR = re.compile(r"^// -----\n", re.MULTILINE)
_NOTE = re.compile(r"^// (program|follows|passes): (.+)$", re.MULTILINE)
_HEADER = re.compile(r"^// ===== (\S+) \| (.+?) \| (.+)\n", re.MULTILINE)


MODULE_PASSES = frozenset(
    {
        "buffer-results-to-out-params",
        "convert-tensor-to-linalg",
        "inline",
        "normalize-memrefs",
        "one-shot-bufferize",
        "sccp",
        "symbol-dce",
    }
    | {"transform-interpreter", "transform-preload-library"}
)


def split_pipeline(pipeline: str) -> list[tuple[str, str]]:
    """Return the passes of a pipeline, each with its options in braces or ""."""
    return re.findall(r"([\w-]+)((?:\{[^}]*\})?)", pipeline)


def in_full(pipeline: str) -> str:
    """Return a pipeline as `--pass-pipeline` takes it."""
    passes = ((name, name + options.replace("SCHEDULES", str(SCHEDULES))) for name, options in split_pipeline(pipeline))
    return (
        f"builtin.module({','.join(text if name in MODULE_PASSES else f'func.func({text})' for name, text in passes)})"
    )


@dataclass(frozen=True)
class Program:
    """One program of our own."""

    family: str
    """The file of `source/` that it stands in, without its ending."""
    name: str
    follows: str
    """The upstream test or issue."""
    pipelines: tuple[str, ...]
    text: str

    @property
    def is_symbolic(self) -> bool:
        """True where a size is open: a dimension, or an index that is an argument."""
        return "?x" in self.text or bool(re.search(r"%\w+: index[,)]", self.text))


@dataclass(frozen=True)
class Pair:
    """A program and the output of a tool."""

    program: Program
    tool: str
    pipeline: str
    after: str

    @cached_property
    def passes(self) -> tuple[str, ...]:
        """The names of the passes, without options."""
        return tuple(name for name, _ in split_pipeline(self.pipeline))

    @property
    def name(self) -> str:
        """`affine-tiling/triangle | mlir-opt 22 | affine-loop-tile{tile-size=8}`."""
        return f"{self.program.family}/{self.program.name} | {self.tool} | {self.pipeline}"


def programs() -> list[Program]:
    """Return all programs, in the order of files."""
    return [program for path in sorted(SOURCE.glob("*.mlir")) for program in _programs_of(path)]


def _programs_of(path: Path) -> Iterator[Program]:
    head, *bodies = _SEPARATOR.split(path.read_text(encoding="utf-8"))
    shared = [text for key, text in _NOTE.findall(head) if key == "passes"]
    for body in bodies:
        notes = _NOTE.findall(body)
        named = {key: text for key, text in notes if key != "passes"}
        pipelines = dict.fromkeys([*shared, *(text for key, text in notes if key == "passes")])
        yield Program(
            path.stem, named["program"], named["follows"], tuple(pipelines), _NOTE.sub("", body).strip() + "\n"
        )


def pairs() -> list[Pair]:
    """Return all pairs, in the order of programs."""
    return [pair for family in _families() for pair in read_pairs(family)]


def _families() -> list[str]:
    return [path.stem for path in sorted(SOURCE.glob("*.mlir"))]


def read_pairs(family: str) -> list[Pair]:
    """Return the pairs of one file."""
    path = AFTER / f"{family}.mlir"
    if not path.exists():
        return []
    of_name = {program.name: program for program in _programs_of(SOURCE / f"{family}.mlir")}
    parts = _HEADER.split(path.read_text(encoding="utf-8"))[1:]
    return [Pair(of_name[name], *rest) for name, *rest in zip(*[iter(parts)] * 4, strict=True)]


def write_pairs(family: str, found: list[Pair]) -> None:
    """Write the pairs of one file."""
    AFTER.mkdir(exist_ok=True)
    text = "".join(f"// ===== {p.program.name} | {p.tool} | {p.pipeline}\n{p.after}" for p in found)
    (AFTER / f"{family}.mlir").write_text(text, encoding="utf-8")
