"""One list of operators on operands: shapes with ones and primes, and every property away from its default."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from further_operator_cases import FURTHER
from operator_case import Case
from tilewright.dialects.graph import BinaryOp, Elements, GraphOp, ReduceOp, UnaryOp
from tilewright.operators import OPERATORS


def plain(family: type[GraphOp]) -> list[tuple[str, Elements]]:
    """Return the operators of a family, comparisons among those on two operands, with the element types that they
    take."""
    return [(name, o.elements) for name, o in OPERATORS.items() if o.elements is not None and o.is_plain(family)]


def _of_families() -> Iterator[Case]:
    """Yield the cases of operators that are all alike: on numbers of either sign, near zero, and beyond one."""
    for name, elements in plain(UnaryOp):
        if issubclass(OPERATORS[name].operation or GraphOp, ReduceOp):
            continue
        if elements is Elements.BOOL:
            yield Case(name, ((5,),), dtype="bool")
            continue
        yield from (Case(name, ((3, 1, 5),)), Case(name, ((7,),), positive=True), Case(name, ((9,),), small=True))
        yield Case(name, ((3, 2),), offset=1.0, positive=True)
        if elements is not Elements.FLOAT:
            yield Case(name, ((5, 3),), dtype="int32")
    for name, elements in plain(BinaryOp):
        if elements in (Elements.BOOL, Elements.ANY):
            yield Case(name, ((4, 5), (5,)), dtype="bool")
        if elements is not Elements.BOOL:
            yield Case(name, ((2, 3, 5), (3, 1)), positive=True)
        if elements in (Elements.NUMBER, Elements.ANY):
            yield from (Case(name, ((2, 3, 5), (3, 1))), Case(name, ((7,), (7,)), dtype="int64", positive=True))


_BINARY = ["add", "sub", "mul", "minimum", "maximum", "less", "less_equal", "greater", "greater_equal", "equal"]
_REDUCTIONS = [name.removeprefix("reduce_") for name, _ in plain(ReduceOp)]
_IMAGE = (2, 3, 7, 11)

_VOLUME: dict[str, Any] = {"strides": (1, 2, 1), "padding": (0, 1, 0, 1, 0, 0)}
_SCATTERED = ("float32", "int64", "float32")
_GRU = ((4, 2, 9), (9, 3), (3,), (2, 3))
_LSTM = ((4, 2, 12), (12, 3), (9,), (2, 3), (2, 3))


def _to_quantize() -> list[np.ndarray]:
    """Return ties, and numbers beyond the ends; an odd zero point, since an even one leaves ties what they are."""
    x = np.float32([[-0.25, 0.25, 0.75, 1.25], [1.75, -1.25, 0.3, -0.6], [63.7, 64.3, -900, 900]])
    return [x, np.array(0.5, np.float32), np.array(121, np.uint8)]


_WORDS: dict[str, Any] = {"padding": (1, 0, 1, 2), "strides": (1, 2), "pad_value": 0x07070707}


def _drawn_words() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.integers(-(2**31), 2**31, shape).astype(np.int32) for shape in ((1, 2, 5, 6, 1), (2, 2, 3, 3, 1, 4))]


def _bytes_and_words(image: str, rows: int, quarters: int) -> list[np.ndarray]:
    """Return an image of bytes at both ends of the type, words of weights, and a bias."""
    rng, info = np.random.default_rng(rows), np.iinfo(image)
    x = rng.integers(info.min, info.max + 1, (2, 2, 7, 6, 4)).astype(image)
    x[0, 0, 0], x[1, 1, -1] = info.min, info.max
    weight, bias = (rng.integers(-(2**31), 2**31, s).astype(np.int32) for s in ((2, quarters, 3, 4), (2, 4)))
    return [x, weight, bias >> 8]


def _columns(words: str, rows: int, **values: Any) -> Case:
    image, quarters = "uint8" if words[0] == "u" else "int8", -(-rows // 4)
    given = partial(_bytes_and_words, image, rows, quarters)
    values = {"rows": rows, "words": words, "padding": (2, 0, 1, 1), "pad_value": 5, **values}
    shapes = ((2, 2, 7, 6, 4), (2, quarters, 3, 4), (2, 4))
    return Case("depthwise_of_words", shapes, values, dtypes=(image, "int32", "int32"), given=given)


def _with_lengths(operands: int) -> tuple[str, ...]:
    return (*("float32",) * operands, "int64")


CASES: list[Case] = [
    *_of_families(),
    Case("dropout", ((3, 1, 5),)),
    Case("exp", ((),)),
    Case("tanh", ((5,),), dtype="float64"),
    Case("clip", ((5, 7),), {"low": -0.5, "high": 0.75}),
    Case("clip", ((5, 7),), {"high": 0.25}),
    Case("leaky_relu", ((5, 7),), {"alpha": 0.1}),
    *(Case(name, ((7,), (7,)), dtype="int64") for name in _BINARY),
    Case("add", ((2, 3), ()), dtype="float64"),
    Case("mul", ((5,), (1,)), dtype="int8"),
    Case("div", ((31,), (31,)), dtype="int32", positive=True),
    Case("where", ((3, 1), (3, 5), (5,)), dtypes=("bool", "float32", "float32")),
    Case("cast", ((5, 3),), {"to": "int32"}),
    Case("cast", ((5, 3),), {"to": "float64"}, dtype="int64"),
    Case("cast", ((5, 3),), {"to": "bool"}, dtype="int32"),
    Case("cast", ((5, 3),), {"to": "float32"}, dtype="bool"),
    Case("conv2d", (_IMAGE, (5, 3, 3, 3))),
    Case("conv2d", (_IMAGE, (5, 3, 3, 3), (5,)), {"padding": (1, 0, 2, 1), "strides": (2, 3)}),
    Case("conv2d", ((1, 4, 8, 8), (6, 2, 3, 1)), {"groups": 2, "dilations": (2, 1), "padding": (1, 1, 1, 1)}),
    Case("conv2d", ((1, 5, 6, 6), (5, 1, 3, 3), (5,)), {"groups": 5, "padding": (1, 1, 1, 1)}),
    Case("conv2d", ((1, 1, 1, 1), (1, 1, 1, 1))),
    Case("conv2d", ((1, 3, 5, 5), (2, 3, 3, 3)), dtype="int32"),
    Case(
        "conv2d",
        ((1, 3, 5, 6), (4, 3, 3, 3), (4,)),
        {"padding": (1, 1, 2, 0), "pad_value": 3, "out_dtype": "int32"},
        dtypes=("uint8", "int8", "int32"),
    ),
    Case("conv2d", ((1, 3, 5, 5), (2, 3, 3, 3)), {"padding": (1, 1, 1, 1), "pad_value": -2}),
    Case("block_channels", ((2, 12, 3, 2),), {"size": 4}),
    Case("unblock_channels", ((2, 3, 3, 2, 4),)),
    Case("blocked_conv2d", ((2, 2, 7, 6, 4), (3, 2, 3, 2, 4, 4), (3, 4)), {"padding": (1, 0, 2, 1), "strides": (2, 1)}),
    Case("blocked_conv2d", ((1, 4, 6, 6, 4), (2, 2, 3, 1, 4, 8)), {"groups": 2, "dilations": (2, 1)}),
    Case("blocked_conv2d", ((1, 3, 6, 6), (2, 3, 3, 3, 4), (2, 4)), {"padding": (1, 1, 1, 1), "strides": (2, 2)}),
    Case("blocked_conv2d", ((1, 3, 6, 6, 4), (3, 3, 3, 4), (3, 4)), {"padding": (1, 1, 1, 1)}),
    *(
        Case(
            "blocked_conv2d",
            ((1, 3, 6, 6, 4), weight, (3, 4)),
            {"padding": (1, 1, 1, 1), "pad_value": 100, "out_dtype": "int32"},
            dtypes=("uint8", "int8", "int32"),
        )
        for weight in ((3, 3, 3, 3, 4, 4), (3, 3, 3, 4))
    ),
    *(
        Case("blocked_conv2d", ((1, 2, 5, 6, 1), (2, 2, 3, 3, 1, 4)), {**_WORDS, "words": words}, given=_drawn_words)
        for words in ("u8s8", "u8u8", "s8s8", "s8u8")
    ),
    *(_columns(words, rows) for words, rows in (("u8s8", 3), ("u8u8", 1), ("s8s8", 4), ("s8u8", 5))),
    _columns("u8s8", 3, strides=(2, 2), dilations=(1, 2)),
    _columns("u8s8", 5, padding=(0, 0, 0, 0)),
    *(Case("lookup", ((3, 5), (256,)), dtypes=(dtype, "float32")) for dtype in ("uint8", "int8")),
    *(Case("words", ((2, 3, 2, 8),), dtype=dtype) for dtype in ("uint8", "int8")),
    Case("winograd_conv2d", ((2, 2, 5, 6, 4), (4, 4, 3, 2, 4, 4), (3, 4)), {"padding": (1, 0, 2, 1)}),
    Case("winograd_conv2d", ((1, 1, 4, 3, 4), (4, 4, 2, 1, 4, 8))),
    Case("batch_norm", (_IMAGE, (3,), (3,), (3,), (3,)), {"epsilon": 1e-3}, positive=True),
    Case("batch_norm", ((4, 3), (3,), (3,), (3,), (3,)), positive=True),
    Case("lrn", ((2, 7, 3, 2),), {"size": 5, "alpha": 0.1, "beta": 0.5, "bias": 2.0}),
    Case("lrn", ((1, 3, 2, 2),), {"size": 4}),
    Case("softmax", ((3, 5, 7),), {"axis": 1}),
    Case("softmax", ((3, 5),)),
    Case("log_softmax", ((3, 5),), {"axis": 0}),
    Case("max_pool2d", (_IMAGE,), {"kernel": (3, 2), "strides": (2, 2)}),
    Case("max_pool2d", (_IMAGE,), {"kernel": (3, 3), "strides": (2, 3), "padding": (1, 1, 0, 2), "ceil_mode": True}),
    Case("max_pool2d", (_IMAGE,), {"kernel": (2, 3), "dilations": (2, 2), "padding": (0, 1, 1, 0)}),
    Case("max_pool2d", ((1, 2, 5, 5),), {"kernel": (2, 2), "strides": (2, 2)}, dtype="int32"),
    Case("max_pool2d", ((2, 2, 5, 5, 4),), {"kernel": (3, 2), "padding": (1, 1, 0, 0), "blocked": True}),
    Case("max_pool2d", (_IMAGE,), {"kernel": (2, 2), "strides": (2, 1), "padding": (3, 2, 0, 4)}),
    Case("max_pool2d", ((1, 2, 3, 3),), {"kernel": (1, 1), "strides": (2, 1), "padding": (1, 0, 1, 2)}, dtype="int32"),
    *(
        Case(
            "avg_pool2d",
            (_IMAGE,),
            {"kernel": (1, 2), "strides": (1, 2), "padding": (1, 3, 2, 4), "count_include_pad": flag},
        )
        for flag in (False, True)
    ),
    Case("avg_pool2d", (_IMAGE,), {"kernel": (3, 2)}),
    Case("avg_pool2d", ((2, 2, 5, 5, 4),), {"kernel": (3, 2), "padding": (1, 1, 0, 0), "blocked": True}),
    Case("avg_pool2d", (_IMAGE,), {"kernel": (3, 3), "strides": (2, 2), "padding": (1, 1, 1, 1)}),
    Case(
        "avg_pool2d",
        (_IMAGE,),
        {"kernel": (3, 3), "strides": (2, 3), "padding": (1, 1, 1, 1), "ceil_mode": True, "count_include_pad": True},
    ),
    Case("avg_pool2d", (_IMAGE,), {"kernel": (3, 3), "strides": (3, 3), "padding": (0, 1, 1, 0), "ceil_mode": True}),
    Case("avg_pool2d", (_IMAGE,), {"kernel": (2, 3), "dilations": (2, 2), "padding": (1, 1, 1, 1)}),
    Case("avg_pool2d", ((1, 2, 3, 4),), {"kernel": (5, 9), "strides": (4, 8), "ceil_mode": True}),
    Case("max_pool2d", ((1, 2, 3, 4),), {"kernel": (5, 9), "strides": (4, 8), "ceil_mode": True}),
    Case("global_avg_pool", (_IMAGE,)),
    Case("global_avg_pool", ((2, 2, 5, 5, 4),), {"blocked": True}),
    Case("dense", ((3, 7), (5, 7))),
    Case("dense", ((1, 7), (5, 7), (5,))),
    Case("dense", ((2, 7), (5, 7), (5,)), {"out_dtype": "int32"}, dtypes=("uint8", "int8", "int32")),
    Case("matmul", ((3, 7), (7, 5))),
    Case("matmul", ((7, 3), (5, 7)), {"transpose_a": True, "transpose_b": True}),
    Case("matmul", ((2, 1, 3, 7), (4, 7, 5))),
    Case("matmul", ((3, 2), (2, 3)), dtype="int64"),
    Case("packed_matmul", ((3, 7), (2, 7, 4))),
    Case("packed_matmul", ((2, 3, 7), (3, 7, 1))),
    Case("packed_matmul", ((3, 7), (2, 7, 4)), {"out_dtype": "int32"}, dtypes=("uint8", "int8")),
    *(
        Case("packed_matmul", ((3, 5), (2, 5, 4)), {"words": words}, dtypes=("int32", "int32"))
        for words in ("u8s8", "u8u8", "s8s8", "s8u8")
    ),
    Case("quantize", ((3, 4), (), ()), {"to": "uint8"}, dtypes=("float32", "float32", "uint8"), given=_to_quantize),
    Case("quantize", ((3, 4), (4,)), {"to": "int16", "axis": -1}, positive=True),
    Case("dequantize", ((2, 3, 4), (3,), (3,)), {"to": "float32"}, dtypes=("int8", "float32", "int8")),
    Case("dequantize", ((3, 4), (1,)), {"to": "float16"}, dtypes=("int32", "float32")),
    *(Case(f"reduce_{k}", ((2, 3, 5),), {"axes": (1, -1), "keepdims": True}) for k in _REDUCTIONS),
    *(Case(f"reduce_{k}", ((2, 3, 5),), {"axes": (0,)}) for k in _REDUCTIONS),
    Case("reduce_sum", ((3, 5),), {"axes": (0, 1)}, dtype="int32"),
    Case("reshape", ((2, 6),), {"shape": (3, -1, 2)}),
    Case("reshape", ((2, 3, 4),), {"shape": (0, -1)}),
    Case("flatten", ((2, 3, 4),), {"axis": 2}),
    Case("flatten", ((2, 3),), {"axis": 0}),
    Case("squeeze", ((1, 3, 1, 2),), {"axes": (0, 2)}),
    Case("unsqueeze", ((3, 2),), {"axes": (0, 3)}),
    Case("transpose", ((2, 3, 5),), {"permutation": (2, 0, 1)}),
    Case("broadcast_to", ((3, 1),), {"shape": (2, -1, 4)}),
    Case("concat", ((2, 3), (2, 1), (2, 5)), {"axis": 1}),
    Case("concat", ((2, 3), (4, 3)), {"axis": -2}, dtype="int32"),
    Case("split", ((2, 7),), {"axis": 1, "sizes": (3, 4)}),
    Case("slice", ((7, 5),), {"starts": (1, 4), "sizes": (3, 5), "steps": (2, -1)}),
    Case("slice", ((7, 5),), {"starts": (0, 1), "sizes": (-1, 2), "steps": (1, 3)}),
    Case("pad", ((3, 5),), {"before": (1, 0), "after": (0, 2), "value": 0.5}),
    Case("pad", ((3, 5),), {"before": (0, 1), "after": (0, 0), "value": 3.0}, dtype="int32"),
    Case("gather", ((7, 5), (2, 3)), {"axis": 0}, dtypes=("float32", "int64")),
    Case("gather", ((2, 7), (4,)), {"axis": 1}, dtypes=("float32", "int32")),
    Case("packed_gather", ((2, 5, 4), (2, 3)), dtypes=("float32", "int64")),
    Case("packed_gather", ((7, 3, 1), ()), dtypes=("float32", "int32")),
    *(Case(name, ((7,),)) for name in ("elu", "gelu")),
    Case("elu", ((5, 7),), {"alpha": 0.5}),
    Case("gelu", ((5, 7),), {"approximate": True}),
    Case("sign", ((9,),), dtype="int32"),
    *(Case(name, ((3, 4, 5),), {"axis": 1}) for name in ("argmax", "argmin", "cumsum")),
    Case("argmax", ((3, 40),), {"axis": -1, "last": True, "keepdims": True}, dtype="int32"),
    Case("argmin", ((40, 2),), {"axis": 0, "last": True}, dtype="int8"),
    Case("cumsum", ((3, 5),), {"axis": 0, "exclusive": True, "reverse": True}),
    Case("cumsum", ((3, 5),), {"axis": 1, "reverse": True}, dtype="int32"),
    Case("cumprod", ((3, 4, 5),), {"axis": 1}),
    Case("cumprod", ((3, 5),), {"axis": 0, "exclusive": True, "reverse": True}, dtype="int32"),
    *(Case(name, ((3, 1, 5),)) for name in ("isnan", "isfinite", "isinf")),
    Case("isinf", ((5,),), {"detect_negative": 0, "detect_positive": 1}),
    Case("pow", ((2, 3, 5), (3, 1)), positive=True),
    *(Case(name, ((2, 3, 5), (3, 1)), positive=True) for name in ("mod", "floor_mod")),
    *(Case(name, ((31,), (31,)), dtype="int32", offset=20) for name in ("mod", "floor_mod")),
    *(
        Case(f"bitwise_{name}", ((4, 7), (7,)), dtype=dtype)
        for name in ("and", "or", "xor")
        for dtype in ("int32", "int8")
    ),
    Case("bitwise_not", ((7,),), dtype="int64"),
    *(Case(f"{side}_shift", ((31,), (31,)), dtype=dtype) for side in ("left", "right") for dtype in ("int8", "int64")),
    Case("trilu", ((2, 4, 5),)),
    Case("trilu", ((4, 3),), {"upper": True, "k": -1}, dtype="int32"),
    Case("hardmax", ((3, 4, 5),), {"axis": 1}),
    *(Case(name, ((2, 3, 5),), {"axes": (1,), "keepdims": True}, "bool") for name in ("reduce_all", "reduce_any")),
    Case("reduce_range", ((3, 4, 5),), {"axes": (0, 2), "keepdims": True}),
    Case("reduce_range", ((7, 33),), {"axes": (0, 1), "keepdims": False}, "int8"),
    Case("einsum", ((2, 3), (3, 4), (4,)), {"equation": "ij,jk,k->i"}),
    Case("einsum", ((5, 1, 2, 3), (4, 3, 2)), {"equation": "...ij,...ji->..."}),
    Case("einsum", ((3, 4, 3),), {"equation": "iji->ij"}, dtype="int32"),
    Case("rms_norm", ((2, 3, 5), (5,)), {"axes": (-1,)}),
    Case("rms_norm", ((2, 3, 5),), {"axes": (0, 1), "epsilon": 1e-3}),
    *(
        Case("scatter_elements", ((7, 8), (5, 6), (5, 6)), {"axis": axis, "reduction": kind}, dtypes=_SCATTERED)
        for axis, kind in ((0, "none"), (1, "add"), (0, "mul"), (1, "max"), (0, "min"))
    ),
    *(
        Case("scatter_nd", ((7, 3, 8), (2, 5, 1), (2, 5, 3, 8)), {"reduction": kind}, dtypes=_SCATTERED)
        for kind in ("none", "add", "mul", "max", "min")
    ),
    Case("gather_nd", ((7, 7, 3), (2, 5)), dtypes=("float32", "int32")),
    Case("gather_nd", ((2, 7, 3), (1, 2, 4)), {"batch": 1}, dtypes=("float32", "int64")),
    Case("topk", ((3, 11),), {"k": 4}),
    Case("topk", ((9, 2, 3),), {"k": 9, "axis": 0, "smallest": True}, dtype="int32"),
    Case("argsort", ((3, 20),), dtype="int32"),
    Case("argsort", ((20, 3),), {"axis": 0, "descending": True}, dtype="int8"),
    Case("searchsorted", ((2, 6), (2, 3, 4))),
    Case("searchsorted", ((9,), (5,)), {"right": True}, dtype="int64"),
    Case("sequence_mask", ((4, 7, 3), (4,)), {"mask_value": -1.0, "axis": 1}, dtypes=("float32", "int32")),
    Case("sequence_mask", ((5, 4), (4,)), dtypes=("int8", "int64")),
    Case("max_places2d", (_IMAGE,), {"kernel": (3, 2), "strides": (2, 2)}),
    Case(
        "max_places2d",
        (_IMAGE,),
        {"kernel": (2, 3), "padding": (1, 1, 0, 2), "dilations": (2, 1), "ceil_mode": True, "columns_first": True},
        dtype="int32",
    ),
    Case("conv3d", ((1, 2, 3, 4, 5), (4, 1, 2, 3, 3), (4,)), _VOLUME | {"groups": 2}),
    Case("dilate", ((2, 3, 4),), {"strides": (1, 2, 3), "dilation_value": -1.0}),
    Case("dilate", ((3,),), {"strides": (4,)}, dtype="int32"),
    *(Case(f"{kind}_pool3d", ((1, 2, 4, 5, 6),), {"kernel": (2, 3, 2)} | _VOLUME) for kind in ("max", "avg")),
    Case("layer_norm", ((2, 3, 5), (5,), (5,)), {"axes": (-1,)}),
    Case("layer_norm", ((2, 3, 5), (3, 5)), {"axes": (1, 2), "epsilon": 1e-3}),
    Case("layer_norm", ((2, 3, 5), (5, 3), (5, 3)), {"axes": (2, 1)}),
    Case("resize", (_IMAGE,), {"axes": (-1, 1), "sizes": (5, 4), "method": "linear"}),
    Case("instance_norm", (_IMAGE, (3,), (3,)), {"epsilon": 1e-3}),
    Case("group_norm", ((2, 4, 5, 3), (4,), (4,)), {"groups": 2}),
    Case("tile", ((2, 3),), {"repeats": (2, 3)}),
    Case("gather_elements", ((4, 7), (3, 5)), {"axis": 1}, dtypes=("float32", "int64")),
    *(Case("pad", ((4, 5),), {"before": (1, 3), "after": (0, 2), "mode": m}) for m in ("reflect", "symmetric", "edge")),
    Case("depth_to_space", ((1, 8, 3, 5),), {"block": 2}),
    Case("depth_to_space", ((2, 9, 2, 3),), {"block": 3, "mode": "CRD"}),
    Case("space_to_depth", ((2, 3, 4, 6),), {"block": 2}),
    Case("space_to_depth", ((2, 3, 6, 9),), {"block": 3, "mode": "CRD"}),
    *(
        Case("resize", (_IMAGE,), {"axes": (2, 3), "sizes": size, "method": method, "coordinates": coordinates})
        for method in ("nearest", "linear")
        for size, coordinates in (
            ((14, 5), "half_pixel"),
            ((1, 22), "pytorch_half_pixel"),
            ((9, 6), "align_corners"),
            ((14, 33), "asymmetric"),
        )
    ),
    *(
        Case("resize", ((2, 7),), {"axes": (1,), "sizes": (5,), "rounding": rounding})
        for rounding in ("round_prefer_ceil", "floor", "ceil")
    ),
    *(
        Case("grid_sample", ((2, 2, 4, 5), (2, 3, 2, 2)), {"mode": mode, "padding": padding, "align_corners": aligned})
        for mode, padding, aligned in (
            ("nearest", "border", True),
            ("linear", "zeros", False),
            ("linear", "reflection", True),
            ("cubic", "reflection", False),
        )
    ),
    Case("grid_sample", ((2, 1, 3, 4, 5), (2, 2, 1, 2, 3))),
    Case("grid_sample", ((1, 2, 7), (1, 5, 1)), {"mode": "nearest"}, dtypes=("int32", "float32")),
    Case("deform_columns", ((1, 4, 5, 6), (1, 24, 4, 4), (1, 12, 4, 4)), {"kernel": (2, 3), "offset_groups": 2}),
    Case(
        "deform_columns",
        ((2, 3, 5, 6), (2, 8, 2, 4)),
        {"kernel": (2, 2), "strides": (2, 1), "padding": (1, 0, 0, 1), "dilations": (2, 1)},
    ),
    Case("col2im", ((1, 5, 5),), {"image": (5, 5), "kernel": (1, 5)}),
    Case("col2im", ((2, 12, 20),), {"image": (7, 6), "kernel": (2, 3), "strides": (2, 1), "padding": (1, 0, 1, 1)}),
    Case(
        "col2im",
        ((1, 2, 4),),
        {"image": (7,), "kernel": (2,), "strides": (1,), "padding": (0, 0), "dilations": (3,)},
        dtype="int32",
    ),
    Case("resample", ((2, 7, 3), (4, 2), (4, 2)), {"axis": 1}, dtypes=("float32", "int64", "float32")),
    Case("det", ((2, 3, 3),)),
    Case("det", ((4, 4),), positive=True),
    Case("random_uniform", ((3, 1, 5),), {"seed": 7, "low": -1.0, "high": 3.0, "to": "float32"}),
    Case("random_uniform", ((5,),), {"to": "float64"}, dtype="int32"),
    Case("random_normal", ((3, 5),), {"seed": 1 << 31, "mean": 1.0, "scale": 2.0, "to": "float32"}),
    *(
        Case("bitcast", ((3, 5),), {"to": to}, dtype=dtype)
        for dtype, to in (("float32", "int32"), ("int64", "float64"))
    ),
    Case("bitcast", ((5,),), {"to": "uint8"}, dtype="int8"),
    Case("rnn", ((4, 2, 3), (3, 3), (1, 3))),
    Case(
        "rnn",
        ((4, 2, 3), (3, 3), (2, 3), (2,)),
        {"activations": "leaky_relu(0.1)", "clip": 0.5, "reverse": True},
        dtypes=_with_lengths(3),
        positive=True,
    ),
    *(
        Case("rnn", ((3, 2, 4), (4, 4), (2, 4)), {"activations": each})
        for each in (
            "relu",
            "affine(0.5, 0.1)",
            "thresholded_relu(0.3)",
            "scaled_tanh(0.8, 1.2)",
            "hard_sigmoid(0.2, 0.5)",
            "elu(0.7)",
            "softsign",
            "softplus",
        )
    ),
    Case("gru", _GRU),
    Case("gru", (*_GRU, (2,)), {"linear_before_reset": True, "reverse": True}, dtypes=_with_lengths(4)),
    Case("lstm", _LSTM),
    Case(
        "lstm",
        (*_LSTM, (2,)),
        {"input_forget": True, "clip": 0.75, "reverse": True},
        dtypes=_with_lengths(5),
        positive=True,
    ),
    *FURTHER,
]
