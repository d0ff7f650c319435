"""Upstream MLIR, in and out: TW0570 to TW0575."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0570": ErrorCode(
        "operation of upstream MLIR that is not converted",
        "A program of upstream MLIR holds an operation that no conversion to our dialects covers. docs/upstream.md "
        "lists those that are covered.",
        remedy="lower the operation with mlir-opt to linalg, affine, scf, memref and arith first",
    ),
    "TW0571": ErrorCode(
        "form of an upstream operation that is not converted",
        "The operation is covered, but not in this form: a layout, a stride, a map, a reduction or a type that our "
        "dialects cannot say. The message says what was expected.",
        remedy="write the operation in the form that the message asks for",
    ),
    "TW0572": ErrorCode(
        "loops that upstream MLIR cannot say",
        "`--emit mlir-upstream` prints loops in func, arith, math, memref, scf, affine and vector. The module holds an "
        "operation that has no counterpart there, such as threads, barriers, assertions, foreign calls and masks of "
        "other than the first lanes.",
        remedy="emit the module before the pass that makes the operation: leave --phase out, or name the passes",
    ),
    "TW0573": ErrorCode(
        "loop that does not count",
        "`scf.while` runs for as long as a condition holds that its body computes. The loops of our dialects have "
        "bounds that are known before they begin, which conversions, schedules and proofs rely on. A loop is converted "
        "whose condition compares an index with a bound from outside, and whose body adds a positive constant to it.",
        remedy="write the loop as scf.for, by mlir-opt --scf-uplift-while-to-for where it counts",
    ),
    "TW0574": ErrorCode(
        "calls that cannot be replaced by what they call",
        "Calls between functions of one upstream module are replaced by the operations of the function that is called. "
        "That ends for functions that do not call themselves, directly or through others, and is done for functions of "
        "moderate length.",
        remedy="write the recursion as a loop, and leave out functions that are not needed",
    ),
    "TW0575": ErrorCode(
        "tensors whose size control flow changes",
        "Loops and conditions on tensors become such on buffers. A buffer is made before the loop or the condition, so "
        "the tensor that an iteration or a branch gives has to have the size of the one that it replaces: by its type, "
        "or by the same expression of sizes.",
        remedy="bufferize the function first: mlir-opt --one-shot-bufferize",
    ),
}
