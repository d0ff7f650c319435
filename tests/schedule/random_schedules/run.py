"""Random schedules of random loop programs, of tensor expressions, and of their stages.

    python tests/schedule/random_schedules/run.py [--kind loop te stages] [--seed 0] [--count 2000] [--jobs 2]
    python tests/schedule/random_schedules/run.py --kind loop --seed 0 --number 17

Programs have scratch that iterations share, results that are read while they are made, sizes of 0 and 1, and schedules
of 10 to 28 calls. What a schedule makes of one is interpreted and compiled, and compared with the interpreter before
the schedule, or with numpy. Failures are written to build/fuzz/schedules. The exit status is 1 if anything was wrong.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.append(str(Path(__file__).resolve().parents[2] / "conditions"))

from schedule.random_schedules.campaign import main

if __name__ == "__main__":
    sys.exit(main())
