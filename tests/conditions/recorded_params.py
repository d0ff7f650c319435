"""Parameters in the classic format as `save_param_dict` of apache-tvm 0.27 writes them.

They are recorded in `tests/executor/params.json`.

    make params      compares the record, and what this package writes, with the wheel in an environment of its own

The script runs in an environment that has numpy, ml_dtypes and apache-tvm: `--write` records, `--check` compares.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

RECORD = Path(__file__).parents[1] / "executor" / "params.json"

TYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "bfloat16", "float8_e4m3fn", "float8_e5m2",
)  # fmt: skip
SHAPES = ((), (0,), (3,), (0, 3), (2, 0), (2, 3, 5), (1,) * 7)


def cases() -> dict[str, dict[str, Any]]:
    """Return arrays by name, by the name of the case: each type, each shape, and orders of names."""
    found: dict[str, dict[str, Any]] = {"nothing": {}}
    for name in TYPES:
        dtype = np.dtype(getattr(ml_dtypes, name, name))
        found[name] = {"x": np.array([0, 1, 3, 100], np.float64).astype(dtype)}
    for shape in SHAPES:
        values = np.arange(np.prod(shape, dtype=int)).reshape(shape)
        found[f"shape {[*shape]}"] = {"x": values.astype(np.float32)}
    found["names"] = {"b": np.ones(1, np.float32), "a": np.arange(2, dtype=np.int32), "é ß": np.zeros((1, 1), np.int8)}
    found["no name"] = {"": np.arange(3, dtype=np.uint8)}
    found["special values"] = {"x": np.array([np.nan, np.inf, -np.inf, -0.0], np.float32)}
    return found


def _by_the_wheel() -> dict[str, str]:
    from tvm import runtime  # pyright: ignore[reportMissingImports]

    def saved(arrays: dict[str, Any]) -> str:
        return bytes(runtime.save_param_dict({n: runtime.tensor(a) for n, a in arrays.items()})).hex()

    return {name: saved(arrays) for name, arrays in cases().items()}


def main() -> int:
    """Write the record, or compare it with the wheel's bytes."""
    if "--write" in sys.argv:
        RECORD.write_text(json.dumps(_by_the_wheel(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return 0
    record, made = json.loads(RECORD.read_text(encoding="utf-8")), _by_the_wheel()
    different = sorted(name for name in {*record, *made} if record.get(name) != made.get(name))
    print(f"{len(made)} cases, {len(different)} of them different: {', '.join(different)}".rstrip(": "))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
