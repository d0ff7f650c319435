"""Fast traversal of all operations nested in an operation.

`Operation.walk` of xDSL resumes a generator for each level of nesting and operation; loop nests are deep, and passes
walk often. This traversal keeps the remaining operations on one explicit stack.
"""

from __future__ import annotations

from xdsl.ir import Operation


def operations(root: Operation) -> list[Operation]:
    """Return `root` and all operations inside it, each before those that it holds, as they are at the time of the
    call."""
    found: list[Operation] = []
    waiting = [root]
    while waiting:
        op = waiting.pop()
        found.append(op)
        if not op.regions:
            continue
        for region in reversed(op.regions):
            block = region.last_block
            while block is not None:
                inner = block.last_op
                while inner is not None:
                    waiting.append(inner)
                    inner = inner.prev_op
                block = block.prev_block
    return found
