"""Damaged inputs of every kind: python tests/robustness/mutation/run.py --count 4000 --seed 0 --jobs 2 --save FOLDER"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.append(str(Path(__file__).resolve().parents[2] / "conditions"))

from robustness.mutation.campaign import main

if __name__ == "__main__":
    sys.exit(main())
