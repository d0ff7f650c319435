"""Profiles: every kernel is there, with its operators, calls and work."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright import te, tir
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from tilewright.driver.profiling import WorkRecorder
from tilewright.runtime.library import load_module
from tilewright.runtime.profile import Call, Kernel, Profile
from xdsl.parser import Parser

RANDOM = np.random.default_rng(0)

TWO_PRODUCTS = """
func.func @main(%a: tensor<32x16xf32>, %b: tensor<16x24xf32>, %c: tensor<32x24xf32>) -> tensor<32x24xf32> {
  %p = graph.matmul %a, %b : tensor<32x24xf32>
  %r = graph.relu %p : tensor<32x24xf32>
  %s = graph.softmax %r : tensor<32x24xf32>
  %q = graph.matmul %c, %s transpose_b : tensor<32x32xf32>
  %t = graph.matmul %q, %p : tensor<32x24xf32>
  func.return %t : tensor<32x24xf32>
}"""


def product(m: int, n: int, k: int) -> list[te.Tensor]:
    a, b = te.placeholder((m, k), name="a"), te.placeholder((k, n), name="b")
    r = te.reduce_axis((0, k), name="r")
    return [a, b, te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="c")]


def random(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


def test_a_program_without_calls_is_one_kernel() -> None:
    args = product(32, 48, 64)
    program = tilewright.build(args)
    profile = program.profile([random(32, 64), random(64, 48)], repeat=3)
    (kernel,) = profile.kernels
    assert (kernel.name, kernel.operators, kernel.calls) == ("main", ("c",), 1)
    assert kernel.flops == 2 * 32 * 48 * 64
    assert kernel.bytes == 4 * (32 * 64 + 64 * 48 + 32 * 48)
    assert kernel.seconds > 0
    assert kernel.gflops_per_second == pytest.approx(1e-9 * kernel.flops / kernel.seconds)
    assert kernel.gigabytes_per_second == pytest.approx(1e-9 * kernel.bytes / kernel.seconds)


def test_work_is_that_of_the_definition_whatever_the_schedule() -> None:
    args = product(30, 30, 30)
    schedule = te.create_schedule(args[2].op)
    i, j = schedule[args[2]].op.axis
    schedule[args[2]].tile(i, j, 8, 8)
    profile = tilewright.build(schedule, args).profile({"a": random(30, 30), "b": random(30, 30)}, repeat=1)
    assert profile.kernels[0].flops == 2 * 30**3


def test_kernels_of_a_graph() -> None:
    module = Parser(context(), TWO_PRODUCTS).parse_module()
    program = tilewright.compile(module)
    inputs = [random(32, 16), random(16, 24), random(32, 24)]
    expected = program(*inputs)
    profile = program.profile(inputs, repeat=2, threads=1)
    np.testing.assert_array_equal(program(*inputs), expected)
    assert profile.threads == 1 and profile.repeat == 2
    found = Counter(operator for kernel in profile.kernels for operator in kernel.operators for _ in kernel.sources)
    assert found == {"matmul": 3, "relu": 1, "softmax": 1}
    products = sum(kernel.flops or 0 for kernel in profile.kernels if "matmul" in kernel.operators)
    relu = sum(32 * 24 for kernel in profile.kernels if {"matmul", "relu"} <= set(kernel.operators))
    assert products - relu == 2 * (32 * 24 * 16 + 32 * 32 * 24 + 32 * 24 * 32)


def test_versions_that_do_not_run_are_left_out() -> None:
    args = product(12, 12, 12)
    strided = tir.decl_buffer((12, 12), "float32", name="a", strides=[te.var("s"), te.var("t")])
    program = tilewright.build(te.create_schedule(args[2].op), args, binds={args[0]: strided})
    (kernel,) = program.profile([random(12, 12), random(12, 12)], repeat=1).kernels
    assert kernel.name.endswith("_dense") and kernel.flops == 2 * 12**3


def test_programs_that_check_themselves_and_debug_information() -> None:
    with tilewright.PassContext(config={"check_bounds": True, "debug_info": True}):
        profile = tilewright.build(product(9, 9, 9)).profile([random(9, 9), random(9, 9)], repeat=1)
    assert profile.kernels[0].flops == 2 * 9**3


def test_forms_of_a_profile() -> None:
    profile = tilewright.build(product(8, 8, 8)).profile([random(8, 8), random(8, 8)], repeat=2)
    data = json.loads(profile.as_json())
    assert data["repeat"] == 2 and data["ratio"] == profile.ratio
    (kernel,) = data["kernels"]
    assert kernel["name"] == "main" and kernel["share"] == 1 and kernel["flops"] == 1024
    assert kernel["sources"][0]["source"].startswith("test_profile.py:")
    head, row, total = str(profile).splitlines()
    assert head.split()[:3] == ["kernel", "calls", "ms"] and row.split()[0] == "main" and "ratio" in total


def test_symbolic_sizes_have_times_without_rates() -> None:
    n = te.var("n")
    x = te.placeholder((n,), name="x")
    profile = tilewright.build([x, te.compute((n,), lambda i: x[i] + 1.0, name="y")]).profile([random(5)], repeat=1)
    (kernel,) = profile.kernels
    assert (kernel.flops, kernel.gflops_per_second) == (None, None) and kernel.seconds > 0
    assert " - " in str(profile)


def test_programs_without_clocks_are_refused(tmp_path: Path) -> None:
    program = tilewright.build(product(4, 4, 4))
    program.save(tmp_path / "p.so")
    for other in (load_module(tmp_path / "p.so"), tilewright.build(product(4, 4, 4), target="interpreter")):
        with pytest.raises(TilewrightError, match="TW0734"):
            other.profile([random(4, 4), random(4, 4)])
    with pytest.raises(TilewrightError, match="TW0208"):
        program.profile([random(4, 4), random(4, 4)], repeat=0)


def test_a_program_has_no_clocks_until_it_is_profiled() -> None:
    program = tilewright.build(product(4, 4, 4))
    assert "clock" not in program.get_source("llvm")


def test_recorder_takes_the_first_run_alone() -> None:
    recorder = WorkRecorder()
    tilewright.driver.lower_module(te.to_module(product(4, 4, 4), "main"), instruments=[recorder])
    assert recorder.work["main"].flops == 2 * 4**3
    tilewright.driver.lower_module(te.to_module(product(8, 8, 8), "main"), instruments=[recorder])
    assert recorder.work["main"].flops == 2 * 4**3


def test_the_cost_model_says_why_a_kernel_is_slow() -> None:
    """Of a product whose innermost loop walks along a column; the default plan of the same has no reason."""
    args = product(64, 96, 512)
    plain = te.create_schedule(args[2].op)
    inputs = [random(64, 512), random(512, 96)]
    (slow,) = tilewright.build(plain, args).profile(inputs, repeat=1, threads=1).kernels
    assert slow.predicted_share is not None and slow.predicted_share < 0.2
    assert slow.reason == (
        "TW0842, the innermost loop loads %b in steps of 384 bytes: loop %r is innermost, and moves another dimension "
        "than the last one"
    )
    (fast,) = tilewright.build(args).profile(inputs, repeat=1, threads=1).kernels
    assert fast.predicted_share is not None and fast.predicted_share > slow.predicted_share and fast.reason == ""


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    kernels = (
        Kernel(
            *("f", ("conv2d", "relu"), 4, 0.003, 6_000_000, 3_000_000, tuple(Call(f"n{i}", 1e-3) for i in range(5))),
            predicted_share=0.25,
            reason="TW0843, block 'c' keeps 37 vectors in registers",
        ),
        Kernel("g", (), 1, 0.001, None, None, (Call("", 0.001),)),
    )
    profile = Profile(kernels, 0.0041, 0.0042, 0.95, 7, 2)
    print(profile)
    head, first, second, total, reason = capsys.readouterr().out.splitlines()
    assert first.split()[:8] == ["f", "4", "3.0000", "75.0%", "0.0060", "2.0", "3.00", "1.0"]
    assert first.split()[8] == "25%"
    assert first.endswith("conv2d + relu (n0, n1, n2 and 2 more)")
    assert second.split() == ["g", "1", "1.0000", "25.0%", "-", "-", "-", "-", "-"]
    assert reason == "f: TW0843, block 'c' keeps 37 vectors in registers"
    assert total == "all kernels 4.100 ms, a run without clocks 4.200 ms: ratio 0.950 (medians of 7 runs, 2 threads)"
    assert head.index("ms") + 2 == first.index("3.0000") + 6
