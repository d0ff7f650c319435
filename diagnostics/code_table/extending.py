"""TW0230 to TW0239: what users bring, and lit files of their projects."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0230": ErrorCode(
        "lit.cfg.py cannot be read",
        "The file that describes a folder of lit files raised an exception. The runner in Python gives it `config` and"
        " `lit_config`, with the attributes that most projects use; lit itself may give it more.",
        remedy="mend the file at the line that the message names; `tilewright init-lit DIR` writes one that works",
    ),
    "TW0231": ErrorCode(
        "packages for lit files are missing",
        "Lit files are run with the parser of the package `lit` and checked by the package `filecheck`.",
        remedy="install them with `pip install tilewright[lit]`",
    ),
    "TW0232": ErrorCode(
        "CHECK lines cannot be written",
        "`tilewright update-checks` runs the RUN lines of a file and writes CHECK lines for what filecheck reads. A RUN"
        " line failed, none of them uses filecheck on the file itself, or two of them print different texts for"
        " directives of one prefix. The file is as it was.",
        remedy="run the RUN line by hand, and let it end in `| filecheck %s`",
    ),
    "TW0233": ErrorCode(
        "folder has lit files already",
        "`tilewright init-lit` writes no file over another one.",
        remedy="give another folder, or remove the file that the message names",
    ),
    "TW0234": ErrorCode(
        "dialect cannot be registered",
        "`tilewright.register_dialect` got a name that another dialect has, a level that is none, or the reference of"
        " an operation that the dialect does not have.",
        remedy="give the dialect a name that no other has, and list each operation in it",
    ),
    "TW0235": ErrorCode(
        "operation of a user's dialect on a buffer",
        "Passes have to know which operations read and write memory. An operation of a dialect that a user registers"
        " declares which of its buffers it reads and which it writes; such an operation is not pure, has no regions and"
        " gives no buffers.",
        remedy="register_dialect(..., accesses={Op: lambda op: Accesses(reads=[op.source], writes=[op.target])})",
    ),
    "TW0236": ErrorCode(
        "frontend cannot be used",
        "`tilewright.register_frontend` got a name that another frontend has, or something that is no function; or the"
        " function that loads a model gave something that is no module.",
        remedy="give the frontend a name that no other has, and let `load(model)` return a ModuleOp or an IRModule",
    ),
    "TW0237": ErrorCode(
        "schedule rule cannot be used",
        "`tilewright.register_schedule_rule` got a target without default schedules or a name that another rule has;"
        " or a rule gave something else than True, blocks or None.",
        remedy="register the rule for cpu or cuda under a name that no other rule has",
    ),
    "TW0238": ErrorCode(
        "ONNX converter cannot be registered",
        "`tilewright.register_onnx_converter` got the standard domain, an operator that has a converter from another"
        " module, or something that is no function.",
        remedy="give the operator a user domain; for the standard domain use `register_operator(onnx=...)`",
    ),
}
