"""Configuration keys of classic programs: keys that map to a key or a pass of this compiler, and keys without effect.

`passes.framework.config.SETTINGS` has the classic keys that are settings of this compiler.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..passes.framework.context import OtherSettings

SAME_AS: Mapping[str, str] = {
    "tir.disable_assert": "unchecked",
    "tir.instrument_bound_checkers": "check_bounds",
}
"""Keys that mean the same as one of `passes.framework.config.SETTINGS`."""

DISABLES: Mapping[str, str] = {
    "tir.disable_cse_tir": "cse",
    "tir.disable_storage_rewrite": "reuse-storage",
}
"""Keys that keep a pass from running."""

_MODELS = "models are compiled from the graph level, without relay and relax"
_SIMPLIFIER = "the simplifier proves what it can in any case"
_TRACED = "the instruments of `PassContext` and `profile=` measure programs"
_VTCM = "there is no target with such memory"

WITHOUT_MEANING: Mapping[str, str] = {
    "cuda.kernels_output_dir": "`get_source` and `--dump-dir` give the code of kernels",
    "ir.enable_si_builder": "source locations are always kept",
    "relax.FuseOps.max_depth": _MODELS,
    "relax.backend.use_cuda_graph": _MODELS,
    "relax.fallback_device_type": _MODELS,
    "relax.transform.apply_legalize_ops": _MODELS,
    "relay.FuseOps.link_params": _MODELS,
    "relay.FuseOps.max_depth": _MODELS,
    "relay.ToMixedPrecision.keep_orig_output_dtype": _MODELS,
    "relay.backend.tir_converter": _MODELS,
    "relay.backend.use_auto_scheduler": _MODELS,
    "relay.backend.use_meta_schedule": _MODELS,
    "relay.backend.use_meta_schedule_dispatch": _MODELS,
    "relay.fallback_device_type": _MODELS,
    "relay.frontend.fill_span": _MODELS,
    "relay.remove_standalone_reshapes.enable": _MODELS,
    "te.keep_schedule_record": "every schedule keeps its calls: `print(schedule)`",
    "testing.immutable_module": "passes run on copies of modules",
    "tir.HoistExpression": "`hoist` decides by what it saves",
    "tir.HoistIfThenElse": "`hoist` decides by what it saves",
    "tir.InjectDoubleBuffer": "`double-buffer` keeps the loop whole",
    "tir.ReduceBranchingThroughOvercompute": "`relax-guards` does so where no one sees what is computed more",
    "tir.RemoveNoOp": _SIMPLIFIER,
    "tir.Simplify": _SIMPLIFIER,
    "tir.debug_keep_trivial_loop": "loops of one iteration stay loops of the IR",
    "tir.detect_global_barrier": "blocks of a kernel do not wait for each other",
    "tir.enable_buffer_level_predication": "`vectorize` masks loads and stores in any case",
    "tir.enable_debug": "the setting `debug_info` and -g ask for lines",
    "tir.enable_equiv_terms_in_cse_tir": "`cse` compares index expressions by their canonical form",
    "tir.experimental_dma_bypass_cache": _VTCM,
    "tir.instr_siblings": _TRACED,
    "tir.instrument_lwp": _TRACED,
    "tir.is_entry_func": "every public function can be called",
    "tir.lwp_disable_func_prof": _TRACED,
    "tir.lwp_max_depth": _TRACED,
    "tir.lwp_min_height": _TRACED,
    "tir.merge_static_smem": "`assign-shared-offsets` puts all shared buffers of a kernel into one allocation",
    "tir.noalias": "arguments that share memory are detected when a program is called",
    "tir.ptx_ldg32": "the assembler chooses loads",
    "tir.reset_start_id": _TRACED,
    "tir.use_async_copy": "`select-copies` chooses asynchronous copies where a pipeline has them",
    "tir.usmp.algorithm": "`plan-arena` is the one planner",
    "tir.usmp.custom_algorithm": "`plan-arena` is the one planner",
    "tir.usmp.enable": "`plan-arena` plans one arena in any case",
    "tir.usmp.use_workspace_io": "arguments are memory of the caller",
    "tir.vtcm_capacity": _VTCM,
}
"""Keys whose value changes nothing here, with the reason that remark TW0260 gives."""

SETTINGS = OtherSettings(SAME_AS, DISABLES, WITHOUT_MEANING)
"""All of them, as `PassContext` takes them."""
