"""Random modules of loops printed in TVMScript and read back, and scripts with faults.

    python tests/tvmscript/run.py [--kind round-trip mutation] [--seed 0] [--count 2000] [--jobs 2]
    python tests/tvmscript/run.py --kind mutation --number 17

The first form tells what came of all draws; the exit status is 1 if anything was wrong. The second shows one.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parents[1] / "conditions"))

from tvmscript.campaign import main

if __name__ == "__main__":
    sys.exit(main())
