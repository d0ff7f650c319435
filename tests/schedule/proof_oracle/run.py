"""The prover as a second oracle of random schedules and passes, and random faults as one of the prover.

    python tests/schedule/proof_oracle/run.py [--kind loop te pass ...] [--seed 0] [--count 500] [--jobs 2] [--table]
    python tests/schedule/proof_oracle/run.py --kind fault --seed 0 --number 17

Kinds of steps: each call of a random schedule (loop, te), all calls on stages together (stages), each pass of the
default pipeline (pass; default: for a CPU with vectors), each pass of a random pipeline on a random module (module),
and any of these with one thing changed by one (fault). A step is proved, and both functions are run on numbers, at
several sizes, 0 and 1 among them. What is proved though numbers differ is a fault of the prover; what is refuted though
they are equal lacks an axiom; what is unknown is counted by reason. All three are kept in build/fuzz/proof. The exit
status is 1 if the prover, a primitive or a pass is wrong.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.append(str(Path(__file__).resolve().parents[2] / "conditions"))

from schedule.proof_oracle.campaign import main

if __name__ == "__main__":
    sys.exit(main())
