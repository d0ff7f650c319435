"""Fitted coefficients of the cost model: numbers that no manual states for all machines, each with its source.

Facts of a machine are read off the target (`dialects/target_facts.py`). Numbers here were chosen once, from
measurements of schedules on x86-64 cores, or are round numbers of the field. They order schedules; none of them bounds
what a schedule may do.
"""

from __future__ import annotations

UNKNOWN_EXTENT = 1024
"""The extent that is assumed of a loop or a dimension whose size is known only when the program is called."""

# Execution

PARTIAL_OVERLAP = 0.1
"""The part of the resources that are not the bottleneck of a loop body which adds to its time: ports are shared."""

MEMORY_OVERLAP = 0.25
"""The same for transfers between caches beside arithmetic; out-of-order cores hide most of them."""

SPILL_CYCLES = 10.0
"""Cycles that a register which does not fit costs for each iteration: the value goes through the stack, and its chain
through the store buffer; tiles of 32 to 36 registers on a machine of 32 took 10 to 20."""

FORWARDING_LATENCY = 8.0
"""Cycles from the store of a value to the end of a load of the same bytes (7 to 13 for vectors)."""

MASKED_LATENCY = 50.0
"""The same for a store under a mask, which a load cannot take from the store buffer: it waits until the value is in the
cache."""

REORDER_WINDOW = 300
"""Instructions that a core holds at once: chains of neighbouring iterations overlap within it."""

LOOP_INSTRUCTIONS = 2.0
"""Instructions that advance and test the variable of a loop."""

LOOP_ENTRY_CYCLES = 2.0
"""Cycles for entering and leaving a loop, whose addresses are computed beside the preceding operations."""

PREDICTED_TRIPS = 40
"""The longest loop whose end branch predictors foresee."""

MISPREDICTION_CYCLES = 12.0
"""Cycles for a mispredicted branch, less those that other work hides."""

INIT_CYCLES = 1.2
"""Cycles for each accumulator of a reduction that tests whether its term is the first one."""

INSTRUCTION_BYTES = 8
"""Bytes of machine code for a vector instruction with an address."""

CODE_BYTES = 24 << 10
"""Bytes of a loop body that the first instruction cache and the cache of decoded instructions serve at full speed."""

SLOW_CODE = 2.0
"""The factor for bodies that are longer."""

TASK_CYCLES = 60.0
"""Cycles for one iteration of a parallel loop beyond its body."""

# Instructions

GATHER_CYCLES = 1.4
"""Cycles for each lane of a load of elements that are not neighbours, from the first cache."""

SCATTER_CYCLES = 1.6
"""The same for stores."""

NEAR_STRIDE = 4
"""Strides, in elements, up to which whole vectors are loaded and shuffled."""

ODD_VECTOR = 3.0
"""The factor for vectors longer than a register whose length is no multiple of it: code generators split and pad them
element by element where they are carried around a loop."""

FUNCTION_INSTRUCTIONS = {
    "math.exp": 18.0,
    "math.exp2": 15.0,
    "math.log": 22.0,
    "math.log2": 22.0,
    "math.log10": 24.0,
    "math.log1p": 26.0,
    "math.tanh": 28.0,
    "math.erf": 34.0,
    "math.sin": 30.0,
    "math.cos": 30.0,
    "math.tan": 40.0,
    "math.powf": 60.0,
    "math.rsqrt": 18.0,
    "math.sqrt": 12.0,
    "math.fma": 1.0,
    "arith.divf": 9.0,
    "arith.remf": 30.0,
    "arith.divsi": 24.0,
    "arith.divui": 24.0,
    "arith.remsi": 26.0,
    "arith.remui": 26.0,
    "arith.floordivsi": 28.0,
}
"""Issue slots of an arithmetic port that one vector of an operation takes; 1 for others. Polynomials of the CPU backend
have that many terms; divisions and roots: A. Fog, "Instruction tables", 2022, reciprocal throughputs of vdivps."""

CALL_INSTRUCTIONS = 30.0
"""The same for a call of an intrinsic or a function that is not among them."""

FREE_OPERATIONS = frozenset(
    ("arith.constant", "loop.apply", "loop.delinearize", "loop.dim", "loop.bind", "loop.view", "vector.broadcast")
)
"""Operations that are no instruction of a loop's body: a scalar is broadcast as it is loaded."""

ISSUED = 5.0
"""Instructions a cycle: 4 to 6 on cores since 2013 (A. Fog, "Microarchitecture", 2022)."""

# Memory

NEAR_PAGES = 64
"""Pages whose addresses are known without asking the second buffer of them (64 to 96 on cores since 2013)."""

NEAR_PAGE_CYCLES = 7.0
"""Cycles to ask it."""

PAGE_CYCLES = 25.0
"""Cycles to look up an address that neither knows, where the tables are in a cache."""

RESIDENT = 0.8
"""The part of a cache that data may take and stay: the rest passes through."""

SCATTERED_LINES = 2.5
"""The factor for lines that no prefetcher foresees, as each lies in another page than the line before."""

WRITTEN_LINES = 2.0
"""Transfers of a line that is written: it is fetched, and goes back."""
