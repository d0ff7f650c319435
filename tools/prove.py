"""`tilewright prove`: whether two files compute the same, for all sizes."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from .. import backends as _backends  # noqa: F401  # pyright: ignore[reportUnusedImport]  (lowering rules)
from ..analysis.equivalence import Algebra, Bounded, Budget, Proved, Refuted
from ..analysis.equivalence.verdict import Computed
from ..diagnostics import TilewrightError, fail
from ..diagnostics.files import check_file
from ..diagnostics.locations import location_of, source_position
from ..diagnostics.parsing import parse
from ..diagnostics.progress import task
from ..dialects import context
from ..dialects.resource import resolve_resources
from ..dialects.upstream.undefined import mark_upstream
from ..passes.base import Level, axioms_labelled, level_of
from ..passes.context import PassContext
from ..passes.manager import PassManager, verify_module
from ..passes.pipeline import conversion
from ..semantics.proving import Judgement, account, expressions, prove_refinement
from . import files
from .common import UNDECIDED


@dataclass(frozen=True)
class Compared:
    """A function of both files."""

    before: FuncOp
    after: FuncOp
    judgement: Judgement

    @property
    def name(self) -> str:
        """`@f`, or `@f and @g` where the files call it differently."""
        return " and ".join(dict.fromkeys(f"@{f.sym_name.data}" for f in (self.before, self.after)))

    def __str__(self) -> str:
        verdict, reason = self.judgement.verdict, self.judgement.reason
        lines = [f"{self.name}: {self.judgement.word} in {verdict.seconds:.2f} s{f': {reason}' if reason else ''}"]
        lines += [f"  {count} elements are undefined before, and not compared" for count in self._undefined()]
        lines += [f"  assumed: {assumption}" for assumption in verdict.assumptions]
        shown = self.judgement.doubted or (verdict if isinstance(verdict, Refuted) else None)
        if shown is not None:
            lines += [f"  {line}" for line in (*expressions(shown), self.judgement.evidence) if line]
        return "\n".join(lines)

    def _undefined(self) -> list[int]:
        return [self.judgement.verdict.undefined_count] if self.judgement.verdict.undefined else []

    def as_json(self) -> dict[str, Any]:
        """The same as a record."""
        verdict = self.judgement.verdict
        record: dict[str, Any] = {
            "before": self.before.sym_name.data,
            "after": self.after.sym_name.data,
            "verdict": self.judgement.word,
            "seconds": round(verdict.seconds, 3),
            "undefined": verdict.undefined_count,
            "condition": verdict.condition,
            "assumptions": list(verdict.assumptions),
        }
        if isinstance(verdict, Bounded):
            record["sizes"] = [dict(sizes) for sizes in verdict.sizes]
        elif not isinstance(verdict, Proved):
            record["reason"] = self.judgement.reason
        shown = self.judgement.doubted or (verdict if isinstance(verdict, Refuted) else None)
        if shown is not None:
            record["difference"] = {
                "sizes": dict(shown.sizes),
                "output": shown.output,
                "element": list(shown.element),
                "before": _computed(shown.before),
                "after": _computed(shown.after),
                "numbers": self.judgement.evidence or None,
            }
        return record

    def error(self, refuted: Refuted) -> TilewrightError:
        """TW0245: the functions compute different results."""
        notes = [*expressions(refuted), self.judgement.evidence]
        location = location_of(refuted.after.op) if refuted.after.op is not None else None
        message = f"the programs compute different results in {self.name}: {account(refuted, self.before)}"
        return TilewrightError("TW0245", message, notes=notes, location=location)


def prove_files(args: Namespace) -> int:
    """Compare two files as the command line says; the exit status: 0 where all functions are proved, `UNDECIDED` where
    one is not.

    Raises TilewrightError: TW0245 for the first function that is refuted, TW0246 where there is nothing to compare.
    """
    algebra = Algebra(args.contracts, args.reassociates, axioms_labelled(args.axiom))
    for path in (args.before, args.after):
        if path != files.STDIN:
            check_file(path)
    before, after = _module(args.before), _module(args.after)
    budget = Budget(seconds=args.seconds)
    pairs = list(_pairs(before, after, args))
    found: list[Compared] = []
    with task("functions", len(pairs)) as step:
        for a, b in pairs:
            step(a.sym_name.data)
            found.append(Compared(a, b, prove_refinement(a, b, algebra, budget, may_alias=args.may_alias)))
    if args.json:
        print(json.dumps([compared.as_json() for compared in found], indent=1))
    else:
        for compared in found:
            print(compared)
    sys.stdout.flush()
    for compared in found:
        if isinstance(compared.judgement.verdict, Refuted):
            raise compared.error(compared.judgement.verdict)
    return 0 if all(isinstance(compared.judgement.verdict, Proved) for compared in found) else UNDECIDED


def _module(path: str) -> ModuleOp:
    """The module of a file, taken down to blocks where it stands above them."""
    text, name = files.read(path)
    ctx = context()
    module = parse(ctx, text, name, in_file=path != files.STDIN)
    verify_module(module)
    level = level_of(module)
    if level is Level.UPSTREAM:
        mark_upstream(module)
    if level > Level.BLOCK:
        folder = Path(path).parent if path != files.STDIN else Path()
        resolve_resources(module, folder, anywhere=PassContext.current().value("weights_outside", bool))
        PassManager(conversion(level, Level.BLOCK), verify_each=False).run(ctx, module)
        if level is Level.UPSTREAM:
            mark_upstream(module, but_indices=True)
        print(f"note: '{path}' is of {level} level, and compared as conversions write it in blocks", file=sys.stderr)
    return module


def _pairs(before: ModuleOp, after: ModuleOp, args: Namespace) -> list[tuple[FuncOp, FuncOp]]:
    """The functions to compare: those of one name, or the only ones of both files."""
    first, second = _functions(before), _functions(after)
    if args.function is not None:
        for path, functions in ((args.before, first), (args.after, second)):
            if args.function not in functions:
                names = ", ".join(f"@{name}" for name in functions) or "none"
                fail("TW0246", f"expected a function @{args.function} in '{path}', but its functions are {names}")
        return [(first[args.function], second[args.function])]
    if len(first) == len(second) == 1:
        return list(zip(first.values(), second.values(), strict=True))
    missing = [name for name, f in first.items() if name not in second and _is_public(f)]
    if missing or not first.keys() & second.keys():
        names = ", ".join(f"@{name}" for name in missing) or "a function of the same name"
        fail("TW0246", f"expected {names} of '{args.before}' in '{args.after}' too")
    return [(function, second[name]) for name, function in first.items() if name in second]


def _functions(module: ModuleOp) -> dict[str, FuncOp]:
    return {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks}


def _is_public(function: FuncOp) -> bool:
    return function.sym_visibility is None or function.sym_visibility.data != "private"


def _computed(computed: Computed) -> dict[str, Any]:
    position = source_position(location_of(computed.op)) if computed.op is not None else None
    return {"expression": computed.text, "place": None if position is None else str(position)}
