"""Seeded random numbers, a separate stream for each purpose.

numpy pads a seed with zero words: `default_rng(3)` and `default_rng((3, 0))` are one stream. Two purposes that seed
with a few small numbers can thus draw the same values, and a buffer that nobody wrote holds the right result. Here the
seed is a digest of the purpose and its numbers: different purposes or numbers give unrelated streams, the same ones the
same values on every machine.
"""

from __future__ import annotations

from enum import Enum
from hashlib import blake2b

import numpy as np


class Purpose(Enum):
    """The uses of random numbers."""

    INPUTS = "inputs"
    """Arguments of a function of a module; its number: the seed."""
    INPUTS_AT_SIZES = "inputs at sizes"
    """Arguments at the sizes of a refutation; its number: the trial."""
    OUTPUTS = "outputs"
    """Contents of output buffers before a call; its numbers: the trial, the position among the outputs."""
    SPECIAL_VALUES = "special values"
    """The elements of inputs that become infinities, NaN or zeros; its number: the trial."""
    EXTREME_VALUES = "extreme values"
    """The elements of inputs that become the least or the greatest integers; its number: the trial."""
    NEAR_CONSTANTS = "near constants"
    """Inputs about as large as the constants of a program; its number: the trial."""
    INTRINSIC_OPERANDS = "intrinsic operands"
    """Operands that implementations of a tensor intrinsic are run on; its number: the seed."""
    COMBINER_TERMS = "combiner terms"
    """Terms at which the laws of a combiner are evaluated; its number: 0 for drawing, 1 for choosing among them."""
    MODEL_INPUTS = "model inputs"
    """Inputs of `tilewright run`; its number: the seed of the command line."""
    WEIGHTS = "weights"
    """Constants of a model that comes without weights; its number: the seed."""
    TASK_ARGUMENTS = "task arguments"
    """Arguments of programs that are measured; its numbers: the seed, the position among the arguments."""
    TASK_SIZES = "task sizes"
    """Open sizes of programs that are measured; its numbers: the seed, the number of sizes."""
    ACCESS_ORDER = "access order"
    """The order of loads that measure a machine's caches and pages; its number: 0 for lines, 1 for pages."""


def generator(purpose: Purpose, *numbers: int) -> np.random.Generator:
    """Return the stream of a purpose and of numbers that distinguish its uses."""
    text = " ".join((purpose.value, *map(str, numbers)))
    return np.random.default_rng(int.from_bytes(blake2b(text.encode(), digest_size=16).digest(), "little"))
