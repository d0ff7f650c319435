"""Prints a function with as many nested loops as the argument says."""

import sys

depth = int(sys.argv[1])
print("func.func @deep() {\n  %z = arith.constant 0 : index\n  %n = arith.constant 1 : index")
for level in range(depth):
    print(f"scf.for %i{level} = %z to %n step %n {{")
print("}\n" * depth + "  func.return\n}")
