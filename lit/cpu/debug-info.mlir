// RUN: opt-tool -g --emit llvm %s | filecheck %s --check-prefix IR
// RUN: opt-tool -g=source --emit llvm %s | filecheck %s --check-prefix SOURCE
// RUN: opt-tool --emit llvm %s | filecheck %s --check-prefix PLAIN

func.func @main(%x: memref<16xf32>, %y: memref<16xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    %v = loop.load %x[%i] : memref<16xf32>
    %w = arith.addf %v, %v : f32
    loop.store %w, %y[%i] : f32, memref<16xf32>
  }
  func.return
}

// IR: define internal i32 @tw.main({{.*}}) #0 !dbg ![[MAIN:[0-9]+]] {
// IR: load {{.*}}, !dbg ![[LOAD:[0-9]+]]
// IR: fadd {{.*}}, !dbg ![[ADD:[0-9]+]]
// IR: define i32 @tw_entry({{.*}}) #0 !dbg
// IR: ![[FILE:[0-9]+]] = !DIFile(filename: "{{[0-9a-f]+}}.mlir"
// IR: ![[MAIN]] = distinct !DISubprogram(name: "main", scope: ![[FILE]], file: ![[FILE]]
// IR-DAG: ![[LOAD]] = !DILocation(line: {{[0-9]+}}, column: {{[0-9]+}}, scope: ![[MAIN]])
// IR-DAG: ![[ADD]] = !DILocation(line: {{[0-9]+}}, column: {{[0-9]+}}, scope: ![[MAIN]])

// SOURCE: load {{.*}}, !dbg ![[LOAD:[0-9]+]]
// SOURCE: fadd {{.*}}, !dbg ![[ADD:[0-9]+]]
// SOURCE: store {{.*}}, !dbg ![[STORE:[0-9]+]]
// SOURCE: !DIFile(filename: "debug-info.mlir"
// SOURCE: ![[LOAD]] = !DILocation(line: 7,
// SOURCE: ![[ADD]] = !DILocation(line: 8,
// SOURCE: ![[STORE]] = !DILocation(line: 9,

// PLAIN-NOT: !dbg
// PLAIN-NOT: !DI
