"""Microbenchmarks as LLVM text, each bound by one resource of a core: chains, multiply-adds, loads, stores, chases.

Each text defines `work(n, p, q)`, which runs its loop n times at least once. `p` and `q` are buffers that the caller
prepares; constants that LLVM must not know are read from `q`. A loop's body is unrolled often enough that the loop
overhead is negligible.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...backends.cpu.emit.parallel import SHARE

STEPS = 32
"""Instructions of the quantity in one iteration."""


def additions_text() -> str:
    """Return additions of integers, each with the result of the previous one: one cycle each on every core.

    Exclusive ors between them keep LLVM from adding them up; they take a cycle too.
    """
    body: list[str] = []
    for step in range(STEPS // 2):
        before = f"%x{step - 1}" if step else "%x"
        body += [f"%y{step} = add i64 {before}, %a", f"%x{step} = xor i64 %y{step}, %b"]
    start = [
        "%a = load volatile i64, ptr %q",
        "%qb = getelementptr i64, ptr %q, i64 1",
        "%b = load volatile i64, ptr %qb",
    ]
    return _loop(body, {"x": ("i64", "0", f"%x{STEPS // 2 - 1}")}, start)


def multiply_adds_text(lanes: int, chains: int, *, fused: bool) -> str:
    """Return the text of `STEPS` multiply-adds of vectors of f32, dealt out to `chains` sums: one measures latency,
    many throughput."""
    vector = f"<{lanes} x float>"
    last = [f"%s{chain}" for chain in range(chains)]
    body: list[str] = []
    for step in range(STEPS):
        chain = step % chains
        result = f"%r{step}"
        if fused:
            name = f"@llvm.fma.v{lanes}f32"
            body.append(f"{result} = call {vector} {name}({vector} {last[chain]}, {vector} %a, {vector} %b)")
        else:
            body += [f"%m{step} = fmul {vector} {last[chain]}, %a", f"{result} = fadd {vector} %m{step}, %b"]
        last[chain] = result
    start = [f"%a = load volatile {vector}, ptr %q, align 4", f"%b = load volatile {vector}, ptr %q, align 4"]
    carried = {f"s{chain}": (vector, "zeroinitializer", last[chain]) for chain in range(chains)}
    declared = f"declare {vector} @llvm.fma.v{lanes}f32({vector}, {vector}, {vector})\n" if fused else ""
    return declared + _loop(body, carried, start)


def accesses_text(lanes: int, *, stores: bool) -> str:
    """Return the text of `STEPS` loads or stores of vectors, from or to as many positions of `p`; nothing waits for a
    result."""
    vector = f"<{lanes} x float>"
    body: list[str] = []
    for step in range(STEPS):
        body.append(f"%p{step} = getelementptr {vector}, ptr %p, i64 {step}")
        if stores:
            body.append(f"store volatile {vector} %a, ptr %p{step}, align {4 * lanes}")
        else:
            body.append(f"%v{step} = load volatile {vector}, ptr %p{step}, align {4 * lanes}")
    start = [f"%a = load volatile {vector}, ptr %q, align 4"] if stores else []
    return _loop(body, {}, start)


def chase_text() -> str:
    """Return the text of `STEPS` loads of a pointer, each from the address that the previous one gave: the latency of a
    load."""
    body = [f"%a{step} = load ptr, ptr {f'%a{step - 1}' if step else '%at'}" for step in range(STEPS)]
    return _loop(body, {"at": ("ptr", "%p", f"%a{STEPS - 1}")}, [])


def stream_text(lanes: int) -> str:
    """Return the sum of all vectors of `p`, from one end to the other: an iteration reads `STEPS` of them."""
    vector = f"<{lanes} x float>"
    sums = min(8, STEPS)
    last = [f"%s{k}" for k in range(sums)]
    body = [f"%at = mul i64 %i, {STEPS}", f"%base = getelementptr {vector}, ptr %p, i64 %at"]
    for step in range(STEPS):
        body.append(f"%p{step} = getelementptr {vector}, ptr %base, i64 {step}")
        body.append(f"%v{step} = load {vector}, ptr %p{step}, align {4 * lanes}")
        body.append(f"%r{step} = fadd {vector} {last[step % sums]}, %v{step}")
        last[step % sums] = f"%r{step}"
    carried = {f"s{k}": (vector, "zeroinitializer", last[k]) for k in range(sums)}
    return _loop(body, carried, [])


MOST_SPINS = 1 << 24
"""The number of spin iterations for which a member waits for the others before it continues without them."""


def forks_text(threads: int) -> str:
    """Return the text of `n` parallel loops of one iteration for each of some threads, in which all of them meet at the
    counter `p`.

    Without that the caller would run all iterations before others have started, which is no fork.
    """
    return f"""
declare void @{SHARE}(ptr, ptr, i64, i64, i32)

define internal void @meet(ptr %counter, i64 %begin, i64 %end, i64 %member) {{
entry:
  %before = atomicrmw add ptr %counter, i64 1 acq_rel
  %loops = udiv i64 %before, {threads}
  %loops.all = add i64 %loops, 1
  %goal = mul i64 %loops.all, {threads}
  br label %spin
spin:
  %spins = phi i64 [ 0, %entry ], [ %spins.next, %spin ]
  %seen = load atomic i64, ptr %counter acquire, align 8
  %misses = icmp ult i64 %seen, %goal
  %spins.next = add i64 %spins, 1
  %patient = icmp ult i64 %spins.next, {MOST_SPINS}
  %on = and i1 %misses, %patient
  br i1 %on, label %spin, label %met
met:
  ret void
}}

define void @work(i64 %n, ptr %p, ptr %q) {{
entry:
  br label %each
each:
  %i = phi i64 [ 0, %entry ], [ %next, %each ]
  call void @{SHARE}(ptr @meet, ptr %p, i64 0, i64 {threads}, i32 {threads})
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %each, label %done
done:
  ret void
}}
"""


def _loop(body: Sequence[str], carried: dict[str, tuple[str, str, str]], start: Sequence[str]) -> str:
    """Return a loop of n iterations. `carried` values, name -> type, first value and value after an iteration, are
    stored to `q` at the end, so that LLVM keeps their computation."""
    phis = [f"%{n} = phi {t} [ {first}, %entry ], [ {after}, %loop ]" for n, (t, first, after) in carried.items()]
    ends = [f"store volatile {t} {after}, ptr %q, align 4" for t, _, after in carried.values()]
    lines = [
        "define void @work(i64 %n, ptr %p, ptr %q) {",
        "entry:",
        *start,
        "br label %loop",
        "loop:",
        "%i = phi i64 [ 0, %entry ], [ %next, %loop ]",
        *phis,
        *body,
        "%next = add i64 %i, 1",
        "%more = icmp ult i64 %next, %n",
        "br i1 %more, label %loop, label %done",
        "done:",
        *ends,
        "ret void",
        "}",
    ]
    return "\n".join(lines) + "\n"
