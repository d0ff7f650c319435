"""Targets by name: what they say of machines, what they refuse, and programs on machines that they are not for."""

from __future__ import annotations

import ctypes
import platform
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.cpu import host
from tilewright.backends.cpu.webassembly import write_webassembly
from tilewright.dialects.target import CpuTargetAttr
from tilewright.dialects.target_features import (
    LEVELS,
    USUAL_CACHES,
    USUAL_THREADS,
    _names,  # pyright: ignore[reportPrivateUsage]
    with_implied,
    without,
)
from tilewright.dialects.target_processors import PROCESSORS, features_of, processor
from tilewright.driver.targets import Target
from tilewright.runtime import Module, cpu_features
from tilewright.runtime.description import Entry

from . import emulated
from .machines import AVX512, NEON, SCALAR, SSE2, WITHOUT_FMA

ON_X86_64 = pytest.mark.skipif(host.host_architecture() != "x86_64", reason="no x86-64")


def refused(code: str, message: str):
    return pytest.raises(tilewright.TilewrightError, match=rf"(?s){code}.*{message}")


def attribute(target: str) -> CpuTargetAttr:
    result = Target(target).attribute()
    assert isinstance(result, CpuTargetAttr)
    return result


def double(target: str) -> Module:
    a = te.placeholder((100,), name="a")
    return tilewright.build([a, te.compute((100,), lambda i: a[i] * 2, name="b")], target=target, name="double")


@pytest.mark.parametrize(
    ("target", "architecture", "lanes", "registers", "has_fma"),
    [
        (SSE2, "x86_64", 4, 15, False),
        ("llvm -mcpu=x86-64-v2", "x86_64", 4, 15, False),
        ("llvm -mcpu=x86-64-v3", "x86_64", 8, 16, True),
        (WITHOUT_FMA, "x86_64", 8, 15, False),
        (SCALAR, "x86_64", 1, 15, False),
        (AVX512, "x86_64", 16, 32, True),
        (f"{AVX512} -vector-width=256", "x86_64", 8, 32, True),
        (f"{AVX512} -vector-width=256 -mattr=-avx512vl", "x86_64", 8, 16, True),
        (NEON, "aarch64", 4, 30, True),
        ("llvm -mtriple=aarch64-unknown-linux-gnu -mcpu=armv8.2-a -mattr=+dotprod", "aarch64", 4, 30, True),
        ("riscv64", "riscv64", 1, 30, True),
        ("riscv64 -mcpu=rv64gcv", "riscv64", 4, 30, True),
        ("riscv64 -mattr=+zvl256b", "riscv64", 8, 30, True),
        ("wasm32", "wasm32", 4, 15, False),
    ],
)
@ON_X86_64
def test_what_schedules_ask_of_a_machine(
    target: str, architecture: str, lanes: int, registers: int, has_fma: bool
) -> None:
    machine = attribute(target)
    found = machine.architecture, machine.lanes(32), machine.lanes(64), machine.vector_registers, machine.has_fma
    assert found == (architecture, lanes, max(1, lanes // 2), registers, has_fma)


def test_architectures_and_triples_are_targets() -> None:
    """By themselves: for `llvm` with the option that names them."""
    for target, triple in (
        ("aarch64", "aarch64-linux-gnu"),
        ("riscv64 -threads=2", "riscv64-linux-gnu"),
        ("wasm32", "wasm32-unknown-unknown"),
        ("riscv64-unknown-linux-gnu -threads=2", "riscv64-unknown-linux-gnu"),
        ("x86_64-linux-gnu -mcpu=x86-64-v3", "x86_64-linux-gnu"),
        ("wasm32-wasi", "wasm32-wasi"),
    ):
        _, _, options = target.partition(" ")
        assert Target(target).target == f"llvm -mtriple={triple} {options}".strip()
        assert attribute(target).triple == triple
    for unknown in ("aarch64-apple-darwin", "riscv32", "wasm64"):
        with refused("TW0602", f"unknown target '{unknown}'"):
            Target(unknown)


def test_a_named_kind_of_machine_is_not_this_one() -> None:
    """Code for it is the same wherever it is made."""
    for target in (NEON, AVX512):
        machine = attribute(target)
        assert machine.threads == USUAL_THREADS and machine.caches in USUAL_CACHES.values()
    assert attribute(f"{NEON} -num-cores=7").threads == 7
    assert {f.data for f in attribute(NEON).features} == {"fp-armv8", "neon"}


@ON_X86_64
def test_sets_come_and_go_with_what_they_build_upon() -> None:
    added = {f.data for f in attribute("llvm -mcpu=x86-64 -mattr=+avx512vnni").features}
    assert added >= {"avx512f", "avx2", "avx", "fma", "f16c", "sse4.1", "sse2"} and "avx512bw" not in added
    removed = {f.data for f in attribute("llvm -mcpu=x86-64-v4 -mattr=-avx").features}
    assert removed >= {"sse4.2", "bmi2", "popcnt"} and not {f for f in removed if f.startswith(("avx", "fma", "f16c"))}
    for architecture, levels in LEVELS.items():
        for features in levels.values():
            assert with_implied(features, architecture) == set(features), "levels are complete"
        least = next(iter(levels.values()))
        assert without(least, least[-1], architecture) < set(least)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (
            "llvm -mtriple=mips-linux-gnu",
            "riscv64-linux-gnu, wasm32-unknown-unknown, but got '-mtriple=mips",
        ),
        ("llvm -mtriple=aarch64-apple-darwin", "with one as x86_64-linux-gnu"),
        ("llvm -mtriple=wasm32-linux-gnu", "wasm32-unknown-unknown"),
        ("wasm32 -threads=2", "1 thread on wasm32, but got '-threads=2'"),
        ("riscv64 -mattr=+neon", "instruction sets of riscv64"),
        ("riscv64 -mcpu=simd128", "a processor of riscv64.*name one of rv64gc, rv64gcv"),
        (f"{NEON} -mcpu=x86-64-v3", r"a processor of aarch64.*got '-mcpu=x86-64-v3'"),
        (f"{NEON} -mcpu=native", "a processor of aarch64"),
        (f"{NEON} -mattr=+avx2", "instruction sets of aarch64, but got '.avx2'"),
        (f"{AVX512} -mattr=+neon", "instruction sets of x86_64"),
        (f"{NEON} -mattr=-neon", "what every aarch64 has, but got '-neon'"),
        (f"{AVX512} -mattr=-sse2", "what every x86_64 has"),
        ("llvm -vector-width=100", "a power of two from 8 to 2048"),
    ],
)
def test_targets_that_make_no_sense(target: str, message: str) -> None:
    with refused("TW0612", message):
        Target(target).attribute()


def test_attributes_round_trip() -> None:
    from tilewright.dialects import context
    from xdsl.parser import Parser
    from xdsl.utils.exceptions import ParseError, VerifyException

    machine = attribute(NEON)
    assert str(machine).endswith('threads 4, triple "aarch64-linux-gnu">')
    assert Parser(context(), str(machine)).parse_attribute() == machine
    with pytest.raises(ParseError, match="triple, language or facts"):
        Parser(context(), str(machine).replace("triple", "quadruple")).parse_attribute()
    with pytest.raises((ParseError, VerifyException), match="a triple of .*riscv64, wasm32, but got mips"):
        Parser(context(), str(machine).replace("aarch64", "mips")).parse_attribute()


@ON_X86_64
def test_programs_for_another_machine_are_made_and_refuse_to_run(tmp_path: Path) -> None:
    module = double(NEON)
    x = np.ones(100, np.float32)
    assert "fadd" in module.get_source("asm") or "fmul" in module.get_source("asm")
    with refused("TW0750", "run on aarch64-linux-gnu, but this machine is x86_64.*help: save the program"):
        module(x)
    with refused("TW0750", "this machine is x86_64"):
        module.profile([x])
    with refused("TW0704", "'a'"):
        module(x[:3])
    module.save(tmp_path / "double.s")
    assert "v0.4s" in (tmp_path / "double.s").read_text()


@ON_X86_64
def test_instruction_sets_that_are_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Refused at once for this machine, also where the code is in the cache; kept for whoever has them."""
    double("llvm -mcpu=x86-64-v2")
    monkeypatch.setattr(host, "host_features", lambda: LEVELS["x86_64"]["x86-64"])
    with refused("TW0612", "this machine has no cx16, popcnt.*sse4.1"):
        double("llvm -mcpu=x86-64-v2")
    module = double("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v2")
    with refused("TW0750", "run on x86_64-linux-gnu, but this machine has no cx16"):
        module(np.ones(100, np.float32))
    module.save(tmp_path / "double.so")
    monkeypatch.undo()
    loaded = tilewright.load_module(tmp_path / "double.so")
    np.testing.assert_array_equal(loaded(np.ones(100, np.float32)), np.full(100, 2, np.float32))
    monkeypatch.setattr(cpu_features, "_flags", lambda: frozenset({"pni", "ssse3"}))
    with refused("TW0612", "it has no .*sse4.1"):
        tilewright.load_module(tmp_path / "double.so")


@ON_X86_64
def test_a_named_machine_that_is_this_one_runs() -> None:
    x = np.random.default_rng(0).random(100, np.float32)
    np.testing.assert_array_equal(double("llvm -mtriple=x86_64-linux-gnu")(x), x * 2)


def test_instruction_sets_of_arm_as_the_kernel_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    cpuinfo = "processor\t: 0\nFeatures\t: fp asimd evtstrm aes crc32 atomics asimddp\nCPU part\t: 0xd0c\n"
    monkeypatch.setattr(Path, "read_text", lambda self: cpuinfo)
    assert cpu_features.missing_features(["fp-armv8", "neon", "lse", "dotprod", "crc"]) == []
    assert cpu_features.missing_features(["neon", "sve", "i8mm"]) == ["i8mm", "sve"]


def test_instruction_sets_of_risc_v_as_the_kernel_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    cpuinfo = "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc_zicsr_zfhmin\nmmu\t\t: sv48\n"
    monkeypatch.setattr(Path, "read_text", lambda self: cpuinfo)
    assert cpu_features.missing_features([*LEVELS["riscv64"]["rv64gc"], "zfhmin"]) == []
    assert cpu_features.missing_features([*LEVELS["riscv64"]["rv64gcv"], "zfh"]) == ["v", "zfh"]


@ON_X86_64
def test_libraries_for_another_machine_are_refused_before_they_are_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    double("llvm").save(tmp_path / "double.so")
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    monkeypatch.setattr(ctypes, "CDLL", None)
    with refused("TW0750", "run on x86_64, for which '.*double.so' was made, but this is aarch64"):
        tilewright.load_module(tmp_path / "double.so")


@ON_X86_64
def test_saving_for_another_machine_takes_its_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = double(NEON)
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with refused("TW0613", "a C compiler for aarch64-linux-gnu, but 'aarch64-linux-gnu-gcc' and 'clang' cannot"):
        module.export_library(tmp_path / "double.so")


@ON_X86_64
@pytest.mark.needs("clang", "wasm-ld", "wasi-libc")
def test_saving_for_webassembly_takes_its_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """clang, lld and wasi-libc; a CC that names another compiler is passed over."""
    module, clang = double("wasm32"), shutil.which("clang")
    assert clang is not None
    monkeypatch.setenv("CC", "gcc")
    module.save(tmp_path / "double.wasm")
    assert (tmp_path / "double.wasm").read_bytes().startswith(b"\0asm")
    monkeypatch.setenv("PATH", str(tmp_path))
    with refused("TW0613", "a C compiler for wasm32-unknown-unknown, but 'clang'.*install clang, lld and wasi-libc"):
        module.save(tmp_path / "double.wasm")
    (tmp_path / "clang").write_text(f"#!/bin/sh\nexec {clang} --sysroot=/missing -isystem /missing -nostdinc $*\n")
    (tmp_path / "clang").chmod(0o755)
    with refused("TW0613", "clang cannot link .*stdint.h.*install clang, lld and wasi-libc"):
        module.save(tmp_path / "double.wasm")


@ON_X86_64
def test_forms_for_webassembly_and_others(tmp_path: Path) -> None:
    module = double("wasm32")
    for ending in ("so", "o", "tar"):
        with refused("TW0614", "saved as .wasm" if ending == "tar" else "ends in .wasm, .s, .ll or .mlir"):
            module.save(tmp_path / f"double.{ending}")
    with refused("TW0614", "ends in .so, .tar, .o.*build the program for target='wasm32'"):
        double("llvm").save(tmp_path / "double.wasm")
    with refused("TW0750", "run on wasm32-unknown-unknown, but this machine is x86_64"):
        module(np.ones(100, np.float32))
    assert not [*tmp_path.iterdir()]


def test_weights_and_buffers_have_32_bit_addresses(tmp_path: Path) -> None:
    """Refused before a linker is asked."""
    signature = double("wasm32").entry.signature
    large = Entry("double", "tw_entry.double", signature, (), (1 << 32) - (1 << 20))
    with refused("TW0618", "less than 4 GiB of weights and buffers on wasm32, but got 4294967296 bytes"):
        write_webassembly(tmp_path / "double.wasm", [large], [], attribute("wasm32"))


@pytest.mark.parametrize(
    ("machine", "number"),
    [
        pytest.param(m, n, marks=pytest.mark.needs(*m.tools), id=m.triple)
        for m, n in ((emulated.AARCH64, 183), (emulated.RISCV64, 243))
    ],
)
def test_libraries_for_another_machine_are_linked(
    machine: emulated.Emulated,
    number: int,
    built: Callable[[str], Module],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CC", raising=False)
    path = tmp_path / "programs.so"
    built(machine.target).export_library(path)
    assert int.from_bytes(path.read_bytes()[18:20], "little") == number, "ELF's number of the machine"
    assert "int32_t matmul(const float *a" in path.with_suffix(".h").read_text()
    with refused("TW0750", f"run on {machine.triple.partition('-')[0]}, for which"):
        tilewright.load_module(path)


@pytest.mark.needs("clang")
@pytest.mark.each(("architecture", "name"), [(a, name) for a, names in PROCESSORS.items() for name in names])
def test_processors_have_the_sets_that_clang_gives_them(architecture: str, name: str) -> None:
    """Of the sets that are named here: what clang defines for a processor, and nothing else.

    But for three that older versions do not tell truly: one that a processor lost, and two without a macro.
    """
    option = "-march" if architecture == "x86_64" else "-mcpu"
    command = ["clang", f"--target={architecture}-linux-gnu", f"{option}={name}", "-dM", "-E", "-x", "c", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("a clang that is older than the processor")
    defined = {line.split()[1] for line in done.stdout.splitlines()}
    prefix = "__{}__" if architecture == "x86_64" else "__ARM_FEATURE_{}"
    spelled = {f"amx-{kind}": f"__AMX{kind.upper()}__" for kind in ("tile", "int8", "bf16", "fp16")} | {
        "sahf": "__LAHF_SAHF__",
        "cx16": "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16",
        "fullfp16": "__ARM_FEATURE_FP16_VECTOR_ARITHMETIC",
        "rdm": "__ARM_FEATURE_QRDMX",
        "lse": "__ARM_FEATURE_ATOMICS",
        "crc": "__ARM_FEATURE_CRC32",
        "sve": "__ARM_FEATURE_SVE",
    }
    unspoken = {"cmov", "cx8", "fxsr", "fp-armv8", "neon"}
    """Without a macro of their own, as every processor of the architecture has them."""
    described = processor(name, architecture)
    assert described is not None
    sets = features_of(described, architecture)
    for feature in _names(architecture) - unspoken - {"avx512vp2intersect", "bf16", "i8mm"}:
        macro = spelled.get(feature, prefix.format(re.sub("[-.]", "_", feature.upper())))
        assert (macro in defined) == (feature in sets), feature


@ON_X86_64
def test_a_processor_is_the_target_that_lists_its_sets() -> None:
    named = attribute("llvm -mcpu=skylake-avx512 -threads=8")
    assert named == attribute("llvm -mcpu=x86-64-v4 -mattr=+aes,+pclmul -threads=8")
    assert Target("llvm -mcpu=core-avx2").attribute() == Target({"kind": "llvm", "mcpu": "haswell"}).attribute()
    arm = attribute("llvm -mtriple=aarch64-linux-gnu -mcpu=neoverse-n1")
    assert arm == attribute("llvm -mtriple=aarch64-linux-gnu -mcpu=armv8.2-a -mattr=+dotprod,+fullfp16,+aes,+sha2")
    with refused("TW0612", "processor of x86_64, but got '-mcpu=cortex-a72'.*add -mtriple=aarch64-linux-gnu"):
        attribute("llvm -mcpu=cortex-a72")
    with refused("TW0612", "a processor as haswell.*but got '-mcpu=haswel'"):
        attribute("llvm -mcpu=haswel")
