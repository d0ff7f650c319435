"""Rows that cost nothing: a right one with peers of each kind, and one whose result is wrong."""

from __future__ import annotations

import importlib
from functools import partial

import numpy as np
from harness.row import Arrays, Bar, Case, Limit, Row, Work, gaussians


def rows() -> list[Row]:
    systems = {
        "tilewright": partial(doubled, factor=2.0),
        "numpy": partial(doubled, factor=2.0),
        "slow": slow,
        "elsewhere": not_installed,
    }
    bars = (Bar(20.0, ("slow",)), Bar(30.0, ("slow",)), Bar(0.0, ("slow", "elsewhere")), Limit(10.0))
    judged = {share: {**systems, "roofline": partial(at_share, share=share)} for share in (0.95, 0.9)}
    shares = (("at-peak", 0.95, Work()), ("below-peak", 0.9, Work()), ("plain-sum", 0.95, Work(is_least=False)))
    right = Row("right", "fake", systems, inputs=inputs, expected=expected, output=((8,), "float32"), bars=bars)
    ours = {"tilewright": partial(doubled, factor=2.0001), "numpy": partial(doubled, factor=2.0)}
    theirs = {"tilewright": partial(doubled, factor=2.0), "broken": broken}
    return [
        right,
        Row("wrong", "fake", ours, inputs=inputs, expected=expected, output=((8,), "float32"), bars=bars[:1]),
        Row("broken", "fake", theirs, inputs=inputs, expected=expected, output=((8,), "float32")),
        *(
            Row(name, "fake", judged[share], inputs, expected, ((8,), "float32"), work=work, bars=bars)
            for name, share, work in shares
        ),
    ]


def inputs() -> Arrays:
    return gaussians((8,))


def expected(arrays: Arrays) -> np.ndarray:
    return arrays[0].astype(np.float64) * 2


def doubled(arrays: Arrays, out: np.ndarray, threads: int, factor: float) -> Case:
    """Say that a run takes a second."""
    return Case(lambda: np.multiply(arrays[0], np.float32(factor), out=out), lambda count: 1.0)


def slow(arrays: Arrays, out: np.ndarray, threads: int) -> Case:
    """Say that a run takes 25 seconds."""
    return Case(doubled(arrays, out, threads, 2.0).run, lambda count: 25.0)


def at_share(arrays: Arrays, out: np.ndarray, threads: int, share: float) -> Case:
    """Say that the least work takes that share of a second."""
    return Case(lambda: None, lambda count: share, checked=False)


def not_installed(arrays: Arrays, out: np.ndarray, threads: int) -> Case:
    return importlib.import_module("library_that_nobody_has").case


def broken(arrays: Arrays, out: np.ndarray, threads: int) -> Case:
    raise ValueError("it does not work")
