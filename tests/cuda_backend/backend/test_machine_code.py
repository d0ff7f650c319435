"""Kernels in a GPU's machine code: one module of PTX, registers, spills, widths of accesses."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
import tilewright
from tilewright import te
from tilewright.backends.cuda import assembler, ptx
from tilewright.diagnostics import TilewrightError

SEEDS = Path(__file__).resolve().parents[1] / "seeds" / "test_tensors.py"
ARCHITECTURES = ["sm_80", "sm_90"]


def seed_programs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("cuda_seed_programs", SEEDS)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def chain(*functions, extent: int | None = None):
    """Schedule elementwise functions one after another, a kernel each."""
    n = te.var("n") if extent is None else extent
    first = last = te.placeholder((n,), name="A")
    stages = []
    for number, function in enumerate(functions):
        source = last
        last = te.compute((n,), lambda i, f=function, s=source: f(s[i]), name=f"B{number}")
        stages.append(last)
    schedule = te.create_schedule(last.op)
    for stage in stages:
        block, thread = schedule[stage].split(stage.op.axis[0], factor=256)
        schedule[stage].bind(block, te.thread_axis("blockIdx.x"))
        schedule[stage].bind(thread, te.thread_axis("threadIdx.x"))
    return schedule, [first, last]


# One module of PTX

ONE = """//
.version 9.0
.target sm_90
.address_size 64

\t// .globl\t_ZN3one
.global .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
.common .global .align 8 .u64 _ZN08NumbaEnv3one;
.shared .align 4 .b8 _smem_1[1024];
.extern .shared .align 16 .b8 _dynamic[];
.func  (.param .b64 result) slow(
\t.param .b64 slow_param_0
)
{
\tmov.u64 %rd1, table;
}
.visible .entry _ZN3one(
\t.param .u64 _ZN3one_param_0,
\t.param .u64 _ZN3one_param_1
)
{
\tld.param.u64 %rd1, [_ZN3one_param_0];
\tmov.u64 %rd2, table;
\tmov.u64 %rd3, _smem_1;
\tmov.u64 %rd3, _dynamic;
\tcall.uni (retval0), slow, (param0);
}
"""


def test_kernels_of_one_module_have_distinct_names() -> None:
    joined = ptx.joined({"first": ONE, "second": ONE}, {"first": (64, 0), "second": (1024, 2)}, "sm_80")
    assert joined.count(".version 9.0") == joined.count(".address_size 64") == 1
    assert "NumbaEnv" not in joined and "_ZN3one" not in joined
    assert ptx.parameters(joined) == {"first": ("u64", "u64"), "second": ("u64", "u64")}
    assert joined.count(".minnctapersm") == joined.count(".minnctapersm 2") == 1
    for kernel, threads in (("first", 64), ("second", 1024)):
        assert f"[{kernel}_param_0]" in joined
        for name in ("table", "_smem_1", "_dynamic", "slow"):
            assert joined.count(f"{kernel}_{name}") == (3 if name == "table" else 2), name
        assert f".maxntid {threads}, 1, 1" in joined
        assert f".shared .align 16 .b8 {kernel}__smem_1[1024];" in joined


def test_what_is_no_ptx() -> None:
    with pytest.raises(TilewrightError, match="TW0635"):
        ptx.joined({"first": "nothing"}, {"first": (1, 0)}, "sm_80")


def test_several_kernels_are_assembled_together(assembled) -> None:
    """Both have the table of the sine and cosine's reduction."""
    cubin = assembled(tilewright.build(*chain(te.sin, te.cos), "cuda"))
    assert sorted(cubin.kernels) == ["main_kernel0", "main_kernel1"] == sorted(cubin.instructions)


def test_large_blocks_can_be_launched(assembled) -> None:
    """The registers of all threads of a block fit into a multiprocessor's 65536."""
    a, b = te.placeholder((32, 4096), name="A"), te.placeholder((4096, 512), name="B")
    k = te.reduce_axis((0, 4096), name="k")
    c = te.compute((32, 512), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    schedule = te.create_schedule(c.op)
    sums = schedule.cache_write(c, "local")
    outer, inner = schedule[c].split(c.op.axis[0], factor=16)
    schedule[c].reorder(outer, c.op.axis[1], inner)
    block, thread = schedule[c].split(schedule[c].fuse(outer, c.op.axis[1]), factor=1024)
    schedule[c].bind(block, te.thread_axis("blockIdx.x"))
    schedule[c].bind(thread, te.thread_axis("threadIdx.x"))
    schedule[sums].compute_at(schedule[c], thread)
    schedule[sums].reorder(schedule[sums].op.reduce_axis[0], *schedule[sums].op.axis)
    (usage,) = assembled(tilewright.build(schedule, [a, b, c], "cuda")).kernels.values()
    assert usage.registers * 1024 <= 65536


# Quality


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_the_tiled_product(assembled, arch: str) -> None:
    """256 threads of 8 x 8 sums: two blocks of them share a multiprocessor, nothing is spilled, and what is staged is
    loaded and stored four elements at a time."""
    cubin = assembled(tilewright.build(*seed_programs().tiled_matmul(1024, 16, 8, 8, 4), f"cuda -arch={arch}"))
    (usage,), (instructions,) = cubin.kernels.values(), cubin.instructions.values()
    assert usage.spill_stores == usage.spill_loads == usage.stack == 0
    assert 64 < usage.registers <= 128
    found = Counter(instructions)
    assert found["FFMA"] % 64 == 0 and found["FFMA"] > 0
    assert found["LDG.E.128"] == found["STS.128"] == 2
    assert found["LDS.128"] >= 2
    assert not [name for name in found if name.startswith(("LDL", "STL"))]


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_no_double_precision_in_kernels_of_f32(assembled, arch: str) -> None:
    functions = [te.exp, te.sigmoid, te.tanh, lambda v: te.sqrt(v) * 0.5 + 1.0]
    cubin = assembled(tilewright.build(*chain(*functions), f"cuda -arch={arch}"))
    assert len(cubin.kernels) == len(functions)
    names = {name for names in cubin.instructions.values() for name in names}
    assert "MUFU.EX2" in names
    assert not [name for name in names if re.match(r"D(ADD|MUL|FMA|SETP|MNMX)|.*F64", name)]


TENSOR_CORES = """
def products(A, B, C):
    lane = uint32(cuda.threadIdx.x)
    c = (float32(0.0), float32(1.0), float32(2.0), float32(3.0))
    c = device.mma_m16n8k16_f16(device.load4(A, lane * 4), device.load2(B, lane * 2), c)
    c = device.mma_m16n8k16_bf16(device.load4(A, lane * 4), device.load2(B, lane * 2), c)
    c = device.mma_m16n8k8_tf32(device.load4(A, lane * 4), device.load2(B, lane * 2), c)
    device.store4(C, lane * 4, c)
"""


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_products_on_tensor_cores(assembled, arch: str) -> None:
    from tilewright.backends.cuda.compiler import Prototype, ptx_of
    from tilewright.backends.cuda.source import program_text, source_file

    path = source_file(program_text("'products'", [TENSOR_CORES.strip()]))
    types = ("uint32[]", "uint32[]", "float32[]")
    text = ptx_of(path, {"products": Prototype(types, 32)}, arch)
    found = Counter(name.split(".")[0] for name in assembler.assemble(text, arch).instructions["products"])
    assert found["HMMA"] >= 3


# Without the tools


@pytest.mark.parametrize(("tool", "extra"), [("nvJitLink", "cuda"), ("nvdisasm", "sass")])
def test_what_brings_the_tools(monkeypatch, tool: str, extra: str) -> None:
    monkeypatch.setattr(assembler, "_disassembler", lambda: None)
    for name in ("cuda", "cuda.bindings", "cuda.bindings.nvjitlink"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(TilewrightError, match="TW0643") as raised:
        _ = assembler.assemble("", "sm_90") if tool == "nvJitLink" else assembler.disassemble(b"")
    assert tool in raised.value.message and f"tilewright[{extra}]" in (raised.value.help or "")


def test_ptx_that_no_assembler_takes(assembled) -> None:
    with pytest.raises(TilewrightError, match="TW0635.*expected PTX that can be assembled") as raised:
        assembler.assemble("nonsense", "sm_90")
    assert raised.value.notes


def test_emit(assembled, tmp_path) -> None:
    module = tilewright.build(*chain(lambda v: v + 1.0), "cuda -arch=sm_80")
    assert "STG.E" in module.get_source("sass")
    assert module.imported_modules[0].get_source("sass") == module.get_source("sass")
    from tilewright.tools.opt import main

    schedule, arguments = chain(lambda v: v + 1.0)
    path, output = tmp_path / "add.mlir", tmp_path / "add.sass"
    path.write_text(str(tilewright.lower(schedule, arguments)))
    assert main(["--emit", "sass", str(path), "-o", str(output)]) == 0
    assert "STG.E" in output.read_text()
