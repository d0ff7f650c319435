"""
Operators: one record each, read by fusion, lowering and the reference semantics.

`get_operator("conv2d")` loads the file that defines it; the table says which that is. topi and the lowering of the
graph dialect are two views of the same records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import exports, load
from ..semantics.registry import register_provider

if TYPE_CHECKING:
    from ..semantics.registry import Reference
    from .declaration import register_operator as register_operator
    from .declaration import unregister_operator as unregister_operator
    from .description import describe as describe
    from .description import describe_all as describe_all
    from .record import Accumulator as Accumulator
    from .record import FusionKind as FusionKind
    from .record import Operator as Operator

_FILES: dict[str, str] = {
    "activation:OPERATORS": "leaky_relu prelu gelu silu softplus elu hard_sigmoid hard_swish",
    "arrangement:OPERATORS": "tile repeat flip stack depth_to_space space_to_depth full arange",
    "blocked_convolution:OPERATORS": "block_channels unblock_channels blocked_conv2d",
    "convolution:OPERATORS": (
        "conv1d conv2d conv3d conv1d_channels_last conv2d_channels_last conv3d_channels_last depthwise_conv2d "
        "depthwise_conv2d_channels_last"
    ),
    "elementwise:OPERATORS": (
        "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh relu neg "
        "abs sign sqrt rsqrt reciprocal erf sigmoid floor ceil round trunc isnan isfinite isinf not bitwise_not "
        "identity dropout clip cast add sub mul div true_div floor_div mod floor_mod pow minimum maximum and or "
        "xor bitwise_and bitwise_or bitwise_xor left_shift right_shift equal not_equal less less_equal greater "
        "greater_equal where"
    ),
    "indexing:OPERATORS": "gather gather_elements gather_nd one_hot",
    "linear:OPERATORS": "dense matmul packed_matmul tensordot einsum",
    "normalization:OPERATORS": "batch_norm lrn softmax log_softmax",
    "padding:OPERATORS": "pad",
    "pooling:OPERATORS": "max_pool2d avg_pool2d global_avg_pool adaptive_max_pool adaptive_avg_pool",
    "reduction:OPERATORS": (
        "reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_all reduce_any argmax argmin"
    ),
    "running:OPERATORS": "cumsum",
    "shape:OPERATORS": "reshape flatten squeeze unsqueeze transpose broadcast_to concat split slice",
    "resize:OPERATORS": "resize",
    "statistics:OPERATORS": "layer_norm rms_norm instance_norm group_norm",
    "winograd:OPERATORS": "winograd_conv2d",
}

OPERATORS: dict[str, str | Operator] = {name: table for table, names in _FILES.items() for name in names.split()}
"""
Name of the operator -> its record, or "module:table" that holds it, relative to this package. Where the graph dialect
has an operation of that name, the record is its meaning; the other records serve topi alone.
"""


def get_operator(name: str) -> Operator:
    """The record of the operator `graph.<name>`. Raises KeyError where there is none."""
    entry = OPERATORS[name]
    return load(entry, __name__)[name] if isinstance(entry, str) else entry


def _reference(op_name: str) -> Reference | None:
    name = op_name.removeprefix("graph.")
    return get_operator(name).evaluate if name in OPERATORS else None


register_provider("graph", _reference)

_EXPORTS = {
    "Accumulator": "record:Accumulator",
    "FusionKind": "record:FusionKind",
    "Operator": "record:Operator",
    "describe": "description:describe",
    "describe_all": "description:describe_all",
    "register_operator": "declaration:register_operator",
    "unregister_operator": "declaration:unregister_operator",
}

__all__ = [
    "OPERATORS",
    "Accumulator",
    "FusionKind",
    "Operator",
    "describe",
    "describe_all",
    "get_operator",
    "register_operator",
    "unregister_operator",
]

__getattr__, __dir__ = exports(__name__, _EXPORTS)
