"""Forms of vectors, views and tensors that conversions refuse, each named by its error."""

from __future__ import annotations

import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.passes.framework.base import Level, level_of
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.pipeline import conversion

REFUSED: dict[str, tuple[str, str]] = {
    "operations that no dialect has": (
        """%g = "vector.scan"(%v, %v) {kind = #vector.kind<add>} : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
        vector.store %g, %A[%n] : memref<8xf32>, vector<4xf32>""",
        "TW0101",
    ),
    "scalable vectors": (
        """%s = vector.load %A[%n] : memref<8xf32>, vector<[4]xf32>
        vector.store %s, %A[%n] : memref<8xf32>, vector<[4]xf32>""",
        "TW0571.*expected vectors of fixed length",
    ),
    "bits of another width": (
        """%b = vector.bitcast %v : vector<4xf32> to vector<8xf16>
        %c = vector.bitcast %b : vector<8xf16> to vector<4xf32>
        vector.store %c, %A[%n] : memref<8xf32>, vector<4xf32>""",
        "TW0571.*expected elements of one width",
    ),
    "sums of other types": (
        """%x = arith.truncf %v : vector<4xf32> to vector<4xf16>
        %z = arith.constant 0.0 : f32
        %d = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
          iterator_types = ["reduction"], kind = #vector.kind<add>} %x, %x, %z : vector<4xf16>, vector<4xf16> into f32
        memref.store %d, %A[%n] : memref<8xf32>""",
        "TW0571.*one element type of products and sums",
    ),
    "kinds of other numbers": (
        """%d = vector.reduction <minsi>, %v : vector<4xf32> into f32
        memref.store %d, %A[%n] : memref<8xf32>""",
        "TW0571.*numbers that 'minsi' combines",
    ),
    "reductions of nothing": (
        """%m = vector.create_mask %n : vector<4xi1>
        %d = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
        memref.store %d, %A[%n] : memref<8xf32>""",
        "TW0571.*expected a value to begin with",
    ),
    "masks with other values": (
        """%m = vector.create_mask %n : vector<4xi1>
        %z = arith.constant 0.0 : f32
        %d = vector.mask %m, %v { vector.transfer_read %A[%n], %z {in_bounds = [true]} : memref<8xf32>, vector<4xf32> }
          : vector<4xi1> -> vector<4xf32>
        vector.store %d, %A[%n] : memref<8xf32>, vector<4xf32>""",
        "TW0571.*expected a mask without values for what it hides",
    ),
    "vectors that parallel loops combine": (
        """%i0 = arith.constant 0 : index
        %i1 = arith.constant 1 : index
        %r = scf.parallel (%i) = (%i0) to (%i1) step (%i1) init (%v) -> vector<4xf32> {
          scf.reduce(%v : vector<4xf32>) {
          ^bb0(%a: vector<4xf32>, %b: vector<4xf32>):
            %s = arith.addf %a, %b : vector<4xf32>
            scf.reduce.return %s : vector<4xf32>
          }
        }
        vector.store %r, %A[%n] : memref<8xf32>, vector<4xf32>""",
        "TW0571.*'scf.parallel' passes them on",
    ),
    "vectors that calls pass": (
        """%r = func.call @g(%v) : (vector<4xf32>) -> vector<4xf32>
        vector.store %r, %A[%n] : memref<8xf32>, vector<4xf32>""",
        "TW0570.*'func.call' is not converted",
    ),
    "bytes of a view": (
        """%b = memref.alloc() : memref<4x64xi8>
        %c = memref.collapse_shape %b [[0, 1]] : memref<4x64xi8> into memref<256xi8>
        %d = memref.view %c[%n][] : memref<256xi8> to memref<8xf32>
        memref.copy %d, %A : memref<8xf32> to memref<8xf32>""",
        "TW0571.*bytes of a whole buffer",
    ),
    "negative padding": (
        """%t = bufferization.to_tensor %A : memref<8xf32> to tensor<8xf32>
        %z = arith.constant 0.0 : f32
        %p = tensor.pad %t low[-1] high[0] {
        ^bb0(%i: index):
          tensor.yield %z : f32
        } : tensor<8xf32> to tensor<7xf32>
        %e = tensor.extract %p[%n] : tensor<7xf32>
        memref.store %e, %A[%n] : memref<8xf32>""",
        "TW0571.*expected padding of 0 or more",
    ),
    "conditions that give tensors of unknown sizes": (
        """%t = bufferization.to_tensor %A : memref<8xf32> to tensor<8xf32>
        %u = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
        %p = arith.cmpi eq, %n, %n : index
        %r = scf.if %p -> (tensor<?xf32>) {
          scf.yield %u : tensor<?xf32>
        } else {
          %w = tensor.empty(%n) : tensor<?xf32>
          scf.yield %w : tensor<?xf32>
        }
        %e = tensor.extract %r[%n] : tensor<?xf32>
        memref.store %e, %A[%n] : memref<8xf32>""",
        "TW0575.*expected tensors of one size",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    lines, message = REFUSED[name]
    text = f"""func.func private @g(%v: vector<4xf32>) -> vector<4xf32>
    func.func @f(%A: memref<8xf32>) {{
      %n = arith.constant 0 : index
      %v = arith.constant dense<1.0> : vector<4xf32>
      {lines}
      return
    }}"""
    with pytest.raises(TilewrightError, match=message):
        module = parse(context(), text, "<text>")
        module.verify()
        PassManager(conversion(level_of(module), Level.BLOCK)).run(context(), module)
