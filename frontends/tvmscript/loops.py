"""The iterables of a `for`: `range`, `T.serial`, `T.grid`, `T.thread_binding`, and `T.tw.carry` and `T.tw.captures`
around one."""

from __future__ import annotations

import ast
from typing import Any

from ...dialects import loop
from ...dialects.index_expr import Index
from ...hardware import THREAD_TAGS
from . import arithmetic, expressions, rows
from .script_values import LoopSpec, Name, Nest, Thread, Value, kind_of
from .state import BAD_ARGUMENT, State
from .syntax import LOOPS, VTHREAD

CARRY, CAPTURES = "tw.carry", "tw.captures"
_PLAIN = {function: kind for kind, function in LOOPS.items() if function != "thread_binding"}
FUNCTIONS = (*_PLAIN, "thread_binding", "grid", CARRY, CAPTURES, "unrolled", "range")
_ALIASES = {"unrolled": "unroll", "range": "serial"}


def read(s: State, name: str, node: ast.Call) -> Nest:
    """Read the loops that a call of one of `FUNCTIONS` denotes."""
    if name == "grid":
        return _grid(s, node)
    if name == CARRY:
        return _carry(s, node)
    if name == CAPTURES:
        return _captures(s, node)
    if name == "thread_binding":
        return _thread_binding(s, node)
    kind = _PLAIN[_ALIASES.get(name, name)]
    defaults = {"start": None, "stop": None, "annotations": None}
    given = rows.bound(s, node, defaults, f"T.{name}")
    return Nest([_spec(s, given, loop.LoopKindAttr.of(kind), node)])


def _spec(s: State, given: dict[str, ast.expr], kind: loop.LoopKindAttr, node: ast.AST) -> LoopSpec:
    bounds = [given[n] for n in ("start", "stop") if n in given]
    if not bounds:
        s.fail(BAD_ARGUMENT, "expected the bounds of a loop", node)
    lowers = bound(s, bounds[0], "max") if len(bounds) == 2 else (Index.of(0),)
    uppers = bound(s, bounds[-1], "min")
    attributes = rows.attributes(s, given["annotations"]) if "annotations" in given else {}
    return LoopSpec(lowers, uppers, kind, attributes)


def bound(s: State, node: ast.expr, combine: str) -> tuple[Index, ...]:
    """Return a bound of a loop: several under T.max for the lower one, under T.min for the upper one."""
    if isinstance(node, ast.Call) and not node.keywords and _is_named(node.func, combine):
        function = expressions.evaluate(s, node.func)
        if function == Name(combine):
            return tuple(e for part in node.args for e in bound(s, part, combine))
    return (expressions.index(s, node),)


def _is_named(node: ast.expr, name: str) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == name) or (isinstance(node, ast.Name) and node.id == name)


def _grid(s: State, node: ast.Call) -> Nest:
    if node.keywords or not node.args:
        s.fail(BAD_ARGUMENT, "expected the extents of T.grid", node)
    loops: list[LoopSpec] = []
    for part in node.args:
        extents: Any = [part]
        if isinstance(part, ast.Starred):
            extents = expressions.constant(s, part.value, (tuple, list), "a tuple of extents")
        for extent in extents:
            is_node = isinstance(extent, ast.expr)
            uppers = bound(s, extent, "min") if is_node else (arithmetic.index(s, extent),)
            loops.append(LoopSpec((Index.of(0),), uppers, loop.SERIAL))
    return Nest(loops, is_grid=True)


def _thread_binding(s: State, node: ast.Call) -> Nest:
    defaults = {"start": None, "stop": None, "thread": None, "annotations": None}
    given = rows.bound(s, node, defaults, "T.thread_binding")
    if len(node.args) == 2 and "thread" not in given and isinstance(node.args[1], ast.Constant):
        given["thread"] = given.pop("stop")  # T.thread_binding(n, "threadIdx.x")
    if "thread" not in given:
        s.fail(BAD_ARGUMENT, "expected the thread of T.thread_binding", node)
    found = expressions.evaluate(s, given["thread"])
    kind = thread_kind(s, found.tag if isinstance(found, Thread) else found, given["thread"])
    return Nest([_spec(s, given, kind, node)])


def thread_kind(s: State, tag: Value, node: ast.AST) -> loop.LoopKindAttr:
    """Return the kind of a loop that is bound to a thread axis."""
    if isinstance(tag, str) and tag.startswith(VTHREAD):
        return loop.LoopKindAttr.of("vthread")
    if tag not in THREAD_TAGS:
        expected = ", ".join((*THREAD_TAGS, VTHREAD))
        s.fail(BAD_ARGUMENT, f"expected a thread of {expected}, but got {kind_of(tag)}", node)
    return loop.LoopKindAttr.of("thread", tag)


def _carry(s: State, node: ast.Call) -> Nest:
    """Read `T.tw.carry(T.serial(0, 8), first, …)`: a loop whose values each iteration hands to the next."""
    nest = _one_loop(s, node, "a loop and the first values")
    nest.loops[0].carried = tuple(rows.value(s, a) for a in node.args[1:])
    return nest


def _captures(s: State, node: ast.Call) -> Nest:
    """Read `T.tw.captures(T.parallel(0, 8), A, …)`: a parallel loop that states the buffers that its body captures.

    These buffers among it share memory with no other one.
    """
    nest = _one_loop(s, node, "a parallel loop and its disjoint buffers")
    if nest.loops[0].kind != loop.PARALLEL:
        s.fail(BAD_ARGUMENT, "expected a parallel loop", node.args[0])
    nest.loops[0].noalias = tuple(rows.buffer(s, a) for a in node.args[1:])
    return nest


def _one_loop(s: State, node: ast.Call, expected: str) -> Nest:
    if node.keywords or not node.args:
        s.fail(BAD_ARGUMENT, f"expected {expected}", node)
    nest = expressions.evaluate(s, node.args[0])
    if not isinstance(nest, Nest) or len(nest.loops) != 1:
        s.fail(BAD_ARGUMENT, f"expected one loop, but got {kind_of(nest)}", node.args[0])
    return nest
