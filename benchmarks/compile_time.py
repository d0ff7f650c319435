"""Compile times of whole models, stage by stage, in milliseconds of CPU time.

    python benchmarks/compile_time.py [--models resnet50 densenet121] [--repeat 5] [--warm] [--passes]

CPU time of the whole process, all threads, is measured rather than wall-clock time, so that a loaded machine disturbs
it less. Each sample is a separate process, because a process remembers answers. Cold samples compile with an empty
object cache, warm ones with one that has seen the model. Printed are medians over the samples:

    start    import of tilewright, of the modules of the default pipeline, and of the frontend's libraries
    import   from the ONNX model to the graph dialect
    passes   the default pipeline, with the final verification
    text     from loop IR to LLVM text
    llvm     from LLVM text to machine code in this process: optimising and emitting, or reading the cache; linking

Below each row stand the five slowest passes, all of them with `--passes`, and what the pass manager itself costs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

SLOWEST = 5
STAGES = ("start", "import", "passes", "text", "llvm", "total")


def sample(name: str) -> dict[str, dict[str, float]]:
    """Compile one model in this process: CPU milliseconds by stage and by pass."""
    stages: dict[str, float] = {}
    with measured(stages, "start"):
        from tilewright.backends.cpu.module import build, llvm_text
        from tilewright.driver import lowering
        from tilewright.frontends.onnx import import_model
        from tilewright.frontends.onnx.light_models import light_model
        from tilewright.passes.framework.base import Level
        from tilewright.passes.framework.instruments.overhead import manager_overhead
        from tilewright.passes.framework.instruments.spans import Recorder
        from tilewright.passes.pipeline import default_pipeline

        default_pipeline(Level.GRAPH)  # imports the module of each pass
    model = light_model(name)
    recorder = Recorder(time.process_time)
    with measured(stages, "import"):
        module = import_model(model)
    with measured(stages, "passes"), recorder.recording():
        lowered = lowering.lower_module(module)
    with measured(stages, "text"):
        llvm_text(lowered)
    with measured(stages, "llvm"):
        build(lowered)
    stages["llvm"] -= stages["text"]  # which `build` wrote once more
    stages["total"] = sum(stages.values())
    passes: dict[str, float] = {}
    for span in recorder.walk():
        if span.kind == "pass":
            passes[span.name] = passes.get(span.name, 0) + 1e3 * span.seconds
    overhead = manager_overhead(recorder)
    manager = {"ms": 1e3 * overhead.manager, "share": overhead.share, "verification": 1e3 * overhead.verification}
    return {"stages": stages, "passes": passes, "manager": manager}


@contextmanager
def measured(stages: dict[str, float], stage: str) -> Iterator[None]:
    start = time.process_time()
    yield
    stages[stage] = 1e3 * (time.process_time() - start)


def sample_in_process(name: str, cache: str) -> dict[str, dict[str, float]]:
    """Run `sample` in a separate process."""
    environment = {**os.environ, "TILEWRIGHT_CACHE_DIR": cache}
    command = [sys.executable, __file__, "--sample", name]
    return json.loads(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)


def samples(name: str, repeat: int, *, warm: bool) -> list[dict[str, dict[str, float]]]:
    with tempfile.TemporaryDirectory() as folder:
        if warm:
            sample_in_process(name, folder)
        return [sample_in_process(name, folder if warm else os.path.join(folder, str(k))) for k in range(repeat)]


def report(name: str, results: list[dict[str, dict[str, float]]], *, warm: bool, passes: bool) -> None:
    def middle(group: str, key: str) -> float:
        return median(result[group][key] for result in results)

    cells = " ".join(f"{middle('stages', stage):8.0f}" for stage in STAGES)
    print(f"{name:16} {'warm' if warm else 'cold'} {cells}", flush=True)
    times = {spec: middle("passes", spec) for spec in results[0]["passes"]}
    slowest = sorted(times, key=times.__getitem__, reverse=True)[:SLOWEST]
    for spec in times if passes else slowest:
        print(f"{'':21} {times[spec]:8.1f}  {spec}")
    print(f"{'':21} {middle('manager', 'verification'):8.1f}  the final verification")
    print(f"{'':21} {middle('manager', 'ms'):8.1f}  the manager itself: {middle('manager', 'share'):.2%} of the passes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", default=["resnet50", "densenet121"], metavar="NAME")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="samples of each model (default: 5)")
    parser.add_argument("--warm", action="store_true", help="with a filled object cache too")
    parser.add_argument("--passes", action="store_true", help="list all passes")
    parser.add_argument("--sample", metavar="NAME", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.sample:
        json.dump(sample(arguments.sample), sys.stdout)
        return
    print(f"{'model':16} {'':4} " + " ".join(f"{stage:>8}" for stage in STAGES))
    for name in arguments.models:
        for warm in (False, True) if arguments.warm else (False,):
            results = samples(name, arguments.repeat, warm=warm)
            report(name, results, warm=warm, passes=arguments.passes)


if __name__ == "__main__":
    main()
