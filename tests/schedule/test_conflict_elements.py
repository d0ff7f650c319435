"""The element of a refused conflict is named where nothing that the question is about selects it."""

from __future__ import annotations

import pytest
from tilewright import TilewrightError
from tilewright.schedule import Schedule

from .programs import parse, symbolic_matmul

UPDATED = """
func.func @k(%n: index, %A: memref<8x8xf64>, %C: memref<8x8xf64> {{tw.output}}) {{
  %p = arith.muli %n, %n : index
  loop.for %i = 0 to 8 {{
    loop.for %j = 0 to 8 {{
      loop.block "B" (%vi = spatial(%i) in 8, %vj = reduce(%j) in 8) {{
        %a = loop.load %A[%vi, %vj] : memref<8x8xf64>
        %c = loop.load %C[{element}] : memref<8x8xf64>
        %s = arith.addf %c, %a : f64
        loop.store %s, %C[{element}] : memref<8x8xf64>
      }}
    }}
  }}
  func.return
}}"""
ELEMENTS = {"%vi, %n": "[0, 0]", "%vi, %p": "[0, 0]", "%n + 3, %p": "[3, 0]", "%vi, 7 - %n": "[0, 7]"}
"""Indices that are arguments and products of them, and the least element they may be."""


@pytest.mark.parametrize("element", ELEMENTS)
def test_an_element_that_no_loop_selects(element: str) -> None:
    schedule = Schedule(parse(UPDATED.format(element=element)))
    with pytest.raises(TilewrightError) as caught:
        schedule.parallel(schedule.get_loops(schedule.get_block("B"))[1])
    assert caught.value.code == "TW0401" and "(j=0) must run before (j=1)" in caught.value.message
    assert any(f"%C{ELEMENTS[element]}" in note for note in caught.value.notes)


@pytest.mark.parametrize("kind", ["parallel", "vectorize"])
def test_a_reduction_below_fused_symbolic_loops(kind: str) -> None:
    schedule = Schedule(parse(symbolic_matmul()))
    schedule.fuse(*schedule.get_loops(schedule.get_block("C"))[:2])
    _, terms = schedule.get_loops(schedule.get_block("C"))
    _, terms = schedule.split(terms, [None, 4])
    with pytest.raises(TilewrightError) as caught:
        getattr(schedule, kind)(terms)
    assert caught.value.code == "TW0401" and f"{kind}:" in caught.value.message
    assert any("writes %C[0, 0]" in note for note in caught.value.notes)
