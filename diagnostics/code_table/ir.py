"""Parsing and verifying IR: TW01xx."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode

CODES: dict[str, ErrorCode] = {
    "TW0101": ErrorCode(
        "syntax error",
        "The text is not valid IR. The caret marks the first token that cannot be read. An operation or "
        "attribute that no known dialect defines is reported in the same way.",
        remedy="write what is expected where the caret stands; `opt-tool --print-op-generic` shows the generic "
        "form of a valid file",
    ),
    "TW0102": ErrorCode(
        "value used but not defined",
        "An operation uses a value that no operation, block argument or function argument visible at that "
        "point defines. Values defined inside a region are not visible outside it.",
        remedy="define the value above its use, in the same region or in one around it",
    ),
    "TW0103": ErrorCode(
        "invalid operation",
        "The operation was read but breaks one of the rules that its verifier checks: operand and result "
        "types, attributes, regions. The message says what was expected and what was found.",
        remedy="change the operation to what the message expects; where a pass made it, "
        "`--print-ir-after-change` shows which",
    ),
    "TW0104": ErrorCode(
        "value does not dominate its use",
        "A value is used where its definition has not run yet on every path: before its definition in the "
        "same block, in the definition itself (a cycle), or in a block that the block of the definition does not "
        "dominate.",
        remedy="move the definition before the use, or pass the value as a block argument",
    ),
    "TW0105": ErrorCode(
        "IR nested too deeply",
        "Regions are nested deeper than the parser, the verifier or the printer can follow. Hundreds of "
        "nested loops or functions have no use here; a generator of the IR is most likely at fault.",
        remedy="nest fewer regions: put inner parts into separate functions, or fuse loops",
    ),
    "TW0106": ErrorCode(
        "empty input",
        "The input has no operation. An empty module is written `builtin.module {}`.",
        remedy="give a file with operations; an empty module is written `builtin.module {}`",
    ),
    "TW0107": ErrorCode(
        "pass left invalid IR",
        "The module was valid before the pass and breaks a rule after it. The fault is in the pass: please"
        " report it, or repair it where the pass is yours.",
        remedy="run with `--print-ir-after-change` to see what the pass made; `--bisect` names the rewrite within it",
    ),
}
