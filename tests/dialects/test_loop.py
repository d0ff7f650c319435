"""The loop dialect: both forms round-trip, and each invariant of the verifiers is stated in one message."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from tilewright.dialects import context, loop
from tilewright.dialects.index_expr import LANE, Index
from xdsl.dialects.builtin import IndexType, f32
from xdsl.ir import Block
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError, VerifyException

EVERY_OPERATION = """
func.func @k(%A: memref<1000x64xf32> {tw.name = "A"}, %B: memref<64x60xf32>, %C: memref<1000x60xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %t = loop.alloc : memref<6x16xf32, "register">
  %d = loop.alloc (%n) : memref<?x4xf32>
  %w = loop.constant dense<[1.0, 2.0]> : memref<2xf32>
  %r = loop.constant resource<"w0"> : memref<200xf32>
  %flat = loop.view %r[0] : memref<200xf32> to memref<2x100xf32>
  loop.for %io = 0 to 32 kind parallel {
    loop.for %ii = 0 to 32 kind unrolled {
      loop.for %j = 0 to 60 { loop.for %k = 0 to 64 {
        loop.block "C" (%vi = spatial(%io * 32 + %ii) in 1000, %vj = spatial(%j) in 60, %vk = reduce(%k) in 64)
            where (%io * 32 + %ii < 1000) attributes {note = "x"} {
          loop.init { loop.store %zero, %C[%vi, %vj] : memref<1000x60xf32> }
          %a = loop.load %A[%vi, %vk] where (%vi >= 1, %vi < 57) else %zero : memref<1000x64xf32>
          loop.store %a, %C[%vi, %vj] : memref<1000x60xf32>
        } } } } }
  loop.for %x = max(0, %n - 3) to min(%n, 16) kind thread<"blockIdx.x"> attributes {a = 1 : i64} {
    %s = loop.for %y = 0 to %x floordiv 4 + 1 iter_args(%acc = %zero) -> (f32) {
      %v = loop.load %A[%x, %y * 8 + lane] where (%y * 8 + lane < 60) else %zero : memref<1000x64xf32>, vector<8xf32>
      loop.store %v, %A[%x, (%y mod 3) * 8 + lane] where (%x == 3) : vector<8xf32>, memref<1000x64xf32>
      loop.yield %acc : f32
    }
    loop.if (%x < 3) { loop.store %s, %A[%x, 0] : memref<1000x64xf32> } else { }
    %ap = loop.apply (%x * 2 - 1) : index
    %av = loop.apply (%x * 2 + lane) : vector<4xindex>
    %te = loop.test (%x + lane < 9, %x > 1, %x >= %n) : vector<8xi1>
    %p, %q = loop.delinearize %x into (%n, 4)
    %dd = loop.dim %d, 0 : memref<?x4xf32>
    loop.bind %d shape [%dd, 4] strides [4, 1] : memref<?x4xf32>
    %e = loop.call_extern "f"(update %A[%x, %x * 2] box [1, 8] : memref<1000x64xf32>,
        read %r[%x] box [3 by 4 + 2 by 1] : memref<200xf32>, write %d[0, 0] box [5, 1] : memref<?x4xf32>,
        index %x * 4 : i32, stride %d 0 of memref<?x4xf32> : index, %zero : f32) attributes {a = 1 : i64} -> i32
    loop.call_extern "g"()
    %in = loop.call_intrin "mylog"(%zero) attributes {a = 1 : i64} : (f32) -> f32
    %pe = loop.call_pure_extern "logf"(%in) : (f32) -> f32
    loop.prefetch %A[%x + 4, 0] : memref<1000x64xf32>
    loop.prefetch_ahead %A, 2 attributes {a = 1 : i64} : memref<1000x64xf32>
    loop.for %thread = 0 to 8 kind thread<"threadIdx.x"> {
      loop.async_commit
      loop.async_wait <1>
      loop.barrier <"shared">
    }
    %going = loop.alloc : memref<i1>
    loop.while %turn to %n holds %going : memref<i1> { }
    loop.assert (%x >= 0), "expected no negative number, but got {}" (%x)
    loop.print "t.py:3: A[{}] = {}" (%x) %in where (%x < 3) attributes {a = 1 : i64} : f32
    %ci, %cs = loop.combine %e, %s with %e, %zero attributes {a = 1 : i64} : i32, f32 identity [0 : i32, 0.0 : f32]
        by (%x0, %x1), (%y0, %y1) {
      %sum = arith.addf %x1, %y1 : f32
      loop.yield %x0, %sum : i32, f32
    }
  }
  func.return
}
"""


def parse(text: str):
    return Parser(context(), text).parse_module()


def text_of(module, generic: bool = False) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue()


def test_every_operation_round_trips_in_both_forms():
    module = parse(EVERY_OPERATION)
    module.verify()
    custom = text_of(module)
    assert {type(op) for op in module.walk() if op.dialect_name() == "loop"} == set(loop.Loop.operations)
    assert text_of(parse(custom)) == custom
    from_generic = parse(text_of(module, generic=True))
    from_generic.verify()
    assert text_of(from_generic) == custom


INVALID = {
    "expected 2 indices": "%v = loop.load %A[%i] : memref<4x8xf32>",
    "expected no lane in a scalar access": "%v = loop.load %A[%i, lane] : memref<4x8xf32>",
    "expected a vector of f32, but got vector<8xf64>": "%v = loop.load %A[%i, lane] : memref<4x8xf32>, vector<8xf64>",
    "expected an `else` value with a guard": "%v = loop.load %A[%i, 0] where (%i < 3) : memref<4x8xf32>",
    "expected 1 dynamic sizes, but got 0": "%b = loop.alloc : memref<?xf32>",
    "expected a view within 128 bytes, but got bytes 64 to 192": (
        "%b = loop.view %A[64] : memref<4x8xf32> to memref<32xf32>"
    ),
    "expected scope global, but got local": '%b = loop.view %A[0] : memref<4x8xf32> to memref<8xf32, "local">',
    "expected a dimension below 2, but got 2": "%b = loop.dim %A, 2 : memref<4x8xf32>",
    "expected 2 entries in shape, but got 1": "loop.bind %A shape [4] strides [8, 1] : memref<4x8xf32>",
    "expected extent 4, but got 5": "loop.bind %A shape [5, 8] strides [8, 1] : memref<4x8xf32>",
    "expected lower without the lane": "loop.for %j = lane to 4 { }",
    "expected no loop.yield": "loop.for %j = 0 to 4 { loop.yield }",
    "expected the body to yield (f32), but got ()": "%r = loop.for %j = 0 to 4 iter_args(%a = %f) -> (f32) { }",
    "to use its iteration variables only, but got the loop variable %j": (
        'loop.for %j = 0 to 4 { loop.block "B" (%v = spatial(%j) in 4) { %x = loop.apply (%j) : index } }'
    ),
    "expected a box within an extent of 8, but it reaches over 9": (
        'loop.call_extern "f"(read %A[0, 0] box [4, 9] : memref<4x8xf32>)'
    ),
    "expected a box of 2 dimensions, but got 1": 'loop.call_extern "f"(read %A[0, 0] box [4] : memref<4x8xf32>)',
    "expected a dimension below 2, but got 3": 'loop.call_extern "f"(stride %A 3 of memref<4x8xf32> : i64)',
    "expected an integer type, but got f32": 'loop.call_extern "f"(index 4 : f32)',
    "expected scalars as values and result, but got memref<4x8xf32>": 'loop.call_extern "f"(%A : memref<4x8xf32>)',
    "expected block 'B' to use its iteration variables only, but got the loop variable %k": (
        'loop.for %k = 0 to 4 { loop.block "B" () { loop.block "C" (%v = spatial(%k) in 4) { } } }'
    ),
    "expected loop.init first in block 'B'": 'loop.block "B" () { %x = loop.apply (1) : index\n loop.init { } }',
}


@pytest.mark.each("message", INVALID)
def test_verifier(message: str):
    with pytest.raises((VerifyException, ParseError), match=re.escape(message)):
        parse(f"func.func @f(%A: memref<4x8xf32>, %i: index, %f: f32) {{ {INVALID[message]} func.return }}").verify()


def test_constant_data_must_fit_its_type():
    (data,) = (
        op.value for op in parse("%b = loop.constant dense<1> : memref<2xi32>").walk() if op.name == "loop.constant"
    )
    with pytest.raises(VerifyException, match="expected data of memref<2xf32>, but got tensor<2xi32>"):
        loop.ConstantOp(data, loop.buffer_type([2], f32)).verify()


def test_trip_counts():
    block = Block(arg_types=[IndexType()])
    n = block.args[0]
    assert loop.ForOp(2, 10).constant_trip_count == 8
    assert loop.ForOp(10, 2).constant_trip_count == 0
    assert loop.ForOp([0, 3], [10, 7]).constant_bounds == (3, 7)
    assert loop.ForOp(Index.of(n) * 4, Index.of(n) * 4 + 4).constant_trip_count == 4
    assert loop.ForOp(0, Index.of(n)).constant_trip_count is None


def test_substitution_keeps_other_operands():
    block = Block(arg_types=[loop.buffer_type([4, 8], f32), IndexType(), IndexType(), f32])
    buffer, i, j, default = block.args
    load = loop.LoadOp(buffer, [i, Index.of(j) + LANE], [Index.of(i) - 1], default, lanes=8)
    load.substitute_indices({i: Index.of(j) * 2})
    load.verify()
    assert load.index == (Index.of(j) * 2, Index.of(j) + LANE)
    assert load.conditions == (Index.of(j) * 2 - 1,)
    assert load.otherwise is default and list(load.dims) == [j]
