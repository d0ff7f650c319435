"""Frontends: TW03xx."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0301": ErrorCode(
        "model cannot be read",
        "The file is not a model of the expected format, or it is truncated or damaged.",
        remedy="export or download the model again; `onnx.checker.check_model` says what is wrong with a file",
    ),
    "TW0302": ErrorCode(
        "unsupported operator",
        "The model uses an operator, or a version of it, that the importer does not know. The message "
        "names the node, the operator and the opset.",
        remedy="export the model with another opset, or replace the operator before the export",
    ),
    "TW0303": ErrorCode(
        "invalid node in a model",
        "A node of the model breaks the rules of its operator: inputs are missing, of the wrong type or "
        "shape, or an attribute has a value that the operator does not have.",
        remedy="correct the node in the program that exported the model; `onnx.checker.check_model` says more",
    ),
    "TW0304": ErrorCode(
        "model needs a shape or value that is not known",
        "A shape, axis or size is computed from the values of the model's inputs, or a size left open by "
        "the model meets an operator that needs a number. `--shape NAME=1,3,224,224` fixes the sizes of an"
        " input, `--specialise NAME=0,1` the value of a small one; `tilewright.compile` takes such values from calls.",
        remedy="fix the sizes of the inputs: `--shape NAME=1,3,224,224`",
    ),
    "TW0305": ErrorCode(
        "unsupported feature of a model format",
        "The model is valid but uses a type or a feature of its format that the importer does not read: "
        "sparse tensors, sequences of strings, strings where a module is asked for.",
        remedy="export the model without this feature",
    ),
    "TW0306": ErrorCode(
        "unsupported attribute of a node",
        "The importer knows the operator but not this attribute of it, and the value is not the default. What the "
        "attribute asks for would be left out of the result. Where the attribute does not matter for inference, remove "
        "it from the node, or export the model for an older opset.",
        remedy="remove the attribute from the node where it does not matter for inference, or export for an "
        "older opset",
    ),
    "TW0307": ErrorCode(
        "operators of a model that others define",
        "A remark. These operators have no converter; the standard, or the model itself, defines them by simpler ones, "
        "which replace them. Where one is slow, `tilewright.register_operator` declares it as an operator.",
    ),
    "TW0309": ErrorCode(
        "inputs of a model that are constants",
        "A remark. The model lists initializers among its inputs. From IR version 4 on they are defaults, which calls "
        "may replace. In older models they are constants, as in onnxruntime: a call that names one ends with TW0702.",
    ),
    "TW0310": ErrorCode(
        "script is not Python",
        "The text of a script, in TVMScript or of te.hybrid.script, cannot be read as Python, or nests too deeply.",
        remedy="correct the line that the error shows",
    ),
    "TW0311": ErrorCode(
        "source of a script is not available",
        "A function in TVMScript, or with te.hybrid.script, is read from its source text, which Python keeps for "
        "functions of files and notebooks only.",
        remedy="define the function in a file or a notebook, or hand its text to `tilewright.script.from_source`",
    ),
    "TW0312": ErrorCode(
        "unknown name in a script",
        "A script uses a name that it does not define, or one of `T` that TVMScript does not have, or one that hybrid "
        "script does not have.",
        remedy="define the name before, or use one of those that docs/tvmscript.md and docs/classic.md list",
    ),
    "TW0313": ErrorCode(
        "wrong use of a name in a script",
        "A name of TVMScript or of hybrid script is used with arguments, values or types that do not fit it, or in a "
        "position where it does not belong.",
        remedy="compare with the use in docs/tvmscript.md",
    ),
    "TW0314": ErrorCode(
        "not a part of TVMScript",
        "The script uses a part of Python, or of the classic language, that has no counterpart in loop IR.",
        remedy="write it with loops, blocks, conditions and stores; docs/tvmscript.md lists what there is",
    ),
    "TW0315": ErrorCode(
        "declared region too small",
        "`T.reads` or `T.writes` of a block leaves out a buffer or an element that the block accesses.",
        remedy="add the region, or leave the declaration out: regions are found from the accesses",
    ),
    "TW0316": ErrorCode(
        "module has no form in TVMScript",
        "TVMScript says what loop IR says. Modules of graph or te level, and operations of other dialects, have no "
        "form in it.",
        remedy="lower the module to loops first: `opt-tool --phase 0 --emit tvmscript`",
    ),
    "TW0317": ErrorCode(
        "valid node that is not supported here",
        "The node follows the rules of its operator, but the compiler has no form of the operator for these element "
        "types or sizes. docs/onnx.md lists the element types that are refused, with the reasons.",
        remedy="put a Cast to float32 or int32 before the node and one back behind it, export for another opset, or "
        "report the model",
    ),
    "TW0320": ErrorCode(
        "operands of a relay operator do not fit",
        "Types of relay expressions are inferred where they are made. These operands or attributes have no result: "
        "shapes that do not broadcast, a rank or an element type that the operator does not take, sizes that are known "
        "only when the program is called where a number is needed. Notes say the operands' types.",
        remedy="compare the types of the operands, `x.checked_type`, with those that the operator takes",
    ),
    "TW0321": ErrorCode(
        "type of a relay expression",
        "A variable whose type nothing implies is read, a shape or a dtype is none, or a type that was stated is not "
        "that of the expression.",
        remedy="give the variable its type: relay.var(name, shape=(1, 3), dtype='float32')",
    ),
    "TW0322": ErrorCode(
        "not an expression of relay",
        "A function is used where a tensor is needed, a call has another number of arguments than the function has "
        "parameters, or a module is no longer of the graph level, whose functions are expressions.",
        remedy="take `function.body`, or call the function; run passes of relay before a module is lowered",
    ),
    "TW0323": ErrorCode(
        "free variable in a relay function",
        "The body of a function uses a variable that is no parameter of it, or the function has a parameter twice.",
        remedy="add the variable to the parameters: relay.Function(relay.analysis.free_vars(body), body)",
    ),
    "TW0324": ErrorCode(
        "pass of relay that is not here",
        "A pass of relay.transform has no counterpart, has no parameter of that name, or a pass of the program "
        "returned no function.",
        remedy="take a pass that docs/relay.md lists, or leave the pass out: relay.build runs what a target needs",
    ),
}
