"""Random pairs of programs of upstream MLIR: a proof and runs must not contradict each other.

    python tests/proof/refinement/run.py mutated --pairs 2000 --seed 1

A pair is a random program and a change of it, right or wrong. Both are run at several sizes. At sizes that the
condition of a proof admits, and for inputs for which the program before is defined (no access outside, no division by
0, no poison), both must be equal bit by bit, and the program after must be defined too. At sizes that it leaves out the
program before must be undefined, unless accesses below conditions on data have left them out.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from tilewright import backends as _backends  # noqa: F401  # pyright: ignore[reportUnusedImport]  (lowering rules)
from tilewright.analysis.equivalence import Budget
from tilewright.analysis.equivalence.model_proof import UNCERTAIN
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from tilewright.dialects.upstream.undefined import DIVISIONS, mark_upstream
from tilewright.passes.framework.base import Level
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.pipeline import conversion
from tilewright.semantics.poison import Poison
from tilewright.semantics.program import Program
from tilewright.semantics.proving import Judgement, prove_refinement
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

BUFFERS = ("a", "b", "c")
INDICES = ("%i", "%i - 1", "%i + 1", "%n - 1 - %i", "0", "%i floordiv 2")
LOWERS = ("0", "1", "2")
UPPERS = ("%n", "affine_map<()[s] -> (s - 1)>()[%n]", "%m", "min affine_map<()[s, t] -> (s, t)>()[%n, %m]", "4")
OPS = (
    *("addi %x, %y", "addi %y, %x", "subi %x, %y", "muli %x, %y", "maxsi %x, %y"),
    *("addi %x, %y overflow<nsw>", "muli %x, %y overflow<nsw>", "addi %x, %y overflow<nsw, nuw>", "shli %x, %k"),
    *("divsi %x, %y", "divui %x, %y", "remsi %x, %y", "divsi %x, %seven", "divsi %y, %x"),
)
"""Operations of one step."""
ALIKE = (
    ("addi %x, %seven; addi %_, %y", "addi %x, %y; addi %_, %seven", "addi %x, %seven overflow<nsw>; addi %_, %y"),
    ("subi %x, %seven; addi %_, %k", "addi %x, %k; subi %_, %seven", "addi %x, %seven; subi %_, %k"),
    ("muli %x, %seven; muli %_, %y", "muli %y, %x; muli %_, %seven", "muli %y, %seven; addi %_, %x"),
    ("cmpi slt, %x, %y; select %_, %x, %y", "minsi %y, %x", "cmpi sle, %y, %x; select %_, %y, %x", "minui %x, %y"),
    ("cmpi ugt, %y, %x; select %_, %y, %x", "maxui %x, %y", "cmpi ult, %x, %y; select %_, %y, %x", "maxsi %x, %y"),
    ("cmpi sge, %x, %seven; select %_, %x, %seven", "maxsi %x, %seven", "cmpi sge, %x, %k; select %_, %x, %seven"),
    ("subi %x, %x; addi %_, %y", "ori %y, %y", "addi %x, %y; subi %_, %x", "xori %x, %x; andi %_, %y"),
    ("floordivsi %x, %seven", "divsi %x, %seven", "divui %x, %seven", "addi %x, %seven; divsi %_, %seven"),
)
"""Operations of several steps, of which `%_` is the last result; many of a group are equal."""
GUARDS = ("", "", "", "data", "else", "choice", "affine")


@dataclass(frozen=True)
class Nest:
    """A loop that writes one buffer."""

    lower: str
    upper: str
    first: tuple[str, str]
    second: tuple[str, str]
    target: tuple[str, str]
    op: str
    guard: str
    is_parallel: bool
    is_hoisted: bool
    """True where loads and the operation stand before the loop, where they use no variable of it."""
    is_cut: bool
    """True for two loops in place of one, one after the other."""

    def text(self) -> str:
        body, store = self._computed(), self._store()
        if self.is_hoisted and "%i" not in self.first[1] + self.second[1]:
            return body + self._loop(self.lower, self.upper, self._guarded(store))
        body, store = ("", self._guarded(body + store)) if self.guard == "affine" else (body, store)
        if self.is_cut and self.lower == "0":
            return self._loop("0", "2", body + store) + self._loop("2", self.upper, body + store)
        return self._loop(self.lower, self.upper, body + store)

    def _loop(self, lower: str, upper: str, body: str) -> str:
        if self.is_parallel and not upper.startswith("min"):
            plain = upper.replace("affine_map<()[s] -> (s - 1)>()[%n]", "%n - 1")
            return f"affine.parallel (%i) = ({lower}) to ({plain}) {{\n{body}}}\n"
        return f"affine.for %i = {lower} to {upper} {{\n{body}}}\n"

    def _computed(self) -> str:
        """Return loads and operations. Each load is used: runs find races with others, which models leave out."""
        is_compared = self.guard in ("data", "else", "choice")
        accesses = {"x": self.first, "y": self.second}
        accesses = {v: access for v, access in accesses.items() if is_compared or f"%{v}" in self.op}
        lines = [f"%{v} = affine.load %{b}[{i}] : memref<?xi32>" for v, (b, i) in accesses.items()]
        *first, last = self.op.split("; ")
        lines += [f"%t = arith.{step} : i32" for step in first]
        return "\n".join([*lines, f"%v = arith.{last.replace('%_', '%t')} : i32", ""])

    def _store(self) -> str:
        buffer, index = self.target
        store = f"affine.store %v, %{buffer}[{index}] : memref<?xi32>\n"
        condition = "%p = arith.cmpi slt, %x, %y : i32\n"
        match self.guard:
            case "data":
                return f"{condition}scf.if %p {{\n{store}}}\n"
            case "else":
                return f"%p = arith.cmpi sge, %x, %y : i32\nscf.if %p {{\n}} else {{\n{store}}}\n"
            case "choice":
                old = f"%o = affine.load %{buffer}[{index}] : memref<?xi32>\n"
                choice = "%w = arith.select %p, %v, %o : i32\n"
                return condition + old + choice + store.replace("%v", "%w")
            case _:
                return store

    def _guarded(self, text: str) -> str:
        """Return a text below the affine guard, where the nest has one."""
        return f"affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {{\n{text}}}\n" if self.guard == "affine" else text


def random_nest(rng: random.Random) -> Nest:
    def access() -> tuple[str, str]:
        return rng.choice(BUFFERS), rng.choice(INDICES)

    return Nest(
        rng.choice(LOWERS),
        rng.choice(UPPERS),
        access(),
        access(),
        access(),
        rng.choice((*OPS, rng.choice(rng.choice(ALIKE)))),
        rng.choice(GUARDS),
        rng.random() < 0.1,
        rng.random() < 0.2,
        rng.random() < 0.2,
    )


def changed(nests: list[Nest], rng: random.Random) -> list[Nest]:
    """Return the nests with one or two changes, some of which keep the meaning for some programs."""
    nests = list(nests)
    for _ in range(rng.choice((1, 1, 2))):
        kind, k = rng.randrange(9), rng.randrange(len(nests))
        nest, other = nests[k], random_nest(rng)
        match kind:
            case 0:
                rng.shuffle(nests)
            case 1:
                nests[k] = replace(nest, is_cut=not nest.is_cut)
            case 2:
                nests[k] = replace(nest, is_hoisted=not nest.is_hoisted)
            case 3 if "overflow" in nest.op:
                nests[k] = replace(nest, op=re.sub(r" overflow<[^>]*>", "", nest.op))
            case 3 | 8:
                nests[k] = replace(nest, op=_alike(nest.op, rng))
            case 4:
                nests[k] = replace(nest, guard=rng.choice(("data", "else", "choice")) if nest.guard else other.guard)
            case 5:
                nests[k] = replace(nest, op=other.op)
            case 6:
                name = rng.choice(("lower", "upper", "first", "second", "target"))
                nests[k] = replace(nest, **{name: getattr(other, name)})
            case _:
                nests[k] = replace(nest, is_parallel=not nest.is_parallel)
    return nests


def _alike(op: str, rng: random.Random) -> str:
    """Return another operation of the group of one, or of any group."""
    return rng.choice(next((group for group in ALIKE if op in group), rng.choice(ALIKE)))


def text_of(nests: list[Nest]) -> str:
    passed = ", ".join(f"%{b}: memref<?xi32>" for b in BUFFERS)
    head = [
        f"func.func @f({passed}) {{",
        "%c0 = arith.constant 0 : index\n%seven = arith.constant 7 : i32\n%k = arith.constant 33 : i32",
        "%n = memref.dim %a, %c0 : memref<?xi32>\n%m = memref.dim %b, %c0 : memref<?xi32>",
    ]
    bodies = [_renamed(nest.text(), k) for k, nest in enumerate(nests)]
    return "\n".join([*head, *bodies, "return", "}", ""])


def _renamed(text: str, number: int) -> str:
    """Return the text with values of its own, which stand before its loop where they are hoisted."""
    for name in "xyvt":
        text = text.replace(f"%{name} ", f"%{name}{number} ").replace(f"%{name},", f"%{name}{number},")
    return text


def function_of(text: str) -> FuncOp:
    """Return the function of a text of upstream MLIR, as `tilewright prove` reads it."""
    ctx = context()
    module = Parser(ctx, text).parse_module()
    mark_upstream(module)
    PassManager(conversion(Level.UPSTREAM, Level.BLOCK), verify_each=False).run(ctx, module)
    mark_upstream(module, but_indices=True)
    return next(op for op in module.ops if isinstance(op, FuncOp))


@dataclass(frozen=True)
class Run:
    """The outcome of one function on some inputs."""

    is_defined: bool
    values: tuple[np.ndarray, ...] = ()  # pyright: ignore[reportMissingTypeArgument, reportUnknownVariableType]


class Runner:
    """Runs one function."""

    def __init__(self, function: FuncOp, *, replaces: bool) -> None:
        self.poison = Poison(replaces=replaces)
        self.program = Program(ModuleOp([function.clone()]), 100_000, finds_races=True, poison=self.poison)

    def run(self, inputs: list[np.ndarray]) -> Run:  # pyright: ignore[reportMissingTypeArgument, reportUnknownParameterType]
        self.poison.forget()
        values = tuple(each.copy() for each in inputs)
        try:
            self.program.run("f", *values)
        except TilewrightError:
            return Run(False)
        undefined = self.poison.first
        if undefined is not None and (not self.poison.replaces or undefined.name in DIVISIONS):
            return Run(False)
        return Run(True, values)


def inputs(rng: np.random.Generator) -> Iterator[list[np.ndarray]]:  # pyright: ignore[reportMissingTypeArgument]
    """Yield buffers of several sizes, with small numbers, zeros, and numbers whose sums overflow."""
    for sizes in ((3, 3, 3), (0, 0, 0), (1, 1, 1), (4, 6, 8), (5, 4, 5), (0, 4, 4), (8, 9, 10), (6, 2, 7), (2, 8, 8)):
        for kind in range(3):
            drawn = [rng.integers(1 if kind == 0 else -3, 5, n).astype(np.int32) for n in sizes]
            if kind == 2:
                for each in drawn:
                    each[rng.random(each.shape) < 0.3] = rng.choice([2**31 - 1, -(2**31)])
            yield drawn


def contradiction(before: FuncOp, after: FuncOp, judgement: Judgement, seed: int) -> str | None:
    """Return the contradiction between runs of a pair and its verdict; None where there is none."""
    first, second = Runner(before, replaces=False), Runner(after, replaces=True)
    differs, is_proved = False, judgement.word == "proved"
    for each in inputs(np.random.default_rng(seed)):
        one = first.run(each)
        if not one.is_defined:
            continue
        if is_proved and not _admits(judgement.verdict.condition, each):
            if UNCERTAIN not in judgement.verdict.assumptions:
                return f"{judgement.verdict.condition} leaves out sizes {[len(x) for x in each]}: {each}"
            continue
        other = second.run(each)
        if not other.is_defined or any((x != y).any() for x, y in zip(one.values, other.values, strict=True)):
            differs = True
            if is_proved:
                sizes = [len(x) for x in each]
                return f"proved where {judgement.verdict.condition}, and runs differ at sizes {sizes}: {each}"
    if judgement.word != "refuted" or differs:
        return None
    assert judgement.witness is not None
    each = [np.asarray(value) for value in judgement.witness.confirmation.inputs]
    one, other = first.run(each), second.run(each)
    is_equal = other.is_defined and all((x == y).all() for x, y in zip(one.values, other.values, strict=True))
    return f"refuted, and runs do not differ: {each}" if not one.is_defined or is_equal else None


def _admits(condition: str | None, buffers: list[np.ndarray]) -> bool:  # pyright: ignore[reportMissingTypeArgument, reportUnknownParameterType]
    """Return whether the sizes of the buffers meet a condition."""
    if condition is None:
        return True
    sizes = {f"{name}_dim0": len(buffer) for name, buffer in zip(BUFFERS, buffers, strict=True)}
    text = condition.replace(" = ", " == ").replace("floordiv", "//").replace("mod", "%")
    return any(all(eval(part, {}, sizes) for part in case.split(", ")) for case in text.split("; or "))


def campaign(pairs: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Return the verdicts on so many pairs, and the texts of those that runs contradict."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for number in range(pairs):
        rng = random.Random(seed * 1_000_003 + number)
        nests = [random_nest(rng) for _ in range(rng.choice((1, 2, 2, 3)))]
        texts = text_of(nests), text_of(nests)
        while texts[0] == texts[1]:
            texts = texts[0], text_of(changed(nests, rng))
        before, after = map(function_of, texts)
        judgement = prove_refinement(before, after, budget=Budget(seconds=20))
        counts[judgement.word] += 1
        found = contradiction(before, after, judgement, number)
        if found is not None:
            wrong.append("\n".join((f"// pair {number}: {found}", *texts)))
    return counts, wrong
