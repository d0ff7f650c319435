"""Products of matrices as machine code for processors that this machine need not be."""

from __future__ import annotations

import re

import pytest
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.building import emit
from tilewright.driver.programs import as_module
from tilewright.driver.targets import Target

from .programs import product

INSTRUCTION = re.compile(r"^\t([a-z][\w]+)", re.MULTILINE)
V4 = "llvm -mcpu=x86-64-v4 -num-cores=1 -mattr="


def assembly(left: str, right: str, result: str, target: str) -> str:
    module = as_module(product(left, right, result, (128, 128, 256)), None, "main")
    module.attributes[TARGET_ATTRIBUTE] = Target(target).attribute()
    return emit(module, "asm")


def instructions(left: str, right: str, result: str, target: str) -> list[str]:
    return INSTRUCTION.findall(assembly(left, right, result, target))


@pytest.mark.parametrize(
    ("left", "right", "result", "target", "instruction", "count"),
    [
        ("int8", "int8", "int32", "llvm -mcpu=x86-64 -num-cores=1", "pmaddwd", 32),
        ("int8", "int8", "int32", "llvm -mcpu=x86-64-v3 -num-cores=1", "vpmaddwd", 32),
        ("uint8", "int8", "int32", V4 + "+avx512vnni", "vpdpbusd", 192),
        ("bfloat16", "bfloat16", "float32", V4 + "+avx512bf16,+sse4a", "vdpbf16ps", 64),
        ("int8", "int8", "int32", V4 + "+amx-int8", "tdpbssd", 4),
        ("bfloat16", "bfloat16", "float32", V4 + "+amx-bf16", "tdpbf16ps", 4),
    ],
)
def test_kernels_keep_results_in_registers(
    left: str, right: str, result: str, target: str, instruction: str, count: int
) -> None:
    text = assembly(left, right, result, target)
    found = INSTRUCTION.findall(text)
    copies, rest = divmod(found.count(instruction), count)
    assert copies > 0 and rest == 0
    called = set(re.findall(r"\tcallq?\t(\w+)", text)) - {"memset", "memcpy"}
    assert called <= set(re.findall(r"^(\w+):", text, re.MULTILINE))
    in_registers = text[text.index(instruction) : text.rindex(instruction)]
    spilled = len(re.findall(r"%[xyz]mm\d+, -?\d*\(%r[sb]p\)", in_registers))
    # Where the sum is an instruction of its own, LLVM adds the terms of several steps up first, which takes registers.
    assert spilled <= (copies * count // 8 if instruction.endswith("pmaddwd") else 0)


def test_tiles_are_configured_once_for_a_column_of_them() -> None:
    found = instructions("int8", "int8", "int32", V4 + "+amx-int8")
    assert found.count("ldtilecfg") == found.count("tilerelease") == found.count("tdpbssd") // 4


def test_without_the_features_there_are_no_such_instructions() -> None:
    found = set(instructions("int8", "int8", "int32", "llvm -mcpu=x86-64-v3 -num-cores=1"))
    assert not {"tdpbssd", "ldtilecfg", "vpdpbusd", "vpdpwssd"} & found
