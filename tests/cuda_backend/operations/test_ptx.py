"""The intrinsics become the instructions that they are for: PTX, where numba can make it."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from tilewright.backends.cuda.operations import OPERATIONS

KERNELS = Path(__file__).parent / "kernels" / "operations.py"

CASES: list[tuple[str, tuple[str, ...], dict[str, int]]] = [
    ("vectors_f32", ("float32", "float32"), {r"ld\.global\.v4\.f32": 1, r"st\.global\.v4\.f32": 1}),
    ("vectors_f64", ("float64", "float64"), {r"ld\.global\.v2\.f64": 1, r"st\.global\.v2\.f64": 1}),
    ("vectors_f16", ("float16", "float16"), {r"ld\.global\.v4\.u32": 1, r"st\.global\.v4\.u32": 1}),
    ("vectors_u8", ("uint8", "uint8"), {r"ld\.global\.v4\.u32": 1, r"st\.global\.v4\.u32": 1}),
    ("vectors_bool", ("boolean", "boolean"), {r"ld\.global\.v4\.u8": 1, r"st\.global\.v4\.u8": 1}),
    ("vectors_i64", ("int64", "int64"), {r"ld\.global\.v2\.u64": 1, r"st\.global\.v2\.u64": 1}),
    ("vectors_shared", ("float32", "float32"), {r"ld\.shared\.v4\.f32": 1, r"st\.shared\.v4\.f32": 1}),
    ("registers", ("float32", "float32"), {r"ld\.global\.v4\.f32": 1, r"\.local": 0}),
    ("narrow_f16", ("float16", "float16"), {r"cvt\.f32\.f16": 1, r"cvt\.rn\.f16\.f32": 1, r"\.f64": 0}),
    ("narrow_bf16", ("uint16", "uint16"), {r"cvt\.rn\.bf16\.f32": 1, r"shl\.b32": 1, r"\.f64": 0}),
    (
        "single_f32",
        ("float32", "float32"),
        {r"fma\.rn\.f32": 1, r"min\.NaN\.f32": 1, r"max\.NaN\.f32": 1, r"min\.f32": 1, r"max\.f32": 1, r"\.f64": 0},
    ),
    ("single_f64", ("float64", "float64"), {r"fma\.rn\.f64": 1, r"min\.f64": 1, r"cvt\.rni\.f64\.f64": 1}),
    (
        "fast",
        ("float32", "float32"),
        {
            r"ex2\.approx\.f32": 1,
            r"tanh\.approx\.f32": 1,
            r"sin\.approx\.f32": 1,
            r"lg2\.approx\.f32": 1,
            r"rcp\.approx\.f32": 1,
            r"div\.approx\.f32": 1,
            r"rsqrt\.approx\.f32": 1,
            r"sqrt\.approx\.f32": 1,
            r"\.f64": 0,
        },
    ),
    (
        "bits",
        ("float32", "uint32"),
        {r"cvt\.rna\.tf32\.f32": 1, r"cvt\.rn\.f16x2\.f32": 1, r"cvt\.rn\.bf16x2\.f32": 1, r"\.f64": 0},
    ),
    ("bits_f64", ("float64", "uint64"), {r"add\.s64": 1}),
    (
        "matrices",
        ("uint16", "uint32"),
        {
            rf"ldmatrix\.sync\.aligned\.m8n8\.x{count}{suffix}\.shared\.b16": 1
            for count in (1, 2, 4)
            for suffix in ("", r"\.trans")
        },
    ),
    (
        "products",
        ("uint32", "uint32", "float32"),
        {
            r"mma\.sync\.aligned\.m16n8k16\.row\.col\.f32\.f16\.f16\.f32": 1,
            r"mma\.sync\.aligned\.m16n8k16\.row\.col\.f32\.bf16\.bf16\.f32": 1,
            r"mma\.sync\.aligned\.m16n8k8\.row\.col\.f32\.tf32\.tf32\.f32": 1,
        },
    ),
    (
        "copies",
        ("float32", "float32"),
        {
            r"cp\.async\.cg\.shared\.global \[\S+\], \[\S+\], 16;": 1,
            r"cp\.async\.ca\.shared\.global \[\S+\], \[\S+\], 8;": 1,
            r"cp\.async\.ca\.shared\.global \[\S+\], \[\S+\], 4;": 1,
            r"cp\.async\.ca\.shared\.global \[\S+\], \[\S+\], 4, %r\d+;": 1,
            r"cp\.async\.commit_group": 2,
            r"cp\.async\.wait_group 1": 1,
            r"cp\.async\.wait_all": 1,
        },
    ),
    ("zeros", ("float32", "float32"), {r"cp\.async\.cg\.shared\.global \[\S+\], \[\S+\], 16, %r\d+;": 1}),
]
"""Kernel, elements of its arrays, and how often an instruction stands in its PTX: never, or at least so often."""

CASE_KEYS = [f"{case[0]} {capability}" for case in CASES for capability in (80, 90)]

ALIGNED = {"vectors_shared", "matrices", "copies", "zeros"}
"""Kernels with shared memory that is aligned to more than its elements."""

_COMPILE = """
import importlib.util, json, sys, warnings
warnings.simplefilter("ignore")
from types import SimpleNamespace
from numba import cuda, types
from numba.cuda import dispatcher
specification = importlib.util.spec_from_file_location("kernels", sys.argv[1])
kernels = importlib.util.module_from_spec(specification)
specification.loader.exec_module(kernels)
texts = {}
for name, elements in json.loads(sys.argv[2]):
    signature = tuple(types.Array(getattr(types, element), 1, "C") for element in elements)
    for cc in (80, 90):
        # Functions that a kernel calls are compiled for the device that is asked for, and there is none.
        dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=(cc // 10, 0))
        options = dict(device=False, abi="numba", output="ptx", cc=(cc // 10, 0))
        try:
            texts[f"{name} {cc}"] = cuda.compile(getattr(kernels, name), signature, **options)[0]
        except Exception as error:
            texts[f"{name} {cc}"] = f"error: {error}"
try:
    from cuda.bindings import nvjitlink
except ImportError:
    nvjitlink = None
for key, text in texts.items() if nvjitlink else ():
    if text.startswith("error: "):
        continue
    arch = f"-arch=sm_{key.split()[1]}"
    handle = nvjitlink.create(1, [arch])
    nvjitlink.add_data(handle, nvjitlink.InputType.PTX, text.encode(), len(text), key.split()[0])
    nvjitlink.complete(handle)  # assembles: invalid PTX is an error
print(json.dumps(texts))
"""
"""Run by itself: it changes which device numba asks for."""


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)


@cache
def missing() -> str | None:
    """Return the reason why no PTX can be made here; None where it can."""
    options = 'device=False, abi="numba", output="ptx", cc=(9, 0)'
    done = run(f"from numba import cuda; cuda.compile(lambda: None, (), {options})")
    if done.returncode == 0:
        return None
    return f"numba makes no PTX without what the extra `cuda` brings: {done.stderr.strip().splitlines()[-1]}"


@cache
def texts() -> dict[str, str]:
    """Return the PTX of all kernels, by their names and compute capabilities, assembled too where nvJitLink is here."""
    done = run(_COMPILE, str(KERNELS), json.dumps([case[:2] for case in CASES]))
    return json.loads(done.stdout) if done.returncode == 0 else dict.fromkeys(CASE_KEYS, f"error: {done.stderr}")


@pytest.mark.parametrize("capability", [80, 90])
@pytest.mark.sampled(2)
@pytest.mark.each(
    ("name", "expected"), [(case[0], case[2]) for case in CASES], ids=[case[0] for case in CASES], shards=2
)
def test_instructions(name: str, expected: dict[str, int], capability: int) -> None:
    reason = missing()
    if reason:
        pytest.skip(reason)
    if name in ALIGNED and importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba's own compiler aligns shared memory to its elements only: numba-cuda takes `alignment=`")
    text = texts()[f"{name} {capability}"]
    assert not text.startswith("error: "), text
    found = {pattern: len(re.findall(pattern, text)) for pattern in expected}
    wrong = {p: n for p, n in found.items() if (n > 0 if expected[p] == 0 else n < expected[p])}
    assert not wrong, text


def test_every_kernel_is_compiled_and_every_operation_used() -> None:
    text = KERNELS.read_text()
    assert re.findall(r"^def (\w+)\(", text, re.M) == [case[0] for case in CASES]
    others = {"load_f16", "f16_value", "bf16_value", "print_line"}  # the last one is the simulator's alone
    of_warpgroups = {name for name in OPERATIONS if name.startswith("wgmma") or name == "fence_async"}
    assert of_warpgroups, "sm_90a alone has these; tensor_cores/test_warpgroups.py assembles them"
    assert set(re.findall(r"device\.(\w+)", text)) >= set(OPERATIONS) - others - of_warpgroups
