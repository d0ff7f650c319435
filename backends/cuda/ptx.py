"""Joining of the PTX of several kernels to one module, whose entries have the kernels' names.

Numba compiles a module for each kernel and mangles the types of all parameters into the name of its entry. Joined
without changes, the modules would define the tables of library functions and the shared arrays several times.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from ...diagnostics import fail
from ...hardware import SWIZZLE_PERIOD_BYTES, THREAD_ACCESS_BYTES

_ENTRY = re.compile(r"\.visible \.entry ([\w$]+)\(")
_SIGNATURE = re.compile(r"\.visible \.entry [\w$]+\([^)]*\)")
_HEADER = re.compile(r"\.version .*?\.address_size \d+\n", re.S)
_UNUSED = re.compile(r"^\s*(?:// \.globl.*|\.common \.global \.align 8 \.u64 \w*NumbaEnv\w*;)\n", re.M)
"""Comments, and the variables of numba's host environment, which the kernels do not use."""
_DEFINITION = re.compile(
    r"^\s*(?:\.(?:visible|weak|extern|common)\s+)*\.(?:global|const|shared)\s[^;={(]*?([\w$]+)(?:\[\d*\])*\s*[;={]"
    r"|^\s*(?:\.(?:visible|weak)\s+)?\.func\s+(?:\([^)]*\)\s*)?([\w$]+)\s*\(",
    re.M,
)
_SHARED = re.compile(r"^(\s*(?:\.(?:extern|visible|weak) )?\.shared \.align )(\d+)", re.M)
_TARGET = re.compile(r"^(\.target )sm_\w+", re.M)


def joined(texts: Mapping[str, str], launches: Mapping[str, tuple[int, int]], arch: str) -> str:
    """Return one module of PTX for an architecture, with an entry of each given name; `texts` are modules of one entry.

    `launches` has two numbers for each kernel. The first is the largest number of threads of a block: without it the
    assembler gives threads so many registers that large blocks cannot be launched. The second is the number of blocks
    that a multiprocessor should run at a time, 0 for no constraint.
    """
    bodies: list[str] = []
    header = ""
    for name, text in texts.items():
        text = text.strip("\0")
        entry, head = _ENTRY.search(text), _HEADER.search(text)
        if entry is None or head is None:
            fail("TW0635", f"expected PTX with an entry for kernel {name}, but numba made none")
        header = _TARGET.sub(rf"\g<1>{arch}", head[0])
        body = _UNUSED.sub("", text[head.end() :]).replace(entry[1], name)
        threads, blocks = launches[name]
        limits = f".maxntid {threads}, 1, 1" + (f"\n.minnctapersm {blocks}" if blocks else "")
        body = _SIGNATURE.sub(rf"\g<0>\n{limits}", body, count=1)
        least = SWIZZLE_PERIOD_BYTES if "wgmma." in body else THREAD_ACCESS_BYTES
        body = _SHARED.sub(partial(_aligned, least=least), body)
        bodies.append(_with_kernel_names(body, name) if len(texts) > 1 else body)
    return "\n".join([header, *(body.strip("\n") + "\n" for body in bodies)])


def _aligned(declaration: re.Match[str], least: int) -> str:
    """Return the declaration of a shared array with the alignment that its accesses need: numba's builtin CUDA target
    aligns it to its elements, which is too little for vectors."""
    return f"{declaration[1]}{max(int(declaration[2]), least)}"


def _with_kernel_names(body: str, kernel: str) -> str:
    """Rename the definitions of a module beside its entry, so that their names start with the kernel's."""
    names = {found[1] or found[2] for found in _DEFINITION.finditer(body)}
    renamed = {name for name in names if not name.startswith(kernel)}
    if not renamed:
        return body
    any_of = "|".join(map(re.escape, sorted(renamed, key=len, reverse=True)))
    return re.sub(rf"(?<![\w$%.])({any_of})(?![\w$])", rf"{kernel}_\1", body)


def parameters(text: str) -> dict[str, tuple[str, ...]]:
    """Return the types of the parameters of each entry of a module, such as "u64"."""
    found = re.finditer(r"\.visible \.entry ([\w$]+)\((.*?)\)", text, re.S)
    return {entry[1]: tuple(re.findall(r"\.param (?:\.align \d+ )?\.(\w+)", entry[2])) for entry in found}
