"""Errors about two concurrent iterations that access one element."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from xdsl.ir import SSAValue

from ....analysis.access import Access
from ....analysis.dependence import Conflict
from ....diagnostics import fail
from ....diagnostics.locations import name_of
from ....dialects import loop
from ....dialects.index_expr import Variable


def fail_race(conflict: Conflict, expected: str, help: str) -> NoReturn:
    """Raise TW0537 with the two iterations, TW0681 where it could not be decided whether there are such."""
    source, sink = conflict.source, conflict.sink
    if conflict.unknown is not None:
        fail("TW0681", f"{expected}, but that is not known: {conflict.unknown}", op=sink.op, help=help)
    first, second = _instance(source, conflict.source_point), _instance(sink, conflict.sink_point)
    element = ", ".join(str(n) for n in conflict.element() or ())
    element_text = f"{name_of(source.buffer)}[{element}]"
    fail(
        "TW0537",
        f"{expected}, but iterations {first} and {second} both access {element_text}",
        op=sink.op,
        notes=[f"{first} {_verb(source)} {element_text}, which {second} {_verb(sink)}, and both run at once"],
        help=help,
    )


def remedy_for(conflict: Conflict, op: loop.ForOp) -> str:
    """Return the remedy for a race between iterations of a loop over blocks or threads."""
    memory = memory_of(conflict.source.buffer)
    name = name_of(op.induction_variable)
    if not isinstance(memory.owner, loop.AllocOp):
        return f"bind another loop than {name}, or compute the shared buffer in a separate nest of loops"
    if loop.is_of_threads(memory.type):
        return (
            "bind a loop of this statement to the threads, keep the buffer local, or let threads wait for each other: "
            'T.tvm_storage_sync("shared") between the two statements'
        )
    return f"allocate it inside loop {name}, or compute it in a separate nest of loops"


def memory_of(buffer: SSAValue) -> SSAValue:
    """Return the buffer that a chain of views is taken of."""
    while isinstance(buffer.owner, loop.ViewOp):
        buffer = buffer.owner.buffer
    return buffer


def _instance(access: Access, point: Mapping[Variable, int]) -> str:
    """Write an instance as `(i=1, t=0)`."""
    variables = [op.induction_variable for op in access.domain.loops]
    values = [f"{name_of(v).removeprefix('%')}={point[v]}" for v in variables if v in point]
    return f"({', '.join(values)})"


def _verb(access: Access) -> str:
    return "writes" if access.is_write else "reads"
