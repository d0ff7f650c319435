"""Operators without an operation in the graph dialect, on operands."""

from __future__ import annotations

from typing import Any

from operator_case import Case

_WINDOW: dict[str, Any] = {"strides": (2, 1), "padding": (1, 0, 0, 1), "dilations": (1, 2)}
_ALONG: dict[str, Any] = {"strides": (2,), "padding": (1, 0), "dilations": (1,), "groups": 1}
_VOLUME: dict[str, Any] = {"strides": (1, 2, 1), "padding": (0, 1, 0, 1, 0, 0), "dilations": (1, 1, 1), "groups": 2}

CASES = [
    *(Case(name, ((3, 5),)) for name in ("exp2", "expm1", "trunc", "silu")),
    *(Case(name, ((3, 5),), positive=True) for name in ("log2", "log10", "log1p", "rsqrt")),
    Case("hard_sigmoid", ((9,),), {"alpha": 0.3, "beta": 0.6}),
    Case("prelu", ((2, 3, 5), (3,)), {"axis": 1}),
    Case("true_div", ((2, 3, 5), (3, 1)), positive=True),
    Case("floor_div", ((31,), (31,)), dtype="int32", positive=True),
    Case("floor_div", ((4, 5), (5,))),
    Case("not_equal", ((4, 5), (5,)), dtype="int64"),
    Case("conv1d", ((2, 3, 9), (4, 3, 3)), _ALONG),
    Case("conv1d_channels_last", ((2, 9, 3), (3, 3, 4), (4,)), _ALONG),
    Case("conv2d_channels_last", ((1, 7, 6, 4), (3, 2, 2, 6)), _WINDOW | {"groups": 2}),
    Case("conv3d_channels_last", ((1, 3, 4, 5, 2), (2, 3, 3, 1, 4)), _VOLUME),
    Case("depthwise_conv2d", ((2, 3, 7, 6), (3, 2, 3, 2)), _WINDOW),
    Case("depthwise_conv2d_channels_last", ((1, 7, 6, 3), (3, 2, 3, 1)), _WINDOW),
    Case("tensordot", ((3, 4, 5), (4, 2, 3)), {"a_axes": (1, 0), "b_axes": (0, 2)}),
    Case("one_hot", ((3, 5),), {"depth": 7, "on": 2.0, "off": -1.0, "axis": 1, "dtype": "float32"}, "int64"),
    Case("repeat", ((2, 3),), {"repeats": 3, "axis": -1}),
    Case("flip", ((2, 3, 4),), {"axes": (0, -1)}),
    Case("stack", ((2, 3), (2, 3)), {"axis": 1}),
    Case("full", (), {"shape": (2, 3), "value": 2.5, "dtype": "float64"}),
    Case("arange", (), {"start": 3, "step": -2, "count": 5, "dtype": "int16"}),
]
