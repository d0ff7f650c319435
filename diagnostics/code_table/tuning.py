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
    "TW0810": ErrorCode(
        "measuring does not work",
        "The process that measures candidates cannot be started, or the plain loops of a task, whose results "
        "candidates have to give, fail in it. Crashes, hangs and wrong results of candidates are outcomes, no errors.",
        remedy="compile and run the task by itself, without a schedule, to see why it fails",
    ),
    "TW0811": ErrorCode(
        "function cannot be measured",
        "A runner calls functions with dense arrays of drawn numbers. A function that states strides, that is compiled "
        "for the value of an input, that finds the shape of a result or that writes an input needs more than that.",
        remedy="measure a kernel with plain arguments, and give the open sizes that it has",
    ),
    "TW0812": ErrorCode(
        "no worker measures",
        "A measurement takes one of the resource 'tilewright' of a worker of a dask cluster, so that none disturbs it. No "
        "worker has that resource, or all that had it are lost and none came back, or dask is not installed here.",
        remedy='start workers by `dask worker ADDRESS --nthreads 1 --resources "tilewright=1"`',
    ),
    "TW0860": ErrorCode(
        "file holds no target",
        "A file whose name ends in .target holds the text of a target: its kind, as llvm, then options, on any number "
        "of lines; # begins a comment. The file is empty, begins with an option, or names another file.",
        remedy="write one with `tilewright target --measure -o machine.target`",
    ),
}
