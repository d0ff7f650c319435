"""Lowering: TW05xx."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0501": ErrorCode(
        "not supported by this lowering",
        "The program is valid, but the conversion does not handle this operation or type.",
        remedy="write the operation by others that this lowering handles, or keep it for another target",
    ),
    "TW0510": ErrorCode(
        "loop not vectorised",
        "A loop of kind vectorized, or one that `vectorize{width=N}` chose, has iterations that depend on "
        "one another, bounds or indices that differ between lanes, or an operation without a vector form. "
        "It stays a serial loop, which is a remark; with the option `strict` it is an error.",
        remedy="leave `strict` out to keep the loop serial, or reorder so that a loop without dependences is innermost",
    ),
    "TW0520": ErrorCode(
        "buffer not compacted",
        "One run of the loops around a buffer's accesses touches a part of it that no box of constant "
        "extents holds, so the buffer keeps its extent in that dimension. This is a remark.",
    ),
    "TW0521": ErrorCode(
        "memory plan",
        "The number of buffers of a function that share one allocation, the bytes that they would take separately, and "
        "the bytes that they take together. This is a remark.",
    ),
    "TW0530": ErrorCode(
        "unknown intrinsic",
        "A call names an intrinsic that was not registered. `register_intrinsic` registers one; the functions of `te` "
        "are known by their names.",
        remedy='register it: `@tilewright.register_intrinsic("name", dtypes="float")`',
    ),
    "TW0531": ErrorCode(
        "intrinsic not defined for these operands",
        "The intrinsic was registered for other element types, or with another number of operands.",
        remedy="convert the operands to a type that it was registered for",
    ),
    "TW0532": ErrorCode(
        "bad registration of an intrinsic",
        "An intrinsic has a name, no effects, known element types, and one registration. A call that reads or writes "
        "memory is a call of foreign code: `tir.call_extern` in `te.extern`.",
        remedy="give it a name, element types and no effects; calls with effects are tir.call_extern in te.extern",
    ),
    "TW0533": ErrorCode(
        "intrinsic without a rule for the target",
        "No lowering rule exists for the intrinsic on this target. The message lists the targets that have a rule; "
        "`register_lowering` adds one. The interpreter uses the intrinsic's `reference`, or a rule for "
        '"interpreter".',
        remedy='add a rule: `@tilewright.register_lowering("name", target=...)`',
    ),
    "TW0534": ErrorCode(
        "bad result of a lowering rule",
        "A rule of one parameter returns an expression of the call's type that uses the call's operands, numbers "
        "and scalar functions, or the call itself to decline.",
        remedy="return an expression of the call's type made of its operands, or the call itself",
    ),
    "TW0535": ErrorCode(
        "threads part before a barrier",
        "All threads of a block reach a barrier, or none does. Here some of them end, or wait at another barrier: a "
        "condition or a loop bound around the barrier differs between threads. Such a program would hang on a GPU.",
        remedy="move the barrier out of the condition, or the loop's bounds out of the threads",
    ),
    "TW0536": ErrorCode(
        "number of threads not the same for a whole block",
        "The loops over one thread axis within a block run from 0 to one extent, which is known before the block "
        "starts, and carry no values: they are the same threads. Split or pad them to one extent.",
        remedy="split or pad the loops over the thread axis to one extent",
    ),
    "TW0537": ErrorCode(
        "race between threads",
        "Two threads, two blocks, or two iterations of a parallel loop touch one element, one of them writing it, and "
        "no barrier stands or can be put between them: they are iterations of one loop, which would have to run one "
        "after the other, or they meet inside a condition or a loop whose bounds differ between threads. Let different "
        "threads write disjoint elements: bind a loop of the statement to the threads, or allocate scratch inside of "
        "the loop that is bound.",
        remedy="let different threads write disjoint elements: bind a loop of the statement to the threads",
    ),
    "TW0538": ErrorCode(
        "reduction that threads cannot share",
        "A loop over a reduction is bound to threads, and what it does is not covered. The block must be a reduction "
        "by a known operator (te.sum, te.max, a te.comm_reducer that is associative and commutative), its loops over "
        "threads run from 0 to constant extents and hold nothing but one another, and its result be used after them "
        "only. `rfactor` the reduction, or bind a loop over the result.",
        remedy="factor the reduction with rfactor, or bind a loop over the result",
    ),
    "TW0540": ErrorCode(
        "bad annotation of a software pipeline",
        "`software_pipeline_stage` and `software_pipeline_order` give each statement of a serial loop's body a stage "
        "of at least 0 and its position among the others, a permutation of 0, 1, ...; `num_stages` derives both for a "
        "body that fills buffers and then uses them. The message says which statements the loop has.",
        remedy="give each statement of the loop a stage of at least 0 and its position among the others",
    ),
    "TW0541": ErrorCode(
        "pipelining turns a dependence around",
        "With these stages and this order a statement would run before another one, of the same or of an earlier "
        "iteration, whose data it needs or whose data it overwrites. The note shows two such instances.",
        remedy="give the statement that needs the data a later stage, or a later position in the order",
    ),
    "TW0542": ErrorCode(
        "pipelining not shown to be legal",
        "Whether two statements of a pipelined loop touch the same data could not be decided, or a value or a buffer "
        "that goes from one stage to another cannot be kept in several versions. The message says which.",
        remedy="put the two statements into one stage, or take the value that is not plain out of the loop",
    ),
    "TW0543": ErrorCode(
        "loops over one thread axis that cannot be unified",
        "All loops of a kernel that are bound to one thread axis share its extent. That is not possible where one "
        "stands inside another, or where the larger of two extents is not known.",
        remedy="split the loops so that all that are bound to the axis have one extent",
    ),
    "TW0544": ErrorCode(
        "storage reuse",
        "Which buffers of a function share one allocation, and how many bytes that saves. This is a remark.",
    ),
    "TW0545": ErrorCode(
        "choice reads outside of a buffer",
        "Both values of a choice are computed, and one of them reads an element that may lie outside of its buffer "
        "where it is not chosen. The read could not be put under the choice's condition: that is computed lane by "
        "lane, or a store stands between. This is a remark; `te.if_then_else` guards its reads from the start.",
    ),
    "TW0546": ErrorCode(
        "bounds checked",
        "How many accesses of a function were shown to stay inside their buffers, and how many are checked while it "
        "runs. This is a remark.",
    ),
    "TW0547": ErrorCode(
        "condition stays in a loop",
        "A condition does not depend on a loop, but taking it out would copy the loop, which makes the function larger "
        "than the pass may make it. This is a remark; the option `max_ops` says how large.",
    ),
    "TW0548": ErrorCode(
        "nothing to prefetch",
        "A loop was asked to prefetch what its later iterations read of a buffer, and what that is is not known, or is "
        "the same in all of them: primitives that came after the request changed the loop. This is a remark.",
    ),
    "TW0550": ErrorCode(
        "pass changed a value",
        "Validation ran a function before and after the pass on the same random inputs, and the results differ: the "
        "pass is wrong, or rounds differently without declaring `reassociates`.",
        remedy="run with `--bisect` to find the rewrite, or declare `reassociates` where only rounding differs",
    ),
    "TW0551": ErrorCode(
        "function not validated",
        "Validation could not run a function: it is too large for the interpreter and no smaller version of it "
        "could be made, or the interpreter cannot run it.",
        remedy="validate a smaller module: `tilewright reduce` or smaller extents",
    ),
    "TW0552": ErrorCode(
        "compiled code computes something else",
        "A kernel that the default pipeline compiled gives other results than the same kernel compiled without any "
        "optimisation; or the machine code of a function gives other results than the interpreter gives for the last "
        "loop IR, so that no pass but LLVM or the LLVM text is at fault.",
        remedy="find the pass with `opt-tool --validate`, or report the kernel",
    ),
    "TW0553": ErrorCode(
        "not a reproducer",
        "`--run-reproducer` takes a file that `--reproducer` wrote: IR below a header that says what ran over it.",
        remedy="give a file that `--reproducer` wrote",
    ),
    "TW0554": ErrorCode(
        "nothing to bisect",
        "All passes of the pipeline keep what the module computes, on the inputs tried.",
        remedy="give the module that fails, and the passes that it fails with",
    ),
    "TW0555": ErrorCode(
        "uninteresting input",
        "The test that a reduction has to keep does not hold for the file as it is given.",
        remedy="correct the test: it has to succeed for the file that is to be reduced",
    ),
    "TW0556": ErrorCode(
        "init of a reduction without terms cannot run",
        "Where a size is 0, a reduction over it has no terms and its result is the init, which runs before the loops "
        "of the reduction. This one reads or uses what only these loops compute. Compute that before them, or give "
        "the reduction an extent that is never 0.",
        remedy="compute what the init uses before the loops of the reduction, or give it an extent that is never 0",
    ),
    "TW0557": ErrorCode(
        "vectorized loop too long",
        "A vectorized loop keeps its extent: iterations past the end of a tensor are masked lanes, which take time "
        "though they store nothing. A loop with more iterations than the setting allows is most often split by a "
        "factor far beyond its extent.",
        remedy="split the loop and vectorize the inner part, or raise the setting max_vector_lanes of the PassContext",
    ),
    "TW0560": ErrorCode(
        "access outside of a buffer",
        "An access names an element outside of its buffer, whatever the data is: with constant bounds in some "
        "iteration, which the message names, with symbolic ones for all sizes. Tensors that are computed over a larger "
        "space than the ones that they read have guards where there is nothing to read, as "
        "`te.if_then_else(i < n, A[i], 0)`.",
        remedy="guard the access, or let its loop or its buffer end elsewhere",
    ),
    "TW0561": ErrorCode(
        "accesses of kernels are not checked",
        "How many accesses of a function's kernels are neither shown to stay inside their buffers nor checked, because "
        "kernels of the target cannot report a failed check to the host. Their indices are the caller's to answer for. "
        "This is a remark.",
    ),
    "TW0562": ErrorCode(
        "kernel passes on what may lie outside",
        "A kernel passes a part of a buffer to foreign code or to an instruction of tensors, at an index that is data. "
        "Neither could be left out where a check fails, so the index has to be brought into range before.",
        remedy="bring the index into range, as with te.max(te.min(i, n - 1), 0)",
    ),
}
