"""Small loop programs, and running them: an evaluator that is as simple as it can be.

It checks what schedules may break: an element read before it was written is NaN, an index out of bounds
an error, and loops whose iterations may run in any order run backwards.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from tilewright.dialects import context, loop
from tilewright.schedule import Schedule
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.parser import Parser

Environment = dict[Any, Any]


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def run(function: FuncOp, arguments: list[np.ndarray]) -> None:
    """Execute a function on float64 arrays, writing its outputs in place."""
    environment: Environment = dict(zip(function.body.block.args, arguments, strict=True))
    with np.errstate(invalid="ignore"):
        _run_block(function.body.block, environment)


def _run_block(block: Block, env: Environment) -> None:
    for op in block.ops:
        handler = _HANDLERS.get(op.name)
        if handler is not None:
            handler(op, env)
        else:
            env[op.results[0]] = _ARITHMETIC[op.name](*(env[v] for v in op.operands))


def _run_for(op: loop.ForOp, env: Environment) -> None:
    iterations = range(max(e.evaluate(env) for e in op.lowers), min(e.evaluate(env) for e in op.uppers))
    serial = op.kind in (loop.SERIAL, loop.UNROLLED)
    for i in iterations if serial else reversed(iterations):
        env[op.induction_variable] = i
        _run_block(op.body.block, env)


def _holds(guard: tuple[Any, ...], env: Environment) -> bool:
    return all(e.evaluate(env) >= 0 for e in guard)


def _run_if(op: loop.IfOp, env: Environment) -> None:
    if _holds(op.conditions, env):
        _run_block(op.then_body.block, env)
    elif op.else_body.blocks:
        _run_block(op.else_body.block, env)


def _run_block_op(op: loop.BlockOp, env: Environment) -> None:
    if not _holds(op.conditions, env):
        return
    first = True
    for variable, kind, binding, extent in op.iteration():
        env[variable] = binding.evaluate(env)
        assert 0 <= env[variable] < extent.evaluate(env), f"{op.label}: {variable.name_hint} = {env[variable]}"
        first &= kind == "spatial" or env[variable] == 0
    env[op] = first
    _run_block(op.body.block, env)


def _run_init(op: loop.InitOp, env: Environment) -> None:
    if env[op.parent_op()]:
        _run_block(op.body.block, env)


def _position(op: loop.LoadOp | loop.StoreOp, env: Environment) -> tuple[int, ...]:
    position = tuple(e.evaluate(env) for e in op.index)
    for p, n in zip(position, env[op.buffer].shape, strict=True):
        assert 0 <= p < n, f"{op.buffer.name_hint}{position} is outside of {env[op.buffer].shape}"
    return position


def _run_load(op: loop.LoadOp, env: Environment) -> None:
    inside = _holds(op.conditions, env)
    env[op.res] = env[op.buffer][_position(op, env)] if inside else env[op.otherwise]


def _run_store(op: loop.StoreOp, env: Environment) -> None:
    if _holds(op.conditions, env):
        env[op.buffer][_position(op, env)] = env[op.value]


def _run_alloc(op: loop.AllocOp, env: Environment) -> None:
    env[op.res] = np.full([e.evaluate(env) for e in op.shape], np.nan)


def _run_delinearize(op: loop.DelinearizeOp, env: Environment) -> None:
    rest = env[op.fused]
    for result, size in reversed(list(zip(op.res, op.sizes, strict=True))):
        n = size.evaluate(env)
        env[result] = rest % n if n else 0
        rest = rest // n if n else 0


def _run_dim(op: loop.DimOp, env: Environment) -> None:
    env[op.res] = env[op.buffer].shape[op.dimension.value.data]


def _run_apply(op: loop.ApplyOp, env: Environment) -> None:
    env[op.res] = op.index.evaluate(env)


def _run_test(op: loop.TestOp, env: Environment) -> None:
    env[op.res] = _holds(op.conditions, env)


def _run_constant(op: Any, env: Environment) -> None:
    env[op.result] = op.value.value.data


_HANDLERS = {
    "loop.for": _run_for,
    "loop.if": _run_if,
    "loop.block": _run_block_op,
    "loop.init": _run_init,
    "loop.load": _run_load,
    "loop.store": _run_store,
    "loop.alloc": _run_alloc,
    "loop.delinearize": _run_delinearize,
    "loop.dim": _run_dim,
    "loop.apply": _run_apply,
    "loop.test": _run_test,
    "arith.constant": _run_constant,
    "func.return": lambda op, env: None,
}
_ARITHMETIC = {
    "arith.addf": lambda a, b: a + b,
    "arith.mulf": lambda a, b: a * b,
    "arith.subf": lambda a, b: a - b,
    "arith.maximumf": max,
    "arith.select": lambda c, a, b: a if c else b,
    "arith.muli": lambda a, b: a * b,
}


def execute(module: ModuleOp, sizes: dict[str, int] | None = None, seed: int = 0) -> list[np.ndarray]:
    """The outputs of the only function on random small integers; `sizes` gives dynamic extents by argument."""
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    rng = np.random.default_rng(seed)
    arguments: list[np.ndarray] = []
    outputs: list[np.ndarray] = []
    for k, value in enumerate(function.body.block.args):
        extents = iter((sizes or {}).get(value.name_hint or "", ()))  # type: ignore[call-overload]
        shape = [next(extents) if n < 0 else n for n in value.type.get_shape()]
        is_output = function.arg_attrs is not None and "tw.output" in function.arg_attrs.data[k].data
        array = np.full(shape, np.nan) if is_output else rng.integers(-4, 5, shape).astype(np.float64)
        arguments.append(array)
        outputs += [array] if is_output else []
    run(function, arguments)
    return outputs


def check(text: str, transform: Any, sizes: dict[str, Any] | None = None) -> Schedule:
    """Apply a schedule to a program: the result verifies, computes the same, and replays from the trace identically."""
    module = parse(text)
    expected = execute(module, sizes)
    schedule = Schedule(module)
    transform(schedule)
    module.verify()
    for want, got in zip(expected, execute(module, sizes), strict=True):
        np.testing.assert_array_equal(got, want)
    replay_equals(text, schedule)
    assert str(parse(str(module))) == str(module)
    return schedule


def replay_equals(text: str, schedule: Schedule) -> None:
    """The trace, also through JSON and as Python source, gives the same IR."""
    result = str(schedule.func)
    replayed = Schedule(parse(text))
    schedule.trace.apply_to(replayed)
    assert str(replayed.func) == result
    from_json = Schedule(parse(text))
    type(schedule.trace).from_json(schedule.trace.as_json()).apply_to(from_json)
    assert str(from_json.func) == result
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
    """C = A @ B, then E = max(C + D, 0) where there is an epilogue."""
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
    """A[i, j] = 2 * A[first, second] inside the border: a stencil that runs in place."""
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
    """P = pad(X), C = conv(P, W), E = max(C + bias, 0)."""
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
    """B = 2 A, then C = B[second] + B[second]: an elementwise producer and a consumer."""
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
