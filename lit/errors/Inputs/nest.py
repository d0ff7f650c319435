"""Prints a function with a nest of loops of the loop dialect or of scf. The first argument is their number."""

import sys

depth, dialect = int(sys.argv[1]), sys.argv[2]
print("func.func @deep() {\n  %z = arith.constant 0 : index\n  %n = arith.constant 1 : index")
for level in range(depth):
    print(f"loop.for %i{level} = 0 to 1 {{" if dialect == "loop" else f"scf.for %i{level} = %z to %n step %n {{")
print("}\n" * depth + "  func.return\n}")
