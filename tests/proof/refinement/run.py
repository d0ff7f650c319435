"""Random pairs of programs, proved and run: a proof and runs must not contradict each other.

    python tests/proof/refinement/run.py mutated [--pairs 2000] [--seed 0]
    python tests/proof/refinement/run.py passes [--pairs 2000] [--seed 0]

`mutated` changes random programs, rightly or wrongly. `passes` sends random programs through passes of this project,
until so many pairs have been compared that runs find equal. The exit status is 1 where a verdict is contradicted; the
pairs are printed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
sys.path.append(str(Path(__file__).resolve().parents[2] / "conditions"))

from tilewright.tests.proof.refinement import campaign, pass_pairs


def mutated(pairs: int, seed: int) -> list[str]:
    """Print the verdicts on changed programs; the texts of those that runs contradict."""
    counts, wrong = campaign.campaign(pairs, seed)
    print(dict(counts))
    return wrong


def passes(pairs: int, seed: int) -> list[str]:
    """Print the verdicts on programs before and after passes; the texts of those that runs contradict."""
    counts = pass_pairs.campaign(pairs, seed)
    print(f"{counts.meanings.total()} pairs, {counts.equal} of them equal by runs")
    _print("", counts.meanings)
    kinds = dict.fromkeys(kind for kind, _ in counts.by_kind)
    for kind in kinds:
        _print(f"{kind}: ", Counter({m: n for (k, m), n in counts.by_kind.items() if k == kind}))
    for name in sorted({name for name, _ in counts.by_name}):
        _print(f"  {name}: ", Counter({m: n for (k, m), n in counts.by_name.items() if k == name}))
    for reason, count in counts.reasons.most_common(15):
        print(f"unknown {count}: {reason}")
    return counts.wrong


def _print(head: str, counts: Counter[pass_pairs.Meaning]) -> None:
    print(f"{head}{', '.join(f'{m.name.lower()} {n}' for m, n in counts.most_common())}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=("mutated", "passes"))
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    wrong = {"mutated": mutated, "passes": passes}[args.kind](args.pairs, args.seed)
    print("\n\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
