"""Small programs with blocks, tiled by hand in every size: tails, halos, private rows, fused loops, several kernels."""

from __future__ import annotations


def ceildiv(n: int, d: int) -> int:
    return -(-n // d)


def tiled_matmul(n: int, m: int, k: int, tile: tuple[int, int, int], scope: str = "local", kind: str = "serial") -> str:
    """Return C = A @ B through a tile of accumulators; tails in every dimension."""
    ti, tj, tk = tile
    a, b, c = f"memref<{n}x{k}xf32>", f"memref<{k}x{m}xf32>", f"memref<{n}x{m}xf32>"
    t = f'memref<{n}x{m}xf32, "{scope}">' if scope != "global" else c
    spatial = f"%i = spatial(%io * {ti} + %ii) in {n}, %j = spatial(%jo * {tj} + %ji) in {m}"
    inside = f"%io * {ti} + %ii < {n}, %jo * {tj} + %ji < {m}"
    tile_loops = f"loop.for %ii = 0 to {ti} {{ loop.for %ji = 0 to {tj} {{"
    return f"""
func.func @main(%A: {a} {{tw.name = "A"}}, %B: {b} {{tw.name = "B"}}, %C: {c} {{tw.name = "C", tw.output}}) {{
  %zero = arith.constant 0.0 : f32
  %T = loop.alloc : {t}
  loop.for %io = 0 to {ceildiv(n, ti)} kind {kind} {{ loop.for %jo = 0 to {ceildiv(m, tj)} {{
    {tile_loops}
      loop.block "init" ({spatial}) where ({inside}) {{ loop.store %zero, %T[%i, %j] : {t} }}
    }} }}
    loop.for %ko = 0 to {ceildiv(k, tk)} {{ loop.for %ki = 0 to {tk} {{ {tile_loops}
      loop.block "update" ({spatial}, %k = reduce(%ko * {tk} + %ki) in {k}) where ({inside}, %ko * {tk} + %ki < {k}) {{
        %a = loop.load %A[%i, %k] : {a}
        %b = loop.load %B[%k, %j] : {b}
        %p = arith.mulf %a, %b : f32
        %t = loop.load %T[%i, %j] : {t}
        %s = arith.addf %t, %p : f32
        loop.store %s, %T[%i, %j] : {t}
      }}
    }} }} }} }}
    {tile_loops}
      loop.block "C" ({spatial}) where ({inside}) {{
        %t = loop.load %T[%i, %j] : {t}
        loop.store %t, %C[%i, %j] : {c}
      }}
    }} }}
  }} }}
  func.return
}}"""


def tiled_stencil(n: int, m: int, tile: int, kind: str = "serial") -> str:
    """Return Y[i, j] = P[i, j] * P[i + 2, j + 1] of a padded copy P, computed a few rows at a time."""
    x, p, y = f"memref<{n}x{m}xf32>", f"memref<{n + 2}x{m + 2}xf32>", f"memref<{n}x{m}xf32>"
    rows = tile + 2
    return f"""
func.func @main(%X: {x} {{tw.name = "X"}}, %Y: {y} {{tw.name = "Y", tw.output}}) {{
  %one = arith.constant 1.0 : f32
  %P = loop.alloc : {p}
  loop.for %io = 0 to {ceildiv(n, tile)} kind {kind} {{
    loop.for %r = 0 to {rows} {{ loop.for %c = 0 to {m + 2} {{
      loop.block "P" (%i = spatial(%io * {tile} + %r) in {n + 2}, %j = spatial(%c) in {m + 2})
          where (%io * {tile} + %r < {n + 2}) {{
        %v = loop.load %X[%i - 1, %j - 1] where (%i >= 1, %i < {n + 1}, %j >= 1, %j < {m + 1}) else %one : {x}
        loop.store %v, %P[%i, %j] : {p}
      }}
    }} }}
    loop.for %ii = 0 to {tile} {{ loop.for %c = 0 to {m} {{
      loop.block "Y" (%i = spatial(%io * {tile} + %ii) in {n}, %j = spatial(%c) in {m})
          where (%io * {tile} + %ii < {n}) {{
        %v = loop.load %P[%i, %j] : {p}
        %w = loop.load %P[%i + 2, %j + 1] : {p}
        %s = arith.mulf %v, %w : f32
        loop.store %s, %Y[%i, %j] : {y}
      }}
    }} }}
  }}
  func.return
}}"""


def rows(n: int, m: int, kind: str = "serial") -> str:
    """Return Y[i, j] = X[i, j] - max of row i, with the maximum initialised inside its block, and the rows of Y
    fused."""
    x = f"memref<{n}x{m}xf32>"
    return f"""
func.func @main(%X: {x} {{tw.name = "X"}}, %Y: {x} {{tw.name = "Y", tw.output}},
    %I: memref<{n}xindex> {{tw.name = "I", tw.output}}) {{
  %least = arith.constant -1.0e9 : f32
  %M = loop.alloc : memref<{n}xf32>
  %Z = loop.alloc : {x}
  loop.for %i = 0 to {n} kind {kind} {{
    loop.for %k = 0 to {m} {{
      loop.block "M" (%vi = spatial(%i) in {n}, %vk = reduce(%k) in {m}) {{
        loop.init {{ loop.store %least, %M[%vi] : memref<{n}xf32> }}
        %x = loop.load %X[%vi, %vk] : {x}
        %o = loop.load %M[%vi] : memref<{n}xf32>
        %g = arith.maximumf %o, %x : f32
        loop.store %g, %M[%vi] : memref<{n}xf32>
      }}
    }}
    loop.block "I" (%vi = spatial({n - 1} - %i) in {n}) {{ loop.store %vi, %I[%vi] : memref<{n}xindex> }}
    loop.for %j = 0 to {m} {{
      loop.block "Z" (%vi = spatial(%i) in {n}, %vj = spatial(%j) in {m}) {{
        %x = loop.load %X[%vi, %vj] : {x}
        %g = loop.load %M[%vi] : memref<{n}xf32>
        %z = arith.subf %x, %g : f32
        loop.store %z, %Z[%vi, %vj] : {x}
      }}
    }}
  }}
  loop.for %f = 0 to {n * m} {{
    loop.block "Y" (%vi = spatial(%f floordiv {m}) in {n}, %vj = spatial(%f mod {m}) in {m}) {{
      %z = loop.load %Z[%vi, %vj] : {x}
      loop.store %z, %Y[%vi, %vj] : {x}
    }}
  }}
  func.return
}}"""


def running_sums(n: int, m: int) -> str:
    """Return a program whose buffers carry values from one iteration to the next: Y[i, j] = the sum of X[0..i, j], S a
    sum of all."""
    x = f"memref<{n}x{m}xf32>"
    return f"""
func.func @main(%X: {x} {{tw.name = "X"}}, %Y: {x} {{tw.name = "Y", tw.output}},
    %S: memref<1xf32> {{tw.name = "S", tw.output}}) {{
  %zero = arith.constant 0.0 : f32
  %row = loop.alloc : memref<{m}xf32>
  %all = loop.alloc : memref<1x1xf32, "local">
  loop.store %zero, %all[0, 0] : memref<1x1xf32, "local">
  loop.for %i = 0 to {n} {{
    loop.for %j = 0 to {m} {{
      loop.if (%i < 1) {{ loop.store %zero, %row[%j] : memref<{m}xf32> }}
      %x = loop.load %X[%i, %j] : {x}
      %r = loop.load %row[%j] : memref<{m}xf32>
      %s = arith.addf %r, %x : f32
      loop.store %s, %row[%j] : memref<{m}xf32>
      %a = loop.load %all[0, 0] : memref<1x1xf32, "local">
      %b = arith.addf %a, %x : f32
      loop.store %b, %all[0, 0] : memref<1x1xf32, "local">
    }}
    loop.for %j = 0 to {m} {{
      %r = loop.load %row[%j] : memref<{m}xf32>
      loop.store %r, %Y[%i, %j] : {x}
    }}
  }}
  %a = loop.load %all[0, 0] : memref<1x1xf32, "local">
  loop.store %a, %S[0] : memref<1xf32>
  func.return
}}"""


def calls(n: int, m: int) -> str:
    """Return Y = twice(reverse(twice(X))) + W, each kernel with a buffer of its own, between buffers and views of
    @main."""
    x, flat = f"memref<{n}x{m}xf32>", f"memref<{n * m}xf32>"
    return f"""
func.func @main(%X: {x} {{tw.name = "X"}}, %W: {x} {{tw.name = "W"}}, %Y: {x} {{tw.name = "Y", tw.output}}) {{
  %a = loop.alloc : {x}
  %b = loop.alloc : {flat}
  %c = loop.alloc : {x}
  %b_rows = loop.view %b[0] : {flat} to {x}
  %a_flat = loop.view %a[0] : {x} to {flat}
  func.call @twice(%X, %a) : ({x}, {x}) -> ()
  func.call @reverse(%a_flat, %b) : ({flat}, {flat}) -> ()
  func.call @twice(%b_rows, %c) : ({x}, {x}) -> ()
  func.call @add(%c, %W, %Y) : ({x}, {x}, {x}) -> ()
  func.return
}}
func.func private @twice(%x: {x}, %y: {x} {{tw.output}}) {{
  %t = loop.alloc : {x}
  loop.for %i = 0 to {n} {{ loop.for %j = 0 to {m} {{
    %v = loop.load %x[%i, %j] : {x}
    %w = arith.addf %v, %v : f32
    loop.store %w, %t[{n - 1} - %i, %j] : {x}
  }} }}
  loop.for %i = 0 to {n} {{ loop.for %j = 0 to {m} {{
    %v = loop.load %t[{n - 1} - %i, %j] : {x}
    loop.store %v, %y[%i, %j] : {x}
  }} }}
  func.return
}}
func.func private @reverse(%x: {flat}, %y: {flat} {{tw.output}}) {{
  loop.for %i = 0 to {n * m} kind parallel {{
    %v = loop.load %x[{n * m - 1} - %i] : {flat}
    loop.store %v, %y[%i] : {flat}
  }}
  func.return
}}
func.func private @add(%x: {x}, %w: {x}, %y: {x} {{tw.output}}) {{
  loop.for %f = 0 to {n * m} {{
    %v = loop.load %x[%f floordiv {m}, %f mod {m}] : {x}
    %w0 = loop.load %w[%f floordiv {m}, %f mod {m}] : {x}
    %s = arith.addf %v, %w0 : f32
    loop.store %s, %y[%f floordiv {m}, %f mod {m}] : {x}
  }}
  func.return
}}"""


def symbolic_rows(tile: int) -> str:
    """Return Y[i, j] = X[i, j] + X[i, 0] for any number of rows, a tile of them at a time."""
    return f"""
func.func @main(%X: memref<?x3xf32> {{tw.name = "X"}}, %Y: memref<?x3xf32> {{tw.name = "Y", tw.output}}) {{
  %n = loop.dim %X, 0 : memref<?x3xf32>
  loop.bind %Y shape [%n, 3] strides [3, 1] : memref<?x3xf32>
  %T = loop.alloc (%n) : memref<?x3xf32>
  loop.for %io = 0 to (%n + {tile - 1}) floordiv {tile} {{
    loop.for %ii = 0 to {tile} {{ loop.for %j = 0 to 3 {{
      loop.block "T" (%i = spatial(%io * {tile} + %ii) in %n, %vj = spatial(%j) in 3) where (%io * {tile} + %ii < %n) {{
        %x = loop.load %X[%i, %vj] : memref<?x3xf32>
        loop.store %x, %T[%i, %vj] : memref<?x3xf32>
      }}
    }} }}
    loop.for %ii = 0 to {tile} {{ loop.for %j = 0 to 3 {{
      loop.block "Y" (%i = spatial(%io * {tile} + %ii) in %n, %vj = spatial(%j) in 3) where (%io * {tile} + %ii < %n) {{
        %x = loop.load %T[%i, %vj] : memref<?x3xf32>
        %f = loop.load %T[%i, 0] : memref<?x3xf32>
        %s = arith.addf %x, %f : f32
        loop.store %s, %Y[%i, %vj] : memref<?x3xf32>
      }}
    }} }}
  }}
  func.return
}}"""
