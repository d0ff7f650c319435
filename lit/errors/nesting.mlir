// RUN: python3 %S/Inputs/nest.py 300 loop | not opt-tool 2>&1 | filecheck %s
// RUN: python3 %S/Inputs/nest.py 300 scf | not opt-tool --phase 3 2>&1 | filecheck %s
// RUN: python3 %S/Inputs/nest.py 60 loop | opt-tool | filecheck %s --check-prefix FINE
// RUN: python3 %S/Inputs/nest.py 60 scf | opt-tool | filecheck %s --check-prefix FINE

// CHECK: <stdin>:{{[0-9]+}}:{{[0-9]+}}: error[TW0105]: expected regions nested at most 64 deep, but this goes deeper
// CHECK-NOT: Traceback
// FINE: func.func @deep
