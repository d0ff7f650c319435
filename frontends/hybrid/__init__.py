"""Hybrid script: loops written in Python that compute tensors, as `te.hybrid.script`.

    @te.hybrid.script
    def blur(a):
        b = output_tensor((30,), "float32")
        for i in range(30):
            total = 0.0
            for k in range(3):
                total += a[i + k]
            b[i] = total / 3.0
        return b

    B = blur(te.placeholder((32,), name="A"))      # a tensor, as te.extern makes one
    blur(numpy.ones(32, "float32"))                # the same loops, run by Python

- `vocabulary` has the functions that a script may call beside Python's operators.
- `statements` reads the statements that differ from those of TVMScript, whose parser reads all others.
- `reading` reads a function for given tensors, and `definition` defines the result tensors.
- `emulation` runs a function on arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import exports as _exports

if TYPE_CHECKING:
    from .definition import script as script

__all__ = ["script"]

__getattr__, __dir__ = _exports(
    __name__,
    {"script": "definition:script"},
)
