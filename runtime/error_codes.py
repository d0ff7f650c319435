"""The codes of the errors that running a program raises, and the entries of the table of codes.

In a process with the runtime alone the table holds only these codes. A compiler adds its codes through
`slots.MORE_CODES`. They are loaded when a code is looked up that this table lacks.
"""

from __future__ import annotations

from typing import NamedTuple

from .slots import MORE_CODES


class ErrorCode(NamedTuple):
    """The texts of an error code."""

    title: str
    """A few words, lower case, no full stop."""
    explanation: str
    """Sentences for the user: the meaning of the error, and how to mend it."""
    remedy: str = ""
    """The action that mends it, lower case, no full stop: the `help` of errors that were raised without a more specific
    one. Empty for remarks."""
    also: type[Exception] | None = None
    """The builtin exception that such errors also are: ValueError, TypeError, IndexError."""


def entry_of(code: str) -> ErrorCode:
    """Return the entry of a code. Raises ValueError for a code that no table has."""
    found = CODES.get(code) or MORE_CODES.value.get(code)
    if found is None:
        raise ValueError(f"expected an error code of the tables in diagnostics/code_table/, but got {code}")
    return found


CODES: dict[str, ErrorCode] = {
    "TW0204": ErrorCode(
        "file cannot be read or written",
        "The file does not exist, is a directory, is not text, or its folder cannot be written to.",
        remedy="check the name, what kind of file it is, and the permissions of its folder",
    ),
    "TW0208": ErrorCode(
        "bad configuration value",
        "The value of this configuration key, option or argument of `PassContext` has the wrong type or is"
        " out of range.",
        remedy="give a value of the type and range that the message names",
        also=ValueError,
    ),
    "TW0209": ErrorCode(
        "bad command line argument",
        "The command was given an argument it cannot use; `--help` lists what it takes. Functions that do what a "
        "command does refuse the same values in the same way.",
        remedy="take what the message names; `--help` lists what a command takes",
    ),
    "TW0225": ErrorCode(
        "unknown name",
        "A module of the package has no attribute of this name, and no module below it; the nearest names are"
        " suggested. Names of the classic TVM may be spelled otherwise, or be in another module, here.",
        remedy="`dir(module)` lists the names of a module; `tilewright explain NAME` describes each",
    ),
    "TW0251": ErrorCode(
        "classic name that is not provided",
        "Old programs import modules and names that have no counterpart here. Such modules can be imported, and names "
        "from them, as programs import more than they use; each use is refused with the reason. A missing name of a "
        "module that is here is refused where it is asked for, as an AttributeError too, and where it is imported, as "
        "a ModuleNotFoundError too.",
        remedy="docs/classic.md names the replacement",
    ),
    "TW0252": ErrorCode(
        "no function of that name",
        "Functions by name (`get_global_func`, `tir.call_packed`) are those that `register_func` made known in this "
        "process. A generic function needs a body for a key of the current target, or a default.",
        remedy="make it known with register_func",
        also=ValueError,
    ),
    "TW0253": ErrorCode(
        "name of a function is taken",
        "A function was made known under a name that another one has, or for a key of targets that has one.",
        remedy="name it differently, or say that it replaces the other: override=True",
        also=ValueError,
    ),
    "TW0308": ErrorCode(
        "program depends on the values of inputs",
        "A remark. A shape, an axis or a count of the model follows from the values of these inputs. A version of the "
        "program is compiled for each value that a call brings, once, and kept: sixteen of them, of which the one that "
        "was used least recently makes room. `specialise` compiles versions beforehand.",
    ),
    "TW0330": ErrorCode(
        "program that runs is compiled again",
        "A remark, and a warning of the logger `tilewright.versions`, once for each such compilation. A call brought a "
        "value or sizes for which the program has no version: it waits until one is compiled. The message has the "
        "reason and what avoids it: versions that are compiled beforehand (`specialise`), sizes that are fixed "
        "(`sizes`), or inputs of few sizes.",
    ),
    "TW0602": ErrorCode(
        "unknown target",
        "No backend of this name exists. Besides their names, architectures and triples are targets: `riscv64`, "
        "`aarch64-linux-gnu`, `wasm32`.",
        remedy="take one of cpu, llvm, c, opencl, cuda, interpreter, aarch64, riscv64, wasm32",
        also=ValueError,
    ),
    "TW0612": ErrorCode(
        "bad target option",
        "A target is a kind and options: `llvm -mcpu=native`, `llvm -mcpu=x86-64-v3 -mattr=+avx512f -caches=48K,2M,32M "
        "-threads=4`. The environment variable TILEWRIGHT_HOST describes in the same way the machine that `llvm` alone "
        "stands for. A program runs only on a machine that has the instruction sets it was built for.",
        remedy="name the target as in `llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=4`, or `llvm` for this "
        "machine",
        also=ValueError,
    ),
    "TW0614": ErrorCode(
        "module cannot be saved or shown in this form",
        "Modules are saved as `.so`, `.o`, `.s`, `.ll` or `.mlir`, those for wasm32 as `.wasm`. A module that was "
        "loaded from a library holds machine code only, and an interpreted one none: build the program again to save "
        "or show it.",
        remedy="save as .so, .o, .s, .ll or .mlir, of a program that was built in this process",
    ),
    "TW0633": ErrorCode(
        "array of the host where one of the GPU is needed",
        "Functions for the target `cuda` take arrays that lie on the GPU: `numba.cuda.to_device(array)`, or tensors "
        "of torch and cupy. Copies at every call cost more than most kernels, so they are made only where "
        "`build(..., copy=True)` asks for them.",
        remedy="copy it once with `numba.cuda.to_device(array)`, or build with copy=True",
    ),
    "TW0634": ErrorCode(
        "no CUDA to run kernels with",
        "Running kernels takes an NVIDIA GPU with its driver, and CUDA's libraries: `pip install "
        '"tilewright[cuda]"`. Without a GPU, `build(..., device="simulator")` runs small programs, and '
        '`get_source("ptx")` shows the code.',
        remedy='run small programs with `device="simulator"`, or install tilewright[cuda] where there is a card',
    ),
    "TW0636": ErrorCode(
        "too many threads in a block",
        "A block has at most 1024 threads, the product of its loops over threadIdx; a target may say less (`cuda "
        "-max-threads=512`). Split the loop and bind the outer part to blockIdx.",
        remedy="split the loop and bind the outer part to blockIdx",
    ),
    "TW0639": ErrorCode(
        "launch that no GPU can make",
        "A kernel has at most 2^31 - 1 blocks along x and 65535 along y and z, and at most 1024 threads of a block "
        "along x and y and 64 along z. Bind the longest loop to blockIdx.x.",
        remedy="bind the longest loop to blockIdx.x",
    ),
    "TW0640": ErrorCode(
        "misaligned array of the GPU",
        "Kernels that load and store vectors need arrays that begin at a multiple of the vector's bytes: 16 for four "
        "float32. Arrays that libraries allocate begin at a multiple of 256; a slice may not. Pass a copy, or build "
        "without vectorised loops.",
        remedy="pass a copy, which libraries align",
    ),
    "TW0641": ErrorCode(
        "arrays of different GPUs",
        "A call runs on the GPU that its arrays lie on, so all of them lie on one.",
        remedy="move all arrays to one GPU",
    ),
    "TW0642": ErrorCode(
        "call that CUDA's driver refused",
        "The driver refused a step of the call: load the kernels, find the address of an array, or launch. A kernel "
        "that went wrong is reported by whichever call comes after it, and all later ones fail as well; "
        '`device="simulator"` finds what it did, with thread and line.',
        remedy='run the program with `device="simulator"`, which names thread and line',
    ),
    "TW0644": ErrorCode(
        "GPU that is older than the program",
        "A program runs on GPUs of its target's architecture and on newer ones. Build it for the GPU that is there: "
        '`target="cuda -arch=sm_80"`.',
        remedy='build it for the GPU that is there, as with target="cuda -arch=sm_80"',
    ),
    "TW0645": ErrorCode(
        "not a stream of CUDA",
        "`stream=` takes a stream of torch, cupy or numba, an object with `__cuda_stream__`, or the handle as a "
        "number, where 0 is the default stream.",
        remedy="pass a stream of torch, cupy or numba, or its handle",
    ),
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
    "TW0706": ErrorCode(
        "overlapping arguments",
        "Two arguments share memory where the program needs them to be disjoint.",
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
        "allows other folders.",
        remedy="move the weights into the folder of the model, or allow it with `--weights-outside`",
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
        "How many elements an output has depends on the data, as of the positions that are not zero. The program "
        "allocates the largest possible number and returns views of it; an array of the caller cannot state the shape.",
        remedy="call the program with its inputs alone, and take the arrays that it returns",
    ),
    "TW0725": ErrorCode(
        "wrong argument of a function",
        "A function of this package was given a value of a type that it does not take, a number that is out of range, "
        "an argument under a name that no parameter has, or too few or too many arguments. Values are never converted "
        "silently.",
        remedy="`help(function)` lists the parameters and the types of their values",
        also=TypeError,
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
    "TW0734": ErrorCode(
        "program that cannot be profiled",
        "Profiling compiles the entry once more, with readings of the clock around each call of a kernel. That takes a "
        "program for the target `cpu` that was built in this process: build the model again where it was loaded from "
        "a saved library, and without another target.",
        remedy="build the model again in this process, for the target cpu",
    ),
    "TW0750": ErrorCode(
        "program for another machine",
        "A target with a triple, `llvm -mtriple=aarch64-linux-gnu`, may be of another kind than this machine, or have "
        "instruction sets that this one lacks. Such a program can be shown and saved here, and runs where it was made "
        "for.",
        remedy="save the program and run it where it was made for, or build it for `llvm`",
    ),
    "TW0768": ErrorCode(
        "kernels of another program",
        "`import_module` gives a program that was loaded from a library of kernels those of another file, such as its "
        "PTX for another architecture. Functions, launches, constants and the kernels' source have to be the same.",
        remedy="load the file of kernels that was saved from the same build",
        also=ValueError,
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
