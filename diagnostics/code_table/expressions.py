"""Tensor expressions, and the stages of lazy schedules: TW0450 to TW0499."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0450": ErrorCode(
        "unknown element type",
        "Tensors hold bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32 or float64. Tensors that are "
        "only moved and converted hold float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu, "
        "float4_e2m1fn, int4, uint4, int2 or uint2.",
        remedy="take one of bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64",
        also=TypeError,
    ),
    "TW0451": ErrorCode(
        "bad operand in a tensor expression",
        "Scalar expressions are made of numbers, axes, sizes and elements of tensors. A whole tensor is no"
        " scalar: index it. Some operators take integers only, others conditions only. Nothing is computed in floats of"
        " 8 and 4 bits and integers of 4 and 2: cast them first.",
        remedy="index tensors to read elements, and convert with astype where types differ",
        also=TypeError,
    ),
    "TW0452": ErrorCode(
        "condition used as a Python truth value",
        "A comparison of expressions has no value until the program runs, so Python's `if`, `and`, `or` "
        "and `not` cannot look at it. Use te.if_then_else or te.Select, te.all, te.any, and `~`.",
        remedy="use te.if_then_else or te.Select for a choice, te.all, te.any and ~ for conditions",
        also=ValueError,
    ),
    "TW0453": ErrorCode(
        "function and shape of a compute do not match",
        "te.compute calls the function with one axis for each dimension of the shape; it must take exactly"
        " that many arguments and return a scalar expression.",
        remedy="take one parameter for each dimension of the shape, and return a scalar expression",
        also=ValueError,
    ),
    "TW0454": ErrorCode(
        "reduction inside an expression",
        "A reduction must be the whole body of its compute. Give it a separate compute, and read that tensor where the "
        "value is needed.",
        remedy="give the reduction a separate compute, and read that tensor",
    ),
    "TW0455": ErrorCode(
        "bad index of a tensor",
        "A tensor is read with one integer expression for each dimension.",
        remedy="give one integer expression for each dimension",
        also=ValueError,
    ),
    "TW0456": ErrorCode(
        "axis used outside its compute",
        "The axes of a compute exist in its body only, a reduce axis only under a reduction over it.",
        remedy="use the axes that the function of this compute gets, and reduce axes under a reduction over them",
    ),
    "TW0457": ErrorCode(
        "bad shape or domain",
        "A shape is a list of sizes that are not negative: Python integers, te.var sizes and integer "
        "expressions of them. The domain of a reduce axis is a pair (low, high).",
        remedy="give sizes of at least 0: integers, te.var sizes and integer expressions of them",
        also=ValueError,
    ),
    "TW0458": ErrorCode(
        "size that no argument determines",
        "The value of a te.var is found in the shapes of the arguments: at least one argument must have it"
        " as a whole dimension.",
        remedy="give one of the arguments this te.var as a whole dimension",
        also=ValueError,
    ),
    "TW0459": ErrorCode(
        "bad argument list of a tensor program",
        "The arguments are the placeholders that the outputs depend on, followed by the outputs.",
        remedy="list the placeholders that the outputs depend on, each once, then the outputs",
        also=ValueError,
    ),
    "TW0460": ErrorCode(
        "unknown thread axis",
        "A thread axis is blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z or vthread. Its "
        "extent, where it is given, is a positive integer.",
        remedy="take blockIdx.x, .y, .z, threadIdx.x, .y, .z or vthread, with a positive extent",
        also=ValueError,
    ),
    "TW0461": ErrorCode(
        "variable that is no size",
        "te.var and te.size_var stand for sizes, whose type is int32 or int64. Any other number that is known only "
        "when the program is called is a placeholder of shape ().",
        remedy="make a number of another type a placeholder of shape ()",
    ),
    "TW0462": ErrorCode(
        "results of one compute that reduce differently",
        "Several results of a compute are either all elements or all parts of one reduction, in order: what a reducer "
        "of te.comm_reducer returns for a tuple. Two reductions over the same axis are two computes.",
        remedy="give each reduction a separate compute",
        also=ValueError,
    ),
    "TW0463": ErrorCode(
        "bad reducer",
        "te.comm_reducer takes a function of two values, or of two tuples of values, which returns the combined ones, "
        "and a function from their element types to the identities. Both are made of their arguments and numbers "
        "alone.",
        remedy="make the combination of its parameters and numbers alone, and return as many values as it combines",
        also=ValueError,
    ),
    "TW0464": ErrorCode(
        "reduce axis of two computes",
        "A reduce axis belongs to one compute, so that a schedule can say which loop it means. Make one with "
        "te.reduce_axis for each compute.",
        remedy="make a reduce axis for each compute with te.reduce_axis",
    ),
    "TW0465": ErrorCode(
        "bad scan",
        "te.scan takes, for each state, the tensor of its first steps, the compute that continues it along the first "
        "axis, and a placeholder that stands for the state in that compute. Types and the sizes of the other "
        "dimensions agree, and all updates have the same first axis.",
        remedy="give each state its first steps, its update and a placeholder of the same type and sizes",
        also=ValueError,
    ),
    "TW0466": ErrorCode(
        "bad extern",
        "The function given to te.extern is called with the input and output buffers and returns a statement, such as "
        "te.call_extern, that writes the outputs.",
        remedy="return te.call_extern with the buffers that the function is called with",
        also=ValueError,
    ),
    "TW0467": ErrorCode(
        "not differentiable",
        "te.gradient differentiates computes of floating-point tensors, made of functions whose derivatives are known. "
        "Externs, scans and hybrid scripts between the output and an input, intrinsics of users and functions of "
        "libraries have no derivative, and the head has to fit the output.",
        remedy="write the step as te.compute with functions of te, or differentiate by its result",
        also=ValueError,
    ),
    "TW0480": ErrorCode(
        "axis that was replaced",
        "A split or fused axis is no loop any more: what split or fuse returned is. cache_write and rfactor give a "
        "stage new axes, too: take them from s[T].op.axis and s[T].op.reduce_axis.",
        remedy="use what split, fuse or the cache returned instead",
    ),
    "TW0481": ErrorCode(
        "axis of another stage",
        "A primitive of a stage takes axes of that stage: those of s[T].op, and what its splits and fuses returned.",
        remedy="take an axis of this stage: s[T].op.axis, s[T].op.reduce_axis, or what its splits returned",
    ),
    "TW0482": ErrorCode(
        "compute_at names an axis that is no loop of that stage",
        "s[T].compute_at(s[C], axis) takes one of the loops of C: an axis of C that has not been split or fused, before"
        " that call or after it. Split first, then attach to one of the parts.",
        remedy="split first, then attach to one of the parts",
        also=ValueError,
    ),
    "TW0483": ErrorCode(
        "no consumer inside the loop that compute_at names",
        "A stage can be computed inside a loop only if everything that reads it runs inside that loop as well.",
        remedy="attach to a loop further out, which holds everything that reads the stage",
    ),
    "TW0484": ErrorCode(
        "cache_write or rfactor after primitives that it cannot carry over",
        "cache_write gives the splits of the data-parallel axes of a stage to the cache. Reduction axes that were split"
        " or fused, loop kinds, and stages attached to split axes cannot move: call cache_write before those.",
        remedy="call cache_write or rfactor first, then split and annotate the new stage",
    ),
    "TW0485": ErrorCode(
        "axes to fuse are not neighbours",
        "fuse takes loops of which each directly holds the next. Reorder them so that they are neighbours first.",
        remedy="reorder the axes so that they are neighbours first",
        also=ValueError,
    ),
    "TW0486": ErrorCode(
        "bad list of axes",
        "reorder and fuse take two or more different axes of the stage.",
        remedy="give two or more different axes of the stage",
        also=ValueError,
    ),
    "TW0487": ErrorCode(
        "axis of the wrong kind",
        "Iterations of a reduction axis depend on one another, so it can be neither vectorized nor parallel; rfactor "
        "turns a part of a reduction into a data-parallel axis, so it takes a reduction axis.",
        remedy="split or bind a data-parallel axis, or make one of the reduction with rfactor",
        also=ValueError,
    ),
    "TW0488": ErrorCode(
        "wrong object in a call of a schedule",
        "Schedules are indexed by tensors and their operations; primitives of stages take axes, compute_at a stage and "
        "one of its axes.",
        remedy="index the schedule by tensors, and give primitives axes of their stage",
        also=TypeError,
    ),
    "TW0489": ErrorCode(
        "stage cannot be computed inline",
        "Inlining replaces each read of a tensor by its expression. That of a reduction is none, and an output must be "
        "stored.",
        remedy="compute it at a loop of its consumer instead: compute_at",
    ),
    "TW0490": ErrorCode(
        "tensor is not part of the schedule",
        "A schedule knows the tensors that its outputs depend on, and those that cache_read, cache_write and rfactor "
        "returned.",
        remedy="use a tensor that the schedule's outputs depend on, or one that cache_read, cache_write or "
        "rfactor returned",
    ),
    "TW0491": ErrorCode(
        "bad split",
        "split takes either factor, the extent of the inner axis, or nparts, that of the outer: a positive integer.",
        remedy="give factor or nparts, a positive integer, and not both",
        also=ValueError,
    ),
    "TW0492": ErrorCode(
        "axis has a loop kind already",
        "An axis is vectorized, unrolled, parallel or bound to a thread axis, and only one of these.",
        remedy="split the axis and give each part one kind",
    ),
    "TW0493": ErrorCode(
        "bad thread axis",
        "Axes are bound to blockIdx.x, .y, .z, threadIdx.x, .y, .z or vthread.",
        remedy="take te.thread_axis of blockIdx, threadIdx or vthread, with the extent of the loop",
        also=ValueError,
    ),
    "TW0494": ErrorCode(
        "compute_at in a circle",
        "A stage cannot be computed inside one of its loops, nor inside a stage that is itself computed inside it.",
        remedy="attach the stage to one of its consumers",
    ),
    "TW0495": ErrorCode(
        "tensor without loops",
        "A placeholder is given by the caller, a scan is made of other computes, foreign code contains its loops: "
        "there is nothing to split, to move or to annotate. cache_read copies a tensor into a stage that has loops.",
        remedy="copy it into a stage that has loops: cache_read",
    ),
    "TW0496": ErrorCode(
        "bad cache or factored stage",
        "cache_read takes a tensor and stages that read it; cache_write the outputs of one compute; rfactor a result "
        "of one reduction and the position of the new axis in it.",
        remedy="name the tensor and the stages that read it, or the outputs of one compute",
    ),
    "TW0497": ErrorCode(
        "schedule and arguments do not belong together",
        "The tensors that are lowered depend on a compute that the schedule does not know: create the schedule for all "
        "outputs among the arguments.",
        remedy="create the schedule for all outputs: te.create_schedule([C.op, D.op])",
    ),
    "TW0498": ErrorCode(
        "bad detail of a stage",
        "A pragma has a key, a scope is a name, storage_align takes one of the tensor's axes and integers.",
        remedy="give names as strings and sizes as integers, and an axis of this tensor",
        also=ValueError,
    ),
    "TW0499": ErrorCode(
        "schedule is not lowered yet",
        "Calls of a lazy schedule are carried out when it is lowered; only then is there a trace.",
        remedy="call lower or build first",
    ),
}
