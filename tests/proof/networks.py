"""The kernels of the light networks that are proved, from their tensor expressions to their last loops.

    python tests/proof/networks.py [NAME ...] [--seconds 30] [--limit 900] [--only TEXT] [--target TARGET]

Each line is a function of a network: proved, bounded, unknown or refuted, with the reason and seconds. A list of what
was assumed follows, and the number proved. `--seconds` bounds each proof, `--limit` those of one network: functions
beyond it count as unknown. The exit status is 1 where one is refuted.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path

import onnx
import tilewright
from tilewright.analysis.equivalence import Budget
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.light_models import LIGHT_MODELS, light_model
from tilewright.passes.framework.validation.kernels import KernelProofs

OPERATIONS = 1_000_000
"""isl operations for each question of a proof."""


def main() -> int:
    args = _arguments()
    refuted = 0
    total: Counter[str] = Counter()
    for name in args.names or LIGHT_MODELS:
        counts = _network(name, args)
        refuted += counts["refuted"]
        total += counts
    if len(args.names) != 1:
        print(f"all networks: {_counted(total)}")
    return 1 if refuted else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(LIGHT_MODELS)}; all by default")
    parser.add_argument("--seconds", type=float, default=30.0, help="of one proof")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds for the proofs of one network")
    parser.add_argument("--only", default="", help="functions whose names contain this text")
    parser.add_argument("--target", default="llvm -mcpu=x86-64-v3")
    return parser.parse_args()


def _network(name: str, args: argparse.Namespace) -> Counter[str]:
    kept = KernelProofs(Budget(operations=OPERATIONS, seconds=args.seconds))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        onnx.save(light_model(name), path)
        with tilewright.PassContext(instruments=[kept]):
            program = tilewright.compile(import_model(path), target=args.target)
        del program
        counts: Counter[str] = Counter()
        assumptions: dict[str, int] = {}
        start = time.monotonic()
        for proof in kept.proofs(args.only, until=start + args.limit):
            print(f"{name}  {proof}", flush=True)
            counts[proof.judgement.word] += 1
            for assumption in proof.assumptions:
                assumptions[assumption] = assumptions.get(assumption, 0) + 1
    print(f"{name}: {_counted(counts)}, in {time.monotonic() - start:.0f} s; assumed:")
    print(f"  {', '.join(kept.operators)} mean what defines them in te")
    for assumption, count in assumptions.items():
        print(f"  {assumption} ({count} functions)")
    return counts


def _counted(counts: Counter[str]) -> str:
    words = ", ".join(f"{word} {counts[word]}" for word in ("proved", "bounded", "unknown", "refuted"))
    return f"{words} of {counts.total()} functions"


if __name__ == "__main__":
    raise SystemExit(main())
