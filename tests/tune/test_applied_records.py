"""Compiling with tuning records: the schedule of the best one, the default where it does not fit, and the cache."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import PassContext, te
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import Remark, collect_remarks
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver import building, compiler_state, program_cache
from tilewright.driver.lowering import lower_module
from tilewright.passes.framework import intrinsics
from tilewright.passes.framework.validation.instrument import Validation
from tilewright.schedule.records import VERDICT, Record
from tilewright.tune.space import RuleSpace
from tuning_tasks import PRODUCT, TARGET, module_of, plain_kernels, record, target, tiled
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

MEASURED = f"{TARGET} -loads=1.5@measured -latencies=5,14,50,300@measured -page=4096@system"
X = np.random.default_rng(0).standard_normal((24, 32), np.float32)
W = np.random.default_rng(1).standard_normal((32, 40), np.float32)


def kernel(text: str = PRODUCT) -> FuncOp:
    (function,) = plain_kernels(module_of(text))
    return function


def written(path: Path, *records: Record) -> Path:
    path.write_text("".join(each.as_line() for each in records))
    return path


def scheduled(records: Path | None, module: ModuleOp | None = None) -> tuple[str, list[Remark]]:
    """Return the text after phase 0, and the remarks about records."""
    with PassContext(records=records), collect_remarks() as remarks:
        text = str(lower_module(module or module_of(), 0))
    return text, [remark for remark in remarks if remark.code.startswith("TW082")]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "records.jsonl"


def test_the_best_schedule_is_applied(file: Path) -> None:
    default, _ = scheduled(None)
    text, remarks = scheduled(written(file, record(kernel(), tiled(3), trial=1)))
    assert "%index0i = 0 to 3" in text and text != default
    assert remarks == []
    program = tilewright.compile(module_of(), records=file)
    np.testing.assert_allclose(program(X, W), np.maximum(X @ W, 0), rtol=1e-5, atol=1e-5)
    assert tilewright.compile(module_of()).get_source("asm") != program.get_source("asm")


def test_every_way_to_name_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(file, record(kernel(), tiled(3)))
    expected, _ = scheduled(file)
    with PassContext(config={"records": str(file)}):
        assert str(lower_module(module_of(), 0)) == expected
    monkeypatch.setenv("TILEWRIGHT_RECORDS", str(file))
    assert str(lower_module(module_of(), 0)) == expected


@pytest.mark.parametrize("path", [7, "", b"x"])
def test_what_is_no_path(path: Any) -> None:
    with pytest.raises(TilewrightError, match="expected the path of a file as records") as refusal:
        PassContext(records=path)
    assert refusal.value.code == "TW0208"


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(TilewrightError) as refusal:
        tilewright.compile(module_of(), records=tmp_path / "none.jsonl")
    assert refusal.value.code == "TW0204"


def test_a_point_of_the_space_is_what_its_record_makes(file: Path) -> None:
    """The replayed function is the one that building the point gives, names aside: both in canonical form."""
    from tilewright.schedule.canonical import canonical

    form = canonical(kernel(), located=False)
    built = RuleSpace(form.function, target()).build({})
    stated = record(kernel(), lambda sch: built.trace.apply_to(sch), decisions=built.point)
    text, remarks = scheduled(written(file, stated))
    assert remarks == [] and text == scheduled(None)[0]
    without_trace = replace(stated, trace=None)
    assert scheduled(written(file, without_trace)) == (text, [])


def test_a_trace_that_is_refused_gives_the_default(file: Path) -> None:
    default, _ = scheduled(None)
    trace = record(kernel(), tiled(3)).trace or ()
    step: dict[str, Any] = {"method": "reorder", "positional": [], "keywords": {}, "results": [], "single": False}
    wrong: list[tuple[str, tuple[Any, ...]]] = [
        ("expected a trace in JSON", ({"method": 3},)),
        ("expected a primitive", ({**step, "method": "fly"},)),
        ("'nobody'", ({**trace[0], "positional": ["nobody"]},)),
        ("", (*trace, {**trace[-1], "keywords": {"factors": [0, 0]}})),
    ]
    for reason, steps in wrong:
        text, remarks = scheduled(written(file, replace(record(kernel()), trace=steps)))
        assert text == default
        assert [remark.code for remark in remarks] == ["TW0822"]
        assert "@matmul_relu has its default schedule" in remarks[0].message and reason in remarks[0].message


def test_a_decision_that_does_not_fit_gives_the_default(file: Path) -> None:
    stated = replace(record(kernel()), trace=None, decisions={"b0:nothing.asks": 4})
    text, remarks = scheduled(written(file, stated))
    assert text == scheduled(None)[0]
    assert "'b0:nothing.asks' = 4 is asked by no rule" in remarks[0].message


def test_records_of_others_are_not_applied(file: Path) -> None:
    mine = record(kernel(), tiled(3))
    for other in (replace(mine, machine="another"), replace(mine, compiler="another")):
        text, remarks = scheduled(written(file, other))
        assert text == scheduled(None)[0]
        assert [(r.code, r.kind) for r in remarks] == [("TW0823", "analysis")]
        assert remarks[0].notes == (
            "1 kernel of them with records of another machine or compiler, where tuning starts from",
        )
    threads = TARGET.replace("threads=2", "threads=4")
    text, remarks = scheduled(written(file, mine), module_of(PRODUCT, target(threads)))
    assert [r.code for r in remarks] == ["TW0823"] and remarks[0].notes == ()


def test_records_are_applied_whatever_was_measured_of_the_machine(file: Path) -> None:
    """Records of a target without facts are for one with measured facts, and the other way round."""
    measured = target(MEASURED)
    tuned = {}
    for of_target in (target(), measured):
        written(file, record(kernel(), tiled(3), of_target=of_target))
        for for_target in (target(), measured):
            text, remarks = scheduled(file, module_of(PRODUCT, for_target))
            assert "%index0i = 0 to 3" in text and remarks == []
            tuned[str(of_target), str(for_target)] = text.partition("\n")[2]
    assert len(set(tuned.values())) == 1
    text, remarks = scheduled(file, module_of(PRODUCT, target(f"{TARGET} -loads=1.5")))
    assert [r.code for r in remarks] == ["TW0823"]


def test_a_damaged_line_is_reported_and_left(file: Path) -> None:
    written(file, record(kernel(), tiled(3)))
    with file.open("a") as stream:
        stream.write('{"version": 1, "ta')
    before = file.read_bytes()
    text, remarks = scheduled(file)
    assert "%index0i = 0 to 3" in text and file.read_bytes() == before
    assert [r.code for r in remarks] == ["TW0820"] and f"{file}:2:" in remarks[0].message


TWO = """
func.func @main(%x: tensor<24x32xf32>, %w: tensor<32x40xf32>) -> (tensor<24x40xf32>, tensor<40xf32>) {
  %s = graph.matmul %x, %w : tensor<24x40xf32>
  %r = graph.reduce_sum %s axes [0] : tensor<40xf32>
  func.return %s, %r : tensor<24x40xf32>, tensor<40xf32>
}
"""


def test_kernels_that_are_not_tuned_are_counted_once(file: Path) -> None:
    first, second = plain_kernels(module_of(TWO))
    _, remarks = scheduled(None, module_of(TWO))
    assert [r.message.partition(":")[0] for r in remarks] == ["default schedules for 2 kernels, none of them tuned"]
    _, remarks = scheduled(written(file, record(first)), module_of(TWO))
    assert len(remarks) == 1 and "for 1 of 2 kernels" in remarks[0].message and "--resume" in remarks[0].message
    _, remarks = scheduled(written(file, record(first), record(second, trial=0)), module_of(TWO))
    assert remarks == []


OPEN = """
func.func @main(%x: tensor<?x40xf32, #graph.dims<n, _>>) -> tensor<?x40xf32, #graph.dims<n, _>> {
  %r = graph.tanh %x : tensor<?x40xf32, #graph.dims<n, _>>
  func.return %r : tensor<?x40xf32, #graph.dims<n, _>>
}
"""


EVERY = {"a0[0]": (1, None)}


def test_a_schedule_for_all_values_of_an_open_size(file: Path) -> None:
    (function,) = plain_kernels(module_of(OPEN))
    default, _ = scheduled(None, module_of(OPEN))
    for sizes in (EVERY, {"a0[0]": (0, None), "a1[0]": (1, None)}):
        text, remarks = scheduled(written(file, record(function, tiled(3), sizes=sizes)), module_of(OPEN))
        assert "%i0i = 0 to 3" in text and "loop.if" not in text and text != default and remarks == []
    text, remarks = scheduled(written(file, record(function, tiled(3))), module_of(OPEN))
    assert text == default and "it says no range of the size n, which only a call knows" in remarks[0].message
    text, remarks = scheduled(written(file, record(function, trial=0)), module_of(OPEN))
    assert text == default and remarks == []


def versions_of(text: str) -> list[str]:
    """Return the conditions and the calls of the function that chooses among versions."""
    chooser = text[text.index("func.func private @tanh(") :].partition("func.return")[0]
    return re.findall(r"loop\.if \(.*?\)|call @[a-z0-9_]+|else", chooser)


def test_schedules_for_ranges_of_an_open_size(file: Path) -> None:
    (function,) = plain_kernels(module_of(OPEN))
    some = record(function, tiled(3), sizes={"a0[0]": (64, 128)})
    text, remarks = scheduled(written(file, some), module_of(OPEN))
    assert versions_of(text) == ["loop.if (%n >= 64, %n < 129)", "call @tanh_n_64_128", "else", "call @tanh_other"]
    assert "%i0i = 0 to 3" in text and remarks == []

    narrow = record(function, tiled(5), sizes={"a0[0]": (100, 110)}, trial=2)
    rest = record(function, tiled(7), sizes=EVERY, trial=3)
    text, _ = scheduled(written(file, rest, some, narrow), module_of(OPEN))
    assert [each for each in versions_of(text) if each != "else"] == [
        "loop.if (%n >= 100, %n < 111)", "call @tanh_n_100_110", "loop.if (%n >= 64, %n < 129)", "call @tanh_n_64_128",
        "call @tanh_other",
    ]  # fmt: skip
    assert all(f"%i0i = 0 to {rows}" in text for rows in (3, 5, 7))
    assert scheduled(written(file, narrow, some, rest), module_of(OPEN))[0] == text, "in whatever order"

    default = record(function, trial=0, sizes={"a0[0]": (100, 110)})
    text, _ = scheduled(written(file, some, default), module_of(OPEN))
    assert versions_of(text) == [
        "loop.if (%n >= 100, %n < 111)", "call @tanh_other", "else", "loop.if (%n >= 64, %n < 129)",
        "call @tanh_n_64_128", "else", "call @tanh_other",
    ]  # fmt: skip
    wide = record(function, trial=0, sizes={"a0[0]": (1, 512)})
    assert versions_of(scheduled(written(file, some, wide), module_of(OPEN))[0])[1] == "call @tanh_n_64_128"
    refused = replace(some, trace=({"method": "none"},))
    text, remarks = scheduled(written(file, refused), module_of(OPEN))
    assert text == scheduled(None, module_of(OPEN))[0] and len(remarks) == 1


def test_versions_compute_what_the_default_does(file: Path) -> None:
    """At both ends of the ranges and beside them, with validation, and in a function that callers enter."""
    (function,) = plain_kernels(module_of(OPEN))
    written(
        file,
        record(function, tiled(3), sizes={"a0[0]": (64, 128)}),
        record(function, tiled(5), sizes={"a0[0]": (100, 110)}, trial=2),
    )
    entered = te_product()
    (plain,) = plain_kernels(entered)
    with file.open("a") as stream:
        stream.write(record(plain, tiled(4), sizes={"a0[0]": (5, 9)}).as_line())
    program, product = tilewright.compile(module_of(OPEN), records=file), tilewright.compile(entered, records=file)
    assert "tanh_n_64_128" in program.get_source("mlir") and "_5_9" in product.get_source("mlir")
    for rows in (0, 1, 63, 64, 99, 100, 110, 111, 128, 129, 200):
        x = np.random.default_rng(rows).standard_normal((rows, 40), np.float32)
        np.testing.assert_allclose(program(x), np.tanh(x), rtol=1e-5, atol=1e-6)
    for rows in (1, 4, 5, 9, 10):
        a = np.random.default_rng(rows).standard_normal((rows, 8), np.float32)
        np.testing.assert_allclose(product(a), a * 2, rtol=1e-6)
    with PassContext(records=file, instruments=[Validation()]):
        lower_module(module_of(OPEN))


def te_product() -> ModuleOp:
    """Return a module whose entry has the loops."""
    a = te.placeholder((te.var("rows"), 8), name="a")
    module = tilewright.IRModule({"main": te.create_prim_func([a, te.compute(a.shape, lambda i, j: a[i, j] * 2)])}).op
    module.attributes[TARGET_ATTRIBUTE] = target()
    return module


# The cache of programs


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    builtin: dict[tuple[str, str], dict[int, Any]] = {}
    for key, levels in intrinsics._rules.items():
        builtin[key] = {n: tuple(e for e in entries if isinstance(e.rule, str)) for n, entries in levels.items()}
    monkeypatch.setattr(intrinsics, "_rules", builtin)
    assert compiler_state.is_as_shipped()
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TILEWRIGHT_PROGRAM_CACHE", "1")
    monkeypatch.setattr(program_cache, "compiler_fingerprint", lambda: "these sources")
    yield
    program_cache.finish_writing()


def test_a_changed_record_recompiles_and_an_unchanged_one_does_not(
    cache: None, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compilations = 0
    lower = building.lower_module

    def counted(module: ModuleOp, *arguments: Any, **keywords: Any) -> ModuleOp:
        nonlocal compilations
        compilations += 1
        return lower(module, *arguments, **keywords)

    monkeypatch.setattr(building, "lower_module", counted)

    def compiled(*records: Record, text: str = TARGET) -> int:
        """Return the number of compilations with these records."""
        nonlocal compilations
        compilations = 0
        path = written(file, *records) if records else None
        program = tilewright.compile(module_of(PRODUCT, target(text)), threads=1, records=path)
        np.testing.assert_allclose(program(X, W), np.maximum(X @ W, 0), rtol=1e-5, atol=1e-5)
        program_cache.finish_writing()
        return compilations

    three, four = record(kernel(), tiled(3), 0.5), record(kernel(), tiled(4), 0.25, trial=2, code="four")
    assert compiled() == 1
    assert compiled(three) == 1
    assert compiled(three) == 0
    assert compiled() == 0
    slower = record(kernel(), tiled(5), 0.75, trial=3, code="five")
    assert compiled(three, slower) == 0, "a record that is not the best changes nothing"
    assert compiled(three, four) == 1, "another one is the best"
    assert compiled(three, four, replace(three, role=VERDICT)) == 0, "the first program again"
    foreign = replace(four, machine="another")
    assert compiled(three, foreign) == 0
    assert compiled(record(kernel(), trial=0)) == 0, "the default schedule is that of no records"
    assert (compiled(three, text=MEASURED), compiled(three, four, text=MEASURED)) == (1, 1), "records without facts"


def test_compilation_sees_the_records_of_its_key(cache: None, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that changes between the making of the key and the passes."""
    three, four = record(kernel(), tiled(3), 0.5), record(kernel(), tiled(4), 0.25, trial=2, code="four")
    written(file, three)
    seen: list[str] = []
    lower = building.lower_module

    def changing(module: ModuleOp, *arguments: Any, **keywords: Any) -> ModuleOp:
        written(file, three, four)
        seen.append(str(lower_module(module, 0)))
        return lower(module, *arguments, **keywords)

    monkeypatch.setattr(building, "lower_module", changing)
    tilewright.compile(module_of(), records=file)
    assert "%index0i = 0 to 3" in seen[0]


def test_command_line(file: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.mlir"
    model.write_text(PRODUCT)
    # The command has none of the rules that other tests of this process registered.
    written(file, record(kernel(), tiled(3), compiler=compiler_state._content_digest()))

    def compiled(*options: str) -> str:
        command = [
            sys.executable,
            "-m",
            "tilewright",
            "compile",
            str(model),
            "--target",
            TARGET,
            "--emit",
            "mlir",
            *options,
        ]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert compiled("--records", str(file)) != compiled()
