"""Prints a function with as many nested loops as the first argument says, of the loop dialect or of scf."""

import sys

depth, dialect = int(sys.argv[1]), sys.argv[2]
print("func.func @deep() {\n  %z = arith.constant 0 : index\n  %n = arith.constant 1 : index")
for level in range(depth):
    print(f"loop.for %i{level} = 0 to 1 {{" if dialect == "loop" else f"scf.for %i{level} = %z to %n step %n {{")
print("}\n" * depth + "  func.return\n}")
