"""Passes by their classic names: what they do to a module, and the names that are refused."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te, tir
from tilewright.passes import pass_names
from tilewright.script import from_source
from tilewright.tir.pass_names import ARGUMENTS, HAS_NO_MEANING, SAME_AS


def doubled(kind: str) -> tilewright.IRModule:
    A = te.placeholder((4, 8), name="A")
    B = te.compute((4, 8), lambda i, j: A[i, j] * 2, name="B")
    sch = tir.Schedule(tilewright.IRModule({"main": te.create_prim_func([A, B])}))
    getattr(sch, kind)(sch.get_loops(sch.get_block("B"))[1])
    return sch.mod


def test_a_vectorized_loop_becomes_vectors() -> None:
    module = doubled("vectorize")
    text = tilewright.transform.Sequential([tir.transform.LowerOpaqueBlock(), tir.transform.VectorizeLoop()])(module)
    assert "loop.load %A[%i, lane] : memref<4x8xf32>, vector<8xf32>" in text.script()
    assert "vectorized" in module.script()


def test_a_pass_brings_the_module_to_its_level_and_keeps_values() -> None:
    module = tir.transform.StorageFlatten(64)(doubled("unroll"))
    assert "loop.block" not in module.script()
    assert "memref<32xf32>" in module.script()
    a = np.arange(32, dtype=np.float32).reshape(4, 8)
    np.testing.assert_array_equal(np.asarray(tilewright.build(module)(a)), a * 2)


def test_classic_passes_run_in_a_context() -> None:
    A = te.placeholder((16,), name="A")
    B = te.compute((16,), lambda i: A[i] + 1, name="B")
    a = np.arange(16, dtype=np.float32)
    with tilewright.transform.PassContext(config={"tir.add_lower_pass": [(2, tir.transform.Simplify())]}):
        built = tilewright.build(te.create_schedule(B.op), [A, B])
    np.testing.assert_array_equal(np.asarray(built(a)), a + 1)


def test_functions_are_filtered_and_transformed_one_by_one() -> None:
    module = tilewright.IRModule({name: doubled("unroll")["main"] for name in ("kept", "dropped")})
    left = tir.transform.Filter(lambda f: f.op.sym_name.data == "kept")(module)
    assert list(left) == ["kept"]
    seen: list[str] = []

    def look(f: tir.PrimFunc) -> tir.PrimFunc:
        seen.append(f.op.sym_name.data)
        return f

    assert tir.transform.Apply(look)(module).script() == module.script()
    assert seen == ["kept", "dropped"]


@pytest.mark.each("name", sorted(SAME_AS))
def test_every_name_is_a_pass(name: str) -> None:
    wanted = [each for each in SAME_AS[name].split(",") if each]
    assert set(wanted) <= set(pass_names())
    for arguments in [(), *((value,) for value in ARGUMENTS.get(name, ()))]:
        assert [p.name for p in getattr(tir.transform, name)(*arguments).passes] == wanted


def test_arguments_by_name() -> None:
    assert tir.transform.CompactBufferAllocation(is_strict=False).passes[0].name == "sink-allocations"
    with pytest.raises(TilewrightError, match="TW0255.*expected no arguments, but got 7"):
        tir.transform.Simplify(bound=7)


SUMS = """
@T.prim_func
def main(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4,), "float32")):
    for i, k in T.grid(4, 8):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            {0}
            B[vi] = B[vi] + A[vi, vk]
"""


def test_the_init_of_a_block_becomes_a_condition() -> None:
    before = from_source(SUMS.format("with T.init():\n                B[vi] = 1.0"))
    after = tir.transform.LowerInitBlock()(tilewright.IRModule({"main": before}))
    expected = from_source(SUMS.format("if vk == 0:\n                B[vi] = 1.0"))
    tilewright.ir.assert_structural_equal(after["main"], expected)
    a = np.arange(32, dtype=np.float32).reshape(4, 8)
    np.testing.assert_array_equal(np.asarray(tilewright.build(after)(a)), a.sum(1) + 1)


def test_blocks_without_an_init_stay() -> None:
    module = tilewright.IRModule({"main": from_source(SUMS.format("pass"))})
    assert tir.transform.LowerInitBlock()(module).script() == module.script()
    for name in ("ConvertBlocksToOpaque", "ConvertSSA", "LowerMatchBuffer"):
        assert getattr(tir.transform, name)()(module).script() == module.script()


def test_parallel_loops_become_serial() -> None:
    module = doubled("parallel")
    assert "kind parallel" in module.script()
    assert "kind parallel" not in tir.transform.ConvertForLoopsToSerial()(module).script()
    assert tir.transform.BindTarget("llvm")(module).script() == module.script()


def test_modules_are_verified() -> None:
    module = doubled("unroll")
    assert tir.transform.VerifySSA()(module).script() == module.script()
    assert tir.transform.VerifyMemory()(module).script() == module.script()
    partly = from_source("""
@T.prim_func
def main(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in T.thread_binding(4, thread="threadIdx.x"):
        B[i] = A[i]
    B[0] = 1.0
""")
    with pytest.raises(TilewrightError, match="TW0255.*inside of the loops bound to threads"):
        tir.transform.VerifyMemory()(tilewright.IRModule({"main": partly}))


@pytest.mark.each("name", sorted(HAS_NO_MEANING))
def test_names_without_a_meaning_say_why(name: str) -> None:
    assert not hasattr(tir.transform, name)
    with pytest.raises(TilewrightError) as refused:
        getattr(tir.transform, name)
    assert refused.value.code == "TW0255"
    assert HAS_NO_MEANING[name] in refused.value.message


def test_arguments_without_a_meaning_are_refused() -> None:
    with pytest.raises(TilewrightError, match="expected no argument but 32, but got 16") as refused:
        tir.transform.NarrowDataType(16)
    assert refused.value.code == "TW0255"
    with pytest.raises(TilewrightError, match="expected no arguments, but got 1"):
        tir.transform.Simplify(1)


def test_unknown_names_have_a_suggestion() -> None:
    with pytest.raises(TilewrightError, match="Simplify") as refused:
        tir.transform.Simplfy  # noqa: B018
    assert refused.value.code == "TW0225"


def test_attributes_that_a_pass_gives_functions() -> None:
    module = doubled("unroll")
    apply = tir.transform.Apply
    named = apply(lambda f: f.with_attr({"note": 3, "target": tilewright.target.Target("llvm")}))(module)
    assert "attributes {note = 3 : i64" in named.script() and "note" not in module.script()
    renamed = apply(lambda f: f.with_attr("global_symbol", "other"))(named)
    assert list(renamed) == ["other"] and list(named) == ["main"]
    a = np.ones((4, 8), dtype=np.float32)
    np.testing.assert_array_equal(np.asarray(tilewright.build(renamed)["other"](a)), a * 2)
    with pytest.raises(TilewrightError, match="returned no function") as refused:
        apply(lambda f: None)(module)
    assert refused.value.code == "TW0255"
