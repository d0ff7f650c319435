"""`tilewright prove`: whether two files compute the same, for all sizes."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from .. import backends as _backends  # noqa: F401  # pyright: ignore[reportUnusedImport]  (lowering rules)
from ..analysis.equivalence import Algebra, Bounded, Budget, Proved, Refuted, Unknown
from ..analysis.equivalence.verdict import Computed
from ..diagnostics import TilewrightError, fail
from ..diagnostics.files import check_file
from ..diagnostics.locations import location_of, source_position
from ..diagnostics.parsing import parse
from ..diagnostics.progress import task
from ..dialects import context
from ..dialects.resource import WEIGHTS_ATTRIBUTE
from ..dialects.upstream.undefined import mark_upstream
from ..passes.framework.base import Level, axioms_labelled, level_of
from ..passes.framework.manager import PassManager, verify_module
from ..passes.framework.validation.above_blocks import prove_at_any_level
from ..passes.pipeline import conversion
from ..semantics.argument_forms import forms_of, mark_forms
from ..semantics.proving import Judgement, account, expressions, prove_refinement, where
from ..traversal import operations
from . import files
from .common import UNDECIDED


@dataclass(frozen=True)
class File:
    """A file to compare."""

    path: str
    """Its name in messages."""
    module: ModuleOp
    """The module that is compared, at block level or below."""
    upstream: tuple[str, ModuleOp] | None
    """The text and the module that it says, where these are of upstream dialects, which the judge executes."""
    level: Level
    """The level of the text."""


@dataclass(frozen=True)
class Compared:
    """A function of both files."""

    before: FuncOp
    after: FuncOp
    judgement: Judgement
    executed: str = ""
    """The words of the judge on a refutation of upstream files."""

    @property
    def name(self) -> str:
        """`@f`, or `@f and @g` where the files call it differently."""
        return " and ".join(dict.fromkeys(f"@{f.sym_name.data}" for f in (self.before, self.after)))

    def __str__(self) -> str:
        verdict, reason = self.judgement.verdict, self.judgement.reason
        lines = [f"{self.name}: {self.judgement.word} in {verdict.seconds:.2f} s{f': {reason}' if reason else ''}"]
        lines += [f"  {count} elements are undefined before, and not compared" for count in self._undefined()]
        shown = self.judgement.doubted or (verdict if isinstance(verdict, Refuted) else None)
        if shown is not None:
            lines += [f"  {line}" for line in (*expressions(shown), self.judgement.evidence, self.executed) if line]
        lines += [f"  assumed: {'; '.join(verdict.assumptions)}"] if verdict.assumptions else []
        return "\n".join(lines)

    def _undefined(self) -> list[int]:
        return [self.judgement.verdict.undefined_count] if self.judgement.verdict.undefined else []

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as a record."""
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
                **({"executed": self.executed} if self.executed else {}),
            }
        return record

    def error(self, refuted: Refuted) -> TilewrightError:
        """Return the error TW0245: the functions compute different results."""
        notes = [*expressions(refuted), self.judgement.evidence, *([self.executed] if self.executed else [])]
        location = location_of(refuted.after.op) if refuted.after.op is not None else None
        message = f"the programs compute different results in {self.name}: {account(refuted, self.before)}"
        return TilewrightError("TW0245", message, notes=notes, location=location)


def prove_files(args: Namespace) -> int:
    """Compare two files as the command line says; return the exit status: 0 where all functions are proved,
    `UNDECIDED` where one is not.

    Raises TilewrightError: TW0245 for the first function that is refuted, TW0246 where there is nothing to compare.
    """
    algebra = algebra_of(args)
    for path in (args.before, args.after):
        if path != files.STDIN:
            check_file(path)
    found = compare(read_file(args.before), read_file(args.after), args, algebra)
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


def algebra_of(args: Namespace) -> Algebra:
    """Return the algebra that a command line allows."""
    return Algebra(args.contracts, args.reassociates, axioms_labelled(args.axiom))


def compare(
    before: File, after: File, args: Namespace, algebra: Algebra, *, only_changed: bool = False
) -> list[Compared]:
    """Compare the functions of two files; each refutation of upstream files is executed.

    `only_changed` leaves out those that are the same in both but for names of values.

    Raises TilewrightError: TW0246 where there is nothing to compare.
    """
    budget = Budget(seconds=args.seconds)
    before, after = _beside(before, after), _beside(after, before)
    pairs = [pair for pair in _pairs(before, after, args) if not only_changed or _changed(before, after, pair)]
    found: list[Compared] = []
    with task("functions", len(pairs)) as step:
        for a, b in pairs:
            step(a.sym_name.data)
            prove = partial(prove_refinement, budget=budget, may_alias=args.may_alias)
            judgement = prove_at_any_level(a, b, prove, algebra)
            found.append(_executed(Compared(a, b, judgement), before, after, algebra, executes=not args.no_execute))
    return found


def _changed(before: File, after: File, pair: tuple[FuncOp, FuncOp]) -> bool:
    """Return True where two functions differ in their files in more than names of values."""
    if before.upstream is None or after.upstream is None:
        return True
    first, second = (
        _functions(file.upstream[1]).get(function.sym_name.data)
        for file, function in zip((before, after), pair, strict=True)
        if file.upstream is not None
    )
    if first is None or second is None:
        return True
    return not first.clone().is_structurally_equivalent(second.clone())  # of no module, since these are not the same


def _executed(compared: Compared, before: File, after: File, algebra: Algebra, *, executes: bool) -> Compared:
    """Return the comparison with the judge's finding; equal numbers leave the verdict undecided."""
    witness = compared.judgement.witness
    if not executes or witness is None or before.upstream is None or after.upstream is None:
        return compared
    from .judging import Shown, judge, original

    functions = compared.before, compared.after
    shared = compared.judgement.verdict.shared
    first, second = (
        original(*file.upstream, function.sym_name.data, shared)
        for file, function in zip((before, after), functions, strict=True)
        if file.upstream is not None
    )
    finding = judge(first, second, functions[0], witness, algebra)
    if finding.shown is not Shown.EQUAL:
        return replace(compared, executed=finding.text)
    verdict = compared.judgement.verdict
    assert isinstance(verdict, Refuted)
    reason = f"{verdict.fault.value} {where(verdict)}, and the judge finds equal numbers"
    unknown = Unknown(reason, seconds=verdict.seconds, undefined=verdict.undefined)
    judgement = replace(compared.judgement, verdict=unknown, doubted=verdict, witness=None)
    return replace(compared, judgement=judgement, executed=finding.text)


def read_file(path: str) -> File:
    """Read a file, taken down to blocks where it is upstream MLIR; a note says so."""
    text, name = files.read(path)
    file = file_of(text, name, path)
    if file.level is Level.UPSTREAM:
        print(
            f"note: '{path}' is of {file.level} level, and compared as conversions write it in blocks", file=sys.stderr
        )
    return file


def file_of(text: str, name: str, path: str = files.STDIN) -> File:
    """Parse the text of a file, taken down to blocks where it is upstream MLIR.

    `name` is its name in messages; `path` is the path of the file, if it was read from one.
    """
    ctx = context()
    module = parse(ctx, text, name, in_file=path != files.STDIN)
    verify_module(module)
    level = level_of(module)
    upstream = (text, module.clone()) if _is_upstream(module) else None
    if level > Level.BLOCK or WEIGHTS_ATTRIBUTE in module.attributes:
        from ..driver.models import resolve_weights

        folder = Path(path).parent if path != files.STDIN else Path()
        resolve_weights(module, folder)
    if level is Level.UPSTREAM:
        mark_upstream(module)
        forms = forms_of(module)
        PassManager(conversion(level, Level.BLOCK), verify_each=False).run(ctx, module)
        mark_forms(module, forms)
        mark_upstream(module, but_indices=True)
    return File(name, module, upstream, level)


def _beside(file: File, other: File) -> File:
    """Return the file; a file at graph level is taken down to te where the other file is below."""
    levels = [level_of(each.module) for each in (file, other)]
    if levels[0] is not Level.GRAPH or levels[1] is Level.GRAPH:
        return file
    module = file.module.clone()
    PassManager(conversion(Level.GRAPH, Level.TE), verify_each=False).run(context(), module)
    print(f"note: '{file.path}' is of graph level, and compared as conversions write it in te", file=sys.stderr)
    return replace(file, module=module)


def _is_upstream(module: ModuleOp) -> bool:
    """Return True where upstream's tools know all dialects of a module."""
    return not any(op.dialect_name() in ("graph", "te", "loop", "schedule") for op in operations(module))


def _pairs(before: File, after: File, args: Namespace) -> list[tuple[FuncOp, FuncOp]]:
    """Return the functions to compare: those of one name, or the only ones of both files."""
    first, second = _functions(before.module), _functions(after.module)
    if args.function is not None:
        for path, functions in ((before.path, first), (after.path, second)):
            if args.function not in functions:
                names = ", ".join(f"@{name}" for name in functions) or "none"
                fail("TW0246", f"expected a function @{args.function} in '{path}', but its functions are {names}")
        return [(first[args.function], second[args.function])]
    if len(first) == len(second) == 1:
        return list(zip(first.values(), second.values(), strict=True))
    missing = [name for name, f in first.items() if name not in second and _is_public(f)]
    if missing or not first.keys() & second.keys():
        names = ", ".join(f"@{name}" for name in missing) or "a function of the same name"
        fail("TW0246", f"expected {names} of '{before.path}' in '{after.path}' too")
    return [(function, second[name]) for name, function in first.items() if name in second]


def _functions(module: ModuleOp) -> dict[str, FuncOp]:
    return {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks}


def _is_public(function: FuncOp) -> bool:
    return function.sym_visibility is None or function.sym_visibility.data != "private"


def _computed(computed: Computed) -> dict[str, Any]:
    position = source_position(location_of(computed.op)) if computed.op is not None else None
    return {"expression": computed.text, "place": None if position is None else str(position)}
