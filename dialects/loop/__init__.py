"""The loop dialect: loop nests, blocks and buffers.

It is a complete, executable language, and the contract between passes and backends: backends translate the last loop
module operation by operation, without further decisions. The dialect has two levels. With blocks, statements are
independent of the loops around them, and schedules rearrange loops freely. Without blocks, the module is ready for
lowering to a backend.

Invariants, each checked by a verifier:

- loops have step 1, at least one lower and one upper bound, and bodies of one block without a terminator unless they
  carry values, when they end in `loop.yield`;
- index expressions are quasi-affine over `index` operands, and use the lane only in accesses and values of vector type;
- an access has one index per dimension, and an `else` value exactly where a load has a guard;
- a block has as many kinds, bindings and extents as iteration variables, has `loop.init` first or not at
  all, and uses no variable of a loop around it; nor do the blocks within it, which use its variables instead;
- a foreign call's accesses have one index and one box extent per dimension, and boxes fit their buffers;
- calls of scalar functions take and give scalars, or vectors of one shape;
- a view has its buffer's scope and lies within its bytes where both sizes are known;
- constants have data of their type's shape and element type;
- the message of an assertion has a `{}` for each of its values;
- a barrier stands in a loop over `threadIdx`, under loops and conditions that are the same for all threads.

Loops of kind `thread` name the blocks and threads that run their iterations. Their iterations run one after another, as
in any loop, unless a nest of such loops contains a barrier: then the threads of a block, the iterations of all its
`threadIdx` loops, run concurrently from barrier to barrier.

An argument with the attribute `tw.output` is an output buffer. Callers may omit it and get it as a result. The function
may read the buffer before it writes it, and elements that are not written keep the caller's values.

A quotient or a remainder of integers by zero is 0, for each rounding and signedness, in each lane of a vector. The
least number divided by -1 is itself, with remainder 0. No backend traps or differs. Upstream MLIR leaves both cases
undefined.

A read of an allocated element that was never written yields an unspecified value, which is harmless if it is not used.
The behaviour of a program is undefined if an access whose guard holds is outside of its buffer, if a parallel iteration
writes an element that another iteration reads or writes, if the index of a `loop.delinearize` is not less than the
product of its extents, or if a size is below zero.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from ...lazy import exports
from .. import vector_arith as _vector_arith  # noqa: F401  # pyright: ignore[reportUnusedImport]  (bodies hold arith operations on vectors)
from ..indexed_op import IndexedOp as IndexedOp
from ..indexed_op import dims_position as dims_position
from .access import LoadOp, StoreOp
from .assertion import AssertOp
from .asynchronous import ASYNC as ASYNC
from .asynchronous import AsyncCommitOp, AsyncWaitOp
from .barrier import BarrierOp
from .barrier import depends_on_thread as depends_on_thread
from .barrier import is_over_threads as is_over_threads
from .barrier import separates as separates
from .block import BlockOp, InitOp
from .buffers import GLOBAL as GLOBAL
from .buffers import LANE_AXIS as LANE_AXIS
from .buffers import LANES as LANES
from .buffers import LOCAL as LOCAL
from .buffers import REGISTER as REGISTER
from .buffers import SHARED as SHARED
from .buffers import WARP as WARP
from .buffers import AllocOp, BindOp, ConstantOp, DimOp, ViewOp
from .buffers import buffer_type as buffer_type
from .buffers import byte_size as byte_size
from .buffers import family_of as family_of
from .buffers import is_of_threads as is_of_threads
from .buffers import is_of_warp as is_of_warp
from .buffers import is_private as is_private
from .buffers import scope_of as scope_of
from .combine import CombineOp
from .control import ForOp, IfOp, YieldOp
from .control import enclosing as enclosing
from .extern import CallExternOp
from .extern_arguments import AccessArgument as AccessArgument
from .extern_arguments import Argument as Argument
from .extern_arguments import IndexArgument as IndexArgument
from .extern_arguments import Position as Position
from .extern_arguments import StrideArgument as StrideArgument
from .extern_arguments import ValueArgument as ValueArgument
from .extern_arguments import box_of as box_of
from .foreign import ForeignAttr
from .foreign import add_foreign_code as add_foreign_code
from .foreign import check_foreign as check_foreign
from .foreign import foreign_code as foreign_code
from .index_values import ApplyOp, DelinearizeOp, TestOp
from .kinds import PARALLEL as PARALLEL
from .kinds import SERIAL as SERIAL
from .kinds import UNROLLED as UNROLLED
from .kinds import VECTORIZED as VECTORIZED
from .kinds import LoopKindAttr
from .memory_spaces import MemorySpaceAttr
from .prefetch import CACHES as CACHES
from .prefetch import PrefetchAheadOp, PrefetchOp
from .printing import PrintOp
from .scalar_calls import CallIntrinOp, CallPureExternOp
from .scalar_calls import ScalarCallOp as ScalarCallOp
from .shuffles import ShuffleAttr
from .swizzles import SwizzleAttr
from .while_loop import WhileOp

__all__ = [
    "ASYNC",
    "AccessArgument",
    "AllocOp",
    "ApplyOp",
    "Argument",
    "AssertOp",
    "AsyncCommitOp",
    "AsyncWaitOp",
    "BarrierOp",
    "BindOp",
    "BlockOp",
    "CACHES",
    "CallExternOp",
    "CallIntrinOp",
    "CallPureExternOp",
    "CombineOp",
    "ConstantOp",
    "DelinearizeOp",
    "DimOp",
    "ForOp",
    "ForeignAttr",
    "GLOBAL",
    "IfOp",
    "IndexArgument",
    "IndexedOp",
    "InitOp",
    "LANES",
    "LANE_AXIS",
    "LOCAL",
    "LoadOp",
    "Loop",
    "LoopKindAttr",
    "PARALLEL",
    "MemorySpaceAttr",
    "Position",
    "PrefetchAheadOp",
    "PrefetchOp",
    "PrintOp",
    "REGISTER",
    "SERIAL",
    "SHARED",
    "ScalarCallOp",
    "ShuffleAttr",
    "StoreOp",
    "StrideArgument",
    "SwizzleAttr",
    "TestOp",
    "UNROLLED",
    "VECTORIZED",
    "ValueArgument",
    "ViewOp",
    "WARP",
    "WhileOp",
    "YieldOp",
    "add_foreign_code",
    "box_of",
    "buffer_type",
    "byte_size",
    "check_foreign",
    "depends_on_thread",
    "dims_position",
    "enclosing",
    "family_of",
    "foreign_code",
    "is_of_threads",
    "is_of_warp",
    "is_over_threads",
    "is_private",
    "scope_of",
    "separates",
]

Loop = Dialect(
    "loop",
    [
        AllocOp,
        ApplyOp,
        AssertOp,
        AsyncCommitOp,
        AsyncWaitOp,
        BarrierOp,
        BindOp,
        BlockOp,
        CallExternOp,
        CallIntrinOp,
        CallPureExternOp,
        CombineOp,
        ConstantOp,
        DelinearizeOp,
        DimOp,
        ForOp,
        IfOp,
        InitOp,
        LoadOp,
        PrefetchAheadOp,
        PrefetchOp,
        PrintOp,
        StoreOp,
        TestOp,
        ViewOp,
        WhileOp,
        YieldOp,
    ],
    [ForeignAttr, LoopKindAttr, MemorySpaceAttr, ShuffleAttr, SwizzleAttr],
)

__getattr__, __dir__ = exports(__name__, {})
