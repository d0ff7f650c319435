"""The table of error codes: the one source of `tilewright explain`, docs/errors.md and `fail`.

Ranges: TW01xx parsing and verifying IR; TW02xx command line, passes and options; TW03xx frontends;
TW04xx schedules and tensor expressions; TW05xx lowering; TW06xx backends and toolchain; TW07xx running a
compiled program.
"""

from __future__ import annotations

from typing import NamedTuple


class ErrorCode(NamedTuple):
    """What an error code stands for."""

    title: str
    """A few words, lower case, no full stop."""
    explanation: str
    """Sentences for the user: what it means, what to do about it."""


CODES: dict[str, ErrorCode] = {
    # TW01xx: parsing and verifying IR
    "TW0101": ErrorCode(
        "syntax error",
        "The text is not valid IR. The caret marks the first token that cannot be read. An operation or "
        "attribute that no known dialect defines is reported in the same way.",
    ),
    "TW0102": ErrorCode(
        "value used but not defined",
        "An operation uses a value that no operation, block argument or function argument visible at that "
        "point defines. Values defined inside a region are not visible outside it.",
    ),
    "TW0103": ErrorCode(
        "invalid operation",
        "The operation was read but breaks one of the rules that its verifier checks: operand and result "
        "types, attributes, regions. The message says what was expected and what was found.",
    ),
    "TW0104": ErrorCode(
        "value does not dominate its use",
        "A value is used where its definition has not run yet on every path: before its definition in the "
        "same block, in its own definition (a cycle), or in a block that its own block does not dominate.",
    ),
    "TW0105": ErrorCode(
        "IR nested too deeply",
        "Regions are nested deeper than the parser, the verifier or the printer can follow. Hundreds of "
        "nested loops or functions have no use here; a generator of the IR is most likely at fault.",
    ),
    "TW0106": ErrorCode(
        "empty input",
        "The input has no operation. An empty module is written `builtin.module {}`.",
    ),
    "TW0107": ErrorCode(
        "pass left invalid IR",
        "The module was valid before the pass and breaks a rule after it. The fault is in the pass: please"
        " report it, or repair it where it is your own.",
    ),
    # TW02xx: command line, passes and options
    "TW0201": ErrorCode(
        "unknown pass",
        "No pass of this name is registered. `opt-tool --list-passes` lists all of them; `--load FILE.py` "
        "registers those that a Python file defines.",
    ),
    "TW0202": ErrorCode(
        "bad pass option",
        "The pass has no option of this name, or the value has the wrong type. Options are written "
        "`pass{name=value other=1,2,3}`, options separated by spaces and the items of a list by commas. "
        "`opt-tool --list-passes` shows each pass's options.",
    ),
    "TW0203": ErrorCode(
        "malformed pass pipeline",
        "Passes are separated by commas: `fuse,tile{sizes=32,32},vectorize{width=16}`.",
    ),
    "TW0204": ErrorCode(
        "file cannot be read or written",
        "The file does not exist, is a directory, is not text, or its folder cannot be written to.",
    ),
    "TW0205": ErrorCode(
        "pass does not apply at this level",
        "The pass works on other dialects than the module has, and no chain of conversions leads there: "
        "conversions go down only (graph, te, loop with blocks, loop), and `--no-auto-lower` forbids "
        "inserting them.",
    ),
    "TW0206": ErrorCode(
        "rewriting does not end",
        "Patterns kept changing the module until the budget of rewrites was spent. Most often two patterns"
        " undo one another; the last ones that fired are named.",
    ),
    "TW0207": ErrorCode(
        "unknown configuration key",
        "`PassContext(config=...)` takes the keys of one table only; the nearest ones are suggested.",
    ),
    "TW0208": ErrorCode(
        "bad configuration value",
        "The value of this configuration key, option or argument of `PassContext` has the wrong type or is"
        " out of range.",
    ),
    "TW0209": ErrorCode(
        "bad command line argument",
        "The command was given an argument it cannot use; `--help` lists what it takes.",
    ),
    "TW0210": ErrorCode(
        "expected diagnostic did not come",
        "With `--verify-diagnostics` every `expected-error {{text}}` comment must be met by an error on "
        "its line, and every error by such a comment.",
    ),
    "TW0211": ErrorCode(
        "pass registered twice",
        "Two passes have the same name. A pass's name identifies it in pipelines, so each needs its own. The same "
        "class or function may be registered again, as when a module is reloaded or a cell of a notebook runs once "
        "more; `tilewright.unregister_pass(name)` forgets another one.",
    ),
    "TW0212": ErrorCode(
        "file of user passes cannot be loaded",
        "The file given to `--load` does not exist or raised an exception while it was imported.",
    ),
    "TW0213": ErrorCode(
        "pass cannot be disabled",
        "`PassContext(disabled_pass=...)` names a conversion between levels of IR, which nothing else can replace.",
    ),
    "TW0214": ErrorCode(
        "pass refused",
        "The pass stopped because the module is not one that it handles. The message is the pass's own.",
    ),
    "TW0215": ErrorCode(
        "lowering rule registered twice",
        "Of the rules for one operation and target the highest level wins, so two cannot have the same "
        "level. Give yours another; the ones that backends bring have level 10.",
    ),
    "TW0216": ErrorCode(
        "plugin cannot be loaded",
        "A distribution is installed that extends tilewright through the entry-point group `tilewright.plugins`, and "
        "importing it failed. Everything else works; what the plugin brings is missing. Update or uninstall the "
        "distribution that is named.",
    ),
    "TW0217": ErrorCode(
        "pass returned another module",
        "A pass changes the module that it is given in place: what else it returns would be lost. Move the operations "
        "of the other module into the given one.",
    ),
    "TW0218": ErrorCode(
        "not an instrument",
        "Instruments of `PassContext` derive from `tilewright.passes.Instrument`, or have at least one of the methods "
        "enter_pass_ctx, exit_pass_ctx, should_run, run_before_pass and run_after_pass.",
    ),
    "TW0219": ErrorCode(
        "finding of a pass",
        "A remark, no error: something that a pass found out about the program, for those who tune it. "
        "`--remarks=analysis` shows these.",
    ),
    "TW0220": ErrorCode(
        "change made",
        "A remark, no error: the pass made a change that it was asked for, or that it is there to make. "
        "`--remarks=passed` shows these.",
    ),
    "TW0221": ErrorCode(
        "change not made",
        "A remark, no error: the pass left something as it was that it might have changed, for the reason that the "
        "remark gives. Changes that have a code of their own, such as TW0510, are reported with that.",
    ),
    "TW0299": ErrorCode(
        "internal error",
        "An exception that no user's mistake should lead to: a fault of tilewright, or of a pass that was "
        "loaded. `--traceback` shows where; please report it.",
    ),
    # TW03xx: frontends
    "TW0301": ErrorCode(
        "model cannot be read",
        "The file is not a model of the expected format, or it is truncated or damaged.",
    ),
    "TW0302": ErrorCode(
        "unsupported operator",
        "The model uses an operator, or a version of it, that the importer does not know. The message "
        "names the node, the operator and the opset.",
    ),
    "TW0303": ErrorCode(
        "invalid node in a model",
        "A node of the model breaks the rules of its operator: inputs are missing, of the wrong type or "
        "shape, or an attribute has a value that the operator does not have.",
    ),
    "TW0304": ErrorCode(
        "model needs a shape or value that is not known",
        "A shape, axis or size is computed from the values of the model's inputs, or a size left open by "
        "the model meets an operator that needs a number. `--shape NAME=1,3,224,224` fixes the sizes of an"
        " input.",
    ),
    "TW0305": ErrorCode(
        "unsupported feature of a model format",
        "The model is valid but uses a type or a feature of its format that the importer does not read: "
        "sequences, sparse tensors, strings, control flow.",
    ),
    # TW04xx: schedules and legality
    "TW0401": ErrorCode(
        "illegal schedule",
        "The transformation would change what the program computes. The message gives a counter-example iteration.",
    ),
    "TW0402": ErrorCode(
        "legality not provable",
        "Whether the transformation keeps the program's meaning could not be decided, so it was refused.",
    ),
    "TW0403": ErrorCode(
        "bad schedule argument",
        "A primitive was given a block, loop or factor that does not exist or does not fit.",
    ),
    "TW0404": ErrorCode(
        "stale handle of a block or loop",
        "The block or loop that the handle stands for was replaced by an earlier primitive: a split or "
        "fused loop is gone, its parts are what the primitive returned. Take a fresh handle with get_loops"
        " or get_block.",
    ),
    "TW0405": ErrorCode(
        "loops are not nested as the primitive needs",
        "fuse and reorder work on loops of which each holds nothing but the next one, with bounds that do "
        "not depend on one another's variables.",
    ),
    "TW0406": ErrorCode(
        "block does not have the form that the primitive needs",
        "Moving, inlining, caching and decomposing ask for blocks of a certain form: a single store by "
        "plain iteration variables, a reduction with its init, a buffer that is no argument and has no "
        "other writer. The message names what is missing.",
    ),
    "TW0407": ErrorCode(
        "no such block, loop or buffer",
        "No block, loop or buffer of the function has the name, or several have it.",
    ),
    "TW0408": ErrorCode(
        "trace does not fit",
        "The trace is damaged, or the function that it is replayed on has other blocks or loops than the "
        "one it was recorded on.",
    ),
    "TW0409": ErrorCode(
        "default schedule refused",
        "A default scheduling rule asked for a transformation that could not be proved legal. The function"
        " keeps its plain loops: it is correct and slow. Schedule it by hand, or report the rule.",
    ),
    "TW0410": ErrorCode(
        "split needs a guard",
        "disable_predication asks for a split without a guard, but the product of the factors is not proved to be the "
        "extent of the loop, so the last iterations would lie outside of it.",
    ),
    "TW0411": ErrorCode(
        "loop cannot be factored out of a reduction",
        "rfactor turns a loop of a reduction into an axis of partial results. The loop must run over a part of one "
        "reduce variable and of nothing else, the only block inside must be that reduction with its init, and its "
        "combiner must have a known identity.",
    ),
    "TW0412": ErrorCode(
        "bad thread axis",
        "A loop is bound to blockIdx or threadIdx .x, .y or .z, or to vthread. One axis is bound once on the way from "
        "the function to a statement, and an axis of known extent to a loop of just as many iterations.",
    ),
    "TW0413": ErrorCode(
        "unknown pragma",
        "A pragma says how a loop is lowered, so only the keys that a pass reads are accepted. Other remarks on a loop "
        "or a block are annotations: use annotate.",
    ),
    "TW0414": ErrorCode(
        "bad points of a partition",
        "loop_partition cuts a loop at increasing points inside its range; without points given, at those where a "
        "guard of its body begins or ends to hold.",
    ),
    "TW0415": ErrorCode(
        "no such annotation",
        "unannotate removes an annotation that annotate or pragma has put on the block or loop.",
    ),
    "TW0418": ErrorCode(
        "bad index map",
        "A layout is a map from the indices of a buffer or block to others, such as `lambda i, j: (i // 8, j, i % 8)`: "
        "sums, products, quotients and remainders with integers, one parameter a dimension, and no two elements in one "
        "place.",
    ),
    "TW0419": ErrorCode(
        "layout of a buffer that the caller sees",
        "The layout of an argument is part of the function's interface. cache_read and cache_write give a block a "
        "buffer of its own, whose layout is free.",
    ),
    "TW0420": ErrorCode(
        "buffer does not fit its annotation",
        "storage_align, double_buffer and rolling_buffer ask for an allocated buffer in memory; the last two for one "
        "that is written and then read in each iteration of a serial loop. The message names what is missing.",
    ),
    "TW0421": ErrorCode(
        "nothing to keep between iterations",
        "rolling_buffer keeps the rows that the next iteration reads again. Here no two iterations in a row read a row "
        "in common, along any dimension that moves with the loop.",
    ),
    "TW0422": ErrorCode(
        "padding would change the result",
        "pad_einsum extends the domain of a block with zeros, which only a sum of products leaves as it was; "
        "decompose_padding needs a block that stores an element or, outside of a guard, a constant.",
    ),
    "TW0423": ErrorCode(
        "storage annotation not carried out",
        "storage_align and double_buffer are requests to the storage passes. Where a buffer has turned out to be used "
        "in a way that they do not handle, it stays as it is: the program is right, but not laid out as asked.",
    ),
    "TW0426": ErrorCode(
        "nest does not match the tensor intrinsic",
        "tensorize replaces a nest of loops only where it computes exactly what the intrinsic describes: the same "
        "extents, element types, combiner and accesses, up to where the tiles lie in their buffers. The message "
        "names the axis, the access or the operation that differs.",
    ),
    "TW0427": ErrorCode(
        "LLVM text does not parse",
        "The LLVM text of an intrinsic or of foreign code was rejected. The error points at its line; the syntax is "
        "that of the LLVM that the process has loaded.",
    ),
    "TW0428": ErrorCode(
        "no C compiler",
        "C source needs a compiler: the command that the environment variable CC names, else clang, cc or gcc.",
    ),
    "TW0429": ErrorCode(
        "C source does not compile",
        "The C compiler rejected the source of foreign code. The error points at its line.",
    ),
    "TW0430": ErrorCode(
        "bad declaration of a tensor intrinsic",
        "A tensor intrinsic is described by one compute of constant extents whose inputs are placeholders, and "
        "implemented by a body, or by a body, a reset and an update. Its bodies speak of the operands' buffers only.",
    ),
    "TW0431": ErrorCode(
        "no such tensor intrinsic",
        "Tensor intrinsics are registered by name before a schedule uses them, each name once unless it is "
        "registered with override=True.",
    ),
    "TW0432": ErrorCode(
        "foreign function not found",
        "A call names a function that the foreign code of its function does not define and the process does not "
        "have, or that takes other parameters than the call passes.",
    ),
    "TW0433": ErrorCode(
        "block cannot be tiled here",
        "blockize makes one block over tiles out of the nest under a loop. Each iteration variable of the blocks "
        "inside must be a part decided outside of the loop times a constant plus a part that the loops inside run "
        "over completely.",
    ),
    "TW0434": ErrorCode(
        "tile is not always whole",
        "The nest under the loop is guarded, so at the border it computes less than the intrinsic does. Split by "
        "factors that divide the extents, pad the block with pad_einsum, or part the border off with "
        "loop_partition.",
    ),
    "TW0435": ErrorCode(
        "not a schedule",
        "A schedule file holds schedule.sequence operations and nothing else, at most one for each function of the "
        "module. Trace.from_mlir reads a text with exactly one.",
    ),
    "TW0436": ErrorCode(
        "argument without a text",
        "A trace is written as MLIR, Python or JSON. Blocks, loops, numbers, strings, index maps, None and lists of "
        "them have a form in all three; other Python objects have none.",
    ),
    # TW044x: operators on whole tensors
    "TW0440": ErrorCode(
        "shapes that do not broadcast",
        "Shapes are aligned at their ends. Two sizes go together where they are the same number, the same expression"
        " of te.var sizes, or where one of them is 1.",
    ),
    "TW0441": ErrorCode(
        "axis out of range",
        "A tensor of rank r has the axes 0 to r - 1, which also count from the end as -1 to -r. No axis may be given"
        " twice.",
    ),
    "TW0442": ErrorCode(
        "groups or channels that do not divide",
        "The groups of a convolution divide its input and output channels, and the weights hold the channels of one"
        " group. Group normalisation and space-to-depth divide dimensions in the same way.",
    ),
    "TW0443": ErrorCode(
        "unknown layout or mode",
        "The argument is one of a fixed set of names, which the message lists.",
    ),
    "TW0444": ErrorCode(
        "operands of shapes that do not fit",
        "The operator fixes the rank of an operand, or wants a size of one operand to be that of another.",
    ),
    "TW0445": ErrorCode(
        "bad window",
        "A window needs strides and dilations of at least 1, paddings that are not negative, and must not be larger"
        " than the padded image.",
    ),
    "TW0446": ErrorCode(
        "bad shape of a result",
        "The result of a reshape, a split or a slice must hold elements of the operand: sizes have to divide, bounds"
        " to lie within the dimension.",
    ),
    "TW0447": ErrorCode(
        "argument of another kind",
        "The operator takes tensors made by te.placeholder, te.compute or another operator, and numbers where it says"
        " so; indices are tensors of integers.",
    ),
    # TW045x and TW046x: tensor expressions
    "TW0450": ErrorCode(
        "unknown element type",
        "Tensors hold bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32 or float64.",
    ),
    "TW0451": ErrorCode(
        "bad operand in a tensor expression",
        "Scalar expressions are made of numbers, axes, sizes and elements of tensors. A whole tensor is no"
        " scalar: index it. Some operators take integers only, others conditions only.",
    ),
    "TW0452": ErrorCode(
        "condition used as a Python truth value",
        "A comparison of expressions has no value until the program runs, so Python's `if`, `and`, `or` "
        "and `not` cannot look at it. Use te.if_then_else or te.Select, te.all, te.any, and `~`.",
    ),
    "TW0453": ErrorCode(
        "function and shape of a compute do not match",
        "te.compute calls the function with one axis for each dimension of the shape; it must take exactly"
        " that many arguments and return a scalar expression.",
    ),
    "TW0454": ErrorCode(
        "reduction inside an expression",
        "A reduction must be the whole body of its compute. Give it a compute of its own, and read that "
        "tensor where the value is needed.",
    ),
    "TW0455": ErrorCode(
        "bad index of a tensor",
        "A tensor is read with one integer expression for each dimension.",
    ),
    "TW0456": ErrorCode(
        "axis used outside its compute",
        "The axes of a compute exist in its own body only, a reduce axis only under a reduction over it.",
    ),
    "TW0457": ErrorCode(
        "bad shape or domain",
        "A shape is a list of sizes that are not negative: Python integers, te.var sizes and integer "
        "expressions of them. The domain of a reduce axis is a pair (low, high).",
    ),
    "TW0458": ErrorCode(
        "size that no argument determines",
        "The value of a te.var is found in the shapes of the arguments: at least one argument must have it"
        " as a whole dimension.",
    ),
    "TW0459": ErrorCode(
        "bad argument list of a tensor program",
        "The arguments are the placeholders that the outputs depend on, followed by the outputs.",
    ),
    "TW0460": ErrorCode(
        "unknown thread axis",
        "A thread axis is blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z or vthread. Its "
        "extent, where it is given, is a positive integer.",
    ),
    "TW0461": ErrorCode(
        "variable that is no size",
        "te.var and te.size_var stand for sizes, whose type is int32 or int64. Any other number that is known only "
        "when the program is called is a placeholder of shape ().",
    ),
    "TW0462": ErrorCode(
        "results of one compute that reduce differently",
        "Several results of a compute are either all elements or all parts of one reduction, in order: what a reducer "
        "of te.comm_reducer returns for a tuple. Two reductions over the same axis are two computes.",
    ),
    "TW0463": ErrorCode(
        "bad reducer",
        "te.comm_reducer takes a function of two values, or of two tuples of values, which returns the combined ones, "
        "and a function from their element types to the identities. Both are made of their arguments and numbers "
        "alone.",
    ),
    "TW0464": ErrorCode(
        "reduce axis of two computes",
        "A reduce axis belongs to one compute, so that a schedule can say which loop it means. Make one with "
        "te.reduce_axis for each compute.",
    ),
    "TW0465": ErrorCode(
        "bad scan",
        "te.scan takes, for each state, the tensor of its first steps, the compute that continues it along the first "
        "axis, and a placeholder that stands for the state in that compute. Types and the sizes of the other "
        "dimensions agree, and all updates have the same first axis.",
    ),
    "TW0466": ErrorCode(
        "bad extern",
        "The function given to te.extern is called with the input and output buffers and returns a statement, such as "
        "te.call_extern, that writes the outputs.",
    ),
    # TW048x and TW049x: stages of lazy schedules
    "TW0480": ErrorCode(
        "axis that was replaced",
        "A split or fused axis is no loop any more: what split or fuse returned is. cache_write and rfactor give a "
        "stage new axes, too: take them from s[T].op.axis and s[T].op.reduce_axis.",
    ),
    "TW0481": ErrorCode(
        "axis of another stage",
        "A primitive of a stage takes that stage's own axes: those of s[T].op, and what its splits and fuses returned.",
    ),
    "TW0482": ErrorCode(
        "compute_at names an axis that is no loop of that stage",
        "s[T].compute_at(s[C], axis) takes one of the loops of C: an axis of C that has not been split or fused, before"
        " that call or after it. Split first, then attach to one of the parts.",
    ),
    "TW0483": ErrorCode(
        "no consumer inside the loop that compute_at names",
        "A stage can be computed inside a loop only if everything that reads it runs inside that loop as well.",
    ),
    "TW0484": ErrorCode(
        "cache_write or rfactor after primitives that it cannot carry over",
        "cache_write gives the splits of the data-parallel axes of a stage to the cache. Reduction axes that were split"
        " or fused, loop kinds, and stages attached to split axes cannot move: call cache_write before those.",
    ),
    "TW0485": ErrorCode(
        "axes to fuse are not neighbours",
        "fuse takes loops of which each directly holds the next. Reorder them so that they are neighbours first.",
    ),
    "TW0486": ErrorCode(
        "bad list of axes",
        "reorder and fuse take two or more different axes of the stage.",
    ),
    "TW0487": ErrorCode(
        "axis of the wrong kind",
        "Iterations of a reduction axis depend on one another, so it can be neither vectorized nor parallel; rfactor "
        "turns a part of a reduction into a data-parallel axis, so it takes a reduction axis.",
    ),
    "TW0488": ErrorCode(
        "wrong object in a call of a schedule",
        "Schedules are indexed by tensors and their operations; primitives of stages take axes, compute_at a stage and "
        "one of its axes.",
    ),
    "TW0489": ErrorCode(
        "stage cannot be computed inline",
        "Inlining replaces each read of a tensor by its expression. That of a reduction is none, and an output must be "
        "stored.",
    ),
    "TW0490": ErrorCode(
        "tensor is not part of the schedule",
        "A schedule knows the tensors that its outputs depend on, and those that cache_read, cache_write and rfactor "
        "returned.",
    ),
    "TW0491": ErrorCode(
        "bad split",
        "split takes either factor, the extent of the inner axis, or nparts, that of the outer: a positive integer.",
    ),
    "TW0492": ErrorCode(
        "axis has a loop kind already",
        "An axis is vectorized, unrolled, parallel or bound to a thread axis, and only one of these.",
    ),
    "TW0493": ErrorCode(
        "bad thread axis",
        "Axes are bound to blockIdx.x, .y, .z, threadIdx.x, .y, .z or vthread.",
    ),
    "TW0494": ErrorCode(
        "compute_at in a circle",
        "A stage cannot be computed inside one of its own loops, nor inside a stage that is itself computed inside it.",
    ),
    "TW0495": ErrorCode(
        "tensor without loops of its own",
        "A placeholder is given by the caller, a scan is made of other computes, foreign code brings its own loops: "
        "there is nothing to split, to move or to annotate. cache_read copies a tensor into a stage that has loops.",
    ),
    "TW0496": ErrorCode(
        "bad cache or factored stage",
        "cache_read takes a tensor and stages that read it; cache_write the outputs of one compute; rfactor a result "
        "of one reduction and the position of the new axis in it.",
    ),
    "TW0497": ErrorCode(
        "schedule and arguments do not belong together",
        "The tensors that are lowered depend on a compute that the schedule does not know: create the schedule for all "
        "outputs among the arguments.",
    ),
    "TW0498": ErrorCode(
        "bad detail of a stage",
        "A pragma has a key, a scope is a name, storage_align takes one of the tensor's own axes and integers.",
    ),
    "TW0499": ErrorCode(
        "schedule is not lowered yet",
        "Calls of a lazy schedule are carried out when it is lowered; only then is there a trace.",
    ),
    # TW05xx: lowering
    "TW0501": ErrorCode(
        "not supported by this lowering",
        "The program is valid, but the conversion does not handle this operation or type.",
    ),
    "TW0510": ErrorCode(
        "loop not vectorised",
        "A loop of kind vectorized, or one that `vectorize{width=N}` chose, has iterations that depend on "
        "one another, bounds or indices that differ between lanes, or an operation without a vector form. "
        "It stays a serial loop, which is a remark; with the option `strict` it is an error.",
    ),
    "TW0520": ErrorCode(
        "buffer not compacted",
        "One run of the loops around a buffer's accesses touches a part of it that no box of constant "
        "extents holds, so the buffer keeps its extent in that dimension. This is a remark.",
    ),
    "TW0521": ErrorCode(
        "memory plan",
        "How many buffers of a function share one piece of memory, what they would take apart, and what "
        "they take together. This is a remark.",
    ),
    "TW0530": ErrorCode(
        "unknown intrinsic",
        "A call names an intrinsic that was not registered. `register_intrinsic` registers one; the functions of `te` "
        "are known by their names.",
    ),
    "TW0531": ErrorCode(
        "intrinsic not defined for these operands",
        "The intrinsic was registered for other element types, or with another number of operands.",
    ),
    "TW0532": ErrorCode(
        "bad registration of an intrinsic",
        "An intrinsic has a name, no effects, known element types, and one registration. A call that reads or writes "
        "memory is a call of foreign code: `tir.call_extern` in `te.extern`.",
    ),
    "TW0533": ErrorCode(
        "intrinsic without a rule for the target",
        "Nothing says what the intrinsic becomes on this target. The message lists the targets that have a rule; "
        "`register_lowering` adds one. The interpreter uses the intrinsic's `reference`, or a rule for "
        '"interpreter".',
    ),
    "TW0534": ErrorCode(
        "bad result of a lowering rule",
        "A rule of one parameter returns an expression of the call's own type that uses the call's operands, numbers "
        "and scalar functions, or the call itself to decline.",
    ),
    "TW0535": ErrorCode(
        "threads part before a barrier",
        "All threads of a block reach a barrier, or none does. Here some of them end, or wait at another barrier: a "
        "condition or a loop bound around the barrier differs between threads. Such a program would hang on a GPU.",
    ),
    "TW0536": ErrorCode(
        "number of threads not the same for a whole block",
        "The loops over one thread axis within a block run from 0 to one extent, which is known before the block "
        "starts, and carry no values: they are the same threads. Split or pad them to one extent.",
    ),
    "TW0537": ErrorCode(
        "race between threads",
        "Two threads of a block touch one element, one of them writing it, and no barrier stands or can be put between "
        "them: they do so at the same step, or inside a condition or a loop whose bounds differ between threads. "
        "Let each thread write elements of its own: bind a loop of the statement to the threads.",
    ),
    "TW0538": ErrorCode(
        "reduction that threads cannot share",
        "A loop over a reduction is bound to threads, and what it does is not covered. The block must be a reduction "
        "by a known operator (te.sum, te.max, te.comm_reducer, ...), its loops over threads run from 0 to constant "
        "extents and hold nothing but one another, and its result be used after them only. `rfactor` the reduction, or "
        "bind a loop over the result.",
    ),
    "TW0540": ErrorCode(
        "bad annotation of a software pipeline",
        "`software_pipeline_stage` and `software_pipeline_order` give each statement of a serial loop's body a stage "
        "of at least 0 and its place among the others, a permutation of 0, 1, ...; `num_stages` derives both for a "
        "body that fills buffers and then uses them. The message says which statements the loop has.",
    ),
    "TW0541": ErrorCode(
        "pipelining turns a dependence around",
        "With these stages and this order a statement would run before another one, of the same or of an earlier "
        "iteration, whose data it needs or whose data it overwrites. The note shows two such instances.",
    ),
    "TW0542": ErrorCode(
        "pipelining not shown to be legal",
        "Whether two statements of a pipelined loop touch the same data could not be decided, or a value or a buffer "
        "that goes from one stage to another cannot be kept in several versions. The message says which.",
    ),
    "TW0543": ErrorCode(
        "loops over one thread axis that cannot be unified",
        "All loops of a kernel that are bound to one thread axis share its extent. That is not possible where one "
        "stands inside another, or where the larger of two extents is not known.",
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
    ),
    "TW0551": ErrorCode(
        "function not validated",
        "Validation could not run a function: it is too large for the interpreter and no smaller version of it "
        "could be made, or the interpreter cannot run it.",
    ),
    "TW0552": ErrorCode(
        "compiled code computes something else",
        "A kernel that the default pipeline compiled gives other results than the same kernel compiled without any "
        "optimisation.",
    ),
    "TW0553": ErrorCode(
        "not a reproducer",
        "`--run-reproducer` takes a file that `--reproducer` wrote: IR below a header that says what ran over it.",
    ),
    "TW0554": ErrorCode(
        "nothing to bisect",
        "All passes of the pipeline keep what the module computes, on the inputs tried.",
    ),
    "TW0555": ErrorCode(
        "uninteresting input",
        "The test that a reduction has to keep does not hold for the file as it is given.",
    ),
    # TW06xx: backends and toolchain
    "TW0601": ErrorCode(
        "module is not executable",
        "The backend emits a module one to one and found an operation that should have been lowered by an "
        "earlier pass. Run the default pipeline, or the missing pass.",
    ),
    "TW0602": ErrorCode(
        "unknown target",
        "No backend of this name exists.",
    ),
    "TW0603": ErrorCode(
        "code generation failed",
        "LLVM rejected the generated code. This is a fault of the compiler: please report it with the IR.",
    ),
    "TW0610": ErrorCode(
        "not something to lower or build",
        "`lower` and `build` take a schedule or tensors with their arguments, a function, a module, an interactive "
        "schedule, or a mapping from names to those.",
    ),
    "TW0611": ErrorCode(
        "programs cannot be put into one module",
        "Each program of a mapping has one public function, which is named after its key, and all are made for one "
        "target with one file of weights.",
    ),
    "TW0612": ErrorCode(
        "bad target option",
        "A target is a kind and options: `llvm -mcpu=native`, `llvm -mcpu=x86-64-v3 -mattr=+avx512f -num-cores=4`. "
        "A program runs only on a machine that has the instruction sets it was built for.",
    ),
    "TW0613": ErrorCode(
        "C compiler missing or failed",
        "Libraries and object files are linked by the system's C compiler: `cc`, or what the environment variable CC "
        "names. Install one (the package gcc or clang); `.s`, `.ll` and `.mlir` files need none.",
    ),
    "TW0614": ErrorCode(
        "module cannot be saved or shown in this form",
        "Modules are saved as `.so`, `.o`, `.s`, `.ll` or `.mlir`. A module that was loaded from a library holds "
        "machine code only, and an interpreted one none: build the program again to save or show it.",
    ),
    "TW0615": ErrorCode(
        "strides of an argument cannot be bound",
        "`build(..., binds={A: tir.decl_buffer(A.shape, A.dtype, strides=[te.var(), 1])})` makes a function that takes "
        "A with the strides that it has. A is an argument, the buffer has its rank and element type.",
    ),
    # TW07xx: running
    "TW0620": ErrorCode(
        "foreign code cannot be part of a C program",
        "A program for the target `c` is one C file: foreign code that it brings is C as well. Give C source instead "
        "of LLVM text or C++, or build for the target `cpu`.",
    ),
    "TW0621": ErrorCode(
        "not a program of OpenCL kernels",
        "For the target `opencl`, everything a function computes stands in nests of loops that are bound to threads: "
        '`s[B].bind(bx, te.thread_axis("blockIdx.x"))`. The loops of a nest\'s threads stand directly inside one '
        "another at its outside, and their extents depend on the function's sizes only.",
    ),
    "TW0622": ErrorCode(
        "no way to run OpenCL kernels",
        "Running kernels takes the package pyopencl and an OpenCL device (PoCL makes one of a CPU). Their source, "
        "`module.imported_modules[0].get_source()`, needs neither.",
    ),
    "TW0623": ErrorCode(
        "threads of a block in several loops",
        "A kernel has one loop over each axis of its threads, with barriers where they wait for one another. The pass "
        "`insert-barriers` of the default pipeline sees to that; it was disabled, or the pipeline does without it.",
    ),
    "TW0630": ErrorCode(
        "not a program of CUDA kernels",
        "For the target `cuda`, everything a function computes stands in nests of loops that are bound to blocks "
        'and threads: `s[B].bind(bx, te.thread_axis("blockIdx.x"))`. The host launches kernels and runs no loops '
        "itself. The loops of a nest's threads stand directly inside one another at its outside, and their extents "
        "depend on the function's sizes only.",
    ),
    "TW0631": ErrorCode(
        "buffer that a kernel cannot have",
        "Buffers inside a kernel have constant extents and are `shared` (one for a block of threads) or `local` "
        "(one for each thread). What is larger, or of a size that is known at run time, is a buffer of its own "
        "between kernels: compute its stage outside of the loops over blocks.",
    ),
    "TW0632": ErrorCode(
        "unknown function in a kernel",
        "Kernels call the functions of CUDA's mathematics by their names in C, such as `logf`. Register a rule that "
        'says the operation by others: `@tilewright.register_lowering(name, target="cuda")`.',
    ),
    "TW0633": ErrorCode(
        "array of the host where one of the GPU is needed",
        "Functions for the target `cuda` take arrays that lie on the GPU: `numba.cuda.to_device(array)`, or tensors "
        "of torch and cupy. Copies at every call cost more than most kernels, so they are made only where "
        "`build(..., copy=True)` asks for them.",
    ),
    "TW0634": ErrorCode(
        "no CUDA to run kernels with",
        "Running kernels takes an NVIDIA GPU with its driver, and CUDA's libraries: `pip install "
        '"tilewright[cuda]"`. Without a GPU, `build(..., device="simulator")` runs small programs, and '
        '`get_source("ptx")` shows the code.',
    ),
    "TW0635": ErrorCode(
        "kernels cannot be compiled for the GPU",
        'Numba compiles kernels through NVVM and libdevice. `pip install "tilewright[cuda]"` brings both, or '
        "CUDA_HOME names a toolkit that has them. A kernel that numba refuses is a fault of the compiler: please "
        "report it with the IR.",
    ),
    "TW0636": ErrorCode(
        "too many threads in a block",
        "A block has at most 1024 threads, the product of its loops over threadIdx; a target may say less (`cuda "
        "-max-threads=512`). Split the loop and bind the outer part to blockIdx.",
    ),
    "TW0637": ErrorCode(
        "too much shared memory in a block",
        "The shared buffers of a kernel fit into the memory of one block: 48 KiB, or what the target says (`cuda "
        "-arch=sm_90 -shared=232448`). Compute the shared stage at an inner loop, so that a block needs less of it "
        "at a time, or make its tile smaller.",
    ),
    "TW0638": ErrorCode(
        "barrier that some threads may not reach",
        "All threads of a block wait at a barrier, so no condition and no loop bound around it may differ between "
        "them: a GPU would hang, or go on with half of the data.",
    ),
    "TW0639": ErrorCode(
        "launch that no GPU can make",
        "A kernel has at most 2^31 - 1 blocks along x and 65535 along y and z, and at most 1024 threads of a block "
        "along x and y and 64 along z. Bind the longest loop to blockIdx.x.",
    ),
    "TW0640": ErrorCode(
        "array of the GPU that lies askew",
        "Kernels that load and store vectors need arrays that begin at a multiple of the vector's bytes: 16 for four "
        "float32. What libraries allocate begins at 256; a slice of it may not. Pass a copy, or build without "
        "vectorised loops.",
    ),
    "TW0641": ErrorCode(
        "arrays of different GPUs",
        "A call runs on the GPU that its arrays lie on, so all of them lie on one.",
    ),
    "TW0642": ErrorCode(
        "call that CUDA's driver refused",
        "The driver did not do what a call needs: load the kernels, find the place of an array, or launch. A kernel "
        "that went wrong is reported by whichever call comes after it, and all later ones fail as well; "
        '`device="simulator"` finds what it did, with thread and line.',
    ),
    "TW0643": ErrorCode(
        "no tool to make machine code of a GPU with",
        "nvJitLink assembles PTX and nvdisasm shows the instructions; neither needs a GPU. `pip install "
        '"tilewright[cuda,sass]"` brings both.',
    ),
    "TW0644": ErrorCode(
        "GPU that is older than the program",
        "A program runs on GPUs of its target's architecture and on newer ones. Build it for the GPU that is there: "
        '`target="cuda -arch=sm_80"`.',
    ),
    "TW0645": ErrorCode(
        "not a stream of CUDA",
        "`stream=` takes a stream of torch, cupy or numba, an object with `__cuda_stream__`, or the handle as a "
        "number, where 0 is the default stream.",
    ),
    "TW0646": ErrorCode(
        "default schedule for a GPU",
        "A remark: how a rule of the default schedules shares the work of a block among the threads of a GPU, and what "
        "its model of the machine says of that: blocks, threads in each, and bytes of shared memory.",
    ),
    "TW0647": ErrorCode(
        "work of one thread",
        "A remark: none of the rules for GPUs finds an axis of a block whose iterations could run in parallel, or the "
        "engine refused what they ask for, so that one thread does all of it. It is right, and slow: schedule it by "
        "hand (`s[B].bind`), or keep it on the CPU.",
    ),
    "TW0650": ErrorCode(
        "kernel that the simulator does not know",
        "The simulator of GPU kernels reads the part of Python and of numba.cuda that the compiler emits: flat arrays, "
        "numbers, tuples, loops over ranges, conditions, `math`, and the operations of `backends/cuda/operations`.",
    ),
    "TW0651": ErrorCode(
        "barrier in divergent flow",
        "All threads of a block pass the same barrier, or none does. Some wait at it while others have ended, or "
        "wait elsewhere: a condition that differs between threads stands around the barrier, or a loop whose trip "
        "count does.",
    ),
    "TW0652": ErrorCode(
        "access outside an array in a kernel",
        "A thread reads or writes an element that the array does not have. An index below zero is no index from the "
        "end. A guard is missing where extents do not divide, or an offset is wrong.",
    ),
    "TW0653": ErrorCode(
        "use of uninitialised memory in a kernel",
        "Shared and local memory hold nothing until a thread of the block writes to them; the next block begins anew. "
        "What is read too early may be computed on, as threads do whose last store is guarded; it must not decide "
        "anything, be an index, or be stored where others see it.",
    ),
    "TW0654": ErrorCode(
        "data race on shared memory",
        "Two threads of a block access the same element, one of them writes, and no barrier stands between them: "
        "which comes first is not said. The same value written by both is a race too. An asynchronous copy that was "
        "not waited for races with every access to its place.",
    ),
    "TW0655": ErrorCode(
        "data race on global memory",
        "Two threads access the same element, one of them writes, and nothing orders them: inside a block a barrier "
        "does, between blocks only the end of the launch. Atomic operations do not race with one another.",
    ),
    "TW0656": ErrorCode(
        "lane absent from an operation of a warp",
        "Shuffles, votes and products of matrices are done by lanes of a warp together: all that the mask names must "
        "arrive, and every one that arrives must be named.",
    ),
    "TW0657": ErrorCode(
        "misaligned access in a kernel",
        "Vectors of 2, 4, 8 or 16 bytes are accessed at addresses that their size divides, longer ones at multiples "
        "of 16. Shared arrays have the alignment of their elements unless `alignment=` says more.",
    ),
    "TW0658": ErrorCode(
        "launch that a kernel does not accept",
        "The sizes of the grid or of a block, the shared memory or the arguments are beyond what devices take or "
        "what the kernel was written for.",
    ),
    "TW0659": ErrorCode(
        "operation of a kernel without a defined result",
        "An integer was divided by zero, or shifted by a number of bits that it does not have: devices give anything.",
    ),
    "TW0660": ErrorCode(
        "fragment that does not fit",
        "A scope `warp.<name>` says how tiles of a matrix lie in the registers of a warp's 32 lanes. It is known after "
        "`register_fragment`, of which each lane has the same number of elements, and its buffers have whole tiles of "
        "an element type that it holds.",
    ),
    "TW0661": ErrorCode(
        "element of another lane",
        "What lies in registers is only reached by the lane that has it: a plain load or store of a fragment, inside a "
        "loop over 32 threads along threadIdx.x, must name the running lane's own elements. Give the loops over a tile "
        "to `own_elements`, or tensorize them.",
    ),
    "TW0662": ErrorCode(
        "half of a register",
        "Two elements of 16 bits share a register of a fragment and are stored together: vectorize the loop over them.",
    ),
    "TW0663": ErrorCode(
        "call that kernels for CUDA do not know",
        "A foreign function has no code on a GPU unless `register_device_call` says what stands for it, and an "
        "argument that it takes in registers has the scope of a fragment.",
    ),
    "TW0664": ErrorCode(
        "address that is not known to be aligned",
        "An instruction such as ldmatrix reads rows of 16 bytes at multiples of 16 bytes: the extent of the last "
        "dimension in shared memory, or the stride that `storage_align` gives to the one before, must be such.",
    ),
    "TW0665": ErrorCode(
        "memory of a warp out of place",
        "The lanes of a warp, which are the threads along threadIdx.x, share its memory: it is allocated outside of "
        "the loop over them, has a constant size, and other warps do not access it.",
    ),
    "TW0666": ErrorCode(
        "copies that are not asynchronous",
        "A remark: `software_pipeline_async_stages` asks for copies from global to shared memory that go on while "
        "threads work. They copy elements as they are, unguarded, in the first stage, for the last one, on a target "
        "that has such copies; otherwise threads wait for what they load, as they always do.",
    ),
    "TW0701": ErrorCode(
        "wrong number of arguments",
        "The program was called with too many or too few arguments.",
    ),
    "TW0702": ErrorCode(
        "unknown argument name",
        "An input was given under a name that the program does not have.",
    ),
    "TW0703": ErrorCode(
        "wrong element type of an argument",
        "Arguments are never converted silently: give the array the dtype that the message names.",
    ),
    "TW0704": ErrorCode(
        "wrong shape of an argument",
        "The shape does not fit the program's input. Symbolic sizes must agree among all arguments that name them.",
    ),
    "TW0705": ErrorCode(
        "weights file missing or damaged",
        "The module's `tw.weights` names a safetensors file beside it whose values are needed, and it is "
        "missing, damaged, or lacks a tensor.",
    ),
    "TW0706": ErrorCode(
        "overlapping arguments",
        "Two arguments share memory where the program needs them apart.",
    ),
    "TW0707": ErrorCode(
        "unusable argument",
        "Inputs are numpy arrays or objects that offer DLPack. Results can be written in place only to "
        "writable, C-contiguous arrays that are aligned to their element.",
    ),
    "TW0708": ErrorCode(
        "out of memory",
        "Memory could not be had: for arrays of the inputs' and outputs' sizes, or, while the program ran, for "
        "buffers whose size depends on them.",
    ),
    "TW0710": ErrorCode(
        "weights do not fit the module",
        "A tensor of the weights file has another dtype or shape than the module gives it, or one name "
        "stands for two different arrays.",
    ),
    "TW0711": ErrorCode(
        "not a saved program",
        "The file is no library that `Module.save` wrote, is damaged, was made for another kind of machine, or by a "
        "version whose libraries have another form. Build the program again.",
    ),
    "TW0712": ErrorCode(
        "sizes of the outputs are not known",
        "No input has the symbolic size of an output: pass the outputs too, whose shapes then say it.",
    ),
    "TW0713": ErrorCode(
        "unknown function of a module",
        "The module has no entry of this name.",
    ),
    "TW0720": ErrorCode(
        "no reference semantics",
        "The interpreter knows no meaning of this operation, type or form of function. Operators of the "
        "graph dialect have theirs in `tilewright.operators`, which has to be imported.",
    ),
    "TW0721": ErrorCode(
        "access outside of a buffer",
        "The interpreter met an access whose index is outside of its buffer while its guard holds, or a "
        "view outside of the bytes it is taken from. Compiled code would read or write foreign memory.",
    ),
    "TW0722": ErrorCode(
        "index outside of its domain",
        "An iteration variable of a block is bound to a value outside of its extent though the block's "
        "guard holds, or a fused index is not below the product of its extents.",
    ),
    "TW0723": ErrorCode(
        "function cannot be run",
        "The function does not exist, has no body, calls itself, writes to a constant, or has an output "
        "whose size its inputs do not determine.",
    ),
    "TW0724": ErrorCode(
        "step budget spent",
        "The interpreter was told to stop after so many operations, and the program executes more.",
    ),
    "TW0730": ErrorCode(
        "index out of bounds",
        "The program was compiled with `check_bounds`, and an access names an element outside of its buffer. The call "
        "ends there; its outputs may be partly written. Of several threads the first to fail is reported.",
    ),
    "TW0734": ErrorCode(
        "program that cannot be profiled",
        "Profiling compiles the entry once more, with readings of the clock around each call of a kernel. That takes a "
        "program for the target `cpu` that was built in this process: build the model again where it was loaded from "
        "a saved library, and without another target.",
    ),
    "TW0745": ErrorCode(
        "buffer cannot hold wider elements",
        "`widen` moves a conversion from the readers of an allocated buffer to where it is filled. Every reader loads "
        "single elements without a guard and does nothing with them but extend them, all in the same way, at least to "
        "the type that is asked for.",
    ),
    "TW0746": ErrorCode(
        "product of matrices by a kernel",
        "A remark: the kernel, a tensor intrinsic for the target's instructions, that computes a product of matrices, "
        "and the extents of its blocks.",
    ),
    "TW0747": ErrorCode(
        "buffer cannot hold unsigned elements",
        "`make_unsigned` adds half the range to signed integers where a buffer is filled, and subtracts it where it is "
        "read. Every reader loads single elements without a guard and extends them with their sign.",
    ),
    "TW0750": ErrorCode(
        "program for another machine",
        "A target with a triple, `llvm -mtriple=aarch64-linux-gnu`, may be of another kind than this machine, or have "
        "instruction sets that this one lacks. Such a program can be shown and saved here, and runs where it was made "
        "for.",
    ),
    "TW0755": ErrorCode(
        "product over packed panels",
        "A remark: an operand of a product is copied, so that what a register tile reads lies side by side. It gives "
        "the tile, how much is packed at a time, and which part of the processor's multiply-adds the model expects.",
    ),
    "TW0758": ErrorCode(
        "operator on blocks of channels",
        "A remark: the images that the operator reads and writes have their channels in blocks, NCHW[c], so that a "
        "vector holds the channels of a pixel.",
    ),
    "TW0759": ErrorCode(
        "operator not on blocks of channels",
        "A remark: why an operator on images keeps them as they are. Blocks need constant weights, sizes that are "
        "known while compiling, and a number of channels that a vector, or half of one, divides.",
    ),
    "TW0760": ErrorCode(
        "conversion between NCHW and blocks of channels",
        "A remark: an image is copied here because what computes it and what reads it want different layouts.",
    ),
    "TW0761": ErrorCode(
        "results that pass the caches by",
        "A remark: a result is larger than the last cache and nothing in the function reads it, so vectors that are "
        "stored there go to memory at once, which saves reading each line before it is written.",
    ),
    "TW0762": ErrorCode(
        "chain of blocks over the same rows",
        "A remark: reductions along rows, and what is made of their results, are computed one row after another. It "
        "gives the blocks and the bytes that a row keeps between them; as long as the first cache holds these, memory "
        "is read once and written once.",
    ),
    "TW0763": ErrorCode(
        "tile of results in registers",
        "A remark: a reduction keeps a tile of its results in registers while it runs. It gives the tile, and which "
        "part of the processor's multiply-adds the model of ports and caches expects of it.",
    ),
    "TW0770": ErrorCode(
        "parts written in place",
        "A remark: a call that lays buffers side by side is gone, because they are written where they lie in its "
        "result. It gives how many, and the bytes that are not copied any more.",
    ),
    "TW0771": ErrorCode(
        "parts that are joined are copied",
        "A remark: what a call lays side by side with others is copied to its result rather than written there, and "
        "why. A part can be written in place where it is allocated beside the call, fills one range of the result that "
        "starts at a multiple of 64 bytes, and is not written again afterwards. A part that two results have lies in "
        "the first.",
    ),
}
