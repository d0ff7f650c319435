"""Operators of neural networks. Images are NCHW unless a layout says otherwise."""

from typing import Any

from ...diagnostics.expectations import coded_names
from ...lazy import found_elsewhere, unknown_name
from ..refusals import refused_name
from .activation import (
    elu,
    gelu,
    hard_sigmoid,
    hard_swish,
    leaky_relu,
    log_softmax,
    prelu,
    relu,
    silu,
    softmax,
    softplus,
    swish,
)
from .convolution import (
    conv1d,
    conv1d_ncw,
    conv1d_nwc,
    conv2d,
    conv2d_hwcn,
    conv2d_nchw,
    conv2d_NCHWc,
    conv2d_NCHWc_int8,
    conv2d_nhwc,
    conv2d_winograd_nhwc,
    conv3d,
    conv3d_ncdhw,
    conv3d_ndhwc,
    depthwise_conv2d_nchw,
    depthwise_conv2d_NCHWc,
    depthwise_conv2d_nhwc,
    group_conv2d_nchw,
    group_conv2d_NCHWc_int8,
    group_conv2d_nhwc,
)
from .gradients import (
    depthwise_conv2d_backward_input_nhwc,
    depthwise_conv2d_backward_weight_nhwc,
)
from .linear import (
    batch_matmul,
    dense,
    matmul,
)
from .mapping import (
    l2_normalize,
    nll_loss,
    scale_shift_nchw,
    scale_shift_nchwc,
    scale_shift_nhwc,
    simulated_dequantize,
    simulated_quantize,
)
from .normalization import (
    batch_norm,
    bias_add,
    group_norm,
    instance_norm,
    layer_norm,
    lrn,
    rms_norm,
)
from .pooling import (
    adaptive_pool,
    adaptive_pool1d,
    adaptive_pool3d,
    global_pool,
    pool1d,
    pool2d,
    pool3d,
    pool_grad,
)
from .space import (
    batch_to_space_nd,
    depth_to_space,
    dilate,
    fifo_buffer,
    flatten,
    mirror_pad,
    pad,
    space_to_batch_nd,
    space_to_depth,
    upsampling,
    upsampling3d,
)
from .sparse import (
    sparse_add,
    sparse_conv2d,
    sparse_dense,
    sparse_dense_sp_lhs,
    sparse_dense_sp_rhs,
    sparse_transpose,
)
from .transposed import (
    conv1d_transpose_ncw,
    conv2d_transpose_nchw,
    conv3d_transpose_ncdhw,
    group_conv2d_transpose_nchw,
)

__all__ = [
    "adaptive_pool",
    "adaptive_pool1d",
    "adaptive_pool3d",
    "batch_matmul",
    "batch_norm",
    "batch_to_space_nd",
    "bias_add",
    "conv1d",
    "conv1d_ncw",
    "conv1d_nwc",
    "conv1d_transpose_ncw",
    "conv2d",
    "conv2d_NCHWc",
    "conv2d_NCHWc_int8",
    "conv2d_hwcn",
    "conv2d_nchw",
    "conv2d_nhwc",
    "conv2d_transpose_nchw",
    "conv2d_winograd_nhwc",
    "conv3d",
    "conv3d_ncdhw",
    "conv3d_ndhwc",
    "conv3d_transpose_ncdhw",
    "dense",
    "depth_to_space",
    "depthwise_conv2d_NCHWc",
    "depthwise_conv2d_backward_input_nhwc",
    "depthwise_conv2d_backward_weight_nhwc",
    "depthwise_conv2d_nchw",
    "depthwise_conv2d_nhwc",
    "dilate",
    "elu",
    "fifo_buffer",
    "flatten",
    "gelu",
    "global_pool",
    "group_conv2d_NCHWc_int8",
    "group_conv2d_nchw",
    "group_conv2d_nhwc",
    "group_conv2d_transpose_nchw",
    "group_norm",
    "hard_sigmoid",
    "hard_swish",
    "instance_norm",
    "l2_normalize",
    "layer_norm",
    "leaky_relu",
    "log_softmax",
    "lrn",
    "matmul",
    "mirror_pad",
    "nll_loss",
    "pad",
    "pool1d",
    "pool2d",
    "pool3d",
    "pool_grad",
    "prelu",
    "relu",
    "rms_norm",
    "scale_shift_nchw",
    "scale_shift_nchwc",
    "scale_shift_nhwc",
    "silu",
    "simulated_dequantize",
    "simulated_quantize",
    "softmax",
    "softplus",
    "space_to_batch_nd",
    "space_to_depth",
    "sparse_add",
    "sparse_conv2d",
    "sparse_dense",
    "sparse_dense_sp_lhs",
    "sparse_dense_sp_rhs",
    "sparse_transpose",
    "swish",
    "upsampling",
    "upsampling3d",
]

coded_names(globals(), __all__)


def __getattr__(name: str) -> Any:
    """Return a module of classic programs that stands elsewhere, or a refused function."""
    try:
        return found_elsewhere(__name__, name)
    except KeyError:
        if (refused := refused_name("topi.nn", name)) is not None:
            return refused
        raise unknown_name(__name__, name, __all__) from None
