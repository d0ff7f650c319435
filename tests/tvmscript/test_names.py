"""Names of programs that end in a number: they come back in texts, handles and errors, and no other value gets them."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context, loop
from tilewright.ir import editor as edit
from tilewright.script import from_source

SCRIPT = """
from tilewright.script import tir as T
@T.prim_func
def main(A: T.Buffer((2, 3, 4), "float32"), B: T.Buffer((2, 3, 4), "float32")):
    T_1 = T.alloc_buffer((4,), "float32")
    for {0} in range(2):
        for {1} in range(3):
            for {2} in range(4):
                with T.block("B"):
                    {3}, {4}, {5} = T.axis.remap("SSS", [{0}, {1}, {2}])
                    B[{3}, {4}, {5}] = A[{3}, {4}, {5}] + T.float32(1)
"""
NAMES = ("i", "i_0", "i_1", "i_2", "i_10", "i_1_1", "j0_3", "j0", "_7")
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def drawn(count: int) -> list[tuple[str, ...]]:
    """Return names of three loops and of the three variables of a block."""
    rng = np.random.default_rng(4)
    return [tuple(NAMES[k] for k in rng.permutation(len(NAMES))[:6]) for _ in range(count)]


def program(names: tuple[str, ...]) -> tvm.IRModule:
    return tvm.IRModule({"main": from_source(SCRIPT.format(*names))})


def loops_of(text: str) -> list[str]:
    """Return the variables of the loops of a script or of C, outermost first."""
    grid = re.findall(r"for (.*) in T\.grid|for (\w+) in range", text)
    return [n for some in grid for n in "".join(some).split(", ")] or re.findall(r"for \(int64_t (\w+) =", text)


def test_names_come_back() -> None:
    wrong: list[str] = []
    for names in drawn(12):
        module = program(names)
        text = module.script()
        schedule = tvm.tir.Schedule(module)
        handles = schedule.get_loops(schedule.get_block("B"))
        again = parse(context(), text, "again.mlir")
        script = module.script("tvmscript")
        found = {
            "the script": loops_of(script) == list(names[:3]) and f"{names[3]}, {names[4]}, {names[5]} = " in script,
            "a buffer": "T_1 = T.alloc_buffer" in script,
            "the handles": [str(h) for h in handles] == [f"<loop %{n}>" for n in names[:3]],
            "a loop by its name": all(str(schedule.get_loop(n)) == f"<loop %{n}>" for n in names[:3]),
            "the text": [n.replace(".", "_") for n in re.findall(r"loop.for %(\S+) =", text)] == list(names[:3]),
            "the text read back": tvm.IRModule(again).script() == text,
            "the script read back": from_source(script).script() == text,
        }
        wrong += [f"{names}: {what}" for what, is_right in found.items() if not is_right]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("target", ["c", "cuda"])
def test_names_come_back_in_the_text_of_a_target(target: str) -> None:
    for names in (("i_2", "i_1", "i_0", "x", "y", "z"), ("i", "i_2", "i_1", "i_0", "i_3", "i_4")):
        schedule = tvm.tir.Schedule(program(names))
        loops = schedule.get_loops(schedule.get_block("B"))
        if target == "cuda":
            schedule.bind(loops[0], "blockIdx.x")
        built = tvm.build(schedule.mod, target=target, **({"device": "simulator"} if target == "cuda" else {}))
        source = (built.imported_modules[0] if target == "cuda" else built).get_source()
        wanted = names[1:3] if target == "cuda" else names[:3]
        assert re.findall(r"for (?:\(int64_t )?(\w+) (?:=|in) ", source)[: len(wanted)] == list(wanted), source


def test_names_of_axes_come_back() -> None:
    """Axes of tensor expressions are named by the parameters of functions, and by reduce_axis."""
    a = te.placeholder((2, 3, 4), name="A")
    k_1, k_0 = te.reduce_axis((0, 4), "k_1"), te.reduce_axis((0, 3), "k_0")
    b = te.compute((2, 3, 4), lambda i_2, i_1, i_0: a[i_2, i_1, i_0] + 1, name="B")
    c = te.compute((2,), lambda j_1: te.sum(b[j_1, k_0, k_1], axis=[k_1, k_0]), name="C")
    schedule = tvm.tir.Schedule(te.create_prim_func([a, c]))
    names = [str(h) for label in "BC" for h in schedule.get_loops(schedule.get_block(label))]
    assert names == [f"<loop %{n}>" for n in ("i_2", "i_1", "i_0", "j_1", "k_1", "k_0")]
    assert loops_of(schedule.mod.script("tvmscript")) == ["i_2", "i_1", "i_0", "j_1", "k_1", "k_0"]
    text = str(te.to_module([a, c]))
    assert "[%i.2 to 2, %i.1 to 3, %i.0 to 4]" in text
    assert str(parse(context(), text, "again.mlir")) == text


def test_errors_say_the_names() -> None:
    schedule = tvm.tir.Schedule(program(("i_2", "i_1", "i_0", "x", "y", "z")))
    _, middle, inner = schedule.get_loops(schedule.get_block("B"))
    with pytest.raises(TilewrightError, match="too few for the 4 of loop %i_0"):
        schedule.split(inner, factors=[1, 2])
    with pytest.raises(TilewrightError, match="different loops, but got %i_1, %i_1"):
        schedule.reorder(middle, middle)


def test_a_name_that_is_numbered_is_no_other_of_the_program() -> None:
    """Two loops are called `i`, and others have the names that a count of equal names would give one of them."""
    for order in itertools.permutations(("i", "i", "i_1")):
        module = program(("i_1", "i_2", "i_3", "x", "y", "z"))
        loops = [op for op in module.op.walk() if isinstance(op, loop.ForOp)]
        for op, name in zip(loops, order, strict=True):
            edit.rename(op.induction_variable, name.replace("_", "."))
        wanted = [name if order.index(name) == n else "i_2" for n, name in enumerate(order)]
        assert loops_of(module.script("tvmscript")) == wanted
        source = tvm.build(module, target="c").get_source()
        assert loops_of(source)[:3] == wanted
        names = re.findall(r"loop.for %(\S+) =", module.script())
        assert len(set(names)) == 3
        np.testing.assert_array_equal(tvm.build(module, target="c")(X), X + 1)
