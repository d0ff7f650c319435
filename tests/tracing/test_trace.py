"""Records and files of a trace; tests/tracing/test_page.py opens them in a browser."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import Counter
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import collect_remarks, remark
from tilewright.dialects import context
from tilewright.dialects.ir_module import IRModule
from tilewright.ir.rewrites import count_rewrites
from tilewright.passes.framework.context import as_pass
from tilewright.passes.framework.instruments import Instrument, print_ir
from tilewright.passes.framework.instruments.parts import MODULE, print_parts
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.framework.tracing import Trace
from tilewright.passes.framework.tracing.page import Step, TextStore, code_parts, elide, render
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser


def product(size: int = 8) -> list[te.Tensor]:
    a = te.placeholder((size, size), name="a")
    k = te.reduce_axis((0, size), name="k")
    return [a, te.compute((size, size), lambda i, j: te.sum(a[i, k] * a[k, j], axis=k), name="b")]


def two_functions() -> ModuleOp:
    text = """
func.func @first(%a: index) -> index {
  func.return %a : index
}
func.func @second(%a: index) -> index {
  %b = arith.addi %a, %a : index
  func.return %b : index
}"""
    return Parser(context(), text).parse_module()


def data_of(page: Path) -> dict[str, Any]:
    """Return the data of a page as its scripts see it, with texts as strings."""
    found = re.search(r'<script id="data"[^>]*data-form="(\w+)">(.*?)</script>', page.read_text(), re.DOTALL)
    assert found is not None
    text = found[2] if found[1] == "json" else zlib.decompress(base64.b64decode(found[2])).decode()
    data = json.loads(text)
    data["texts"] = ["\n".join(data["lines"][line] for line in accumulate(deltas)) for deltas in data["texts"]]
    return data


def traced(directory: Path, pipeline: str, module: ModuleOp) -> Trace:
    trace = Trace(directory, "a title")
    PassManager(parse_pipeline(pipeline), [trace]).run(context(), module)
    return trace


def test_files_hold_the_module_after_each_pass(tmp_path: Path) -> None:
    texts: list[tuple[str, str]] = []

    class Texts(Instrument):
        def after_pass(self, pass_: Any, module: ModuleOp) -> None:
            texts.append((pass_.name, print_ir(module)))

    with tilewright.PassContext(instruments=[Texts(), Trace(tmp_path)]):
        program = tilewright.build(product())
    files = sorted((tmp_path / "passes").iterdir())
    *passes, llvm, assembly = files
    assert passes[0].name == "000-input.mlir"
    assert [(p.name, p.read_text()) for p in passes[1:]] == [
        (f"{number:03}-{name}.mlir", text) for number, (name, text) in enumerate(texts, 1)
    ]
    assert llvm.name.endswith("-llvm.ll") and llvm.read_text() == program.get_source("llvm")
    assert assembly.name.endswith("-asm.s") and assembly.read_text() == program.get_source("asm")


def test_page_holds_the_same_as_the_files(tmp_path: Path) -> None:
    with tilewright.PassContext(instruments=[Trace(tmp_path)]):
        tilewright.build(product())
    data = data_of(tmp_path / "index.html")
    names = [step["name"] for step in data["steps"]]
    assert names[0] == "input" and names[-2:] == ["llvm", "asm"] and "vectorize" in names
    for step in data["steps"]:
        text = (tmp_path / step["file"]).read_text()
        for name, number in step["parts"]:
            part = data["texts"][number]
            if step["kind"] == "code":
                assert part in text
            elif name != MODULE:
                assert "\n".join(f"  {line}" for line in part.splitlines()) in text
    vectorize = data["steps"][names.index("vectorize")]
    assert vectorize["phase"] == 2 and vectorize["seconds"] > 0
    lowered = (tmp_path / vectorize["file"]).read_text()
    assert vectorize["ops"]["loop"] == len(re.findall(r"\bloop\.(?!yield)\w+", lowered)) + lowered.count("loop.yield")
    assert vectorize["ops"]["builtin"] == 1


def test_rewrites_belong_to_their_pass(tmp_path: Path) -> None:
    pipeline = "lower-te,lower-blocks,sink-allocations,fix-layouts,flatten-buffers,unroll,simplify,cse"
    trace = traced(tmp_path, pipeline, te.to_module(product(7), "main"))
    with count_rewrites() as counter:
        PassManager(parse_pipeline(pipeline)).run(context(), te.to_module(product(7), "main"))
    assert counter.count > 0
    assert sum((Counter(step.rewrites) for step in trace.steps), Counter()) == counter.by_name


def test_remarks_belong_to_their_pass_and_to_who_collects_them(tmp_path: Path) -> None:
    def speaks(_: Any, module: ModuleOp) -> None:
        remark("TW0551", "here I am", op=module)

    with collect_remarks() as outside:
        trace = Trace(tmp_path)
        PassManager([as_pass(speaks), *parse_pipeline("cse"), as_pass(speaks)], [trace]).run(context(), two_functions())
    assert len(outside) == 2
    assert [len(step.remarks) for step in trace.steps] == [0, 1, 0, 1]
    assert "here I am" in trace.steps[1].remarks[0][1]


def test_unchanged_functions_are_kept_once(tmp_path: Path) -> None:
    trace = traced(tmp_path, "cse,simplify,cse", two_functions())
    assert [name for name, _ in trace.steps[0].parts] == ["first", "second", MODULE]
    assert len({step.parts[0] for step in trace.steps}) == 1
    assert len(trace._store.texts) == 3


def test_a_second_run_goes_on(tmp_path: Path) -> None:
    module, trace = two_functions(), Trace(tmp_path)
    manager = PassManager(parse_pipeline("cse"), [trace])
    manager.run(context(), module)
    manager.run(context(), module)
    assert [step.name for step in trace.steps] == ["input", "cse", "cse"]
    other = two_functions()
    IRModule(other)["first"].detach()
    manager.run(context(), other)
    assert [step.name for step in trace.steps] == ["input", "cse", "cse", "input", "cse"]
    assert len(data_of(tmp_path / "index.html")["steps"]) == 5


def test_a_failure_is_the_last_step(tmp_path: Path) -> None:
    def broken(_: Any, module: ModuleOp) -> None:
        IRModule(module)["second"].detach()
        raise TilewrightError("TW0299", "a planted fault")

    trace = Trace(tmp_path)
    with pytest.raises(TilewrightError, match="a planted fault"):
        PassManager([as_pass(broken)], [trace]).run(context(), two_functions())
    step = data_of(tmp_path / "index.html")["steps"][-1]
    assert step["name"] == "broken" and "a planted fault" in step["error"]
    assert [name for name, _ in step["parts"]] == ["first", MODULE]


def test_invalid_ir_is_reported_with_the_pass_that_left_it(tmp_path: Path) -> None:
    def broken(_: Any, module: ModuleOp) -> None:
        last = IRModule(module)["second"].body.block.last_op
        assert last is not None
        last.detach()

    trace = Trace(tmp_path)
    with pytest.raises(TilewrightError, match="TW0107"):
        PassManager([as_pass(broken)], [trace], verify_each=True).run(context(), two_functions())
    assert [bool(step.error) for step in trace.steps] == [False, True]
    assert "TW0107" in trace.steps[-1].error


def test_passes_inside_of_passes_belong_to_the_outer_one(tmp_path: Path) -> None:
    def nested(ctx: Any, module: ModuleOp) -> None:
        PassManager(parse_pipeline("cse,simplify")).run(ctx, module)

    def nested_broken(ctx: Any, module: ModuleOp) -> None:
        PassManager([as_pass(breaks)], verify_each=True).run(ctx, module)

    def breaks(_: Any, module: ModuleOp) -> None:
        last = IRModule(module)["second"].body.block.last_op
        assert last is not None
        last.detach()

    trace = Trace(tmp_path)
    passes = [as_pass(nested), as_pass(nested_broken)]
    with pytest.raises(TilewrightError, match="TW0107"), tilewright.PassContext(instruments=[trace]):
        PassManager(passes).run(context(), two_functions())
    assert [step.name for step in trace.steps] == ["input", "nested", "nested-broken"]
    assert [bool(step.error) for step in trace.steps] == [False, False, True]


def test_old_files_go_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "passes").mkdir()
    for name in ("000-old.mlir", "mine.mlir"):
        (tmp_path / "passes" / name).write_text("")
    traced(tmp_path, "cse", two_functions())
    assert sorted(p.name for p in (tmp_path / "passes").iterdir()) == ["000-input.mlir", "001-cse.mlir", "mine.mlir"]


def test_a_path_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TilewrightError, match="TW0204"):
        Trace(tmp_path / "file")


def test_large_constants_are_left_out_of_the_page() -> None:
    line = f'%a = loop.constant dense<"0x{"00" * 500}"> : memref<125xf32>'
    assert elide(line) == "%a = loop.constant dense<… 1004 characters …> : memref<125xf32>"
    assert elide("dense<[1, 2]>") == "dense<[1, 2]>"
    assert elide("x" * 5000) == "x" * 2000 + "… 3000 more characters"


def test_parts_are_the_functions_and_what_stands_around_them() -> None:
    text, parts = print_parts(two_functions())
    assert text == print_ir(two_functions())
    assert [part.name for part in parts] == ["first", "second", MODULE]
    assert parts[0].text.startswith("func.func @first") and parts[0].text.endswith("}")
    assert parts[2].text == "builtin.module {\n}"
    assert [part.name for part in code_parts("; function @f\ndefine\n; function @f\nother\n")] == ["f", "f (2)"]
    assert code_parts("void f() {}\n")[0].name == MODULE


def test_data_cannot_leave_its_element() -> None:
    store = TextStore()
    step = Step("input", "</script>", "<b>", parts=[("f", store.add("</script><script>alert(1)"))])
    page = render("<title>", [step], store)
    assert page.count("</script>") == 2 and "&lt;title&gt;" in page
    large = TextStore()
    step.parts = [("f", large.add("\n".join(f"%{i} = </script>" for i in range(10_000))))]
    page = render("large", [step], large)
    assert page.count("</script>") == 2 and 'data-form="deflate"' in page
