// ===== sum_then_product | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @sum_then_product(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%arg2 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.addf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<?x?xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%0, %arg0 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%arg2 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.mulf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<?x?xf32>
    return %1 : tensor<?x?xf32>
  }
}
// ===== sum_then_product | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
module {
  func.func @sum_then_product(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) -> memref<?x?xf32> {
    linalg.add ins(%arg0, %arg1 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg2 : memref<?x?xf32>)
    linalg.mul ins(%arg2, %arg0 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg2 : memref<?x?xf32>)
    return %arg2 : memref<?x?xf32>
  }
}
// ===== sum_then_product | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @sum_then_product(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) -> memref<?x?xf32> {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      scf.for %arg4 = %c0 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %1 = memref.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
    }
    %dim_1 = memref.dim %arg2, %c0 : memref<?x?xf32>
    %dim_2 = memref.dim %arg2, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %dim_1 step %c1 {
      scf.for %arg4 = %c0 to %dim_2 step %c1 {
        %0 = memref.load %arg2[%arg3, %arg4] : memref<?x?xf32>
        %1 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %2 = arith.mulf %0, %1 : f32
        memref.store %2, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
    }
    return %arg2 : memref<?x?xf32>
  }
}
// ===== sum_then_product | mlir-opt 22 | linalg-generalize-named-ops,linalg-fuse-elementwise-ops,canonicalize,cse
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @sum_then_product(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg2, %c0 : tensor<?x?xf32>
    %dim_0 = tensor.dim %arg2, %c1 : tensor<?x?xf32>
    %0 = tensor.empty(%dim, %dim_0) : tensor<?x?xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %2 = arith.addf %in, %in_1 : f32
      %3 = arith.mulf %2, %in : f32
      linalg.yield %3 : f32
    } -> tensor<?x?xf32>
    return %1 : tensor<?x?xf32>
  }
}
// ===== chain_of_generics | mlir-opt 22 | linalg-fuse-elementwise-ops
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @chain_of_generics(%arg0: tensor<8x?xf32>, %arg1: tensor<8x?xf32>, %arg2: tensor<8x?xf32>) -> tensor<8x?xf32> {
    %c1 = arith.constant 1 : index
    %dim = tensor.dim %arg2, %c1 : tensor<8x?xf32>
    %0 = tensor.empty(%dim) : tensor<8x?xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<8x?xf32>, tensor<8x?xf32>) outs(%0 : tensor<8x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.subf %in, %in_0 : f32
      %3 = arith.mulf %2, %2 : f32
      linalg.yield %3 : f32
    } -> tensor<8x?xf32>
    return %1 : tensor<8x?xf32>
  }
}
// ===== chain_of_generics | mlir-opt 22 | linalg-specialize-generic-ops
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @chain_of_generics(%arg0: tensor<8x?xf32>, %arg1: tensor<8x?xf32>, %arg2: tensor<8x?xf32>) -> tensor<8x?xf32> {
    %0 = linalg.sub ins(%arg0, %arg1 : tensor<8x?xf32>, tensor<8x?xf32>) outs(%arg2 : tensor<8x?xf32>) -> tensor<8x?xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x?xf32>) outs(%arg2 : tensor<8x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.mulf %in, %in : f32
      linalg.yield %2 : f32
    } -> tensor<8x?xf32>
    return %1 : tensor<8x?xf32>
  }
}
// ===== chain_of_generics | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @chain_of_generics(%arg0: memref<8x?xf32>, %arg1: memref<8x?xf32>, %arg2: memref<8x?xf32>) -> memref<8x?xf32> {
    linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : memref<8x?xf32>, memref<8x?xf32>) outs(%arg2 : memref<8x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.subf %in, %in_0 : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : memref<8x?xf32>) outs(%arg2 : memref<8x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.mulf %in, %in : f32
      linalg.yield %0 : f32
    }
    return %arg2 : memref<8x?xf32>
  }
}
// ===== chain_of_generics | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @chain_of_generics(%arg0: memref<8x?xf32>, %arg1: memref<8x?xf32>, %arg2: memref<8x?xf32>) -> memref<8x?xf32> {
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c1 : memref<8x?xf32>
    scf.for %arg3 = %c0 to %c8 step %c1 {
      scf.for %arg4 = %c0 to %dim step %c1 {
        %0 = memref.load %arg0[%arg3, %arg4] : memref<8x?xf32>
        %1 = memref.load %arg1[%arg3, %arg4] : memref<8x?xf32>
        %2 = arith.subf %0, %1 : f32
        memref.store %2, %arg2[%arg3, %arg4] : memref<8x?xf32>
      }
    }
    %dim_0 = memref.dim %arg2, %c1 : memref<8x?xf32>
    scf.for %arg3 = %c0 to %c8 step %c1 {
      scf.for %arg4 = %c0 to %dim_0 step %c1 {
        %0 = memref.load %arg2[%arg3, %arg4] : memref<8x?xf32>
        %1 = arith.mulf %0, %0 : f32
        memref.store %1, %arg2[%arg3, %arg4] : memref<8x?xf32>
      }
    }
    return %arg2 : memref<8x?xf32>
  }
}
// ===== chain_of_generics | iree-opt 24 | linalg-specialize-generic-ops
module {
  func.func @chain_of_generics(%arg0: tensor<8x?xf32>, %arg1: tensor<8x?xf32>, %arg2: tensor<8x?xf32>) -> tensor<8x?xf32> {
    %0 = linalg.elementwise <sub> ins(%arg0, %arg1 : tensor<8x?xf32>, tensor<8x?xf32>) outs(%arg2 : tensor<8x?xf32>) -> tensor<8x?xf32>
    %1 = linalg.elementwise <square> ins(%0 : tensor<8x?xf32>) outs(%arg2 : tensor<8x?xf32>) -> tensor<8x?xf32>
    return %1 : tensor<8x?xf32>
  }
}
// ===== transposed_producer | mlir-opt 22 | linalg-fuse-elementwise-ops
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func @transposed_producer(%arg0: tensor<6x9xf32>, %arg1: tensor<9x6xf32>) -> tensor<6x9xf32> {
    %0 = tensor.empty() : tensor<6x9xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<6x9xf32>, tensor<9x6xf32>) outs(%0 : tensor<6x9xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.addf %in, %in_0 : f32
      %3 = math.absf %2 : f32
      linalg.yield %3 : f32
    } -> tensor<6x9xf32>
    return %1 : tensor<6x9xf32>
  }
}
// ===== transposed_producer | mlir-opt 22 | linalg-specialize-generic-ops
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @transposed_producer(%arg0: tensor<6x9xf32>, %arg1: tensor<9x6xf32>) -> tensor<6x9xf32> {
    %0 = tensor.empty() : tensor<9x6xf32>
    %1 = tensor.empty() : tensor<6x9xf32>
    %2 = tensor.empty() : tensor<9x6xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<6x9xf32>) outs(%2 : tensor<9x6xf32>) permutation = [1, 0] 
    %3 = linalg.add ins(%transposed, %arg1 : tensor<9x6xf32>, tensor<9x6xf32>) outs(%0 : tensor<9x6xf32>) -> tensor<9x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<9x6xf32>) outs(%1 : tensor<6x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = math.absf %in : f32
      linalg.yield %5 : f32
    } -> tensor<6x9xf32>
    return %4 : tensor<6x9xf32>
  }
}
// ===== transposed_producer | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @transposed_producer(%arg0: memref<6x9xf32>, %arg1: memref<9x6xf32>) -> memref<6x9xf32> {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<9x6xf32>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<6x9xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : memref<6x9xf32>, memref<9x6xf32>) outs(%alloc : memref<9x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %0 = arith.addf %in, %in_1 : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc : memref<9x6xf32>) outs(%alloc_0 : memref<6x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.absf %in : f32
      linalg.yield %0 : f32
    }
    return %alloc_0 : memref<6x9xf32>
  }
}
// ===== transposed_producer | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @transposed_producer(%arg0: memref<6x9xf32>, %arg1: memref<9x6xf32>) -> memref<6x9xf32> {
    %c6 = arith.constant 6 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<9x6xf32>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<6x9xf32>
    scf.for %arg2 = %c0 to %c9 step %c1 {
      scf.for %arg3 = %c0 to %c6 step %c1 {
        %0 = memref.load %arg0[%arg3, %arg2] : memref<6x9xf32>
        %1 = memref.load %arg1[%arg2, %arg3] : memref<9x6xf32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %alloc[%arg2, %arg3] : memref<9x6xf32>
      }
    }
    scf.for %arg2 = %c0 to %c6 step %c1 {
      scf.for %arg3 = %c0 to %c9 step %c1 {
        %0 = memref.load %alloc[%arg3, %arg2] : memref<9x6xf32>
        %1 = math.absf %0 : f32
        memref.store %1, %alloc_0[%arg2, %arg3] : memref<6x9xf32>
      }
    }
    return %alloc_0 : memref<6x9xf32>
  }
}
// ===== transposed_producer | iree-opt 24 | linalg-specialize-generic-ops
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @transposed_producer(%arg0: tensor<6x9xf32>, %arg1: tensor<9x6xf32>) -> tensor<6x9xf32> {
    %0 = tensor.empty() : tensor<9x6xf32>
    %1 = tensor.empty() : tensor<6x9xf32>
    %2 = linalg.elementwise <add> indexing_maps = [#map, #map1, #map1] ins(%arg0, %arg1 : tensor<6x9xf32>, tensor<9x6xf32>) outs(%0 : tensor<9x6xf32>) -> tensor<9x6xf32>
    %3 = linalg.elementwise <abs> indexing_maps = [#map, #map1] ins(%2 : tensor<9x6xf32>) outs(%1 : tensor<6x9xf32>) -> tensor<6x9xf32>
    return %3 : tensor<6x9xf32>
  }
}
// ===== transposed_producer | iree-opt 24 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @transposed_producer(%arg0: memref<6x9xf32>, %arg1: memref<9x6xf32>) -> memref<6x9xf32> {
    %alloc = memref.alloc() alignment = 64 : memref<9x6xf32>
    %alloc_0 = memref.alloc() alignment = 64 : memref<6x9xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : memref<6x9xf32>, memref<9x6xf32>) outs(%alloc : memref<9x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %0 = arith.addf %in, %in_1 : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc : memref<9x6xf32>) outs(%alloc_0 : memref<6x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.absf %in : f32
      linalg.yield %0 : f32
    }
    return %alloc_0 : memref<6x9xf32>
  }
}
// ===== transposed_producer | iree-opt 24 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @transposed_producer(%arg0: memref<6x9xf32>, %arg1: memref<9x6xf32>) -> memref<6x9xf32> {
    %c6 = arith.constant 6 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() alignment = 64 : memref<9x6xf32>
    %alloc_0 = memref.alloc() alignment = 64 : memref<6x9xf32>
    scf.for %arg2 = %c0 to %c9 step %c1 {
      scf.for %arg3 = %c0 to %c6 step %c1 {
        %0 = memref.load %arg0[%arg3, %arg2] : memref<6x9xf32>
        %1 = memref.load %arg1[%arg2, %arg3] : memref<9x6xf32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %alloc[%arg2, %arg3] : memref<9x6xf32>
      }
    }
    scf.for %arg2 = %c0 to %c6 step %c1 {
      scf.for %arg3 = %c0 to %c9 step %c1 {
        %0 = memref.load %alloc[%arg3, %arg2] : memref<9x6xf32>
        %1 = math.absf %0 : f32
        memref.store %1, %alloc_0[%arg2, %arg3] : memref<6x9xf32>
      }
    }
    return %alloc_0 : memref<6x9xf32>
  }
}
// ===== constant_producer | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0) -> ()>
#map1 = affine_map<(d0) -> (d0)>
module {
  func.func @constant_producer(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %cst = arith.constant 5.000000e-01 : f32
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst : f32) outs(%arg1 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?xf32>
    %1 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg0, %0 : tensor<?xf32>, tensor<?xf32>) outs(%arg1 : tensor<?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.mulf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }
}
// ===== constant_producer | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
module {
  func.func @constant_producer(%arg0: memref<?xf32>, %arg1: memref<?xf32>) -> memref<?xf32> {
    %cst = arith.constant 5.000000e-01 : f32
    linalg.fill ins(%cst : f32) outs(%arg1 : memref<?xf32>)
    linalg.mul ins(%arg0, %arg1 : memref<?xf32>, memref<?xf32>) outs(%arg1 : memref<?xf32>)
    return %arg1 : memref<?xf32>
  }
}
// ===== constant_producer | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @constant_producer(%arg0: memref<?xf32>, %arg1: memref<?xf32>) -> memref<?xf32> {
    %c1 = arith.constant 1 : index
    %cst = arith.constant 5.000000e-01 : f32
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    scf.for %arg2 = %c0 to %dim step %c1 {
      memref.store %cst, %arg1[%arg2] : memref<?xf32>
    }
    %dim_0 = memref.dim %arg0, %c0 : memref<?xf32>
    scf.for %arg2 = %c0 to %dim_0 step %c1 {
      %0 = memref.load %arg0[%arg2] : memref<?xf32>
      %1 = memref.load %arg1[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %1 : f32
      memref.store %2, %arg1[%arg2] : memref<?xf32>
    }
    return %arg1 : memref<?xf32>
  }
}
// ===== constant_producer | mlir-opt 22 | linalg-generalize-named-ops,linalg-fuse-elementwise-ops,canonicalize,cse
#map = affine_map<(d0) -> (d0)>
module {
  func.func @constant_producer(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
    %cst = arith.constant 5.000000e-01 : f32
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg1, %c0 : tensor<?xf32>
    %0 = tensor.empty(%dim) : tensor<?xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<?xf32>) outs(%0 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.mulf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }
}
// ===== index_of_the_producer | mlir-opt 22 | linalg-fuse-elementwise-ops
#map = affine_map<(d0) -> (d0)>
module {
  func.func @index_of_the_producer(%arg0: tensor<?xi32>, %arg1: tensor<?xi32>) -> tensor<?xi32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg1, %c0 : tensor<?xi32>
    %0 = tensor.empty(%dim) : tensor<?xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<?xi32>) outs(%0 : tensor<?xi32>) {
    ^bb0(%in: i32, %out: i32):
      %2 = linalg.index 0 : index
      %3 = arith.index_cast %2 : index to i32
      %4 = arith.addi %in, %3 : i32
      %5 = arith.muli %4, %4 : i32
      linalg.yield %5 : i32
    } -> tensor<?xi32>
    return %1 : tensor<?xi32>
  }
}
// ===== index_of_the_producer | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
#map = affine_map<(d0) -> (d0)>
module {
  func.func @index_of_the_producer(%arg0: memref<?xi32>, %arg1: memref<?xi32>) -> memref<?xi32> {
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : memref<?xi32>) outs(%arg1 : memref<?xi32>) {
    ^bb0(%in: i32, %out: i32):
      %0 = linalg.index 0 : index
      %1 = arith.index_cast %0 : index to i32
      %2 = arith.addi %in, %1 : i32
      linalg.yield %2 : i32
    }
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : memref<?xi32>) outs(%arg1 : memref<?xi32>) {
    ^bb0(%in: i32, %out: i32):
      %0 = arith.muli %in, %in : i32
      linalg.yield %0 : i32
    }
    return %arg1 : memref<?xi32>
  }
}
// ===== index_of_the_producer | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @index_of_the_producer(%arg0: memref<?xi32>, %arg1: memref<?xi32>) -> memref<?xi32> {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    scf.for %arg2 = %c0 to %dim step %c1 {
      %0 = memref.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      memref.store %2, %arg1[%arg2] : memref<?xi32>
    }
    %dim_0 = memref.dim %arg1, %c0 : memref<?xi32>
    scf.for %arg2 = %c0 to %dim_0 step %c1 {
      %0 = memref.load %arg1[%arg2] : memref<?xi32>
      %1 = arith.muli %0, %0 : i32
      memref.store %1, %arg1[%arg2] : memref<?xi32>
    }
    return %arg1 : memref<?xi32>
  }
}
// ===== unit_dimension_in_the_middle | mlir-opt 22 | linalg-fuse-elementwise-ops
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @unit_dimension_in_the_middle(%arg0: tensor<?x1x5xf32>, %arg1: tensor<?x1x5xf32>) -> tensor<?x1x5xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg1, %c0 : tensor<?x1x5xf32>
    %0 = tensor.empty(%dim) : tensor<?x1x5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x1x5xf32>) outs(%0 : tensor<?x1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.negf %in : f32
      linalg.yield %2 : f32
    } -> tensor<?x1x5xf32>
    return %1 : tensor<?x1x5xf32>
  }
}
// ===== unit_dimension_in_the_middle | mlir-opt 22 | linalg-fold-unit-extent-dims
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @unit_dimension_in_the_middle(%arg0: tensor<?x1x5xf32>, %arg1: tensor<?x1x5xf32>) -> tensor<?x1x5xf32> {
    %c0 = arith.constant 0 : index
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<?x1x5xf32> into tensor<?x5xf32>
    %collapsed_0 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<?x1x5xf32> into tensor<?x5xf32>
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<?x5xf32>) outs(%collapsed_0 : tensor<?x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<?x5xf32>
    %dim = tensor.dim %arg0, %c0 : tensor<?x1x5xf32>
    %expanded = tensor.expand_shape %0 [[0, 1], [2]] output_shape [%dim, 1, 5] : tensor<?x5xf32> into tensor<?x1x5xf32>
    return %expanded : tensor<?x1x5xf32>
  }
}
// ===== unit_dimension_in_the_middle | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @unit_dimension_in_the_middle(%arg0: memref<?x1x5xf32>, %arg1: memref<?x1x5xf32>) -> memref<?x1x5xf32> {
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : memref<?x1x5xf32>) outs(%arg1 : memref<?x1x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    return %arg1 : memref<?x1x5xf32>
  }
}
// ===== unit_dimension_in_the_middle | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @unit_dimension_in_the_middle(%arg0: memref<?x1x5xf32>, %arg1: memref<?x1x5xf32>) -> memref<?x1x5xf32> {
    %c5 = arith.constant 5 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x1x5xf32>
    scf.for %arg2 = %c0 to %dim step %c1 {
      scf.for %arg3 = %c0 to %c1 step %c1 {
        scf.for %arg4 = %c0 to %c5 step %c1 {
          %0 = memref.load %arg0[%arg2, %arg3, %arg4] : memref<?x1x5xf32>
          %1 = arith.negf %0 : f32
          memref.store %1, %arg1[%arg2, %arg3, %arg4] : memref<?x1x5xf32>
        }
      }
    }
    return %arg1 : memref<?x1x5xf32>
  }
}
// ===== unit_dimension_in_the_middle | iree-opt 24 | linalg-specialize-generic-ops
module {
  func.func @unit_dimension_in_the_middle(%arg0: tensor<?x1x5xf32>, %arg1: tensor<?x1x5xf32>) -> tensor<?x1x5xf32> {
    %0 = linalg.elementwise <negf> ins(%arg0 : tensor<?x1x5xf32>) outs(%arg1 : tensor<?x1x5xf32>) -> tensor<?x1x5xf32>
    return %0 : tensor<?x1x5xf32>
  }
}
// ===== unit_dimensions_of_a_broadcast | mlir-opt 22 | linalg-fold-unit-extent-dims
#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @unit_dimensions_of_a_broadcast(%arg0: tensor<1x7xf32>, %arg1: tensor<4x1xf32>) -> tensor<4x7xf32> {
    %0 = tensor.empty() : tensor<4x7xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<1x7xf32> into tensor<7xf32>
    %collapsed_0 = tensor.collapse_shape %arg1 [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%collapsed, %collapsed_0 : tensor<7xf32>, tensor<4xf32>) outs(%0 : tensor<4x7xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %2 = arith.addf %in, %in_1 : f32
      linalg.yield %2 : f32
    } -> tensor<4x7xf32>
    return %1 : tensor<4x7xf32>
  }
}
// ===== unit_dimensions_of_a_broadcast | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
#map = affine_map<(d0, d1) -> (0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @unit_dimensions_of_a_broadcast(%arg0: memref<1x7xf32>, %arg1: memref<4x1xf32>) -> memref<4x7xf32> {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x7xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : memref<1x7xf32>, memref<4x1xf32>) outs(%alloc : memref<4x7xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.addf %in, %in_0 : f32
      linalg.yield %0 : f32
    }
    return %alloc : memref<4x7xf32>
  }
}
// ===== unit_dimensions_of_a_broadcast | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @unit_dimensions_of_a_broadcast(%arg0: memref<1x7xf32>, %arg1: memref<4x1xf32>) -> memref<4x7xf32> {
    %c7 = arith.constant 7 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x7xf32>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      scf.for %arg3 = %c0 to %c7 step %c1 {
        %0 = memref.load %arg0[%c0, %arg3] : memref<1x7xf32>
        %1 = memref.load %arg1[%arg2, %c0] : memref<4x1xf32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %alloc[%arg2, %arg3] : memref<4x7xf32>
      }
    }
    return %alloc : memref<4x7xf32>
  }
}
// ===== unit_dimensions_of_a_broadcast | iree-opt 24 | linalg-specialize-generic-ops
#map = affine_map<(d0, d1) -> (0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @unit_dimensions_of_a_broadcast(%arg0: tensor<1x7xf32>, %arg1: tensor<4x1xf32>) -> tensor<4x7xf32> {
    %0 = tensor.empty() : tensor<4x7xf32>
    %1 = linalg.elementwise <add> indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg1 : tensor<1x7xf32>, tensor<4x1xf32>) outs(%0 : tensor<4x7xf32>) -> tensor<4x7xf32>
    return %1 : tensor<4x7xf32>
  }
}
// ===== unit_dimensions_of_a_broadcast | iree-opt 24 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
#map = affine_map<(d0, d1) -> (0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @unit_dimensions_of_a_broadcast(%arg0: memref<1x7xf32>, %arg1: memref<4x1xf32>) -> memref<4x7xf32> {
    %alloc = memref.alloc() alignment = 64 : memref<4x7xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : memref<1x7xf32>, memref<4x1xf32>) outs(%alloc : memref<4x7xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.addf %in, %in_0 : f32
      linalg.yield %0 : f32
    }
    return %alloc : memref<4x7xf32>
  }
}
// ===== unit_dimensions_of_a_broadcast | iree-opt 24 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @unit_dimensions_of_a_broadcast(%arg0: memref<1x7xf32>, %arg1: memref<4x1xf32>) -> memref<4x7xf32> {
    %c7 = arith.constant 7 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() alignment = 64 : memref<4x7xf32>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      scf.for %arg3 = %c0 to %c7 step %c1 {
        %0 = memref.load %arg0[%c0, %arg3] : memref<1x7xf32>
        %1 = memref.load %arg1[%arg2, %c0] : memref<4x1xf32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %alloc[%arg2, %arg3] : memref<4x7xf32>
      }
    }
    return %alloc : memref<4x7xf32>
  }
}
// ===== product_that_adds | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @product_that_adds(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%arg2 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.mulf %in, %in_0 : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
}
// ===== product_that_adds | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
module {
  func.func @product_that_adds(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) -> memref<?x?xf32> {
    linalg.matmul ins(%arg0, %arg1 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg2 : memref<?x?xf32>)
    return %arg2 : memref<?x?xf32>
  }
}
// ===== product_that_adds | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @product_that_adds(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) -> memref<?x?xf32> {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %dim_1 = memref.dim %arg1, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      scf.for %arg4 = %c0 to %dim_1 step %c1 {
        scf.for %arg5 = %c0 to %dim_0 step %c1 {
          %0 = memref.load %arg0[%arg3, %arg5] : memref<?x?xf32>
          %1 = memref.load %arg1[%arg5, %arg4] : memref<?x?xf32>
          %2 = memref.load %arg2[%arg3, %arg4] : memref<?x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          memref.store %4, %arg2[%arg3, %arg4] : memref<?x?xf32>
        }
      }
    }
    return %arg2 : memref<?x?xf32>
  }
}
// ===== product_of_fixed_size_with_bias | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @product_of_fixed_size_with_bias(%arg0: tensor<6x5xf32>, %arg1: tensor<5x4xf32>, %arg2: tensor<4xf32>) -> tensor<6x4xf32> {
    %0 = tensor.empty() : tensor<6x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<4xf32>) outs(%0 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x4xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<6x5xf32>, tensor<5x4xf32>) outs(%1 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<6x4xf32>
    return %2 : tensor<6x4xf32>
  }
}
// ===== product_of_fixed_size_with_bias | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
module {
  func.func @product_of_fixed_size_with_bias(%arg0: memref<6x5xf32>, %arg1: memref<5x4xf32>, %arg2: memref<4xf32>) -> memref<6x4xf32> {
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<6x4xf32>
    linalg.broadcast ins(%arg2 : memref<4xf32>) outs(%alloc : memref<6x4xf32>) dimensions = [0] 
    linalg.matmul ins(%arg0, %arg1 : memref<6x5xf32>, memref<5x4xf32>) outs(%alloc : memref<6x4xf32>)
    return %alloc : memref<6x4xf32>
  }
}
// ===== product_of_fixed_size_with_bias | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @product_of_fixed_size_with_bias(%arg0: memref<6x5xf32>, %arg1: memref<5x4xf32>, %arg2: memref<4xf32>) -> memref<6x4xf32> {
    %c5 = arith.constant 5 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<6x4xf32>
    scf.for %arg3 = %c0 to %c6 step %c1 {
      scf.for %arg4 = %c0 to %c4 step %c1 {
        %0 = memref.load %arg2[%arg4] : memref<4xf32>
        memref.store %0, %alloc[%arg3, %arg4] : memref<6x4xf32>
      }
    }
    scf.for %arg3 = %c0 to %c6 step %c1 {
      scf.for %arg4 = %c0 to %c4 step %c1 {
        scf.for %arg5 = %c0 to %c5 step %c1 {
          %0 = memref.load %arg0[%arg3, %arg5] : memref<6x5xf32>
          %1 = memref.load %arg1[%arg5, %arg4] : memref<5x4xf32>
          %2 = memref.load %alloc[%arg3, %arg4] : memref<6x4xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          memref.store %4, %alloc[%arg3, %arg4] : memref<6x4xf32>
        }
      }
    }
    return %alloc : memref<6x4xf32>
  }
}
// ===== product_of_fixed_size_with_bias | iree-opt 24 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
module {
  func.func @product_of_fixed_size_with_bias(%arg0: memref<6x5xf32>, %arg1: memref<5x4xf32>, %arg2: memref<4xf32>) -> memref<6x4xf32> {
    %alloc = memref.alloc() alignment = 64 : memref<6x4xf32>
    linalg.broadcast ins(%arg2 : memref<4xf32>) outs(%alloc : memref<6x4xf32>) dimensions = [0] 
    linalg.matmul ins(%arg0, %arg1 : memref<6x5xf32>, memref<5x4xf32>) outs(%alloc : memref<6x4xf32>)
    return %alloc : memref<6x4xf32>
  }
}
// ===== product_of_fixed_size_with_bias | iree-opt 24 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @product_of_fixed_size_with_bias(%arg0: memref<6x5xf32>, %arg1: memref<5x4xf32>, %arg2: memref<4xf32>) -> memref<6x4xf32> {
    %c5 = arith.constant 5 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() alignment = 64 : memref<6x4xf32>
    scf.for %arg3 = %c0 to %c6 step %c1 {
      scf.for %arg4 = %c0 to %c4 step %c1 {
        %0 = memref.load %arg2[%arg4] : memref<4xf32>
        memref.store %0, %alloc[%arg3, %arg4] : memref<6x4xf32>
      }
    }
    scf.for %arg3 = %c0 to %c6 step %c1 {
      scf.for %arg4 = %c0 to %c4 step %c1 {
        scf.for %arg5 = %c0 to %c5 step %c1 {
          %0 = memref.load %arg0[%arg3, %arg5] : memref<6x5xf32>
          %1 = memref.load %arg1[%arg5, %arg4] : memref<5x4xf32>
          %2 = memref.load %alloc[%arg3, %arg4] : memref<6x4xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          memref.store %4, %alloc[%arg3, %arg4] : memref<6x4xf32>
        }
      }
    }
    return %alloc : memref<6x4xf32>
  }
}
// ===== elementwise_arithmetic_on_tensors | mlir-opt 22 | convert-elementwise-to-linalg
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @elementwise_arithmetic_on_tensors(%arg0: tensor<?x4xf32>, %arg1: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%arg0 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.addf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<?x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%0, %arg0 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%0 : tensor<?x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.mulf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<?x4xf32>
    return %1 : tensor<?x4xf32>
  }
}
// ===== comparison_and_select | mlir-opt 22 | convert-elementwise-to-linalg
#map = affine_map<(d0) -> (d0)>
module {
  func.func @comparison_and_select(%arg0: tensor<12xi32>, %arg1: tensor<12xi32>) -> tensor<12xi32> {
    %0 = tensor.empty() : tensor<12xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<12xi32>, tensor<12xi32>) outs(%0 : tensor<12xi1>) {
    ^bb0(%in: i32, %in_0: i32, %out: i1):
      %3 = arith.cmpi sgt, %in, %in_0 : i32
      linalg.yield %3 : i1
    } -> tensor<12xi1>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%1, %arg0, %arg1 : tensor<12xi1>, tensor<12xi32>, tensor<12xi32>) outs(%arg0 : tensor<12xi32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %3 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %3 : i32
    } -> tensor<12xi32>
    return %2 : tensor<12xi32>
  }
}
// ===== comparison_and_select | iree-opt 24 | linalg-generalize-named-ops,linalg-fuse-elementwise-ops,canonicalize,cse
module {
  func.func @comparison_and_select(%arg0: tensor<12xi32>, %arg1: tensor<12xi32>) -> tensor<12xi32> {
    %0 = arith.maxsi %arg0, %arg1 : tensor<12xi32>
    return %0 : tensor<12xi32>
  }
}
// ===== relu_of_a_sum | mlir-opt 22 | linalg-fuse-elementwise-ops
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @relu_of_a_sum(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg2, %c0 : tensor<?x?xf32>
    %dim_0 = tensor.dim %arg2, %c1 : tensor<?x?xf32>
    %0 = tensor.empty(%dim, %dim_0) : tensor<?x?xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?xf32>) outs(%0 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %2 = arith.addf %in, %in_1 : f32
      %3 = arith.maximumf %2, %cst : f32
      linalg.yield %3 : f32
    } -> tensor<?x?xf32>
    return %1 : tensor<?x?xf32>
  }
}
// ===== relu_of_a_sum | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @relu_of_a_sum(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: memref<?x?xf32>) -> memref<?x?xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : memref<?x?xf32>, memref<?xf32>) outs(%arg2 : memref<?x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.addf %in, %in_0 : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : memref<?x?xf32>) outs(%arg2 : memref<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %in, %cst : f32
      linalg.yield %0 : f32
    }
    return %arg2 : memref<?x?xf32>
  }
}
// ===== relu_of_a_sum | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @relu_of_a_sum(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: memref<?x?xf32>) -> memref<?x?xf32> {
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      scf.for %arg4 = %c0 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %1 = memref.load %arg1[%arg4] : memref<?xf32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
    }
    %dim_1 = memref.dim %arg2, %c0 : memref<?x?xf32>
    %dim_2 = memref.dim %arg2, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %dim_1 step %c1 {
      scf.for %arg4 = %c0 to %dim_2 step %c1 {
        %0 = memref.load %arg2[%arg3, %arg4] : memref<?x?xf32>
        %1 = arith.maximumf %0, %cst : f32
        memref.store %1, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
    }
    return %arg2 : memref<?x?xf32>
  }
}
// ===== relu_of_a_sum | iree-opt 24 | linalg-specialize-generic-ops
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> ()>
module {
  func.func @relu_of_a_sum(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = linalg.elementwise <add> indexing_maps = [#map, #map1, #map] ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?xf32>) outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>
    %1 = linalg.elementwise <max_signed> indexing_maps = [#map, #map2, #map] ins(%0, %cst : tensor<?x?xf32>, f32) outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %1 : tensor<?x?xf32>
  }
}
// ===== two_users_of_one_producer | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0) -> (d0)>
module {
  func.func @two_users_of_one_producer(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<?xf32>) outs(%arg1 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.exp %in : f32
      linalg.yield %2 : f32
    } -> tensor<?xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%0, %arg0 : tensor<?xf32>, tensor<?xf32>) outs(%arg1 : tensor<?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.addf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<?xf32>
    return %0, %1 : tensor<?xf32>, tensor<?xf32>
  }
}
// ===== two_users_of_one_producer | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
module {
  func.func @two_users_of_one_producer(%arg0: memref<?xf32>, %arg1: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
    linalg.exp ins(%arg0 : memref<?xf32>) outs(%alloc : memref<?xf32>)
    linalg.add ins(%alloc, %arg0 : memref<?xf32>, memref<?xf32>) outs(%arg1 : memref<?xf32>)
    return %alloc, %arg1 : memref<?xf32>, memref<?xf32>
  }
}
// ===== two_users_of_one_producer | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @two_users_of_one_producer(%arg0: memref<?xf32>, %arg1: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
    %dim_0 = memref.dim %arg0, %c0 : memref<?xf32>
    scf.for %arg2 = %c0 to %dim_0 step %c1 {
      %0 = memref.load %arg0[%arg2] : memref<?xf32>
      %1 = math.exp %0 : f32
      memref.store %1, %alloc[%arg2] : memref<?xf32>
    }
    scf.for %arg2 = %c0 to %dim step %c1 {
      %0 = memref.load %alloc[%arg2] : memref<?xf32>
      %1 = memref.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %arg1[%arg2] : memref<?xf32>
    }
    return %alloc, %arg1 : memref<?xf32>, memref<?xf32>
  }
}
// ===== two_users_of_one_producer | mlir-opt 22 | linalg-generalize-named-ops,linalg-fuse-elementwise-ops,canonicalize,cse
#map = affine_map<(d0) -> (d0)>
module {
  func.func @two_users_of_one_producer(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg1, %c0 : tensor<?xf32>
    %0 = tensor.empty(%dim) : tensor<?xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<?xf32>) outs(%0 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    } -> tensor<?xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%1, %arg0 : tensor<?xf32>, tensor<?xf32>) outs(%0 : tensor<?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.addf %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<?xf32>
    return %1, %2 : tensor<?xf32>, tensor<?xf32>
  }
}
// ===== sum_of_a_fused_square | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @sum_of_a_fused_square(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?xf32>) -> tensor<?xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.mulf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<?x?xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<?x?xf32>) outs(%arg2 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %in, %out : f32
      linalg.yield %2 : f32
    } -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }
}
// ===== sum_of_a_fused_square | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
module {
  func.func @sum_of_a_fused_square(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?xf32>) -> memref<?xf32> {
    linalg.mul ins(%arg0, %arg0 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg1 : memref<?x?xf32>)
    linalg.reduce ins(%arg1 : memref<?x?xf32>) outs(%arg2 : memref<?xf32>) dimensions = [1] 
      (%in: f32, %init: f32) {
        %0 = arith.addf %in, %init : f32
        linalg.yield %0 : f32
      }
    return %arg2 : memref<?xf32>
  }
}
// ===== sum_of_a_fused_square | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @sum_of_a_fused_square(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?xf32>) -> memref<?xf32> {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      scf.for %arg4 = %c0 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %1 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %2 = arith.mulf %0, %1 : f32
        memref.store %2, %arg1[%arg3, %arg4] : memref<?x?xf32>
      }
    }
    %dim_1 = memref.dim %arg1, %c0 : memref<?x?xf32>
    %dim_2 = memref.dim %arg1, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %dim_1 step %c1 {
      scf.for %arg4 = %c0 to %dim_2 step %c1 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        %1 = memref.load %arg2[%arg3] : memref<?xf32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %arg2[%arg3] : memref<?xf32>
      }
    }
    return %arg2 : memref<?xf32>
  }
}
// ===== sum_of_a_fused_square | mlir-opt 22 | linalg-generalize-named-ops,linalg-fuse-elementwise-ops,canonicalize,cse
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @sum_of_a_fused_square(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?xf32>) -> tensor<?xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x?xf32>) outs(%arg2 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.mulf %in, %in : f32
      %2 = arith.addf %1, %out : f32
      linalg.yield %2 : f32
    } -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}
// ===== loop_that_carries_a_tensor | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
module {
  func.func @loop_that_carries_a_tensor(%arg0: index, %arg1: f32, %arg2: memref<?xf32>) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg2) -> (memref<?xf32>) {
      %1 = memref.load %arg4[%arg3] : memref<?xf32>
      %2 = arith.mulf %1, %arg1 : f32
      memref.store %2, %arg4[%arg3] : memref<?xf32>
      scf.yield %arg4 : memref<?xf32>
    }
    return %0 : memref<?xf32>
  }
}
// ===== slices_of_a_tensor | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @slices_of_a_tensor(%arg0: tensor<10x8xf32>, %arg1: tensor<4x3xf32>) -> tensor<10x8xf32> {
    %extracted_slice = tensor.extract_slice %arg0[1, 2] [4, 3] [2, 1] : tensor<10x8xf32> to tensor<4x3xf32>
    %0 = tensor.empty() : tensor<4x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %arg1 : tensor<4x3xf32>, tensor<4x3xf32>) outs(%0 : tensor<4x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.addf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<4x3xf32>
    %inserted_slice = tensor.insert_slice %1 into %arg0[1, 2] [4, 3] [2, 1] : tensor<4x3xf32> into tensor<10x8xf32>
    return %inserted_slice : tensor<10x8xf32>
  }
}
// ===== slices_of_a_tensor | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
module {
  func.func @slices_of_a_tensor(%arg0: memref<10x8xf32>, %arg1: memref<4x3xf32>) -> memref<10x8xf32> {
    %subview = memref.subview %arg0[1, 2] [4, 3] [2, 1] : memref<10x8xf32> to memref<4x3xf32, strided<[16, 1], offset: 10>>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x3xf32>
    linalg.add ins(%subview, %arg1 : memref<4x3xf32, strided<[16, 1], offset: 10>>, memref<4x3xf32>) outs(%alloc : memref<4x3xf32>)
    %subview_0 = memref.subview %arg0[1, 2] [4, 3] [2, 1] : memref<10x8xf32> to memref<4x3xf32, strided<[16, 1], offset: 10>>
    memref.copy %alloc, %subview_0 : memref<4x3xf32> to memref<4x3xf32, strided<[16, 1], offset: 10>>
    return %arg0 : memref<10x8xf32>
  }
}
// ===== slices_of_a_tensor | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @slices_of_a_tensor(%arg0: memref<10x8xf32>, %arg1: memref<4x3xf32>) -> memref<10x8xf32> {
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %subview = memref.subview %arg0[1, 2] [4, 3] [2, 1] : memref<10x8xf32> to memref<4x3xf32, strided<[16, 1], offset: 10>>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x3xf32>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      scf.for %arg3 = %c0 to %c3 step %c1 {
        %0 = memref.load %subview[%arg2, %arg3] : memref<4x3xf32, strided<[16, 1], offset: 10>>
        %1 = memref.load %arg1[%arg2, %arg3] : memref<4x3xf32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %alloc[%arg2, %arg3] : memref<4x3xf32>
      }
    }
    %subview_0 = memref.subview %arg0[1, 2] [4, 3] [2, 1] : memref<10x8xf32> to memref<4x3xf32, strided<[16, 1], offset: 10>>
    memref.copy %alloc, %subview_0 : memref<4x3xf32> to memref<4x3xf32, strided<[16, 1], offset: 10>>
    return %arg0 : memref<10x8xf32>
  }
}
// ===== padded_row | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
module {
  func.func @padded_row(%arg0: memref<9xf32>) -> memref<14xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<14xf32>
    linalg.map outs(%alloc : memref<14xf32>)
      (%init: f32) {
        %0 = linalg.index 0 : index
        linalg.yield %cst : f32
      }
    %subview = memref.subview %alloc[2] [9] [1] : memref<14xf32> to memref<9xf32, strided<[1], offset: 2>>
    memref.copy %arg0, %subview : memref<9xf32> to memref<9xf32, strided<[1], offset: 2>>
    return %alloc : memref<14xf32>
  }
}
// ===== padded_row | mlir-opt 22 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @padded_row(%arg0: memref<9xf32>) -> memref<14xf32> {
    %c1 = arith.constant 1 : index
    %c14 = arith.constant 14 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<14xf32>
    scf.for %arg1 = %c0 to %c14 step %c1 {
      memref.store %cst, %alloc[%arg1] : memref<14xf32>
    }
    %subview = memref.subview %alloc[2] [9] [1] : memref<14xf32> to memref<9xf32, strided<[1], offset: 2>>
    memref.copy %arg0, %subview : memref<9xf32> to memref<9xf32, strided<[1], offset: 2>>
    return %alloc : memref<14xf32>
  }
}
// ===== padded_row | mlir-opt 22 | convert-tensor-to-linalg
module {
  func.func @padded_row(%arg0: tensor<9xf32>) -> tensor<14xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<14xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<14xf32>) -> tensor<14xf32>
    %inserted_slice = tensor.insert_slice %arg0 into %1[2] [9] [1] : tensor<9xf32> into tensor<14xf32>
    return %inserted_slice : tensor<14xf32>
  }
}
// ===== padded_row | iree-opt 24 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
module {
  func.func @padded_row(%arg0: memref<9xf32>) -> memref<14xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %alloc = memref.alloc() alignment = 64 : memref<14xf32>
    linalg.map outs(%alloc : memref<14xf32>)
      (%init: f32) {
        %0 = linalg.index 0 : index
        linalg.yield %cst : f32
      }
    %subview = memref.subview %alloc[2] [9] [1] : memref<14xf32> to memref<9xf32, strided<[1], offset: 2>>
    memref.copy %arg0, %subview : memref<9xf32> to memref<9xf32, strided<[1], offset: 2>>
    return %alloc : memref<14xf32>
  }
}
// ===== padded_row | iree-opt 24 | one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
module {
  func.func @padded_row(%arg0: memref<9xf32>) -> memref<14xf32> {
    %c1 = arith.constant 1 : index
    %c14 = arith.constant 14 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %alloc = memref.alloc() alignment = 64 : memref<14xf32>
    scf.for %arg1 = %c0 to %c14 step %c1 {
      memref.store %cst, %alloc[%arg1] : memref<14xf32>
    }
    %subview = memref.subview %alloc[2] [9] [1] : memref<14xf32> to memref<9xf32, strided<[1], offset: 2>>
    memref.copy %arg0, %subview : memref<9xf32> to memref<9xf32, strided<[1], offset: 2>>
    return %alloc : memref<14xf32>
  }
}
