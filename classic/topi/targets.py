"""Schedules and operators of topi under the names of each target: `topi.cuda.schedule_dense(outs)`.

    with tilewright.target.Target("cuda"):
        C = topi.cuda.dense_tensorcore(A, B)
        s = topi.cuda.schedule_dense_tensorcore(C)
        program = tilewright.build(s, [A, B, C])

Every schedule function returns the default schedule of the target for which the program is built: it depends on loops
and accesses, not on names. A stage that the program schedules is left unchanged. Every operator is that of `topi`: the
default schedules and passes select what TVM's variants are for, such as tiles, packed layouts, tensor cores, Winograd.

    from tilewright.topi.nn.conv2d import _get_workload      # tests name more than they use

The submodules of these modules, and of `topi.nn`, have the same operators and schedules. Any other name can be imported
from them, but each use of it raises an error (TW0251).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import update_wrapper
from types import ModuleType
from typing import Any

from ... import topi
from ...lazy import found_elsewhere, unknown_name
from ...schedule.stages import LazySchedule, create_schedule
from ...te import Tensor
from ...topi.refusals import Refused, refused_name
from ..target import Target

SCHEDULES = (
    "adaptive_pool", "argsort", "argwhere", "batch_matmul", "batch_matmul_int8", "batch_matmul_tensorcore",
    "concatenate", "conv1d_ncw", "conv1d_nwc", "conv1d_transpose_ncw", "conv2d_NCHWc", "conv2d_NCHWc_int8",
    "conv2d_NHWC_quantized_interleaved", "conv2d_NHWC_quantized_native", "group_conv2d_NCHWc_int8", "sparse_conv2d",
    "conv2d_hwcn", "conv2d_nchw", "conv2d_nchw_int8", "conv2d_nchw_spatial_pack", "conv2d_nchw_winograd",
    "conv2d_nhwc", "conv2d_nhwc_direct", "conv2d_nhwc_pack", "conv2d_nhwc_pack_int8", "conv2d_nhwc_spatial_pack",
    "conv2d_nhwc_tensorcore", "conv2d_nhwc_winograd_direct", "conv2d_nhwc_winograd_tensorcore",
    "conv2d_transpose_nchw", "conv3d_ncdhw", "conv3d_ncdhw_winograd", "conv3d_ndhwc", "conv3d_ndhwc_tensorcore",
    "conv3d_transpose_ncdhw", "dense", "dense_int8", "dense_large_batch", "dense_nopack", "dense_pack",
    "dense_small_batch", "dense_tensorcore", "depthwise_conv2d_NCHWc", "depthwise_conv2d_backward_input_nhwc",
    "depthwise_conv2d_backward_weight_nhwc", "depthwise_conv2d_nchw", "depthwise_conv2d_nchw_spatial_pack",
    "depthwise_conv2d_nhwc", "dilation2d_nchw", "dilation2d_nhwc", "einsum", "extern", "fast_softmax",
    "get_valid_counts", "group_conv2d_nchw", "group_conv2d_nhwc", "group_conv2d_transpose_nchw", "injective", "lrn",
    "matmul", "nms", "pool", "pool_grad", "reduce", "reorg", "roi_align", "roi_pool", "scan", "scatter",
    "scatter_add", "scatter_nd", "softmax", "sort", "sparse_dense", "sparse_dense_padded", "sparse_transpose", "topk",
    "transpose", "unique",
)  # fmt: skip
"""The endings of the names of schedules that begin with `schedule_`."""

OPERATORS: dict[str, str] = {
    "conv2d_nchw_spatial_pack": "nn.conv2d_nchw",
    "conv2d_nchw_winograd": "nn.conv2d_nchw",
    "conv2d_nchw_int8": "nn.conv2d_nchw",
    "conv2d_nhwc_spatial_pack": "nn.conv2d_nhwc",
    "conv2d_nhwc_tensorcore": "nn.conv2d_nhwc",
    "conv2d_nhwc_winograd_direct": "nn.conv2d_nhwc",
    "conv2d_nhwc_winograd_tensorcore": "nn.conv2d_nhwc",
    "conv3d_ncdhw_winograd": "nn.conv3d_ncdhw",
    "conv3d_ndhwc_tensorcore": "nn.conv3d_ndhwc",
    "batch_matmul_int8": "nn.batch_matmul",
    "batch_matmul_tensorcore": "nn.batch_matmul",
    "compute_conv2d_NHWC_quantized_interleaved": "nn.conv2d_nhwc",
    "compute_conv2d_NHWC_quantized_native": "nn.conv2d_nhwc",
    "compute_depthwise_conv2d_nhwc": "nn.depthwise_conv2d_nhwc",
    "dense_int8": "nn.dense",
    "dense_large_batch": "nn.dense",
    "dense_nopack": "nn.dense",
    "dense_pack": "nn.dense",
    "dense_small_batch": "nn.dense",
    "dense_tensorcore": "nn.dense",
    "depthwise_conv2d_nchw_spatial_pack": "nn.depthwise_conv2d_nchw",
    "matmul_default": "nn.matmul",
}
"""Operators with a separate name for a target -> the operator of topi."""

_KEYWORDS = {"data": 0, "kernel": 1, "x": 0, "y": 1, "strides": 2, "stride": 2}
"""Keywords of classic variants, and the position of the argument."""

_REASON = "it is inside of classic topi, whose templates have workloads and configurations"
_HELP = "build the operator without: default schedules need neither"


def _schedule(outs: Tensor | Sequence[Tensor], *options: Any, **more: Any) -> LazySchedule:
    """Return the default schedule of these results, for the target that the program is built for; options have no
    meaning."""
    results = [outs] if isinstance(outs, Tensor) else list(outs)
    return create_schedule([tensor.op for tensor in results], by_default=True)


def _schedule_from_existing(sch: LazySchedule, out: Tensor) -> LazySchedule:
    """Return the schedule; stages that no call arranges get the default schedule."""
    sch.by_default = True
    return sch


def sort_by_key(keys: Tensor, values: Tensor, axis: int = -1, is_ascend: bool = True) -> tuple[Tensor, Tensor]:
    """Return the keys sorted along an axis, and the values in the order of their keys; equal keys keep their order."""
    order = topi.argsort(keys, axis=axis, is_ascend=is_ascend, dtype="int32")
    return topi.gather(keys, axis, order), topi.gather(values, axis, order)


class ByTarget(ModuleType):
    """The names of topi for one target."""

    def __init__(self, target: str) -> None:
        super().__init__(f"{__name__.rpartition('.')[0]}.{target}", f"Schedules and operators of topi for {target}.")
        self.__path__: list[str] = []  # pyright: ignore[reportIncompatibleVariableOverride]
        self.target = target

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        with suppress(KeyError):
            return found_elsewhere(f"tilewright.topi.{self.target}", name)
        function = self._named(name)
        if function is None:
            if (refused := refused_name(f"topi.{self.target}", name)) is not None:
                return refused
            raise unknown_name(f"tilewright.topi.{self.target}", name, dir(self))
        setattr(self, name, function)
        return function

    def _named(self, name: str) -> Callable[..., Any] | None:
        if name.endswith("_from_existing"):
            return _schedule_from_existing
        if name.startswith("schedule_"):
            return _schedule if name.removeprefix("schedule_") in SCHEDULES else None
        if name == "sort_by_key":
            return sort_by_key
        if name in OPERATORS:
            return _variant(getattr(topi.nn, OPERATORS[name].removeprefix("nn.")), name)
        for module in (topi.nn, topi, topi.vision, topi.image):
            if name in getattr(module, "__all__", ()):
                return _variant(getattr(module, name), name)
        return None

    def __dir__(self) -> list[str]:
        return sorted([*(f"schedule_{name}" for name in SCHEDULES), *OPERATORS, *topi.nn.__all__])


def _variant(operator: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return an operator that takes the keywords of its variants too."""
    parameters = list(inspect.signature(operator).parameters)

    def function(*given: Any, **keywords: Any) -> Any:
        renamed = {
            parameters[_KEYWORDS[key]]
            if key not in parameters and _KEYWORDS.get(key, len(parameters)) < len(parameters)
            else key: value
            for key, value in keywords.items()
        }
        return operator(*given, **renamed)

    update_wrapper(function, operator)
    function.__name__ = function.__qualname__ = name
    return function


generic, x86, cuda, arm_cpu, mali, bifrost, intel_graphics, rocm, gpu, hls = map(
    ByTarget, ("generic", "x86", "cuda", "arm_cpu", "mali", "bifrost", "intel_graphics", "rocm", "gpu", "hls")
)


class Internal(ModuleType):
    """A submodule of topi. If an operator has the same name, the module is callable as that operator."""

    def __init__(self, name: str, operator: Callable[..., Any] | None = None, **known: Any) -> None:
        super().__init__(f"{__name__}.{name}", f"What programs import from topi.{name}.")
        self.short_name = name
        if operator is not None:
            known["__wrapped__"] = operator
        vars(self).update(known)

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self.__wrapped__(*given, **named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.short_name!r} has no attribute {name!r}")
        module = self.short_name.partition(".")[0]
        found = getattr(topi.nn if module == "nn" else globals()[module], name, None)
        return found or Refused(f"topi.{self.short_name}", name, _REASON, _HELP)


def _is_aarch64_arm() -> bool:
    """Return whether the current target is an Arm processor of 64 bits."""
    target = Target.current()
    return target is not None and "aarch64" in str(target)


arm_cpu_conv2d_gemm = Internal("arm_cpu.conv2d_gemm", is_aarch64_arm=_is_aarch64_arm)
cuda_depthwise_conv2d = Internal("cuda.depthwise_conv2d")
generic_conv2d = Internal("generic.conv2d", topi.nn.conv2d)
nn_conv2d = Internal("nn.conv2d", topi.nn.conv2d)
nn_depthwise_conv2d = Internal("nn.depthwise_conv2d")
x86_conv2d_avx_common = Internal("x86.conv2d_avx_common")
x86_depthwise_conv2d = Internal("x86.depthwise_conv2d")
