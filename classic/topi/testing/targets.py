"""Selections by the keys of a target, and a comparison of a program with an array."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .... import te, topi
from ....driver.targets import Target
from ..targets import generic

Schedule = Callable[..., Any]


def dispatch(target: Any, dispatch_map: Mapping[str, Any]) -> Any:
    """Return the entry of a table for the first key of a target that it has, else for "generic"."""
    chosen = Target.of(target)
    return next((dispatch_map[key] for key in chosen.keys if key in dispatch_map), dispatch_map.get("generic"))


def get_injective_schedule(target: Any) -> Schedule:
    """Return the schedule of operators that compute each element from single ones."""
    return generic.schedule_injective


get_broadcast_schedule = get_elemwise_schedule = get_injective_schedule


def get_reduce_schedule(target: Any) -> Schedule:
    """Return the schedule of reductions."""
    return generic.schedule_reduce


def get_conv2d_nchw_implement(target: Any) -> tuple[Callable[..., Any], Schedule]:
    """Return the convolution of NCHW images and its schedule."""
    return topi.nn.conv2d_nchw, generic.schedule_conv2d_nchw


def compare_numpy_tvm(
    inputs: Sequence[np.ndarray], output: np.ndarray, target: Any, device: Any, compute: Any, schedule: Any
) -> None:
    """Run the tensor that `compute` defines from placeholders on arrays, and compare the result with `output`."""
    from ....driver import build

    placeholders = [te.placeholder(each.shape, each.dtype.name, f"x{k}") for k, each in enumerate(inputs)]
    with Target.of(target):
        result = compute(*placeholders)
        program = build(schedule([result]), [*placeholders, result])
    actual = np.zeros(output.shape, result.dtype)
    program(*(np.asarray(each) for each in inputs), actual)
    np.testing.assert_allclose(actual, output, rtol=1e-4, atol=1e-4)
