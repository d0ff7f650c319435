"""`tvmc.tune`: tunes the kernels of a model, and writes the records for `tvmc.compile` to a file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...diagnostics import fail
from ...diagnostics.errors import UnknownNameError
from ...diagnostics.expectations import expect_type
from ...diagnostics.text import did_you_mean
from ...driver.targets import Target
from ...schedule.records import Record
from ...tune.measure.compiling import CPU_SECONDS
from ...tune.measure.protocol import Options
from ...tune.records import RecordStore
from ...tune.search.cost_prior import prior_for
from ...tune.session import LocalMeasures, Session, Settings
from ...tune.tasks import extract_tasks
from ..auto_scheduler.records import read_lines
from .model import TVMCModel

TRIALS = 64
"""Trials for each kernel, if a program does not give a total."""

STRATEGIES = {"xgb": "default", "ga": "ga", "random": "random", "gridsearch": "gridsearch"}
"""The names of tuners, and the strategies of the search that they are; `xgb_knob` and its variants are `xgb`."""


def tune_model(
    tvmc_model: TVMCModel,
    target: Any,
    tuning_records: str | Path | None = None,
    prior_records: str | Path | None = None,
    enable_autoscheduler: bool = False,
    rpc_key: str | None = None,
    hostname: str | None = None,
    port: int | str = 9090,
    trials: int | None = None,
    target_host: Any = None,
    tuner: str = "xgb",
    min_repeat_ms: int | None = None,
    early_stopping: int | None = None,
    desired_layout: str | None = None,
    timeout: float = 10,
    repeat: int = 3,
    number: int = 0,
    parallel: int = 4,
    hardware_params: Any = None,
    include_simple_tasks: bool = False,
    log_estimated_latency: bool = False,
    additional_target_options: Mapping[str, Mapping[str, Any]] | None = None,
    tasks_filter: str | None = None,
    compile_timeout: int = CPU_SECONDS,
) -> str:
    """Tune the kernels of a model, and return the path of the records: `tuning_records`, or that of a temporary file.

    `trials` are those of all kernels together, 64 for each unless given. `prior_records` is a file of records to go on
    from. `number` runs make a sample, or as many as take `min_repeat_ms` milliseconds; `repeat` is the number of
    samples and `timeout` the limit of a run in seconds. `tuner` names a strategy of the search: xgb, ga, random,
    gridsearch. `compile_timeout` is the limit of processor time for compiling a schedule; the original has no such
    argument. `enable_autoscheduler`, `parallel` and those from `hardware_params` to `tasks_filter` change nothing:
    there is one search, for the machine of the target. Raises TilewrightError TW0251 for runs on other machines,
    TW0209 for another tuner, TW0634 for a target of GPUs where there is none.
    """
    expect_type("tvmc_model", tvmc_model, TVMCModel)
    expect_type("trials", trials, int, type(None))
    expect_type("compile_timeout", compile_timeout, int)
    if compile_timeout < 1:
        fail("TW0209", f"expected compile_timeout to be at least 1 second, but got {compile_timeout}")
    if hostname is not None or rpc_key is not None:
        raise UnknownNameError(
            "TW0251",
            "runs on other machines are not part of this package: there is no tracker of devices",
            help="tune on the machine that the model is for",
        )
    strategy = _strategy(tuner)
    chosen = Target.of(target)
    chosen = chosen if target_host is None else chosen.with_host(target_host)
    model, shapes = tvmc_model.source
    tasks = extract_tasks(model, chosen, **shapes)
    store = RecordStore(_temporary() if tuning_records is None else tuning_records)
    for record in _prior(prior_records, store):
        store.append(record)
    least = Options.least_time if min_repeat_ms is None else min_repeat_ms / 1000
    options = Options(number=0 if min_repeat_ms else number, repeat=repeat, timeout=float(timeout), least_time=least)
    settings = Settings(TRIALS * len(tasks) if trials is None else trials, early_stopping=early_stopping,
                        strategy=strategy, options=options)  # fmt: skip
    with LocalMeasures(compile_seconds=compile_timeout) as measures:
        Session(tasks, store, settings, measures, prior=lambda task: prior_for(task.target)).run()
    return str(store.path)


def _strategy(tuner: str) -> str:
    expect_type("tuner", tuner, str)
    name = "xgb" if tuner.startswith("xgb_") else tuner
    if name not in STRATEGIES:
        known = ", ".join(STRATEGIES)
        fail("TW0209", f"expected the tuner {known}, but got '{tuner}'{did_you_mean(tuner, STRATEGIES)}")
    return STRATEGIES[name]


def _temporary() -> str:
    descriptor, path = tempfile.mkstemp(prefix="tilewright-records-", suffix=".jsonl")
    os.close(descriptor)
    return path


def _prior(path: str | Path | None, store: RecordStore) -> list[Record]:
    """Return the records of a file that a store does not hold."""
    if path is None:
        return []
    known = {record.as_line() for record in store.read().records}
    return [record for _, record in read_lines(path) if record.as_line() not in known]
