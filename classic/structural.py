"""Comparison of the structure of two programs: `tilewright.ir.structural_equal` and related functions.

Equal programs do the same in the same order of loops. The comparison ignores:

- names of values, blocks and functions;
- the position of an allocation, and the order of operations without effects: a script states them before its first
  statement, a schedule beside their uses;
- serial loops that run once: primitives keep or drop them, as the classic ones do, but not always the same ones;
- the spatial variables of a block, and the order of its reduce variables: the effect of an instance follows from the
  loops around it;
- the form of an index expression, conditions that the ranges of loops imply, and whether a variable stands as itself or
  as the value that a condition gives it;
- blocks, where one program has some and the other has none: the statements are compared as they are without blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import Pure

from ..diagnostics import fail
from ..diagnostics.expectations import WRONG_TYPE
from ..dialects import loop
from ..dialects.index_expr import Atom, FloorDiv, Index, Mod, Range
from ..dialects.indexed_op import IndexedOp, dims_position
from ..dialects.ir_module import IRModule
from ..te.expr import Axis, Expr, Var, as_expr
from ..te.foreign import Buffer
from ..te.ranges import Range as AxisRange
from ..tir.analysis import BufferRegion
from ..tir.sequences import Sequential
from ..tir.statements import WITHOUT_EFFECT, PrimFunc, SeqStmt, Stmt, statements_of
from ..tir.value_expressions import BufferOf, LoopVar

DIFFERENT = "TW0256"


def structural_equal(lhs: Any, rhs: Any, map_free_vars: bool = False) -> bool:
    """Return whether two modules, functions, statements or expressions have the same structure.

    With `map_free_vars` each variable of one expression may stand for another one of the other.
    """
    return _difference(lhs, rhs, map_free_vars) is None


def assert_structural_equal(lhs: Any, rhs: Any, map_free_vars: bool = False) -> None:
    """Raise TW0256, a ValueError too, with the first line that differs where two programs differ in structure."""
    found = _difference(lhs, rhs, map_free_vars)
    if found is not None:
        fail(DIFFERENT, f"structures differ: {found[0]!r} and {found[1]!r}")


def structural_hash(node: Any, map_free_vars: bool = False) -> int:
    """Return a number that programs of equal structure share."""
    return hash("\n".join(_lines(node, map_free_vars)))


def _difference(lhs: Any, rhs: Any, map_free_vars: bool) -> tuple[str, str] | None:
    lhs, rhs = _lowered_like(lhs, rhs), _lowered_like(rhs, lhs)
    pairs = zip_longest(_lines(lhs, map_free_vars), _lines(rhs, map_free_vars), fillvalue="")
    return next(((a.strip(), b.strip()) for a, b in pairs if a != b), None)


def _ends(range: Any) -> list[Expr]:
    """Return the first number of a range, and its count of numbers."""
    first, count = (range.min, range.extent) if isinstance(range, AxisRange) else range
    return [as_expr(first, "index"), as_expr(count, "index")]


def _lowered_like(node: Any, other: Any) -> Any:
    """Return the program without blocks where it has some and the other one has none."""
    one, two = _module_of(node), _module_of(other)
    if one is None or two is None or not _has_blocks(one) or _has_blocks(two):
        return node
    lowered = Sequential(["lower-blocks"])(one)
    return lowered if isinstance(node, (IRModule, ModuleOp)) else next(iter(lowered.functions.values()))


def _module_of(node: Any) -> IRModule | None:
    match node:
        case IRModule():
            return node
        case ModuleOp():
            return IRModule(node)
        case FuncOp():
            return IRModule.from_expr(node)
        case PrimFunc():
            return IRModule.from_expr(node.op)
        case _:
            return None


def _has_blocks(module: IRModule) -> bool:
    return any(isinstance(op, loop.BlockOp) for op in module.op.walk())


def _lines(node: Any, map_free_vars: bool) -> list[str]:
    match node := statements_of(node):
        case IRModule():
            return [f"{name}:{line}" for name in sorted(node) for line in _function(node[name].op)]
        case ModuleOp():
            return _lines(IRModule(node), map_free_vars)
        case FuncOp():
            return _function(node)
        case PrimFunc():
            return _function(node.op)
        case SeqStmt() | Stmt():
            return _statements(node)
        case BufferRegion():
            return _lines([node.buffer, *(_ends(each) for each in node.region)], map_free_vars)
        case BufferOf() | Buffer():
            return [f"{node.name}: {node.dtype}"]
        case Mapping():
            return [f"{key}:{line}" for key in sorted(node, key=str) for line in _lines(node[key], map_free_vars)]
        case list() | tuple():
            return [f"{k}:{line}" for k, each in enumerate(node) for line in _lines(each, map_free_vars)]
        case Expr():
            return _expression(node, map_free_vars)
        case bool() | int() | float() | str() | None:
            return [repr(node)]
        case _:
            fail(WRONG_TYPE, f"expected programs, statements or expressions to compare, but got {node!r}")


_NAMES = frozenset({"sym", "sym_name", "arg_attrs", "sym_visibility", "operandSegmentSizes"})
"""Properties that are no structure: names, and properties that follow from others."""


def _says_nothing(attribute: str) -> bool:
    """Return whether an attribute of a function is private to this package, or is derived from the function's body."""
    return attribute.startswith("tw.") or attribute in WITHOUT_EFFECT


def _function(op: FuncOp) -> list[str]:
    text = _Text()
    for argument in op.body.block.args:
        text.define(argument)
    attributes = {key: str(value) for key, value in op.attributes.items() if not _says_nothing(key)}
    text.lines.append(f"func {op.function_type} {sorted(attributes.items())}")
    text.body(op.body.block)
    return text.lines


def _statements(node: SeqStmt | Stmt) -> list[str]:
    text = _Text()
    if isinstance(node, Stmt):
        text.operation(node.op)
    else:
        text.body(node.held)
    return text.lines


@dataclass
class _Text:
    """A canonical text, equal for programs of equal structure: values are numbered at first use by a statement."""

    lines: list[str] = field(default_factory=list[str])
    names: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    known: dict[str, str] = field(default_factory=dict[str, str])
    """Expressions that were numbered, by their text."""
    stores: int = 0
    """The number of preceding statements: loads before and behind a statement are different values."""
    seen: dict[Operation, int] = field(default_factory=dict[Operation, int])
    exact: dict[SSAValue, Index] = field(default_factory=dict[SSAValue, Index])
    """Values that are index expressions: variables of unit loops and of blocks, constants, `loop.apply`."""
    ranges: dict[SSAValue, Range] = field(default_factory=dict[SSAValue, Range])
    """The known ranges of the variables of loops."""

    def define(self, value: SSAValue) -> str:
        self.names[value] = f"v{len(self.names)}"
        return self.names[value]

    def value(self, value: SSAValue) -> str:
        if value in self.names:
            return self.names[value]
        if (index := self._exact(value)) is not None:
            only = index.single_value
            return f"({self._index_text(index)})" if only is None or only is value else self.value(only)
        op = value.owner
        if not isinstance(op, Operation):  # a variable of a loop around the statement
            return self.define(value)
        if isinstance(op, loop.AllocOp):
            allocation = f"alloc {value.type} {self._attributes(op)}"
            self.lines.append(f"{self.define(value)} = {allocation}")
            return self.names[value]
        if not _is_expression(op):
            return self.define(value)
        position = f" after {self.seen.get(op, 0)}" if isinstance(op, loop.LoadOp) else ""
        text = f"{self._heading(op)}{position} #{op.results.index(value)}"
        if text not in self.known:
            self.known[text] = f"e{len(self.known)}"
            self.lines.append(f"{self.known[text]} = {text}")
        self.names[value] = self.known[text]
        return self.names[value]

    def body(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, loop.AllocOp):
                continue
            if _is_expression(op):
                self.seen[op] = self.stores
            else:
                self.operation(op)

    def operation(self, op: Operation) -> None:
        if isinstance(op, loop.ForOp):
            if _is_unit_loop(op):
                self.exact[op.induction_variable] = self._index(op.lowers[0])
                return self.body(op.body.block)
            if (bounds := op.constant_bounds) is not None:
                self.ranges[op.induction_variable] = (bounds[0], bounds[1] - 1)
        self.lines.append(self._heading(op))
        self.stores += 1
        if isinstance(op, loop.BlockOp):
            self._iteration(op)
        fixed = _fixed_variables([self._index(e) for e in op.conditions]) if isinstance(op, loop.IfOp) else {}
        fixed = {variable: index for variable, index in fixed.items() if variable not in self.exact}
        for region in op.regions:
            self.exact |= fixed if region is op.regions[0] else {}
            self.lines.append("{")
            for block in region.blocks:
                arguments = () if isinstance(op, loop.BlockOp) else block.args
                self.lines.append(f"^{' '.join(f'{self.define(a)}: {a.type}' for a in arguments)}")
                self.body(block)
            self.lines.append("}")
            for variable in fixed:
                self.exact.pop(variable, None)
        for result in op.results:
            self.define(result)
        return None

    def _iteration(self, block: loop.BlockOp) -> None:
        """Append the lines of a block's reduce variables, in the order of their texts. Its body uses the bindings of
        variables."""
        texts: list[str] = []
        for variable, kind, binding, extent in block.iteration():
            bound = self.exact[variable] = self._index(binding)
            if kind == "reduce" and extent != Index.of(1):
                texts.append(f"{kind}({self._index_text(bound)}) in {self._index_text(self._index(extent))}")
        self.lines += sorted(texts)

    def _heading(self, op: Operation) -> str:
        operands, lists = list(op.operands), ""
        if isinstance(op, IndexedOp):
            start, count = dims_position(op)
            del operands[start : start + count]
            lists = "; ".join(self._index_list(op, name) for name in op.INDEX_PROPERTIES)
        arguments = ", ".join(self.value(operand) for operand in operands)
        return f"{op.name}({arguments}) {lists} {self._attributes(op)} : {', '.join(str(r.type) for r in op.results)}"

    def _attributes(self, op: Operation) -> str:
        separate = set(op.INDEX_PROPERTIES) if isinstance(op, IndexedOp) else set[str]()
        if isinstance(op, loop.BlockOp):
            separate.add("iteration_kinds")
        given = {**op.properties, **op.attributes}
        return ", ".join(f"{k} = {v}" for k, v in sorted(given.items()) if k not in _NAMES and k not in separate)

    def _index_list(self, op: IndexedOp, name: str) -> str:
        if isinstance(op, loop.BlockOp) and name != "guard":
            return ""  # beside the variables
        indices = [self._index(each) for each in op.index_list(name)]
        if name == "guard":
            least = [each.bounds(self.ranges)[0] for each in indices]
            kept = [each for each, low in zip(indices, least, strict=True) if low is None or low < 0]
            return f"{name} {sorted(map(self._index_text, kept))}"
        return f"{name} {[self._index_text(each) for each in indices]}"

    def _exact(self, value: SSAValue) -> Index | None:
        if value in self.exact:
            return self.exact[value]
        op, found = value.owner, None
        if isinstance(op, loop.ApplyOp) and value.type == IndexType():
            found = self._index(op.index)
        elif isinstance(op, ConstantOp) and value.type == IndexType() and isinstance(op.value, IntegerAttr):
            found = Index.of(op.value.value.data)
        if found is not None:
            self.exact[value] = found
        return found

    def _index(self, index: Index) -> Index:
        exact = {v: found for v in index.values() if (found := self._exact(v)) is not None}
        return index.substitute(exact).with_ranges(self.ranges)

    def _index_text(self, index: Index) -> str:
        """Return the terms of an index in the order of their texts."""
        terms = sorted(f"{self._atom(atom)} * {factor}" for atom, factor in index.terms)
        return " + ".join([*terms, str(index.constant)] if index.constant or not terms else terms)

    def _atom(self, atom: Atom) -> str:
        match atom:
            case FloorDiv():
                return f"({self._index_text(atom.numerator)} floordiv {atom.divisor})"
            case Mod():
                return f"({self._index_text(atom.numerator)} mod {atom.divisor})"
            case SSAValue():
                return self.value(atom)
            case _:
                return str(atom)


def _fixed_variables(conditions: list[Index]) -> dict[SSAValue, Index]:
    """Return the variables that have one value where the conditions hold: `i` for `i >= 5` and `i < 6`."""
    least: dict[SSAValue, int] = {}
    most: dict[SSAValue, int] = {}
    for each in conditions:
        variable = each.terms[0][0] if len(each.terms) == 1 else None
        if isinstance(variable, SSAValue) and each.terms[0][1] in (1, -1):
            side, value = (least, -each.constant) if each.terms[0][1] == 1 else (most, each.constant)
            side[variable] = value
    return {v: Index.of(low) for v, low in least.items() if most.get(v) == low}


def _is_unit_loop(op: loop.ForOp) -> bool:
    """Return whether a loop is serial and runs once, so that its body is equivalent to it."""
    is_plain = op.kind == loop.SERIAL and not op.attributes and not op.iter_args
    return is_plain and len(op.lowers) == 1 and op.constant_trip_count == 1


def _is_expression(op: Operation) -> bool:
    return isinstance(op, loop.LoadOp) or (not op.regions and op.has_trait(Pure) and bool(op.results))


def _expression(node: Expr, map_free_vars: bool) -> list[str]:
    """Return the text of an expression, its variables distinguished by identity, or numbered where one may stand for
    another."""
    free: dict[int, str] = {}

    def text_of(each: Expr) -> str:
        if isinstance(each, (Axis, Var)):
            key = id(each.value) if isinstance(each, LoopVar) else id(each)
            return free.setdefault(key, f"{type(each).__name__} {len(free) if map_free_vars else key}")
        parts = [f"{k}={v!r}" for k, v in vars(each).items() if k != "origin" and not _has_expressions(v)]
        return f"{type(each).__name__}({', '.join([*map(text_of, each.operands), *parts])}): {each.dtype}"

    return [text_of(node)]


def _has_expressions(value: Any) -> bool:
    return isinstance(value, Expr) or (isinstance(value, tuple) and any(isinstance(each, Expr) for each in value))
