"""Cases of operators on layouts, boxes, sparse matrices, distinct elements, and of transposed windows."""

from __future__ import annotations

from typing import Any

import numpy as np
from operator_case import Case


def csr(rows: int, columns: int, batch: int, dtype: str, block: tuple[int, int] = (1, 1)) -> list[np.ndarray]:
    """Return an operand, and compressed rows of a matrix that has empty ones."""
    rng = np.random.default_rng(rows * columns)
    counts = rng.integers(0, columns + 1, rows)
    counts[::3] = 0
    indices = np.concatenate([rng.permutation(columns)[:n] for n in counts] or [np.zeros(0)]).astype(np.int32)
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    shape = (len(indices),) if block == (1, 1) else (len(indices), *block)
    x = rng.standard_normal((batch, columns * block[1])) * 4
    return [x.astype(dtype), (rng.standard_normal(shape) * 4).astype(dtype), indices, indptr]


def boxes(dtype: str, batch: int, classes: int, count: int, center: bool = False) -> list[np.ndarray]:
    rng = np.random.default_rng(count)
    coordinates = rng.uniform(0, 1, (batch, count, 4))
    if center:
        coordinates[..., 2:] *= 0.6
    scores = rng.uniform(-0.2, 1, (batch, classes, count))
    if count > 2:
        coordinates[:, 1], scores[..., 2] = coordinates[:, 0], np.nan
    return [coordinates.astype(dtype), scores.astype(dtype)]


def regions(dtype: str, count: int) -> list[np.ndarray]:
    rng = np.random.default_rng(count)
    x = rng.standard_normal((2, 3, 7, 9))
    low = rng.uniform(-2, 6, (count, 2))
    rois = np.concatenate([low, low + rng.uniform(-0.5, 7, (count, 2))], 1)
    return [x.astype(dtype), rois.astype(dtype), rng.integers(0, 2, count).astype(np.int64)]


def rows(dtype: str) -> list[np.ndarray]:
    """Return boxes of a class, a score and corners: equal scores, none, negative and NaN ones; all, some and none
    valid."""
    rng = np.random.default_rng(11)
    corners = rng.uniform(0, 1, (3, 9, 4))
    corners[:, 1], corners[:, 4] = corners[:, 0] + 0.05, corners[:, 3]
    scores = rng.choice([0.0, -0.5, 0.25, 0.5, 0.75, 0.9], (3, 9))
    scores[0, 2] = np.nan
    classes = rng.integers(-1, 3, (3, 9))
    data = np.concatenate([classes[..., None], scores[..., None], corners], 2).astype(dtype)
    return [data, np.array([9, 6, 0], "int32"), rng.permuted(np.tile(np.arange(-2, 7, dtype="int32"), (3, 1)), axis=1)]


def crops(dtype: str) -> list[np.ndarray]:
    """Return images, boxes inside of them, turned round, reaching out, of one place and of none, and their numbers."""
    rng = np.random.default_rng(7)
    corners = [[0.2, 0.3, 0.7, 0.9], [0, 0.1, 0.8, 1], [0.9, 0.8, 0.1, 0], [-0.3, 0.5, 1.2, 0.6], [0.5] * 4]
    boxes = np.array([*corners, [np.nan, 0, 1, 1]], dtype)
    return [rng.standard_normal((2, 3, 7, 9)).astype(dtype), boxes, np.array([0, 1, 1, 0, 1, 0], "int32")]


def _pool_grad(window: dict[str, Any], out: tuple[int, int], kind: str) -> Case:
    return Case(f"{kind}_pool2d_grad", ((2, 3, *out), (2, 3, 7, 11)), window)


_CORNERS: dict[str, Any] = {"kernel": (3, 3), "strides": (2, 3), "padding": (1, 1, 0, 2)}
_LAYOUTS = (
    ((2, 6, 3, 5), "NCHW", "NHWC"),
    ((2, 12, 3, 5), "NCHW", "NCHW4c"),
    ((2, 3, 3, 5, 4), "NCHW4c", "NCHW6c"),
    ((2, 3, 5, 12), "NHWC", "NCHW3c"),
    ((6, 4, 3, 1), "OIHW", "OIHW2i3o"),
)

FURTHER: list[Case] = [
    *(Case("layout_transform", (shape,), {"src_layout": src, "dst_layout": dst}) for shape, src, dst in _LAYOUTS),
    Case("layout_transform", ((2, 3, 4),), {"src_layout": "NWC", "dst_layout": "NCW"}, dtype="int8"),
    Case(
        "space_to_batch_nd",
        ((2, 3, 5, 2),),
        {"block_shape": (2, 3), "pad_before": (1, 0), "pad_after": (0, 1), "pad_value": -1.0},
    ),
    Case("space_to_batch_nd", ((1, 4),), {"block_shape": (2,), "pad_before": (0,), "pad_after": (0,)}, dtype="int32"),
    Case("batch_to_space_nd", ((12, 2, 3, 2),), {"block_shape": (2, 3), "crop_begin": (1, 0), "crop_end": (0, 4)}),
    Case("batch_to_space_nd", ((2, 4),), {"block_shape": (2,), "crop_begin": (0,), "crop_end": (0,)}, dtype="int32"),
    Case("meshgrid", ((3,), (5,), (2,)), {"indexing": "xy"}),
    Case("meshgrid", ((3,), (1,)), dtype="int64"),
    Case("meshgrid", ((4,),), {"indexing": "xy"}),
    Case("reverse_sequence", ((4, 5, 3), (4,)), dtypes=("float32", "int32")),
    Case("reverse_sequence", ((5, 7), (7,)), {"seq_axis": 0, "batch_axis": 1}, dtypes=("int8", "int64")),
    Case("nonzero", ((23,),), dtype="int32"),
    Case("nonzero", ((9,),), dtype="bool"),
    Case("nonzero", ((5,),), given=lambda: [np.array([0, np.nan, -0.0, 1, 0], np.float32)]),
    Case("extents", ((4, 1), (3,)), {"shape": ("#0.0", 7, "2 * #0.1 + #1.0")}),
    Case("iota", ((4, 7),), {"shape": ("#0.1 - 1",)}, dtype="int32"),
    Case("stretch", ((1, 3), (4, 2)), {"shape": (5, "#1.0", "#0.1")}),
    Case("extend", ((5,), (4, 2)), {"shape": ("#1.0 * #1.1",)}),
    Case("extend", ((5,),), {"shape": (3,)}, dtype="int64"),
    Case("regroup", ((4, 6), (3, 8)), {"shape": ("#1.1", "#1.0")}),
    Case("match_shape", ((4, 6), (4, 6)), {"shape": ("#1.0", "#1.1")}),
    Case("surround", ((4, 6), (3, 9)), {"before": (0, "#1.0 - 1"), "shape": ("#0.0", "#1.1 + 3"), "value": 2.0}),
    Case("cut", ((7, 9), (2, 3)), {"starts": (1, "#0.1 - 1"), "shape": ("#1.1", "#0.1 floordiv 2"), "steps": (2, -2)}),
    Case("match_shape", ((4, 6), (3, 4, 6)), {"shape": ("#1.1", "#1.2")}),
    Case("surround", ((3, 4), (2, 7)), {"before": (1, "#1.0"), "shape": (5, "#1.1 + 1"), "value": 1.5}),
    Case("surround", ((5, 4), (2, 7)), {"before": ("0 - #1.0", 1), "shape": ("#0.0 - 3", "#1.1")}, dtype="int32"),
    *(
        Case("surround", ((5, 6), (2, 1)), {"before": ("#1.0", 0), "shape": ("#0.0 + 5", "#0.1 + #1.1"), "mode": mode})
        for mode in ("edge", "reflect", "symmetric")
    ),
    *(
        Case(
            "rescale",
            ((1, 2, 3, 7), (5, 4)),
            {"axes": (3, 2), "shape": ("#0.0", "#0.1", "#1.0", f"{n} * #0.3"), "new": (n, 0), "old": (1, 1)}
            | {"method": method, "coordinates": coordinates},
        )
        for n, method, coordinates in (
            (2, "nearest", "half_pixel"),
            (1, "linear", "align_corners"),
            (3, "linear", "asymmetric"),
            (2, "linear", "pytorch_half_pixel"),
        )
    ),
    *(Case("unique", ((n,),), {"by_appearance": flag}, dtype="int32") for n in (1, 23) for flag in (False, True)),
    Case("unique", ((9,),), given=lambda: [np.array([2, np.nan, -0.0, 1, 0.0, np.nan, 2, np.inf, 1], np.float32)]),
    Case("conv1d_transpose", ((2, 4, 7), (4, 3, 3)), {"strides": (2,), "padding": (1, 0), "output_padding": (1,)}),
    Case("conv2d_transpose", ((1, 4, 5, 6), (4, 3, 3, 2))),
    Case(
        "conv2d_transpose",
        ((2, 4, 5, 3), (4, 3, 3, 2)),
        {"strides": (2, 3), "padding": (1, 0, 0, 1), "output_padding": (1, 2), "groups": 2, "dilations": (1, 2)},
    ),
    Case("conv2d_transpose", ((1, 2, 3, 3), (2, 2, 1, 1)), {"padding": (1, 0, 0, 1)}, dtype="int32"),
    Case("conv3d_transpose", ((1, 2, 2, 3, 4), (2, 3, 2, 1, 3)), {"strides": (1, 2, 2), "groups": 2}),
    *(_pool_grad(_CORNERS, (3, 4), kind) for kind in ("max", "avg")),
    *(_pool_grad(_CORNERS | {"ceil_mode": True}, (4, 4), kind) for kind in ("max", "avg")),
    *(
        _pool_grad({"kernel": (2, 2), "strides": (2, 2), "padding": (0, 3, 2, 1)}, (4, 7), kind)
        for kind in ("max", "avg")
    ),
    _pool_grad(
        {"kernel": (2, 3), "dilations": (2, 2), "padding": (0, 1, 1, 0), "count_include_pad": True}, (6, 8), "avg"
    ),
    _pool_grad({"kernel": (2, 3), "dilations": (2, 2), "padding": (0, 1, 1, 0)}, (6, 8), "max"),
    *(
        Case(f"adaptive_{kind}_pool", (shape,), {"output_size": size})
        for kind in ("max", "avg")
        for shape, size in (
            ((2, 3, 7, 6), (3, 2)),
            ((2, 3, 5), (4,)),
            ((1, 2, 3, 4, 5), (2, 4, 1)),
        )
    ),
    Case("sparse_dense", ((3, 5),), given=lambda: csr(7, 5, 3, "float32")),
    Case("sparse_dense", ((1, 5),), dtype="int32", given=lambda: csr(4, 5, 1, "int32")),
    Case("sparse_dense", ((2, 6),), {}, dtype="float64", given=lambda: csr(4, 3, 2, "float64", (3, 2))),
    *(
        Case("sparse_transpose", ((n,),), given=lambda n=n, dtype=dtype: csr(n, n, 1, dtype)[1:])
        for n, dtype in ((7, "float32"), (1, "int8"), (12, "float64"))
    ),
    Case("non_max_suppression", ((1, 9),), {"iou_threshold": 0.2}, given=lambda: boxes("float32", 1, 2, 9)),
    Case(
        "non_max_suppression",
        ((2, 20),),
        {"iou_threshold": 0.4, "score_threshold": 0.1, "max_output_boxes_per_class": 3, "center_point_box": True},
        given=lambda: boxes("float32", 2, 3, 20, True),
    ),
    Case("non_max_suppression", ((1, 1),), {"iou_threshold": 0.5}, given=lambda: boxes("float64", 1, 1, 1)),
    Case(
        "roi_align", ((2, 3, 7, 9),), {"output_size": (3, 2), "sampling_ratio": 2}, given=lambda: regions("float32", 5)
    ),
    Case(
        "roi_align",
        ((2, 3, 7, 9),),
        {"output_size": (2, 2), "spatial_scale": 0.5, "half_pixel": True},
        given=lambda: regions("float32", 6),
    ),
    Case("roi_align", ((2, 3, 7, 9),), {"output_size": (1, 3), "mode": "max"}, given=lambda: regions("float64", 4)),
    *(
        Case(
            "roi_align",
            ((2, 3, 7, 9),),
            {"output_size": (2, 3), "spatial_scale": 0.8, "mode": mode, "half_pixel": half, "sampling_ratio": samples},
            given=lambda: regions("float32", 3),
        )
        for mode, half, samples in (("avg", True, 2), ("avg", False, 3), ("max", True, 1), ("max", False, 2))
    ),
    *(
        Case("valid_boxes", ((3, 9, 6),), values, given=lambda dtype=dtype: rows(dtype)[:1])
        for values, dtype in (
            ({}, "float32"),
            ({"score_threshold": 0.4, "id_index": -1, "score_index": 1}, "float64"),
            ({"score_threshold": -1.0, "id_index": 0, "score_index": 3}, "float32"),
        )
    ),
    *(
        Case("suppress_boxes", ((3, 9, 6),), values, given=lambda dtype=dtype: rows(dtype))
        for values, dtype in (
            ({"iou_threshold": 0.4}, "float32"),
            ({"iou_threshold": 0.2, "force_suppress": True, "top_k": 3, "return_indices": True}, "float32"),
            ({"iou_threshold": 0.3, "id_index": -1, "max_output_size": 2, "invalid_to_bottom": True}, "float64"),
            ({"iou_threshold": 0.3, "max_output_size": 0, "return_indices": True}, "float32"),
            ({"iou_threshold": 0.0, "top_k": 2}, "float32"),
        )
    ),
    *(
        Case(
            "crop_and_resize",
            ((2, 3, 7, 9),),
            {"crop_size": size, "method": method, "extrapolation_value": 0.25},
            given=lambda dtype=dtype: crops(dtype),
        )
        for size, method, dtype in (
            ((3, 4), "linear", "float32"),
            ((1, 5), "nearest", "float32"),
            ((8, 1), "linear", "float64"),
            ((2, 11), "nearest", "float64"),
        )
    ),
    Case("roi_pool", ((2, 3, 7, 9),), {"output_size": (3, 2)}, given=lambda: regions("float32", 5)),
    Case(
        "roi_pool",
        ((2, 3, 7, 9),),
        {"output_size": (2, 2), "spatial_scale": 0.5},
        given=lambda: regions("float64", 4),
    ),
]
