"""Programs that follow tests of upstream MLIR, the outputs of its passes, and random programs, proved.

    python tests/upstream/programs/run.py count [--family NAME] [--jobs 2] [--json FILE]
    python tests/upstream/programs/run.py generate [FAMILY ...]
    python tests/upstream/programs/run.py campaign [--seed 0] [--count 500] [--jobs 2]

`count` needs no tool of MLIR. `generate` writes the outputs anew, by mlir-opt and iree-opt. `campaign` draws programs,
runs passes on them, and proves each output.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.append(str(Path(__file__).resolve().parents[2] / "conditions"))

from upstream.programs import campaign, counting, generate

COMMANDS = {"count": counting, "generate": generate, "campaign": campaign}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module in COMMANDS.items():
        module.add_options(commands.add_parser(name, help=module.__doc__.splitlines()[0]))
    args = parser.parse_args()
    sys.exit(COMMANDS[args.command].main(args))
