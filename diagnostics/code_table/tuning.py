"""Tuning: TW08xx."""

from __future__ import annotations

from .entry import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0801": ErrorCode(
        "decision does not fit",
        "A point of a search space or a tuning record answers a decision with a value that the rule does not offer for "
        "this function, or answers one that no rule asks. It is refused, as the schedule would be another one than the "
        "one that was measured. Compiling with records falls back to the default schedule of that function.",
        remedy="tune the function again: the record was made for another one, or by other rules",
    ),
    "TW0840": ErrorCode(
        "share of the roofline",
        "The speed that the cost model expects of a scheduled function, beside what the operations or the bytes of its "
        "arguments allow on all threads. The remark stands before those that name the reasons, TW0841 to TW0845.",
        remedy="see the remarks that follow it",
    ),
    "TW0841": ErrorCode(
        "accumulators in memory",
        "A reduction loads and stores the results that it adds to in each step. A value in a register is there at once, "
        "while one that is stored and loaded again takes several cycles, and ports store one vector in a cycle.",
        remedy='cache_write(block, 0, "register"), with the loops over terms outside of the unrolled tile',
    ),
    "TW0842": ErrorCode(
        "strided innermost loop",
        "The innermost or the vectorized loop moves a dimension whose elements are not neighbours in memory: each lane "
        "is an access of its own, or each element brings a line of the cache.",
        remedy="vectorize a loop along the last dimension, reorder the loops, or copy the operand",
    ),
    "TW0843": ErrorCode(
        "registers spilled",
        "An unrolled tile keeps more vectors than the target has registers. The others are on the stack, and are loaded "
        "and stored in each iteration.",
        remedy="split the unrolled loops by smaller factors",
    ),
    "TW0844": ErrorCode(
        "vectors not filled",
        "Vectors are shorter than the registers of the target although their axis is longer, or tiles reach beyond the "
        "results, so that vectors are stored under a condition, lane by lane.",
        remedy="split by a multiple of the vector's length that divides the extent, or store results once",
    ),
    "TW0845": ErrorCode(
        "no parallel loop",
        "One thread runs loops that take much longer than starting the others, and whose iterations write separate "
        "results.",
        remedy="mark an outer loop with parallel(loop)",
    ),
}
