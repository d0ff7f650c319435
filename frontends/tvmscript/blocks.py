"""Blocks of a script: their axes, conditions, declared regions and inits."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerAttr
from xdsl.ir import Attribute, BlockArgument
from xdsl.ir import Block as IRBlock

from ...analysis.access import writes
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.loop.storage import DIM_ALIGN, Alignment, alignments_of, set_alignments
from ...dialects.names import script_name
from . import expressions, regions, rows
from .buffers import region_of
from .script_values import Region, kind_of
from .state import BAD_ARGUMENT, UNSUPPORTED, State

Run: TypeAlias = Callable[[State, Sequence[ast.stmt]], None]

_KINDS = {"spatial": "spatial", "S": "spatial", "reduce": "reduce", "R": "reduce", "opaque": "spatial",
          "scan": "spatial"}  # fmt: skip
"""Kind of an axis -> the kind of the iteration variable. Other kinds
are spatial here, as dependences are analysed."""
_AXES = {f"axis.{name}": kind for name, kind in _KINDS.items()}
_REMAP = "axis.remap"
HEADER = (*_AXES, _REMAP, "where", "reads", "writes", "block_attr")
_ANYWHERE = (regions.READS, regions.WRITES, "block_attr")
_LETTERS = {"S": "spatial", "R": "reduce", "O": "spatial"}
ROOT = "root"


@dataclass
class _Axis:
    name: str
    kind: str
    binding: Index
    extent: Index
    low: Index


@dataclass
class _Header:
    """The beginning of a block: axes, conditions, attributes and declared regions."""

    axes: list[_Axis] = field(default_factory=list[_Axis])
    conditions: list[Index] = field(default_factory=list[Index])
    attributes: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    declared: dict[str, ast.Call] = field(default_factory=dict[str, ast.Call])


def block(s: State, call: ast.Call, target: ast.expr | None, body: Sequence[ast.stmt], run: Run) -> None:
    """Read `with T.block("C"):`. A block of the name root without axes around a whole function stands for its body."""
    if target is not None and not (isinstance(target, (ast.List, ast.Tuple)) and not target.elts):
        s.fail(UNSUPPORTED, "expected a block without `as`", target, help="name its axes by T.axis.spatial and others")
    given = rows.bound(s, call, {"name_hint": "block", "no_realize": False}, "T.block")
    label = expressions.constant(s, given["name_hint"], str, "a text") if "name_hint" in given else "block"
    is_explicit = expressions.called_name(s, call) == "tw.block"
    header, rest = _Header(), list(body)
    while rest and _read_header(s, header, rest[0]):
        rest.pop(0)
    rest = [node for node in rest if not (_is_declaration(s, node) and _read_header(s, header, node))]
    is_top = all(scope.owner is None for scope in s.scopes)
    if label == ROOT and not is_explicit and not header.axes and is_top:
        run(s, rest)
        return
    axes = header.axes
    op = loop.BlockOp(
        label,
        [a.kind for a in axes],
        [a.binding for a in axes],
        [a.extent for a in axes],
        header.conditions,
        name_hints=[script_name(a.name) for a in axes],
    )
    op.attributes |= header.attributes
    with s.inside(op.body.block, op, is_block=True) as scope:
        for axis, argument in zip(axes, op.variables, strict=True):
            scope.names[axis.name] = Index.of(argument) + axis.low
        _read_body(s, op, rest, run)
        declared = {key: _declared(s, header.declared[key]) for key in header.declared}
    s.add(op)
    _align_buffers(op)
    regions.narrow(op, declared, s.open_calls)
    regions.check(op, declared)


def _align_buffers(op: loop.BlockOp) -> None:
    """Align the allocations of buffers that the annotation of their block names: the same as `storage_align`.

    Each row is a buffer that the block writes, an axis, a factor and an offset. Other annotations stay as they are.
    """
    given = op.attributes.get(DIM_ALIGN)
    rows_given = given.data if isinstance(given, ArrayAttr) else ()
    found = [_alignment(op, row) for row in rows_given]
    aligned = [each for each in found if each is not None]
    if not aligned or len(aligned) != len(found):
        return
    for alloc, row in aligned:
        kept = tuple(known for known in alignments_of(alloc) if known.axis != row.axis)
        set_alignments(alloc, (*kept, row))
    del op.attributes[DIM_ALIGN]


def _alignment(block: loop.BlockOp, row: Attribute) -> tuple[loop.AllocOp, Alignment] | None:
    numbers = [n.value.data for n in row.data if isinstance(n, IntegerAttr)] if isinstance(row, ArrayAttr) else []
    written = writes(block)
    if len(numbers) != 4 or not 0 <= numbers[0] < len(written):
        return None
    alloc = written[numbers[0]].owner
    if not isinstance(alloc, loop.AllocOp) or not 0 <= numbers[1] < len(alloc.shape) or numbers[2] < 1:
        return None
    return alloc, Alignment.modulo(*numbers[1:])


def _is_declaration(s: State, node: ast.stmt) -> bool:
    """Return whether a statement behind others declares something about the block."""
    return isinstance(node, ast.Expr) and expressions.called_name(s, node.value) in _ANYWHERE


def _read_body(s: State, op: loop.BlockOp, body: Sequence[ast.stmt], run: Run) -> None:
    pending: list[ast.stmt] = []
    for node in body:
        call = node.items[0].context_expr if isinstance(node, ast.With) and len(node.items) == 1 else None
        if call is None or expressions.called_name(s, call) != "init":
            pending.append(node)
            continue
        if op.init is not None or not isinstance(node, ast.With):
            s.fail(BAD_ARGUMENT, "expected one T.init in a block", node)
        named = [each for each in pending if isinstance(each, ast.Assign) and _is_part(s, each)]
        pending = [each for each in pending if each not in named]
        run(s, named)
        init = loop.InitOp()
        init.location = s.source.location(node)
        with s.inside(init.body.block, init):
            run(s, node.body)
        op.body.block.insert_ops_before([init], op.body.block.first_op) if op.body.block.first_op else s.add(init)
    run(s, pending)


def _is_part(s: State, node: ast.Assign) -> bool:
    """Return whether a statement names a part of a buffer, which the init may use."""
    return expressions.called_name(s, node.value) == "match_buffer"


def _read_header(s: State, header: _Header, node: ast.stmt) -> bool:
    """Take a statement into the header; False where it is none of those."""
    call = node.value if isinstance(node, (ast.Assign, ast.Expr)) else None
    name = expressions.called_name(s, call)
    if name not in HEADER or not isinstance(call, ast.Call):
        return False
    with s.at(node):
        if name in _AXES or name == _REMAP:
            if not isinstance(node, ast.Assign) or len(node.targets) != 1:
                s.fail(BAD_ARGUMENT, f"expected a name for T.{name}", node)
            _read_axes(s, header, name, node.targets[0], call)
        elif name == "where":
            header.conditions += [e for a in call.args for e in expressions.guard(s, a)]
        elif name == "block_attr":
            if len(call.args) != 1 or call.keywords:
                s.fail(BAD_ARGUMENT, "expected a dictionary of attributes", call)
            header.attributes |= rows.attributes(s, call.args[0])
        else:
            if name in header.declared:
                s.fail(BAD_ARGUMENT, f"expected T.{name} once in a block", call)
            header.declared[name] = call
    return True


# Axes


def _read_axes(s: State, header: _Header, name: str, target: ast.expr, call: ast.Call) -> None:
    targets = target.elts if isinstance(target, ast.Tuple) else [target]
    names = [t.id if isinstance(t, ast.Name) else s.fail(UNSUPPORTED, "expected names of axes", t) for t in targets]
    found = _remapped(s, call, names) if name == _REMAP else [_axis(s, name, call, names)]
    known = {axis.name for axis in header.axes}
    for axis in found:
        if axis.name in known:
            s.fail(BAD_ARGUMENT, f"expected another name than '{axis.name}', which is an axis", target)
        known.add(axis.name)
    header.axes += found


def _axis(s: State, name: str, call: ast.Call, names: Sequence[str]) -> _Axis:
    """Read `T.axis.spatial(extent, value)`, or with bounds (low, high) of the axis."""
    if len(names) != 1:
        s.fail(BAD_ARGUMENT, f"expected one name for T.{name}", call)
    defaults = {"dom": rows.REQUIRED, "value": rows.REQUIRED, "dtype": "int32"}
    given = rows.bound(s, call, defaults, f"T.{name}")
    bounds = rows.indices(s, given["dom"])
    if len(bounds) not in (1, 2):
        s.fail(BAD_ARGUMENT, "expected an extent or (low, high)", given["dom"])
    low = bounds[0] if len(bounds) == 2 else Index.of(0)
    binding = expressions.index(s, given["value"])
    return _Axis(names[0], _AXES[name], binding - low, bounds[-1] - low, low)


def _remapped(s: State, call: ast.Call, names: Sequence[str]) -> list[_Axis]:
    """Read `T.axis.remap("SR", [i, k])`: each axis is a loop's variable and has its range."""
    given = rows.bound(s, call, {"kinds": rows.REQUIRED, "bindings": rows.REQUIRED, "dtype": ""}, "T.axis.remap")
    kinds = expressions.constant(s, given["kinds"], str, "letters of S and R")
    values = rows.indices(s, given["bindings"])
    if not set(kinds) <= set(_LETTERS) or len(kinds) != len(values) or len(values) != len(names):
        s.fail(BAD_ARGUMENT, f"expected as many names and loop variables as letters S and R in '{kinds}'", call)
    axes: list[_Axis] = []
    for name, letter, value in zip(names, kinds, values, strict=True):
        low, extent = _range_of(s, value, call)
        axes.append(_Axis(name, _LETTERS[letter], value - low, extent, low))
    return axes


def _range_of(s: State, value: Index, node: ast.AST) -> tuple[Index, Index]:
    """Return the least value and the extent of a loop's variable."""
    variable = value.single_value
    op = variable.block.parent_op() if isinstance(variable, BlockArgument) else None
    if isinstance(op, loop.BlockOp):
        return Index.of(0), op.index_list("extents")[op.variables.index(variable)]  # pyright: ignore
    if not isinstance(op, loop.ForOp) or len(op.lowers) != 1 or len(op.uppers) != 1:
        s.fail(
            BAD_ARGUMENT,
            "expected the variables of loops with one bound on each side in T.axis.remap",
            node,
            help="state the extent: T.axis.spatial(extent, value)",
        )
    return op.lowers[0], op.uppers[0] - op.lowers[0]


# Declared regions


def _declared(s: State, call: ast.Call) -> list[Region]:
    """Return the regions of T.reads or T.writes; operations that compute their bounds are discarded."""
    found: list[Region] = []
    scratch = IRBlock(arg_types=[IndexType()])
    with s.inside(scratch):
        for node in call.args:
            for part in node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]:
                region = region_of(s, part)
                if not isinstance(region, Region):
                    s.fail(BAD_ARGUMENT, f"expected a region of a buffer, but got {kind_of(region)}", part)
                found.append(region)
    for op in scratch.ops:
        op.drop_all_references()
    return found
