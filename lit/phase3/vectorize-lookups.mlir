// RUN: opt-tool --pass vectorize-lookups --target "llvm -mcpu=x86-64-v4 -mattr=+avx512vbmi" %s | filecheck %s
// RUN: opt-tool --pass vectorize-lookups --target "llvm -mcpu=x86-64-v4" %s | filecheck %s --check-prefix PLAIN

// CASE fires: bytes with a sign and without one; the highest bit chooses the half of the table.
// CHECK-LABEL: func.func @bytes(
// CHECK:         %[[X:.*]] = loop.load %x[%i * 64 + lane] : memref<128xui8>, vector<64xui8>
// CHECK-NEXT:    %[[N:.*]] = arith.bitcast %[[X]] : vector<64xui8> to vector<64xi8>
// CHECK-NEXT:    %[[A:.*]] = loop.load %t[lane] : memref<256xi8>, vector<64xi8>
// CHECK-NEXT:    %[[B:.*]] = loop.load %t[lane + 64] : memref<256xi8>, vector<64xi8>
// CHECK-NEXT:    %[[L:.*]] = loop.call_intrin "x86.vpermi2b"(%[[A]], %[[N]], %[[B]])
// CHECK-NEXT:    loop.load %t[lane + 128] : memref<256xi8>, vector<64xi8>
// CHECK-NEXT:    loop.load %t[lane + 192] : memref<256xi8>, vector<64xi8>
// CHECK-NEXT:    %[[H:.*]] = loop.call_intrin "x86.vpermi2b"
// CHECK:         %[[S:.*]] = arith.cmpi slt, %[[N]]
// CHECK-NEXT:    %[[R:.*]] = arith.select %[[S]], %[[H]], %[[L]]
// CHECK-NEXT:    loop.store %[[R]], %y[%i * 64 + lane] : vector<64xi8>, memref<128xi8>
// PLAIN-LABEL: func.func @bytes(
// PLAIN-NOT:     vpermi2b
func.func @bytes(%x: memref<128xui8>, %t: memref<256xi8>, %y: memref<128xi8>) {
  loop.for %i = 0 to 2 {
    loop.for %j = 0 to 64 {
      %0 = loop.load %x[%i * 64 + %j] : memref<128xui8>
      %1 = arith.bitcast %0 : ui8 to i8
      %2 = arith.extui %1 : i8 to i32
      %3 = arith.index_cast %2 : i32 to index
      %4 = loop.load %t[%3] : memref<256xi8>
      loop.store %4, %y[%i * 64 + %j] : memref<128xi8>
    }
  }
  func.return
}

// CASE leaves alone: numbers with a sign, other lengths, steps of two bytes, other work, and bytes that move in place.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     vpermi2b
func.func @others(%x: memref<128xi8>, %t: memref<256xi8>, %y: memref<128xi8>) {
  loop.for %j = 0 to 64 {
    %0 = loop.load %x[%j] : memref<128xi8>
    %1 = arith.extsi %0 : i8 to i32
    %2 = arith.index_cast %1 : i32 to index
    %3 = loop.load %t[%2] : memref<256xi8>
    loop.store %3, %y[%j] : memref<128xi8>
  }
  loop.for %j = 0 to 32 {
    %0 = loop.load %x[%j] : memref<128xi8>
    %1 = arith.extui %0 : i8 to i32
    %2 = arith.index_cast %1 : i32 to index
    %3 = loop.load %t[%2] : memref<256xi8>
    loop.store %3, %y[%j] : memref<128xi8>
  }
  loop.for %j = 0 to 64 {
    %0 = loop.load %x[%j * 2] : memref<128xi8>
    %1 = arith.extui %0 : i8 to i32
    %2 = arith.index_cast %1 : i32 to index
    %3 = loop.load %t[%2] : memref<256xi8>
    loop.store %3, %y[%j] : memref<128xi8>
  }
  loop.for %j = 0 to 64 {
    %0 = loop.load %x[%j] : memref<128xi8>
    %1 = arith.extui %0 : i8 to i32
    %2 = arith.index_cast %1 : i32 to index
    %3 = loop.load %t[%2] : memref<256xi8>
    %4 = arith.addi %3, %0 : i8
    loop.store %4, %y[%j] : memref<128xi8>
  }
  loop.for %j = 0 to 64 {
    %0 = loop.load %x[%j] : memref<128xi8>
    %1 = arith.extui %0 : i8 to i32
    %2 = arith.index_cast %1 : i32 to index
    %3 = loop.load %t[%2] : memref<256xi8>
    loop.store %3, %x[%j + 1] : memref<128xi8>
  }
  func.return
}
