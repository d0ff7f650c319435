"""The scheduling engine: legal loop transformations, one primitive at a time.

A schedule transforms one function of loop IR. Each primitive checks its legality, rewrites the function at once, and
enters the trace, which replays to identical IR. Read in this order:

1. `schedule` is the class that users call; `engine` holds its function, its trace and its handles (`handles`).
2. `primitive_declaration` turns a function into a primitive, `recording` carries out a call, and `methods` lists all
   primitives for type checkers. `primitives/` has one file for each: begin with `split`, then `compute_at`.
3. Primitives share `loop_rewriting` and `bodies` (rewriting), `regions` and `index_map` (indices), `forms`,
   `block_moves` and `consumer_order` (legality), `refusal` (errors) and `unique_names`.
4. `trace`, `trace_arguments` and `trace_mlir` are the texts of a trace.
5. `rules/` holds the default schedules for CPUs and GPUs; their choices are `decisions`. `tensor_intrinsics`,
   `tensor_cores` and `product_kernels` are the instructions that they use.
6. `canonical`, `records` and `replay` keep tuned schedules in files.
7. `stages/` holds lazy schedules of tensor expressions, which are replayed on the engine.
"""

from .handles import BlockRV, LoopRV
from .primitive_declaration import register_primitive, unregister_primitive
from .schedule import Schedule
from .trace import Instruction, Trace

__all__ = ["BlockRV", "Instruction", "LoopRV", "Schedule", "Trace", "register_primitive", "unregister_primitive"]
