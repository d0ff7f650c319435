"""Running a compiled program, and what default schedules and layouts remark: TW07xx."""

from __future__ import annotations

from .entry import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0701": ErrorCode(
        "wrong number of arguments",
        "The program was called with too many or too few arguments.",
        remedy="pass the arguments that `program.signature` lists",
        also=TypeError,
    ),
    "TW0702": ErrorCode(
        "unknown argument name",
        "An input was given under a name that the program does not have.",
        remedy="take one of the names that `program.signature` lists",
        also=TypeError,
    ),
    "TW0703": ErrorCode(
        "wrong element type of an argument",
        "Arguments are never converted silently: give the array the dtype that the message names.",
        remedy="convert the array: x.astype(dtype)",
        also=TypeError,
    ),
    "TW0704": ErrorCode(
        "wrong shape of an argument",
        "The shape does not fit the program's input. Symbolic sizes must agree among all arguments that name them.",
        remedy="reshape the array, or build the program for this size; te.var sizes take any",
        also=ValueError,
    ),
    "TW0705": ErrorCode(
        "weights file missing or damaged",
        "The module's `tw.weights` names a safetensors file beside it whose values are needed, and it is "
        "missing, damaged, or lacks a tensor.",
        remedy="keep the .safetensors file beside the .mlir file that names it, or import the model again",
    ),
    "TW0706": ErrorCode(
        "overlapping arguments",
        "Two arguments share memory where the program needs them apart.",
        remedy="pass copies of one of the two",
        also=ValueError,
    ),
    "TW0707": ErrorCode(
        "unusable argument",
        "Inputs are numpy arrays or objects that offer DLPack. Results can be written in place only to "
        "writable, C-contiguous arrays that are aligned to their element.",
        remedy="pass a numpy array; for outputs one that is writable, C-contiguous and aligned",
        also=TypeError,
    ),
    "TW0708": ErrorCode(
        "out of memory",
        "Memory could not be had: for arrays of the inputs' and outputs' sizes, or, while the program ran, for "
        "buffers whose size depends on them.",
        remedy="run with smaller inputs, or free memory first",
    ),
    "TW0709": ErrorCode(
        "weights outside of the model's folder",
        "A model names the files of its weights, `tw.weights` in IR and external data in ONNX. They are read where "
        "they are in the model's folder or below, links followed, so that a model of somebody else cannot read other "
        "files. For a model that you trust, `--weights-outside`, or `PassContext(config={'weights_outside': True})`, "
        "allows other places.",
        remedy="place the weights in the folder of the model, or allow it with `--weights-outside`",
    ),
    "TW0710": ErrorCode(
        "weights do not fit the module",
        "A tensor of the weights file has another dtype or shape than the module gives it, or one name "
        "stands for two different arrays.",
        remedy="import the model again, so that module and weights come from one run",
    ),
    "TW0711": ErrorCode(
        "not a saved program",
        "The file is no library that `Module.save` wrote, is damaged, was made for another kind of machine, or by a "
        "version whose libraries have another form. Build the program again.",
        remedy="build and save the program again",
    ),
    "TW0712": ErrorCode(
        "sizes of the outputs are not known",
        "No input has the symbolic size of an output: pass the outputs too, whose shapes then say it.",
        remedy="pass the outputs too: their shapes say the sizes",
        also=ValueError,
    ),
    "TW0713": ErrorCode(
        "unknown function of a module",
        "The module has no entry of this name.",
        remedy="take one of the names that the message lists",
    ),
    "TW0714": ErrorCode(
        "program was compiled for another value",
        "A shape, an axis or a count of the program follows from the value of this input, so the program was compiled "
        "for one value of it, or for a few. A saved program, and IR, have no compiler to make one for another value.",
        remedy="compile the model for this value too: `--specialise NAME=0,1`, or `tilewright.compile(model, "
        'specialise={"NAME": [0, 1]})`',
        also=ValueError,
    ),
    "TW0715": ErrorCode(
        "arrays for outputs whose shape the program finds",
        "How many elements an output has depends on the data, as of the places that are not zero. The program makes "
        "room for as many as there may be and returns views of it; an array of the caller has no place for the shape.",
        remedy="call the program with its inputs alone, and take the arrays that it returns",
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
        "The interpreter was told to stop after so many operations, and the program executes more.",
        remedy="run smaller sizes, or raise the budget",
    ),
    "TW0725": ErrorCode(
        "wrong argument of a function",
        "A function of this package was given a value of a type that it does not take, a number that is out of range, "
        "an argument under a name that no parameter has, or too few or too many arguments. Values are never converted "
        "silently.",
        remedy="`help(function)` lists the parameters and the types of their values",
        also=TypeError,
    ),
    "TW0726": ErrorCode(
        "arguments that share memory",
        "A function is promised that an argument lies apart from all others, and a call passes it memory that it "
        "writes, or reads, through another argument, too. Code that was made with this promise may compute anything.",
        remedy="let `note-aliases` run after what makes calls and views, or list the arguments in `tw.may_overlap`",
    ),
    "TW0727": ErrorCode(
        "memory of a function is too small",
        "`tw.place` says at which byte of an arena, or of a thread's memory, a buffer lies; `tw.arena_bytes` and "
        "`tw.thread_bytes` of the function say how large these are. The interpreter lays buffers out as stated.",
        remedy="let `place-allocations` run after what makes buffers and calls, or state more bytes",
    ),
    "TW0728": ErrorCode(
        "registers at an index that varies",
        "Registers have no addresses: a buffer whose place is `register` is accessed at constants, lanes of vectors "
        "and variables of loops that are written out.",
        remedy="unroll the loop, or give the buffer the scope local",
    ),
    "TW0729": ErrorCode(
        "wrong captures of a parallel loop",
        "A parallel loop states all values from outside that its body uses, and which buffers among them are apart: "
        "they share memory with no other captured buffer, as far as the body writes to either. The body becomes a "
        "function that takes what is captured, and may keep what it loaded across stores to other buffers.",
        remedy="let `outline-parallel` run after what moves operations into loops or out of them",
    ),
    "TW0730": ErrorCode(
        "index out of bounds",
        "An access names an element outside of its buffer: an index that the data gives, or that follows from sizes, "
        "is negative or too large. The message has the buffer's shape and the index, `_` in place of an index of "
        "another dimension that the check did not need. The call ends there; its outputs may be partly written, and "
        "nothing outside of them is. Of several threads the first to fail is reported. Programs compiled with "
        "`unchecked` do not look. Sizes that a model takes to be equal, and computed ones that it takes to be at least "
        "0, are checked when a program is entered.",
        remedy="correct the index, or the sizes that do not fit, in the arguments of the call",
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
    "TW0734": ErrorCode(
        "program that cannot be profiled",
        "Profiling compiles the entry once more, with readings of the clock around each call of a kernel. That takes a "
        "program for the target `cpu` that was built in this process: build the model again where it was loaded from "
        "a saved library, and without another target.",
        remedy="build the model again in this process, for the target cpu",
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
    "TW0750": ErrorCode(
        "program for another machine",
        "A target with a triple, `llvm -mtriple=aarch64-linux-gnu`, may be of another kind than this machine, or have "
        "instruction sets that this one lacks. Such a program can be shown and saved here, and runs where it was made "
        "for.",
        remedy="save the program and run it where it was made for, or build it for `llvm`",
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
        "when it was compiled. It gives the rows of results and how many columns stand together.",
    ),
    "TW0767": ErrorCode(
        "weights stay as they are",
        "A remark: a product of matrices has constant weights that are not packed while compiling, and says why: it "
        "has one row of results or too many, its columns do not come out even in blocks, or vectors are too short.",
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
    "TW0777": ErrorCode(
        "damaged parameters",
        "The bytes are no parameters in the classic format, which `save_param_dict` writes, or they end early, have "
        "more behind them, or state other sizes than they have.",
        remedy="write them again with save_param_dict",
        also=ValueError,
    ),
    "TW0778": ErrorCode(
        "value that parameters cannot have",
        "The classic format of parameters holds arrays of integers, of bool and of floats, of 32 dimensions at most.",
        remedy="convert the array with astype to a type of numbers",
        also=TypeError,
    ),
    "TW0779": ErrorCode(
        "graph that does not fit",
        "A graph in JSON is malformed, contradicts itself, or calls functions that the library does not have or that "
        "take other arrays. Every field is checked before anything runs.",
        remedy="take the graph and the library of one build",
        also=ValueError,
    ),
    "TW0781": ErrorCode(
        "program that a graph cannot state",
        "Graphs of the executor have arrays of numbers whose sizes are known. Open sizes, strings, arrays with strides "
        "and results whose shapes are found while the program runs have no words there.",
        remedy="call the program itself: program(*arrays); or fix its sizes with shapes= when it is compiled",
        also=ValueError,
    ),
    "TW0782": ErrorCode(
        "input without a value",
        "The graph ran before `set_input`, or `load_params`, gave each of its inputs a value.",
        remedy="call set_input for each input that get_input_info lists",
        also=ValueError,
    ),
}
