"""Run the upstream tools over the programs of `source/` and write what differs to `after/`.

    python tests/upstream/programs/generate.py [FAMILY ...]

`mlir-opt` is the tool whose outputs are kept; those of `iree-opt`, a build of later sources, are added where they
differ from them. An output that equals the program as the tool prints it, or an earlier output, is not kept.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from corpus import SOURCE, Pair, Program, in_full, programs, write_pairs
from upstream_tools import find_tool, version

TOOLS = ("mlir-opt", "iree-opt")
_IREE_PRINTS = re.compile(r"^\s*(util|hal|flow|stream)\.", re.MULTILINE)


def run_tool(tool: Path, pipeline: str, text: str) -> str | None:
    """What a tool prints for a program; None where it fails or ends by a signal."""
    words = [f"--pass-pipeline={in_full(pipeline)}"] if pipeline else []
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([tool, file.name, *words], capture_output=True, text=True, timeout=120)
    return done.stdout if done.returncode == 0 and done.stdout.strip() else None


def outputs(program: Program, tools: dict[str, Path]) -> list[Pair]:
    """The outputs for one program that differ from it and from one another."""
    found: list[Pair] = []
    seen: set[str] = set()
    for tool, path in tools.items():
        printed = run_tool(path, "", program.text)
        if printed is None:
            print(f"{program.family}/{program.name}: {tool} does not read it", file=sys.stderr)
            continue
        seen.add(_shape(printed))
        for pipeline in program.pipelines:
            after = run_tool(path, pipeline, program.text)
            if after is None or _IREE_PRINTS.search(after):
                print(f"{program.family}/{program.name}: no output of {tool} {pipeline}", file=sys.stderr)
            elif _shape(after) not in seen:
                seen.add(_shape(after))
                found.append(Pair(program, f"{tool} {version(path)}", pipeline, _trimmed(after)))
    return found


def _shape(text: str) -> str:
    """A text without names of values and white space, in which outputs are compared."""
    return re.sub(r"[%#][\w#:]+|\s+|^module \{|\}\s*$", " ", text).replace(" ", "")


def _trimmed(text: str) -> str:
    """A text without empty lines."""
    return "".join(f"{line}\n" for line in text.splitlines() if line.strip())


def main() -> int:
    """Write the files of the families that the command line names, all by default."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", choices=TOOLS, help="run this tool only")
    parser.add_argument("families", nargs="*", help="files of source/, without their ending")
    args = parser.parse_args()
    tools = {name: path for name in ([args.tool] if args.tool else TOOLS) if (path := find_tool(name)) is not None}
    if "mlir-opt" not in tools:
        print("mlir-opt is not found: install the extra [upstream] or set TILEWRIGHT_MLIR_BIN", file=sys.stderr)
        return 2
    families = args.families or [path.stem for path in sorted(SOURCE.glob("*.mlir"))]
    everything = programs()
    for family in families:
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            each = workers.map(lambda program: outputs(program, tools), (p for p in everything if p.family == family))
            found = [pair for found in each for pair in found]
        write_pairs(family, found)
        print(f"{family}: {len(found)} pairs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
