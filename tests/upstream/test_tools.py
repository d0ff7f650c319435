"""Upstream MLIR in the tools: syntax of several versions, runs, schedules, validation, and what is emitted."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.dialects.upstream.linalg import NAMED_CLASSES
from tilewright.passes.framework.base import Level, level_of
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.pipeline import conversion
from tilewright.tools import cli, opt
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

ROOT = Path(__file__).resolve().parents[2]
MATMUL = ROOT / "lit" / "upstream" / "matmul.mlir"


def module_of(text: str) -> ModuleOp:
    module = parse(context(), text, "<text>")
    module.verify()
    return module


def converted(module: ModuleOp, level: Level = Level.BLOCK) -> ModuleOp:
    PassManager(conversion(level_of(module), level)).run(context(), module)
    return module


def result_of(text: str, *inputs: np.ndarray) -> np.ndarray:
    """Return the results of a function on tensors, interpreted."""
    result = tilewright.compile(module_of(text), target="interpreter")(*inputs)
    assert isinstance(result, np.ndarray)
    return result


def test_level_of_upstream_modules() -> None:
    assert level_of(module_of("func.func @f(%A: memref<4xf32>) { memref.dealloc %A : memref<4xf32> return }")) is (
        Level.UPSTREAM
    )
    text = "func.func @f(%A: tensor<4xf32>) { %0 = math.exp %A : tensor<4xf32> return }"
    assert level_of(module_of(text)) is Level.UPSTREAM
    assert level_of(module_of("func.func @f(%A: tensor<4xf32>) -> tensor<4xf32> { return %A : tensor<4xf32> }")) is (
        Level.TE
    )


@pytest.mark.parametrize("written", ["<sub>", "kind=#linalg.elementwise_kind<sub>"])
def test_both_forms_of_elementwise(written: str) -> None:
    text = f"""func.func @main(%A: tensor<5xf32>, %B: tensor<5xf32>) -> tensor<5xf32> {{
      %e = tensor.empty() : tensor<5xf32>
      %0 = linalg.elementwise {written} ins(%A, %B : tensor<5xf32>, tensor<5xf32>)
        outs(%e : tensor<5xf32>) -> tensor<5xf32>
      return %0 : tensor<5xf32>
    }}"""
    a, b = np.arange(5, dtype=np.float32), np.full(5, 0.5, np.float32)
    np.testing.assert_array_equal(result_of(text, a, b), a - b)


@pytest.mark.parametrize(("cast", "dtype"), [("cast_signed", np.int8), ("cast_unsigned", np.uint8)])
def test_casts_of_a_product(cast: str, dtype: type) -> None:
    text = f"""func.func @main(%A: tensor<3x4xi8>, %B: tensor<4x2xi8>, %C: tensor<3x2xi32>) -> tensor<3x2xi32> {{
      %0 = linalg.matmul {{cast = #linalg.type_fn<{cast}>}} ins(%A, %B : tensor<3x4xi8>, tensor<4x2xi8>)
        outs(%C : tensor<3x2xi32>) -> tensor<3x2xi32>
      return %0 : tensor<3x2xi32>
    }}"""
    a, b = np.arange(-6, 6, dtype=np.int8).reshape(3, 4), np.arange(-4, 4, dtype=np.int8).reshape(4, 2)
    expected = 1 + a.view(dtype).astype(np.int32) @ b.view(dtype).astype(np.int32)
    np.testing.assert_array_equal(result_of(text, a, b, np.ones((3, 2), np.int32)), expected)


def test_maps_of_a_transposed_product() -> None:
    text = """func.func @main(%A: tensor<4x3xf64>, %B: tensor<4x2xf64>, %C: tensor<3x2xf64>) -> tensor<3x2xf64> {
      %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>,
        affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%A, %B : tensor<4x3xf64>, tensor<4x2xf64>)
        outs(%C : tensor<3x2xf64>) -> tensor<3x2xf64>
      return %0 : tensor<3x2xf64>
    }"""
    a, b, c = np.arange(12.0).reshape(4, 3), np.arange(8.0).reshape(4, 2), np.ones((3, 2))
    np.testing.assert_array_equal(result_of(text, a, b, c), c + a.T @ b)


@pytest.mark.parametrize(
    "op",
    [
        "linalg.conv_2d {strides = dense<1> : tensor<1xi64>} ins(%A, %B : memref<8x8xf32>, memref<3x3xf32>)",
        "linalg.transpose ins(%A : memref<8x8xf32>)",
    ],
)
def test_operations_that_do_not_fit_their_operands(op: str) -> None:
    tail = " permutation = [0]" if "transpose" in op else ""
    text = f"""func.func @f(%A: memref<8x8xf32>, %B: memref<3x3xf32>, %C: memref<6x6xf32>) {{
      {op} outs(%C : memref<6x6xf32>){tail}
      return
    }}"""
    with pytest.raises(VerifyException, match="expected"):
        module_of(text)


def test_gather_in_a_generic_body() -> None:
    text = """func.func @main(%A: tensor<7xf32>, %I: tensor<4xindex>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]} ins(%I : tensor<4xindex>) outs(%e : tensor<4xf32>) {
      ^bb0(%i: index, %o: f32):
        %a = tensor.extract %A[%i] : tensor<7xf32>
        linalg.yield %a : f32
      } -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    a, i = np.arange(7, dtype=np.float32), np.array([6, 0, 3, 3])
    np.testing.assert_array_equal(result_of(text, a, i), a[i])


@pytest.mark.parametrize("written", ["{alignment = 64 : i64}", "alignment = 64"])
def test_both_positions_of_an_alignment(written: str) -> None:
    module = module_of(f"func.func @f() {{ %0 = memref.alloc() {written} : memref<4xf32> return }}")
    assert "memref<4xf32>" in str(converted(module))


def test_named_operations_are_documented() -> None:
    page = (ROOT / "docs" / "upstream.md").read_text(encoding="utf-8")
    for op in NAMED_CLASSES:
        name = op.name.removeprefix("linalg.")
        pooling = re.fullmatch(r"(pooling_\w+?)_(sum|max|min|max_unsigned|min_unsigned)", name)
        for word in pooling.groups() if pooling else (name,):
            assert f"`{word}`" in page, f"docs/upstream.md does not name linalg.{name}"


def test_tilewright_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    generator = np.random.default_rng(0)
    a, b = (generator.standard_normal(s).astype(np.float32) for s in ((9, 12), (12, 10)))
    c = np.ones((9, 10), np.float32)
    np.savez(tmp_path / "in.npz", arg0=a, arg1=b, arg2=c)
    path = ROOT / "lit" / "upstream" / "matmul-accumulate.mlir"
    arguments = ["run", str(path), "--input", str(tmp_path / "in.npz"), "--output", str(tmp_path / "out.npz")]
    assert cli.main(arguments) == 0
    (result,) = np.load(tmp_path / "out.npz").values()
    np.testing.assert_allclose(result, c + a @ b, rtol=1e-5, atol=1e-5)


def test_schedule_of_a_converted_module() -> None:
    module = converted(module_of(MATMUL.read_text(encoding="utf-8")))
    schedule = tilewright.Schedule(module)
    i, _, k = schedule.get_loops(schedule.get_block("matmul"))
    _, inner = schedule.split(i, factors=[None, 4])
    schedule.reorder(k, inner)
    schedule.parallel(schedule.get_loops(schedule.get_block("matmul"))[0])
    a, b = np.arange(17 * 23, dtype=np.float32).reshape(17, 23) / 100, np.ones((23, 19), np.float32)
    c = np.full((17, 19), 7, np.float32)
    tilewright.compile(schedule.mod if isinstance(schedule.mod, ModuleOp) else module, target="interpreter")(a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


def test_unregistered_operations_are_read_on_demand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "foreign.mlir"
    path.write_text('func.func @f() { %0 = "foreign.op"() {a = 1 : i32} : () -> i32 func.return }')
    assert opt.main([str(path)]) == 1
    assert "unknown dialect 'foreign'" in capsys.readouterr().err
    assert opt.main(["--allow-unregistered-dialect", str(path)]) == 0
    assert '%0 = "foreign.op"() {a = 1 : i32} : () -> i32' in capsys.readouterr().out


def test_emitted_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert opt.main(["--emit", "mlir-upstream", str(MATMUL)]) == 0
    text = capsys.readouterr().out
    assert "affine.for %i0 = 0 to 17 {" in text
    assert "affine.store %cst, %arg2[%i0, %i1] : memref<17x19xf32>" in text
    assert not re.search(r"\bloop\.|tw\.", text)


def test_vectors_are_emitted_and_read_back() -> None:
    from tilewright.backends.upstream.writer import upstream_text

    text = """func.func @main(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %s: memref<4xf32>) {
      loop.for %i = 0 to 4 kind parallel {
        %a = loop.load %A[%i, lane] : memref<4x8xf32>, vector<8xf32>
        %s0 = loop.load %s[%i] : memref<4xf32>, vector<8xf32>
        %p = arith.mulf %a, %s0 : vector<8xf32>
        loop.store %p, %B[%i, lane] : vector<8xf32>, memref<4x8xf32>
      }
      func.return
    }"""
    emitted = upstream_text(module_of(text))
    assert "affine.parallel (%i) = (0) to (4) {" in emitted
    assert "affine.vector_load %A[%i, 0] : memref<4x8xf32>, vector<8xf32>" in emitted
    a, s = np.arange(32, dtype=np.float32).reshape(4, 8), np.arange(4, dtype=np.float32)
    b = np.zeros_like(a)
    tilewright.compile(module_of(emitted), target="interpreter")(a, b, s)
    np.testing.assert_array_equal(b, a * s[:, None])


def test_masks_of_the_first_lanes_are_emitted_and_read_back() -> None:
    from tilewright.backends.upstream.writer import upstream_text

    text = """func.func @main(%A: memref<21xf32>, %B: memref<21xf32>) {
      %one = arith.constant 1.0 : f32
      loop.for %i = 0 to 3 {
        %a = loop.load %A[%i * 8 + lane] where (%i * 8 + lane < 21, %i >= 1) else %one : memref<21xf32>, vector<8xf32>
        loop.store %a, %B[%i * 8 + lane] where (%i * 8 + lane < 21) : vector<8xf32>, memref<21xf32>
      }
      func.return
    }"""
    emitted = upstream_text(module_of(text))
    for word in ("vector.create_mask", "vector.maskedload", "vector.maskedstore"):
        assert word in emitted
    a = np.arange(21, dtype=np.float32)
    for program in (text, emitted):
        b = np.zeros_like(a)
        tilewright.compile(module_of(program), target="interpreter")(a, b)
        np.testing.assert_array_equal(b, np.where(np.arange(21) < 8, 1, a))


@pytest.mark.parametrize(
    "line",
    [
        "%a = loop.load %A[lane] where (lane >= 3) else %z : memref<8xf32>, vector<8xf32>",
        "%a = loop.load %A[lane * 2] : memref<8xf32>, vector<4xf32>",
        'loop.assert (%n < 3), "expected less" ()',
        'loop.for %t = 0 to 8 kind thread<"threadIdx.x"> { }',
    ],
)
def test_what_upstream_mlir_cannot_say(line: str) -> None:
    from tilewright.backends.upstream.writer import upstream_text

    text = f"""func.func @f(%A: memref<8xf32>, %n: index) {{
      %z = arith.constant 0.0 : f32
      {line}
      func.return
    }}"""
    with pytest.raises(TilewrightError, match="TW0572.*upstream MLIR has no counterpart of") as error:
        upstream_text(module_of(text))
    assert error.value.help is not None and error.value.location is not None


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("cf.br ^next ^next: return", "TW0570.*'cf.br' is not converted"),
        ("ub.unreachable", "TW0570.*'ub.unreachable' is not converted"),
    ],
)
def test_operations_that_are_not_converted(body: str, message: str) -> None:
    module = module_of(f"func.func @f(%A: memref<4xf32>, %n: index) {{ {body} }}")
    with pytest.raises(TilewrightError, match=message) as error:
        converted(module)
    assert error.value.location is not None and error.value.help
