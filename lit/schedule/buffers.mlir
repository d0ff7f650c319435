// RUN: opt-tool --schedule %S/Inputs/packed.schedule --phase 3 --target host %s | filecheck %s

// A packed panel is filled and read by whole vectors, in the loop of the thread that uses it.
// CHECK-LABEL: func.func @dividing
// CHECK:       loop.for %jo = 0 to 4 kind parallel captures(%B_1 apart, %A_1 apart, %C_1 apart) {
// CHECK-NEXT:    %B_global = loop.alloc attributes {tw.place = #loop.place<stack>} : memref<1024xf32, "local">
// CHECK-NEXT:    loop.for %i = 0 to 64 {
// CHECK-NEXT:      %{{.*}} = loop.load %B_1[%i * 64 + %jo * 16 + lane] : memref<4096xf32>, vector<16xf32>
// CHECK-NEXT:      loop.store %{{.*}}, %B_global[%i * 16 + lane] : vector<16xf32>, memref<1024xf32, "local">
// CHECK:         loop.for %k = 0 to 64 {
// CHECK-NEXT:      loop.load %B_global[%k * 16 + lane] : memref<1024xf32, "local">, vector<16xf32>
// CHECK-NOT:   {{where|loop.if}}
// CHECK:       func.return
func.func @dividing(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32> {tw.output}) {
  loop.for %i = 0 to 64 {
    loop.for %j = 0 to 64 {
      loop.for %k = 0 to 64 {
        loop.block "C" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 64, %vk = reduce(%k) in 64) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            loop.store %zero, %C[%vi, %vj] : memref<64x64xf32>
          }
          %a = loop.load %A[%vi, %vk] : memref<64x64xf32>
          %b = loop.load %B[%vk, %vj] : memref<64x64xf32>
          %p = arith.mulf %a, %b : f32
          %c = loop.load %C[%vi, %vj] : memref<64x64xf32>
          %s = arith.addf %c, %p : f32
          loop.store %s, %C[%vi, %vj] : memref<64x64xf32>
        }
      }
    }
  }
  func.return
}

// Where the columns do not divide, the last panel is padded: its copy alone has a mask, and stores whole vectors too.
// CHECK-LABEL: func.func @ragged
// CHECK:       %{{.*}} = loop.load %B_1[{{.*}}lane] : memref<370xf32>, vector<16xf32>
// CHECK:       %{{.*}} = loop.load %B_1[{{.*}}lane{{.*}}] where (lane < 5) else %{{.*}} : memref<370xf32>, vector<16xf32>
// CHECK-NEXT:  loop.store %{{.*}}, %B_global[{{.*}}] : vector<16xf32>, memref<480xf32>
func.func @ragged(%A: memref<4x10xf32>, %B: memref<10x37xf32>, %C: memref<4x37xf32> {tw.output}) {
  loop.for %i = 0 to 4 {
    loop.for %j = 0 to 37 {
      loop.for %k = 0 to 10 {
        loop.block "C" (%vi = spatial(%i) in 4, %vj = spatial(%j) in 37, %vk = reduce(%k) in 10) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            loop.store %zero, %C[%vi, %vj] : memref<4x37xf32>
          }
          %a = loop.load %A[%vi, %vk] : memref<4x10xf32>
          %b = loop.load %B[%vk, %vj] : memref<10x37xf32>
          %p = arith.mulf %a, %b : f32
          %c = loop.load %C[%vi, %vj] : memref<4x37xf32>
          %s = arith.addf %c, %p : f32
          loop.store %s, %C[%vi, %vj] : memref<4x37xf32>
        }
      }
    }
  }
  func.return
}
