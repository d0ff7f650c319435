"""Methods and pragmas of the classic schedule that have no meaning here, with the reasons."""

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

PRAGMAS: Mapping[str, str] = {
    "parallel_launch_point": "threads wait for work between parallel loops, so that starting them costs little",
    "parallel_stride_pattern": "each thread takes iterations that follow one another",
    "parallel_barrier_when_finish": "a parallel loop ends when all of its threads do",
}
"""Pragmas on how threads share a loop."""
