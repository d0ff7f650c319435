"""LLVM text to loaded code: errors, the object cache, threads."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from tilewright import TilewrightError
from tilewright.backends.cpu import jit
from tilewright.backends.cpu.host import host_target
from tilewright.backends.cpu.jit import ObjectCompiler, load_objects, object_key
from tilewright.backends.cpu.llvm import CodeOptions, emit_assembly, emit_object
from tilewright.backends.cpu.module import code_options
from tilewright.dialects import context
from tilewright.dialects.target import X86_64, CpuTargetAttr
from tilewright.dialects.target_features import LEVELS

SETS = LEVELS[X86_64]["x86-64-v2"]
OPTIONS = CodeOptions(SETS)


def answer(value: int) -> str:
    return f"define i32 @answer() {{\n  ret i32 {value}\n}}\n"


def call(address: int) -> int:
    return ctypes.CFUNCTYPE(ctypes.c_int32)(address)()


def test_syntax_error_names_the_line():
    with pytest.raises(TilewrightError) as caught:
        emit_object("define i32 @f() {\n  %x = add float 1.0, 2.0\n  ret i32 0\n}", OPTIONS)
    assert caught.value.code == "TW0603"
    assert "at line 2" in caught.value.message
    assert caught.value.notes == ["line 2: %x = add float 1.0, 2.0"]


def test_invalid_module_is_rejected():
    with pytest.raises(TilewrightError, match="does not dominate") as caught:
        emit_object("define i32 @f(i1 %c) {\n  %x = add i32 %y, 1\n  %y = add i32 1, 1\n  ret i32 %x\n}", OPTIONS)
    assert caught.value.code == "TW0603"


def test_missing_symbol(capfd):
    data = emit_object(
        "declare void @no_such_function()\ndefine void @f() {\n  call void @no_such_function()\n  ret void\n}", OPTIONS
    )
    with pytest.raises(TilewrightError, match="cannot be linked"):
        load_objects([data], {}, ["f"])


def test_assembly():
    assert "vfmadd" in emit_assembly(
        "declare float @llvm.fma.f32(float, float, float)\n"
        "define float @f(float %a, float %b, float %c) {\n"
        "  %r = call float @llvm.fma.f32(float %a, float %b, float %c)\n  ret float %r\n}",
        CodeOptions(("avx2", "fma")),
    )


def test_nothing_is_contracted_or_reassociated():
    text = (
        "define float @f(float %a, float %b, float %c) {\n"
        "  %m = fmul float %a, %b\n  %s = fadd float %m, %c\n  ret float %s\n}"
    )
    assert "vfmadd" not in emit_assembly(text, CodeOptions(("avx2", "fma")))


def test_libraries_are_separate():
    """The same symbol in two programs."""
    first, second = (load_objects([emit_object(answer(k), OPTIONS)], {}, ["answer"]) for k in (1, 2))
    assert (call(first["answer"]), call(second["answer"])) == (1, 2)


def test_cache_serves_equal_texts(object_cache, monkeypatch):
    compiled = []
    monkeypatch.setattr(jit, "emit_object", lambda text, options: compiled.append(text) or emit_object(text, options))
    for _ in range(2):
        with ObjectCompiler(1) as compiler:
            results = [compiler.submit(answer(k), OPTIONS).result() for k in (1, 2)]
    assert compiled == [answer(1), answer(2)]
    assert len([*object_cache.rglob("*.o")]) == 2
    code = load_objects([results[1]], {}, ["answer"])
    assert call(code["answer"]) == 2


def test_key_covers_everything(monkeypatch):
    keys = {
        object_key(answer(1), OPTIONS),
        object_key(answer(2), OPTIONS),
        object_key(answer(1), CodeOptions(())),
        object_key(answer(1), CodeOptions(SETS, vectorize=True)),
        object_key(answer(1), CodeOptions(SETS, level=1)),
        object_key(answer(1), CodeOptions(SETS, one_by_one=True)),
    }
    monkeypatch.setattr("tilewright.__version__", "0.0.0")
    keys.add(object_key(answer(1), OPTIONS))
    assert len(keys) == 7


TWICE = """
define <4 x float> @twice(ptr noalias %x, ptr noalias %y) {
  %a = load <4 x float>, ptr %x
  store <4 x float> %a, ptr %y
  %b = load <4 x float>, ptr %x
  %c = fadd <4 x float> %a, %b
  ret <4 x float> %c
}
"""


def test_functions_one_by_one_load_what_is_the_same_once():
    assembly = emit_assembly(TWICE, CodeOptions(("avx2",), one_by_one=True))
    assert assembly.count("(%rdi)") == 1
    assert emit_assembly(TWICE, CodeOptions(("avx2",), level=0)).count("(%rdi)") == 2


def test_what_is_optimised_one_by_one():
    """Functions with vectors of their own, which call nothing that is to be inlined."""
    target = host_target()
    vectors, scalars = (code_options(text, target, ()) for text in (TWICE, answer(1)))
    assert vectors.one_by_one and not vectors.vectorize
    assert not scalars.one_by_one and scalars.vectorize
    assert not code_options(TWICE, target, (answer(1),)).one_by_one


def test_compiling_from_several_threads(main):
    def compile_and_call(k: int) -> bool:
        module = main(
            "%x: memref<8xf32>, %y: memref<8xf32> {tw.output}",
            f"""
            %c = arith.constant dense<{k}.0> : vector<8xf32>
            %v = loop.load %x[lane] : memref<8xf32>, vector<8xf32>
            %w = arith.mulf %v, %c : vector<8xf32>
            loop.store %w, %y[lane] : vector<8xf32>, memref<8xf32>""",
        )
        x = np.arange(8, dtype=np.float32)
        return np.array_equal(module(x), x * k)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(compile_and_call, range(16)))


@pytest.mark.native("what the system says of the machine at hand is a target")
def test_host_target_round_trips():
    from xdsl.parser import Parser

    target = host_target()
    assert Parser(context(), str(target)).parse_attribute() == target
    assert target.kind == "cpu" and target.threads >= 1 and target.caches[0] >= 8 << 10
    assert target.lanes(32) == target.vector_bits // 32 and target.lanes(4096) == 1
    small = CpuTargetAttr.get(["sse2"], 128, (32 << 10, 1 << 20, 0), 1)
    assert (small.lanes(64), small.vector_registers, small.has("avx2")) == (2, 15, False)


@pytest.mark.parametrize(
    "text, message",
    [
        ("vector_bits 100, caches [1, 2, 3], threads 1", "expected vector_bits to be a power of two, but got 100"),
        ("vector_bits 128, caches [1, 2], threads 1", "expected 3 cache sizes, but got"),
        ("vector_bits 128, caches [1, 2, 3], threads 0", "expected threads to be at least 1, but got 0"),
    ],
)
def test_bad_targets(text, message):
    from xdsl.parser import Parser
    from xdsl.utils.exceptions import ParseError, VerifyException

    with pytest.raises((ParseError, VerifyException), match=message):
        Parser(context(), f'#target.cpu<features ["sse2"], {text}>').parse_attribute()


def test_target_of_the_module_decides(parse):
    from tilewright.backends.cpu.module import assembly

    text = """
    builtin.module attributes {{
      tw.target = #target.cpu<features [{features}], vector_bits {bits}, caches [1, 1, 1], threads 1>
    }} {{
      func.func @main(%x: memref<8xf32>, %y: memref<8xf32> {{tw.output}}) {{
        %v = loop.load %x[lane] : memref<8xf32>, vector<8xf32>
        %w = arith.mulf %v, %v : vector<8xf32>
        loop.store %w, %y[lane] : vector<8xf32>, memref<8xf32>
        func.return
      }}
    }}"""
    assert "ymm" not in assembly(parse(text.format(features='"sse2"', bits=128)))
    assert "ymm" in assembly(parse(text.format(features='"avx2", "avx"', bits=256)))


def test_runtime_imports_no_compiler():
    """A compiled program needs numpy, not the compiler."""
    script = (
        "import sys, tilewright.runtime.module, tilewright.runtime.arguments\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('xdsl', 'llvmlite', 'islpy', 'onnx')])"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ}, check=True
    )
    assert result.stdout.strip() == "[]"
