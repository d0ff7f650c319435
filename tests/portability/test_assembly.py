"""The assembly that is made for each kind of machine: no instruction that it lacks, and what it has made use of."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import tilewright
from tilewright.driver import emit
from tilewright.driver.targets import Target
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.light_models import light_model
from tilewright.runtime import Module

from .machine_code import LIBC, LIBM, THREADS, called, instructions, refused_by_gnu, units
from .machines import AVX512, NEON, SCALAR, SSE2, WITHOUT_FMA

needs_gnu = pytest.mark.needs("x86-64-as")


@pytest.fixture(scope="session")
def assembly(built: Callable[[str], Module]) -> Callable[[str], str]:
    return cache(lambda target: built(target).get_source("asm"))


@pytest.mark.sampled(4)
@needs_gnu
@pytest.mark.parametrize("target", [SSE2, WITHOUT_FMA, SCALAR, AVX512])
def test_no_instruction_is_outside_of_the_features(assembly: Callable[[str], str], target: str, tmp_path: Path) -> None:
    attribute = Target(target).attribute()
    assert isinstance(attribute, tilewright.dialects.target.CpuTargetAttr)
    assert refused_by_gnu(assembly(target), [f.data for f in attribute.features], tmp_path) == ""


@needs_gnu
def test_the_assembler_does_refuse(assembly: Callable[[str], str], tmp_path: Path) -> None:
    assert "vmulps" in refused_by_gnu("\tvmulps %ymm0, %ymm1, %ymm2\n", ["sse4.2"], tmp_path)
    assert refused_by_gnu("\tvfmadd231ps %ymm0, %ymm1, %ymm2\n", ["avx", "avx2"], tmp_path)
    assert refused_by_gnu(assembly(AVX512), ["avx", "avx2", "fma"], tmp_path)


@pytest.mark.parametrize("target", [SSE2, WITHOUT_FMA, SCALAR, AVX512, NEON])
def test_nothing_is_called_that_may_be_missing(assembly: Callable[[str], str], target: str) -> None:
    """No support library of a compiler: the C library, its mathematics and the function that shares loops out."""
    assert called(assembly(target)) <= LIBC | LIBM | THREADS
    assert called(assembly(target)) >= THREADS


def test_vectors_are_those_of_the_machine(assembly: Callable[[str], str]) -> None:
    sse2, without, scalar = (assembly(target) for target in (SSE2, WITHOUT_FMA, SCALAR))
    assert "%xmm" in sse2 and "mulps" in sse2 and not re.search(r"%[yz]mm|\tv[a-z]", sse2)
    assert "%ymm" in without and not re.search(r"%zmm|vfn?m(add|sub)", without)
    assert not re.search(r"%[yz]mm", scalar)
    assert re.search(r"vfmadd231ps\t.*%zmm", assembly(AVX512)) and re.search(r"\{%k[1-7]\}", assembly(AVX512))


def test_neon_multiplies_and_adds_vectors_of_four(assembly: Callable[[str], str]) -> None:
    text = assembly(NEON)
    assert re.search(r"^\tfmla\tv\d+\.4s, v\d+\.4s, v\d+\.(4s|s\[\d\])$", text, re.MULTILINE)
    assert {i.split()[0] for i in instructions(text)} >= {"fcvtl", "fcvtn", "frintn", "frintm", "ld1r", "bl", "ret"}
    assert "%xmm" not in text


@pytest.mark.needs("aarch64-linux-gnu-as")
def test_neon_code_is_that_of_the_first_level(assembly: Callable[[str], str], tmp_path: Path) -> None:
    for unit in units(assembly(NEON)):
        command = ["aarch64-linux-gnu-as", "-march=armv8-a", "-o", str(tmp_path / "unit.o"), "-"]
        run = subprocess.run(command, input=unit, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr


@pytest.mark.full
def test_a_whole_network_for_neon() -> None:
    """ResNet-50: every convolution a kernel of vectors, no symbol that may be missing."""
    text = emit(import_model(light_model("resnet50", seed=None)), "asm", NEON)
    kernels = [unit for unit in units(text) if re.search(r"\.globl\ttw\..*conv2d", unit)]
    assert len(kernels) >= 20 and all(re.search(r"\tfmla\tv\d+\.4s", unit) for unit in kernels)
    assert called(text) <= LIBC | THREADS
