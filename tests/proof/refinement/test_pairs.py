"""Three programs of dynamic sizes, and what passes of mlir-opt 22 make of them: a product, two products, a stencil.

`pairs/PROGRAM.base.mlir` is the program as mlir-opt prints it, `pairs/PROGRAM.PASS.mlir` its output. No two sizes are
stated to be equal, so every access of the program before is outside of its buffer at some sizes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import Pairs

FOLDER = Path(__file__).with_name("pairs")
OTHERS = {
    "matmul.affine-loop-coalescing": "bounded",  # a product of sizes
    "matmul.affine-super-vectorize": "refuted",  # writes columns of the result beyond those of the second factor
    "stencil.affine-super-vectorize": "refuted",
    "stencil.affine-loop-unroll": "refuted",  # for fewer than two elements the loop of what is left begins below 0
}
"""The verdicts that are not "proved"."""
CONDITIONS = {
    "matmul": "arg0_dim1 <= arg1_dim0, arg0_dim0 <= arg2_dim0, arg1_dim1 <= arg2_dim1",
    "chain": "arg3_dim1 <= arg4_dim1, arg0_dim1 <= arg1_dim0, arg0_dim0 <= arg2_dim0, arg1_dim1 <= arg2_dim1, "
    "arg1_dim1 <= arg3_dim0, arg0_dim0 <= arg4_dim0",
    "stencil": "arg0_dim0 <= 2",
}


@pytest.fixture
def pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Pairs:
    return Pairs(tmp_path, capsys)


@pytest.mark.parametrize("program", ["matmul", "stencil", pytest.param("chain", marks=pytest.mark.full)])
def test_outputs_of_passes_on_dynamic_sizes(pairs: Pairs, program: str) -> None:
    base = (FOLDER / f"{program}.base.mlir").read_text()
    wrong: list[object] = []
    for path in sorted(FOLDER.glob(f"{program}.*.mlir")):
        verdict, condition = pairs.says(base, path.read_text())
        expected = OTHERS.get(path.stem, "proved")
        if verdict != expected:
            wrong.append((path.stem, verdict))
        elif expected == "proved" and (condition is None or condition.split("; or ")[0] != CONDITIONS[program]):
            wrong.append((path.stem, condition))
    assert wrong == []


def test_faults_in_a_tiled_product_are_refuted(pairs: Pairs) -> None:
    base, tiled = (FOLDER / f"matmul.{name}.mlir" for name in ("base", "affine-loop-tile"))
    text = tiled.read_text()
    size = next(n for n in (32, 16, 8, 4) if f"step {n}" in text)
    bound = next(line for line in text.splitlines() if "to min" in line)
    smallest = bound[bound.index("min") : bound.index(" {")]
    plain = smallest.replace("min ", "").partition("[")[0].replace("#map1", "#free")
    faults = {
        "a minimum is lost": f"#free = affine_map<(d0) -> (d0 + {size})>\n{text.replace(smallest, plain, 1)}",
        "a step is too large": text.replace(f"step {size}", f"step {size + 1}", 1),
        "an index is swapped": text.replace("%arg0[%arg6, %arg8]", "%arg0[%arg6, %arg7]"),
        "a tile is left out": text.replace("affine.for %arg4 = 0 to", "affine.for %arg4 = 8 to"),
    }
    assert all(fault != text for fault in faults.values())
    assert {name for name, fault in faults.items() if pairs.says(base.read_text(), fault)[0] != "refuted"} == set()
