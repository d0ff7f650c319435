"""Sums of four products of bytes in a word: their references, their rules by target, and the instructions' texts."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import costs
import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.cpu.host import host_architecture
from tilewright.backends.cpu.instructions import INSTRUCTIONS as INSTRUCTION_TEXTS
from tilewright.backends.cpu.instructions import Function
from tilewright.diagnostics.remarks import Remark, collect_remarks
from tilewright.dialects import context, loop
from tilewright.dialects.loop.byte_products import SIGNEDNESS, signedness
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.building import emit
from tilewright.driver.lowering import lower_module
from tilewright.driver.programs import as_module
from tilewright.driver.targets import Target
from tilewright.passes.framework.context import PassContext
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.framework.validation import Validation
from tilewright.runtime.cpu_features import missing_features
from tilewright.semantics.byte_products import DOT4, INSTRUCTIONS, OF_BYTES, pairs_fit
from tilewright.semantics.intrinsics import find_intrinsic, register_intrinsic
from tilewright.semantics.proving import prove
from tilewright.toolchain import load_functions
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..passes.loop_programs import module_of
from ..portability.emulated import MACHINES
from .emulation import emulated

SUMS = [*SIGNEDNESS]
LEVEL_1, LEVEL_2, LEVEL_3, LEVEL_4 = ("llvm -mcpu=x86-64" + level for level in ("", "-v2", "-v3", "-v4"))
VNNI = LEVEL_4 + " -mattr=+avx512vnni"
AVX_VNNI, AVX_VNNI_INT8 = LEVEL_3 + " -mattr=+avxvnni", LEVEL_3 + " -mattr=+avxvnni,+avxvnniint8"
DOTPROD, I8MM = "aarch64 -mattr=+dotprod", "aarch64 -mattr=+dotprod,+i8mm"
USED: dict[str, dict[str, tuple[str, ...]]] = {
    LEVEL_1: dict.fromkeys(SUMS, ()),
    LEVEL_2: dict.fromkeys(SUMS, ("x86.pmaddubsw", "x86.pmaddwd")),
    LEVEL_3: dict.fromkeys(SUMS, ("x86.pmaddubsw", "x86.pmaddwd")),
    LEVEL_4: dict.fromkeys(SUMS, ("x86.pmaddubsw", "x86.pmaddwd")),
    VNNI: dict.fromkeys(SUMS, ("x86.vpdpbusd",)),
    AVX_VNNI: dict.fromkeys(SUMS, ("x86.vpdpbusd",)),
    AVX_VNNI_INT8: dict.fromkeys(SUMS, ("x86.vpdpbusd",))
    | {"dot4_s8s8": ("x86.vpdpbssd",), "dot4_u8u8": ("x86.vpdpbuud",)},
    "aarch64": dict.fromkeys(SUMS, ()),
    DOTPROD: dict.fromkeys(SUMS, ("aarch64.sdot",)) | {"dot4_u8u8": ("aarch64.udot",)},
    I8MM: dict.fromkeys(SUMS, ("aarch64.usdot",)) | {"dot4_s8s8": ("aarch64.sdot",), "dot4_u8u8": ("aarch64.udot",)},
    "wasm32": dict.fromkeys(SUMS, ()),
    "riscv64": dict.fromkeys(SUMS, ()),
}
"""Target -> the instructions that compute each sum."""
ON_X86_64 = pytest.mark.skipif(host_architecture() != "x86_64", reason="no x86-64")


def words(name: str, count: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """Return two operands: every pair of extreme bytes first, then any."""
    rng = np.random.default_rng(0)
    extremes = np.array([0, 1, 127, 128, 129, 255], np.uint8)
    pairs = np.array(np.meshgrid(extremes, extremes)).reshape(2, -1)
    a, b = rng.integers(0, 256, (2, count, 4)).astype(np.uint8)
    a[: pairs.shape[1]], b[: pairs.shape[1]] = pairs[0][:, None], pairs[1][:, None]
    if "fits" in name:
        b = rng.integers(-64, 65, (count, 4)).astype(np.int8).view(np.uint8)
        b[:3] = np.array([[64, 64, 127, 1], [127, 128, 128, 0], [128, 127, 192, 192]], np.uint8)
        assert pairs_fit(b.view(np.int8))
    return a.view(np.int32)[:, 0], b.view(np.int32)[:, 0]


def wanted(name: str, acc: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the accumulator and the sums of products, which wrap around."""
    left, right = (np.int8 if sign else np.uint8 for sign in signedness(name))
    x, y = a.view(left).reshape(-1, 4).astype(np.int64), b.view(right).reshape(-1, 4).astype(np.int64)
    return (acc + (x * y).sum(1)).astype(np.uint32).view(np.int32)


def accumulators(count: int = 64) -> np.ndarray:
    return np.random.default_rng(1).integers(-(1 << 31), 1 << 31, count).astype(np.int32)


def accumulated(name: str, count: int = 64) -> list[te.Tensor]:
    """Return Y[i] = C[i] + name(A[i], B[i])."""
    a, b, c = (te.placeholder((count,), "int32", text) for text in "ABC")
    return [a, b, c, te.compute((count,), lambda i: c[i] + te.call_intrin("int32", name, a[i], b[i]), name="Y")]


def all_of_them(count: int = 64) -> list[te.Tensor]:
    """Return one program with every sum, on operands of its own."""
    given, made = list[te.Tensor](), list[te.Tensor]()
    for name in SUMS:
        *inputs, y = accumulated(name, count)
        given, made = [*given, *inputs], [*made, y]
    return [*given, *made]


def lowered(tensors: Sequence[te.Tensor], target: str) -> tuple[list[Operation], list[Remark]]:
    module = as_module([*tensors], None, "main")
    module.attributes[TARGET_ATTRIBUTE] = Target(target).attribute()
    with collect_remarks() as remarks:
        module = lower_module(module)
    return [*module.walk()], remarks


def called(ops: Sequence[Operation]) -> set[str]:
    return {op.symbol for op in ops if isinstance(op, loop.CallIntrinOp)}


def test_references_compute_on_bytes() -> None:
    for name, (arity, reference) in DOT4.items():
        a, b = words(name)
        acc = accumulators() if arity == 3 else np.zeros_like(a)
        np.testing.assert_array_equal(reference(*([acc] if arity == 3 else []), a, b), wanted(name, acc, a, b))


def test_references_saturate_as_the_instruction_does() -> None:
    """255 * 127 twice is more than 16 bits hold, 255 * -128 twice less."""
    _, pairs = INSTRUCTIONS["x86.pmaddubsw"]
    a = np.full(1, -1, np.int32)
    assert pairs(a, np.full(1, 0x7F7F8080, np.uint32).view(np.int32)).view(np.int16).tolist() == [-32768, 32767]


@pytest.mark.each(
    ("weights", "fit"),
    [
        ([64, 64], True), ([65, 64], False), ([127, 1], True), ([127, 2], False), ([-128, 0], True),
        ([-128, -1], False), ([-128, 127], True), ([64, 64, 127, 2], False), ([0, 64, 65, 0], True),
    ],
)  # fmt: skip
def test_pairs_fit_where_no_sum_of_products_saturates(weights: list[int], fit: bool) -> None:
    """The answer is that of all sums with the largest and the least byte without sign."""
    given = np.array(weights, np.int8)
    sums = [
        x * int(given[k]) + y * int(given[k + 1]) for k in range(0, len(weights), 2) for x in (0, 255) for y in (0, 255)
    ]
    assert pairs_fit(given) == fit == all(-(1 << 15) <= s < 1 << 15 for s in sums)


@pytest.mark.each("target", USED)
def test_each_target_has_its_instructions(target: str) -> None:
    for name, instructions in USED[target].items():
        ops, remarks = lowered(accumulated(name), target)
        assert called(ops) == {*instructions}, name
        code, kind = ("TW0788", "passed") if instructions else ("TW0789", "missed")
        found = [r for r in remarks if r.code in ("TW0788", "TW0789")]
        assert {(r.code, r.kind, r.pass_name) for r in found} == {(code, kind, "lower-intrinsics")}, name
        assert all(instruction.partition(".")[2] in found[0].message for instruction in instructions)


def test_asserted_pairs_take_fewer_instructions() -> None:
    """maddubs multiplies them; without the assertion bytes are widened by it, and multiplied as halves of words."""
    counts = {}
    for name in ("dot4_u8s8", "dot4_u8s8_fits"):
        ops, _ = lowered(accumulated(name, 8), LEVEL_3)
        counts[name] = sum(isinstance(op, loop.CallIntrinOp) for op in ops)
    assert counts == {"dot4_u8s8": 6, "dot4_u8s8_fits": 2}


def test_fast_sums_saturate_and_say_so() -> None:
    """Sums of pairs are left in 16 bits where the target has no dot instruction for them; others stay exact."""
    with PassContext(config={"fast": True}):
        for target, name, count in (
            (LEVEL_3, "dot4_u8s8", 2),
            (LEVEL_3, "dot4_s8s8", 6),
            (LEVEL_3, "dot4_u8u8", 6),
            (VNNI, "dot4_u8s8", 1),
        ):
            ops, remarks = lowered(accumulated(name, 8), target)
            assert sum(isinstance(op, loop.CallIntrinOp) for op in ops) == count, (target, name)
            found = [r.message for r in remarks if r.code == "TW0794"]
            assert found == ["sums of pairs of products may saturate at 16 bits in kernel 'main'"] * (count == 2)
        _, remarks = lowered(accumulated("dot4_u8s8_fits", 8), LEVEL_3)
        assert not [r for r in remarks if r.code == "TW0794"]


def test_additions_take_the_accumulator() -> None:
    """One instruction, no addition; sums of two sums too."""
    ops, _ = lowered(accumulated("dot4_u8s8", 16), VNNI)
    assert sum(isinstance(op, loop.CallIntrinOp) for op in ops) == 1
    assert not [op for op in ops if op.name == "arith.addi"]


def native_program(target: str, program: Sequence[te.Tensor] | str) -> Callable[..., None]:
    """Return a program for another machine, its instructions emulated, as a function of arrays."""
    module = module_of(program) if isinstance(program, str) else as_module([*program], None, "main")
    module.attributes[TARGET_ATTRIBUTE] = Target(f"{target} -num-cores=1").attribute()
    text = re.sub(r'"(target-features|prefer-vector-width)"="[^"]*"', "", emit(module, "llvm"))
    address = load_functions((("llvm", emulated(text)),), ("tw_entry",))["tw_entry"]
    function = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4, ctypes.c_int)(address)

    def call(*arrays: np.ndarray) -> None:
        pointers = (ctypes.c_void_p * len(arrays))(*(x.ctypes.data for x in arrays))
        assert function(ctypes.addressof(pointers), None, None, None, 1) == 0

    return call


def inputs_and_results(count: int = 64) -> tuple[list[np.ndarray], list[np.ndarray]]:
    inputs, results = list[np.ndarray](), list[np.ndarray]()
    for name in SUMS:
        operands = (*words(name, count), accumulators(count))
        inputs += operands
        results.append(wanted(name, operands[2], *operands[:2]))
    return inputs, results


EMULATED = [target for target in USED if any(USED[target].values())]


@pytest.mark.each("target", [*EMULATED, *(f"{VNNI} -vector-width={bits}" for bits in (128, 256))])
def test_texts_compute_what_is_declared_on_any_machine(target: str) -> None:
    """Instructions are linked to definitions in LLVM's own operations."""
    inputs, results = inputs_and_results()
    outputs = [np.zeros_like(r) for r in results]
    native_program(target, all_of_them())(*inputs, *outputs)
    for name, output, result in zip(SUMS, outputs, results, strict=True):
        np.testing.assert_array_equal(output, result, name)


TEXTS = [
    (name, lanes, function) for name, text in INSTRUCTION_TEXTS.items() for lanes, function in text.functions.items()
]


@pytest.mark.each(("name", "lanes", "function"), TEXTS)
def test_each_instruction_computes_its_reference(name: str, lanes: int, function: Function) -> None:
    """Of every length, for each of the instruction sets that have it."""
    arity, reference = INSTRUCTIONS[name]
    element, dtype = ("i8", np.int8) if name in OF_BYTES else ("i32", np.int32)
    vector, buffer = f"vector<{lanes}x{element}>", f"memref<{lanes}x{element}>"
    values = [f"%v{k}" for k in range(arity)]
    arguments = ", ".join(f"%m{k}: {buffer}" for k in range(arity + 1))
    lines = [f"  {value} = loop.load %m{k}[lane] : {buffer}, {vector}" for k, value in enumerate(values)]
    types = ", ".join([vector] * arity)
    text = "\n".join(
        (
            f"func.func @main({arguments}) {{",
            *lines,
            f'  %r = loop.call_intrin "{name}"({", ".join(values)}) : ({types}) -> {vector}',
            f"  loop.store %r, %m{arity}[lane] : {vector}, {buffer}",
            "  func.return",
            "}",
        )
    )
    a, b = words("dot4_u8s8")
    operands = [x.view(dtype) for x in (accumulators(), a, b)][-arity:]
    for features in function.features:
        architecture = "aarch64" if name.startswith("aarch64") else "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64"
        target = f"{architecture} -mattr={','.join(f'+{f}' for f in features)}"
        call = native_program(target, text)
        for start in range(0, len(operands[0]) - lanes + 1, lanes):
            given = [np.ascontiguousarray(x[start : start + lanes]) for x in operands]
            output = np.zeros(lanes, dtype)
            call(*given, output)
            np.testing.assert_array_equal(output, reference(*given), f"{name} on {target}")


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_a_table_is_looked_up_by_permutations(dtype: str) -> None:
    """Every bit pattern, in whole vectors and in a rest."""
    x, table = te.placeholder((330,), dtype, "x"), te.placeholder((256,), "uint8", "table")
    y = te.compute((330,), lambda i: table[x[i].astype("uint8").astype("int32")], name="y")
    target = f"{LEVEL_4} -mattr=+avx512vbmi"
    ops, _ = lowered([x, table, y], target)
    assert called(ops) == {"x86.vpermi2b"}
    bits = np.random.default_rng(0).permutation(np.arange(330) % 256).astype(np.uint8)
    entries, output = np.random.default_rng(1).permutation(256).astype(np.uint8), np.zeros(330, np.uint8)
    native_program(target, [x, table, y])(bits.view(dtype), entries, output)
    np.testing.assert_array_equal(output, entries[bits])


def present(target: str) -> bool:
    attribute = Target(target).attribute()
    return not missing_features([f.data for f in attribute.features])  # pyright: ignore


@ON_X86_64
@pytest.mark.native("the instruction sets that are there run themselves")
def test_instructions_of_this_machine(record_property: Callable[[str, Any], None]) -> None:
    """The closing lines list the instructions that ran."""
    inputs, results = inputs_and_results()
    ran = list[str]()
    for target in (t for t in USED if t.startswith("llvm") and present(t)):
        outputs = tilewright.build(all_of_them(), target=target, threads=1)(*inputs)
        for name, output, result in zip(SUMS, outputs, results, strict=True):
            np.testing.assert_array_equal(np.asarray(output), result, f"{name} on {target}")
        ran += [i.partition(".")[2] for way in USED[target].values() for i in way]
    record_property(costs.LISTED, f"run natively: {', '.join(dict.fromkeys(ran)) or 'shifts'}")


@pytest.mark.parametrize(
    ("machine", "target"),
    [
        pytest.param(machine, target, marks=pytest.mark.needs(*MACHINES[machine].tools))
        for machine, target in (("aarch64", DOTPROD), ("aarch64", I8MM), ("aarch64", "aarch64"), ("wasm32", "wasm32"))
    ],
)
def test_instructions_of_other_machines(
    machine: str, target: str, tmp_path: Path, record_property: Callable[[str, Any], None]
) -> None:
    inputs, results = inputs_and_results()
    module = tilewright.build({"f": all_of_them()}, target=target)
    (outputs,) = MACHINES[machine].run(module, [("f", inputs)], tmp_path)
    for name, output, result in zip(SUMS, outputs, results, strict=True):
        np.testing.assert_array_equal(output, result, name)
    ran = dict.fromkeys(i.partition(".")[2] for way in USED[target].values() for i in way)
    record_property(costs.LISTED, f"run on {machine}: {', '.join(ran) or 'shifts'}")


@pytest.mark.parametrize("target", ["opencl", "cuda"])
def test_definitions_serve_kernels_of_gpus(target: str) -> None:
    for name in SUMS:
        tensors = accumulated(name)
        schedule = te.create_schedule(tensors[-1].op)
        schedule[tensors[-1]].bind(schedule[tensors[-1]].op.axis[0], te.thread_axis("threadIdx.x"))
        text = emit(as_module(schedule, tensors, "main"), {"cuda": "cuda-python"}.get(target, target), target)
        assert ">> 24" in text, name


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_definitions_serve_other_backends(target: str) -> None:
    inputs, results = inputs_and_results()
    outputs = tilewright.build(all_of_them(), target=target)(*inputs)
    for name, output, result in zip(SUMS, outputs, results, strict=True):
        np.testing.assert_array_equal(np.asarray(output), result, name)


def convolution(name: str) -> tuple[list[te.Tensor], tuple[int, ...]]:
    """Return a convolution on words of four channels, in blocks of sixteen."""
    blocks, size = 2, 9
    x = te.placeholder((blocks, size + 2, size + 2, 4), "int32", "X")
    w = te.placeholder((blocks, blocks, 3, 3, 4, 16), "int32", "W")
    c, r, s, q = (te.reduce_axis((0, n), axis) for n, axis in ((blocks, "c"), (3, "r"), (3, "s"), (4, "q")))

    def element(o: Any, h: Any, v: Any, b: Any) -> te.Expr:
        product = te.call_intrin("int32", name, x[c, h + r, v + s, q], w[o, c, r, s, q, b])
        return te.sum(product, axis=[c, r, s, q])

    return [x, w, te.compute((blocks, size, size, 16), element, name="Y")], (blocks, size)


@pytest.mark.each("target", [LEVEL_1, LEVEL_3, VNNI, DOTPROD])
def test_a_convolution_on_words_keeps_its_tile_in_registers(target: str) -> None:
    """Sums are accumulated by the instruction, in a loop whose body has no other arithmetic."""
    tensors, (blocks, size) = convolution("dot4_u8s8")
    rng = np.random.default_rng(2)
    x = rng.integers(0, 256, (blocks, size + 2, size + 2, 4, 4)).astype(np.uint8)
    w = rng.integers(-128, 128, (blocks, blocks, 3, 3, 4, 16, 4)).astype(np.int8)
    result = np.zeros((blocks, size, size, 16), np.int64)
    for r in range(3):
        for s in range(3):
            window = x[:, r : r + size, s : s + size].astype(np.int64)
            result += np.einsum("chvqe,ocqbe->ohvb", window, w[:, :, r, s].astype(np.int64))
    output = np.zeros(result.shape, np.int32)
    native_program(target, tensors)(x.view(np.int32)[..., 0].copy(), w.view(np.int32)[..., 0].copy(), output)
    np.testing.assert_array_equal(output, result)
    ops, _ = lowered(tensors, target)
    if target == VNNI:
        assert called(ops) == {"x86.vpdpbusd"} and not [op for op in ops if op.name == "arith.addi"]


def test_names_of_the_compiler_are_taken() -> None:
    for name in (*DOT4, *INSTRUCTIONS):
        assert find_intrinsic(name) is not None
        with pytest.raises(tilewright.TilewrightError, match=rf"TW0532.*'{name}' is an intrinsic of the compiler"):
            register_intrinsic(name)


def test_an_instruction_that_the_target_lacks_is_refused() -> None:
    a, b, c = (te.placeholder((16,), "int32", text) for text in "abc")
    y = te.compute((16,), lambda i: te.call_intrin("int32", "x86.vpdpbusd", c[i], a[i], b[i]), name="y")
    with pytest.raises(tilewright.TilewrightError, match=r"TW0601.*got intrinsic 'x86.vpdpbusd' of vector<8xi32>"):
        tilewright.build([a, b, c, y], target=LEVEL_3)


def test_programs_are_valid_after_every_pass() -> None:
    """Also where the machine at hand lacks the instructions."""
    for target in (VNNI, LEVEL_3, "aarch64 -mattr=+dotprod"):
        module = as_module(all_of_them(16), None, "main")
        module.attributes[TARGET_ATTRIBUTE] = Target(target).attribute()
        with tilewright.transform.PassContext(validate=True):
            lower_module(module)


def test_fusion_is_proved(tmp_path: Path) -> None:
    """A sum with an accumulator is an addition of the sum, and no other addition."""
    text = """func.func @main(%A: memref<8xi32>, %B: memref<8xi32> {tw.output}) {
      loop.for %i = 0 to 8 {
        %a = loop.load %A[%i] : memref<8xi32>
        %d = loop.call_intrin "dot4_u8s8"(%a, %a) : (i32, i32) -> i32
        %s = arith.addi %a, %d : i32
        loop.store %s, %B[%i] : memref<8xi32>
      }
      func.return
    }"""
    validation, module = Validation(1, tmp_path, "symbolic"), module_of(text)
    PassManager(parse_pipeline("fuse-dot4"), [validation]).run(context(), module)
    assert '"dot4_u8s8_add"' in str(module) and validation.proofs is not None
    assert [step.judgement.word for step in validation.proofs.steps] == ["proved"]
    (before,), (after,) = (m.ops for m in (module_of(text), module_of(str(module).replace("u8s8", "s8s8"))))
    assert isinstance(before, FuncOp) and isinstance(after, FuncOp)
    assert prove(before, after).word == "refuted"
