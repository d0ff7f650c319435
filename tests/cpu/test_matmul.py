"""A matrix product as a schedule writes it: packed operands, a register tile, a guarded edge; right and fast."""

from __future__ import annotations

import numpy as np
import pytest
from legal import legal


def matmul(n: int, rows: int = 6, block: int = 96, kind: str = "") -> tuple[str, str]:
    """Return arguments and body of an n x n product in tiles of `rows` x 16."""
    tiles, panels = block // rows, n // 16
    packed_a = f'memref<{tiles}x{n}x{rows}xf32, "local">'
    packed_b = f"memref<{panels}x{n}x16xf32>"
    acc = f'memref<{rows}x16xf32, "register">'
    matrix, v = f"memref<{n}x{n}xf32>", "vector<8xf32>"
    tile_loop = f"loop.for %i = 0 to min({tiles}, {-(-n // rows)} - %o * {tiles})"
    row = f"%o * {block} + %i * {rows} + %r"
    body = f"""
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : {v}
    %bp = loop.alloc : {packed_b}
    loop.for %j = 0 to {panels} {kind} {{
      loop.for %k = 0 to {n} {{
        loop.for %l = 0 to 2 kind unrolled {{
          %b = loop.load %B[%k, %j * 16 + %l * 8 + lane] : {matrix}, {v}
          loop.store %b, %bp[%j, %k, %l * 8 + lane] : {v}, {packed_b}
        }}
      }}
    }}
    loop.for %o = 0 to {-(-n // block)} {kind} {{
      %ap = loop.alloc : {packed_a}
      {tile_loop} {{
        loop.for %k = 0 to {n} {{
          loop.for %r = 0 to {rows} kind unrolled {{
            %a = loop.load %A[{row}, %k] where ({row} < {n}) else %zero : {matrix}
            loop.store %a, %ap[%i, %k, %r] : {packed_a}
          }}
        }}
      }}
      loop.for %j = 0 to {panels} {{
        {tile_loop} {{
          %acc = loop.alloc : {acc}
          loop.for %r = 0 to {rows} kind unrolled {{
            loop.for %l = 0 to 2 kind unrolled {{
              loop.store %zeros, %acc[%r, %l * 8 + lane] : {v}, {acc}
            }}
          }}
          loop.for %k = 0 to {n} {{
            loop.for %r = 0 to {rows} kind unrolled {{
              loop.for %l = 0 to 2 kind unrolled {{
                %a = loop.load %ap[%i, %k, %r] : {packed_a}, {v}
                %b = loop.load %bp[%j, %k, %l * 8 + lane] : {packed_b}, {v}
                %c = loop.load %acc[%r, %l * 8 + lane] : {acc}, {v}
                %d = math.fma %a, %b, %c : {v}
                loop.store %d, %acc[%r, %l * 8 + lane] : {v}, {acc}
              }}
            }}
          }}
          loop.for %r = 0 to {rows} kind unrolled {{
            loop.for %l = 0 to 2 kind unrolled {{
              %d = loop.load %acc[%r, %l * 8 + lane] : {acc}, {v}
              loop.store %d, %C[{row}, %j * 16 + %l * 8 + lane] where ({row} < {n}) : {v}, {matrix}
            }}
          }}
        }}
      }}
    }}"""
    return f"%A: {matrix}, %B: {matrix}, %C: {matrix} {{tw.output}}", body


@pytest.mark.parametrize("kind", ["", "kind parallel"])
@pytest.mark.parametrize("n", [16, 64, 112, 512])
def test_matmul(main, n, kind):
    rng = np.random.default_rng(0)
    a, b = rng.random((n, n), np.float32), rng.random((n, n), np.float32)
    np.testing.assert_allclose(main(*matmul(n, kind=kind), threads=2)(a, b), a @ b, rtol=1e-5)


def test_accumulators_stay_in_registers(parse):
    """The inner loop has its 12 multiply-adds and no store."""
    from tilewright.backends.cpu.host import host_target
    from tilewright.backends.cpu.module import assembly

    if not host_target().has("fma"):
        pytest.skip("this machine has no fused multiply-add")
    arguments, body = matmul(512)
    text = assembly(legal(parse(f"builtin.module {{ func.func @main({arguments}) {{ {body} func.return }} }}")))
    lines = text.splitlines()
    where = [k for k, line in enumerate(lines) if "vfmadd" in line]
    assert len(where) == 12
    inner = lines[where[0] : where[-1] + 1]
    assert not [line for line in inner if "vmov" in line and line.rstrip().endswith(")")]
