"""Pragmas: attributes `pragma.<key>` of loops, which passes read.

Pragmas of software pipelines are also read without the prefix, as annotations of loops.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import Operation

AUTO_UNROLL, UNROLL_EXPLICIT = "auto_unroll_max_step", "unroll_explicit"
STREAMING_STORES = "streaming_stores"
PIPELINE_STAGE, PIPELINE_ORDER, NUM_STAGES = "software_pipeline_stage", "software_pipeline_order", "num_stages"
PIPELINE_ASYNC = "software_pipeline_async_stages"

PRAGMAS: dict[str, type] = {
    AUTO_UNROLL: int,
    UNROLL_EXPLICIT: bool,
    STREAMING_STORES: bool,
    PIPELINE_STAGE: list,
    PIPELINE_ORDER: list,
    NUM_STAGES: int,
    PIPELINE_ASYNC: list,
}
"""The keys that a pass reads, and the type of their values; a list is one of integers."""


def pragma_of(op: Operation, key: str) -> int | None:
    """Return the value of a pragma; None where the operation does not have it."""
    value = op.attributes.get(f"pragma.{key}")
    return value.value.data if isinstance(value, IntegerAttr) else None


def annotation_key(op: Operation, key: str) -> str | None:
    """Return the attribute by which `op` is annotated with `key`: that, or the pragma of this name."""
    return next((name for name in (key, f"pragma.{key}") if name in op.attributes), None)


def integers_of(op: Operation, name: str) -> tuple[int, ...] | None:
    """Return the integers of the attribute `name`, a list or one number; None where it is something else."""
    match op.attributes[name]:
        case IntegerAttr() as number:
            return (number.value.data,)
        case ArrayAttr() as listed:
            found = [entry.value.data for entry in listed if isinstance(entry, IntegerAttr)]
            return tuple(found) if len(found) == len(listed) else None
        case _:
            return None
