"""insert-barriers: blocks compute the same as one thread after the other, without a race or a needless barrier."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from tilewright.dialects.loop import BarrierOp
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics.program import Program
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.rewriter import InsertPoint, Rewriter

THREADS = 4


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def synchronised(module: ModuleOp) -> ModuleOp:
    module = module.clone()
    PassManager(parse_pipeline("insert-barriers")).run(context(), module)
    return module


def outputs(module: ModuleOp, *, finds_races: bool = False) -> list[np.ndarray]:
    x = np.random.default_rng(3).integers(-8, 9, (4, 8)).astype(np.float32)
    return [np.asarray(o) for o in Program(module, finds_races=finds_races).evaluate("main", x)]


def check(text: str, barriers: int | None = None) -> None:
    """Check that the threads of `text` give the same numbers as one after the other, without a race, and with one
    without any barrier."""
    before = parse(text)
    after = synchronised(before)
    for expected, actual in zip(outputs(before), outputs(after, finds_races=True), strict=True):
        np.testing.assert_array_equal(actual, expected)
    found = [op for op in after.walk() if isinstance(op, BarrierOp)]
    assert barriers is None or len(found) == barriers, str(after)
    for barrier in found:
        following = barrier.next_op
        assert following is not None
        barrier.detach()
        with pytest.raises(TilewrightError) as raised:
            outputs(after, finds_races=True)
        assert raised.value.code == "TW0537", str(after)
        Rewriter.insert_op(barrier, InsertPoint.before(following))


def program(body: str, shared: int = 1) -> str:
    """Return two blocks, whose shared buffers hold 8 elements each."""
    buffers = "\n".join(f'%s{n} = loop.alloc : memref<8xf32, "shared">' for n in range(shared))
    return f"""builtin.module {{ func.func @main(%x: memref<4x8xf32>, %o: memref<4x8xf32> {{tw.output}}) {{
      loop.for %b = 0 to 2 kind thread<"blockIdx.x"> {{
        {buffers}
        {body}
      }}
      func.return
    }} }}"""


FILL = """loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
  %v = loop.load %x[%b, %t] : memref<4x8xf32>
  loop.store %v, %s0[%t] : memref<8xf32, "shared">
}"""
REVERSE = """loop.for %u = 0 to 8 kind thread<"threadIdx.x"> {
  %w = loop.load %s0[7 - %u] : memref<8xf32, "shared">
  loop.store %w, %o[%b, %u] : memref<4x8xf32>
}"""


def test_one_fills_another_reads() -> None:
    check(program(f"{FILL} {REVERSE}"), 1)


def test_steps_of_a_serial_loop() -> None:
    check(program(f"loop.for %k = 0 to 3 {{ {FILL} {REVERSE} }}"), 2)


def test_copies_that_take_turns_need_one_barrier_a_step() -> None:
    check(
        program(
            """
            loop.for %k = 0 to 4 {
              loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
                %v = loop.load %x[%k, %t] : memref<4x8xf32>
                loop.store %v, %s0[%k mod 2 * 4 + %t] : memref<8xf32, "shared">
              }
              loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
                %w = loop.load %s0[%k mod 2 * 4 + 3 - %t] : memref<8xf32, "shared">
                loop.store %w, %o[%b, %t] : memref<4x8xf32>
              }
            }"""
        ),
        1,
    )


def test_a_tree() -> None:
    """Halves of what is left are added until one element is; two axes of threads."""
    check(
        program(
            f"""
            loop.for %p = 0 to 2 kind thread<"threadIdx.y"> {{
              loop.for %q = 0 to 4 kind thread<"threadIdx.x"> {{
                %v = loop.load %x[%b, %p * 4 + %q] : memref<4x8xf32>
                loop.store %v, %s0[%p * 4 + %q] : memref<8xf32, "shared">
              }}
            }}
            {
                "".join(
                    f'''loop.for %p = 0 to 2 kind thread<"threadIdx.y"> {{
                      loop.for %q = 0 to 4 kind thread<"threadIdx.x"> {{
                        loop.if ({half - 1} - %p * 4 - %q >= 0) {{
                          %a = loop.load %s0[%p * 4 + %q] : memref<8xf32, "shared">
                          %c = loop.load %s0[%p * 4 + %q + {half}] : memref<8xf32, "shared">
                          %d = arith.addf %a, %c : f32
                          loop.store %d, %s0[%p * 4 + %q] : memref<8xf32, "shared">
                        }}
                      }}
                    }}'''
                    for half in (4, 2, 1)
                )
            }
            loop.for %p = 0 to 2 kind thread<"threadIdx.y"> {{
              loop.for %q = 0 to 4 kind thread<"threadIdx.x"> {{
                %r = loop.load %s0[0] : memref<8xf32, "shared">
                loop.store %r, %o[%b, %p * 4 + %q] : memref<4x8xf32>
              }}
            }}"""
        ),
        4,
    )


def test_global_memory_within_a_block() -> None:
    text = program(f"{FILL} {REVERSE}", 0).replace(
        '%s0[%t] : memref<8xf32, "shared">', "%o[%b + 2, %t] : memref<4x8xf32>"
    )
    text = text.replace('%s0[7 - %u] : memref<8xf32, "shared">', "%o[%b + 2, 7 - %u] : memref<4x8xf32>")
    check(text, 1)
    (barrier,) = (op for op in synchronised(parse(text)).walk() if isinstance(op, BarrierOp))
    assert barrier.scope.data == "global"


def test_a_barrier_that_a_later_one_makes_redundant_is_left_out() -> None:
    """The read after the loop is separated from the store before it by what separates the steps inside."""
    check(
        program(
            """
            loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
              %v = loop.load %x[%b, %t] : memref<4x8xf32>
              loop.store %v, %s1[%t] : memref<8xf32, "shared">
              loop.store %v, %s0[%t] : memref<8xf32, "shared">
            }
            loop.for %k = 0 to 3 {
              loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
                %v = loop.load %x[%k, %t] : memref<4x8xf32>
                loop.store %v, %s0[%t] : memref<8xf32, "shared">
              }
              loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
                %w = loop.load %s0[7 - %t] : memref<8xf32, "shared">
                %y = loop.load %s1[7 - %t] : memref<8xf32, "shared">
                %z = arith.addf %w, %y : f32
                loop.store %z, %o[%b, %t] : memref<4x8xf32>
              }
            }""",
            2,
        ),
        2,
    )


def test_views_that_overlap() -> None:
    text = program(
        """
        %m = loop.alloc : memref<48xi8, "shared">
        %p = loop.view %m[0] : memref<48xi8, "shared"> to memref<8xf32, "shared">
        %q = loop.view %m[16] : memref<48xi8, "shared"> to memref<8xf32, "shared">
        loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
          %v = loop.load %x[%b, %t] : memref<4x8xf32>
          loop.store %v, %p[%t] : memref<8xf32, "shared">
        }
        loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
          %w = loop.load %q[%t] : memref<8xf32, "shared">
          loop.store %w, %o[%b, %t] : memref<4x8xf32>
        }""",
        0,
    )
    check(text, 1)


def test_views_inside_of_the_threads() -> None:
    text = program(
        """
        %m = loop.alloc : memref<32xi8, "shared">
        loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
          %p = loop.view %m[0] : memref<32xi8, "shared"> to memref<8xf32, "shared">
          %v = loop.load %x[%b, %t] : memref<4x8xf32>
          loop.store %v, %p[%t] : memref<8xf32, "shared">
          loop.barrier <"shared">
          %w = loop.load %p[7 - %t] : memref<8xf32, "shared">
          loop.for %k = 0 to 2 {
            %y = loop.load %p[%k] : memref<8xf32, "shared">
            loop.store %y, %o[%b, %t] : memref<4x8xf32>
          }
          loop.store %w, %p[%t] : memref<8xf32, "shared">
        }""",
        0,
    )
    after = synchronised(parse(text))
    assert sum(isinstance(op, BarrierOp) for op in after.walk()) == 2
    outputs(after, finds_races=True)


# Random blocks

INDICES = (
    "%t",
    f"{THREADS - 1} - %t",
    "(%t + 1) mod 4",
    "%t + 4",
    "(%t + %k) mod 4",
    "(%t + %k) mod 4 + 4",
    "%t * 2",
    "%t * 2 + 1",
)
UNIFORM = ("0", "%k", "5", "%k + 3")


def statement(rng: random.Random) -> str:
    """Return a loop over the threads that reads two elements and stores one; no two threads write the same one."""

    def buffer() -> str:
        return f"%s{rng.randrange(2)}"

    read = [rng.choice(INDICES + UNIFORM) for _ in range(2)]
    guard = f"loop.if ({rng.randrange(THREADS)} - %t >= 0) {{" if rng.random() < 0.3 else "loop.if () {"
    source, target = buffer(), buffer()
    # A statement whose threads would meet within it has no meaning: it reads its own element of what it writes.
    index = rng.choice(INDICES)
    read = [index, index] if source == target else read
    return f"""loop.for %t = 0 to {THREADS} kind thread<"threadIdx.x"> {{
      {guard}
        %v = loop.load {source}[{read[0]}] : memref<8xf32, "shared">
        %w = loop.load {source}[{read[1]}] : memref<8xf32, "shared">
        %y = loop.load %x[%k, %t] : memref<4x8xf32>
        %z = arith.addf %v, %y : f32
        %a = arith.maximumf %z, %w : f32
        loop.store %a, {target}[{index}] : memref<8xf32, "shared">
      }}
    }}"""


def random_block(seed: int) -> str:
    rng = random.Random(seed)

    def statements(most: int) -> str:
        return "\n".join(statement(rng) for _ in range(rng.randint(1, most)))

    body = statements(3)
    if rng.random() < 0.5:
        body = f"{body} loop.for %j = 0 to {rng.randint(1, 2)} {{ {statements(2)} }}"
    if rng.random() < 0.3:
        body = f"{body} loop.if (%k >= {rng.randint(0, 2)}) {{ {statements(2)} }}"
    start = "\n".join(
        f"""loop.for %t = 0 to 8 kind thread<"threadIdx.y"> {{
          %v = loop.load %x[{n}, %t] : memref<4x8xf32>
          loop.store %v, %s{n}[%t] : memref<8xf32, "shared">
        }}"""
        for n in range(2)
    )
    end = "\n".join(
        f"""loop.for %t = 0 to 8 kind thread<"threadIdx.y"> {{
          %v = loop.load %s{n}[%t] : memref<8xf32, "shared">
          loop.store %v, %o[%b * 2 + {n}, %t] : memref<4x8xf32>
        }}"""
        for n in range(2)
    )
    return program(f"{start} loop.for %k = 0 to {rng.randint(1, 4)} {{ {body} }} {end}", 2)


@pytest.mark.parametrize("seed", range(12))
def test_random_blocks(seed: int) -> None:
    check(random_block(seed))
