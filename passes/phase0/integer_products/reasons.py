"""Reasons why an operator that reads quantised numbers is computed on floats."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """The texts of remark TW0793, each behind "is not computed on integers: "."""

    NOT_QUANTIZED = "it reads numbers that are not quantised"
    UNKNOWN_SCALE = "its scale or zero point is not known"
    OTHER_FLOATS = "its numbers are not of float32"
    MOVED = "an operator before it moves its numbers, and not its integers"
    MIXED = "it is one of mixed types already"
    IMAGE_SCALES = "the scales of its image are a vector"
    UNKNOWN_WEIGHTS = "its weights are not known"
    WEIGHT_SCALES = "the scales of its weights are along another axis than that of the output channels"
    WIDE = "its integers have 32 bits"
    TERM_SCALES = "its scales are a vector along an axis that is summed over, or one of several matrices"
    UNKNOWN_TERMS = "the number of its terms is not known"
    LARGE_SUMS = "its sums may exceed 32 bits"
    NOT_REQUANTIZED = "its result is not quantised, or not by one known scale"
    NO_FORM = "there is no form of it on integers"
