"""Scripts and statements of builders whose threads meet in shared memory get the barriers that they need.

The reference is numpy: each statement is computed for all threads before the next one is.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import TilewrightError, te, tir
from tilewright.dialects import context
from tilewright.dialects.loop import BarrierOp
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.script import from_source
from tilewright.semantics.program import Program
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.rewriter import InsertPoint, Rewriter

_HEAD = "from tilewright.script import tir as T\n@T.prim_func\n"
_REVERSAL = 'def f(A: T.Buffer((4, 8), "float32"), C: T.Buffer((4, 8), "float32")):'
_SUM = 'def f(A: T.Buffer((4, 8), "float32"), C: T.Buffer((4,), "float32")):'


def _reversed(x: np.ndarray) -> np.ndarray:
    return x[:, ::-1]


def _same(x: np.ndarray) -> np.ndarray:
    return x


def _sums(x: np.ndarray) -> np.ndarray:
    return ((x[:, :4] + x[:, 4:])[:, :2] + (x[:, :4] + x[:, 4:])[:, 2:]).sum(1)


PROGRAMS: dict[str, tuple[str, Any, int]] = {
    "one loop": (f"""{_REVERSAL}
    for b in T.thread_binding(4, thread="blockIdx.x"):
        S = T.alloc_buffer((8,), scope="shared")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            S[t] = A[b, t]
            C[b, t] = S[7 - t]
""", _reversed, 1),
    "each element by its thread": (f"""{_REVERSAL}
    for b in T.thread_binding(4, thread="blockIdx.x"):
        S = T.alloc_buffer((8,), scope="shared")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            S[t] = A[b, 7 - t]
            C[b, t] = S[t]
""", _reversed, 0),
    "blocks": (f"""{_REVERSAL}
    S = T.alloc_buffer((4, 8), scope="shared")
    for b in T.thread_binding(4, thread="blockIdx.x"):
        for t in T.thread_binding(8, thread="threadIdx.x"):
            with T.block("S"):
                vb, vt = T.axis.remap("SS", [b, t])
                S[vb, vt] = A[vb, vt]
            with T.block("C"):
                vb, vt = T.axis.remap("SS", [b, t])
                C[vb, vt] = S[vb, 7 - vt]
""", _reversed, 1),
    "memory allocated by the threads": (f"""{_REVERSAL}
    with T.launch_thread("blockIdx.x", 4) as b:
        t = T.launch_thread("threadIdx.x", 8)
        S = T.allocate([8], "float32", "shared")
        S_1 = T.Buffer((8,), data=S, scope="shared")
        S_1[t] = A[b, t]
        C[b, t] = S_1[7 - t]
""", _reversed, 1),
    "a barrier of the user's": (f"""{_REVERSAL}
    for b in T.thread_binding(4, thread="blockIdx.x"):
        for t in T.thread_binding(8, thread="threadIdx.x"):
            S = T.alloc_buffer((8,), scope="shared")
            S[t] = A[b, t]
            T.tvm_storage_sync("shared")
            S[t] = S[7 - t]
            C[b, t] = S[t]
""", _reversed, 2),
    "memory of a thread between the loops": (f"""{_REVERSAL}
    for b in T.thread_binding(4, thread="blockIdx.x"):
        S = T.alloc_buffer((2, 4), scope="shared")
        for ty in T.thread_binding(2, thread="threadIdx.y"):
            L = T.alloc_buffer((1,), scope="local")
            for tx in T.thread_binding(4, thread="threadIdx.x"):
                L[0] = A[b, ty * 4 + tx]
                S[ty, tx] = L[0]
                C[b, ty * 4 + tx] = S[1 - ty, 3 - tx]
""", _reversed, 1),
    "two loops": (f"""{_REVERSAL}
    for b in T.thread_binding(4, thread="blockIdx.x"):
        S = T.alloc_buffer((8,), scope="shared")
        R = T.alloc_buffer((8,), scope="shared")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            S[t] = A[b, t]
            R[t] = S[7 - t]
        for t in T.thread_binding(8, thread="threadIdx.x"):
            C[b, t] = R[7 - t]
""", _same, 1),
    "steps of a loop": (f"""{_REVERSAL}
    S = T.alloc_buffer((8,), scope="shared")
    for t in T.thread_binding(8, thread="threadIdx.x"):
        for k in range(4):
            S[t] = A[k, t]
            C[k, t] = S[7 - t]
""", _reversed, 2),
    "a tree": (f"""{_SUM}
    for b in T.thread_binding(4, thread="blockIdx.x"):
        S = T.alloc_buffer((8,), scope="shared")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            S[t] = A[b, t]
            if t < 4:
                S[t] = S[t] + S[t + 4]
            if t < 2:
                S[t] = S[t] + S[t + 2]
            if t < 1:
                C[b] = S[t] + S[t + 1]
""", _sums, 3),
}  # fmt: skip
"""Name -> a script, what it computes, and how many barriers it has."""


def _barriers(op: Any) -> list[BarrierOp]:
    return [nested for nested in op.walk() if isinstance(nested, BarrierOp)]


def _module(source: str) -> ModuleOp:
    function = from_source(_HEAD + source)
    return function if isinstance(function, ModuleOp) else ModuleOp([function.clone()])


def _run(module: ModuleOp, x: np.ndarray, *, finds_races: bool = True) -> np.ndarray:
    return np.asarray(Program(module, finds_races=finds_races).evaluate("f", x)[0])


def _missing(module: ModuleOp, x: np.ndarray) -> list[BarrierOp]:
    """Return the barriers without which no race is found."""
    needless: list[BarrierOp] = []
    for barrier in _barriers(module):
        following = barrier.next_op
        assert following is not None
        barrier.detach()
        try:
            _run(module, x)
            needless.append(barrier)
        except TilewrightError as error:
            assert error.code == "TW0537"
        Rewriter.insert_op(barrier, InsertPoint.before(following))
    return needless


def test_scripts_get_the_barriers_that_they_need_and_no_other() -> None:
    x = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)
    wrong = []
    for name, (source, expected, count) in PROGRAMS.items():
        module = _module(source)
        results = {"interpreted": _run(module, x)}
        if len(_barriers(module)) != count or _missing(module, x):
            wrong.append((name, "barriers", str(module)))
        results["simulated"] = np.full_like(results["interpreted"], np.nan)
        tvm.build(from_source(_HEAD + source), target="cuda", device="simulator")(x, results["simulated"])
        wrong += [(name, way, made) for way, made in results.items() if not np.allclose(made, expected(x), rtol=1e-6)]
        again = from_source(from_source(_HEAD + source).script("tvmscript"))
        if len(_barriers(again)) != count:
            wrong.append((name, "read again", str(again)))
    assert wrong == []


def _drawn(rng: random.Random) -> tuple[str, list[tuple[str, int, str, int]]]:
    """Return a script of statements on two shared buffers, and those as (target, shift, source, shift)."""
    steps = [
        (rng.choice("SR"), rng.randrange(8), rng.choice("ASR" if number else "A"), rng.randrange(8))
        for number in range(rng.randint(2, 6))
    ]
    lines = [
        f"{target}[(t + {to}) % 8] = {'A[b, ' if source == 'A' else source + '['}(t + {of}) % 8] * T.float32({k + 2})"
        for k, (target, to, source, of) in enumerate(steps)
    ]
    fill = "".join(f"            {name}[t] = A[b, t]\n" for name in "SR")
    body = "".join(f"            {line}\n" for line in lines)
    text = f"""{_REVERSAL}
    for b in T.thread_binding(4, thread="blockIdx.x"):
        S = T.alloc_buffer((8,), scope="shared")
        R = T.alloc_buffer((8,), scope="shared")
        for t in T.thread_binding(8, thread="threadIdx.x"):
{fill}{body}            C[b, t] = S[7 - t] + R[t]
"""
    return text, steps


def test_drawn_programs_compute_statement_by_statement() -> None:
    t = np.arange(8)
    x = np.random.default_rng(1).integers(-4, 5, (4, 8)).astype(np.float32)
    wrong = []
    for seed in range(24):
        source, steps = _drawn(random.Random(seed))
        memory = {"A": x, "S": x.copy(), "R": x.copy()}
        for k, (target, to, given, of) in enumerate(steps):
            memory[target][:, (t + to) % 8] = memory[given][:, (t + of) % 8] * np.float32(k + 2)
        expected = memory["S"][:, 7 - t] + memory["R"]
        module = _module(source)
        if not np.array_equal(_run(module, x), expected) or _missing(module, x):
            wrong.append((seed, str(module)))
    assert wrong == []


def _extern(body: Any) -> tuple[Any, list[Any]]:
    a = te.placeholder((8,), name="A")

    def statements(ins: Any, outs: Any) -> Any:
        ib = tir.ir_builder.create()
        thread = te.thread_axis("threadIdx.x")
        x, z = ib.buffer_ptr(ins[0]), ib.buffer_ptr(outs[0])
        ib.scope_attr(te.thread_axis("blockIdx.x"), "thread_extent", 1)
        ib.scope_attr(thread, "thread_extent", 8)
        shared = ib.allocate("float32", (8,), name="shared", scope="shared")
        shared[thread] = x[thread]
        body(ib, thread, shared, z)
        return ib.get()

    c = te.extern((8,), [a], statements, name="C")
    return te.create_schedule(c.op), [a, c]


def _reverse(ib: Any, thread: Any, shared: Any, z: Any) -> None:
    z[thread] = shared[7 - thread]


def _under_a_condition(ib: Any, thread: Any, shared: Any, z: Any) -> None:
    with ib.if_scope(thread < 4):
        shared[thread] = shared[thread + 4]
        z[thread] = shared[3 - thread]


def test_statements_of_a_builder_get_barriers() -> None:
    x = np.random.default_rng(2).standard_normal(8).astype(np.float32)
    for target, options in (("interpreter", {}), ("cuda", {"device": "simulator"})):
        result = tvm.build(*_extern(_reverse), target=target, **options)(x)
        np.testing.assert_array_equal(result, x[::-1])


def test_threads_that_meet_where_not_all_come_are_refused() -> None:
    for target in ("interpreter", "cuda"):
        with pytest.raises(TilewrightError, match="expected threads to meet in %shared outside of branches") as refused:
            tvm.build(*_extern(_under_a_condition), target=target, device="simulator" if target == "cuda" else None)
        assert refused.value.code == "TW0537"
        assert 'put T.tvm_storage_sync("shared") between them' in str(refused.value)


def test_text_without_barriers_is_refused_by_the_pass() -> None:
    text = """
func.func @main(%x: memref<8xf32>, %o: memref<8xf32> {tw.output}) {
  %s = loop.alloc : memref<8xf32, "shared">
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    %v = loop.load %x[%t] : memref<8xf32>
    loop.store %v, %s[%t] : memref<8xf32, "shared">
    %w = loop.load %s[7 - %t] : memref<8xf32, "shared">
    loop.store %w, %o[%t] : memref<8xf32>
  }
  func.return
}"""
    with pytest.raises(TilewrightError, match="expected different threads to write disjoint elements of %s") as refused:
        PassManager(parse_pipeline("insert-barriers")).run(context(), Parser(context(), text).parse_module())
    assert refused.value.code == "TW0537" and 'T.tvm_storage_sync("shared")' in str(refused.value)
