"""The base class of passes, and the levels of IR.

The level of a module is the highest dialect that the module contains. A conversion lowers a module by one level.
`passes/pipeline.py` inserts conversions before a pass that needs a lower level.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...diagnostics import fail
from ...diagnostics.text import did_you_mean
from ...traversal import operations

if TYPE_CHECKING:
    from ...analysis.equivalence import Algebra, Axiom


class Level(IntEnum):
    """The levels of IR, from the lowest to the highest."""

    LOOP = 0
    """Loops, buffers and scalar or vector arithmetic: executable."""
    BLOCK = 1
    """The loop dialect with `loop.block`: the level of schedules."""
    TE = 2
    """One `te.compute` for each tensor."""
    GRAPH = 3
    """Tensors and named operators."""
    UPSTREAM = 4
    """Operations of upstream MLIR that are input only: linalg, affine, scf, memref, tensor."""

    def __str__(self) -> str:
        return self.name.lower()


ALL_LEVELS: tuple[Level, ...] = (Level.UPSTREAM, Level.GRAPH, Level.TE, Level.BLOCK, Level.LOOP)

INPUT_DIALECTS = frozenset({"affine", "bufferization", "cf", "linalg", "memref", "scf", "tensor", "ub"})
"""The dialects of upstream MLIR that only input programs contain; the conversions of phase 0 remove them."""

LOOP_OPERATIONS = frozenset({"vector.broadcast", "vector.extract", "vector.insert"})
"""Operations of `vector` that the loop dialect uses, too."""

INPUT_OPERATIONS = frozenset({"arith.index_castui"})
"""Operations of other dialects that the conversions of phase 0 remove."""


def is_input(op: Operation) -> bool:
    """Return whether an operation is upstream MLIR that the conversions of phase 0 remove."""
    dialect = op.dialect_name()
    if dialect == "vector":
        return op.name not in LOOP_OPERATIONS
    return dialect in INPUT_DIALECTS or op.name in INPUT_OPERATIONS


USER_LEVELS: dict[str, Level] = {}
"""The levels of dialects that users registered, by the dialects' names."""


def level_of(module: ModuleOp | func.FuncOp) -> Level:
    """Return the highest level of any op in a module or a function.

    An op of a user's dialect has the level that the dialect was registered with; an op of any other dialect has loop
    level. A function on tensors without an op of te is at te level. Arithmetic on whole tensors is upstream MLIR.
    """
    highest = Level.LOOP
    for op in operations(module):
        dialect = op.dialect_name()
        if dialect in INPUT_DIALECTS or (dialect in _OTHER_DIALECTS and _is_upstream(op)):
            return Level.UPSTREAM
        if dialect == "graph":
            highest = Level.GRAPH
        elif dialect in USER_LEVELS:
            highest = max(highest, USER_LEVELS[dialect])
        elif highest < Level.TE and (dialect == "te" or (isinstance(op, func.FuncOp) and _takes_tensors(op))):
            highest = Level.TE
        elif highest is Level.LOOP and op.name == "loop.block":
            highest = Level.BLOCK
    return highest


_OTHER_DIALECTS = frozenset({"arith", "math", "vector"})


def _is_upstream(op: Operation) -> bool:
    return is_input(op) or (bool(op.results) and isinstance(op.results[0].type, TensorType))


def _takes_tensors(function: func.FuncOp) -> bool:
    types = (*function.function_type.inputs, *function.function_type.outputs)
    return any(isinstance(type_, TensorType) for type_ in types)


@dataclass(frozen=True)
class Pass(ModulePass):
    """A pass over a module. Options are dataclass fields.

    The first line of the docstring is one sentence, which `opt-tool --list-passes` shows. An example of the IR before
    and after follows, then the precondition of the pass and the properties that later passes can rely on.
    """

    phase: ClassVar[int]
    """The phase that the pass belongs to, 0 to 3."""

    levels: ClassVar[tuple[Level, ...]] = ALL_LEVELS
    """The levels of modules that the pass works on."""

    default_levels: ClassVar[tuple[Level, ...] | None] = None
    """The levels at which the default pipeline runs the pass, if these are fewer than `levels`."""

    lowers_to: ClassVar[Level | None] = None
    """For a conversion: the level of the module afterwards."""

    reassociates: ClassVar[bool] = False
    """True if the pass may combine the terms of a sum, or of another reduction, in another order."""

    contracts: ClassVar[bool] = False
    """True if the pass may round a product and the sum that uses it once instead of twice."""

    axioms: ClassVar[tuple[str, ...]] = ()
    """The labels of equations of `analysis.equivalence.Axiom` that the pass uses and that hold for most numbers only:
    add-zero, multiply-zero; expand-intrinsic for code that replaces a function, which no proof applies."""

    opt_level: ClassVar[int] = 0
    """The least `PassContext.opt_level` at which the pass runs. 0: targets or schedules require the pass. 1: the pass
    keeps every rounding and takes little time. 2: the rest of the default pipeline."""

    asks_target: ClassVar[bool] = False
    """True if the pass depends on the module's target."""


def algebra_of(pass_: ModulePass | type[ModulePass]) -> Algebra:
    """Return the changes of arithmetic that a pass declares; a pass without a declaration keeps every bit.

    Raises TilewrightError TW0240 for an unknown label of an axiom.
    """
    from ...analysis.equivalence import Algebra

    return Algebra(
        contracts=getattr(pass_, "contracts", False),
        reassociates=getattr(pass_, "reassociates", False),
        axioms=axioms_labelled(getattr(pass_, "axioms", ())),
    )


def axioms_labelled(labels: Iterable[str]) -> frozenset[Axiom]:
    """Return the axioms with these labels. Raises TilewrightError TW0240 for an unknown label."""
    from ...analysis.equivalence import Axiom

    found: set[Axiom] = set()
    for label in labels:
        axiom = Axiom.labelled(label)
        if axiom is None:
            known = [axiom.label for axiom in Axiom]
            fail(
                "TW0240",
                f"expected the label of an axiom, but got {label!r}{did_you_mean(str(label), known)}",
                help=f"the axioms are {', '.join(known)}",
            )
        found.add(axiom)
    return frozenset(found)


def is_exact(pass_: ModulePass | type[ModulePass]) -> bool:
    """Return whether a pass keeps every bit of results, which holds if the pass declares no algebra."""
    return not any(getattr(pass_, declared, False) for declared in ("reassociates", "contracts", "axioms"))


def asks_target(pass_: ModulePass) -> bool:
    """Return whether a pass may depend on the module's target. Users' passes may."""
    if type(pass_).__module__.partition(".")[0] in _WITHOUT_TARGET:
        return getattr(pass_, "asks_target", False)
    return True


_WITHOUT_TARGET = (__name__.partition(".")[0], "xdsl")
"""The packages whose passes declare `asks_target`, or do not depend on a target."""
