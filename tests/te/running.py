"""Every way to run a tensor program: interpreted and compiled, with and without fusion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from legal import legal
from tilewright import te
from tilewright.backends.cpu.host import host_target
from tilewright.backends.cpu.module import build
from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import evaluate

INTERPRETED = ("", "fuse", "fuse,lower-te")
"""Pipelines after which the reference semantics run the module."""
COMPILED = ("fuse,lower-te,lower-blocks",)
"""Pipelines after which machine code is made of it."""


def lowered(args, passes: str):
    module = te.to_module(args)
    if passes:
        PassManager(parse_pipeline(passes)).run(context(), module)
    return module


def run_compiled(args, arrays, passes: str) -> list[np.ndarray]:
    module = lowered(args, passes)
    module.attributes[TARGET_ATTRIBUTE] = host_target()
    result = build(legal(module))(*arrays)
    return list(result) if isinstance(result, (tuple, list)) else [result]


def results(args, arrays, compiled=COMPILED):
    """Yield the outputs, by every way to compute them."""
    for passes in INTERPRETED:
        yield passes, evaluate(lowered(args, passes), *arrays)
    for passes in compiled:
        yield f"{passes} compiled", run_compiled(args, arrays, passes)


def expect(args: Sequence[Any], arrays: Sequence[np.ndarray], *expected: Any, rtol: float = 0.0) -> None:
    """Check that every way to compute the outputs gives the expected arrays, of equal dtypes."""
    for way, outputs in results(args, arrays):
        assert len(outputs) == len(expected)
        for found, want in zip(outputs, expected, strict=True):
            wanted = np.asarray(want)
            assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype), way
            np.testing.assert_allclose(found, wanted, rtol=rtol, atol=rtol, err_msg=way)
