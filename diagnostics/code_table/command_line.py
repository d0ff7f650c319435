"""The command line, passes and options: TW02xx."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0201": ErrorCode(
        "unknown pass",
        "No pass of this name is registered. `opt-tool --list-passes` lists all of them; `--load FILE.py` "
        "registers those that a Python file defines.",
        remedy="`opt-tool --list-passes` lists the passes; `--load FILE.py` adds those that a file defines",
    ),
    "TW0202": ErrorCode(
        "bad pass option",
        "The pass has no option of this name, or the value has the wrong type. Options are written "
        "`pass{name=value other=1,2,3}`, options separated by spaces and the items of a list by commas. "
        "`opt-tool --list-passes` shows each pass's options.",
        remedy="write options as `pass{name=value other=1,2,3}`; `opt-tool --list-passes` shows those of each pass",
    ),
    "TW0203": ErrorCode(
        "malformed pass pipeline",
        "Passes are separated by commas: `fuse,tile{sizes=32,32},vectorize{width=16}`.",
        remedy="separate passes by commas and options by spaces: `fuse,tile{sizes=32,32}`",
    ),
    "TW0205": ErrorCode(
        "pass does not apply at this level",
        "The pass works on other dialects than the module has, and no chain of conversions leads there: "
        "conversions go down only (graph, te, loop with blocks, loop), and `--no-auto-lower` forbids "
        "inserting them.",
        remedy="run the pass before the module is lowered, or let conversions be inserted",
    ),
    "TW0206": ErrorCode(
        "rewriting does not end",
        "Patterns kept changing the module until the budget of rewrites was spent. Most often two patterns"
        " undo one another; the last ones that fired are named.",
        remedy="let the patterns go in one direction only, or raise `rewrite_budget` where they do end",
    ),
    "TW0207": ErrorCode(
        "unknown configuration key",
        "`PassContext(config=...)` takes the keys of one table only; the nearest ones are suggested.",
        remedy="docs/extend.md lists the keys of `PassContext(config=...)`",
        also=ValueError,
    ),
    "TW0210": ErrorCode(
        "expected diagnostic did not come",
        "With `--verify-diagnostics` every `expected-error {{text}}` comment must be met by an error on "
        "its line, and every error by such a comment.",
        remedy="change the comment to what the error says, or remove the one that no error meets",
    ),
    "TW0211": ErrorCode(
        "pass registered twice",
        "Two passes have the same name. A pass's name identifies it in pipelines, so each needs a different one. The "
        "same class or function may be registered again, as when a module is reloaded or a cell of a notebook runs "
        "once more; `tilewright.unregister_pass(name)` forgets another one.",
        remedy="give one of them another name, or forget the first with `tilewright.unregister_pass(name)`",
    ),
    "TW0212": ErrorCode(
        "file of user passes cannot be loaded",
        "The file given to `--load` does not exist or raised an exception while it was imported.",
        remedy="run the file with Python alone to see what it raises",
    ),
    "TW0213": ErrorCode(
        "pass cannot be disabled",
        "`PassContext(disabled_pass=...)` names a conversion between levels of IR, which nothing else can replace.",
        remedy="leave the conversion out of `disabled_pass`; `opt-tool --phase` ends the pipeline before it",
    ),
    "TW0214": ErrorCode(
        "pass refused",
        "The pass stopped because the module is not one that it handles. The message is that of the pass.",
        remedy="change the module to what the pass asks for, or leave the pass out",
    ),
    "TW0215": ErrorCode(
        "lowering rule registered twice",
        "Of the rules for one operation and target the highest level wins, so two cannot have the same "
        "level. Give yours another; the ones that backends bring have level 10.",
        remedy="give your rule another level: the highest wins, those of backends have 10",
    ),
    "TW0216": ErrorCode(
        "plugin cannot be loaded",
        "A distribution is installed that extends tilewright through the entry-point group `tilewright.plugins`, and "
        "importing it failed. Everything else works; what the plugin brings is missing. Update or uninstall the "
        "distribution that is named.",
        remedy="update or uninstall the distribution that is named",
    ),
    "TW0217": ErrorCode(
        "pass returned another module",
        "A pass changes the module that it is given in place: what else it returns would be lost. Move the operations "
        "of the other module into the given one.",
        remedy="change the module that the pass is given, in place",
    ),
    "TW0218": ErrorCode(
        "not an instrument",
        "Instruments of `PassContext` derive from `tilewright.passes.Instrument`, or have at least one of the methods "
        "enter_pass_ctx, exit_pass_ctx, should_run, run_before_pass and run_after_pass.",
        remedy="derive the class from `tilewright.passes.Instrument`",
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
        "remark gives. Changes that have a separate code, such as TW0510, are reported with that.",
    ),
    "TW0222": ErrorCode(
        "unrolled nest too large",
        "The iterations of an unrolled loop are written out, those of unrolled loops inside it once for each iteration "
        "of the outer loop. A nest that comes to very many operations takes hours to compile, and no cache holds its "
        "code.",
        remedy="split the loop and unroll the inner part, or raise the setting max_unrolled_ops of the PassContext",
    ),
    "TW0223": ErrorCode(
        "validation compared nothing",
        "`--validate` ran no function: there was no pass to run, none of the functions can be run, or their caller "
        "sees nothing of them. An output is a result, a buffer marked `tw.output`, or a buffer that the function "
        "writes.",
        remedy="name passes with --pass or --phase; remarks TW0551 say why a function is not run",
    ),
    "TW0224": ErrorCode(
        "code of a user failed",
        "A pass, a rule, a hook or a plugin that is not part of the compiler raised an exception, or called something "
        "that did. The error names the line of that code, and the notes the lines of it that called it.",
        remedy="mend that code at the line that the error names",
    ),
    "TW0226": ErrorCode(
        "operation's name is taken",
        "An operator's class adds an operation to the graph dialect: its name begins with `graph.` and is no other's.",
        remedy="name it differently, or call unregister_operator first",
    ),
    "TW0227": ErrorCode(
        "unknown operator or fusion kind",
        "`register_operator` takes a fusion kind: elementwise, broadcast, injective, reduction, out_elementwise, tuple "
        "or opaque. `unregister_operator` takes the name of an operator that was registered, and `operators.describe` "
        "that of any operator, without `graph.`.",
        remedy="take one of the names that the error lists",
    ),
    "TW0228": ErrorCode(
        "class is no operation of an operator",
        "`register_operator` takes a class of `graph.GraphOp` with a name, operands, results and `infer_types`; "
        "`reference` and `te` take its operands in order and its properties by name, `te` also `sums` where there is "
        "an accumulator.",
        remedy="see docs/extend.md, Operators; constants of the class are upper case and annotated as ClassVar",
    ),
    "TW0254": ErrorCode(
        "function of Python called where it cannot be",
        "A program calls a function of Python (`tir.call_packed`) in a parallel loop, whose threads are not Python's, "
        "on a device, or in a file, which another process loads that does not have the function.",
        remedy="call it outside of parallel loops, on the CPU, in the process that builds the program",
    ),
    "TW0255": ErrorCode(
        "classic statement or pass that this compiler cannot make",
        "A program uses `tir.For`, `tir.stmt_functor` or `tir.transform` in a way that has no meaning in the IR: a"
        " variable that no loop binds, statements in place of a value, a kind of node or a pass that does not exist"
        " here. The message says which.",
        remedy="do what the message names instead; `docs/extend.md` shows user passes",
    ),
    "TW0256": ErrorCode(
        "programs that differ in structure",
        "`assert_structural_equal` was given two programs that differ in more than names. The message shows the first "
        "line of each that the other does not have, numbered alike. It is a ValueError too.",
        remedy="print both programs with script() and compare them",
        also=ValueError,
    ),
    "TW0257": ErrorCode(
        "no function of that name in a module",
        "A module is a mapping of its functions by name, and was asked for one that it does not have. It is a KeyError "
        "too.",
        remedy="list(module) names the functions",
        also=KeyError,
    ),
    "TW0258": ErrorCode(
        "no JSON of tensors and schedules",
        "`ir.save_json` writes tensors, definitions, expressions and schedules, without functions of Python and "
        "programs in them; `ir.load_json` reads what it wrote. It is a ValueError too.",
        remedy="save the text of a lowered module: str(tilewright.lower(schedule, args))",
        also=ValueError,
    ),
    "TW0262": ErrorCode(
        "unknown form of a program",
        "The end of the output's name says in which form a program is written: a library (.so), a package (.tar), an "
        "object file (.o), C (.c), a module of WebAssembly (.wasm), kernels for a GPU (.ptx), or text (.s, .ll, "
        ".mlir). Text of another kind is written by --emit, to any other name.",
        remedy="end the name in one of the forms that the message lists",
    ),
    "TW0263": ErrorCode(
        "no such function to compile",
        "FILE.py:NAME names a function without arguments of a Python file, or a value in it. It gives tensors, a "
        "schedule and its arguments as a tuple, or IR.",
        remedy="name a function of the file",
    ),
    "TW0260": ErrorCode(
        "configuration key without an effect",
        "A remark, no error: a key of classic programs, in `PassContext(config=...)` or of a pragma, that changes "
        "nothing here. The message says what decides instead.",
    ),
    "TW0261": ErrorCode(
        "file or model of another program",
        "The file, the folder or the object is a model of another program, its weights, arrays, or an archive: it is "
        "recognised by its content. Models come in as ONNX or as IR. The message says what the file is, the help how "
        "to get an ONNX model from it; docs/commands.md lists the kinds. Frontends of users are asked before.",
        remedy="write the model as ONNX in the program that it is from",
    ),
    "TW0299": ErrorCode(
        "internal error",
        "An exception that no user's mistake should lead to: a fault of tilewright. `--traceback` shows where; where a "
        "pass failed, a note names a reproducer. Please report it.",
        remedy="run again with `--traceback` and report what it shows, with the input",
    ),
}
