"""Inits of reductions as separate nests, and the insertion point of the init of a reduction without terms.

A block's `loop.init` runs at the first term. A reduction over no terms, one whose extent is 0, still has a result: its
init. It runs where the reduction would start, before the outermost loop that a reduce variable is bound to, for each
value that the spatial variables take there. A spatial variable bound to a loop without a reduce variable takes the
values of this loop; one that shares a loop with the reduction takes all values of its extent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ..diagnostics import fail
from ..diagnostics.locations import name_of
from ..dialects import loop
from ..dialects.index_expr import Index
from ..ir import editor as edit
from ..traversal import operations
from .access import accesses_in, accesses_of
from .domain import is_inside, loop_ranges, loops_around, loops_behind, resolve
from .ranges import Facts

HIDDEN_INIT = "TW0556"


def reduction_loops(block: loop.BlockOp) -> list[loop.ForOp]:
    """Return the loops that reduce variables are bound to, outermost first."""
    bindings = [binding for _, kind, binding, _ in block.iteration() if kind == "reduce"]
    behind = frozenset[loop.ForOp]().union(*map(loops_behind, bindings))
    return [op for op in loops_around(block) if op in behind]


def extents_maybe_zero(block: loop.BlockOp, facts: Facts) -> list[Index]:
    """Return the extents of a block's reduce variables that are not known to be positive."""
    return [resolve(n) for _, kind, _, n in block.iteration() if kind == "reduce" and not facts.proves(n - 1)]


def reductions_by_first_loop(root: Operation) -> dict[loop.ForOp, list[loop.BlockOp]]:
    """Return the blocks inside `root` whose reductions begin at a loop, by that loop; those that have an init."""
    found: dict[loop.ForOp, list[loop.BlockOp]] = {}
    for block in operations(root):
        if isinstance(block, loop.BlockOp) and block.init is not None and (loops := reduction_loops(block)):
            found.setdefault(loops[0], []).append(block)
    return found


def init_if_empty(block: loop.BlockOp, facts: Facts) -> loop.IfOp | None:
    """Return operations that store the init of a block where its reduction has no terms, or None if there always are
    terms.

    The operations are detached. They belong right before the outermost reduction loop, where `facts` hold. Raises
    TilewrightError TW0556 where the init uses a value that is defined inside the loops.
    """
    loops = reduction_loops(block)
    if block.init is None or not loops:
        return None
    top = loops[0]
    extents = [n for n in extents_maybe_zero(block, facts) if not any(is_inside(v, top) for v in n.values())]
    if not extents:
        return None
    nest = _nest(block, block.init, top, loops)
    conditional: loop.IfOp | None = None
    for n in reversed(extents):
        then = Region(Block([nest if conditional is None else nest.clone()]))
        conditional = loop.IfOp([-n], then, Region(Block([conditional])) if conditional is not None else None)
        conditional.location = block.location
    return conditional


def _nest(block: loop.BlockOp, init: loop.InitOp, top: loop.ForOp, reducing: Sequence[loop.ForOp]) -> Operation:
    """Return the init over all results that one run of `top` has, as loops around a block."""
    copied: list[loop.ForOp] = []

    def is_known(e: Index) -> bool:
        variables = {op.induction_variable for op in copied}
        return all(v in variables or not is_inside(v, top) for v in e.values())

    for op in loops_around(block):
        if op not in reducing and top.is_ancestor(op) and all(map(is_known, map(resolve, (*op.lowers, *op.uppers)))):
            copied.append(op)
    bindings: list[Index] = []
    whole: list[loop.ForOp] = []
    for variable, kind, binding, extent in block.iteration():
        if kind == "spatial":
            e = resolve(binding)
            if not is_known(e):
                whole.append(loop.ForOp(0, resolve(extent), name_hint=(variable.name_hint or "vi").removeprefix("v")))
                e = Index.of(whole[-1].induction_variable)
            bindings.append(e)
    guard = [e for e in map(resolve, _conditions(block, top)) if is_known(e)]
    # A part that runs no term need not say where its results end: its guards may have been dropped.
    extents = [resolve(n) for _, kind, _, n in block.iteration() if kind == "spatial"]
    facts = Facts(loop_ranges((*loops_around(top), *copied, *whole)))
    domain = [c for e, n in zip(bindings, extents, strict=True) for c in (e, n - e - 1)]
    guard += [c for c in domain if c not in guard and not facts.proves(c)]
    used = {v for e in (*bindings, *guard) for v in e.values()}
    needed = _needed(copied, used)
    new = init_statement(block, init, guard, f"{block.label}_init")
    _bring_constants(new, init, top)
    new.set_index_lists(bindings=bindings)
    new.substitute_indices(copy_loops(needed, new))
    root: loop.ForOp | loop.BlockOp = copied_root(new)
    for op in whole:
        op.location = block.location
        edit.append(op.body.block, root)
        root = op
    return root


def _needed(loops: Sequence[loop.ForOp], used: set[SSAValue]) -> list[loop.ForOp]:
    """Return the loops whose variables are in `used`, or in bounds of loops that are returned."""
    found: list[loop.ForOp] = []
    for op in reversed(loops):
        if op.induction_variable in used:
            found.insert(0, op)
            used.update(v for e in (*op.lowers, *op.uppers) for v in resolve(e).values())
    return found


def _conditions(block: loop.BlockOp, top: loop.ForOp) -> Iterable[Index]:
    """Yield the conditions of single guards under which a block runs within an iteration of `top`."""
    path: list[Operation] = [block]
    while (parent := path[-1].parent_op()) is not None and parent is not top:
        path.append(parent)
    for child, parent in pairwise(path):
        if isinstance(parent, loop.IfOp):
            if child.parent_region() is parent.then_body:
                yield from parent.conditions
            elif len(parent.conditions) == 1:
                yield -parent.conditions[0] - 1
    yield from block.conditions


def _bring_constants(new: loop.BlockOp, init: loop.InitOp, top: loop.ForOp) -> None:
    """Copy the constants that a separate init uses from the loops' bodies; no other value is known before them."""
    for read in accesses_in(init):
        others = [a.op for a in accesses_of(read.buffer) if a.is_write and a.block is not read.block]
        if not read.is_write and any(map(top.is_ancestor, others)):
            _refuse(init, f"reads {name_of(read.buffer)}, which is written")
    body = new.body.block
    for op in list(new.walk()):
        for position, value in enumerate(op.operands):
            if not is_inside(value, top):
                continue
            if not isinstance(value.owner, ConstantOp):
                if op is not new:
                    _refuse(init, f"uses {name_of(value)}, which is known")
                continue
            constant = value.owner.clone()
            assert body.first_op is not None
            edit.insert(constant, InsertPoint.before(body.first_op))
            edit.change(op).operands[position] = constant.result


def _refuse(init: loop.InitOp, what: str) -> None:
    block = init.parent_op()
    assert isinstance(block, loop.BlockOp)
    fail(
        HIDDEN_INIT,
        f"the init of block {block.label!r} {what} inside the loops of its reduction only, which may have no terms",
        op=block,
        help="compute it before these loops, or give the reduction an extent that is never 0",
    )


def init_statement(block: loop.BlockOp, init: loop.InitOp, guard: Sequence[Index], label: str) -> loop.BlockOp:
    """Return the init as a separate block, over the spatial iteration variables and with their bindings."""
    rows = [row for row in block.iteration() if row[1] == "spatial"]
    body = Block(arg_types=[IndexType()] * len(rows))
    mapping: dict[SSAValue, SSAValue] = {}
    for argument, (variable, _, _, _) in zip(body.args, rows, strict=True):
        edit.rename(argument, variable.name_hint)
        mapping[variable] = argument
    for variable, kind, _, _ in block.iteration():
        if kind == "reduce" and any(init.is_ancestor(use.operation) for use in variable.uses):
            zero = loop.ApplyOp(0)
            edit.append(body, zero)
            mapping[variable] = zero.res
    for op in init.body.block.ops:
        edit.append(body, op.clone(mapping))
    new = loop.BlockOp(
        label,
        ["spatial"] * len(rows),
        [binding for _, _, binding, _ in rows],
        [extent for _, _, _, extent in rows],
        guard,
        Region(body),
    )
    new.location = init.location
    return new


def copied_root(block: loop.BlockOp) -> loop.ForOp | loop.BlockOp:
    """Return the outermost operation around a block that is not in a function yet."""
    root: loop.ForOp | loop.BlockOp = block
    while isinstance(parent := root.parent_op(), loop.ForOp):
        root = parent
    return root


def copy_loops(loops: Sequence[loop.ForOp], new: loop.BlockOp) -> dict[SSAValue, Index]:
    """Chain copies of `loops` around `new`, and return the replacements of their variables."""
    renamed: dict[SSAValue, Index] = {}
    parent: loop.ForOp | None = None
    for op in loops:
        copy = loop.ForOp(
            [e.substitute(renamed) for e in op.lowers],
            [e.substitute(renamed) for e in op.uppers],
            kind=op.kind,
            name_hint=op.induction_variable.name_hint,
        )
        copy.location = op.location
        renamed[op.induction_variable] = Index.of(copy.induction_variable)
        if parent is not None:
            edit.append(parent.body.block, copy)
        parent = copy
    if parent is not None:
        edit.append(parent.body.block, new)
    return renamed
