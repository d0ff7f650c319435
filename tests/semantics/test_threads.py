"""Threads of a block: what they share, where they wait, and what is found wrong with that."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.semantics.program import Program

from .running import main

X = np.arange(32, dtype=np.float32).reshape(4, 8)
ARGUMENTS = "%x: memref<4x8xf32>, %o: memref<4x8xf32> {tw.output}"


def block(body: str, before: str = '%s = loop.alloc : memref<8xf32, "shared">') -> str:
    """Return four blocks of eight threads."""
    return f"""loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {{
      {before}
      loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {{
        {body}
      }}
    }}"""


REVERSED = """
  %v = loop.load %x[%b, %t] : memref<4x8xf32>
  loop.store %v, %s[%t] : memref<8xf32, "shared">
  {barrier}
  %w = loop.load %s[7 - %t] : memref<8xf32, "shared">
  loop.store %w, %o[%b, %t] : memref<4x8xf32>
"""


def run(body: str, *, finds_races: bool = False, step_budget: int | None = None) -> np.ndarray:
    program = Program(main(ARGUMENTS, body), step_budget, finds_races=finds_races)
    return program.evaluate("main", X)[0]


def refusal(body: str, *, finds_races: bool = False) -> TilewrightError:
    with pytest.raises(TilewrightError) as raised:
        run(body, finds_races=finds_races)
    return raised.value


@pytest.mark.parametrize("finds_races", [False, True])
@pytest.mark.parametrize("scope", ["shared", "global"])
def test_threads_see_what_the_others_wrote(scope: str, finds_races: bool) -> None:
    body = block(REVERSED.format(barrier=f'loop.barrier <"{scope}">'))
    np.testing.assert_array_equal(run(body, finds_races=finds_races), X[:, ::-1])


def test_without_a_barrier_iterations_follow_one_another() -> None:
    result = run(block(REVERSED.format(barrier="")))
    np.testing.assert_array_equal(result[:, 4:], X[:, 3::-1])
    assert np.isnan(result[0, 0])


def test_a_race_is_found() -> None:
    error = refusal(block(REVERSED.format(barrier="")), finds_races=True)
    assert error.code == "TW0537"
    assert "in shared memory" in error.message


def test_a_barrier_of_shared_memory_orders_nothing_else() -> None:
    text = """
      %v = loop.load %x[%b, %t] : memref<4x8xf32>
      loop.store %v, %o[%b, %t] : memref<4x8xf32>
      loop.barrier <"{scope}">
      %w = loop.load %o[%b, 7 - %t] : memref<4x8xf32>
      loop.barrier <"{scope}">
      loop.store %w, %o[%b, %t] : memref<4x8xf32>
    """
    np.testing.assert_array_equal(run(block(text.format(scope="global"), ""), finds_races=True), X[:, ::-1])
    assert refusal(block(text.format(scope="shared"), ""), finds_races=True).code == "TW0537"


def test_vectors_and_views_are_watched() -> None:
    text = """
      %y = loop.view %s[0] : memref<32xi8, "shared"> to memref<8xf32, "shared">
      loop.if (3 - %t >= 0) {{
        %v = loop.load %x[%b, %t * 2 + lane] : memref<4x8xf32>, vector<2xf32>
        loop.store %v, %y[%t * 2 + lane] : vector<2xf32>, memref<8xf32, "shared">
      }}
      {barrier}
      %w = loop.load %y[7 - %t] : memref<8xf32, "shared">
      loop.store %w, %o[%b, %t] : memref<4x8xf32>
    """
    bytes_ = '%s = loop.alloc : memref<32xi8, "shared">'
    for finds_races in (False, True):
        body = block(text.format(barrier='loop.barrier <"shared">'), bytes_)
        np.testing.assert_array_equal(run(body, finds_races=finds_races), X[:, ::-1])
    assert refusal(block(text.format(barrier=""), bytes_), finds_races=True).code == "TW0537"


def test_shared_buffers_are_the_blocks_and_local_ones_a_threads() -> None:
    """Both stand inside the loop over threads; so does a loop over the same threads again."""
    body = block(
        """
        %s = loop.alloc : memref<8xf32, "shared">
        %mine = loop.alloc : memref<1xf32, "local">
        loop.for %u = 0 to 8 kind thread<"threadIdx.x"> {
          %v = loop.load %x[%b, %u] : memref<4x8xf32>
          loop.store %v, %s[%u] : memref<8xf32, "shared">
          loop.store %v, %mine[0] : memref<1xf32, "local">
        }
        loop.barrier <"shared">
        %w = loop.load %s[7 - %t] : memref<8xf32, "shared">
        %v = loop.load %mine[0] : memref<1xf32, "local">
        %d = arith.subf %w, %v : f32
        loop.store %d, %o[%b, %t] : memref<4x8xf32>
        """,
        "",
    )
    for finds_races in (False, True):
        np.testing.assert_array_equal(run(body, finds_races=finds_races), X[:, ::-1] - X)


def test_axes_and_serial_loops() -> None:
    """A running sum of rows in shared memory: 2 x 4 threads, a barrier on either side of each step."""
    body = """
      loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
        %s = loop.alloc : memref<8xf32, "shared">
        loop.for %p = 0 to 2 kind thread<"threadIdx.y"> {
          loop.for %q = 0 to 4 kind thread<"threadIdx.x"> {
            %v = loop.load %x[%b, %p * 4 + %q] : memref<4x8xf32>
            loop.store %v, %s[%p * 4 + %q] : memref<8xf32, "shared">
            loop.for %k = 0 to 3 {
              loop.barrier <"shared">
              %a = loop.load %s[%p * 4 + %q] : memref<8xf32, "shared">
              %c = loop.load %s[(%p * 4 + %q + 1) mod 8] : memref<8xf32, "shared">
              loop.barrier <"shared">
              %d = arith.addf %a, %c : f32
              loop.store %d, %s[%p * 4 + %q] : memref<8xf32, "shared">
            }
            %r = loop.load %s[%p * 4 + %q] : memref<8xf32, "shared">
            loop.store %r, %o[%b, %p * 4 + %q] : memref<4x8xf32>
          }
        }
      }
    """
    expected = X
    for _ in range(3):
        expected = expected + np.roll(expected, -1, axis=1)
    for finds_races in (False, True):
        np.testing.assert_array_equal(run(body, finds_races=finds_races), expected)


def test_a_barrier_deep_inside_loops() -> None:
    loops = "\n".join(f"loop.for %k{n} = 0 to 1 {{" for n in range(20))
    body = block(REVERSED.format(barrier=f'{loops} loop.barrier <"shared"> {"}" * 20}'))
    np.testing.assert_array_equal(run(body), X[:, ::-1])


def test_threads_part_before_a_barrier() -> None:
    """The verifier sees what depends on threads; loops of other extents are seen when they run."""
    body = block(
        """
        loop.for %u = 0 to 3 kind thread<"threadIdx.x"> {
          loop.barrier <"shared">
        }
        """
    )
    error = refusal(body)
    assert error.code == "TW0535"
    assert "all 8 threads of a block at the barrier, but only 3 reach it" in error.message


def test_the_number_of_threads_is_known_before() -> None:
    body = block(
        """
        loop.barrier <"shared">
        %n = loop.apply (%b + 1) : index
        loop.for %u = 0 to %n kind thread<"threadIdx.y"> {
          %v = loop.load %x[%b, %t] : memref<4x8xf32>
        }
        """
    )
    assert refusal(body).code == "TW0536"


def test_steps_of_threads_are_counted() -> None:
    body = block(REVERSED.format(barrier='loop.barrier <"shared">'))
    np.testing.assert_array_equal(run(body, step_budget=200), X[:, ::-1])
    with pytest.raises(TilewrightError) as raised:
        run(body, step_budget=100)
    assert raised.value.code == "TW0724"


PARALLEL = """loop.for %b = 0 to 4 kind parallel {{
  {inside}
  loop.for %t = 0 to 8 {{
    %v = loop.load %x[%b, %t] : memref<4x8xf32>
    loop.store %v, %s[%t] : memref<8xf32>
  }}
  loop.for %t = 0 to 8 {{
    %w = loop.load %s[7 - %t] : memref<8xf32>
    loop.store %w, %o[%b, %t] : memref<4x8xf32>
  }}
}}"""
SCRATCH = "%s = loop.alloc : memref<8xf32>"


def test_iterations_of_a_parallel_loop_have_private_scratch() -> None:
    np.testing.assert_array_equal(run(PARALLEL.format(inside=SCRATCH), finds_races=True), X[:, ::-1])
    shared = f"{SCRATCH}\n{PARALLEL.format(inside='')}"
    np.testing.assert_array_equal(run(shared), X[:, ::-1])
    error = refusal(shared, finds_races=True)
    assert error.code == "TW0537" and "iterations of a parallel loop" in error.message
