"""TW0240 to TW0250 and TW0474 to TW0479: proofs that passes, schedules and files compute the same."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0240": ErrorCode(
        "no such axiom",
        "Passes and `tilewright prove --axiom` name equations between scalars that hold for most numbers. The prover "
        "knows those of `tilewright.analysis.equivalence.Axiom` by their labels.",
        remedy="give one of the labels that the message names",
    ),
    "TW0241": ErrorCode(
        "pass refuted",
        "The functions before and after the pass were compared for all sizes. At the sizes and the element "
        "that the message names they compute different expressions, which the notes show with their locations, and the "
        "interpreter finds unequal numbers there. The pass is wrong, or uses an equation of arithmetic that it does "
        "not declare.",
        remedy="run with `--bisect` to find the rewrite, or declare `reassociates`, `contracts` or `axioms`",
    ),
    "TW0242": ErrorCode(
        "pass not proved",
        "Whether a function computes the same after a pass could not be decided for all sizes; the remark says why. "
        "The function is run on random inputs instead. This is a remark.",
    ),
    "TW0243": ErrorCode(
        "an axiom is missing",
        "The functions before and after a step compute different expressions at the sizes and the element that "
        "are named, and the interpreter finds equal numbers there: an equation of arithmetic makes them so that the "
        "prover does not know, or that the step does not declare. Nothing is decided. The two functions are saved, so "
        "that `tilewright prove` shows it again. This is a remark.",
    ),
    "TW0244": ErrorCode(
        "elements that are undefined before",
        "Elements of an output that the program before leaves undefined may become anything, so they are not compared. "
        "The remark counts them. A program that should define all of its output is wrong before the step already. "
        "This is a remark.",
    ),
    "TW0245": ErrorCode(
        "programs compute different results",
        "`tilewright prove` compared two functions for all sizes. At the sizes and the element that the message names "
        "they compute different expressions, which the notes show with their locations, and the interpreter finds "
        "unequal numbers there.",
        remedy="mend one of the programs, or allow what they may differ in by --reassociates, --contracts or --axiom",
    ),
    "TW0246": ErrorCode(
        "nothing to compare",
        "`tilewright prove` compares functions of one name: `--function` names it, and without it every function that "
        "the first file has and the second one, too. Functions without a body are not compared.",
        remedy="name a function that both files have with --function",
    ),
    "TW0249": ErrorCode(
        "foreign tool fails",
        "`tilewright prove --opt` runs a foreign optimizer, such as `mlir-opt`. It was not found or could not be "
        "started, did not know an option, ended with an error, took too long, or printed no module. The message shows "
        "the first error of the tool. Passes that it ran before are compared all the same. The exit status is 2.",
        remedy="run the command alone on the file and mend it; --opt-seconds gives the tool more time",
    ),
    "TW0250": ErrorCode(
        "pass of a foreign tool refuted",
        "`tilewright prove --opt` compared the modules before and after each pass of a foreign optimizer, for all "
        "sizes. After the pass that the message names, a function computes another result at the sizes and the "
        "element that are named. The notes show both expressions with their locations, and what running both shows. "
        "Both modules and a command that repeats it are saved.",
        remedy="report the pass with the saved files, or allow what it may change by --reassociates, --contracts or "
        "--axiom",
    ),
    "TW0474": ErrorCode(
        "schedule step refuted",
        "A schedule that validates its steps compared the functions before and after a call for all sizes. "
        "At the sizes and the element that the message names they compute different expressions, which the notes show "
        "with their locations, and the interpreter finds unequal numbers there. The primitive is wrong, or its "
        "check was switched off by `assert_legal=True`.",
        remedy="leave the call out, or let the primitive check it",
    ),
    "TW0475": ErrorCode(
        "schedule step not proved",
        "Whether a call of a schedule keeps what the function computes could not be decided for all sizes; the remark "
        "says why. This is a remark.",
    ),
}
