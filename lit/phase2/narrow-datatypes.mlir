// RUN: opt-tool --pass narrow-datatypes %s | filecheck %s

// CASE fires: all values are below 96 * 96, and vectors of 32 bits are shorter and quicker to convert.
// CHECK-LABEL: func.func @lanes(
// CHECK-NEXT:    %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK-NEXT:    %sevens = vector.broadcast %[[SEVEN]] : i32 to vector<8xi32>
// CHECK-NEXT:    loop.for %j = 0 to 12 {
// CHECK-NEXT:      %0 = loop.apply (%j * 8) : index
// CHECK-NEXT:      %1 = arith.index_cast %0 : index to i32
// CHECK-NEXT:      %2 = vector.broadcast %1 : i32 to vector<8xi32>
// CHECK-NEXT:      %3 = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
// CHECK-NEXT:      %v = arith.addi %2, %3 : vector<8xi32>
// CHECK-NEXT:      %q = arith.floordivsi %v, %sevens : vector<8xi32>
// CHECK-NEXT:      %f = arith.sitofp %q : vector<8xi32> to vector<8xf32>
// CHECK-NEXT:      loop.store %f, %C[%j * 8 + lane]
func.func @lanes(%C: memref<96xf32>) {
  %seven = arith.constant 7 : index
  %sevens = vector.broadcast %seven : index to vector<8xindex>
  loop.for %j = 0 to 12 {
    %v = loop.apply (%j * 8 + lane) : vector<8xindex>
    %q = arith.floordivsi %v, %sevens : vector<8xindex>
    %c = arith.index_cast %q : vector<8xindex> to vector<8xi64>
    %f = arith.sitofp %c : vector<8xi64> to vector<8xf32>
    loop.store %f, %C[%j * 8 + lane] : vector<8xf32>, memref<96xf32>
  }
  func.return
}

// CASE fires: divisions of scalars are shorter too; what leaves the group is widened once.
// CHECK-LABEL: func.func @division(
// CHECK:         %q = arith.divsi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT:    %[[WIDE:.*]] = arith.index_cast %q : i32 to index
// CHECK-NEXT:    %a = loop.load %A[%[[WIDE]]] : memref<300xf32>
// CHECK-NEXT:    loop.store %a, %C[%[[WIDE]]] : memref<300xf32>
func.func @division(%I: memref<8xi8>, %A: memref<300xf32>, %C: memref<300xf32>) {
  loop.for %i = 0 to 8 {
    %b = loop.load %I[%i] : memref<8xi8>
    %w = arith.extui %b : i8 to i32
    %x = arith.index_cast %w : i32 to index
    %q = arith.divsi %x, %i : index
    %a = loop.load %A[%q] : memref<300xf32>
    loop.store %a, %C[%q] : memref<300xf32>
  }
  func.return
}

// CASE leaves alone: what memory holds, and what is larger than 32 bits or could wrap around, may need all of them.
// CHECK-LABEL: func.func @wide(
func.func @wide(%I: memref<8xi64>, %n: index, %C: memref<8xf32>) {
  %x = loop.load %I[lane] : memref<8xi64>, vector<8xi64>
  %big = loop.apply (%n * 8 + lane) : vector<8xindex>
  %b = arith.index_cast %big : vector<8xindex> to vector<8xi64>
  %s = arith.muli %x, %b : vector<8xi64>
  %f = arith.sitofp %s : vector<8xi64> to vector<8xf32>
  loop.store %f, %C[lane] : vector<8xf32>, memref<8xf32>
  func.return
}

// CASE leaves alone: sums of scalars cost the same in both widths.
// CHECK-LABEL: func.func @scalars(
func.func @scalars(%C: memref<64xi64>) {
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 8 {
      %s = arith.muli %i, %j : index
      %v = arith.index_cast %s : index to i64
      loop.store %v, %C[%i * 8 + %j] : memref<64xi64>
    }
  }
  func.return
}
