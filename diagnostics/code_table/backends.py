"""Backends and toolchain: TW06xx."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0601": ErrorCode(
        "module is not executable",
        "The backend emits a module one to one and found an operation that should have been lowered by an "
        "earlier pass. Run the default pipeline, or the missing pass.",
        remedy="run the default pipeline, or the pass that is missing, before this",
    ),
    "TW0603": ErrorCode(
        "code generation failed",
        "LLVM rejected the generated code. This is a fault of the compiler: please report it with the IR.",
        remedy="report it with the IR that `--emit llvm` prints",
    ),
    "TW0610": ErrorCode(
        "not something to lower or build",
        "`lower` and `build` take a schedule or tensors with their arguments, a function, a module, an interactive "
        "schedule, or a mapping from names to those.",
        remedy="give a schedule or tensors with their arguments, a function, a module, or a mapping from names "
        "to those",
        also=TypeError,
    ),
    "TW0611": ErrorCode(
        "programs cannot be put into one module",
        "Each program of a mapping has one public function, which is named after its key, and all are made for one "
        "target with one file of weights.",
        remedy="build programs of different targets or weights one by one",
    ),
    "TW0613": ErrorCode(
        "C compiler missing or failed",
        "Libraries and object files are linked by the system's C compiler: `cc`, or what the environment variable CC "
        "names. Install one (the package gcc or clang); `.s`, `.ll` and `.mlir` files need none. For AArch64 and "
        "RISC-V a cross compiler links (the packages gcc-aarch64-linux-gnu and gcc-riscv64-linux-gnu), for wasm32 "
        "clang with lld and wasi-libc.",
        remedy="install gcc or clang, name one in the environment variable CC, or save as .s, .ll or .mlir",
    ),
    "TW0618": ErrorCode(
        "program is too large for 32-bit addresses",
        "A program for wasm32 has 4 GiB of memory: its stack, its weights, and the buffers of a call.",
        remedy="use a smaller model, or smaller inputs, or build for a target of 64 bits",
    ),
    "TW0615": ErrorCode(
        "strides of an argument cannot be bound",
        "`build(..., binds={A: tir.decl_buffer(A.shape, A.dtype, strides=[te.var(), 1])})` makes a function that takes "
        "A with the strides that it has. A is an argument, the buffer has its rank and element type.",
        remedy="bind an argument of the program to a buffer of its rank and element type",
        also=ValueError,
    ),
    "TW0670": ErrorCode(
        "foreign code without permission",
        "IR or a schedule that was read from a file brings foreign code (`tw.foreign`, `import_foreign`, the pragmas "
        "`import_c` and `import_llvm`) or calls a function by its name (`loop.call_extern`, `loop.call_pure_extern`). "
        "Such code can do anything that you can do. For a file that you trust, `--allow-foreign`, `allow_foreign=True` "
        "or `PassContext(config={'allow_foreign': True})` lets it run. Programs that are written in Python may call "
        "foreign code as they are.",
        remedy="allow it with `--allow-foreign` or `allow_foreign=True` where you trust the file",
    ),
    "TW0671": ErrorCode(
        "reproducer that loads Python files",
        "The failure that a reproducer reports needs passes from Python files. Loading them runs them, so they are "
        "named on the command line: `opt-tool --run-reproducer --load FILE.py reproducer.mlir`.",
        remedy="name the Python files on the command line with `--load`",
    ),
    "TW0616": ErrorCode(
        "backend's name is taken",
        "Each backend has a name, kinds of targets and kinds of texts that no other backend has, so that a target's "
        "text and `--emit` each mean one backend.",
        remedy="name it differently, or call unregister_backend first",
    ),
    "TW0617": ErrorCode(
        "extents of 1 that are found at the call",
        'A remark: an input is bound to a buffer of `buffer_type="auto_broadcast"` and has dimensions whose extent is '
        "known only when the program is called. The program holds its function twice: where none of them is 1, "
        "elements are read as without the declaration; otherwise an index is chosen for each element, and no vectors "
        "are loaded.",
    ),
    "TW0620": ErrorCode(
        "foreign code cannot be part of a C program",
        "A program for the target `c` is one C file: foreign code that it brings is C as well. Give C source instead "
        "of LLVM text or C++, or build for the target `cpu`.",
        remedy="give C source instead, or build for the target cpu",
    ),
    "TW0621": ErrorCode(
        "not a program of OpenCL kernels",
        "For the target `opencl`, everything a function computes stands in nests of loops that are bound to threads: "
        '`s[B].bind(bx, te.thread_axis("blockIdx.x"))`. The loops of a nest\'s threads stand directly inside one '
        "another at its outside, and their extents depend on the function's sizes only.",
        remedy='bind the loops: `s[B].bind(bx, te.thread_axis("blockIdx.x"))`',
    ),
    "TW0622": ErrorCode(
        "no way to run OpenCL kernels",
        "Running kernels takes the package pyopencl and an OpenCL device (PoCL makes one of a CPU). Their source, "
        "`module.imported_modules[0].get_source()`, needs neither.",
        remedy="install tilewright[opencl] and a device such as PoCL, or read the source: "
        "`module.imported_modules[0].get_source()`",
    ),
    "TW0623": ErrorCode(
        "threads or blocks in several loops",
        "A kernel has one loop over each axis of its threads, with barriers where they wait for one another. The pass "
        "`insert-barriers` of the default pipeline sees to that; it was disabled, or the pipeline does without it. "
        "Blocks never wait for one another, so that there is one loop over each axis of them, too.",
        remedy="run the default pipeline with insert-barriers",
    ),
    "TW0630": ErrorCode(
        "not a program of CUDA kernels",
        "For the target `cuda`, everything a function computes stands in nests of loops that are bound to blocks "
        'and threads: `s[B].bind(bx, te.thread_axis("blockIdx.x"))`. The host launches kernels and runs no loops '
        "itself. The loops of a nest's threads stand directly inside one another at its outside, and their extents "
        "depend on the function's sizes only.",
        remedy='bind the loops: `s[B].bind(bx, te.thread_axis("blockIdx.x"))`',
    ),
    "TW0631": ErrorCode(
        "buffer that a kernel cannot have",
        "Buffers inside a kernel have constant extents and are `shared` (one for a block of threads) or `local` "
        "(one for each thread). A buffer that is larger, or of a size that is known at run time, is a separate one "
        "between kernels: compute its stage outside of the loops over blocks.",
        remedy="compute the stage outside of the loops over blocks, or give it a constant size",
    ),
    "TW0632": ErrorCode(
        "unknown function in a kernel",
        "Kernels call the functions of CUDA's mathematics by their names in C, such as `logf`. Register a rule that "
        'says the operation by others: `@tilewright.register_lowering(name, target="cuda")`.',
        remedy='say the operation by others: `@tilewright.register_lowering(name, target="cuda")`',
    ),
    "TW0635": ErrorCode(
        "kernels cannot be compiled for the GPU",
        'Numba compiles kernels through NVVM and libdevice. `pip install "tilewright[cuda]"` brings both, or '
        "CUDA_HOME names a toolkit that has them. A kernel that numba refuses is a fault of the compiler: please "
        "report it with the IR.",
        remedy="install tilewright[cuda], or name a toolkit in CUDA_HOME",
    ),
    "TW0637": ErrorCode(
        "too much shared memory in a block",
        "The shared buffers of a kernel fit into the memory of one block: 48 KiB, or what the target says (`cuda "
        "-arch=sm_90 -shared=232448`). Compute the shared stage at an inner loop, so that a block needs less of it "
        "at a time, or make its tile smaller.",
        remedy="compute the shared stage at an inner loop, or make its tile smaller",
    ),
    "TW0638": ErrorCode(
        "barrier that some threads may not reach",
        "All threads of a block wait at a barrier, so no condition and no loop bound around it may differ between "
        "them: a GPU would hang, or go on with half of the data.",
        remedy="take the barrier out of the condition or of the loop",
    ),
    "TW0643": ErrorCode(
        "no tool to make machine code of a GPU with",
        "nvJitLink assembles PTX and nvdisasm shows the instructions; neither needs a GPU. `pip install "
        '"tilewright[cuda,sass]"` brings both.',
        remedy="install tilewright[cuda,sass]",
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
        remedy="write the kernel with the operations of backends/cuda/operations and plain loops",
    ),
    "TW0651": ErrorCode(
        "barrier in divergent flow",
        "All threads of a block pass the same barrier, or none does. Some wait at it while others have ended, or "
        "wait elsewhere: a condition that differs between threads stands around the barrier, or a loop whose trip "
        "count does.",
        remedy="let all threads of the block reach the barrier",
    ),
    "TW0652": ErrorCode(
        "access outside an array in a kernel",
        "A thread reads or writes an element that the array does not have. An index below zero is no index from the "
        "end. A guard is missing where extents do not divide, or an offset is wrong.",
        remedy="guard the access where extents do not divide",
    ),
    "TW0653": ErrorCode(
        "use of uninitialised memory in a kernel",
        "Shared and local memory hold nothing until a thread of the block writes to them; the next block begins anew. "
        "So do rows of global scratch that are one thread's or one block's, and variables that nothing was assigned "
        "to. "
        "What is read too early may be computed on, as threads do whose last store is guarded; it must not decide "
        "anything, be an index, or be stored where others see it.",
        remedy="write the element before it is read, in the same block",
    ),
    "TW0654": ErrorCode(
        "data race on shared memory",
        "Two threads of a block access the same element, one of them writes, and no barrier stands between them: "
        "which comes first is not said. The same value written by both is a race too. An asynchronous copy that was "
        "not waited for races with every access to its destination.",
        remedy="put a barrier between the two accesses",
    ),
    "TW0655": ErrorCode(
        "data race on global memory",
        "Two threads access the same element, one of them writes, and nothing orders them: inside a block a barrier "
        "does, between blocks only the end of the launch. Atomic operations do not race with one another. Of a "
        'parameter that is annotated "thread" or "block" each element belongs to one, and no barrier orders others.',
        remedy="let different threads write disjoint elements, or use an atomic operation",
    ),
    "TW0656": ErrorCode(
        "lane absent from an operation of a warp",
        "Shuffles, votes and products of matrices are done by lanes of a warp together: all that the mask names must "
        "arrive, and every one that arrives must be named.",
        remedy="let all lanes that the mask names reach the operation",
    ),
    "TW0657": ErrorCode(
        "misaligned access in a kernel",
        "Vectors of 2, 4, 8 or 16 bytes are accessed at addresses that their size divides, longer ones at multiples "
        "of 16. Shared arrays have the alignment of their elements unless `alignment=` says more.",
        remedy="index by multiples of the vector's elements, or give the array `alignment=`",
    ),
    "TW0658": ErrorCode(
        "launch that a kernel does not accept",
        "The sizes of the grid or of a block, the shared memory or the arguments are beyond what devices take or "
        "what the kernel was written for.",
        remedy="launch with sizes and arguments that the kernel was written for",
    ),
    "TW0659": ErrorCode(
        "operation of a kernel without a defined result",
        "An integer was divided by zero, or shifted by a number of bits that it does not have: devices give anything.",
        remedy="guard the divisor against 0, and the shift against the number of bits",
    ),
    "TW0660": ErrorCode(
        "fragment that does not fit",
        "A scope `warp.<name>` says how tiles of a matrix lie in the registers of a warp's 32 lanes. It is known after "
        "`register_fragment`, of which each lane has the same number of elements, and its buffers have whole tiles of "
        "an element type that it holds.",
        remedy="register the fragment with register_fragment, and give the buffer whole tiles",
    ),
    "TW0661": ErrorCode(
        "element of another lane",
        "What lies in registers is only reached by the lane that has it: a plain load or store of a fragment, inside a "
        "loop over 32 threads along threadIdx.x, must name elements of the running lane. Give the loops over a tile "
        "to `share_among_lanes`, or tensorize them.",
        remedy="give the loops over a tile to `share_among_lanes`, or tensorize them",
    ),
    "TW0662": ErrorCode(
        "half of a register",
        "Two elements of 16 bits share a register of a fragment and are stored together: vectorize the loop over them.",
        remedy="vectorize the loop over the two",
    ),
    "TW0663": ErrorCode(
        "call that kernels for CUDA do not know",
        "A foreign function has no code on a GPU unless `register_device_call` declares its replacement, and an "
        "argument that it takes in registers has the scope of a fragment.",
        remedy="declare its replacement with register_device_call",
    ),
    "TW0664": ErrorCode(
        "address that is not known to be aligned",
        "An instruction such as ldmatrix reads rows of 16 bytes at multiples of 16 bytes: the extent of the last "
        "dimension in shared memory, or the stride that `storage_align` gives to the dimension before it, must be "
        "such.",
        remedy="make the rows multiples of 16 bytes: storage_align, or an extent that is",
    ),
    "TW0665": ErrorCode(
        "warp memory that is allocated wrongly",
        "The lanes of a warp, which are the threads along threadIdx.x, share its memory: it is allocated outside of "
        "the loop over them, has a constant size, and other warps do not access it.",
        remedy="allocate it outside of the loop over threadIdx.x, with a constant size",
    ),
    "TW0666": ErrorCode(
        "copies that are not asynchronous",
        "A remark: `software_pipeline_async_stages` asks for copies from global to shared memory that go on while "
        "threads work. They copy elements as they are, unguarded, in the first stage, for the last one, on a target "
        "that has such copies; otherwise threads wait for what they load, as they always do.",
    ),
    "TW0667": ErrorCode(
        "operand of a warpgroup in the wrong position",
        "Instructions that four warps run together (`wgmma`) read both operands in shared memory where a descriptor "
        "says they are: swizzled (`storage_swizzle`), from a multiple of 1024 bytes on, the rows of the four warps, "
        "which are neighbours along threadIdx.y, right behind one another.",
        remedy="lay the operand in shared memory with storage_swizzle, from a multiple of 1024 bytes on",
    ),
    "TW0672": ErrorCode(
        "rule for a function that has no name in the IR",
        "Calls of functions such as `te.max` and `te.if_then_else` are written as operations at once, so that no rule "
        "for the function's name is ever asked.",
        remedy="register the rule for the operation that the function becomes: `opt-tool --phase 0` shows it",
    ),
    "TW0673": ErrorCode(
        "rule that is never asked",
        "A remark. A lowering rule is registered for a name that neither an operation nor a scalar function has: "
        "correct it, or make it known with register_intrinsic.",
    ),
    "TW0674": ErrorCode(
        "memory of another scope than the schedule asks for",
        "A remark. A `local` buffer outside of the loops over threads lies in global memory. A `shared` buffer "
        "becomes memory of the threads where no two of them access one element. One thread alone fills a `shared` "
        "buffer where no loop of the stage is bound to threads: bind one, or compute the stage inside such a loop.",
    ),
    "TW0675": ErrorCode(
        "buffer of a C file whose size the inputs do not determine",
        "The C file of a model allocates nothing: all buffers lie in an arena that the caller brings, whose size "
        "follows from the shapes of the inputs. A buffer is as large as a number that the program computes.",
        remedy="save the model as .so, whose programs may allocate while they run",
    ),
    "TW0676": ErrorCode(
        "output of a C file whose shape the program finds",
        "Callers of the C file of a model bring the arrays of outputs, whose shapes follow from those of the inputs. "
        "An output has as many elements as data says, as that of NonZero.",
        remedy="save the model as .so, whose outputs may have any shape",
    ),
    "TW0677": ErrorCode(
        "operation of a C file that needs an operating system",
        "The C file of a model runs without an operating system: it prints nothing and opens no file.",
        remedy="remove the operation, or save the model as .so",
    ),
    "TW0680": ErrorCode(
        "scratch of threads without a memory space",
        "A buffer of scope global that loops over blocks and threads allocate becomes a row for each of their "
        "iterations, in front of the kernel, or memory of the thread. Its size must be known before the kernel starts, "
        "and only loads, stores and calls may use it.",
        remedy="allocate the buffer outside of the loops over threads, or give it a size that the arguments determine",
    ),
    "TW0681": ErrorCode(
        "threads not shown to access disjoint elements",
        "Iterations of a loop over blocks or threads run at once, so that none may touch what another one writes. "
        "Whether that is so could not be decided: an index comes from memory, or the message says why.",
        remedy="let different iterations write disjoint elements, at indices that are not read from memory",
    ),
    "TW0690": ErrorCode(
        "kernel prints on a GPU",
        "`loop.print`, which `tir.print` and `probe` insert, prints on the CPU, in C, in the interpreter, in OpenCL "
        "and in the simulator of CUDA. Kernels that numba compiles for a GPU have no way to print a line in this form.",
        remedy='run the kernel in the simulator: build with device="simulator"',
    ),
}
