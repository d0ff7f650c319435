"""Equivalence proofs of two functions whose refutations are confirmed by the interpreter before they are reported.

The prover compares expressions; the interpreter compares numbers. Unequal numbers at the sizes of a refutation confirm
it. Equal numbers may be due to the sizes, such as a sum without terms, so further sizes are tried. Equal numbers at
several sizes at which all statements run mean that the prover lacks an equation of arithmetic: the verdict is
`Unknown`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp

from ..analysis import equivalence
from ..analysis.equivalence import (
    DEFAULT,
    EXACT,
    Algebra,
    Axiom,
    Bounded,
    Budget,
    Proved,
    Refinement,
    Refuted,
    Unknown,
    Verdict,
)
from ..analysis.equivalence.verdict import Computed, Fault
from ..diagnostics.locations import location_of, name_of, source_position
from ..diagnostics.remarks import remark
from .aliasing import Shared, shared_arguments, sharing
from .argument_forms import assumptions_about, on_copies
from .confirmation import Confirmation, Numbers, confirm
from .parameters import in_words, words_of


@dataclass(frozen=True)
class Witness:
    """The run that confirmed a refutation, with all that is needed to repeat it."""

    refuted: Refuted
    """With its sizes by the parameters of the model."""
    confirmation: Confirmation


@dataclass(frozen=True)
class Judgement:
    """A verdict on two functions; a refutation is one that the interpreter confirms."""

    verdict: Verdict
    evidence: str = ""
    """The result of running both functions at the sizes of a refutation."""
    doubted: Refuted | None = None
    """The refutation that the interpreter did not confirm; the verdict is unknown then."""
    witness: Witness | None = None
    """That of a refutation."""
    lacks_axiom: bool = False
    """True where expressions differ and numbers do not, at as many sizes as it takes to say so: the algebra has no
    equation that makes them equal."""

    @property
    def word(self) -> str:
        """The verdict as one word: proved, bounded, refuted or unknown."""
        return type(self.verdict).__name__.lower()

    @property
    def reason(self) -> str:
        """A short reason of the verdict: the sizes of a bounded proof, or the reason for which a proof failed."""
        match self.verdict:
            case Proved(condition=condition):
                return "" if condition is None else f"where {condition}"
            case Bounded(sizes=sizes, condition=condition):
                where_defined = "" if condition is None else f", where {condition}"
                return f"for {'; '.join(sizes_text(each) for each in sizes)}{where_defined}"
            case Refuted() as refuted:
                return where(refuted)
            case Unknown(reason=reason):
                return reason


WORST_LAST = (Proved, Bounded, Unknown, Refuted)
"""The verdicts, from the one that says most for a program to the one against it."""


DISJOINT = "arguments do not overlap"
SHARED = "arguments of one memref type are one buffer or do not overlap; others do not overlap"
NO_WRAP = "indices do not wrap around"


def prove(before: FuncOp, after: FuncOp, algebra: Algebra = EXACT, budget: Budget = DEFAULT) -> Judgement:
    """Decide whether `after` computes the same outputs as `before`, for all sizes, under `algebra`."""
    return _judged(before, after, algebra, equivalence.equivalent(before, after, algebra, budget))


def prove_refinement(
    before: FuncOp,
    after: FuncOp,
    algebra: Algebra = EXACT,
    budget: Budget = DEFAULT,
    *,
    may_alias: bool = False,
) -> Judgement:
    """Decide whether `after` refines `before`: computes the same, wherever `before` is defined.

    Sizes at which `before` is undefined are left out, and the verdict names the condition that remains. Every verdict
    names its assumptions. `may_alias`: arguments of one memref type may be one buffer; each case is proved, and the
    worst verdict is that of all.
    """
    after = on_copies(before, after)
    cases: list[Shared] | None = [()]
    if may_alias:
        cases = shared_arguments(before, after)
        if cases is None:
            return Judgement(Unknown("too many arguments may be one buffer"))
        cases.insert(0, ())
    judgements: list[Judgement] = []
    for shared in cases:
        one, other = (sharing(f, shared) if shared else f for f in (before, after))
        refinement = Refinement(words_of(one))
        judged = _judged(one, other, algebra, equivalence.equivalent(one, other, algebra, budget, refinement))
        judgements.append(_in_case(judged, before, shared))
        if isinstance(judged.verdict, Refuted):
            break
    worst = max(judgements, key=lambda each: WORST_LAST.index(type(each.verdict)))
    conditions = [each for each in judgements if each.verdict.condition is not None]
    if isinstance(worst.verdict, (Proved, Bounded)) and worst.verdict.condition is None and conditions:
        worst = conditions[0]
    return _assuming(worst, before, after, may_alias=len(cases) > 1)


def _in_case(judgement: Judgement, function: FuncOp, shared: Shared) -> Judgement:
    """Return a judgement that names the arguments that are one buffer."""
    if not shared:
        return judgement
    verdict = replace(judgement.verdict, shared=shared)
    names = _shared_text(shared, function)
    if isinstance(verdict, Unknown):
        verdict = replace(verdict, reason=f"{names}, {verdict.reason}")
    elif isinstance(verdict, Refuted):
        later = tuple(
            f"of {name_of(function.body.block.args[k])}" for _, *rest in shared for k in rest
        )  # in_words calls an extent so that nothing in the function names
        sizes = {n: v for n, v in verdict.sizes.items() if not n.endswith(later)}
        verdict = replace(verdict, sizes=sizes)
    elif verdict.condition is not None:
        verdict = replace(verdict, condition=f"{verdict.condition} ({names})")
    return replace(judgement, verdict=verdict)


def _shared_text(shared: Shared, function: FuncOp) -> str:
    """Return the text `where %a and %b are one buffer`."""
    groups = [" and ".join(name_of(function.body.block.args[k]) for k in group) for group in shared]
    return f"where {', '.join(f'{group} are one buffer' for group in groups)}"


def _assuming(judgement: Judgement, before: FuncOp, after: FuncOp, *, may_alias: bool) -> Judgement:
    """Return a judgement with the assumptions that all verdicts about refinement make."""
    buffers = [a for a in before.body.block.args if isinstance(a.type, MemRefType) and a.type.get_shape()]
    overlap = (SHARED if may_alias else DISJOINT,) if len(buffers) > 1 else ()
    found = (*overlap, *assumptions_about(before, after), NO_WRAP, *judgement.verdict.assumptions)
    return replace(judgement, verdict=replace(judgement.verdict, assumptions=found))


def _judged(before: FuncOp, after: FuncOp, algebra: Algebra, verdict: Verdict) -> Judgement:
    """Return the judgement on a verdict, whose refutations are run."""
    match verdict:
        case Refuted():
            return _confirmed(before, after, verdict, algebra)
        case Bounded(sizes=sizes):
            return Judgement(replace(verdict, sizes=tuple(in_words(before, each) for each in sizes)))
        case _:
            return Judgement(verdict)


ENOUGH = 3
"""The number of sizes with equal numbers that say that an axiom is missing."""
_LOOKED_AT = 5
"""The least number of sizes that are tried, if there are so many."""


def _confirmed(before: FuncOp, after: FuncOp, refuted: Refuted, algebra: Algebra) -> Judgement:
    """Return the judgement on a refutation: confirmed at its sizes or at further ones, or unknown."""
    found = confirm(before, after, refuted, algebra)
    if found.numbers is Numbers.UNEQUAL:
        return Judgement(_shown(refuted, before), found.text, witness=Witness(refuted, found))
    equal: list[Refuted] = []
    for count, other in enumerate(refuted.further(), start=1):
        at_other = found if other.sizes == refuted.sizes else confirm(before, after, other, algebra)
        if at_other.numbers is Numbers.UNEQUAL:
            return Judgement(
                _shown(replace(other, seconds=refuted.seconds), before), at_other.text, witness=Witness(other, at_other)
            )
        if at_other.numbers is Numbers.EQUAL and other.runs_all:
            equal.append(other)
        if count >= _LOOKED_AT and len(equal) >= ENOUGH:
            break
    return _unconfirmed(before, refuted, found, equal, algebra)


def _unconfirmed(
    before: FuncOp, refuted: Refuted, found: Confirmation, equal: Sequence[Refuted], algebra: Algebra
) -> Judgement:
    """Return the judgement on a refutation with equal or unknown numbers; `equal` are those with equal numbers at sizes
    at which all statements run."""
    is_enough = len(equal) >= ENOUGH or (found.numbers is Numbers.EQUAL and not refuted.has_other_sizes)
    doubted = _shown(equal[0] if len(equal) >= ENOUGH else refuted, before)
    expands = Axiom.EXPAND_INTRINSIC in algebra.axioms
    if refuted.fault is Fault.DIVISION:
        return Judgement(Unknown(refuted.after.text, refuted.after.op, seconds=refuted.seconds))
    if expands and (is_enough or found.numbers is Numbers.EQUAL):
        reason = "it expands intrinsics, and no proof applies the rules for that"
    elif is_enough:
        reason = f"an axiom is missing: {_fault(doubted)}, and numbers do not differ"
    elif found.numbers is Numbers.EQUAL:
        reason = f"{_fault(doubted)}, numbers do not differ there, and too few other sizes could be run"
    else:
        reason = f"{_fault(doubted)}, and the numbers there are not known: {found.text}"
    unknown = Unknown(reason, seconds=refuted.seconds, undefined=refuted.undefined)
    return Judgement(unknown, doubted=doubted, lacks_axiom=is_enough and not expands)


def _shown(refuted: Refuted, before: FuncOp) -> Refuted:
    """Return a refutation with its sizes by names that readers know, without the search behind it."""
    return replace(refuted, sizes=in_words(before, refuted.sizes), further=tuple)


def _fault(refuted: Refuted) -> str:
    return f"{refuted.fault.value} {where(refuted)}"


def where(refuted: Refuted) -> str:
    """Return text such as `at n = 5, element [3, 0]`, or the iteration where an access leaves its buffer or meets
    another iteration."""
    sizes = f"at {sizes_text(refuted.sizes)}, " if refuted.sizes else "at "
    what = "element" if refuted.fault is Fault.VALUE else "iteration"
    return f"{sizes}{what} [{', '.join(map(str, refuted.element))}]"


def sizes_text(sizes: Mapping[str, int]) -> str:
    """Return text such as `n = 5, m = 0`."""
    return ", ".join(f"{name} = {value}" for name, value in sizes.items())


def account(refuted: Refuted, before: FuncOp) -> str:
    """Describe the difference of two functions: `%C[3, 0] differs at n = 5`."""
    if refuted.output is None:
        return _fault(refuted)
    arguments = before.body.block.args
    output = name_of(arguments[refuted.output]) if refuted.output < len(arguments) else f"output {refuted.output}"
    sizes = f" at {sizes_text(refuted.sizes)}" if refuted.sizes else ""
    sizes += f" {_shared_text(refuted.shared, before)}" if refuted.shared else ""
    return f"{output}[{', '.join(map(str, refuted.element))}] differs{sizes}"


def expressions(refuted: Refuted) -> list[str]:
    """Describe the expressions of both functions at the element, a line each, with the source locations."""
    return [f"before: {_computed(refuted.before)}", f"after: {_computed(refuted.after)}"]


def _computed(computed: Computed) -> str:
    position = source_position(location_of(computed.op)) if computed.op is not None else None
    return f"{computed.text} ({position})" if position is not None else computed.text


def report(judgement: Judgement, code: str, what: str, before: FuncOp, after: FuncOp, saved: str = "") -> None:
    """Emit remarks about `what`, which is not refuted.

    They are `code` where it is not proved, TW0243 where an axiom is missing, TW0244 where elements are undefined.
    """
    verdict, doubted = judgement.verdict, judgement.doubted
    if verdict.undefined:
        count = verdict.undefined_count
        remark("TW0244", f"{what}: {count} elements are undefined before, and not compared", op=after, kind="analysis")
    if isinstance(verdict, Unknown):
        remark(code, f"{what} is not proved: {judgement.reason}", op=verdict.op or after, kind="analysis")
    if judgement.lacks_axiom and doubted is not None:
        message = f"{what}: {account(doubted, before)}, and running both shows no difference"
        notes = [*expressions(doubted), *([saved] if saved else [])]
        remark("TW0243", message, op=after, kind="analysis", notes=notes)


def save_pair(before: FuncOp, after: FuncOp, algebra: Algebra, directory: Path | None = None) -> str:
    """Write both functions to files in `directory`, by default that of temporary files; the command that compares them
    again, or why they could not be written."""
    folder = directory or Path(tempfile.gettempdir())
    try:
        paths = [_save(function, folder, word) for function, word in ((before, "before"), (after, "after"))]
    except OSError as error:
        return f"the functions could not be saved: {error.strerror}"
    options = [f"--{name}" for name in ("reassociates", "contracts") if getattr(algebra, name)]
    options += [f"--axiom {axiom.label}" for axiom in sorted(algebra.axioms, key=lambda axiom: axiom.label)]
    return f"'{' '.join(['tilewright prove', *map(str, paths), *options])}' compares them again"


def _save(function: FuncOp, folder: Path, word: str) -> Path:
    handle, path = tempfile.mkstemp(dir=folder, prefix=f"{word}-", suffix=".mlir")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(str(ModuleOp([function.clone()])) + "\n")
    return Path(path)
