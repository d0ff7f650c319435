"""Planted faults: outputs of upstream passes with one small edit that makes them wrong.

Each row names the kind of the fault, the program, the pipeline, the text in the output, and the text instead of its
first occurrence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from corpus import Pair


@dataclass(frozen=True)
class Fault:
    """One edit of one output."""

    kind: str
    program: str
    pipeline: str
    old: str
    new: str

    def planted(self, pairs: dict[tuple[str, str], Pair]) -> Pair:
        """The pair with the fault; `pairs` has those of mlir-opt by program and pipeline."""
        pair = pairs[self.program, self.pipeline]
        if self.old not in pair.after:
            raise ValueError(f"{self}: the output does not contain the text")
        return replace(pair, after=pair.after.replace(self.old, self.new, 1))


def by_program(pairs: list[Pair]) -> dict[tuple[str, str], Pair]:
    """The outputs of mlir-opt by `family/program` and pipeline."""
    return {(f"{p.program.family}/{p.program.name}", p.pipeline): p for p in pairs if p.tool.startswith("mlir-opt")}


TILE, NORMALIZED = "affine-loop-tile{tile-size=8}", "affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures"
SEPARATED, UNROLL, JAM = "affine-loop-tile{tile-size=5 separate}", "affine-loop-unroll{unroll-factor=4}", "affine-loop-unroll-jam{unroll-jam-factor=2}"
COPY = "affine-data-copy-generate{fast-mem-space=0 skip-non-unit-stride-loops}"
PARALLEL_TILE = "scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}"
GUARDED_TILE = "scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}"
PIPELINE = "transform-preload-library{transform-library-paths=SCHEDULES/pipeline.mlir},transform-interpreter"
COALESCE = "transform-preload-library{transform-library-paths=SCHEDULES/coalesce.mlir},transform-interpreter"
VECTORS = "affine-super-vectorize{virtual-vector-size=8}"
REDUCTIONS = "affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}"

FAULTS: tuple[Fault, ...] = tuple(
    Fault(*row)
    for row in (
        # bounds
        ("bounds", "affine-tiling/rows_and_columns", TILE, "0 to %dim step 8", "8 to %dim step 8"),
        ("bounds", "affine-tiling/rows_and_columns", NORMALIZED, "(s0 ceildiv 4)", "(s0 floordiv 4)"),
        ("bounds", "affine-tiling/product_of_fixed_sizes", TILE, "0 to 9 step 8", "0 to 8 step 8"),
        ("bounds", "affine-tiling/lower_bound_of_three", TILE, "3 to %arg0 step 8", "4 to %arg0 step 8"),
        ("bounds", "affine-unroll/sum_in_a_carried_value", UNROLL, "#map()[%dim] to %dim", "#map()[%dim] to #map()[%dim]"),
        ("bounds", "affine-unroll/seven_times", UNROLL, "4 to 7", "5 to 7"),
        ("bounds", "affine-fusion/product_after_init", "affine-loop-fusion", "%arg5 = 0 to 6", "%arg5 = 0 to 5"),
        ("bounds", "affine-loop-structure/lower_bounds_and_steps", "affine-loop-normalize", "0 to 7", "0 to 6"),
        ("bounds", "affine-parallelize/pointwise", "affine-parallelize", "(0) to (symbol(%dim_0))", "(1) to (symbol(%dim_0))"),
        ("bounds", "scf-loops/bound_of_a_tile_is_specialised", "scf-for-loop-specialization", "%c0 to %c16", "%c1 to %c16"),
        # steps
        ("steps", "affine-tiling/rows_and_columns", TILE, "0 to %dim step 8", "0 to %dim step 9"),
        ("steps", "affine-tiling/one_loop_with_two_upper_bounds", TILE, "step 8", "step 16"),
        ("steps", "affine-unroll/two_carried_values", UNROLL, "step 4", "step 5"),
        ("steps", "affine-unroll/product_rows_are_jammed", UNROLL, "step 4", "step 8"),
        ("steps", "affine-unroll/constant_lower_bound", JAM, "step 4", "step 2"),
        ("steps", "affine-loop-structure/parallel_with_steps", "affine-loop-normalize", "* 2 + 1", "* 3 + 1"),
        ("steps", "scf-parallel/two_dimensions_are_tiled", PARALLEL_TILE, "%0 = arith.muli %c1, %c4", "%0 = arith.muli %c1, %c8"),
        ("steps", "scf-parallel/forall_with_lower_bounds", "scf-forall-to-for", "%c2 = arith.constant 2", "%c2 = arith.constant 1"),
        # maps
        ("maps", "affine-tiling/rows_and_columns", NORMALIZED, "(d0 + d1 * 4)", "(d0 + d1 * 3)"),
        ("maps", "affine-tiling/product_of_open_sizes", TILE, "(d0 + 8, s0)", "(d0 + 7, s0)"),
        ("maps", "affine-unroll/sum_in_a_carried_value", UNROLL, "affine_map<(d0) -> (d0 + 2)>", "affine_map<(d0) -> (d0 + 1)>"),
        ("maps", "affine-unroll/seven_times", UNROLL, "affine_map<(d0) -> (d0 + 3)>", "affine_map<(d0) -> (d0 + 4)>"),
        ("maps", "affine-loop-structure/lower_bounds_and_steps", "affine-loop-normalize", "(d0 * 5 + 4)", "(d0 * 5 + 5)"),
        ("maps", "affine-loop-structure/inner_loop_of_fixed_length", "affine-loop-coalescing", "d0 mod s0", "d0 floordiv s0"),
        ("maps", "affine-fusion/shifted_consumer", "affine-loop-fusion", "(d0 + 4)", "(d0 + 3)"),
        ("maps", "affine-data-copy/product_by_tiles", COPY, "%alloc_6[%arg7, -%arg4 + %arg6]", "%alloc_6[%arg7, %arg6 mod 4]"),
        ("maps", "scf-loops/nest_that_is_coalesced", COALESCE, "(d0 * 3)", "(d0 * 2)"),
        # guards
        ("guards", "affine-tiling/guarded_border", TILE, "d0 - 1 >= 0", "d0 - 2 >= 0"),
        ("guards", "affine-tiling/guarded_border", TILE, "-d1 + s1 - 2 >= 0", "-d1 + s1 - 3 >= 0"),
        ("guards", "affine-tiling/rows_and_columns", SEPARATED, "-d0 + s0 - 5 >= 0", "-d0 + s0 - 4 >= 0"),
        ("guards", "scf-parallel/two_dimensions_are_tiled", GUARDED_TILE, "arith.cmpi ult, %10", "arith.cmpi ugt, %10"),
        ("guards", "scf-parallel/two_dimensions_are_tiled", GUARDED_TILE, "scf.if %11", "scf.if %6"),
        ("guards", "scf-control-flow/value_used_in_one_branch", "control-flow-sink", "arith.cmpi slt", "arith.cmpi sle"),
        ("guards", "scf-control-flow/branch_on_data", "canonicalize", "cmpf ogt", "cmpf olt"),
        ("guards", "scf-loops/bound_of_a_tile_is_specialised", "scf-for-loop-specialization", "cmpi eq", "cmpi ne"),
        # two views of one allocation: a temporary that is too small or shared
        ("views", "affine-fusion/stencil_of_a_temporary", "affine-loop-fusion{maximal}", "%alloc[2]", "%alloc[1]"),
        ("views", "affine-fusion/three_stages_of_each_row", "affine-loop-fusion", "%alloc_0 = memref.alloc() : memref<1xf32>", "%alloc_0 = memref.cast %alloc : memref<1xf32> to memref<1xf32>"),
        ("views", "affine-data-copy/sum_of_two_rows", COPY, "%alloc_5 = memref.alloc() : memref<32xf32>", "%alloc_5 = memref.cast %alloc : memref<32xf32> to memref<32xf32>"),
        ("views", "memref-views/view_of_a_view", "fold-memref-alias-ops", "memref.load %arg0", "memref.load %arg0"),
        ("views", "memref-views/split_dimension", "fold-memref-alias-ops", "memref.load %arg0", "memref.load %arg0"),
        # dropped iterations and statements
        ("dropped", "affine-data-copy/sum_of_two_rows", COPY, "affine.store %0, %arg1[%arg2] : memref<32xf32>", ""),
        ("dropped", "affine-fusion/product_after_init", "affine-loop-fusion", "affine.store %cst, %arg2[%arg3, %arg4] : memref<10x8xf32>", ""),
        ("dropped", "affine-fusion/shifted_consumer", "affine-loop-fusion", "%arg3 = 0 to 36", "%arg3 = 0 to 35"),
        ("dropped", "affine-unroll/seven_times", UNROLL, "affine.store %6, %arg2[%arg3, %3] : memref<?x7xf32>", ""),
        ("dropped", "scf-loops/two_copies_in_turn", PIPELINE, "arith.subi %c12, %7", "arith.subi %c12, %c12"),
        ("dropped", "affine-parallelize/private_buffer", "affine-parallelize", "affine.store %0, %arg2[%arg3, %arg4] : memref<?x8xf32>", ""),
        # swapped operands and subscripts
        ("swapped", "affine-tiling/product_of_open_sizes", TILE, "affine.load %arg3[%arg9, %arg11]", "affine.load %arg3[%arg11, %arg9]"),
        ("swapped", "affine-unroll/seven_times", UNROLL, "arith.subf %0, %1", "arith.subf %1, %0"),
        ("swapped", "affine-fusion/three_stages", "affine-loop-fusion", "arith.subf", "arith.addf"),
        ("swapped", "affine-fusion/ends_of_rows_divide_them", "affine-loop-fusion", "arith.divf", "arith.mulf"),
        ("swapped", "affine-unroll/two_carried_values", UNROLL, "affine.store %0#0, %arg1[0]", "affine.store %0#1, %arg1[0]"),
        ("swapped", "affine-parallelize/parallel_of_two_dimensions", "affine-parallelize,lower-affine", "memref.load %arg2[%arg5, %arg4]", "memref.load %arg2[%arg4, %arg5]"),
        ("swapped", "scf-parallel/two_dimensions_are_tiled", PARALLEL_TILE, "memref.store %6, %arg3[%5, %4]", "memref.store %6, %arg3[%4, %5]"),
        # masks and lanes
        ("masks", "affine-super-vectorize/sum_of_an_open_row", REDUCTIONS, "(-d0 + s0)", "(-d0 + s0 - 1)"),
        ("masks", "affine-super-vectorize/sum_of_an_open_row", REDUCTIONS, "arith.select %3, %5, %cst", "arith.select %3, %cst, %5"),
        ("masks", "affine-super-vectorize/matrix_of_fixed_size", VECTORS, "vector.transfer_write %2, %arg1[%arg2, %arg3]", "vector.transfer_write %2, %arg1[%arg2, %arg2]"),
        ("masks", "affine-super-vectorize/sum_of_a_row", REDUCTIONS, "vector.reduction <add>", "vector.reduction <mul>"),
        ("masks", "affine-super-vectorize/smallest_of_a_row", REDUCTIONS, "dense<2147483647>", "dense<0>"),
        # divisions that are hoisted from loops that may not run
        ("hoisted", "scf-loops/division_by_an_argument_stays", "loop-invariant-code-motion", "", ""),
        # a lost min
        ("min", "affine-tiling/rows_and_columns", TILE, "(d0 + 8, s0)", "(d0 + 8, d0 + 8)"),
        ("min", "affine-tiling/one_loop_with_two_upper_bounds", TILE, "(d0 + 8, s0, s1)", "(d0 + 8, s0, s0)"),
        ("min", "affine-tiling/lower_bound_of_three", TILE, "(d0 + 8, s0)", "(d0 + 8, s0 + 8)"),
        ("min", "scf-parallel/two_dimensions_are_tiled", PARALLEL_TILE, "(d0, d1 - d2)", "(d0, d1)"),
        ("min", "affine-loop-structure/bounds_from_maps", "affine-loop-normalize", "", ""),
    )
)
