"""Outputs of the upstream tools for the programs of `source/`, written to `after/` where they differ.

`mlir-opt` is the tool whose outputs are kept; those of `iree-opt`, a build of later sources, are added where they
differ from them. An output that equals the program as the tool prints it, or an earlier output, is not kept.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from tilewright.tools.judging.mlir_tools import find, run

from .corpus import SOURCE, Pair, Program, in_full, programs, write_pairs

TOOLS = ("mlir-opt", "iree-opt")
_IREE_PRINTS = re.compile(r"^\s*(util|hal|flow|stream)\.", re.MULTILINE)


def printed(tool: str, pipeline: str, text: str) -> str | None:
    """Return the text that a tool prints for a program; None where it fails or ends by a signal."""
    options = [f"--pass-pipeline={in_full(pipeline)}"] if pipeline else []
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        ended = run([tool, file.name, *options])
    return ended.out.decode() if ended.status == 0 and ended.out.strip() else None


@cache
def version(tool: str) -> str:
    """Return the number of a tool's LLVM: `22`."""
    match = re.search(r"LLVM version (\d+)", run([tool, "--version"]).out.decode())
    return match.group(1) if match else "?"


def outputs(program: Program, tools: dict[str, str]) -> list[Pair]:
    """Return the outputs for one program that differ from it and from one another."""
    found: list[Pair] = []
    seen: set[str] = set()
    for tool, path in tools.items():
        source = printed(path, "", program.text)
        if source is None:
            print(f"{program.family}/{program.name}: {tool} does not read it", file=sys.stderr)
            continue
        seen.add(shape(source))
        for pipeline in program.pipelines:
            after = printed(path, pipeline, program.text)
            if after is None or _IREE_PRINTS.search(after):
                print(f"{program.family}/{program.name}: no output of {tool} {pipeline}", file=sys.stderr)
            elif shape(after) not in seen:
                seen.add(shape(after))
                found.append(Pair(program, f"{tool} {version(path)}", pipeline, _trimmed(after)))
    return found


def shape(text: str) -> str:
    """Return a text without names of values and white space, in which outputs are compared."""
    return re.sub(r"[%#][\w#:]+|\s+|^module \{|\}\s*$", " ", text).replace(" ", "")


def _trimmed(text: str) -> str:
    """Return a text without empty lines."""
    return "".join(f"{line}\n" for line in text.splitlines() if line.strip())


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command line."""
    parser.add_argument("families", nargs="*", help="files of source/, without their ending; all by default")
    parser.add_argument("--tool", choices=TOOLS, action="append", help="run this tool only")


def main(args: argparse.Namespace) -> int:
    """Write the files of the families that the command line names; the exit status."""
    tools = {name: path for name in args.tool or TOOLS if (path := find(name)) is not None}
    if TOOLS[0] not in tools:
        print("mlir-opt is not found: install the extra [upstream] or set TILEWRIGHT_MLIR_BIN", file=sys.stderr)
        return 2
    everything = programs()
    for family in args.families or [path.stem for path in sorted(SOURCE.glob("*.mlir"))]:
        chosen = [program for program in everything if program.family == family]
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            found = [pair for each in workers.map(lambda p: outputs(p, tools), chosen) for pair in each]
        write_pairs(family, found)
        print(f"{family}: {len(found)} pairs", flush=True)
    return 0
