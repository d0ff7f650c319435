"""Arguments, printing and copying of schedules."""

from __future__ import annotations

import pytest
import tilewright as tvm
from tilewright import IRModule, TilewrightError, te, tir
from tilewright.schedule import Schedule
from xdsl.dialects.func import FuncOp

from .programs import elementwise, matmul, parse, replay_equals


def test_a_program_scheduled_step_by_step() -> None:
    """A function made of a tensor expression, its module, and the text after each primitive."""
    A = te.placeholder((8,), dtype="float32", name="A")
    B = te.compute((8,), lambda *i: A(*i) + 1.0, name="B")
    module = IRModule({"main": te.create_prim_func([A, B])})
    before = module.script()
    sch = tir.Schedule(module)
    (i,) = sch.get_loops(sch.get_block("B"))
    i_0, i_1, i_2 = sch.split(i, factors=[2, 2, 2])
    assert "(%vi0 = spatial(%i0a * 4 + %i0b * 2 + %i0c) in 8)" in sch.mod.script()
    assert headers(sch) == ["%i0a = 0 to 2", "%i0b = 0 to 2", "%i0c = 0 to 2"]
    sch.reorder(i_0, i_2, i_1)
    assert headers(sch) == ["%i0a = 0 to 2", "%i0c = 0 to 2", "%i0b = 0 to 2"]
    sch.bind(i_0, "blockIdx.x")
    sch.bind(i_2, te.thread_axis("threadIdx.x"))
    assert headers(sch) == [
        '%i0a = 0 to 2 kind thread<"blockIdx.x">',
        '%i0c = 0 to 2 kind thread<"threadIdx.x">',
        "%i0b = 0 to 2",
    ]
    assert module.script() == before, "the schedule works on a copy"
    assert str(parse(sch.mod.script())) == sch.mod.script()


def headers(sch: Schedule) -> list[str]:
    lines = [line.strip() for line in sch.mod.script().splitlines()]
    return [line.removeprefix("loop.for ").removesuffix(" {") for line in lines if line.startswith("loop.for ")]


def test_modules_and_mappings_are_copied_operations_are_not() -> None:
    text = elementwise(4, 4)

    def scheduled(root: object) -> Schedule:
        schedule = Schedule(root)  # pyright: ignore[reportArgumentType]
        schedule.parallel(schedule.get_loop("i"))
        return schedule

    operation = parse(text)
    (function,) = (op for op in operation.ops if isinstance(op, FuncOp))
    for root in (IRModule(operation), {"k": function}):
        schedule = scheduled(root)
        assert str(operation) == str(parse(text))
        assert "parallel" in schedule.mod.script()
    detached = function.clone()
    alone = scheduled(detached)
    assert "parallel" in str(detached) and alone.func is detached
    assert list(alone.mod) == ["k"] and "parallel" in alone.mod.script()
    assert scheduled(operation).mod.op is operation
    assert "parallel" in str(operation)


def test_one_of_several_functions() -> None:
    text = elementwise(4, 4) + elementwise(2, 2).replace("@k", "@other")
    schedule = tvm.Schedule(IRModule(parse(text)), function="other")
    schedule.unroll(schedule.get_loop("i"))
    assert list(schedule.mod) == ["k", "other"]
    assert "unrolled" in str(schedule.mod["other"]) and "unrolled" not in str(schedule.mod["k"])


def test_a_function_that_does_not_exist() -> None:
    module = IRModule(parse(elementwise(4, 4)))
    with pytest.raises(TilewrightError) as error:
        Schedule(module, "other")
    first, line, *_ = str(error.value).splitlines()
    assert first.endswith("error[TW0407]: expected a function @other, but the functions are @k")
    assert line == '        Schedule(module, "other")'
    with pytest.raises(TilewrightError, match="expected one function with blocks, but there are none"):
        Schedule(IRModule())


def test_show_prints_the_module(capsys: pytest.CaptureFixture[str]) -> None:
    schedule = Schedule(parse(elementwise(4, 4)))
    schedule.show()
    assert capsys.readouterr().out == f"{schedule.mod.script()}\n"


def test_repr_is_the_nest() -> None:
    schedule = Schedule(parse(matmul(4, 6, 8)))
    i, j, _ = schedule.get_loops(schedule.get_block("C"))
    schedule.parallel(i)
    schedule.split(j, factor=4)
    assert repr(schedule).splitlines() == [
        "Schedule of @k",
        "  for %i = 0 to 4 parallel",
        "    for %jo = 0 to 2",
        "      for %ji = 0 to 4",
        "        for %k = 0 to 8",
        '          block "C"',
        "  for %x = 0 to 4",
        "    for %y = 0 to 6",
        '      block "E"',
    ]


def test_copies_are_independent() -> None:
    text = elementwise(8, 8)
    schedule = Schedule(parse(text))
    i, j = schedule.get_loops(schedule.get_block("B"))
    io, ii = schedule.split(i, factor=4)
    before = str(schedule.func)
    other = schedule.copy()
    assert str(other.func) == before and other.func is not schedule.func
    other.parallel(io)
    schedule.reorder(j, io, ii)
    assert str(other.func) != str(schedule.func)
    assert [s.method for s in other.trace.instructions] == ["get_block", "get_loops", "split", "parallel"]
    assert [s.method for s in schedule.trace.instructions] == ["get_block", "get_loops", "split", "reorder"]
    for one in (schedule, other):
        replay_equals(text, one)
        with pytest.raises(TilewrightError, match="it was split by an earlier primitive") as error:
            one.unroll(i)
        assert error.value.code == "TW0404"


def test_copies_of_functions_without_a_module() -> None:
    schedule = Schedule(te_function())
    schedule.split(schedule.get_loop("i"), factor=2)
    other = schedule.copy()
    assert str(other.func) == str(schedule.func)
    other.unroll(other.get_loop("ii"))
    assert "unrolled" not in str(schedule.func)


def te_function() -> FuncOp:
    A = te.placeholder((8,), name="A")
    return te.create_prim_func([A, te.compute((8,), lambda i: A[i] * 2, name="B")])


def test_blocks_of_a_function_a_loop_and_what_callers_see() -> None:
    schedule = Schedule(parse(matmul(4, 4, 4)))
    c, e = schedule.get_child_blocks()
    assert [schedule.block(b).label for b in (c, e)] == ["C", "E"]
    assert [schedule.block(b).label for b in schedule.get_output_blocks()] == ["E"]
    (x, _) = schedule.get_loops(e)
    assert [schedule.block(b).label for b in schedule.get_child_blocks(x)] == ["E"]
    assert schedule.get_child_blocks(c) == ()
    assert [schedule.block(b).label for b in schedule.get_producers(e)] == ["C"]
    assert [schedule.block(b).label for b in schedule.get_consumers(c)] == ["E"]
    replay_equals(matmul(4, 4, 4), schedule)


def test_blocks_in_a_block() -> None:
    text = elementwise(8, 8)
    schedule = Schedule(parse(text))
    _, j = schedule.get_loops(schedule.get_block("B"))
    _, ji = schedule.split(j, factor=4)
    outer = schedule.blockize(ji)
    assert [schedule.block(b).label for b in schedule.get_child_blocks()] == ["B_o"]
    assert [schedule.block(b).label for b in schedule.get_child_blocks(outer)] == ["B"]
    replay_equals(text, schedule)


def test_output_seen_through_a_view() -> None:
    text = """
func.func @k(%A: memref<4xf64>, %B: memref<2x2xf64> {tw.output}) {
  %b = loop.view %B[0] : memref<2x2xf64> to memref<4xf64>
  loop.for %i = 0 to 4 {
    loop.block "B" (%vi = spatial(%i) in 4) {
      %a = loop.load %A[%vi] : memref<4xf64>
      loop.store %a, %b[%vi] : memref<4xf64>
    }
  }
  func.return
}"""
    schedule = Schedule(parse(text))
    assert [schedule.block(b).label for b in schedule.get_output_blocks()] == ["B"]


def test_blocks_that_do_not_exist() -> None:
    schedule = Schedule(parse(matmul(4, 4, 4).replace('"C"', '"matmul"')))
    with pytest.raises(TilewrightError, match="the blocks are 'matmul', 'E'; did you mean 'matmul'?") as error:
        schedule.get_block("matmult")
    assert error.value.code == "TW0407" and "sch.show()" in str(error.value.help)


def test_the_root_is_the_whole_function() -> None:
    text = matmul(4, 4, 4)
    schedule = Schedule(parse(text))
    root = schedule.get_block("root")
    assert [schedule.block(b).label for b in schedule.get_child_blocks(root)] == ["C", "E"]
    assert [schedule.block(b).label for b in schedule.get_output_blocks("root")] == ["E"]
    replay_equals(text, schedule)
    for call in (schedule.get_loops, schedule.compute_inline, schedule.get):
        with pytest.raises(TilewrightError, match=r"expected a handle of a loop.block, but got <block 'root'>"):
            call(root)


def test_blocks_in_a_block_by_name() -> None:
    text = elementwise(8, 8)
    schedule = Schedule(parse(text))
    _, j = schedule.get_loops("B")
    _, ji = schedule.split(j, factor=4)
    outer = schedule.blockize(ji)
    inner = schedule.get_block("B")
    assert schedule.get(inner) is schedule.get(schedule.get_child_blocks(outer)[0])
    assert [schedule.get(each).constant_trip_count for each in schedule.get_loops(inner)] == [4]
    assert [schedule.block(b).label for b in schedule.get_output_blocks(outer)] == ["B"]
    replay_equals(text, schedule)


def test_copies_by_the_names_of_their_caches() -> None:
    text = matmul(4, 4, 4)
    schedule = Schedule(parse(text))
    read, written = schedule.cache_read("C", 0, "local"), schedule.cache_write("C", 0, "register")
    names = [schedule.get(handle).body.block.last_op.buffer.name_hint for handle in (read, written)]
    assert schedule.get(schedule.get_block(names[0])) is schedule.get(read)
    assert schedule.get(schedule.get_block("C_register")) is schedule.get(written)
    replay_equals(text, schedule)
