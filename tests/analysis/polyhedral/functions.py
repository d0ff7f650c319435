"""Functions that models are made of, each with the shapes of its arguments, a scalar's being its value.

Shapes of several calls of one function differ in their symbolic sizes, 0 and 1 among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Argument: TypeAlias = "tuple[int, ...] | int | float"


@dataclass(frozen=True)
class Case:
    """A function and calls of it."""

    name: str
    text: str
    calls: tuple[tuple[Argument, ...], ...]


GUARDS = Case(
    "guards",
    """
func.func @main(%A: memref<?xf32>, %B: memref<?xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.bind %B shape [%n] strides [1] : memref<?xf32>
  loop.for %i = 0 to %n {
    %x = loop.load %A[%i - 1] where (%i >= 1, %i < 5) else %zero : memref<?xf32>
    loop.if (%i mod 3 >= 1, %i < 7) {
      %y = arith.addf %x, %x : f32
      loop.store %y, %B[%i] : memref<?xf32>
    } else {
      loop.store %x, %B[%i] where (%i floordiv 2 >= 1) : memref<?xf32>
    }
  }
  func.return
}""",
    (((0,), (0,)), ((1,), (1,)), ((9,), (9,))),
)

TRIANGLE = Case(
    "triangle",
    """
func.func @main(%A: memref<?x?xf32>, %B: memref<?x?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?x?xf32>
  %m = loop.dim %A, 1 : memref<?x?xf32>
  loop.bind %B shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
  loop.for %i = 0 to %n kind parallel {
    loop.for %j = max(0, %i - 1) to min(%m, %i + 2) kind unrolled {
      %x = loop.load %A[%i, %j] : memref<?x?xf32>
      loop.store %x, %B[%i, %j] : memref<?x?xf32>
      loop.store %x, %B[0, %j] where (%j mod 2 >= 1) : memref<?x?xf32>
    }
  }
  func.return
}""",
    (((0, 0), (0, 0)), ((1, 1), (1, 1)), ((4, 3), (4, 3)), ((2, 5), (2, 5))),
)

CHOICES = Case(
    "choices",
    """
func.func @main(%A: memref<?xf32>, %B: memref<?xf32> {tw.output}, %n: index, %c: f32) {
  %true = arith.constant true
  %n1 = loop.apply (%n + 1) : index
  loop.bind %A shape [%n] strides [1] : memref<?xf32>
  loop.bind %B shape [%n1] strides [1] : memref<?xf32>
  loop.for %i = 0 to %n {
    %x = loop.load %A[%i] : memref<?xf32>
    %y = arith.addf %x, %c : f32
    %p = loop.test (%i < 3, %i >= 1) : i1
    %q = loop.test (%i mod 2 < 1) : i1
    %both = arith.andi %p, %q : i1
    %any = arith.ori %p, %q : i1
    %not = arith.xori %any, %true : i1
    %u = arith.select %both, %x, %y : f32
    %v = arith.select %any, %u, %c : f32
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %w = arith.addf %v, %f : f32
    %t = arith.select %not, %x, %w : f32
    %positive = arith.cmpf ogt, %x, %c : f32
    %r = arith.select %positive, %t, %v : f32
    loop.store %r, %B[%i] : memref<?xf32>
  }
  func.return
}""",
    (((0,), (1,), 0, 0.5), ((1,), (2,), 1, 0.5), ((7,), (8,), 7, -0.25)),
)

CARRIED = Case(
    "carried",
    """
func.func @main(%A: memref<?x?xf32>, %B: memref<?x2xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?x?xf32>
  %m = loop.dim %A, 1 : memref<?x?xf32>
  loop.bind %B shape [%n, 2] strides [2, 1] : memref<?x2xf32>
  loop.for %i = 0 to %n {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %s, %t = loop.for %j = 0 to %m iter_args(%a = %zero, %b = %one) -> (f32, f32) {
      %x = loop.load %A[%i, %j] : memref<?x?xf32>
      %c = loop.for %k = 0 to %j iter_args(%d = %a) -> (f32) {
        %e = arith.subf %d, %b : f32
        loop.yield %e : f32
      }
      %sum = arith.addf %c, %x : f32
      loop.yield %b, %sum : f32, f32
    }
    loop.store %s, %B[%i, 0] : memref<?x2xf32>
    loop.store %t, %B[%i, 1] : memref<?x2xf32>
  }
  func.return
}""",
    (((0, 0), (0, 2)), ((1, 0), (1, 2)), ((2, 1), (2, 2)), ((2, 4), (2, 2))),
)

VECTORS = Case(
    "vectors",
    """
func.func @main(%A: memref<?x8xf32>, %B: memref<?x8xf32> {tw.output}, %C: memref<4xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?x8xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<2.0> : vector<4xf32>
  loop.bind %B shape [%n, 8] strides [8, 1] : memref<?x8xf32>
  loop.for %i = 0 to %n {
    %turned = loop.alloc : memref<4x4xf32, "register">
    loop.for %j = 0 to 4 kind unrolled {
      %row = loop.load %A[%i, %j + lane] : memref<?x8xf32>, vector<4xf32>
      loop.store %row, %turned[%j, lane] : vector<4xf32>, memref<4x4xf32, "register">
    }
    %column = loop.load %turned[lane, 1] : memref<4x4xf32, "register">, vector<4xf32>
    %odd = loop.load %A[%i, lane * 2 + 1] where (lane * 2 + 1 < %n + 3) else %zero : memref<?x8xf32>, vector<4xf32>
    %sum = arith.addf %column, %odd : vector<4xf32>
    %first = loop.load %A[%i, 0] : memref<?x8xf32>
    %firsts = vector.broadcast %first : f32 to vector<4xf32>
    %numbers = loop.apply (%i * 4 + lane) : vector<4xindex>
    %m = loop.test (%i + lane < 3) : vector<4xi1>
    %chosen = arith.select %m, %sum, %firsts : vector<4xi1>, vector<4xf32>
    %ints = arith.index_cast %numbers : vector<4xindex> to vector<4xi32>
    %floats = arith.sitofp %ints : vector<4xi32> to vector<4xf32>
    %fused = math.fma %chosen, %floats, %zeros : vector<4xf32>
    loop.store %fused, %B[%i, lane] : vector<4xf32>, memref<?x8xf32>
    loop.store %fused, %B[%i, lane + 4] where (%i + lane >= 2) : vector<4xf32>, memref<?x8xf32>
    loop.store %fused, %C[lane floordiv 2] : vector<4xf32>, memref<4xf32>
  }
  %total = loop.for %i = 0 to %n iter_args(%s = %zeros) -> (vector<4xf32>) {
    %x = loop.load %A[%i, lane] : memref<?x8xf32>, vector<4xf32>
    %t = arith.addf %s, %x : vector<4xf32>
    loop.yield %t : vector<4xf32>
  }
  loop.store %total, %C[-lane + 3] where (lane < 2) : vector<4xf32>, memref<4xf32>
  func.return
}""",
    (((0, 8), (0, 8), (4,)), ((1, 8), (1, 8), (4,)), ((4, 8), (4, 8), (4,))),
)

BUFFERS = Case(
    "buffers",
    """
func.func @main(%A: memref<?x6xf32>, %B: memref<?x6xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?x6xf32>
  loop.bind %B shape [%n, 6] strides [6, 1] : memref<?x6xf32>
  %weights = loop.constant dense<[1.0, 2.0, 3.0]> : memref<3xf32>
  %all = loop.alloc (%n + 1, 6) : memref<?x?xf32>
  loop.for %i = 0 to %n + 1 {
    %row = loop.alloc (%i) : memref<?xf32>
    loop.for %j = 0 to 6 {
      %w = loop.load %weights[%j mod 3] : memref<3xf32>
      loop.store %w, %row[%j] where (%j < %i) : memref<?xf32>
      loop.store %w, %all[%i, %j] : memref<?x?xf32>
      loop.if (%i >= 1) {
        %x = loop.load %A[%i - 1, %j] : memref<?x6xf32>
        %r = loop.load %row[%j] where (%j < %i) else %w : memref<?xf32>
        %p = loop.load %all[%i - 1, -%j + 5] : memref<?x?xf32>
        %s = arith.mulf %x, %r : f32
        %t = arith.addf %s, %p : f32
        loop.store %t, %B[%i - 1, %j] : memref<?x6xf32>
        loop.store %t, %A[%i - 1, %j] : memref<?x6xf32>
      }
    }
  }
  func.return
}""",
    (((0, 6), (0, 6)), ((1, 6), (1, 6)), ((4, 6), (4, 6))),
)

VIEWS = Case(
    "views",
    """
func.func @main(%A: memref<4x3x2xf32>, %B: memref<4x3x2xf32> {tw.output}) {
  %a = loop.view %A[0] : memref<4x3x2xf32> to memref<24xf32>
  %b = loop.view %B[0] : memref<4x3x2xf32> to memref<24xf32>
  %lower = loop.view %B[48] : memref<4x3x2xf32> to memref<2x6xf32>
  %arena = loop.alloc : memref<128xi8>
  %t = loop.view %arena[0] : memref<128xi8> to memref<4x6xf32>
  %u = loop.view %arena[8] : memref<128xi8> to memref<12xf32>
  %v = loop.view %arena[96] : memref<128xi8> to memref<4xi64>
  loop.for %i = 0 to 4 {
    %k = arith.index_cast %i : index to i64
    loop.store %k, %v[%i] : memref<4xi64>
    loop.for %j = 0 to 6 {
      %x = loop.load %a[%i * 6 + %j] : memref<24xf32>
      loop.store %x, %t[%i, -%j + 5] : memref<4x6xf32>
    }
  }
  loop.for %i = 0 to 12 {
    %x = loop.load %u[%i] : memref<12xf32>
    %k = loop.load %v[%i floordiv 3] : memref<4xi64>
    %f = arith.sitofp %k : i64 to f32
    %y = arith.addf %x, %f : f32
    loop.store %y, %b[%i * 2 + 1] : memref<24xf32>
    loop.store %x, %u[-%i + 11] : memref<12xf32>
  }
  loop.for %i = 0 to 2 {
    loop.for %j = 0 to 6 {
      %x = loop.load %t[%i * 2 + 1, %j] : memref<4x6xf32>
      loop.store %x, %lower[%i, %j] where (%j >= 2) : memref<2x6xf32>
    }
  }
  func.return
}""",
    (((4, 3, 2), (4, 3, 2)),),
)

FUSED = Case(
    "fused",
    """
func.func @main(%A: memref<?x?x3xf32>, %B: memref<?x?x3xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?x?x3xf32>
  %m = loop.dim %A, 1 : memref<?x?x3xf32>
  %m3 = loop.apply (%m * 3) : index
  loop.bind %B shape [%n, %m, 3] strides [%m3, 3, 1] : memref<?x?x3xf32>
  %nm = arith.muli %n, %m : index
  %three = arith.constant 3 : index
  %all = arith.muli %nm, %three : index
  loop.for %f = 0 to %all {
    %i, %j, %k = loop.delinearize %f into (%n, %m, 3)
    %x = loop.load %A[%i, %j, %k] : memref<?x?x3xf32>
    loop.store %x, %B[%i, %j, -%k + 2] : memref<?x?x3xf32>
  }
  loop.for %f = 0 to %n * 3 {
    %i, %k = loop.delinearize %f into (%n, 3)
    loop.for %j = 0 to %m {
      %x = loop.load %B[%i, 0, %k] : memref<?x?x3xf32>
      %y = arith.addf %x, %x : f32
      loop.store %y, %B[%i, %j, %k] : memref<?x?x3xf32>
    }
  }
  func.return
}""",
    (((0, 0, 3), (0, 0, 3)), ((1, 0, 3), (1, 0, 3)), ((1, 1, 3), (1, 1, 3)), ((2, 3, 3), (2, 3, 3))),
)

DOUBLED = Case(
    "doubled",
    """
func.func @main(%A: memref<?x?xf32>, %B: memref<?x?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?x?xf32>
  %m = loop.dim %A, 1 : memref<?x?xf32>
  %n1 = loop.apply (%n + 1) : index
  %n2 = loop.apply (%n * 2 + 2) : index
  %m2 = loop.apply (%m * 2) : index
  loop.bind %B shape [%n1, %m2] strides [%m2, 1] : memref<?x?xf32>
  %c = arith.constant 0.5 : f32
  %all = arith.muli %n2, %m : index
  loop.for %f = 0 to %all {
    %i, %j = loop.delinearize %f into (%n + 1, %m * 2)
    %x = loop.load %A[%i, %j floordiv 2] where (%i < %n) else %c : memref<?x?xf32>
    loop.store %x, %B[%i, %j] : memref<?x?xf32>
  }
  func.return
}""",
    (((0, 0), (1, 0)), ((0, 1), (1, 2)), ((2, 1), (3, 2)), ((2, 3), (3, 6))),
)
"""A product of (2n + 2) and m that is taken apart as one of n + 1 and 2m."""

BLOCKS = Case(
    "blocks",
    """
func.func @main(%A: memref<?x?xf32>, %B: memref<?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?x?xf32>
  %m = loop.dim %A, 1 : memref<?x?xf32>
  loop.bind %B shape [%n] strides [1] : memref<?xf32>
  %T = loop.alloc (%n) : memref<?xf32>
  loop.for %i = 0 to %n {
    loop.for %ko = 0 to ((%m + 1) floordiv 2) {
      loop.for %ki = 0 to 2 {
        loop.block "T" (%vi = spatial(%i) in %n, %vk = reduce(%ko * 2 + %ki) in %m) where (%ko * 2 + %ki < %m) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            loop.store %zero, %T[%vi] : memref<?xf32>
          }
          %t = loop.load %T[%vi] : memref<?xf32>
          %a = loop.load %A[%vi, %vk] : memref<?x?xf32>
          %s = arith.addf %t, %a : f32
          loop.store %s, %T[%vi] : memref<?xf32>
        }
      }
    }
  }
  loop.for %io = 0 to ((%n + 3) floordiv 4) kind parallel {
    loop.block "rows" (%vo = spatial(%io) in ((%n + 3) floordiv 4)) {
      loop.for %ii = 0 to 4 {
        loop.block "B" (%v = spatial(%vo * 4 + %ii) in %n) where (%vo * 4 + %ii < %n) {
          %t = loop.load %T[-%v + %n - 1] : memref<?xf32>
          %m2 = arith.mulf %t, %t : f32
          loop.store %m2, %B[%v] : memref<?xf32>
        }
      }
    }
  }
  func.return
}""",
    (((0, 0), (0,)), ((1, 0), (1,)), ((0, 1), (0,)), ((3, 0), (3,)), ((1, 1), (1,)), ((6, 5), (6,))),
)

ORDER_OF_INIT = Case(
    "order of init",
    """
func.func @main(%A: memref<?x4xf32>, %B: memref<4xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?x4xf32>
  loop.for %k = 0 to %n {
    loop.for %j = 0 to 4 {
      loop.block "B" (%vk = reduce(%k) in %n, %vj = spatial(%j) in 4) {
        loop.init {
          %c = arith.constant -1.5 : f32
          loop.store %c, %B[%vj] : memref<4xf32>
        }
        %b = loop.load %B[%vj] : memref<4xf32>
        %a = loop.load %A[%vk, %vj] : memref<?x4xf32>
        %s = arith.maximumf %b, %a : f32
        loop.store %s, %B[%vj] : memref<4xf32>
      }
    }
  }
  func.return
}""",
    (((0, 4), (4,)), ((1, 4), (4,)), ((3, 4), (4,))),
)

PAIRS = Case(
    "pairs",
    """
func.func @main(%A: memref<?xf32>, %P: memref<1xi32> {tw.output}, %V: memref<1xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.for %k = 0 to %n {
    loop.block "best" (%vk = reduce(%k) in %n) {
      loop.init {
        %none = arith.constant -1 : i32
        %least = arith.constant 0xff800000 : f32
        loop.store %none, %P[0] : memref<1xi32>
        loop.store %least, %V[0] : memref<1xf32>
      }
      %i = arith.index_cast %vk : index to i32
      %a = loop.load %A[%vk] : memref<?xf32>
      %p = loop.load %P[0] : memref<1xi32>
      %v = loop.load %V[0] : memref<1xf32>
      %q, %w = loop.combine %p, %v with %i, %a : i32, f32 identity [-1 : i32, 0.0 : f32] by (%xi, %xv), (%yi, %yv) {
        %later = arith.cmpf ogt, %yv, %xv : f32
        %r = arith.select %later, %yi, %xi : i32
        %m = arith.select %later, %yv, %xv : f32
        loop.yield %r, %m : i32, f32
      }
      loop.store %q, %P[0] : memref<1xi32>
      loop.store %w, %V[0] : memref<1xf32>
    }
  }
  func.return
}""",
    (((0,), (1,), (1,)), ((1,), (1,), (1,)), ((6,), (1,), (1,))),
)

INTEGERS = Case(
    "integers",
    """
func.func @main(%A: memref<?xi32>, %B: memref<?xi32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?xi32>
  loop.bind %B shape [%n] strides [1] : memref<?xi32>
  loop.for %i = 0 to %n {
    %x = loop.load %A[%i] : memref<?xi32>
    %big = arith.constant -5 : i32
    %low, %high = arith.mulsi_extended %x, %big : i32
    %d = arith.divsi %x, %big : i32
    %e = arith.maxsi %low, %d : i32
    %j = loop.apply (%n - %i * 2 + 1) : index
    %k = arith.index_cast %j : index to i32
    %f = arith.xori %e, %k : i32
    %c = arith.cmpi ult, %f, %high : i32
    %g = arith.extui %c : i1 to i32
    %h = arith.addi %g, %f : i32
    loop.store %h, %B[%i] : memref<?xi32>
  }
  func.return
}""",
    (((0,), (0,)), ((1,), (1,)), ((5,), (5,))),
)

ASSERTED = Case(
    "asserted",
    """
func.func @main(%A: memref<?xf32>, %B: memref<?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?xf32>
  %m = loop.dim %B, 0 : memref<?xf32>
  loop.assert (%n >= %m), "expected at least {} elements, but got {}" (%m, %n)
  loop.for %i = 0 to %m {
    loop.prefetch %A[%i + 4] : memref<?xf32>
    %x = loop.load %A[%i] : memref<?xf32>
    loop.store %x, %B[%i] : memref<?xf32>
  }
  func.return
}""",
    (((0,), (0,)), ((1,), (1,)), ((4,), (3,))),
)

REUSED = Case(
    "reused",
    """
func.func @main(%A: memref<8xf32>, %B: memref<8xf32> {tw.output}, %lent: memref<64xi8> {tw.workspace}) {
  %u = loop.view %lent[0] : memref<64xi8> to memref<8xf32>
  %v = loop.view %lent[8] : memref<64xi8> to memref<3xi64>
  loop.for %t = 0 to 2 {
    loop.for %i = 0 to 8 {
      %a = loop.load %A[%i] : memref<8xf32>
      loop.store %a, %u[%i] : memref<8xf32>
    }
    loop.for %i = 0 to 4 {
      %l = loop.load %u[lane + 4] : memref<8xf32>, vector<4xf32>
      %s = loop.load %u[%i * 2] : memref<8xf32>
      %w = vector.broadcast %s : f32 to vector<4xf32>
      %x = arith.addf %l, %w : vector<4xf32>
      loop.store %x, %B[%i + %t + lane] where (%i + %t + lane < 8) : vector<4xf32>, memref<8xf32>
    }
    loop.for %i = 0 to 3 {
      %k = arith.index_cast %i : index to i64
      loop.store %k, %v[%i] : memref<3xi64>
      %n = loop.load %v[%i] : memref<3xi64>
      %f = arith.sitofp %n : i64 to f32
      loop.store %f, %B[%i] : memref<8xf32>
    }
    %numbers = loop.apply (lane * 3) : vector<2xindex>
    %longs = arith.index_cast %numbers : vector<2xindex> to vector<2xi64>
    loop.store %longs, %v[lane + 1] : vector<2xi64>, memref<3xi64>
    %m = loop.load %v[2] : memref<3xi64>
    %g = arith.sitofp %m : i64 to f32
    loop.store %g, %B[7] : memref<8xf32>
  }
  func.return
}""",
    (((8,), (8,), (64,)),),
)

CASES = (
    GUARDS,
    TRIANGLE,
    CHOICES,
    CARRIED,
    VECTORS,
    BUFFERS,
    VIEWS,
    REUSED,
    FUSED,
    DOUBLED,
    BLOCKS,
    ORDER_OF_INIT,
    PAIRS,
    INTEGERS,
    ASSERTED,
)
