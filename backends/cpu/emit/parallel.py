"""Parallel loops.

The body becomes a function of a range of iterations. With one thread it is called on the whole range; with more, the
members of a team call it on ranges that `tilewright_share` hands out until none is left. Captures are arguments of the
body function rather than loads from a context, so that `noalias` states to LLVM which buffers do not overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ....dialects.loop import ForOp
from .index import Operand
from .module_text import symbol
from .serial import write_loop

if TYPE_CHECKING:
    from .function import FunctionEmitter

_STATUS = 0
"""The field of a team's context that holds its status; captured values follow it."""

SHARE = "tilewright_share"
"""The function that runs `team(context, begin, end, member)` on disjoint ranges that cover `begin` to `end`, on at most
`threads` threads: `void tilewright_share(team, context, begin, end, threads)`. It returns when all iterations have run.
Members count from 0; threads that run at the same time have different member numbers."""


def write_parallel(emitter: FunctionEmitter, op: ForOp, lower: Operand, upper: Operand) -> None:
    """Write the loop over [lower, upper), and the functions that it calls."""
    name = emitter.code.label(f"{emitter.name}.parallel")
    team_name, body_name = symbol(f"{name}.team"), symbol(f"{name}.body")
    body = emitter.nested(name, op)
    _write_body(body, op, body_name)
    captured = [(type_, operand) for operand, (type_, _) in body.captures.items()]
    pieces = _scratch_pieces(emitter, body)
    captured += [("ptr", pointer) for pointer in pieces]
    context_type = "{ " + ", ".join(["i32", *(type_ for type_, _ in captured)]) + " }"
    shared = [type_ for type_, _ in captured[: len(captured) - len(pieces)]]
    _write_team(emitter, team_name, body_name, context_type, shared, len(pieces))
    _write_call(emitter, body, body_name, team_name, context_type, (lower, upper), captured)


def _scratch_pieces(emitter: FunctionEmitter, body: FunctionEmitter) -> list[str]:
    """Return pointers to the body's scratch memory, as the first member of a team has it."""
    if not body.scratch_slots:
        return []
    base, offsets = emitter.scratch_base(), emitter.layout.scratch.offsets
    return [emitter.code.pure(f"getelementptr i8, ptr {base}, i64 {offsets[op]}", (base,)) for op in body.scratch_slots]


def _write_body(body: FunctionEmitter, op: ForOp, name: str) -> None:
    write_loop(body, op, "%begin", "%end", may_skip=True)
    body.code.line("ret i32 0")
    parameters = ["i64 %begin", "i64 %end"]
    disjoint = body.noalias_pointers()
    for operand, (type_, parameter) in body.captures.items():
        parameters.append(f"{type_}{' noalias' if operand in disjoint else ''} {parameter}")
    parameters += [f"ptr noalias {parameter}" for parameter in body.scratch_slots.values()]
    body.finish(f"define internal i32 {name}({', '.join(parameters)}) noinline #0")


def _write_team(
    emitter: FunctionEmitter, name: str, body_name: str, context_type: str, captured: Sequence[str], pieces: int
) -> None:
    """Write the function that a member of a team runs on a range of iterations, with its private scratch memory.

    `captured` are the types of the values that all members share; `pieces` pointers to the first member's memory follow
    them.
    """
    lines = [f"define internal void {name}(ptr %context, i64 %begin, i64 %end, i64 %member) #0 {{", "entry:"]
    arguments: list[str] = []
    first_piece = _STATUS + 1 + len(captured)
    for number, type_ in enumerate(["i32", *captured, *["ptr"] * pieces]):
        lines.append(f"  %p{number} = getelementptr {context_type}, ptr %context, i32 0, i32 {number}")
        if number != _STATUS:
            lines.append(f"  %f{number} = load {type_}, ptr %p{number}")
            arguments.append(f"{type_} {f'%m{number}' if number >= first_piece else f'%f{number}'}")
    lines += [
        *_member_pieces(range(first_piece, first_piece + pieces), emitter.layout.scratch.size),
        f"  %status = call i32 {body_name}({', '.join(['i64 %begin', 'i64 %end', *arguments])})",
        "  %failed = icmp ne i32 %status, 0",
        "  br i1 %failed, label %fail, label %done",
        "fail:",
        f"  store atomic i32 %status, ptr %p{_STATUS} monotonic, align 4",
        "  br label %done",
        "done:",
        "  ret void",
        "}",
    ]
    emitter.module.add_function(lines)


def _member_pieces(fields: range, distance: int) -> Iterator[str]:
    """Move the pointers of these fields to a member's memory."""
    for number in fields:
        if number == fields[0]:
            yield f"  %piece = mul i64 %member, {distance}"
        yield f"  %m{number} = getelementptr i8, ptr %f{number}, i64 %piece"


def _write_call(
    emitter: FunctionEmitter,
    body: FunctionEmitter,
    body_name: str,
    team_name: str,
    context_type: str,
    bounds: tuple[Operand, Operand],
    captured: Sequence[tuple[str, str]],
) -> None:
    """Run the body alone or by a team, which would share nothing of an empty range or of one iteration."""
    code = emitter.code
    emitter.module.declare(f"void @{SHARE}(ptr, ptr, i64, i64, i32)")
    alone, team, joined = code.label("alone"), code.label("team"), code.label("joined")
    context = code.alloca(f"alloca {context_type}, align 8")
    lower, upper = map(str, bounds)
    several = code.define(f"icmp sgt i32 {emitter.threads}, 1")
    second = code.define(f"add i64 {lower}, 1")
    divides = code.define(f"icmp slt i64 {second}, {upper}")
    forks = code.define(f"and i1 {several}, {divides}")
    code.line(f"br i1 {forks}, label %{team}, label %{alone}")

    code.start_block(alone)
    passed = ", ".join(f"{type_} {operand}" for type_, operand in (("i64", lower), ("i64", upper), *captured))
    alone_status = code.define(f"call i32 {body_name}({passed})")
    code.line(f"br label %{joined}")

    code.start_block(team)
    for number, (type_, value) in enumerate([("i32", "0"), *captured], _STATUS):
        field = code.define(f"getelementptr {context_type}, ptr {context}, i32 0, i32 {number}")
        code.line(f"store {type_} {value}, ptr {field}")
    code.line(f"call void @{SHARE}(ptr {team_name}, ptr {context}, i64 {lower}, i64 {upper}, i32 {emitter.threads})")
    field = code.define(f"getelementptr {context_type}, ptr {context}, i32 0, i32 {_STATUS}")
    team_status = code.define(f"load i32, ptr {field}")
    code.line(f"br label %{joined}")

    code.start_block(joined)
    status = code.define(f"phi i32 [ {alone_status}, %{alone} ], [ {team_status}, %{team} ]")
    if body.heap.can_fail:
        emitter.heap.fail_if(code.define(f"icmp ne i32 {status}, 0"))
