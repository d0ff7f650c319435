"""Tuning: TW08xx."""

from __future__ import annotations

from .entry import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0801": ErrorCode(
        "decision does not fit",
        "A point of a search space or a tuning record answers a decision with a value that the rule does not offer for "
        "this function, or answers one that no rule asks. It is refused, as the schedule would be another one than the "
        "one that was measured. Compiling with records falls back to the default schedule of that function.",
        remedy="tune the function again: the record was made for another one, or by other rules",
    ),
    "TW0830": ErrorCode(
        "residual model of part of the samples",
        "The model of measured over predicted time is a Gaussian process, whose time grows with the cube of its samples. "
        "It is fitted to the fastest and the latest ones. The extra `tune` installs lightgbm, which takes all of them.",
        remedy="install `tilewright[tune]`",
    ),
    "TW0831": ErrorCode(
        "unknown search strategy",
        "The name is none of the strategies of `tilewright.tune.search`.",
        remedy="take one of the names that the message lists",
    ),
    "TW0832": ErrorCode(
        "space without plain loops",
        "A search that excludes the default plan begins with the function without a schedule, so its space has an "
        "attribute `plain`: the point at which no block is scheduled.",
        remedy="search without `exclude_default`, or give the space the attribute `plain`",
    ),
    "TW0833": ErrorCode(
        "outcomes of measurements are missing",
        "A measure gives one outcome for each candidate, in order; a candidate that fails is an outcome with its cause. "
        "This one ended before its last candidate.",
        remedy="let the measure yield `Measured` with a `failure` for candidates that it cannot time",
    ),
}
