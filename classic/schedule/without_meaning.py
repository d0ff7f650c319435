"""Methods of the classic schedule that have no meaning here, with the reason that their refusal gives."""

from __future__ import annotations

from collections.abc import Mapping

_TREE = "operations are the only tree, and sch.get(handle) is the one behind a handle"
_SAMPLING = "sample_perfect_tile draws the factors of a loop, from the seed of the schedule"
_REGIONS = "what a block accesses follows from its loads and stores, and is not declared beside them"

HAS_NO_MEANING: Mapping[str, str] = {
    "annotate_buffer_access": _REGIONS,
    "fork_seed": _SAMPLING,
    "get_sref": _TREE,
    "sample_partitioned_tile": _SAMPLING,
    "state": _TREE,
    "unsafe_hide_buffer_access": _REGIONS,
    "work_on": "a schedule transforms one function, which Schedule(module, function=name) chooses",
}
