"""Schedules of ours beside those of TVM's MetaSchedule: without trials, and with 64 trials in 60 seconds.

    python benchmarks/beside_metaschedule.py [--rows product convolution softmax] [--trials 1000] [--threads 2]

It takes an environment with apache-tvm 0.27, psutil, cloudpickle and xgboost. The same tensor expressions are written
with both libraries; MetaSchedule gets so many trials for each on the same cores, then the programs run in turns in one
process. Printed are their time / ours, with the interval of 95 %, and the seconds of both searches.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np
import tilewright
from harness.machine import describe
from harness.report import describe as described
from harness.report import table_line
from tilewright import te, topi
from tuned import Run, speed, tuned_records

HEADER = ("row", "without trials", "64 trials", "seconds", "MetaSchedule's seconds")
OURS = ("--trials", "64", "--budget", "60")


@dataclass(frozen=True)
class Row:
    """A kernel: shapes of its inputs, and its result by the `te` and `topi` of either library."""

    name: str
    inputs: Sequence[tuple[int, ...]]
    result: Callable[[Any, Sequence[Any]], Any]

    def tensors(self, expressions: Any, operators: Any) -> list[Any]:
        """Inputs and result in one of the libraries."""
        given = [expressions.placeholder(shape, name=f"x{i}") for i, shape in enumerate(self.inputs)]
        return [*given, self.result(operators, given)]


ROWS = (
    Row("product 1024", [(1024, 1024)] * 2, lambda o, x: o.matmul(*x)),
    Row("convolution 64, 56, 3 x 3", [(1, 64, 56, 56), (64, 64, 3, 3)], lambda o, x: o.nn.conv2d(*x, 1, 1, 1)),
    Row("softmax 1024 x 1024", [(1024, 1024)], lambda o, x: o.nn.softmax(*x)),
)


def metaschedule_target(threads: int) -> Any:
    """This machine as TVM names it."""
    import tvm
    from llvmlite import binding

    features = [f"+{name}" for name, has in binding.get_host_cpu_features().items() if has]
    return tvm.target.Target(
        {"kind": "llvm", "mcpu": binding.get_host_cpu_name(), "mattr": features, "num-cores": threads}
    )


def by_metaschedule(row: Row, trials: int, threads: int, arrays: Sequence[np.ndarray]) -> Run:
    """The best program of MetaSchedule on these arrays, the result the last one. RuntimeError where it finds none."""
    import tvm
    from tvm import te as their_te
    from tvm import topi as their_topi
    from tvm.s_tir import meta_schedule

    target = metaschedule_target(threads)
    function = their_te.create_prim_func(row.tensors(their_te, their_topi))
    with tempfile.TemporaryDirectory() as folder:
        database = meta_schedule.tune_tir(
            function, target, work_dir=folder, max_trials_global=trials, num_trials_per_iter=64, seed=0
        )
        schedule = meta_schedule.tir_integration.compile_tir(database, function, target)
    if schedule is None:
        raise RuntimeError(f"MetaSchedule finds no schedule for {row.name}")
    program = tvm.compile(schedule.mod, target=target)
    tensors = [tvm.runtime.tensor(array) for array in arrays]
    run = program["main"]
    run(*tensors)
    np.copyto(arrays[-1], tensors[-1].numpy())
    return lambda: run(*tensors)


def module_of(row: Row) -> tilewright.IRModule:
    """The kernel as a module of ours."""
    return tilewright.IRModule({"main": te.create_prim_func(row.tensors(te, topi))})


def ours(row: Row, threads: int, arrays: Sequence[np.ndarray], records: Path | None = None) -> Run:
    """Our program on these arrays."""
    program = tilewright.compile(module_of(row), threads=threads, records=records)
    return lambda: program(*arrays)


def bench(row: Row, trials: int, threads: int) -> None:
    """Print the row of a kernel."""
    random = np.random.default_rng(3)
    module = module_of(row)
    given = [random.standard_normal(shape).astype(np.float32) for shape in row.inputs]
    shape = row.tensors(te, topi)[-1].shape
    result, theirs_result = (np.empty([int(size) for size in shape], np.float32) for _ in range(2))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.mlir"
        file.write_text(module.script())
        start = time.monotonic()
        records = tuned_records(file, Path(folder), [*OURS, "--threads", str(threads)])
        between = time.monotonic()
        theirs = by_metaschedule(row, trials, threads, [*given, theirs_result])
        end = time.monotonic()
        programs = [ours(row, threads, [*given, result], each) for each in (None, records)]
    programs[0]()
    np.testing.assert_allclose(result, theirs_result, rtol=1e-3, atol=1e-3)
    ratios = [speed(program, theirs) for program in programs]
    texts = [f"{ratio.median:.2f} [{ratio.low:.2f}, {ratio.high:.2f}]" for ratio in ratios]
    print(table_line((row.name, *texts, f"{between - start:.0f}", f"{end - between:.0f}")), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", nargs="*", default=["*"], help="patterns of names")
    parser.add_argument("--trials", type=int, default=1000, help="MetaSchedule's trials for each row")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    print("\n".join([*described(describe()), f"- threads: {args.threads}, MetaSchedule's trials: {args.trials}", ""]))
    print("\n".join([table_line(HEADER), table_line(["---"] * len(HEADER))]), flush=True)
    for row in ROWS:
        if any(fnmatch(row.name, f"*{pattern}*") for pattern in args.rows):
            bench(row, args.trials, args.threads)


if __name__ == "__main__":
    main()
