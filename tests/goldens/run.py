"""The compiler's decisions and output bits, compared with the files of this folder.

    python tests/goldens/run.py [--of plans reasons bits] [--jobs 2]
    python tests/goldens/run.py --write

The first form compares: the plan of each kernel of the benchmarks' rows and of the light models for the described
machines, the reasons why the cost model expects kernels to be slow, and the outputs' bits of random modules; each
difference is shown, and the exit status is 1 if there is one.
The second writes the files anew, which a change that means to alter plans or rounding does.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from difflib import unified_diff
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from goldens.bits import COUNT, bits
from goldens.plans import plan_reasons, plans, subjects
from tilewright.backends.cpu import host

HERE = Path(__file__).resolve().parent
AVX2 = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2"
AVX512 = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -mattr=+avx512vnni,+avx512bf16 -caches=48K,2M,32M -threads=2"
PLANS = {"plans-avx2": AVX2, "plans-avx512": AVX512}
"""The described machine of each file of plans."""
REASONS = {"reasons-avx2": AVX2, "reasons-avx512": AVX512}
BITS = {"bits-avx2": "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=2"}
"""The target of each file of bits."""


KINDS = ("plans", "reasons", "bits")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="plans and bits beside the goldens")
    parser.add_argument("--of", nargs="+", choices=KINDS, default=KINDS, help="(default: all)")
    parser.add_argument("--write", action="store_true", help="write the files anew")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: 2)")
    args = parser.parse_args(arguments)
    differences = 0
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        for name, target in (PLANS if "plans" in args.of else {}).items():
            names = [name for name, _ in subjects()]
            found = pool.map(plans_of, names, [target] * len(names))
            differences += compare(name, target, (line for lines in found for line in lines), write=args.write)
        for name, target in (REASONS if "reasons" in args.of else {}).items():
            names = [name for name, _ in subjects()]
            found = pool.map(reasons_of, names, [target] * len(names))
            differences += compare(name, target, (line for lines in found for line in lines), write=args.write)
        for name, target in (BITS if "bits" in args.of else {}).items():
            os.environ[host.HOST_VARIABLE] = target
            if obstacle := host.obstacle_here(host.host_target()):
                print(f"{name}: not compared, {obstacle}")
                continue
            lines = filter(None, pool.map(bits, range(COUNT * 2), [target] * COUNT * 2, chunksize=8))
            differences += compare(name, target, islice(lines, COUNT), write=args.write)
    return int(differences > 0)


def plans_of(name: str, target: str) -> list[str]:
    """Return the plans of one subject, for a described machine."""
    os.environ[host.HOST_VARIABLE] = target
    return plans(name, dict(subjects())[name])


def reasons_of(name: str, target: str) -> list[str]:
    """Return why kernels of one subject are predicted to be slow on a described machine."""
    os.environ[host.HOST_VARIABLE] = target
    return plan_reasons(name, dict(subjects())[name])


def compare(name: str, target: str, lines: Iterable[str], *, write: bool = False, folder: Path = HERE) -> int:
    """Compare lines with a file, or write them to it; how many differ. The file's first line is the target."""
    path = folder / f"{name}.txt"
    found = [f"# {target}", *lines]
    if write:
        fresh = path.with_suffix(".tmp")
        fresh.write_text("\n".join(found) + "\n", encoding="utf-8")
        fresh.replace(path)
        print(f"{name}: {len(found) - 1} lines written")
        return 0
    known = path.read_text(encoding="utf-8").splitlines()
    _, _, *lines = unified_diff(known, found, lineterm="", n=0) if known != found else ("", "")
    differences = [line for line in lines if not line.startswith("@@")]
    print("\n".join([name, *differences]) if differences else f"{name}: {len(found) - 1} lines, all as they were")
    return len(differences)


if __name__ == "__main__":
    sys.exit(main())
