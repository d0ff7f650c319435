"""Names of machines in records, from given texts of /proc/cpuinfo."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tilewright.hardware import machine_name
from tilewright.runtime.hardware import processor_name

X86 = "processor\t: 0\nmodel\t\t: 17\nmodel name\t: AMD EPYC 9654\nstepping\t: 1\n\n"
NEOVERSE = (
    "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd crc32\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
    "CPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n\n"
)
BIG = NEOVERSE.replace("0xd0c", "0xd0b").replace("0x3", "0x4")
UNMATCHED = "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\nmmu\t\t: sv39\nuarch\t\t: sifive,u74-mc\n"

NAMES = {
    X86 * 2: "AMD EPYC 9654",
    NEOVERSE * 4: "implementer 0x41 part 0xd0c variant 0x3 revision 1",
    NEOVERSE * 2 + BIG * 2: (
        "implementer 0x41 part 0xd0c variant 0x3 revision 1 + implementer 0x41 part 0xd0b variant 0x4 revision 1"
    ),
    "processor : 0\nmodel name : ARMv8 Processor rev 3 (v8l)\nCPU implementer : 0x41\n": "ARMv8 Processor rev 3 (v8l)",
    "CPU implementer : 0x41\nCPU part : 0xd4f": "implementer 0x41 part 0xd4f",
    UNMATCHED: "sifive,u74-mc",
    "processor : 0\ncpu : POWER9, altivec supported\n": "POWER9, altivec supported",
    "system type : MT7621\ncpu model : MIPS 1004Kc V2.15\n": "MIPS 1004Kc V2.15",
    "CPU implementer :\nCPU part : 0xd4f": "",
    "model name\t: \nCPU part : 0xd4f": "",
    "": "",
    "no fields\n": "",
}


@pytest.mark.each(("text", "name"), NAMES.items())
def test_the_processor_of_a_text(text: str, name: str) -> None:
    assert processor_name(text) == name


def test_the_name_of_a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processors of AArch64 have no model name: two kinds of them are two machines."""
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    names = []
    for text in (NEOVERSE, BIG, ""):
        monkeypatch.setattr(Path, "read_text", lambda self, text=text, **options: text)
        names.append(machine_name.__wrapped__())
    assert names[:2] == [f"{processor_name(text)}, 4 CPUs" for text in (NEOVERSE, BIG)]
    assert names[2].endswith(", 4 CPUs") and len(names[2]) > len(", 4 CPUs")
