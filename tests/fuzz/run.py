"""Random modules of every level through random passes.

    python tests/fuzz/run.py [--seed 0] [--count 10000] [--jobs 2]
    python tests/fuzz/run.py --seed 0 --number 17

The first form makes modules, runs each through passes in a random order and compares what it computes; the exit status
is 1 if anything was wrong. The second shows one of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parents[1] / "conditions"))

from fuzz.campaign import main

if __name__ == "__main__":
    sys.exit(main())
