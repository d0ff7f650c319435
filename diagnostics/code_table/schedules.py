"""Schedules and their legality, and operators on whole tensors: TW04xx up to TW0449."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0401": ErrorCode(
        "illegal schedule",
        "The transformation would change what the program computes. The message gives a counter-example iteration.",
        remedy="leave the transformation out, or apply it to another loop; the counter-example shows which "
        "order has to stay",
    ),
    "TW0402": ErrorCode(
        "legality not provable",
        "Whether the transformation keeps the program's meaning could not be decided, so it was refused.",
        remedy="split by factors that divide the extents, or apply the primitive before the one that made the "
        "indices complicated",
    ),
    "TW0403": ErrorCode(
        "bad schedule argument",
        "A primitive was given a block, loop or factor that does not exist or does not fit.",
        remedy="give what the message expects; `tilewright explain` shows each primitive with its arguments",
        also=ValueError,
    ),
    "TW0404": ErrorCode(
        "stale handle of a block or loop",
        "The block or loop that the handle stands for was replaced by an earlier primitive: a split or "
        "fused loop is gone, its parts are what the primitive returned. Take a fresh handle with get_loops"
        " or get_block.",
        remedy="take a fresh handle with get_loops or get_block, or use what the primitive returned",
        also=IndexError,
    ),
    "TW0405": ErrorCode(
        "loops are not nested as the primitive needs",
        "fuse and reorder work on loops of which each holds nothing but the next one, with bounds that do "
        "not depend on one another's variables.",
        remedy="reorder or split first, so that each of the loops holds nothing but the next one",
    ),
    "TW0406": ErrorCode(
        "block does not have the form that the primitive needs",
        "Moving, inlining, caching and decomposing ask for blocks of a certain form: a single store by "
        "plain iteration variables, a reduction with its init, a buffer that is no argument and has no "
        "other writer. The message names what is missing.",
        remedy="apply the primitive to another block, or bring this one into the form that the message names",
    ),
    "TW0407": ErrorCode(
        "no such block, loop or buffer",
        "No block, loop or buffer of the function has the name, or several have it.",
        remedy="print the function, `sch.show()`, to see the names of its blocks, loops and buffers",
    ),
    "TW0408": ErrorCode(
        "trace does not fit",
        "The trace is damaged, or the function that it is replayed on has other blocks or loops than the "
        "one it was recorded on.",
        remedy="record the trace again on this function, or replay it on the one that it was recorded on",
    ),
    "TW0409": ErrorCode(
        "default schedule refused",
        "A default scheduling rule asked for a transformation that could not be proved legal. The next rule that fits "
        "the block is tried; where none applies, the block keeps its plain loops, which are correct and slow. "
        "Schedule it by hand, or report the rule. This is a remark.",
    ),
    "TW0410": ErrorCode(
        "split needs a guard",
        "disable_predication asks for a split without a guard, but the product of the factors is not proved to be the "
        "extent of the loop, so the last iterations would lie outside of it.",
        remedy="choose factors whose product is the extent, or leave disable_predication out",
    ),
    "TW0411": ErrorCode(
        "loop cannot be factored out of a reduction",
        "rfactor turns a loop of a reduction into an axis of partial results. The loop must run over a part of one "
        "reduce variable and of nothing else, the only block inside must be that reduction with its init, and its "
        "combiner must have a known identity.",
        remedy="split the reduction so that the loop runs over a part of one reduce variable alone; where its extent "
        "is symbolic, split it by a factor",
    ),
    "TW0412": ErrorCode(
        "bad thread axis",
        "A loop is bound to blockIdx or threadIdx .x, .y or .z, or to vthread. One axis is bound once on the way from "
        "the function to a statement, and an axis of known extent to a loop of just as many iterations.",
        remedy="bind to an axis that is free on the way to the statement, of just as many threads",
    ),
    "TW0413": ErrorCode(
        "unknown pragma",
        "A pragma says how a loop is lowered, so only the keys that a pass reads are accepted. Other remarks on a loop "
        "or a block are annotations: use annotate.",
        remedy="put a remark that no pass reads on the loop with annotate",
        also=ValueError,
    ),
    "TW0414": ErrorCode(
        "bad points of a partition",
        "loop_partition cuts a loop at increasing points inside its range; without points given, at those where a "
        "guard of its body begins or ends to hold.",
        remedy="give increasing points inside the range of the loop",
    ),
    "TW0415": ErrorCode(
        "no such annotation",
        "unannotate removes an annotation that annotate or pragma has put on the block or loop.",
        remedy="remove only what annotate or pragma has put there",
    ),
    "TW0418": ErrorCode(
        "bad index map",
        "A layout is a map from the indices of a buffer or block to others, such as `lambda i, j: (i // 8, j, i % 8)`: "
        "sums, products, quotients and remainders with integers, one parameter a dimension, and no two elements at one "
        "position.",
        remedy="map each index by sums, products, quotients and remainders with integers: `lambda i, j: (i // "
        "8, j, i % 8)`",
        also=ValueError,
    ),
    "TW0419": ErrorCode(
        "layout of a buffer that the caller sees",
        "The layout of an argument is part of the function's interface. cache_read and cache_write give a block a "
        "separate buffer, whose layout is free.",
        remedy="change the layout of a cache of it instead: cache_read and cache_write",
    ),
    "TW0420": ErrorCode(
        "buffer does not fit its annotation",
        "storage_align, double_buffer and rolling_buffer ask for an allocated buffer in memory; the last two for one "
        "that is written and then read in each iteration of a serial loop. The message names what is missing.",
        remedy="apply it to a buffer that cache_read or cache_write made, inside the loop",
    ),
    "TW0421": ErrorCode(
        "nothing to keep between iterations",
        "rolling_buffer keeps the rows that the next iteration reads again. Here no two iterations in a row read a row "
        "in common, along any dimension that moves with the loop.",
        remedy="choose a loop over rows whose step is smaller than what an iteration reads",
    ),
    "TW0422": ErrorCode(
        "padding would change the result",
        "pad_einsum extends the domain of a block with zeros, which only a sum of products leaves as it was; "
        "decompose_padding needs a block that stores an element or, outside of a guard, a constant.",
        remedy="pad a sum of products only, or leave the padding to the schedule: split guards the border",
    ),
    "TW0423": ErrorCode(
        "storage annotation not carried out",
        "storage_align and double_buffer are requests to the storage passes. Where a buffer has turned out to be used "
        "in a way that they do not handle, it stays as it is: the program is right, but not laid out as asked. "
        "This is a remark.",
    ),
    "TW0424": ErrorCode(
        "sum in a narrow type",
        "A remark: `te.sum` and `te.prod` keep the type of their terms, and each step of a sum of float16 or bfloat16 "
        "is rounded to 11 or 8 bits: 8192 ones give 2048 or 256. Operators of topi and of models accumulate in float32 "
        'and round once. `te.sum(A[i, k].astype("float32"), axis=k)`, cast back in a separate compute, does so too.',
    ),
    "TW0426": ErrorCode(
        "nest does not match the tensor intrinsic",
        "tensorize replaces a nest of loops only where it computes exactly what the intrinsic describes: the same "
        "extents, element types, combiner and accesses, up to where the tiles lie in their buffers. The message "
        "names the axis, the access or the operation that differs.",
        remedy="arrange the loops so that the nest computes what the intrinsic describes, or describe this nest",
    ),
    "TW0427": ErrorCode(
        "LLVM text does not parse",
        "The LLVM text of an intrinsic or of foreign code was rejected. The error points at its line; the syntax is "
        "that of the LLVM that the process has loaded.",
        remedy="correct the line; `llc` of the same version accepts the same text",
    ),
    "TW0428": ErrorCode(
        "no C compiler",
        "C source needs a compiler: the command that the environment variable CC names, else clang, cc or gcc.",
        remedy="install a C compiler, or name one in the environment variable CC",
    ),
    "TW0429": ErrorCode(
        "C source does not compile",
        "The C compiler rejected the source of foreign code. The error points at its line.",
        remedy="correct the line that the compiler names",
    ),
    "TW0430": ErrorCode(
        "bad declaration of a tensor intrinsic",
        "A tensor intrinsic is described by one compute of constant extents whose inputs are placeholders, and "
        "implemented by a body, or by a body, a reset and an update. Its bodies speak of the operands' buffers only.",
        remedy="describe the intrinsic by one compute over placeholders of constant shapes",
    ),
    "TW0431": ErrorCode(
        "no such tensor intrinsic",
        "Tensor intrinsics are registered by name before a schedule uses them, each name once unless it is "
        "registered with override=True.",
        remedy="register it first: `tir.TensorIntrin.register(name, intrinsic)`",
    ),
    "TW0432": ErrorCode(
        "foreign function not found",
        "A call names a function that the foreign code of its function does not define and the process does not "
        "have, or that takes other parameters than the call passes.",
        remedy="bring the function with import_foreign, or correct its name and parameters",
    ),
    "TW0433": ErrorCode(
        "block cannot be tiled here",
        "blockize makes one block over tiles out of the nest under a loop. Each iteration variable of the blocks "
        "inside must be a part decided outside of the loop times a constant plus a part that the loops inside run "
        "over completely.",
        remedy="split the loops so that the inner ones run over whole tiles",
    ),
    "TW0434": ErrorCode(
        "tile is not always whole",
        "The nest under the loop is guarded, so at the border it computes less than the intrinsic does. Split by "
        "factors that divide the extents, pad the block with pad_einsum, or part the border off with "
        "loop_partition.",
        remedy="split by factors that divide the extents, pad the block with pad_einsum, or part the border off "
        "with loop_partition",
    ),
    "TW0435": ErrorCode(
        "not a schedule",
        "A schedule file holds schedule.sequence operations and nothing else, at most one for each function of the "
        "module. Trace.from_mlir reads a text with exactly one.",
        remedy="give a file of schedule.sequence operations, one for each function at most",
    ),
    "TW0436": ErrorCode(
        "argument without a text",
        "A trace is written as MLIR, Python or JSON. Blocks, loops, numbers, strings, index maps, None and lists of "
        "them have a form in all three; other Python objects have none.",
        remedy="give numbers, strings, index maps, blocks, loops or lists of these",
    ),
    "TW0472": ErrorCode(
        "handle used before it exists",
        "The instructions of a schedule run in order, and a handle is known from the instruction on that returns it. "
        "Put get_block, get_loops, or whatever makes the block or the loop before what uses it.",
        remedy="put get_block, get_loops, or what makes the block or the loop, before what uses it",
    ),
    "TW0473": ErrorCode(
        "too many iterations",
        "Indices are 64-bit integers. With the parts that `split` makes, or the one loop that `fuse` makes, a "
        "nest of loops comes to more iterations than such an integer counts.",
        remedy="give smaller factors, or None for the outermost one; fuse fewer loops",
    ),
    "TW0476": ErrorCode(
        "primitive cannot be registered",
        "A primitive is a function of a schedule and of arguments, with annotations and a docstring. It returns handles"
        " (`BlockRV`, `LoopRV`) or None. Its name is one that no schedule has as a primitive or as another attribute.",
        remedy="give the function what the message asks for, or another name; `tilewright.unregister_primitive(name)` "
        "forgets a primitive",
    ),
    "TW0477": ErrorCode(
        "method of a classic schedule without a meaning here",
        "Classic programs call this method of a schedule. It reaches into structures that this compiler does not have,"
        " or draws at random; the message says which.",
        remedy="leave the call out, or use what the message names instead",
    ),
    "TW0440": ErrorCode(
        "shapes that do not broadcast",
        "Shapes are aligned at their ends. Two sizes go together where they are the same number, the same expression"
        " of te.var sizes, or where one of them is 1.",
        remedy="reshape or expand one of the tensors so that sizes agree from the last one on",
        also=ValueError,
    ),
    "TW0441": ErrorCode(
        "axis out of range",
        "A tensor of rank r has the axes 0 to r - 1, which also count from the end as -1 to -r. No axis may be given"
        " twice.",
        remedy="give each axis once, from -rank to rank - 1",
        also=ValueError,
    ),
    "TW0442": ErrorCode(
        "groups or channels that do not divide",
        "The groups of a convolution divide its input and output channels, and the weights hold the channels of one"
        " group. Group normalisation and space-to-depth divide dimensions in the same way.",
        remedy="choose groups that divide the channels",
        also=ValueError,
    ),
    "TW0443": ErrorCode(
        "unknown layout or mode",
        "The argument is one of a fixed set of names, which the message lists.",
        remedy="take one of the names that the message lists",
        also=ValueError,
    ),
    "TW0444": ErrorCode(
        "operands of shapes that do not fit",
        "The operator fixes the rank of an operand, or wants a size of one operand to be that of another.",
        remedy="reshape the operand to what the operator expects",
        also=ValueError,
    ),
    "TW0445": ErrorCode(
        "bad window",
        "A window needs strides and dilations of at least 1, paddings that are not negative, and must not be larger"
        " than the padded image.",
        remedy="give strides and dilations of at least 1 and a window that the padded image holds",
        also=ValueError,
    ),
    "TW0446": ErrorCode(
        "bad shape of a result",
        "The result of a reshape, a split or a slice must hold elements of the operand: sizes have to divide, bounds"
        " to lie within the dimension.",
        remedy="choose sizes whose product is the number of elements, and bounds inside the dimension",
        also=ValueError,
    ),
    "TW0447": ErrorCode(
        "argument of another kind",
        "The operator takes tensors made by te.placeholder, te.compute or another operator, and numbers where it says"
        " so; indices are tensors of integers.",
        remedy="pass a tensor of te.placeholder or te.compute, or a number where the operator takes one",
        also=TypeError,
    ),
}
