// RUN: not opt-tool %S/Inputs/unknown-name.py 2>&1 | filecheck %s

// Errors of a script point at its line and column.

// CHECK: unknown-name.py:12:20: error[TW0312]: unknown name T.exq; did you mean 'exp'?
// CHECK-NEXT:             B[i] = T.exq(A[i])
