"""One rule over many inputs is one test: `@pytest.mark.each(names, values)`, with the arguments of `parametrize`.

The test goes through all values and names each that fails. `shards=N` makes N tests of it, so that a long one is
shared by the processes of a run. With the option `--each` it is one test for each value, and `-k` selects by value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
import refusals
from described_hosts import values_where_they_run

OPTION = "--each"
INPUTS, SKIPPED = "inputs", "inputs skipped"
"""Properties of reports: how many inputs a test went through, and how many of them it skipped, by reason."""
_SHOWN = 10
"""The number of failures of a test that are shown in full."""


class _Inputs(NamedTuple):
    """The arguments of a mark."""

    names: tuple[str, ...]
    sets: tuple[tuple[Any, ...], ...]
    labels: tuple[str, ...]
    shards: int

    def shard(self, number: int) -> list[tuple[str, tuple[Any, ...]]]:
        return list(zip(self.labels, self.sets, strict=True))[number :: self.shards]


_read: dict[int, tuple[pytest.Mark, _Inputs]] = {}


class _Shard(NamedTuple):
    """Stands for the values of a shard, one after the other."""

    number: int


def _inputs(item: pytest.Item) -> _Inputs | None:
    """Return the inputs of a test with the mark, whose values may be a generator: they are read once."""
    mark = item.get_closest_marker("each")
    if mark is not None and id(mark) not in _read:
        _read[id(mark)] = (mark, _inputs_of(mark))
    return None if mark is None else _read[id(mark)][1]


def _inputs_of(mark: pytest.Mark) -> _Inputs:
    names, values = mark.args
    names = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else tuple(names)
    sets, labels = list[tuple[Any, ...]](), list[str]()
    ids = mark.kwargs.get("ids")
    listed = None if ids is None or callable(ids) else list(ids)
    for number, value in enumerate(values):
        given, label = (value, None) if len(names) > 1 else ((value,), None)
        if hasattr(value, "marks"):  # of pytest.param
            assert not value.marks, f"inputs have no marks: {value}"
            given, label = value.values, value.id
        if label is None and ids is not None:
            label = listed[number] if listed is not None else "-".join(str(ids(each)) for each in given)
        sets.append(tuple(given))
        labels.append(label or ", ".join(f"{name}={each!r:.200}" for name, each in zip(names, given, strict=True)))
    return _Inputs(names, tuple(sets), tuple(labels), min(mark.kwargs.get("shards", 1), max(1, len(sets))))


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Make one test for each shard, or for each value with the option."""
    mark = metafunc.definition.get_closest_marker("each")
    if mark is not None and metafunc.config.getoption(OPTION):
        metafunc.parametrize(*mark.args, ids=mark.kwargs.get("ids"))
        return
    found = _inputs(metafunc.definition)
    if found is None:
        return
    shards = range(found.shards) if found.sets else range(0)
    labels = [f"part{number}" for number in shards] if found.shards > 1 else ["all"]
    metafunc.parametrize(found.names, [[_Shard(number)] * len(found.names) for number in shards], ids=labels)


def call(item: pytest.Function) -> bool:
    """Run a test on the values of its shard; False where it is no such test."""
    inputs = None if item.config.getoption(OPTION) else _inputs(item)
    if inputs is None or not inputs.sets:
        return False
    shard = inputs.shard(item.callspec.params[inputs.names[0]].number)
    failures, skipped = list[BaseException](), Counter[str]()
    for number, (label, values) in enumerate(shard):
        try:
            _call_one(item, dict(zip(inputs.names, values, strict=True)), number)
        except pytest.skip.Exception as skip:
            skipped[str(skip.msg)] += 1
        except (Exception, pytest.fail.Exception) as error:
            error.add_note(f"with {label}")
            failures.append(error)
    item.user_properties.append((INPUTS, len(shard)))
    if failures:
        raise _group(failures, len(shard))
    if skipped.total() == len(shard):
        pytest.skip(skipped.most_common(1)[0][0])
    item.user_properties += [(SKIPPED, [reason, count]) for reason, count in skipped.items()]
    return True


def _call_one(item: pytest.Function, values: dict[str, Any], number: int) -> None:
    arguments = {name: item.funcargs[name] for name in item._fixtureinfo.argnames} | values
    if "tmp_path" in arguments:
        arguments["tmp_path"] = arguments["tmp_path"] / str(number)
        arguments["tmp_path"].mkdir()
    refusals.forget()
    with values_where_they_run():
        item.obj(**arguments)
    refusals.check()


def _group(failures: Sequence[BaseException], count: int) -> BaseException:
    head = f"{len(failures)} of {count} inputs fail"
    if len(failures) > _SHOWN:
        notes = [error.__notes__[-1] for error in failures]
        head += f", the first {_SHOWN} are shown: " + "; ".join(notes)
    return BaseExceptionGroup(head, failures[:_SHOWN])
