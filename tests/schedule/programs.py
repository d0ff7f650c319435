"""Small loop programs, and running them: as Python source, which is as simple as it can be.

Running checks what schedules may break: an element read before it was written is NaN, an index out of bounds
an error, and loops whose iterations may run in any order run backwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tilewright
from tilewright import semantics, te, tir
from tilewright.analysis.dominance import verify_dominance
from tilewright.analysis.init_nests import init_if_empty, reductions_by_first_loop
from tilewright.analysis.ranges import Facts
from tilewright.dialects import context, loop
from tilewright.dialects.index_expr import Index, index_pieces
from tilewright.schedule import Schedule
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.parser import Parser


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def schedule_of(tensors: Sequence[te.Tensor]) -> Schedule:
    """Return a schedule of the loops that compute the last of the tensors."""
    return tir.Schedule(tilewright.IRModule({"main": te.create_prim_func(list(tensors))}))


def block_of(tensors: Sequence[te.Tensor]) -> loop.BlockOp:
    """Return the block that computes the last of the tensors."""
    sch = schedule_of(tensors)
    return sch.block(sch.get_block(tensors[-1].op.name))


def run(function: FuncOp, arguments: list[np.ndarray]) -> None:
    """Execute a function on float64 arrays, writing its outputs in place."""
    with np.errstate(invalid="ignore"):
        _Source(function).compiled()(*arguments)


class _Source:
    """The Python source of a function."""

    def __init__(self, function: FuncOp) -> None:
        self.names: dict[SSAValue, str] = {}
        self.lines: list[str] = []
        self.depth = 0
        self.begun = reductions_by_first_loop(function)
        self.line(f"def run({', '.join(map(self.name, function.body.block.args))}):")
        self.body(function.body.block)

    def compiled(self) -> Any:
        scope: dict[str, Any] = {"np": np, "at": _at}
        exec("\n".join(self.lines), scope)
        return scope["run"]

    def name(self, value: SSAValue) -> str:
        return self.names.setdefault(value, f"v{len(self.names)}")

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def body(self, block: Block) -> None:
        self.depth += 1
        self.line("pass")
        for op in block.ops:
            getattr(self, op.name.replace(".", "_"), self.arithmetic)(op)
        self.depth -= 1

    def index(self, e: Index) -> str:
        pieces = "".join(p if isinstance(p, str) else self.name(p) for p in index_pieces(e))
        return pieces.replace("floordiv", "//").replace("mod", "%")

    def guard(self, conditions: Sequence[Index]) -> str:
        return " and ".join(f"{self.index(e)} >= 0" for e in conditions) or "True"

    def element(self, op: loop.LoadOp | loop.StoreOp) -> str:
        return f"{self.name(op.buffer)}[at({self.name(op.buffer)}, {', '.join(map(self.index, op.index))})]"

    def loop_for(self, op: loop.ForOp) -> None:
        for block in self.begun.get(op, ()):
            if (nest := init_if_empty(block, Facts({}))) is not None:
                self.loop_if(nest)
                nest.erase()
        lower, upper = ", ".join(map(self.index, op.lowers)), ", ".join(map(self.index, op.uppers))
        iterations = f"range(max([{lower}]), min([{upper}]))"
        if op.kind not in (loop.SERIAL, loop.UNROLLED):
            iterations = f"reversed({iterations})"
        self.line(f"for {self.name(op.induction_variable)} in {iterations}:")
        self.body(op.body.block)

    def loop_if(self, op: loop.IfOp) -> None:
        self.line(f"if {self.guard(op.conditions)}:")
        self.body(op.then_body.block)
        if op.else_body.blocks:
            self.line("else:")
            self.body(op.else_body.block)

    def loop_block(self, op: loop.BlockOp) -> None:
        self.line(f"if {self.guard(op.conditions)}:")
        self.depth += 1
        first = ["True"]
        for variable, kind, binding, extent in op.iteration():
            name = self.name(variable)
            self.line(f"{name} = {self.index(binding)}")
            self.line(f"assert 0 <= {name} < {self.index(extent)}, ('{op.label} {variable.name_hint}', {name})")
            first += [f"{name} == 0"] if kind == "reduce" else []
        self.first = " and ".join(first)
        self.depth -= 1
        self.body(op.body.block)

    def loop_init(self, op: loop.InitOp) -> None:
        self.line(f"if {self.first}:")
        self.body(op.body.block)

    def loop_load(self, op: loop.LoadOp) -> None:
        otherwise = f" if {self.guard(op.conditions)} else {self.name(op.otherwise)}" if op.otherwise else ""
        self.line(f"{self.name(op.res)} = {self.element(op)}{otherwise}")

    def loop_store(self, op: loop.StoreOp) -> None:
        self.line(f"if {self.guard(op.conditions)}: {self.element(op)} = {self.name(op.value)}")

    def loop_alloc(self, op: loop.AllocOp) -> None:
        self.line(f"{self.name(op.res)} = np.full([{', '.join(map(self.index, op.shape))}], np.nan)")

    def loop_delinearize(self, op: loop.DelinearizeOp) -> None:
        parts = ", ".join(map(self.name, op.res))
        shape = ", ".join(map(self.index, op.sizes))
        self.line(f"{parts} = np.unravel_index(min({self.name(op.fused)}, np.prod([{shape}]) - 1), ({shape}))")

    def loop_dim(self, op: loop.DimOp) -> None:
        self.line(f"{self.name(op.res)} = {self.name(op.buffer)}.shape[{op.dimension.value.data}]")

    def loop_prefetch_ahead(self, op: loop.PrefetchAheadOp) -> None:
        pass

    def loop_bind(self, op: loop.BindOp) -> None:
        pass

    def loop_apply(self, op: loop.ApplyOp) -> None:
        self.line(f"{self.name(op.res)} = {self.index(op.index)}")

    def loop_test(self, op: loop.TestOp) -> None:
        self.line(f"{self.name(op.res)} = {self.guard(op.conditions)}")

    def arith_constant(self, op: Any) -> None:
        number = op.value.value.data
        self.line(f"{self.name(op.result)} = {f'float({str(number)!r})' if isinstance(number, float) else number}")

    def func_return(self, op: Any) -> None:
        pass

    def arithmetic(self, op: Operation) -> None:
        values = [self.name(v) for v in op.operands]
        self.line(f"{self.name(op.results[0])} = {_ARITHMETIC[op.name].format(*values)}")


def _at(buffer: np.ndarray, *position: int) -> tuple[int, ...]:
    assert all(0 <= p < n for p, n in zip(position, buffer.shape, strict=True)), (position, buffer.shape)
    return position


_ARITHMETIC = {
    "arith.addf": "{} + {}",
    "arith.mulf": "{} * {}",
    "arith.subf": "{} - {}",
    "arith.maximumf": "max({}, {})",
    "arith.select": "({1} if {0} else {2})",
    "arith.muli": "{} * {}",
    "arith.maxsi": "max({}, {})",
}


def execute(module: ModuleOp, sizes: dict[str, tuple[int, ...]] | None = None) -> list[np.ndarray]:
    """Return the outputs of the only function on small random integers; `sizes` gives shapes of dynamic arguments."""
    return _execute(module, sizes, lambda function, arguments: run(function, arguments))


def interpret(module: ModuleOp, sizes: dict[str, tuple[int, ...]] | None = None) -> list[np.ndarray]:
    """Return the outputs that `execute` returns, by the reference semantics."""
    return _execute(module, sizes, lambda function, arguments: semantics.run(module, "k", *arguments))


def _execute(module: ModuleOp, sizes: dict[str, tuple[int, ...]] | None, runner: Any) -> list[np.ndarray]:
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    rng = np.random.default_rng(0)
    arguments: list[np.ndarray] = []
    outputs: list[np.ndarray] = []
    for k, value in enumerate(function.body.block.args):
        shape = (sizes or {}).get(value.name_hint or "", tuple(value.type.get_shape()))
        is_output = function.arg_attrs is not None and "tw.output" in function.arg_attrs.data[k].data
        array = np.full(shape, np.nan) if is_output else rng.integers(-4, 5, shape).astype(np.float64)
        arguments.append(array)
        outputs += [array] if is_output else []
    runner(function, arguments)
    return outputs


def verify(module: ModuleOp) -> None:
    module.verify()
    verify_dominance(module)


def check(
    text: str, transform: Any, sizes: dict[str, tuple[int, ...]] | None = None, *, replay: bool = True
) -> Schedule:
    """Apply a schedule to a program: the result verifies, computes the same, and replays from the trace identically."""
    module = parse(text)
    expected = execute(module, sizes)
    schedule = Schedule(module)
    transform(schedule)
    verify(module)
    for results in (execute(module, sizes), interpret(module, sizes)):
        for want, got in zip(expected, results, strict=True):
            np.testing.assert_array_equal(got, want)
    if replay:
        replay_equals(text, schedule)
    assert str(parse(str(module))) == str(module)
    return schedule


def replay_equals(text: str, schedule: Schedule) -> None:
    """Check that the trace, also through MLIR, through JSON and as Python source, gives the same IR."""
    result = str(schedule.func)
    replayed = Schedule(parse(text))
    schedule.trace.apply_to(replayed)
    assert str(replayed.func) == result
    from_json = Schedule(parse(text))
    type(schedule.trace).from_json(schedule.trace.as_json(), allow_foreign=True).apply_to(from_json)
    assert str(from_json.func) == result
    from_mlir = Schedule(parse(text))
    type(schedule.trace).from_mlir(schedule.trace.as_mlir(), allow_foreign=True).apply_to(from_mlir)
    assert str(from_mlir.func) == result
    assert from_mlir.trace.as_mlir() == schedule.trace.as_mlir()
    from_python = Schedule(parse(text))
    exec(schedule.trace.as_python(), {"sch": from_python})
    assert str(from_python.func) == result
    assert from_python.trace.as_python() == schedule.trace.as_python()


def elementwise(n: int, m: int) -> str:
    return f"""
func.func @k(%A: memref<{n}x{m}xf64>, %B: memref<{n}x{m}xf64> {{tw.output}}) {{
  %two = arith.constant 2.0 : f64
  loop.for %i = 0 to {n} {{
    loop.for %j = 0 to {m} {{
      loop.block "B" (%vi = spatial(%i) in {n}, %vj = spatial(%j) in {m}) {{
        %a = loop.load %A[%vi, %vj] : memref<{n}x{m}xf64>
        %b = arith.mulf %a, %two : f64
        loop.store %b, %B[%vi, %vj] : memref<{n}x{m}xf64>
      }}
    }}
  }}
  func.return
}}"""


def symbolic() -> str:
    return """
func.func @k(%A: memref<?x?xf64>, %B: memref<?x?xf64> {tw.output}) {
  %two = arith.constant 2.0 : f64
  %n = loop.dim %A, 0 : memref<?x?xf64>
  %m = loop.dim %A, 1 : memref<?x?xf64>
  loop.bind %B shape [%n, %m] strides [%m, 1] : memref<?x?xf64>
  loop.for %i = 0 to %n {
    loop.for %j = 0 to %m {
      loop.block "B" (%vi = spatial(%i) in %n, %vj = spatial(%j) in %m) {
        %a = loop.load %A[%vi, %vj] : memref<?x?xf64>
        %b = arith.mulf %a, %two : f64
        loop.store %b, %B[%vi, %vj] : memref<?x?xf64>
      }
    }
  }
  func.return
}"""


def matmul(n: int, m: int, k: int, epilogue: bool = True) -> str:
    """Return C = A @ B, then E = max(C + D, 0) where there is an epilogue."""
    c_argument = "" if epilogue else f", %C: memref<{n}x{m}xf64> {{tw.output}}"
    c_alloc = f"%C = loop.alloc : memref<{n}x{m}xf64>" if epilogue else ""
    e_argument = f", %D: memref<{m}xf64>, %E: memref<{n}x{m}xf64> {{tw.output}}" if epilogue else ""
    tail = f"""
  loop.for %x = 0 to {n} {{
    loop.for %y = 0 to {m} {{
      loop.block "E" (%vx = spatial(%x) in {n}, %vy = spatial(%y) in {m}) {{
        %c = loop.load %C[%vx, %vy] : memref<{n}x{m}xf64>
        %d = loop.load %D[%vy] : memref<{m}xf64>
        %e = arith.addf %c, %d : f64
        %r = arith.maximumf %e, %zero : f64
        loop.store %r, %E[%vx, %vy] : memref<{n}x{m}xf64>
      }}
    }}
  }}"""
    return f"""
func.func @k(%A: memref<{n}x{k}xf64>, %B: memref<{k}x{m}xf64>{c_argument}{e_argument}) {{
  %zero = arith.constant 0.0 : f64
  {c_alloc}
  loop.for %i = 0 to {n} {{
    loop.for %j = 0 to {m} {{
      loop.for %k = 0 to {k} {{
        loop.block "C" (%vi = spatial(%i) in {n}, %vj = spatial(%j) in {m}, %vk = reduce(%k) in {k}) {{
          loop.init {{ loop.store %zero, %C[%vi, %vj] : memref<{n}x{m}xf64> }}
          %a = loop.load %A[%vi, %vk] : memref<{n}x{k}xf64>
          %b = loop.load %B[%vk, %vj] : memref<{k}x{m}xf64>
          %c = loop.load %C[%vi, %vj] : memref<{n}x{m}xf64>
          %p = arith.mulf %a, %b : f64
          %s = arith.addf %c, %p : f64
          loop.store %s, %C[%vi, %vj] : memref<{n}x{m}xf64>
        }}
      }}
    }}
  }}{tail if epilogue else ""}
  func.return
}}"""


def in_place(first: str, second: str, n: int = 12) -> str:
    """Return A[i, j] = 2 * A[first, second] inside the border: a stencil that runs in place."""
    return f"""
func.func @k(%X: memref<{n}x{n}xf64>, %A: memref<{n}x{n}xf64> {{tw.output}}) {{
  loop.for %x = 0 to {n} {{
    loop.for %y = 0 to {n} {{
      loop.block "copy" (%vx = spatial(%x) in {n}, %vy = spatial(%y) in {n}) {{
        %a = loop.load %X[%vx, %vy] : memref<{n}x{n}xf64>
        loop.store %a, %A[%vx, %vy] : memref<{n}x{n}xf64>
      }}
    }}
  }}
  loop.for %i = 1 to {n - 1} {{
    loop.for %j = 1 to {n - 1} {{
      loop.block "S" (%vi = spatial(%i) in {n}, %vj = spatial(%j) in {n}) {{
        %a = loop.load %A[{first}, {second}] : memref<{n}x{n}xf64>
        %b = arith.addf %a, %a : f64
        loop.store %b, %A[%vi, %vj] : memref<{n}x{n}xf64>
      }}
    }}
  }}
  func.return
}}"""


def conv(channels: int, size: int, filters: int, kernel: int, stride: int = 1, pad: int = 0) -> str:
    """Return P = pad(X), C = conv(P, W), E = max(C + bias, 0)."""
    padded = size + 2 * pad
    out = (padded - kernel) // stride + 1
    x, p = f"memref<{channels}x{size}x{size}xf64>", f"memref<{channels}x{padded}x{padded}xf64>"
    w, c = f"memref<{filters}x{channels}x{kernel}x{kernel}xf64>", f"memref<{filters}x{out}x{out}xf64>"
    inside = f"%vy - {pad} >= 0, %vy < {size + pad}, %vx - {pad} >= 0, %vx < {size + pad}"
    return f"""
func.func @k(%X: {x}, %W: {w}, %D: memref<{filters}xf64>, %E: {c} {{tw.output}}) {{
  %zero = arith.constant 0.0 : f64
  %P = loop.alloc : {p}
  %C = loop.alloc : {c}
  loop.for %c = 0 to {channels} {{ loop.for %y = 0 to {padded} {{ loop.for %x = 0 to {padded} {{
    loop.block "P" (%vc = spatial(%c) in {channels}, %vy = spatial(%y) in {padded}, %vx = spatial(%x) in {padded}) {{
      %a = loop.load %X[%vc, %vy - {pad}, %vx - {pad}] where ({inside}) else %zero : {x}
      loop.store %a, %P[%vc, %vy, %vx] : {p}
    }} }} }} }}
  loop.for %f = 0 to {filters} {{ loop.for %h = 0 to {out} {{ loop.for %w = 0 to {out} {{
    loop.for %rc = 0 to {channels} {{ loop.for %rh = 0 to {kernel} {{ loop.for %rw = 0 to {kernel} {{
      loop.block "C" (%vf = spatial(%f) in {filters}, %vh = spatial(%h) in {out}, %vw = spatial(%w) in {out},
          %vrc = reduce(%rc) in {channels}, %vrh = reduce(%rh) in {kernel}, %vrw = reduce(%rw) in {kernel}) {{
        loop.init {{ loop.store %zero, %C[%vf, %vh, %vw] : {c} }}
        %a = loop.load %P[%vrc, %vh * {stride} + %vrh, %vw * {stride} + %vrw] : {p}
        %b = loop.load %W[%vf, %vrc, %vrh, %vrw] : {w}
        %s = loop.load %C[%vf, %vh, %vw] : {c}
        %m = arith.mulf %a, %b : f64
        %t = arith.addf %s, %m : f64
        loop.store %t, %C[%vf, %vh, %vw] : {c}
      }} }} }} }} }} }} }}
  loop.for %f = 0 to {filters} {{ loop.for %h = 0 to {out} {{ loop.for %w = 0 to {out} {{
    loop.block "E" (%vf = spatial(%f) in {filters}, %vh = spatial(%h) in {out}, %vw = spatial(%w) in {out}) {{
      %c = loop.load %C[%vf, %vh, %vw] : {c}
      %d = loop.load %D[%vf] : memref<{filters}xf64>
      %e = arith.addf %c, %d : f64
      %r = arith.maximumf %e, %zero : f64
      loop.store %r, %E[%vf, %vh, %vw] : {c}
    }} }} }} }}
  func.return
}}"""


def chain(n: int, second: str = "%vj") -> str:
    """Return B = 2 A, then C = B[second] + B[second]: an elementwise producer and a consumer."""
    return f"""
func.func @k(%A: memref<{n}xf64>, %C: memref<{n}xf64> {{tw.output}}) {{
  %two = arith.constant 2.0 : f64
  %B = loop.alloc : memref<{n}xf64>
  loop.for %i = 0 to {n} {{
    loop.block "B" (%vi = spatial(%i) in {n}) {{
      %a = loop.load %A[%vi] : memref<{n}xf64>
      %b = arith.mulf %a, %two : f64
      loop.store %b, %B[%vi] : memref<{n}xf64>
    }}
  }}
  loop.for %j = 0 to {n} {{
    loop.block "C" (%vj = spatial(%j) in {n}) {{
      %b = loop.load %B[{second}] : memref<{n}xf64>
      %c = arith.addf %b, %b : f64
      loop.store %c, %C[%vj] : memref<{n}xf64>
    }}
  }}
  func.return
}}"""


def symbolic_matmul() -> str:
    """Return C = A @ B and E = C + C for sizes known when the program runs."""
    return """
func.func @k(%A: memref<?x?xf64>, %B: memref<?x?xf64>, %E: memref<?x?xf64> {tw.output}) {
  %zero = arith.constant 0.0 : f64
  %n = loop.dim %A, 0 : memref<?x?xf64>
  %d = loop.dim %A, 1 : memref<?x?xf64>
  %m = loop.dim %B, 1 : memref<?x?xf64>
  loop.bind %E shape [%n, %m] strides [%m, 1] : memref<?x?xf64>
  %C = loop.alloc (%n, %m) : memref<?x?xf64>
  loop.for %i = 0 to %n { loop.for %j = 0 to %m { loop.for %k = 0 to %d {
    loop.block "C" (%vi = spatial(%i) in %n, %vj = spatial(%j) in %m, %vk = reduce(%k) in %d) {
      loop.init { loop.store %zero, %C[%vi, %vj] : memref<?x?xf64> }
      %a = loop.load %A[%vi, %vk] : memref<?x?xf64>
      %b = loop.load %B[%vk, %vj] : memref<?x?xf64>
      %c = loop.load %C[%vi, %vj] : memref<?x?xf64>
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %c, %p : f64
      loop.store %s, %C[%vi, %vj] : memref<?x?xf64>
    } } } }
  loop.for %x = 0 to %n { loop.for %y = 0 to %m {
    loop.block "E" (%vx = spatial(%x) in %n, %vy = spatial(%y) in %m) {
      %c = loop.load %C[%vx, %vy] : memref<?x?xf64>
      %e = arith.addf %c, %c : f64
      loop.store %e, %E[%vx, %vy] : memref<?x?xf64>
    } } }
  func.return
}"""
