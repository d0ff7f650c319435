#min = affine_map<(d0)[s0] -> (4, -d0 + s0)>
func.func @main(%A: memref<?x?xf32>, %B: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %A, %c0 : memref<?x?xf32>
  %m = memref.dim %A, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c4 {
    %h = affine.min #min(%i)[%n]
    scf.for %j = %c0 to %m step %c4 {
      %w = affine.min #min(%j)[%m]
      scf.for %k = %c0 to %h step %c1 {
        scf.for %l = %c0 to %w step %c1 {
          %x = arith.addi %i, %k : index
          %y = arith.addi %j, %l : index
          %a = memref.load %A[%x, %y] : memref<?x?xf32>
          memref.store %a, %B[%x, %y] : memref<?x?xf32>
        }
      }
    }
  }
  return
}
