"""A foreign optimizer for tests: prints what a JSON file beside it says, in the form of `mlir-opt`.

Usage: foreign_tool.py SCRIPT.json [options] FILE. The script has `dumps`, a list of [header, text], `out`, `errors` and
`status`; `knows_printing` says whether the tool takes the options that print between passes. `FILE` in a text stands
for the contents of the file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> int:
    script = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    prints = "--mlir-print-ir-after-all" in sys.argv
    if prints and not script.get("knows_printing", True):
        print("foreign: Unknown command line argument '--mlir-print-ir-after-all'.", file=sys.stderr)
        return 1
    given = Path(sys.argv[-1]).read_text(encoding="utf-8")
    for header, text in script.get("dumps", []) if prints else []:
        print(f"// -----// IR Dump After {header} //----- //\n{text.replace('FILE', given)}\n", file=sys.stderr)
    print(script.get("errors", ""), file=sys.stderr)
    sys.stdout.write(script.get("out", "").replace("FILE", given))
    return script.get("status", 0)


if __name__ == "__main__":
    sys.exit(main())
