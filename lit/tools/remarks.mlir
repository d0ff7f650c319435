// RUN: opt-tool --pass vectorize --remarks --target none %s 2>&1 | filecheck %s
// RUN: opt-tool --pass vectorize,unroll --remarks=passed --target none %s -o /dev/null 2>&1 | filecheck %s --check-prefix PASSED
// RUN: opt-tool --pass vectorize,unroll --remarks --remarks-filter "^un" --target none %s -o /dev/null 2>&1 | filecheck %s --check-prefix UNROLL
// RUN: opt-tool --pass vectorize --remarks-output %t.yaml --target none %s -o /dev/null
// RUN: cat %t.yaml | filecheck %s --check-prefix YAML
// RUN: not opt-tool --remarks=mised %s 2>&1 | filecheck %s --check-prefix KIND
// RUN: not opt-tool --remarks-filter=[ %s 2>&1 | filecheck %s --check-prefix PATTERN

// KIND: error[TW0209]: opt-tool: argument --remarks: expected some of passed, missed, analysis, but got 'mised'; did you mean 'missed'?
// PATTERN: error[TW0209]: opt-tool: argument --remarks-filter: expected a regular expression, but got

// PASSED-NOT: TW0510
// PASSED: remarks.mlir:{{[0-9]+}}:3: remark[TW0220]: loop %j is vectorised: 8 lanes [passed, vectorize]
// PASSED: remarks.mlir:{{[0-9]+}}:3: remark[TW0220]: loop %k is unrolled: 2 iterations [passed, unroll]
// UNROLL-NOT: vectorize]
// UNROLL: loop %k is unrolled: 2 iterations [passed, unroll]

// CHECK: remarks.mlir:{{[0-9]+}}:{{[0-9]+}}: remark[TW0510]: loop %i is not vectorised: its iterations depend on one another through %A [missed, vectorize]

// YAML:      --- !Passed
// YAML-NEXT: Pass: "vectorize"
// YAML-NEXT: Name: "TW0220"
// YAML-NEXT: DebugLoc: { File: "{{.*}}remarks.mlir", Line: {{[0-9]+}}, Column: 3 }
// YAML-NEXT: Function: "copy"
// YAML-NEXT: Args:
// YAML-NEXT: - String: "loop %j is vectorised: 8 lanes"
// YAML-NEXT: ...
// YAML-NEXT: --- !Missed
// YAML:      - Note: "{{.*}}loop.load is here"
func.func @scan(%A: memref<9xf32>) {
  loop.for %i = 0 to 8 kind vectorized {
    %a = loop.load %A[%i] : memref<9xf32>
    loop.store %a, %A[%i + 1] : memref<9xf32>
  }
  func.return
}

func.func @copy(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for %j = 0 to 8 kind vectorized {
    %a = loop.load %A[%j] : memref<8xf32>
    loop.store %a, %B[%j] : memref<8xf32>
  }
  loop.for %k = 0 to 2 {
    %a = loop.load %A[%k] : memref<8xf32>
    loop.store %a, %B[%k] : memref<8xf32>
  }
  func.return
}
