"""tilewright: import models, compile them, run them, explain errors.

Each command is implemented in a separate module, which is imported when the command is given.
"""

from __future__ import annotations

import sys
from argparse import REMAINDER, Namespace
from collections.abc import Sequence
from typing import Any

from .common import ArgumentParser, VersionAction, report, seconds
from .watch import (
    CODE,
    add_debug_option,
    add_fast_option,
    add_level_option,
    add_records_option,
    add_trust_options,
    add_watch_options,
    optioned,
)

_MODEL = "an ONNX model (.onnx) or IR (.mlir)"
_COMPILED = f"{_MODEL}, the IR of a package (.tar), or FILE.py:NAME, a function that gives tensors, a schedule or IR"


def argument_parser() -> ArgumentParser:
    """Return the command line of tilewright."""
    parser = ArgumentParser("tilewright", description="A tensor compiler on xDSL.", allow_abbrev=False)
    parser.add_argument("--version", action=VersionAction)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _add_import(commands)
    _add_compile(commands)
    _add_run(commands)
    info = _command(commands, "info", "what a saved program takes, gives and needs")
    info.add_argument("package", help="a library (.so), a package (.tar), an object file or a module of WebAssembly")
    info.add_argument("--json", action="store_true", help="print it as JSON")
    _add_tuning(commands)
    _add_reduce(commands)
    _add_prove(commands)
    cache = _command(commands, "cache", "what the cache of compiled code holds, and emptying it")
    cache.add_argument("--info", action="store_true", help="print where it is, how much of what it holds, its limit")
    cache.add_argument("--clear", action="store_true", help="delete what it holds")
    _add_testing(commands)
    _add_target(commands)
    _command(commands, "doctor", "what is installed, and what is missing for what")
    command = _command(commands, "completion", "a script that completes command lines in a shell")
    command.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    explain = _command(commands, "explain", "what an error code, an operation, a pass or any other name means")
    explain.add_argument("name", metavar="NAME", nargs="?",
        help="an error code, an operation, a pass, a schedule primitive, an intrinsic, a target, a function or a "
        "class: TW0123, graph.matmul, fuse, tile, te.compute, may_rewrite, passes.editor.replace; without it, all "
        "error codes are listed")  # fmt: skip
    explain.add_argument("--search", metavar="WORDS", help="list the names whose entries have these words")
    return parser


def _command(commands: Any, name: str, sentence: str) -> ArgumentParser:
    command = commands.add_parser(name, help=sentence, description=sentence, allow_abbrev=False)
    command.add_argument("--traceback", action="store_true", help="show the Python traceback of an error")
    return command


def _add_import(commands: Any) -> None:
    command = _command(commands, "import", "a model as graph IR, its weights beside it")
    command.add_argument("model", help="an ONNX model")
    _add_sizes(command)
    add_trust_options(command.add_argument)
    command.add_argument("-o", "--output", metavar="FILE.mlir", help="default: the model's name, in this folder")
    command.add_argument("--report", action="store_true",
        help="count supported, expanded and missing operators, import nothing; status 1 if one is missing")  # fmt: skip


def _add_load(command: ArgumentParser) -> None:
    command.add_argument("--load", metavar="FILE.py", action="append", default=[],
        help="a Python file that registers passes, dialects or rules")  # fmt: skip


def _add_sizes(command: ArgumentParser) -> None:
    command.add_argument("--shape", action="append", default=[], metavar="NAME=1,3,224,224",
        help="the shape of an input of an ONNX model; a name in it stays symbolic; default: as the model has it, sizes "
        "that it leaves open staying open")  # fmt: skip
    command.add_argument("--size", action="append", default=[], metavar="NAME=N",
        help="the value of a symbolic size, where one is to be a number")  # fmt: skip
    command.add_argument("--specialise", action="append", default=[], metavar="NAME=0,1",
        help="the value of an input that decides a shape, an axis or a count; an input named once more begins another "
        "version of the program")  # fmt: skip


def _add_compile(commands: Any) -> None:
    command = _command(commands, "compile", "a model as a program to deploy, or as text")
    command.epilog = (
        "The end of FILE says the form. x.so: a library with its weights, beside it x.h for C; x.tar: the library, its "
        "weights, its graph and its IR in one file; x.o: an object file; x.c: C99 for any machine; x.wasm: a module of "
        "WebAssembly; x.ptx: kernels for a GPU; x.s, x.ll, x.mlir: text. With --target cuda x.so, x.tar and x.o have "
        "kernels, their PTX and constants. 'tilewright run' and runtime.load_module read x.so, x.tar and x.ptx."
    )
    _add_load(command)
    command.add_argument("model", help=_COMPILED)
    command.add_argument("-o", "--output", metavar="FILE", help="default: standard output, for text")
    _add_sizes(command)
    command.add_argument("--emit", metavar=f"{{{','.join(CODE)}}}", help="the text to write; default: asm")
    command.add_argument("--weights", choices=("inside", "beside"),
        help="where the weights of a library lie: in it, or in a file of safetensors beside it, which is mapped; "
        "default: inside, up to 2 GB")  # fmt: skip
    command.add_argument("--target", metavar="TARGET",
        help='what for: aarch64, riscv64, wasm32, a triple, or as in "llvm -mcpu=x86-64-v3"; default: this '
        "machine, or as the form")  # fmt: skip
    _add_unchecked(command)
    add_fast_option(command.add_argument)
    add_level_option(command.add_argument)
    add_records_option(command.add_argument)
    add_debug_option(command.add_argument)
    add_trust_options(command.add_argument)
    _add_watching(command)


def _add_run(commands: Any) -> None:
    command = _command(commands, "run", "run a model, or a compiled program, on arrays")
    _add_load(command)
    command.add_argument("model", help=f"{_MODEL}; a library (.so), a package (.tar) or kernels (.ptx)")
    command.add_argument("--input", metavar="X.npz",
        help="the inputs by name, whose shapes say what symbolic sizes are; without it, random numbers, whose symbolic "
        "sizes --size gives")  # fmt: skip
    command.add_argument("--output", metavar="Y.npz", help="where the outputs go, by name")
    command.add_argument("--fill-mode", choices=("zeros", "ones", "random"),
        help="what inputs are that are not given; default: random")  # fmt: skip
    command.add_argument("--random-seed", type=int, default=0, metavar="N", help="of random inputs; default: 0")
    _add_sizes(command)
    command.add_argument("--threads", type=int, metavar="N", help="default: every core that is available")
    command.add_argument("--repeat", type=int, default=1, metavar="N", help="how often to run; default: 1")
    command.add_argument("--print-time", action="store_true", help="print compile and run times (standard error)")
    command.add_argument("--profile", metavar="=FILE.json", nargs="?", const="-",
        help="print what each kernel takes, sorted by time (standard error), or write it to a file")  # fmt: skip
    command.add_argument("--validate", action="store_true",
        help="first compare the compiled kernels with unoptimised ones, on random inputs")  # fmt: skip
    command.add_argument("--backend", choices=("cpu", "interpreter"), default="cpu", help="default: cpu")
    _add_unchecked(command)
    add_fast_option(command.add_argument)
    add_level_option(command.add_argument)
    add_records_option(command.add_argument)
    add_debug_option(command.add_argument)
    add_trust_options(command.add_argument)
    _add_watching(command)


def _add_unchecked(command: ArgumentParser) -> None:
    command.add_argument("--unchecked", action="store_true",
        help="check no index while the program runs: whoever calls it answers for those that are data")  # fmt: skip


def _add_watching(command: ArgumentParser) -> None:
    add_watch_options(command.add_argument_group("watching the compilation (on standard error)"))


def _add_tuning(commands: Any) -> None:
    command = _command(commands, "tune", "measure schedules of a model's kernels and keep the outcomes as records")
    command.epilog = (
        "A kernel is a task. Records hold for this machine, this compiler, the target and its number of threads; "
        "'tilewright compile --records FILE' applies the best ones. A run that was ended in any way goes on with "
        "--resume and measures nothing twice."
    )
    _add_load(command)
    command.add_argument("model", help=_COMPILED)
    command.add_argument("-o", "--output", metavar="FILE.jsonl", help="the records; needed but for --tasks list")
    _add_sizes(command)
    command.add_argument("--trials", type=int, metavar="N",
        help="schedules to measure, those among them that the file has; default: 64 for each task")  # fmt: skip
    command.add_argument("--budget", type=seconds, metavar="SECONDS", help="end this run after so long")
    command.add_argument("--tasks", default="all", metavar="all|list|0,2-5",
        help="the tasks to tune by number; list prints them and ends; default: all")  # fmt: skip
    command.add_argument("--sizes", action="append", default=[], metavar="NAME=LOW..HIGH",
        help="the range of a size that the model leaves open, for which schedules are searched and applied; default: "
        "64..256; repeatable")  # fmt: skip
    command.add_argument("--resume", action="store_true", help="go on from the records that the file has")
    command.add_argument("--report", metavar="FILE.html",
        help="write a page: the history of each task, predicted beside measured times, the best schedules")  # fmt: skip
    command.add_argument("--seed", type=int, default=0, metavar="S", help="of what is drawn at random; default: 0")
    command.add_argument("--target", metavar="TARGET", help="as of compile; default: this machine")
    command.add_argument("--threads", type=int, metavar="N", help="threads of parallel loops; default: as the target")
    command.add_argument("--timeout", type=seconds, default=10, metavar="SECONDS",
        help="the limit for the runs of one schedule; default: 10")  # fmt: skip
    command.add_argument("--compile-timeout", type=int, default=60, metavar="SECONDS",
        help="the limit of processor time for compiling one schedule; default: 60")  # fmt: skip
    command.add_argument("--number", type=int, default=0, metavar="N",
        help="runs in a sample; default: as many as take 5 ms")  # fmt: skip
    command.add_argument("--repeat", type=int, default=3, metavar="N",
        help="samples of a schedule at first, 3 at most; those that may be fastest get more; default: 3")  # fmt: skip
    command.add_argument("--early-stopping", type=int, metavar="N",
        help="end the search of a task after so many schedules without a faster one")  # fmt: skip
    add_level_option(command.add_argument)
    add_trust_options(command.add_argument)
    command = _command(commands, "records", "what files of tuning records hold, their best records, and joining them")
    command.add_argument("action", choices=("show", "best", "merge"),
        help="show: a table of the tasks; best: the best record of each task, as lines; merge: records of all files, "
        "equal ones once")  # fmt: skip
    command.add_argument("files", nargs="+", metavar="FILE.jsonl", help="files of records")
    command.add_argument("-o", "--output", metavar="FILE.jsonl", help="for best and merge; default: standard output")


def _add_reduce(commands: Any) -> None:
    command = _command(commands, "reduce", "the smallest IR for which a command still exits with status 0")
    _add_load(command)
    command.add_argument("file", help="the IR; - reads standard input")
    command.add_argument("--test", required=True, metavar="CMD", help="a shell command; it gets the file at its end")
    command.add_argument("-o", "--output", metavar="FILE.mlir", help="default: standard output")
    command.add_argument("--timeout", type=seconds, default=60, metavar="S", help="seconds for a test; default: 60")
    add_trust_options(command.add_argument)
    command.add_argument("--limit", type=seconds, metavar="S", help="stop after this many seconds; default: none")


def _add_prove(commands: Any) -> None:
    command = _command(commands, "prove", "whether two files compute the same, for all sizes")
    _add_load(command)
    command.epilog = (
        "Exit status: 0 where all is proved, 1 for a refutation and for errors, 2 where the command line or the tool "
        "of --opt is wrong, 3 where something is not decided for all sizes."
    )
    command.add_argument("before", help="IR; - reads standard input")
    command.add_argument(
        "after", nargs="?", help="IR that is to compute the same; without it, --opt says what to compare"
    )
    command.add_argument("--opt", metavar="COMMAND",
        help='as "mlir-opt --affine-loop-fusion": runs on the file, and each of its passes is compared')  # fmt: skip
    command.add_argument("--opt-seconds", type=seconds, default=600, metavar="S",
        help="the time that the command of --opt may take; default: 600")  # fmt: skip
    command.add_argument("--save", metavar="FOLDER",
        help="where --opt writes the files of a refutation; default: a temporary folder")  # fmt: skip
    command.add_argument("--function", metavar="NAME", help="the function to compare; default: all")
    command.add_argument("--reassociates", action="store_true", help="terms of sums may change their order")
    command.add_argument("--contracts", action="store_true", help="a product and a sum may become one operation")
    command.add_argument("--axiom", action="append", default=[], metavar="NAME",
        help="an equation that may be used: add-zero, multiply-zero")  # fmt: skip
    command.add_argument("--no-execute", action="store_true",
        help="execute no upstream file by mlir-runner, for files that nobody should run")  # fmt: skip
    command.add_argument("--may-alias", action="store_true", help="arguments of one memref type may be one buffer")
    command.add_argument("--seconds", type=seconds, default=60, metavar="S", help="for each function; default: 60")
    command.add_argument("--json", action="store_true", help="print a list of records")
    add_trust_options(command.add_argument)


def _add_target(commands: Any) -> None:
    command = _command(commands, "target", "what plans depend on: a target, and the facts about its machine")
    command.epilog = (
        "A fact has a unit and a source: default, stated, system, measured, or the name of a datasheet. FILE.target "
        "stands for a target everywhere: 'tilewright compile --target FILE.target', TILEWRIGHT_HOST=FILE.target."
    )
    command.add_argument(
        "target", metavar="TARGET", nargs="?", help='as in "llvm -mcpu=x86-64-v3"; default: this machine'
    )
    command.add_argument("--measure", action="store_true", help="measure this machine, which takes some ten seconds")
    command.add_argument("-o", "--output", metavar="FILE.target", help="write the target to a file")


def _add_testing(commands: Any) -> None:
    command = _command(commands, "init-lit", "write the configuration of lit files, and a first one, into a folder")
    command.add_argument("folder", help="the folder, which is made")
    command = _command(commands, "update-checks", "write the CHECK lines of lit files from what their RUN lines print")
    command.add_argument("files", nargs="+", metavar="FILE", help="a lit file")
    command.add_argument("--all", action="store_true", help="write CHECK lines anew that hold, too")
    command = _command(commands, "not", "run a command; status 0 where it fails, 1 where it succeeds")
    command.add_argument("--crash", action="store_true", help="status 0 where a signal ends the command")
    command.add_argument("words", nargs=REMAINDER, metavar="COMMAND", help="the command and its arguments")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    args = argument_parser().parse_args(argv)
    return report(lambda: _run_optioned(args), traceback=args.traceback)


def _prove(args: Namespace) -> int:
    """Compare two files, or a file with the output of a foreign tool. Raises TilewrightError TW0209 for neither and
    both."""
    if (args.after is None) == (args.opt is None):
        from ..diagnostics import fail

        given = "neither" if args.opt is None else "both"
        fail("TW0209", f"tilewright prove: expected a second file, or --opt with a command, but got {given}")
    if args.opt is not None:
        from .prove_passes import prove_passes

        return prove_passes(args)
    from .prove import prove_files

    return prove_files(args)


def _run_optioned(args: Namespace) -> int:
    with optioned(args):
        return _run(args)


def _run(args: Namespace) -> int:
    for path in getattr(args, "load", ()):
        from .plugins import load_file

        load_file(path)
    match args.command:
        case "explain":
            from .explain import explain, search_reference

            print(explain(args.name) if args.search is None else search_reference(args.search))
        case "cache":
            from .cache import cache_command

            cache_command(args.info, args.clear)
        case "import":
            from .models import import_file, report_file
            from .sizes import GivenSizes

            if args.report:
                return report_file(args.model)
            import_file(args.model, args.output, GivenSizes.of(args))
        case "reduce":
            from .reduce import reduce_file

            reduce_file(args)
        case "prove":
            return _prove(args)
        case "target":
            from .target import target_command

            target_command(args.target, args.output, measures=args.measure)
        case "doctor":
            from .doctor import doctor

            return doctor()
        case "completion":
            from .completion import completion

            print(completion(args.shell))
        case "init-lit":
            from .lit_kit.template import init_lit

            init_lit(args.folder)
        case "update-checks":
            from .lit_kit.update import update_files

            return update_files(args.files, anew=args.all)
        case "not":
            from .negate import negate

            return negate(args.words, expects_crash=args.crash)
        case "info":
            from .packages import print_info

            print_info(args.package, as_json=args.json)
        case "tune":
            from .sizes import GivenSizes
            from .tune import tune_file

            tune_file(args, GivenSizes.of(args))
        case "records":
            from .records import records_command

            records_command(args.action, args.files, args.output)
        case "compile":
            from .models import compile_file
            from .sizes import GivenSizes
            from .watch import Watch

            compile_file(args, GivenSizes.of(args), Watch(args))
        case _:
            from .execute import run_file

            run_file(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
