"""Predefined global functions, which programs find by name without registering them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import cblas, random, sort

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "tvm.contrib.cblas.batch_matmul": cblas.multiply,
    "tvm.contrib.cblas.batch_matmul_iterative": cblas.multiply,
    "tvm.contrib.cblas.matmul": cblas.multiply,
    "tvm.contrib.random.normal": random.fill_normal,
    "tvm.contrib.random.randint": random.fill_integers,
    "tvm.contrib.random.seed": random.seed,
    "tvm.contrib.random.uniform": random.fill_uniform,
    "tvm.contrib.sort.argsort": sort.argsort,
    "tvm.contrib.sort.argsort_nms": sort.argsort_nms,
    "tvm.contrib.sort.sort": sort.sort,
    "tvm.contrib.sort.topk": sort.topk,
}
