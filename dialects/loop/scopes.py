"""Scopes of buffers: the threads that share one.

A scope may have a name of its own behind one that is known: "warp.accumulator" is memory of a warp as "warp" is, and
"local.scratch" is memory of one thread. What stands in front decides what the buffer means, to the interpreter, to
dependences and to barriers; the whole name is what a target's emitter asks for, such as how elements lie in the
registers of a warp's lanes.

- "global": all threads;
- "shared": the threads of a block;
- "warp": the 32 threads of a warp, which are the loop over `threadIdx.x`; threads with another `threadIdx.y` or
  `threadIdx.z` are other warps. Each element is in a register of one of the lanes, and what a warp does together reads
  the other lanes' elements: a barrier of the scope "warp" stands before, which costs nothing. A name of its own says
  how tiles lie in the registers; memory of plain scope "warp" has the lane as its last dimension, may be that of fewer
  lanes, a divisor of 32, and where there are more threads along `threadIdx.x` has a dimension for each 32 of them;
- "local" and "register": one thread.
"""

from __future__ import annotations

from xdsl.ir import Attribute

from ...hardware import LANE_TAG, WARP_THREADS
from .buffers import LOCAL, REGISTER, SHARED, scope_of

WARP = "warp"
LANES = WARP_THREADS
LANE_AXIS = LANE_TAG


def family_of(type: Attribute) -> str:
    """Return the known scope that the scope of a buffer type is one of: "warp" for "warp.accumulator"."""
    return scope_of(type).partition(".")[0]


def is_private(type: Attribute) -> bool:
    """Return whether a buffer of this type is private to each thread."""
    return family_of(type) in (LOCAL, REGISTER)


def is_of_warp(type: Attribute) -> bool:
    """Return whether the lanes of a warp share a buffer of this type."""
    return family_of(type) == WARP


def is_of_threads(type: Attribute) -> bool:
    """Return whether a buffer of this type is shared by threads of one block only."""
    return family_of(type) in (SHARED, WARP)
