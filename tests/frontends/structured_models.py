"""Models of operators that are no single node on tensors: those with graphs as attributes, sequences and optionals."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import parser

X = np.linspace(-2, 2, 6, dtype=np.float32).reshape(2, 3)


def model(text: str) -> onnx.ModelProto:
    proto = parser.parse_model(f'<ir_version: 10, opset_import: ["" : 21]>\n{text}')
    onnx.checker.check_model(proto, full_check=True)
    return proto


def scan(inputs: str, axes: str = "") -> str:
    return f"""
        main (float[2] init, float[{inputs}] x) => (float[2] last, float[{inputs}] all) {{
          last, all = Scan <num_scan_inputs = 1 {axes},
            body = step (float[2] h, float[2] e) => (float[2] g, float[2] p) {{
            g = Add(h, e)
            p = Identity(g)
          }}> (init, x)
        }}
        """


IF = """
main (float[2, 3] x, bool c) => (float[2, 3] y) {
  z = Exp(x)
  y = If (c) <then_branch = yes () => (float[2, 3] a) { b = Add(x, z)  a = Neg(b) },
              else_branch = no () => (float[2, 3] a) { a = Identity(z) }>
}
"""

LOOP = """
main (float[2, 3] x, int64 n, float most) => (float[2, 3] y, int64 count) {
  zero = Constant <value_int = 0> ()
  sum = ReduceSum <keepdims = 0> (x)
  go = Less(sum, most)
  y, count = Loop (n, go, x, zero) <body = again (int64 k, bool c, float[2, 3] h, int64 m)
      => (bool next, float[2, 3] g, int64 l) {
    one = Constant <value_int = 1> ()
    g = Add(h, x)
    l = Add(m, one)
    total = ReduceSum <keepdims = 0> (g)
    next = Less(total, most)
  }>
}
"""

SEQUENCE = """
main (float[2, 3] x) => (float[2, 3] first, float[4, 3] rows, float[2, 2, 3] layers, int64 count) {
  two = Constant <value_int = 2> ()
  zero = Constant <value_int = 0> ()
  e = Exp(x)
  none = SequenceEmpty <dtype = 1> ()
  a = SequenceInsert(none, x)
  b = SequenceInsert(a, e, zero)
  three = SequenceInsert(b, x)
  c = SequenceErase(three, two)
  first = SequenceAt(c, zero)
  rows = ConcatFromSequence <axis = 0> (c)
  made = SequenceConstruct(x, e)
  layers = ConcatFromSequence <axis = 0, new_axis = 1> (made)
  count = SequenceLength(three)
}
"""

SPLIT = """
main (float[2, 3] x) => (float[2, 2] some, float[2, 1] last, float[2] column, float[2, 1] kept, float[1, 3] row) {
  two = Constant <value_int = 2> ()
  zero = Constant <value_int = 0> ()
  end = Constant <value_int = -1> ()
  pair = SplitToSequence <axis = 1> (x, two)
  some = SequenceAt(pair, zero)
  last = SequenceAt(pair, end)
  columns = SplitToSequence <axis = 1, keepdims = 0> (x)
  column = SequenceAt(columns, end)
  wide = SplitToSequence <axis = -1> (x)
  kept = SequenceAt(wide, zero)
  sizes = Constant <value_ints = [1, 1]> ()
  rows = SplitToSequence(x, sizes)
  row = SequenceAt(rows, end)
}
"""

OPTIONAL = """
main (float[2, 3] x) => (float[2, 3] y, bool has) {
  o = Optional(x)
  has = OptionalHasElement(o)
  v = OptionalGetElement(o)
  y = Neg(v)
}
"""

SCAN = scan("5, 2", ", scan_input_axes = [0], scan_output_axes = [0], scan_output_directions = [1]")

STRUCTURED = {"if": IF, "loop": LOOP, "optional": OPTIONAL, "scan": SCAN, "sequence": SEQUENCE, "split": SPLIT}


def operators() -> set[str]:
    """Return the operators of the models that only such models have."""
    found = {node.op_type for text in STRUCTURED.values() for node in model(text).graph.node}
    return {name for name in found if any(part in name for part in ("If", "Loop", "Scan", "Sequence", "Optional"))}
