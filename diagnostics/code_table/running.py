"""Running a compiled program, and what default schedules and layouts remark: TW07xx."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0705": ErrorCode(
        "weights file missing or damaged",
        "The module's `tw.weights` names a safetensors file beside it whose values are needed, and it is "
        "missing, damaged, or lacks a tensor; or it, or an ONNX model's file, was changed while values were in use.",
        remedy="keep the .safetensors file beside the .mlir file that names it, or import the model again",
    ),
    "TW0710": ErrorCode(
        "weights do not fit the module",
        "A tensor of the weights file has another dtype or shape than the module gives it, or one name "
        "stands for two different arrays.",
        remedy="import the model again, so that module and weights come from one run",
    ),
    "TW0720": ErrorCode(
        "no reference semantics",
        "The interpreter knows no meaning of this operation, type or form of function. Operators of the "
        "graph dialect have theirs in `tilewright.operators`, which has to be imported.",
        remedy="lower the module first, or import what defines the operation",
    ),
    "TW0721": ErrorCode(
        "access outside of a buffer",
        "The interpreter met an access whose index is outside of its buffer while its guard holds, or a "
        "view outside of the bytes it is taken from. Compiled code would read or write foreign memory.",
        remedy="guard the access, or correct the index",
    ),
    "TW0722": ErrorCode(
        "index outside of its domain",
        "An iteration variable of a block is bound to a value outside of its extent though the block's "
        "guard holds, or a fused index is not below the product of its extents.",
        remedy="guard the block, or correct the binding of its iteration variable",
    ),
    "TW0723": ErrorCode(
        "function cannot be run",
        "The function does not exist, has no body, calls itself, writes to a constant, or has an output "
        "whose size its inputs do not determine.",
        remedy="give the function a body and inputs that determine its sizes",
    ),
    "TW0724": ErrorCode(
        "step budget spent",
        "The interpreter was given a budget of operations, and the program executes more.",
        remedy="run smaller sizes, or raise the budget",
    ),
    "TW0726": ErrorCode(
        "arguments that share memory",
        "A function is promised that an argument is disjoint from all others, and a call passes it memory that it "
        "writes, or reads, through another argument, too. Code that was made with this promise may compute anything.",
        remedy="let `note-aliases` run after the passes that make calls and views, or list the arguments in "
        "`tw.may_overlap`",
    ),
    "TW0727": ErrorCode(
        "memory of a function is too small",
        "`tw.place` says at which byte of an arena, or of a thread's memory, a buffer lies; `tw.arena_bytes` and "
        "`tw.thread_bytes` of the function say how large these are. The interpreter lays buffers out as stated.",
        remedy="let `assign-memory-spaces` run after the passes that make buffers and calls, or state more bytes",
    ),
    "TW0728": ErrorCode(
        "registers at an index that varies",
        "Registers have no addresses: a buffer whose memory space is `register` is accessed at constants, lanes of "
        "vectors and variables of loops that are written out.",
        remedy="unroll the loop, or give the buffer the scope local",
    ),
    "TW0729": ErrorCode(
        "wrong captures of a parallel loop",
        "A parallel loop states all values from outside that its body uses, and which buffers among them are `apart`: "
        "they share memory with no other captured buffer, as far as the body writes to either. The body becomes a "
        "function that takes what is captured, and may keep what it loaded across stores to other buffers.",
        remedy="let `outline-parallel` run after the passes that move operations into loops or out of them",
    ),
    "TW0731": ErrorCode(
        "access of several elements that no instruction makes",
        "`tw.width` and `tw.copy_bytes` of a load or a store say how many elements, or bytes, one instruction moves: "
        "they follow one another in memory, the first one lies at a multiple of as many, and a guard holds for all of "
        "them or for none. The interpreter checks that at each access.",
        remedy="let `select-copies` and `widen-accesses` state the widths, or take the attribute away",
    ),
    "TW0732": ErrorCode(
        "a divisor is not what is stated of it",
        "`tw.safe_divisor` of a division says that its divisor is neither 0, nor -1 where numbers have signs. Machines "
        "trap at these, and the code for such a division is the machine's.",
        remedy="let `expand-operations` choose the divisor, or take the attribute away before it runs",
    ),
    "TW0745": ErrorCode(
        "buffer cannot hold wider elements",
        "`widen` moves a conversion from the readers of an allocated buffer to where it is filled. Every reader loads "
        "single elements without a guard and does nothing with them but extend them, all in the same way, at least to "
        "the type that is asked for.",
        remedy="widen a buffer whose readers only extend its elements",
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
        remedy="apply it to a buffer whose readers extend its elements with their sign",
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
    "TW0764": ErrorCode(
        "convolution by fewer multiplications",
        "A remark: a convolution with a 3 x 3 window multiplies tiles that were transformed, 4 times instead of 9 for "
        "each result and input channel. It gives how many times as fast the model expects that to be.",
    ),
    "TW0765": ErrorCode(
        "convolution by plain multiplications",
        "A remark: a convolution with a 3 x 3 window stays a plain sum, because the model expects transforms, and the "
        "weights, which would be larger, to cost more than the multiplications that they save.",
    ),
    "TW0766": ErrorCode(
        "weights packed while compiling",
        "A remark: a product of matrices reads its weights, which are constant, in the order in which they were packed "
        "when it was compiled. It gives the rows of results and how many columns stand together. Or rows are gathered "
        "from a matrix in the order in which a product reads it, so that it is stored once.",
    ),
    "TW0767": ErrorCode(
        "weights stay as they are",
        "A remark: a product of matrices has constant weights that are not packed while compiling, and says why: it "
        "has one row of results or too many, its columns do not come out even in blocks, or vectors are too short. Of "
        "integers: its rows are no bytes, its weights span more numbers than a byte has, or the target has no "
        "instruction for sums of products of bytes.",
    ),
    "TW0770": ErrorCode(
        "parts written in place",
        "A remark: a call that lays buffers side by side is gone, because they are written where they lie in its "
        "result. It gives how many, and the bytes that are not copied any more.",
    ),
    "TW0771": ErrorCode(
        "parts that are joined are copied",
        "A remark: an operand of a call that joins buffers is copied to its result rather than written there, and the "
        "reason. A part can be written in place where it is allocated beside the call, fills one range of the result "
        "that starts at a multiple of 64 bytes, and is not written again afterwards. A part that two results have lies "
        "in the first.",
    ),
    "TW0772": ErrorCode(
        "several threads without an OpenMP runtime",
        "A program in C asks a saved library for several threads (`tilewright_set_threads`), and none of libgomp, "
        "libiomp5 and libomp can be loaded. With one thread parallel loops run serially.",
        remedy="install libgomp, which comes with gcc, or leave the library at one thread",
    ),
    "TW0780": ErrorCode(
        "operator on integers",
        "A remark: an operator between quantised numbers is computed on the integers that stand for them, of the types "
        "that it gives. Products are summed in 32 bits, exactly.",
    ),
    "TW0788": ErrorCode(
        "sum of products of bytes by instructions",
        "A remark: the sum of the products of four bytes of two words, `dot4`, is computed by instructions of the "
        "target, which it names.",
    ),
    "TW0789": ErrorCode(
        "sum of products of bytes by shifts",
        "A remark: the sum of the products of four bytes of two words, `dot4`, is computed by shifts and "
        "multiplications, because the target has no instruction for vectors of so many words.",
    ),
    "TW0791": ErrorCode(
        "narrow floats computed in float32",
        "A remark: a convolution or a product of float16 or bfloat16 is computed as one of float32, on weights that "
        "were widened while compiling, and its result is rounded to the narrow type.",
    ),
    "TW0792": ErrorCode(
        "narrow floats read as they are",
        "A remark: why a product of float16 or bfloat16 is not computed as one of float32: it has so few rows that "
        "reading its weights takes longer than widening them, or the target has an instruction for products of that "
        "type.",
    ),
    "TW0793": ErrorCode(
        "operator on quantised numbers as floats",
        "A remark: why an operator that reads quantised numbers converts them to floats, or why a product in a "
        "quantised network is one of floats. Integers need operands that are quantised, scales and zero points that "
        "are known while compiling, constant weights of convolutions, one scale for an image or an activation, sums "
        "that 32 bits hold, and a form of the operator on integers.",
    ),
    "TW0794": ErrorCode(
        "sums of products of bytes that may saturate",
        "A remark: the kernel that it names adds two products of bytes in 16 bits with saturation (pmaddubsw), as the "
        "option `fast` permits. A sum beyond -32768 and 32767 becomes the nearer of them: an activation of 255 by two "
        "weights of 100 adds 32767 and not 51000. Weights within -64 and 64 never reach that far. Targets with a dot "
        "instruction compute exact sums in any case.",
    ),
}
