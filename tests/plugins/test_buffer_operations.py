"""Operations of users' dialects on buffers: what they declare is what analyses, schedules and passes go by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright.analysis import accesses_in, accesses_of, carried
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context, loop
from tilewright.passes import Accesses, PassManager, parse_pipeline
from tilewright.passes.framework.manager import verify_module
from tilewright.schedule import Schedule
from tilewright.semantics import evaluate
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Copy a buffer."""

    name = "acc.copy"
    source = operand_def(MemRefType)
    target = operand_def(MemRefType)
    assembly_format = "$source `to` $target attr-dict `:` type($source) `,` type($target)"


class LowerCopy(RewritePattern):
    """A copy as a loop over one dimension."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CopyOp, rewriter: PatternRewriter) -> None:
        assert isinstance(op.source.type, MemRefType)
        over = loop.ForOp(0, op.source.type.get_shape()[0])
        element = loop.LoadOp(op.source, [over.induction_variable])
        over.body.block.add_ops([element, loop.StoreOp(element.res, op.target, [over.induction_variable])])
        rewriter.replace(op, [over], [])


def _copy(op: CopyOp, source: np.ndarray, target: np.ndarray) -> None:
    target[...] = source


ACC = Dialect("acc", [CopyOp])
DECLARED: Callable[..., Accesses] = lambda op: Accesses(reads=[op.source], writes=[op.target])  # noqa: E731
_TYPES = "memref<8xf32>, memref<8xf32>"
PROGRAM = f"""
func.func @main(%a: memref<8x8xf32>, %c: memref<8x8xf32> {{tw.output}}) {{
  loop.for %i = 0 to 8 {{
    %t = loop.alloc : memref<8xf32>
    %u = loop.alloc : memref<8xf32>
    loop.for %j = 0 to 8 {{
      loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 8) {{
        %x = loop.load %a[%vi, %vj] : memref<8x8xf32>
        %y = arith.addf %x, %x : f32
        loop.store %y, %t[%vj] : memref<8xf32>
      }}
    }}
    acc.copy %t to %u : {_TYPES}
    loop.for %k = 0 to 8 {{
      loop.block "C" (%vi = spatial(%i) in 8, %vj = spatial(%k) in 8) {{
        %x = loop.load %u[%vj] : memref<8xf32>
        loop.store %x, %c[%vi, %vj] : memref<8x8xf32>
      }}
    }}
  }}
  func.return
}}
"""
FLAT = f"""
func.func @main(%a: memref<8xf32>, %c: memref<8xf32> {{tw.output}}) {{
  %t = loop.alloc : memref<8xf32>
  %u = loop.alloc : memref<8xf32>
  loop.for %i = 0 to 8 {{
    loop.block "B" (%vi = spatial(%i) in 8) {{
      %x = loop.load %a[%vi] : memref<8xf32>
      loop.store %x, %t[%vi] : memref<8xf32>
    }}
  }}
  acc.copy %t to %u : {_TYPES}
  loop.for %k = 0 to 8 {{
    loop.block "C" (%vi = spatial(%k) in 8) {{
      %x = loop.load %u[%vi] : memref<8xf32>
      loop.store %x, %c[%vi] : memref<8xf32>
    }}
  }}
  func.return
}}
"""
X = np.random.default_rng(0).standard_normal((8, 8)).astype(np.float32)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    tilewright.register_pass(phase=0, name="lower-acc")(LowerCopy)
    tilewright.register_dialect(ACC, references={CopyOp: _copy}, accesses={CopyOp: DECLARED}, lowering="lower-acc")
    yield
    tilewright.unregister_dialect("acc")
    tilewright.unregister_pass("lower-acc")


def _read(text: str = PROGRAM) -> Any:
    return parse(context(), text, "acc.mlir")


def _copies(module: Any) -> list[CopyOp]:
    return [op for op in module.walk() if isinstance(op, CopyOp)]


def test_declared_accesses_are_accesses() -> None:
    module = _read()
    (copy,) = _copies(module)
    found = [(a.buffer, a.is_write, a.index) for a in accesses_in(module) if a.op is copy]
    assert found == [(copy.source, False, None), (copy.target, True, None)]
    assert [a.op.name for a in accesses_of(copy.target)].count("acc.copy") == 1


def test_programs_run_and_passes_keep_values() -> None:
    for target in ("interpreter", "cpu", "c"):
        result = np.full_like(X, np.nan)
        tilewright.build(_read(), target=target)(X, result)
        np.testing.assert_array_equal(result, X + X, err_msg=target)
    wrong = []
    for passes in ("simplify", "cse", "remove-no-op", "parallelize", "vectorize", "hoist", "unroll", "lower-acc"):
        for pipeline in (passes, f"lower-blocks,{passes}", f"lower-blocks,plan-arena,{passes}"):
            module = _read()
            PassManager(parse_pipeline(pipeline)).run(context(), module)
            kept = bool(_copies(module)) == (passes != "lower-acc")
            if not kept or not np.array_equal(evaluate(module, X)[0], X + X):
                wrong.append(pipeline)
    assert wrong == []


def test_schedules_arrange_loops_around_it() -> None:
    schedule = Schedule(_read())
    _, j = schedule.get_loops("B")
    schedule.vectorize(schedule.split(j, factors=[None, 4])[1])
    schedule.unroll(schedule.get_loops("C")[1])
    schedule.parallel(schedule.get_loops("C")[0])
    result = np.full_like(X, np.nan)
    tilewright.build(schedule.mod, target="cpu")(X, result)
    np.testing.assert_array_equal(result, X + X)


def _shared(text: str = PROGRAM) -> str:
    """Return the program with one buffer for all rows."""
    allocs = "    %t = loop.alloc : memref<8xf32>\n    %u = loop.alloc : memref<8xf32>\n"
    head = "  loop.for %i = 0 to 8 {\n"
    return text.replace(head + allocs, allocs + head)


def test_what_would_pass_it_is_refused() -> None:
    cases: dict[str, tuple[str, Callable[[Schedule], object], str]] = {
        "compute_at": (FLAT, lambda s: s.compute_at("B", s.get_loops("C")[0]), "read by an operation outside"),
        "reverse_compute_at": (FLAT, lambda s: s.reverse_compute_at("C", s.get_loops("B")[0]), "reads %u of an"),
        "merge": (PROGRAM, lambda s: s.merge(s.get_loops("B")[1], s.get_loops("C")[1]), "but got acc.copy"),
        "set_scope": (PROGRAM, lambda s: s.set_scope("B", 0, "local"), "used by acc.copy"),
        "transform_layout": (PROGRAM, lambda s: s.transform_layout("B", 0, lambda i: 7 - i), "acc.copy"),
        "compute_inline": (FLAT, lambda s: s.compute_inline("B"), "something other than scalar loads"),
        "parallel": (_shared(), lambda s: s.parallel(s.get_loops("B")[0]), "must run before"),
    }
    wrong = []
    for name, (text, call, message) in cases.items():
        try:
            call(Schedule(_read(text)))
            wrong.append((name, "accepted"))
        except TilewrightError as error:
            wrong += [] if message in error.message else [(name, error.message)]
    assert wrong == []


def test_iterations_that_only_the_copy_makes_depend_on_each_other() -> None:
    text = f"""
func.func @main(%a: memref<8xf32>, %c: memref<8x8xf32> {{tw.output}}) {{
  %u = loop.alloc : memref<8xf32>
  loop.for %i = 0 to 8 {{
    acc.copy %a to %u : {_TYPES}
    %x = loop.load %u[%i] : memref<8xf32>
    loop.store %x, %c[%i, 0] : memref<8x8xf32>
  }}
  func.return
}}
"""
    outer = next(op for op in _read(text).walk() if isinstance(op, loop.ForOp))
    assert carried(outer) is not None


def test_declarations_that_do_not_fit_are_refused() -> None:
    text = f"func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {{\n  acc.copy %a to %b : {_TYPES}\n  func.return\n}}\n"
    cases: dict[str, Callable[..., Accesses] | None] = {
        "declare that it reads or writes %a": None,
        "declare that it reads or writes %b": lambda op: Accesses(reads=[op.source]),
        "accesses of buffers among its operands": lambda op: Accesses([op.source, op.parent.args[0]], [op.target, op]),
    }
    for message, declaration in cases.items():
        accesses = {} if declaration is None else {CopyOp: declaration}
        tilewright.register_dialect(ACC, references={CopyOp: _copy}, accesses=accesses)
        with pytest.raises(TilewrightError, match=f"acc.mlir:2:3: error\\[TW0235\\]: expected .*{message}"):
            verify_module(_read(text))
    with pytest.raises(TilewrightError, match="expected accesses of operations of dialect 'acc'") as refused:
        tilewright.register_dialect(ACC, accesses={loop.LoadOp: DECLARED})
    assert refused.value.code == "TW0234"
