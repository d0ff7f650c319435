"""Queries about the code generators: the version of LLVM."""

from __future__ import annotations


def llvm_version_major(allow_none: bool = False) -> int:
    """Return the major version of the LLVM that makes code for CPUs, which is always there."""
    from llvmlite.binding import llvm_version_info

    return llvm_version_info[0]
