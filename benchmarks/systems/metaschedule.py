"""TVM's MetaSchedule in a separate process, in an environment with apache-tvm, psutil, cloudpickle and xgboost.

    python metaschedule.py ROW TRIALS THREADS FOLDER

It tunes a row, writes `ready` and the seconds of that, and then answers each line of its input with the seconds of one
run; the inputs are `FOLDER/0.npy` and so on, the result of a first run goes to `FOLDER/result.npy`.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Row:
    """A kernel: shapes of its inputs, and its result by the `topi` of either library."""

    inputs: Sequence[tuple[int, ...]]
    result: Callable[[Any, Sequence[Any]], Any]

    def tensors(self, expressions: Any, operators: Any) -> list[Any]:
        """Return inputs and result by the `te` and the `topi` of a library."""
        given = [expressions.placeholder(shape, name=f"x{i}") for i, shape in enumerate(self.inputs)]
        return [*given, self.result(operators, given)]


ROWS = {
    "product 1024": Row([(1024, 1024)] * 2, lambda o, x: o.matmul(*x)),
    "convolution 64, 56, 3 x 3": Row([(1, 64, 56, 56), (64, 64, 3, 3)], lambda o, x: o.nn.conv2d(*x, 1, 1, 1)),
    "softmax 1024 x 1024": Row([(1024, 1024)], lambda o, x: o.nn.softmax(*x)),
}


def target_here(threads: int) -> Any:
    """Return this machine as TVM names it."""
    import tvm

    system = tvm.get_global_func("target.llvm_get_system_cpu")()
    features = tvm.get_global_func("target.llvm_get_cpu_features")
    name = {"kind": "llvm", "mcpu": system, "num-cores": threads}
    found = [f"+{feature}" for feature in features(tvm.target.Target(name))]
    return tvm.target.Target({**name, "mattr": found})


def tuned(row: Row, trials: int, threads: int) -> Any:
    """Return the best program of a search. RuntimeError where it finds none."""
    import tvm
    from tvm import te, topi
    from tvm.s_tir import meta_schedule

    target, function = target_here(threads), te.create_prim_func(row.tensors(te, topi))
    with tempfile.TemporaryDirectory() as folder:
        database = meta_schedule.tune_tir(
            function, target, work_dir=folder, max_trials_global=trials, num_trials_per_iter=64, seed=0
        )
        schedule = meta_schedule.tir_integration.compile_tir(database, function, target)
    if schedule is None:
        raise RuntimeError("MetaSchedule finds no schedule")
    return tvm.compile(schedule.mod, target=target)["main"]


def main() -> None:
    import tvm

    name, trials, threads, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    answers, sys.stdout = sys.stdout, sys.stderr
    start = time.monotonic()
    run = tuned(ROWS[name], trials, threads)
    seconds = time.monotonic() - start
    inputs = [np.load(folder / f"{n}.npy") for n in range(len(ROWS[name].inputs))]
    tensors = [tvm.runtime.tensor(array) for array in [*inputs, np.load(folder / "result.npy")]]
    run(*tensors)
    np.save(folder / "result.npy", tensors[-1].numpy())
    print("ready", seconds, file=answers, flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        run(*tensors)
        print(time.perf_counter() - begin, file=answers, flush=True)


if __name__ == "__main__":
    main()
