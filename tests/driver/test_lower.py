"""`lower`: what each form of a program becomes, and what the compact text shows."""

from __future__ import annotations

import difflib

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.dialects import context
from tilewright.semantics import evaluate
from xdsl.parser import Parser


def product():
    m, n = te.var("m"), te.var("n")
    A, B = te.placeholder((m, n), name="A"), te.placeholder((m, n), name="B")
    return A, B, te.compute((m, n), lambda i, j: A[i, j] * B[i, j], name="C")


def changes(before: str, after: str) -> list[str]:
    """Return the lines that a diff takes away and adds, without their indentation."""
    delta = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line[:2] + line[2:].strip() for line in delta if line[0] in "+-"]


def test_simple_mode_shows_the_loops_as_scheduled():
    A, B, C = product()
    schedule = te.create_schedule([C.op])
    before = str(tvm.lower(schedule, [A, B, C], simple_mode=True))
    assert "loop.for %i = 0 to %m {" in before and "loop.store %2, %C[%i, %j]" in before
    assert "tw.target" not in before and "tw.scheduled" not in before and "loop.block" not in before
    schedule[C].parallel(C.op.axis[0])
    after = str(tvm.lower(schedule, [A, B, C], simple_mode=True))
    assert changes(before, after) == [
        "- loop.for %i = 0 to %m {",
        "+ loop.for %i = 0 to %m kind parallel {",
    ]


def test_split_changes_its_loop_and_the_indices_only():
    A, B, C = product()
    schedule = te.create_schedule([C.op])
    before = str(tvm.lower(schedule, [A, B, C], simple_mode=True))
    schedule[C].split(C.op.axis[0], factor=32)
    text = changes(before, str(tvm.lower(schedule, [A, B, C], simple_mode=True)))
    assert "- loop.for %i = 0 to %m {" in text
    assert "+ loop.for %io = 0 to ((%m + 31) floordiv 32) {" in text
    assert not any("loop.bind" in line or "func.func" in line for line in text)


def test_lowered_text_reads_back_and_computes():
    A, B, C = product()
    schedule = te.create_schedule([C.op])
    schedule[C].tile(C.op.axis[0], C.op.axis[1], 4, 8)
    a, b = np.random.default_rng(0).random((2, 7, 9), dtype=np.float32)
    for simple in (True, False):
        text = tvm.lower(schedule, [A, B, C], name="product", simple_mode=simple).script()
        module = Parser(context(), text).parse_module()
        (c,) = evaluate(module, a, b, name="product")
        np.testing.assert_array_equal(c, a * b)


def test_outputs_left_out_of_the_arguments_come_last():
    A, B, C = product()
    text = str(tvm.lower(te.create_schedule(C.op), [A, B], simple_mode=True))
    assert '%C: memref<?x?xf32> {tw.name = "C", tw.output})' in text


def test_forms_of_a_program():
    A, B, C = product()
    module = tvm.lower([A, B, C], simple_mode=True)
    assert [*module] == ["main"] and repr(module) == "IRModule(@main)"
    assert [*tvm.lower(module["main"], name="f")] == ["f"]
    assert str(tvm.lower(module.op, simple_mode=True)) == str(module)
    several = tvm.lower({"f": module, "g": {"inner": module["main"]}})
    assert [*several] == ["f", "g"]
    assert [*tvm.IRModule({"f": module["main"]})] == ["f"]


def test_user_passes_run():
    A, B, C = product()
    seen: list[tuple[int, bool]] = []
    add = [(k, lambda _, op, k=k: seen.append((k, "memref<?x?xf32>" in str(op)))) for k in range(4)]
    with tvm.transform.PassContext(config={"tir.add_lower_pass": add}):
        tvm.lower([A, B, C], simple_mode=True)
        tvm.lower(te.create_schedule(C.op), [A, B, C])
    assert [k for k, _ in seen] == [0, 1, 2, 3] * 2
    assert all(n_dimensional for _, n_dimensional in seen[:4])


@pytest.mark.parametrize(
    ("program", "args", "code", "message"),
    [
        (3, None, "TW0610", "a schedule, tensors, a function"),
        ("schedule", None, "TW0610", "arguments of the function beside its schedule"),
        ("schedule", [3], "TW0610", "tensors and sizes as arguments, but got int"),
        ("module", [3], "TW0610", "no args beside IRModule"),
        ("two", None, "TW0611", "one public function in program 'x', but got @a, @b"),
        ("none", None, "TW0611", "one public function in program 'x', but got none"),
    ],
)
def test_what_is_no_program(program, args, code, message):
    A, B, C = product()
    module = tvm.lower([A, B, C])
    function = module["main"]
    programs = {
        "schedule": te.create_schedule(C.op),
        "module": module,
        "two": {"x": tvm.IRModule({"a": function, "b": function})},
        "none": {"x": tvm.IRModule()},
    }
    with pytest.raises(tvm.TilewrightError, match=f"{code}.*{message}"):
        tvm.lower(programs.get(program, program), args)
