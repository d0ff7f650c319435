"""Planted faults: outputs of upstream passes with one small edit that makes them wrong.

Each row names the kind of the fault, the program, the pipeline, the text in the output, and the text instead of its
first occurrence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .corpus import Pair


@dataclass(frozen=True)
class Fault:
    """One edit of one output."""

    kind: str
    program: str
    pipeline: str
    old: str
    new: str

    def planted(self, pairs: dict[tuple[str, str], Pair]) -> Pair:
        """Return the pair with the fault; `pairs` has those of mlir-opt by program and pipeline."""
        pair = pairs[self.program, self.pipeline]
        if self.old not in pair.after:
            raise ValueError(f"{self}: the output does not contain the text")
        return replace(pair, after=pair.after.replace(self.old, self.new, 1))


def by_program(pairs: list[Pair]) -> dict[tuple[str, str], Pair]:
    """Return the outputs of mlir-opt by `family/program` and pipeline."""
    return {(f"{p.program.family}/{p.program.name}", p.pipeline): p for p in pairs if p.tool.startswith("mlir-opt")}


TILE, NORMALIZED = (
    "affine-loop-tile{tile-size=8}",
    "affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures",
)
SEPARATED, UNROLL, JAM = (
    "affine-loop-tile{tile-size=5 separate}",
    "affine-loop-unroll{unroll-factor=4}",
    "affine-loop-unroll-jam{unroll-jam-factor=2}",
)
COPY = "affine-data-copy-generate{fast-mem-space=0 skip-non-unit-stride-loops}"
PARALLEL_TILE = "scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}"
GUARDED_TILE = "scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}"
PIPELINE = "transform-preload-library{transform-library-paths=SCHEDULES/pipeline.mlir},transform-interpreter"
COALESCE = "transform-preload-library{transform-library-paths=SCHEDULES/coalesce.mlir},transform-interpreter"
VECTORS = "affine-super-vectorize{virtual-vector-size=8}"
REDUCTIONS = "affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}"

LOOP = "    scf.for %arg4 = %c0 to %arg0 step %c1 {\n"
QUOTIENT = "      %1 = arith.divsi %arg1, %arg2 : i32\n"
STORED = "      memref.store %1, %arg3[%arg4] : memref<?xi32>\n"
GUARD, GUARDED = "      scf.if %0 {\n", "        %2 = arith.divsi %arg1, %arg2 : i32\n"


def shared(size: int) -> str:
    """Return a second buffer that is the first one."""
    view = f"offset: [0], sizes: [{size}], strides: [1] : memref<{size}xf32> to memref<{size}xf32>"
    return f"%alloc_0 = memref.reinterpret_cast %alloc to {view}"


FAULTS: tuple[Fault, ...] = tuple(
    Fault(*row)
    for row in (
        # bounds
        ("bounds", "affine-tiling/rows_and_columns", TILE, "0 to %dim step 8", "8 to %dim step 8"),
        ("bounds", "affine-tiling/rows_and_columns", NORMALIZED, "(s0 ceildiv 4)", "(s0 floordiv 4)"),
        ("bounds", "affine-tiling/product_of_fixed_sizes", TILE, "0 to 9 step 8", "0 to 8 step 8"),
        ("bounds", "affine-tiling/lower_bound_of_three", TILE, "3 to %arg0 step 8", "4 to %arg0 step 8"),
        (
            "bounds",
            "affine-unroll/sum_in_a_carried_value",
            UNROLL,
            "#map()[%dim] to %dim",
            "#map()[%dim] to #map()[%dim]",
        ),
        ("bounds", "affine-unroll/seven_times", UNROLL, "4 to 7", "5 to 7"),
        ("bounds", "affine-fusion/product_after_init", "affine-loop-fusion", "%arg5 = 0 to 6", "%arg5 = 0 to 5"),
        ("bounds", "affine-loop-structure/lower_bounds_and_steps", "affine-loop-normalize", "0 to 7", "0 to 6"),
        (
            "bounds",
            "affine-parallelize/pointwise",
            "affine-parallelize",
            "(0) to (symbol(%dim_0))",
            "(1) to (symbol(%dim_0))",
        ),
        (
            "bounds",
            "scf-loops/bound_of_a_tile_is_specialised",
            "scf-for-loop-specialization",
            "%c0 to %c16",
            "%c1 to %c16",
        ),
        # steps
        ("steps", "affine-tiling/rows_and_columns", TILE, "0 to %dim step 8", "0 to %dim step 9"),
        ("steps", "affine-tiling/one_loop_with_two_upper_bounds", TILE, "step 8", "step 16"),
        ("steps", "affine-unroll/seven_times", "affine-loop-unroll{unroll-factor=3}", "step 3", "step 4"),
        ("steps", "affine-unroll/product_rows_are_jammed", UNROLL, "step 4", "step 8"),
        ("steps", "affine-unroll/constant_lower_bound", JAM, "step 4", "step 8"),
        ("steps", "affine-loop-structure/parallel_with_steps", "affine-loop-normalize", "* 2 + 1", "* 3 + 1"),
        ("steps", "scf-parallel/two_dimensions_are_tiled", PARALLEL_TILE, "step (%0, %1)", "step (%1, %1)"),
        (
            "steps",
            "scf-parallel/forall_with_lower_bounds",
            "scf-forall-to-for",
            "%c2 = arith.constant 2",
            "%c2 = arith.constant 1",
        ),
        # maps
        ("maps", "affine-tiling/rows_and_columns", NORMALIZED, "(d0 + d1 * 4)", "(d0 + d1 * 3)"),
        ("maps", "affine-tiling/product_of_open_sizes", TILE, "(d0 + 8, s0)", "(d0 + 7, s0)"),
        (
            "maps",
            "affine-unroll/sum_in_a_carried_value",
            UNROLL,
            "affine_map<(d0) -> (d0 + 2)>",
            "affine_map<(d0) -> (d0 + 1)>",
        ),
        ("maps", "affine-unroll/seven_times", UNROLL, "affine_map<(d0) -> (d0 + 3)>", "affine_map<(d0) -> (d0 + 4)>"),
        (
            "maps",
            "affine-loop-structure/lower_bounds_and_steps",
            "affine-loop-normalize",
            "(d0 * 5 + 4)",
            "(d0 * 5 + 5)",
        ),
        (
            "maps",
            "affine-loop-structure/inner_loop_of_fixed_length",
            "affine-loop-coalescing",
            "() -> (6)",
            "() -> (5)",
        ),
        ("maps", "affine-parallelize/private_buffer", "affine-parallelize", "-%arg4 + 7", "-%arg4 + 6"),
        ("maps", "linalg-memref/window_of_three", "convert-linalg-to-loops", "(d0 + d1)", "(d0 + 2 - d1)"),
        (
            "swapped",
            "linalg-memref/transpose_of_three_dimensions",
            "convert-linalg-to-loops",
            "%arg1[%arg2, %arg3, %arg4]",
            "%arg1[%arg2, %arg3, %c1]",
        ),
        (
            "dropped",
            "linalg-memref/matmul_after_fill",
            "convert-linalg-to-affine-loops,affine-loop-fusion,affine-scalrep",
            "0 to 6",
            "0 to 6 step 2",
        ),
        ("maps", "affine-fusion/shifted_consumer", "affine-loop-fusion", "(d0 + 4)", "(d0 + 3)"),
        (
            "maps",
            "affine-data-copy/product_by_tiles",
            COPY,
            "%alloc_6[%arg7, -%arg4 + %arg6]",
            "%alloc_6[%arg7, %arg6 mod 4]",
        ),
        ("maps", "scf-loops/nest_that_is_coalesced", COALESCE, "(d0 * 3)", "(d0 * 2)"),
        # guards
        ("guards", "affine-tiling/guarded_border", TILE, "d0 - 1 >= 0", "d0 - 2 >= 0"),
        ("guards", "affine-tiling/guarded_border", TILE, "-d1 + s1 - 2 >= 0", "-d1 + s1 - 3 >= 0"),
        ("guards", "affine-tiling/rows_and_columns", SEPARATED, "-d0 + s0 - 5 >= 0", "-d0 + s0 - 4 >= 0"),
        (
            "guards",
            "scf-parallel/two_dimensions_are_tiled",
            GUARDED_TILE,
            "%10 = arith.cmpi ult",
            "%10 = arith.cmpi ugt",
        ),
        ("guards", "scf-parallel/two_dimensions_are_tiled", GUARDED_TILE, "scf.if %11", "scf.if %6"),
        (
            "guards",
            "scf-control-flow/value_used_in_one_branch",
            "control-flow-sink",
            "arith.cmpi slt",
            "arith.cmpi sle",
        ),
        ("guards", "scf-control-flow/branch_on_data", "canonicalize", "cmpf ogt", "cmpf olt"),
        ("guards", "scf-loops/bound_of_a_tile_is_specialised", "scf-for-loop-specialization", "cmpi eq", "cmpi ne"),
        # two views of one allocation, and views of other elements
        ("views", "affine-fusion/stencil_of_a_temporary", "affine-loop-fusion{maximal}", "%alloc[2]", "%alloc[1]"),
        (
            "views",
            "affine-fusion/three_stages_of_each_row",
            "affine-loop-fusion",
            "%alloc_0 = memref.alloc() : memref<24xf32>",
            shared(24),
        ),
        (
            "views",
            "affine-data-copy/sum_of_two_rows",
            COPY,
            "%alloc_5 = memref.alloc() : memref<32xf32>",
            "%alloc_5 = " + shared(32).split(" = ")[1],
        ),
        ("views", "memref-views/view_of_a_view", "fold-memref-alias-ops", "(s0 * 2 + 4)", "(s0 * 2 + 3)"),
        ("views", "memref-views/view_of_a_view", "fold-memref-alias-ops", "(s0 + 6)", "(s0 + 4)"),
        (
            "views",
            "memref-views/tiles_of_open_offset",
            "fold-memref-alias-ops",
            "%4 = affine.apply #map1()[%arg2, %arg3]",
            "%4 = affine.apply #map1()[%arg3, %arg3]",
        ),
        # dropped iterations and statements
        ("dropped", "affine-data-copy/sum_of_two_rows", COPY, "affine.store %0, %arg1[%arg2] : memref<32xf32>", ""),
        (
            "dropped",
            "affine-fusion/product_after_init",
            "affine-loop-fusion",
            "affine.store %cst, %arg2[%arg3, %arg4] : memref<10x8xf32>",
            "",
        ),
        ("dropped", "affine-fusion/shifted_consumer", "affine-loop-fusion", "%arg3 = 0 to 36", "%arg3 = 0 to 35"),
        ("dropped", "affine-unroll/seven_times", UNROLL, "affine.store %6, %arg2[%arg3, %3] : memref<?x7xf32>", ""),
        ("dropped", "scf-loops/two_copies_in_turn", PIPELINE, "arith.subi %c12, %7", "arith.subi %c12, %c12"),
        (
            "dropped",
            "affine-parallelize/private_buffer",
            "affine-parallelize",
            "affine.store %0, %arg2[%arg3, %arg4] : memref<?x8xf32>",
            "",
        ),
        # swapped operands and subscripts
        (
            "swapped",
            "affine-tiling/product_of_open_sizes",
            TILE,
            "affine.load %arg3[%arg9, %arg11]",
            "affine.load %arg3[%arg11, %arg9]",
        ),
        ("swapped", "affine-unroll/seven_times", UNROLL, "arith.subf %0, %1", "arith.subf %1, %0"),
        ("swapped", "affine-fusion/three_stages", "affine-loop-fusion", "arith.subf", "arith.addf"),
        ("swapped", "affine-fusion/ends_of_rows_divide_them", "affine-loop-fusion", "arith.divf", "arith.mulf"),
        (
            "swapped",
            "affine-parallelize/parallel_of_two_dimensions",
            "affine-parallelize,lower-affine",
            "memref.load %arg2[%arg5, %arg4]",
            "memref.load %arg2[%arg4, %arg5]",
        ),
        (
            "swapped",
            "scf-parallel/two_dimensions_are_tiled",
            PARALLEL_TILE,
            "memref.store %6, %arg3[%5, %4]",
            "memref.store %6, %arg3[%4, %5]",
        ),
        # masks and lanes
        ("masks", "vectors/vector_load_in_a_peeled_loop", "canonicalize", "(-d0 + s0, 4)", "(-d0 + s0 - 1, 4)"),
        (
            "masks",
            "vectors/vector_load_in_a_peeled_loop",
            "canonicalize",
            "vector.create_mask %0",
            "vector.create_mask %c4",
        ),
        (
            "masks",
            "vectors/masked_copy",
            "lower-vector-mask",
            "vector.transfer_write %1, %arg2[%c0], %0",
            "vector.transfer_write %1, %arg2[%c0]",
        ),
        (
            "masks",
            "affine-super-vectorize/matrix_of_fixed_size",
            VECTORS,
            "vector.transfer_write %2, %arg1[%arg2, %arg3]",
            "vector.transfer_write %2, %arg1[%arg2, %arg2]",
        ),
        (
            "masks",
            "affine-super-vectorize/sum_of_a_row",
            REDUCTIONS,
            "vector.reduction <add>",
            "vector.reduction <mul>",
        ),
        ("masks", "affine-super-vectorize/smallest_of_a_row", REDUCTIONS, "dense<2147483647>", "dense<-2147483648>"),
        # divisions that are hoisted to where they divide by zero
        (
            "hoisted",
            "scf-loops/division_by_an_argument_stays",
            "loop-invariant-code-motion",
            LOOP + QUOTIENT,
            QUOTIENT + LOOP,
        ),
        (
            "hoisted",
            "scf-loops/quotient_below_a_condition",
            "loop-invariant-code-motion",
            GUARD + GUARDED,
            GUARDED + GUARD,
        ),
        (
            "hoisted",
            "scf-loops/quotient_below_a_condition",
            "loop-invariant-code-motion",
            STORED + GUARD + GUARDED,
            GUARDED + STORED + GUARD,
        ),
        (
            "hoisted",
            "scf-loops/division_by_an_argument_stays",
            "loop-invariant-code-motion",
            "arith.divsi %arg1, %arg2",
            "arith.divsi %arg2, %arg1",
        ),
        (
            "hoisted",
            "scf-loops/division_is_hoisted",
            "loop-invariant-code-motion",
            "arith.constant 7 : i32",
            "arith.constant 0 : i32",
        ),
        # a lost min
        ("min", "affine-tiling/rows_and_columns", TILE, "(d0 + 8, s0)", "(d0 + 8, d0 + 8)"),
        ("min", "affine-tiling/one_loop_with_two_upper_bounds", TILE, "(d0 + 8, s0, s1)", "(d0 + 8, s0, s0)"),
        ("min", "affine-tiling/lower_bound_of_three", TILE, "(d0 + 8, s0)", "(d0 + 8, s0 + 8)"),
        ("min", "scf-parallel/two_dimensions_are_tiled", PARALLEL_TILE, "(d0, d1 - d2)", "(d0, d1)"),
        (
            "min",
            "affine-loop-structure/bounds_from_maps",
            "lower-affine",
            "arith.minsi %arg0, %c100",
            "arith.maxsi %arg0, %c100",
        ),
        ("min", "memref-views/tiles_of_open_offset", "fold-memref-alias-ops", "(4, -d0 + s0)", "(4, s0)"),
    )
)
