"""Targets as old programs write them: current ones, their keys and attributes, and functions that choose by them."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.target import Target


def refused(code: str, message: str):
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


def doubled():
    A = te.placeholder((16,), name="A")
    B = te.compute((16,), lambda i: A[i] * 2.0, name="B")
    return te.create_schedule(B.op), [A, B]


def test_with_statements_nest() -> None:
    assert Target.current() is None
    outer, inner = Target("llvm -mcpu=x86-64-v2"), Target("c")
    with outer as entered:
        assert entered is outer is Target.current()
        with inner:
            assert Target.current(allow_none=False) is inner
        assert Target.current() is outer
        with pytest.raises(KeyError), inner:
            raise KeyError
        assert Target.current() is outer
    assert Target.current() is None
    with refused("TW0612", "expected a current target, but there is none.*help: write `with Target"):
        Target.current(allow_none=False)


def test_a_target_is_current_in_its_thread_only() -> None:
    seen: list[object] = []
    with Target("llvm"):
        thread = threading.Thread(target=lambda: seen.append(Target.current()))
        thread.start()
        thread.join()
    assert seen == [None]


def test_build_is_for_the_current_target_unless_one_is_named() -> None:
    s, args = doubled()
    x = np.arange(16, dtype=np.float32)
    with Target("c"):
        in_c = tvm.build(s, args)
        in_machine_code = tvm.build(s, args, "llvm")
        compiled = tvm.compile(tvm.lower(s, args))
    assert "void" in in_c.get_source("c")
    assert "define" in in_machine_code.get_source("llvm")
    for program in (in_c, in_machine_code, compiled):
        np.testing.assert_array_equal(program(x), 2 * x)
    with Target("interpreter"):
        np.testing.assert_array_equal(tvm.build(s, args)(x), 2 * x)
    assert "define" in tvm.build(s, args).get_source("llvm")


def test_lower_is_for_the_current_target() -> None:
    s, args = doubled()
    with Target("llvm -mcpu=x86-64-v2 -threads=3"):
        module = tvm.lower(s, args)
    assert "vector_bits 128" in str(module) and "threads 3" in str(module)
    with Target("interpreter"):
        assert "vector_bits" in str(tvm.lower(s, args))


def test_what_stands_for_a_target() -> None:
    text = "llvm -mcpu=x86-64-v3 -mattr=+fma,+avx2 -num-cores=4"
    same = {"kind": "llvm", "mcpu": "x86-64-v3", "mattr": ["+fma", "+avx2"], "num-cores": 4}
    json = '{"kind": "llvm", "mcpu": "x86-64-v3", "mattr": ["+fma", "+avx2"], "num-cores": 4}'
    assert Target(text) == Target(same) == Target(json) == Target(Target(text))
    with refused("TW0612", "expected JSON of a target"):
        Target('{"kind": ')
    hosted = Target("cuda", host={"kind": "llvm", "mcpu": "x86-64-v2"})
    assert hosted.host == Target("llvm -mcpu=x86-64-v2") and Target(hosted) == hosted
    assert Target("cuda").with_host("llvm") == Target({"kind": "cuda", "host": "llvm"}) == Target("cuda", "llvm")
    assert Target("cuda").host is None and len({Target("c"), Target("c"), Target("llvm")}) == 2
    with refused("TW0612", "expected a CPU as host of a target, but got 'cuda'"):
        Target("llvm", host="cuda")
    x = np.arange(16, dtype=np.float32)
    s, args = doubled()
    np.testing.assert_array_equal(tvm.build(s, args, {"kind": "llvm"}, {"kind": "llvm"})(x), 2 * x)


def test_kinds_keys_and_attributes() -> None:
    assert Target("llvm").kind.name == "llvm" and Target("llvm").keys == ("cpu",)
    assert Target("cuda").keys == ("cuda", "gpu") and Target("opencl").keys == ("opencl", "gpu")
    assert Target("llvm -device=arm_cpu").keys == ("arm_cpu", "cpu")
    assert Target("llvm -keys=mine,cpu").keys == ("mine", "cpu")
    attrs = Target("llvm -mcpu=x86-64-v3 -mattr=+fma,+avx2 -num-cores=4 -model=i7").attrs
    assert attrs == {"mcpu": "x86-64-v3", "mattr": ["+fma", "+avx2"], "threads": 4, "model": "i7"}
    assert Target("cuda").attrs == {"max_num_threads": 1024, "thread_warp_size": 32}
    assert Target("cuda -max-threads=256").attrs["max_num_threads"] == 256
    assert Target("llvm -keys=cpu -device=x -model=y").attribute() == Target("llvm").attribute()
    with refused("TW0612", "expected a word after it"):
        Target("llvm -keys=")


def test_targets_by_functions() -> None:
    assert str(tvm.target.cuda(arch="sm_80")) == "cuda -model=unknown -arch=sm_80"
    assert tvm.target.cuda("t4", options="-max-threads=64").attrs["max_num_threads"] == 64
    arm = tvm.target.arm_cpu("rasp4b64")
    assert arm.keys == ("arm_cpu", "cpu") and arm.attribute().architecture == "aarch64"
    assert tvm.target.arm_cpu(options=["-mtriple=aarch64-linux-gnu", "-mattr=+sve"]).attrs["mattr"] == ["+sve"]
    riscv = tvm.target.riscv_cpu("sifive-u74", options="-mcpu=rv64gcv")
    assert riscv.attribute().architecture == "riscv64" and riscv.attribute().vector_bits == 128
    for made in (tvm.target.mali(), tvm.target.bifrost(), tvm.target.intel_graphics()):
        assert made.kind.name == "opencl" and "gpu" in made.keys
    assert tvm.target.create("llvm") == Target("llvm")
    assert tvm.target.codegen.llvm_version_major() >= 14
    assert tvm.target.rasp("rasp4b64") == arm
    for name, kind in (("rocm", "rocm"), ("hexagon", "hexagon"), ("vta", "vta")):
        with refused("TW0602", f"unknown target '{kind}'"):
            getattr(tvm.target, name)()


def test_generic_functions_choose_by_keys() -> None:
    @tvm.target.generic_func
    def tile(n):
        return n

    @tile.register("cpu")
    def _(n):
        return 2 * n

    @tile.register(["cuda", "opencl"])
    def _(n):
        return 3 * n

    assert tile(1) == 1 and tile.__name__ == "tile"
    with Target("llvm"):
        assert tile(1) == 2
    with Target("cuda"):
        assert tile(1) == 3
    with refused("TW0253", "generic function 'tile' has a body for 'cpu' already"):
        tile.register("cpu")(lambda n: n)
    with refused("TW0253", "has a default already"):
        tile.set_default(lambda n: n)
    tile.register("cpu", allow_override=True)
    tile.register(lambda n: 7, "cpu", allow_override=True)
    with Target("c"):
        assert tile(1) == 7
    lone = tvm.target.get_native_generic_func("lone")
    lone.register(lambda: 1, "gpu")
    with Target("llvm"), refused("TW0252", "'lone' has no body for target 'llvm'; it has some for gpu"):
        lone()
    tvm.target.override_native_generic_func("lone")(lambda: 5)
    assert lone() == 5
