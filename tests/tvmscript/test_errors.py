"""Unsupported syntax of scripts: one coded error each, at the line and column of the script."""

from __future__ import annotations

import pytest
import tilewright as tvm
from tilewright import TilewrightError
from tilewright.diagnostics.locations import source_position
from tilewright.script import from_source
from tilewright.script import tir as T

HEAD = """\
from tilewright.script import tir as T
@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
"""


def error_of(body: str, head: str = HEAD) -> TilewrightError:
    with pytest.raises(TilewrightError) as raised:
        from_source(head + "".join(f"    {line}\n" for line in body.split("\n")))
    return raised.value


CASES = [
    ("x = (", "TW0310", "4:9", "Python"),
    ("B[0, 0] = A[0, z]", "TW0312", "4:20", "'z' has no value here"),
    ("B[0, 0] = T.exq(A[0, 0])", "TW0312", "4:15", "unknown name T.exq; did you mean 'exp'?"),
    ("B[0, 0] = A[0]", "TW0313", "4:15", "expected 2 indices of 'A', but got 1"),
    ("B[0, 0] = A", "TW0313", "4:5", "expected a value, but got a whole buffer"),
    ("B[0, 0] = T.int32(A[0, 0]) + T.int32(1)", "TW0313", "4:5", "expected a value of type float32, but got int32"),
    ("B[0, 0] = A[0, 0] & A[0, 1]", "TW0313", "4:15", "expected integers or conditions"),
    ("B[0, 0] = A[0, A[0, 0]]", "TW0313", "4:20", "expected an integer as index"),
    ("B[0, 0] = T.exp(A[0, 0], 1)", "TW0313", "4:15", "expected 1 arguments"),
    ("B[0, 0] = T.Cast('float33', A[0, 0])", "TW0313", "4:22", "the text of a type"),
    ("C = T.alloc_buffer((8,), sope='local')", "TW0313", "4:35", "has no parameter 'sope'; did you mean 'scope'?"),
    ("C = T.tw.load(A)", "TW0313", "4:9", "T.tw.load needs indices"),
    ("for i in 8:\n    pass", "TW0314", "4:14", "expected a loop over a range"),
    ("for i in T.thread_binding(8, thread='threadIdx.w'):\n    pass", "TW0313", "4:41", "expected a thread of"),
    ("while A[0, 0] < 1:\n    pass", "TW0314", "4:5", "a while loop has no counterpart"),
    ("for i, j in T.grid(8):\n    pass", "TW0313", "4:9", "expected 1 names for this loop, but got 2"),
    ("x = A[0, 0]\nfor i in range(8):\n    x = x + A[0, i]", "TW0313", "6:9", "which cannot change here"),
    ("with T.block('b'):\n    T.reads(A)\n    vi = T.axis.spatial(8, 0)\n    B[vi, 0] = i", "TW0312", "7:20", "'i'"),
    (
        "for j in range(8):\n    for i in range(j, 8):\n        with T.block('b'):\n            B[i, 0] = 1.0",
        "TW0313",
        "7:19",
        "use the axes that it defines",
    ),
    ("B[0, 0] = T.load('float16', A.data, 0)", "TW0313", "4:22", "a load of float32"),
    ("T.store(B.data, 0, A[0, 0], False)", "TW0314", "4:33", "without a predicate"),
    ("with T.block('b') as [vi]:\n    B[vi, 0] = A[0, 0]", "TW0314", "4:26", "a block without `as`"),
    ("X = T.match_buffer(A[0:2, 0:8], (8,))", "TW0314", "4:37", "a shape of 2 dimensions"),
    ("C = T.decl_buffer((8,))\nT.realize(C[0:8], 'local')", "TW0314", "5:5", "declared in scope 'local'"),
    ("B.data[0, 0] = A[0, 0]", "TW0313", "4:5", "one index of the data of 'B'"),
    (
        "for i in range(8):\n    with T.block('b'):\n        vi, vj = T.axis.remap('S', [i])",
        "TW0313",
        "6:22",
        "letters",
    ),
    ("vi = T.axis.spatial(8, 0)", "TW0313", "4:10", "is a statement of a block or a function"),
    ("T.reads(A)", "TW0313", "4:5", "at the beginning of a block"),
    ("with T.blok('b'):\n    pass", "TW0314", "4:10", "expected one of T.block"),
    ("T.call_cpacked('f', A)", "TW0314", "4:5", "T.call_cpacked is not supported"),
    ("T.call_packed()", "TW0313", "4:5", "expected the name of a registered function"),
    ("T.call_packed('f', A, mode=1)", "TW0313", "4:32", "T.call_packed has no parameter 'mode'"),
    (
        "T.call_packed('f', T.tvm_stack_make_array(A.data, T.tvm_stack_make_shape(4), 0, 2, 0.0, 0))",
        "TW0314",
        "4:24",
        "the array to be all of the dense buffer 'A'",
    ),
    (
        "T.call_packed('f', T.tvm_stack_make_array(1, 0, 0, 2, 0.0, 0))",
        "TW0313",
        "4:47",
        "expected the data of a buffer",
    ),
    ("B[0, 0] = max([1, 2], A)", "TW0313", "4:15", "expected a number"),
    ("B[0, 0] = [x for x in range(3)]", "TW0314", "4:15", "ListComp is no expression of TVMScript"),
    ("class C:\n    pass", "TW0314", "4:5", "ClassDef is no statement of TVMScript"),
    ("B[0, 0] = 2 ** 1000", "TW0313", "4:15", "from 0 to 64"),
    ("B[0, 0] = 1 // 0", "TW0313", "4:15", "has no value"),
    ("B[0, 0] = T.tw.op('arith.addq', A[0, 0])", "TW0313", "4:15", "no operation of the loop level"),
    ("B[0, 0:4] = A[0, 0]", "TW0314", "4:5", "one element to store"),
    ("if A[0, 0]:\n    pass", "TW0313", "4:8", "expected a condition"),
    ("return A[0, 0]", "TW0314", "4:5", "stores its results"),
    ("a, b = A[0, 0]", "TW0313", "4:5", "expected 2 values, but got 1"),
    ("T.attr(A, 'storage_alignment', 8)", "TW0314", "4:5", "the attribute 'storage_alignment'"),
    ("for i in T.tw.captures(range(8), A):\n    pass", "TW0313", "4:28", "expected a parallel loop"),
    ("for i in T.tw.captures(T.parallel(8), A):\n    pass", "TW0313", "4:5", "that the body of the loop uses"),
    ("for i, s in T.tw.carry(range(8), A[0, 0]):\n    pass", "TW0313", "4:5", "expected one T.tw.yield_"),
    ("T.func_attr({'a': T.exp})", "TW0313", "4:17", "expected a number, a text"),
]


@pytest.mark.each(("body", "code", "location", "text"), CASES, ids=[c[0].split("\n")[-1] for c in CASES])
def test_error(body: str, code: str, location: str, text: str) -> None:
    error = error_of(body)
    position = source_position(error.location)
    assert position is not None
    assert (error.code, f"{position.line}:{position.column}") == (code, location), str(error)
    assert text in error.message
    assert error.help


REGIONS = """\
for i in range(8):
    with T.block("b"):
        vi = T.axis.spatial(8, i)
        T.reads({reads})
        T.writes({writes})
        for j in range(8):
            B[vi, j] = A[vi, j] + A[vi, 0]"""


@pytest.mark.parametrize(
    ("reads", "writes", "verb"),
    [("B", "B", "reads"), ("A[vi, 0:4]", "B", "reads"), ("A[vi, 1:9]", "B", "reads"), ("A", "B[vi, 0]", "writes")],
)
def test_declared_regions_that_are_too_small(reads: str, writes: str, verb: str) -> None:
    error = error_of(REGIONS.format(reads=reads, writes=writes))
    position = source_position(error.location)
    assert error.code == "TW0315" and f"the block {verb}" in error.message
    assert position is not None and position.line == 10


@pytest.mark.parametrize(("reads", "writes"), [("A", "B"), ("A[vi, 0:8]", "B[vi, :]"), ("A[0:8, 0:8]", "B[vi, 0:8]")])
def test_declared_regions_that_cover(reads: str, writes: str) -> None:
    body = REGIONS.format(reads=reads, writes=writes)
    function = from_source(HEAD + "".join(f"    {line}\n" for line in body.split("\n")))
    assert function.sym_name.data == "main"


def test_an_error_in_a_helper_names_the_call() -> None:
    def helper(x):  # type: ignore[no-untyped-def]
        return T.exq(x)

    with pytest.raises(TilewrightError, match="unknown name T.exq") as raised:

        @T.prim_func
        def function(A: T.Buffer((8,), "float32")):
            A[0] = helper(A[1])

    assert any("'helper' is called here" in note for note in raised.value.notes)
    position = source_position(raised.value.location)
    assert position is not None and position.file == __file__


def test_an_error_of_a_function_quotes_its_line() -> None:
    with pytest.raises(TilewrightError) as raised:

        @T.prim_func
        def function(A: T.Buffer((8,), "float32")):
            A[0] = A[1, 2]

    assert "            A[0] = A[1, 2]" in str(raised.value)


def test_functions_without_source() -> None:
    names: dict[str, object] = {}
    exec("def f(A): pass", names)
    with pytest.raises(TilewrightError) as raised:
        T.prim_func(names["f"])  # type: ignore[call-overload]
    assert raised.value.code == "TW0311"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("import os\n", "TW0314"),
        ("x = __import__('os').system('true')\n", "TW0312"),
        ("", "TW0314"),
        ("\0", "TW0310"),
        ("x = " + "(" * 300 + ")" * 300, "TW0310"),
        ("x = " + "-" * 5000 + "1", "TW0310"),
        ("from tilewright.script import tir as T\n@T.prim_func\ndef f(A): pass\n", "TW0313"),
        ("from tilewright.script import tir as T\n@T.prim_func\ndef f(a: T.handle): pass\n", "TW0313"),
        ("from tilewright.script import tir as T\n@T.prim_func\ndef f(*a): pass\n", "TW0314"),
        (
            "from tilewright.script import tir as T\n@T.prim_func\ndef f(A: T.Buffer((-1,), 'float32')): pass\n",
            "TW0313",
        ),
    ],
)
def test_text_that_is_no_script(text: str, code: str) -> None:
    with pytest.raises(TilewrightError) as raised:
        from_source(text)
    assert raised.value.code == code
    assert source_position(raised.value.location) is not None


def test_text_runs_nothing() -> None:
    ran: list[int] = []
    head = "from tilewright.script import tir as T\n@T.prim_func\ndef main(A: T.Buffer((8,), 'float32')):\n"
    with pytest.raises(TilewrightError):
        from_source(head + "    A[0] = f(1)\n", {"f": ran.append})
    assert not ran


def test_modules_without_a_form() -> None:
    a = tvm.te.placeholder((8,), name="A")
    module = tvm.IRModule(tvm.te.to_module([a, tvm.te.compute((8,), lambda i: a[i] + 1)]))
    with pytest.raises(TilewrightError) as raised:
        module.script(dialect="tvmscript")
    assert raised.value.code == "TW0316"
    with pytest.raises(TilewrightError) as raised:
        module.script(dialect="tvmscrpt")
    assert raised.value.code == "TW0725" and "did you mean 'tvmscript'" in raised.value.message
