"""Record lines in TVM's format: one JSON object a line, written atomically, read line by line.

    {"input": ["llvm", "matmul", [512, 512], {}], "config": {"index": 12, "code_hash": null,
     "entity": [["tile_y", "sp", [-1, 4]]]}, "result": [[0.002], 0, 0.6, 1.6e9], "version": 0.2, "tvm_version": "…"}

A configuration is identified by its values: the index in a line refers to the space at the time of writing. A line that
cannot be read is skipped with remark TW0873.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias, cast

from ...diagnostics import TilewrightError, fail
from ...diagnostics.files import FilePath, fail_writing, read_text, shown, write_file
from ...diagnostics.remarks import remark
from ...driver.targets import Target
from ...runtime import __version__
from .configs import BAD_RECORD, ConfigEntity
from .measure import FAILED_COST, MeasureInput, MeasureResult
from .task import Task, Workload

AUTOTVM_LOG_VERSION = 0.2

Record: TypeAlias = "tuple[MeasureInput, MeasureResult]"


def measure_str_key(inp: MeasureInput, include_config: bool = True) -> str:
    """Return a text that is the same for equal inputs."""
    config = str(inp.config.values) if include_config else ""
    return f"{inp.target.target}{inp.task.name}{inp.task.args}{config}"


def encode(inp: MeasureInput, result: MeasureResult, protocol: str = "json") -> str:
    """Return the line of a measurement, without its end."""
    _expect_json(protocol)
    costs = list(result.costs) if result.error_no == 0 else [FAILED_COST]
    line = {
        "input": [inp.target.target, inp.task.name, inp.task.workload[1:], inp.task.kwargs],
        "config": inp.config.to_json_dict(),
        "result": [costs, result.error_no, result.all_cost, result.timestamp],
        "version": AUTOTVM_LOG_VERSION,
        "tvm_version": __version__,
    }
    return json.dumps(line)


def decode(row: str, protocol: str = "json") -> tuple[MeasureInput, MeasureResult]:
    """Return the input and the result of a line. Raises TilewrightError TW0873 for a line of another form."""
    _expect_json(protocol)
    try:
        line = json.loads(row)
        target, name, arguments, _ = line["input"]
        costs, error_no, all_cost, timestamp = line["result"]
        made = Target(target)
        task = Task(str(name), _tuples(arguments), made)
        result = MeasureResult(tuple(map(float, costs)), int(error_no), float(all_cost), float(timestamp))
        return MeasureInput(made, task, ConfigEntity.from_json_dict(line["config"])), result
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        fail(BAD_RECORD, f"expected a record line of autotvm, but got {type(error).__name__}: {error}")


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, cast("list[Any]", value))) if isinstance(value, list) else value


def _expect_json(protocol: str) -> None:
    if protocol != "json":
        fail(BAD_RECORD, f'expected records as "json", but got {protocol!r}')


def append_lines(path: FilePath, lines: Iterable[str]) -> None:
    """Append lines to a file by one write: lines of several writers do not mix. Raises TW0206 where it cannot."""
    data = "".join(f"{line}\n" for line in lines).encode()
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(handle, data)
        finally:
            os.close(handle)
    except OSError as error:
        fail_writing(path, error)


def load_from_file(filepath: FilePath) -> Iterator[tuple[MeasureInput, MeasureResult]]:
    """Yield the inputs and results of a file's lines; empty lines and those that begin with # are comments."""
    for number, row in enumerate(read_text(filepath).splitlines(), 1):
        if not row.strip() or row.startswith("#"):
            continue
        try:
            yield decode(row)
        except TilewrightError as error:
            remark(BAD_RECORD, f"line {number} of '{shown(filepath)}' is passed over: {error.message}")


def read_records(filepath: FilePath) -> list[tuple[MeasureInput, MeasureResult]]:
    """Return the inputs and results of a file. Raises TilewrightError TW0873 where there is none."""
    records = list(load_from_file(filepath))
    if not records:
        fail(
            BAD_RECORD,
            f"expected record lines of autotvm in '{shown(filepath)}', but there is none",
            help="write them with autotvm.callback.log_to_file",
        )
    return records


def best_of_each(records: Iterable[Record]) -> list[Record]:
    """Return the last record of each configuration: a tuner writes another one where it has more samples."""
    last: dict[str, Record] = {}
    for record in records:
        last[measure_str_key(record[0])] = record
    return list(last.values())


def fastest(records: Iterable[Record]) -> dict[tuple[str, Workload], Record]:
    """Return the fastest record by target and workload, failures left out."""
    best: dict[tuple[str, Workload], Record] = {}
    for inp, result in best_of_each(records):
        key = (inp.target.target, inp.task.workload)
        if result.error_no == 0 and (key not in best or result.mean < best[key][1].mean):
            best[key] = inp, result
    return best


def pick_best(in_file: FilePath, out_file: FilePath) -> None:
    """Write the fastest record of each target and workload of a file to another one."""
    lines = [f"{encode(*record)}\n" for record in fastest(read_records(in_file)).values()]
    write_file(Path(out_file), "".join(lines).encode())


def split_workload(in_file: FilePath, clean: bool = True) -> None:
    """Write the records of each workload to a separate file, named `in_file` with a number and `.wkl` appended.

    With `clean`, of several records of one configuration the last is kept, and failures are left out.
    """
    parts: dict[str, dict[str, str]] = {}
    for number, (inp, result) in enumerate(read_records(in_file)):
        if clean and result.error_no != 0:
            continue
        part = parts.setdefault(measure_str_key(inp, include_config=False), {})
        part[measure_str_key(inp) if clean else str(number)] = encode(inp, result)
    for number, part in enumerate(parts.values()):
        text = "".join(f"{line}\n" for line in part.values())
        write_file(Path(f"{in_file}.{number:03d}.wkl"), text.encode())
