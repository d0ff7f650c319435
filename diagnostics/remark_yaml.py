"""Remarks as YAML: one document for each, in the structure of LLVM's optimisation records, which its viewers read.

```yaml
--- !Missed
Pass:            "vectorize"
Name:            "TW0510"
DebugLoc:        { File: "scan.mlir", Line: 2, Column: 3 }
Function:        "scan"
Args:
  - String:          "loop %i is not vectorised: its iterations depend on one another through %A"
...
```
Every string stands in double quotes, where YAML takes the escapes of JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .locations import source_position
from .remarks import Kind, Remark

_TAGS: dict[Kind, str] = {"passed": "!Passed", "missed": "!Missed", "analysis": "!Analysis"}
_ESCAPED = re.compile(r'["\\]|[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]')


def as_yaml(remarks: Iterable[Remark]) -> str:
    """Return the remarks as a stream of YAML documents, in their order."""
    return "".join(f"{line}\n" for remark in remarks for line in _document(remark))


def _document(remark: Remark) -> Iterator[str]:
    yield f"--- {_TAGS[remark.kind]}"
    yield f"Pass:            {_quoted(remark.pass_name)}"
    yield f"Name:            {_quoted(remark.code)}"
    position = source_position(remark.location)
    if position is not None:
        where = f"File: {_quoted(position.file)}, Line: {position.line}, Column: {position.column}"
        yield f"DebugLoc:        {{ {where} }}"
    yield f"Function:        {_quoted(remark.function)}"
    yield "Args:"
    yield f"  - String:          {_quoted(remark.message)}"
    yield from (f"  - Note:            {_quoted(note)}" for note in remark.notes)
    yield "..."


def _quoted(text: str) -> str:
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"
