"""Records of tuned functions in a folder, under TVM's names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...dialects.ir_module import IRModule
from ...hardware import machine_name
from ...passes.framework.tuning_records import compiler_of_records
from ...schedule import Trace
from ...schedule.records import Record, Winners
from ...tune.records import RecordStore
from ..schedule import Schedule

FILE = "records.jsonl"
"""The file of records in the folder of a run."""


class JSONDatabase:
    """The records of functions that were tuned with `work_dir`."""

    def __init__(self, work_dir: str | Path) -> None:
        folder = Path(work_dir)
        folder.mkdir(parents=True, exist_ok=True)
        self.store = RecordStore(folder / FILE)

    def get_all_tuning_records(self) -> list[Record]:
        """Return all records, those of other machines and compilers among them."""
        return list(self.store.read().records)

    def best(self, key: str) -> Record | None:
        """Return the record of the fastest schedule of a task on this machine, if there is one."""
        return Winners.of(self.store.read().records, machine_name(), compiler_of_records()).best.get(key)

    def schedule(self, record: Record, mod: Any) -> Schedule:
        """Return the schedule of a record, made again on a module. Raises what primitives raise."""
        made = Schedule(mod if isinstance(mod, IRModule) else IRModule(mod))
        Trace.from_json(json.dumps(record.trace)).apply_to(made)
        return made

    def __len__(self) -> int:
        return len(self.get_all_tuning_records())
