"""Small programs with one thing in each that a primitive does not take."""

from __future__ import annotations

from .programs import matmul, symbolic

CARRIED = """
func.func @k(%A: memref<4x4xf64>, %B: memref<4xf64> {tw.output}) {
  %z = arith.constant 0.0 : f64
  loop.for %o = 0 to 4 {
    %r = loop.for %i = 0 to 4 iter_args(%x = %z) -> (f64) {
      %s = loop.for %j = 0 to 4 iter_args(%y = %x) -> (f64) {
        %a = loop.load %A[%i, %j] : memref<4x4xf64>
        %t = arith.addf %y, %a : f64
        loop.yield %t : f64
      }
      loop.yield %s : f64
    }
    loop.store %r, %B[%o] : memref<4xf64>
  }
  func.return
}"""

SEVERAL_BOUNDS = symbolic().replace("loop.for %i = 0 to %n", "loop.for %i = max(0, %n - 3) to %n")


def block(body: str, store: str = "%B[%vi]", bindings: str = "%vi = spatial(%i) in 6", read: str = "%A[%vi]") -> str:
    """Return a program whose block "B" fills %B, which is then copied to %C."""
    return f"""
func.func @k(%A: memref<6xf64>, %I: memref<6xi64>, %C: memref<6xf64> {{tw.output}}, %D: memref<6xf64> {{tw.output}}) {{
  %z = arith.constant 0.0 : f64
  %B = loop.alloc : memref<6xf64>
  %B2 = loop.alloc : memref<6xf64>
  loop.for %i = 0 to 6 {{
    loop.block "B" ({bindings}) {{
      %a = loop.load {read} : memref<6xf64>
      {body}
      loop.store %a, {store} : memref<6xf64>
    }}
  }}
  loop.for %j = 0 to 6 {{
    loop.block "C" (%vj = spatial(%j) in 6) {{
      %b = loop.load %B[%vj] : memref<6xf64>
      loop.store %b, %C[%vj] : memref<6xf64>
    }}
  }}
  func.return
}}"""


PLAIN = block("")
TWO_STORES = block("loop.store %a, %D[%vi] : memref<6xf64>")
TWICE = block("loop.store %a, %B[%vi] : memref<6xf64>\n      loop.store %z, %B2[%vi] : memref<6xf64>")
GUARDED = block("").replace(
    "%B[%vi] : memref<6xf64>\n    }\n  }\n  loop.for %j",
    "%B[%vi] where (%vi < 5) : memref<6xf64>\n    }\n  }\n  loop.for %j",
)
SEPARATE = block("loop.store %a, %B2[%vi + 0] where (%vi < 5) : memref<6xf64>")
DOUBLED = block("", "%B[%vi * 2]", "%vi = spatial(%i) in 3").replace("%i = 0 to 6", "%i = 0 to 3")
UNREAD = PLAIN.replace("%b = loop.load %B[%vj]", "%b = loop.load %A[%vj]")
AFTER = PLAIN.replace(
    "func.return",
    """loop.for %last = 0 to 6 {
    loop.block "L" (%vl = spatial(%last) in 6) {
      %l = loop.load %A[%vl] : memref<6xf64>
      loop.store %l, %D[%vl] : memref<6xf64>
    }
  }
  func.return""",
)
SPARE_AXIS = (
    block("", bindings="%vi = spatial(%i) in 6, %vs = spatial(%s) in 2")
    .replace('loop.block "B"', 'loop.for %s = 0 to 2 {\n    loop.block "B"')
    .replace("  }\n  loop.for %j", "  }\n  }\n  loop.for %j")
)
CONTROL = block("loop.if (%vi < 3) {\n      }")
FIRST_READS = block("%old = loop.load %B[%vi] : memref<6xf64>")
PARTLY = PLAIN.replace("loop.for %i = 0 to 6", "loop.for %i = 1 to 6")
VIEWED = PLAIN.replace(
    "loop.for %j", "%V = loop.view %B[0] : memref<6xf64> to memref<2x3xf64>\n  loop.for %j", 1
).replace("%b = loop.load %B[%vj] : memref<6xf64>", "%b = loop.load %V[%vj floordiv 3, %vj mod 3] : memref<2x3xf64>")
REWRITTEN = PLAIN.replace(
    "func.return",
    """loop.for %middle = 0 to 6 {
    loop.block "W" (%vw = spatial(%middle) in 6) {
      loop.store %z, %B[%vw] : memref<6xf64>
    }
  }
  loop.for %last = 0 to 6 {
    loop.block "L" (%vl = spatial(%last) in 6) {
      %l = loop.load %B[%vl] : memref<6xf64>
      loop.store %l, %D[%vl] : memref<6xf64>
    }
  }
  func.return""",
)
CONDITION = (
    matmul(3, 4, 5, epilogue=False)
    .replace('loop.block "C"', 'loop.if (%i + %j < 5) {\n        loop.block "C"')
    .replace("        }\n      }\n    }\n  }\n", "        }\n      }\n      }\n    }\n  }\n")
)

CHAINED_CARRIED = """
func.func @k(%A: memref<4xf64>, %B: memref<1xf64> {tw.output}) {
  %z = arith.constant 0.0 : f64
  %p = loop.for %i = 0 to 4 iter_args(%x = %z) -> (f64) {
    %a = loop.load %A[%i] : memref<4xf64>
    loop.yield %a : f64
  }
  %q = loop.for %j = 0 to 4 iter_args(%y = %z) -> (f64) {
    %b = loop.load %A[%j] : memref<4xf64>
    loop.yield %b : f64
  }
  loop.store %q, %B[0] : memref<1xf64>
  func.return
}"""


def row_sum(inside: str = "", beside: str = "", guard: str = "", row: str = "%i", around: str = "%u = 0 to 1") -> str:
    """Return C[i] = sum over k of A[i, k], with other code in the loops of i and k."""
    return f"""
func.func @k(%A: memref<6x5xf64>, %C: memref<6xf64> {{tw.output}}, %D: memref<6xf64> {{tw.output}}) {{
  %z = arith.constant 0.0 : f64
  loop.for %i = 0 to 6 {{
    loop.for {around} {{
      loop.for %k = 0 to 5 {{
        %row = loop.apply (%i) : index
        loop.block "C" (%vi = spatial({row}) in 6, %vk = reduce(%k) in 5) {guard} {{
          loop.init {{ loop.store %z, %C[%vi] : memref<6xf64> }}
          %a = loop.load %A[%vi, %vk] : memref<6x5xf64>
          %c = loop.load %C[%vi] : memref<6xf64>
          %s = arith.addf %c, %a : f64
          loop.store %s, %C[%vi] : memref<6xf64>
        }}
        {inside}
      }}
    }}
    {beside}
  }}
  func.return
}}"""


READS_SUM = """loop.block "R" (%vr = spatial(%i) in 6) {
      %sum = loop.load %C[%vr] : memref<6xf64>
      loop.store %sum, %D[%vr] : memref<6xf64>
    }"""
HIDDEN = PLAIN.replace('    loop.block "B"', '    %h = loop.load %A[0] : memref<6xf64>\n    loop.block "B"').replace(
    "loop.store %a, %B", "loop.store %h, %B"
)
CONSUMER_FIRST = """
func.func @k(%A: memref<6xf64>, %C: memref<6xf64> {tw.output}) {
  %B = loop.alloc : memref<6xf64>
  loop.for %j = 0 to 6 {
    loop.block "C" (%vj = spatial(%j) in 6) {
      %b = loop.load %B[%vj] : memref<6xf64>
      loop.store %b, %C[%vj] : memref<6xf64>
    }
  }
  loop.for %i = 0 to 6 {
    loop.block "B" (%vi = spatial(%i) in 6) {
      %a = loop.load %A[%vi] : memref<6xf64>
      loop.store %a, %B[%vi] : memref<6xf64>
    }
  }
  func.return
}"""
QUOTIENTS = """
func.func @k(%A: memref<6xi64>, %C: memref<6xi64> {tw.output}) {
  %z = arith.constant 0 : i64
  %B = loop.alloc : memref<6xi64>
  loop.for %i = 0 to 6 {
    loop.block "B" (%vi = spatial(%i) in 6) {
      %a = loop.load %A[%vi] : memref<6xi64>
      %q = arith.divsi %a, %a : i64
      loop.store %q, %B[%vi] : memref<6xi64>
    }
  }
  loop.for %j = 0 to 6 {
    loop.block "C" (%vj = spatial(%j) in 6) {
      %b = loop.load %B[%vj] where (%vj < 5) else %z : memref<6xi64>
      loop.store %b, %C[%vj] : memref<6xi64>
    }
  }
  func.return
}"""
CALLED = "func.func private @f(memref<6xf64>)" + PLAIN.replace(
    "func.return", "func.call @f(%B) : (memref<6xf64>) -> ()\n  func.return"
)
NO_INIT = matmul(3, 4, 5).replace("loop.init { loop.store %zero, %C[%vi, %vj] : memref<3x4xf64> }", "")

LATE_START = PLAIN.replace("loop.for %j = 0 to 6", "loop.for %j = 1 to 6")
BOTH = AFTER.replace("%l = loop.load %A[%vl]", "%l = loop.load %B[%vl]").replace(
    "loop.store %l, %D", "%c = loop.load %C[%vl] : memref<6xf64>\n      loop.store %c, %D"
)
OVERTAKING = AFTER.replace("%l = loop.load %A[%vl]", "%l = loop.load %B[%vl]").replace(
    "loop.store %b, %C[%vj]", "loop.store %b, %D[%vj]"
)
NEIGHBOURS = PLAIN.replace("loop.store %b, %C", "%n = loop.load %B[5 - %vj] : memref<6xf64>\n      loop.store %n, %C")

HIDDEN_AFTER = PLAIN.replace(
    '    loop.block "C"', '    %h = loop.load %A[0] : memref<6xf64>\n    loop.block "C"'
).replace("loop.store %b, %C", "%t = arith.addf %b, %h : f64\n      loop.store %t, %C")

FILLED_IN_PARTS = PLAIN.replace(
    "loop.for %i = 0 to 6",
    """loop.for %o = 0 to 2 {
    loop.block "F" (%vf = spatial(%o) in 2) {
      loop.store %z, %B[%vf] : memref<6xf64>
    }
  }
  loop.for %i = 2 to 6""",
)
PART_OF_SUM = f"""
func.func @k(%A: memref<6x5xf64>, %D: memref<6xf64> {{tw.output}}) {{
  %z = arith.constant 0.0 : f64
  %C = loop.alloc : memref<6xf64>
  loop.for %i = 0 to 6 {{
    loop.for %k = 0 to 4 {{
      loop.block "C" (%vi = spatial(%i) in 6, %vk = reduce(%k) in 5) {{
        loop.init {{ loop.store %z, %C[%vi] : memref<6xf64> }}
        %a = loop.load %A[%vi, %vk] : memref<6x5xf64>
        %c = loop.load %C[%vi] : memref<6xf64>
        %s = arith.addf %c, %a : f64
        loop.store %s, %C[%vi] : memref<6xf64>
      }}
    }}
    {READS_SUM}
  }}
  func.return
}}"""
TILE_BESIDE = """
func.func @k(%A: memref<4x6xf64>, %C: memref<4x6xf64> {tw.output}) {
  loop.for %h = 0 to 1 {
    loop.for %i = 0 to 4 {
      loop.for %j = 0 to 6 {
        loop.block "B" (%vi = spatial(%i) in 4, %vj = spatial(%j) in 6) where (%h * 2 + %j < 6) {
          %a = loop.load %A[%vi, %vj] : memref<4x6xf64>
          loop.store %a, %C[%vi, %vj] : memref<4x6xf64>
        }
      }
    }
  }
  func.return
}"""
COMPUTED_PADDING = PLAIN.replace(
    "%b = loop.load %B[%vj]", "%n = arith.negf %z : f64\n      %b = loop.load %B[%vj] where (%vj < 5) else %n"
)
