"""The rows of the suite, one module a family.

A row names what has to be computed, in float64 or exact integers, how each system is asked for it, and the bars that
have to hold. Adding a row is adding a `Row` to a family's `rows()`.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.row import ROOFLINE, Row

FAMILIES = (
    "peaks",
    "matmul",
    "narrow",
    "prepacked",
    "byte_products",
    "convolution",
    "memory",
    "indexing",
    "whole_tensors",
    "networks",
    "deployed",
    "encoders",
    "compiling",
)


def all_rows(modules: Sequence[str] = ()) -> list[Row]:
    """Return the rows of all families in the order of tables, or those of the given files instead."""
    found = [_load(path) for path in modules] or [importlib.import_module(f"rows.{name}") for name in FAMILIES]
    return [_with_roofline(row) for module in found for row in module.rows()]


def find_row(name: str, modules: Sequence[str] = ()) -> Row:
    """Return the row of that name."""
    return next(row for row in all_rows(modules) if row.name == name)


def _with_roofline(row: Row) -> Row:
    """Return the row with its least work as one more peer."""
    from systems.roofline import roofline

    if not (row.work.operations or row.work.bytes):
        return row
    return replace(row, systems={**row.systems, ROOFLINE: roofline(row.work)})


def _load(path: str) -> Any:
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
