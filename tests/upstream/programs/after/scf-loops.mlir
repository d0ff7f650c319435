// ===== steps_of_four_with_a_rest | mlir-opt 22 | scf-for-loop-peeling
#map = affine_map<()[s0, s1, s2] -> (s1 - (s1 - s0) mod s2)>
#map1 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @steps_of_four_with_a_rest(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %0 = affine.apply #map()[%c0, %arg0, %c4]
    scf.for %arg3 = %c0 to %0 step %c4 {
      %1 = affine.apply #map1(%arg3)
      scf.for %arg4 = %arg3 to %1 step %c1 {
        %2 = memref.load %arg1[%arg4] : memref<?xf32>
        memref.store %2, %arg2[%arg4] : memref<?xf32>
      }
    }
    scf.for %arg3 = %0 to %arg0 step %c4 {
      scf.for %arg4 = %arg3 to %arg0 step %c1 {
        %1 = memref.load %arg1[%arg4] : memref<?xf32>
        memref.store %1, %arg2[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== steps_of_four_with_a_rest | mlir-opt 22 | scf-for-loop-peeling{peel-front}
#map = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map1 = affine_map<()[s0, s1] -> (s0 + s1)>
module {
  func.func @steps_of_four_with_a_rest(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %c4 step %c4 {
      %0 = affine.min #map(%arg3)[%arg0]
      %1 = affine.apply #map1()[%arg3, %c1]
      scf.for %arg4 = %arg3 to %1 step %c1 {
        %2 = memref.load %arg1[%arg4] : memref<?xf32>
        memref.store %2, %arg2[%arg4] : memref<?xf32>
      }
      scf.for %arg4 = %1 to %0 step %c1 {
        %2 = memref.load %arg1[%arg4] : memref<?xf32>
        memref.store %2, %arg2[%arg4] : memref<?xf32>
      }
    }
    scf.for %arg3 = %c4 to %arg0 step %c4 {
      %0 = affine.min #map(%arg3)[%arg0]
      %1 = affine.apply #map1()[%arg3, %c1]
      scf.for %arg4 = %arg3 to %1 step %c1 {
        %2 = memref.load %arg1[%arg4] : memref<?xf32>
        memref.store %2, %arg2[%arg4] : memref<?xf32>
      }
      scf.for %arg4 = %1 to %0 step %c1 {
        %2 = memref.load %arg1[%arg4] : memref<?xf32>
        memref.store %2, %arg2[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== steps_of_four_with_a_rest | mlir-opt 22 | scf-for-loop-peeling{skip-partial=false},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
#map1 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @steps_of_four_with_a_rest(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %0 = affine.apply #map()[%arg0]
    scf.for %arg3 = %c0 to %0 step %c4 {
      %1 = affine.apply #map1(%arg3)
      scf.for %arg4 = %arg3 to %1 step %c1 {
        %2 = memref.load %arg1[%arg4] : memref<?xf32>
        memref.store %2, %arg2[%arg4] : memref<?xf32>
      }
    }
    scf.for %arg3 = %0 to %arg0 step %c4 {
      scf.for %arg4 = %arg3 to %arg0 step %c1 {
        %1 = memref.load %arg1[%arg4] : memref<?xf32>
        memref.store %1, %arg2[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== steps_of_eight_over_rows | mlir-opt 22 | scf-for-loop-peeling
#map = affine_map<()[s0, s1, s2] -> (s1 - (s1 - s0) mod s2)>
#map1 = affine_map<(d0)[s0] -> (-d0 + s0)>
module {
  func.func @steps_of_eight_over_rows(%arg0: memref<?x16xf32>, %arg1: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %dim = memref.dim %arg0, %c0 : memref<?x16xf32>
    %0 = affine.apply #map()[%c0, %dim, %c8]
    scf.for %arg2 = %c0 to %0 step %c8 {
      scf.for %arg3 = %c0 to %c8 step %c1 {
        scf.for %arg4 = %c0 to %c16 step %c1 {
          %1 = arith.addi %arg2, %arg3 : index
          %2 = memref.load %arg0[%1, %arg4] : memref<?x16xf32>
          %3 = arith.addf %2, %2 : f32
          memref.store %3, %arg1[%1, %arg4] : memref<?x16xf32>
        }
      }
    }
    scf.for %arg2 = %0 to %dim step %c8 {
      %1 = affine.apply #map1(%arg2)[%dim]
      scf.for %arg3 = %c0 to %1 step %c1 {
        scf.for %arg4 = %c0 to %c16 step %c1 {
          %2 = arith.addi %arg2, %arg3 : index
          %3 = memref.load %arg0[%2, %arg4] : memref<?x16xf32>
          %4 = arith.addf %3, %3 : f32
          memref.store %4, %arg1[%2, %arg4] : memref<?x16xf32>
        }
      }
    }
    return
  }
}
// ===== steps_of_eight_over_rows | mlir-opt 22 | scf-for-loop-peeling{peel-front}
#map = affine_map<(d0)[s0] -> (8, -d0 + s0)>
module {
  func.func @steps_of_eight_over_rows(%arg0: memref<?x16xf32>, %arg1: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %dim = memref.dim %arg0, %c0 : memref<?x16xf32>
    scf.for %arg2 = %c0 to %c8 step %c8 {
      %0 = affine.min #map(%arg2)[%dim]
      scf.for %arg3 = %c0 to %c1 step %c1 {
        scf.for %arg4 = %c0 to %c1 step %c1 {
          %1 = arith.addi %arg2, %arg3 : index
          %2 = memref.load %arg0[%1, %arg4] : memref<?x16xf32>
          %3 = arith.addf %2, %2 : f32
          memref.store %3, %arg1[%1, %arg4] : memref<?x16xf32>
        }
        scf.for %arg4 = %c1 to %c16 step %c1 {
          %1 = arith.addi %arg2, %arg3 : index
          %2 = memref.load %arg0[%1, %arg4] : memref<?x16xf32>
          %3 = arith.addf %2, %2 : f32
          memref.store %3, %arg1[%1, %arg4] : memref<?x16xf32>
        }
      }
      scf.for %arg3 = %c1 to %0 step %c1 {
        scf.for %arg4 = %c0 to %c1 step %c1 {
          %1 = arith.addi %arg2, %arg3 : index
          %2 = memref.load %arg0[%1, %arg4] : memref<?x16xf32>
          %3 = arith.addf %2, %2 : f32
          memref.store %3, %arg1[%1, %arg4] : memref<?x16xf32>
        }
        scf.for %arg4 = %c1 to %c16 step %c1 {
          %1 = arith.addi %arg2, %arg3 : index
          %2 = memref.load %arg0[%1, %arg4] : memref<?x16xf32>
          %3 = arith.addf %2, %2 : f32
          memref.store %3, %arg1[%1, %arg4] : memref<?x16xf32>
        }
      }
    }
    scf.for %arg2 = %c8 to %dim step %c8 {
      %0 = affine.min #map(%arg2)[%dim]
      scf.for %arg3 = %c0 to %c1 step %c1 {
        scf.for %arg4 = %c0 to %c1 step %c1 {
          %1 = arith.addi %arg2, %arg3 : index
          %2 = memref.load %arg0[%1, %arg4] : memref<?x16xf32>
          %3 = arith.addf %2, %2 : f32
          memref.store %3, %arg1[%1, %arg4] : memref<?x16xf32>
        }
        scf.for %arg4 = %c1 to %c16 step %c1 {
          %1 = arith.addi %arg2, %arg3 : index
          %2 = memref.load %arg0[%1, %arg4] : memref<?x16xf32>
          %3 = arith.addf %2, %2 : f32
          memref.store %3, %arg1[%1, %arg4] : memref<?x16xf32>
        }
      }
      scf.for %arg3 = %c1 to %0 step %c1 {
        scf.for %arg4 = %c0 to %c1 step %c1 {
          %1 = arith.addi %arg2, %arg3 : index
          %2 = memref.load %arg0[%1, %arg4] : memref<?x16xf32>
          %3 = arith.addf %2, %2 : f32
          memref.store %3, %arg1[%1, %arg4] : memref<?x16xf32>
        }
        scf.for %arg4 = %c1 to %c16 step %c1 {
          %1 = arith.addi %arg2, %arg3 : index
          %2 = memref.load %arg0[%1, %arg4] : memref<?x16xf32>
          %3 = arith.addf %2, %2 : f32
          memref.store %3, %arg1[%1, %arg4] : memref<?x16xf32>
        }
      }
    }
    return
  }
}
// ===== steps_of_eight_over_rows | mlir-opt 22 | scf-for-loop-peeling{skip-partial=false},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 8) * 8)>
#map1 = affine_map<(d0)[s0] -> (-d0 + s0)>
module {
  func.func @steps_of_eight_over_rows(%arg0: memref<?x16xf32>, %arg1: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %dim = memref.dim %arg0, %c0 : memref<?x16xf32>
    %0 = affine.apply #map()[%dim]
    scf.for %arg2 = %c0 to %0 step %c8 {
      scf.for %arg3 = %c0 to %c8 step %c1 {
        scf.for %arg4 = %c0 to %c16 step %c1 {
          %1 = arith.addi %arg2, %arg3 : index
          %2 = memref.load %arg0[%1, %arg4] : memref<?x16xf32>
          %3 = arith.addf %2, %2 : f32
          memref.store %3, %arg1[%1, %arg4] : memref<?x16xf32>
        }
      }
    }
    scf.for %arg2 = %0 to %dim step %c8 {
      %1 = affine.apply #map1(%arg2)[%dim]
      scf.for %arg3 = %c0 to %1 step %c1 {
        scf.for %arg4 = %c0 to %c16 step %c1 {
          %2 = arith.addi %arg2, %arg3 : index
          %3 = memref.load %arg0[%2, %arg4] : memref<?x16xf32>
          %4 = arith.addf %3, %3 : f32
          memref.store %4, %arg1[%2, %arg4] : memref<?x16xf32>
        }
      }
    }
    return
  }
}
// ===== steps_of_eight_over_rows | mlir-opt 22 | scf-for-loop-range-folding
#map = affine_map<(d0)[s0] -> (8, -d0 + s0)>
module {
  func.func @steps_of_eight_over_rows(%arg0: memref<?x16xf32>, %arg1: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %dim = memref.dim %arg0, %c0 : memref<?x16xf32>
    scf.for %arg2 = %c0 to %dim step %c8 {
      %0 = affine.min #map(%arg2)[%dim]
      %1 = arith.addi %arg2, %c0 : index
      %2 = arith.addi %arg2, %0 : index
      scf.for %arg3 = %1 to %2 step %c1 {
        scf.for %arg4 = %c0 to %c16 step %c1 {
          %3 = memref.load %arg0[%arg3, %arg4] : memref<?x16xf32>
          %4 = arith.addf %3, %3 : f32
          memref.store %4, %arg1[%arg3, %arg4] : memref<?x16xf32>
        }
      }
    }
    return
  }
}
// ===== steps_of_eight_over_rows | mlir-opt 22 | scf-for-loop-specialization
#map = affine_map<(d0)[s0] -> (8, -d0 + s0)>
module {
  func.func @steps_of_eight_over_rows(%arg0: memref<?x16xf32>, %arg1: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %dim = memref.dim %arg0, %c0 : memref<?x16xf32>
    scf.for %arg2 = %c0 to %dim step %c8 {
      %0 = affine.min #map(%arg2)[%dim]
      %c8_0 = arith.constant 8 : index
      %1 = arith.cmpi eq, %0, %c8_0 : index
      scf.if %1 {
        scf.for %arg3 = %c0 to %c8_0 step %c1 {
          scf.for %arg4 = %c0 to %c16 step %c1 {
            %2 = arith.addi %arg2, %arg3 : index
            %3 = memref.load %arg0[%2, %arg4] : memref<?x16xf32>
            %4 = arith.addf %3, %3 : f32
            memref.store %4, %arg1[%2, %arg4] : memref<?x16xf32>
          }
        }
      } else {
        scf.for %arg3 = %c0 to %0 step %c1 {
          scf.for %arg4 = %c0 to %c16 step %c1 {
            %2 = arith.addi %arg2, %arg3 : index
            %3 = memref.load %arg0[%2, %arg4] : memref<?x16xf32>
            %4 = arith.addf %3, %3 : f32
            memref.store %4, %arg1[%2, %arg4] : memref<?x16xf32>
          }
        }
      }
    }
    return
  }
}
// ===== steps_of_eight_over_rows | mlir-opt 22 | loop-invariant-code-motion
#map = affine_map<(d0)[s0] -> (8, -d0 + s0)>
module {
  func.func @steps_of_eight_over_rows(%arg0: memref<?x16xf32>, %arg1: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %dim = memref.dim %arg0, %c0 : memref<?x16xf32>
    scf.for %arg2 = %c0 to %dim step %c8 {
      %0 = affine.min #map(%arg2)[%dim]
      scf.for %arg3 = %c0 to %0 step %c1 {
        %1 = arith.addi %arg2, %arg3 : index
        scf.for %arg4 = %c0 to %c16 step %c1 {
          %2 = memref.load %arg0[%1, %arg4] : memref<?x16xf32>
          %3 = arith.addf %2, %2 : f32
          memref.store %3, %arg1[%1, %arg4] : memref<?x16xf32>
        }
      }
    }
    return
  }
}
// ===== fixed_length_with_a_rest | mlir-opt 22 | scf-for-loop-peeling
#map = affine_map<(d0) -> (-d0 + 18)>
module {
  func.func @fixed_length_with_a_rest(%arg0: memref<18xi32>, %arg1: memref<18xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c18 = arith.constant 18 : index
    %c16 = arith.constant 16 : index
    scf.for %arg2 = %c0 to %c16 step %c4 {
      scf.for %arg3 = %c0 to %c4 step %c1 {
        %0 = arith.addi %arg2, %arg3 : index
        %1 = memref.load %arg0[%0] : memref<18xi32>
        %2 = arith.muli %1, %1 : i32
        memref.store %2, %arg1[%0] : memref<18xi32>
      }
    } {jam}
    scf.for %arg2 = %c16 to %c18 step %c4 {
      %0 = affine.apply #map(%arg2)
      scf.for %arg3 = %c0 to %0 step %c1 {
        %1 = arith.addi %arg2, %arg3 : index
        %2 = memref.load %arg0[%1] : memref<18xi32>
        %3 = arith.muli %2, %2 : i32
        memref.store %3, %arg1[%1] : memref<18xi32>
      }
    } {jam}
    return
  }
}
// ===== fixed_length_with_a_rest | mlir-opt 22 | scf-for-loop-peeling{peel-front}
#map = affine_map<(d0) -> (4, -d0 + 18)>
module {
  func.func @fixed_length_with_a_rest(%arg0: memref<18xi32>, %arg1: memref<18xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c18 = arith.constant 18 : index
    scf.for %arg2 = %c0 to %c4 step %c4 {
      %0 = affine.min #map(%arg2)
      scf.for %arg3 = %c0 to %c1 step %c1 {
        %1 = arith.addi %arg2, %arg3 : index
        %2 = memref.load %arg0[%1] : memref<18xi32>
        %3 = arith.muli %2, %2 : i32
        memref.store %3, %arg1[%1] : memref<18xi32>
      }
      scf.for %arg3 = %c1 to %0 step %c1 {
        %1 = arith.addi %arg2, %arg3 : index
        %2 = memref.load %arg0[%1] : memref<18xi32>
        %3 = arith.muli %2, %2 : i32
        memref.store %3, %arg1[%1] : memref<18xi32>
      }
    } {jam}
    scf.for %arg2 = %c4 to %c18 step %c4 {
      %0 = affine.min #map(%arg2)
      scf.for %arg3 = %c0 to %c1 step %c1 {
        %1 = arith.addi %arg2, %arg3 : index
        %2 = memref.load %arg0[%1] : memref<18xi32>
        %3 = arith.muli %2, %2 : i32
        memref.store %3, %arg1[%1] : memref<18xi32>
      }
      scf.for %arg3 = %c1 to %0 step %c1 {
        %1 = arith.addi %arg2, %arg3 : index
        %2 = memref.load %arg0[%1] : memref<18xi32>
        %3 = arith.muli %2, %2 : i32
        memref.store %3, %arg1[%1] : memref<18xi32>
      }
    } {jam}
    return
  }
}
// ===== fixed_length_with_a_rest | mlir-opt 22 | scf-for-loop-peeling{skip-partial=false},canonicalize
module {
  func.func @fixed_length_with_a_rest(%arg0: memref<18xi32>, %arg1: memref<18xi32>) {
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    scf.for %arg2 = %c0 to %c16 step %c4 {
      scf.for %arg3 = %c0 to %c4 step %c1 {
        %0 = arith.addi %arg2, %arg3 : index
        %1 = memref.load %arg0[%0] : memref<18xi32>
        %2 = arith.muli %1, %1 : i32
        memref.store %2, %arg1[%0] : memref<18xi32>
      }
    } {jam}
    scf.for %arg2 = %c0 to %c2 step %c1 {
      %0 = arith.addi %arg2, %c16 : index
      %1 = memref.load %arg0[%0] : memref<18xi32>
      %2 = arith.muli %1, %1 : i32
      memref.store %2, %arg1[%0] : memref<18xi32>
    }
    return
  }
}
// ===== fixed_length_with_a_rest | mlir-opt 22 | scf-for-loop-range-folding
#map = affine_map<(d0) -> (4, -d0 + 18)>
module {
  func.func @fixed_length_with_a_rest(%arg0: memref<18xi32>, %arg1: memref<18xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c18 = arith.constant 18 : index
    scf.for %arg2 = %c0 to %c18 step %c4 {
      %0 = affine.min #map(%arg2)
      %1 = arith.addi %arg2, %c0 : index
      %2 = arith.addi %arg2, %0 : index
      scf.for %arg3 = %1 to %2 step %c1 {
        %3 = memref.load %arg0[%arg3] : memref<18xi32>
        %4 = arith.muli %3, %3 : i32
        memref.store %4, %arg1[%arg3] : memref<18xi32>
      }
    } {jam}
    return
  }
}
// ===== fixed_length_with_a_rest | mlir-opt 22 | scf-for-loop-specialization
#map = affine_map<(d0) -> (4, -d0 + 18)>
module {
  func.func @fixed_length_with_a_rest(%arg0: memref<18xi32>, %arg1: memref<18xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c18 = arith.constant 18 : index
    scf.for %arg2 = %c0 to %c18 step %c4 {
      %0 = affine.min #map(%arg2)
      %c4_0 = arith.constant 4 : index
      %1 = arith.cmpi eq, %0, %c4_0 : index
      scf.if %1 {
        scf.for %arg3 = %c0 to %c4_0 step %c1 {
          %2 = arith.addi %arg2, %arg3 : index
          %3 = memref.load %arg0[%2] : memref<18xi32>
          %4 = arith.muli %3, %3 : i32
          memref.store %4, %arg1[%2] : memref<18xi32>
        }
      } else {
        scf.for %arg3 = %c0 to %0 step %c1 {
          %2 = arith.addi %arg2, %arg3 : index
          %3 = memref.load %arg0[%2] : memref<18xi32>
          %4 = arith.muli %3, %3 : i32
          memref.store %4, %arg1[%2] : memref<18xi32>
        }
      }
    } {jam}
    return
  }
}
// ===== carried_sum_is_peeled | mlir-opt 22 | scf-for-loop-peeling
#map = affine_map<()[s0, s1, s2] -> (s1 - (s1 - s0) mod s2)>
#map1 = affine_map<(d0)[s0] -> (-d0 + s0)>
module {
  func.func @carried_sum_is_peeled(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<1xi32>) {
    %c4_i32 = arith.constant 4 : i32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c0_i32 = arith.constant 0 : i32
    %0 = affine.apply #map()[%c0, %arg0, %c4]
    %1 = scf.for %arg3 = %c0 to %0 step %c4 iter_args(%arg4 = %c0_i32) -> (i32) {
      %3 = memref.load %arg1[%arg3] : memref<?xi32>
      %4 = arith.muli %3, %c4_i32 : i32
      %5 = arith.addi %arg4, %4 : i32
      scf.yield %5 : i32
    }
    %2 = scf.for %arg3 = %0 to %arg0 step %c4 iter_args(%arg4 = %1) -> (i32) {
      %3 = affine.apply #map1(%arg3)[%arg0]
      %4 = arith.index_cast %3 : index to i32
      %5 = memref.load %arg1[%arg3] : memref<?xi32>
      %6 = arith.muli %4, %5 : i32
      %7 = arith.addi %arg4, %6 : i32
      scf.yield %7 : i32
    }
    memref.store %2, %arg2[%c0] : memref<1xi32>
    return
  }
}
// ===== carried_sum_is_peeled | mlir-opt 22 | scf-for-loop-peeling{peel-front}
#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
module {
  func.func @carried_sum_is_peeled(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<1xi32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c0_i32 = arith.constant 0 : i32
    %0 = scf.for %arg3 = %c0 to %c4 step %c4 iter_args(%arg4 = %c0_i32) -> (i32) {
      %2 = affine.min #map(%arg3)[%arg0]
      %3 = arith.index_cast %2 : index to i32
      %4 = memref.load %arg1[%arg3] : memref<?xi32>
      %5 = arith.muli %3, %4 : i32
      %6 = arith.addi %arg4, %5 : i32
      scf.yield %6 : i32
    }
    %1 = scf.for %arg3 = %c4 to %arg0 step %c4 iter_args(%arg4 = %0) -> (i32) {
      %2 = affine.min #map(%arg3)[%arg0]
      %3 = arith.index_cast %2 : index to i32
      %4 = memref.load %arg1[%arg3] : memref<?xi32>
      %5 = arith.muli %3, %4 : i32
      %6 = arith.addi %arg4, %5 : i32
      scf.yield %6 : i32
    }
    memref.store %1, %arg2[%c0] : memref<1xi32>
    return
  }
}
// ===== carried_sum_is_peeled | mlir-opt 22 | scf-for-loop-peeling{skip-partial=false},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
#map1 = affine_map<(d0)[s0] -> (-d0 + s0)>
module {
  func.func @carried_sum_is_peeled(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<1xi32>) {
    %c4_i32 = arith.constant 4 : i32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c0_i32 = arith.constant 0 : i32
    %0 = affine.apply #map()[%arg0]
    %1 = scf.for %arg3 = %c0 to %0 step %c4 iter_args(%arg4 = %c0_i32) -> (i32) {
      %3 = memref.load %arg1[%arg3] : memref<?xi32>
      %4 = arith.muli %3, %c4_i32 : i32
      %5 = arith.addi %arg4, %4 : i32
      scf.yield %5 : i32
    }
    %2 = scf.for %arg3 = %0 to %arg0 step %c4 iter_args(%arg4 = %1) -> (i32) {
      %3 = affine.apply #map1(%arg3)[%arg0]
      %4 = arith.index_cast %3 : index to i32
      %5 = memref.load %arg1[%arg3] : memref<?xi32>
      %6 = arith.muli %4, %5 : i32
      %7 = arith.addi %arg4, %6 : i32
      scf.yield %7 : i32
    }
    memref.store %2, %arg2[%c0] : memref<1xi32>
    return
  }
}
// ===== first_iteration_differs | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @first_iteration_differs(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %c1 step %c1 {
      %0 = arith.cmpi eq, %arg3, %c0 : index
      scf.if %0 {
        %1 = memref.load %arg1[%arg3] : memref<?xf32>
        memref.store %1, %arg2[%arg3] : memref<?xf32>
      } else {
        %1 = arith.subi %arg3, %c1 : index
        %2 = memref.load %arg1[%arg3] : memref<?xf32>
        %3 = memref.load %arg2[%1] : memref<?xf32>
        %4 = arith.addf %2, %3 : f32
        memref.store %4, %arg2[%arg3] : memref<?xf32>
      }
    }
    scf.for %arg3 = %c1 to %arg0 step %c1 {
      %0 = arith.cmpi eq, %arg3, %c0 : index
      scf.if %0 {
        %1 = memref.load %arg1[%arg3] : memref<?xf32>
        memref.store %1, %arg2[%arg3] : memref<?xf32>
      } else {
        %1 = arith.subi %arg3, %c1 : index
        %2 = memref.load %arg1[%arg3] : memref<?xf32>
        %3 = memref.load %arg2[%1] : memref<?xf32>
        %4 = arith.addf %2, %3 : f32
        memref.store %4, %arg2[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== min_inside_the_loop | mlir-opt 22 | scf-for-loop-peeling{peel-front}
#map = affine_map<(d0) -> (4, -d0 + 64)>
#map1 = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @min_inside_the_loop(%arg0: memref<64xf32>, %arg1: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    scf.for %arg2 = %c0 to %c4 step %c4 {
      %0 = affine.min #map(%arg2)
      scf.for %arg3 = %c0 to %c1 step %c1 {
        %1 = affine.apply #map1(%arg2, %arg3)
        %2 = memref.load %arg0[%1] : memref<64xf32>
        memref.store %2, %arg1[%1] : memref<64xf32>
      }
      scf.for %arg3 = %c1 to %0 step %c1 {
        %1 = affine.apply #map1(%arg2, %arg3)
        %2 = memref.load %arg0[%1] : memref<64xf32>
        memref.store %2, %arg1[%1] : memref<64xf32>
      }
    }
    scf.for %arg2 = %c4 to %c64 step %c4 {
      %0 = affine.min #map(%arg2)
      scf.for %arg3 = %c0 to %c1 step %c1 {
        %1 = affine.apply #map1(%arg2, %arg3)
        %2 = memref.load %arg0[%1] : memref<64xf32>
        memref.store %2, %arg1[%1] : memref<64xf32>
      }
      scf.for %arg3 = %c1 to %0 step %c1 {
        %1 = affine.apply #map1(%arg2, %arg3)
        %2 = memref.load %arg0[%1] : memref<64xf32>
        memref.store %2, %arg1[%1] : memref<64xf32>
      }
    }
    return
  }
}
// ===== min_inside_the_loop | mlir-opt 22 | scf-for-loop-peeling{skip-partial=false},canonicalize
#map = affine_map<(d0) -> (-d0 + 64, 4)>
#map1 = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @min_inside_the_loop(%arg0: memref<64xf32>, %arg1: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    scf.for %arg2 = %c0 to %c64 step %c4 {
      %0 = affine.min #map(%arg2)
      scf.for %arg3 = %c0 to %0 step %c1 {
        %1 = affine.apply #map1(%arg2, %arg3)
        %2 = memref.load %arg0[%1] : memref<64xf32>
        memref.store %2, %arg1[%1] : memref<64xf32>
      }
    }
    return
  }
}
// ===== min_inside_the_loop | mlir-opt 22 | scf-for-loop-canonicalization
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @min_inside_the_loop(%arg0: memref<64xf32>, %arg1: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    scf.for %arg2 = %c0 to %c64 step %c4 {
      scf.for %arg3 = %c0 to %c4 step %c1 {
        %0 = affine.apply #map(%arg2, %arg3)
        %1 = memref.load %arg0[%0] : memref<64xf32>
        memref.store %1, %arg1[%0] : memref<64xf32>
      }
    }
    return
  }
}
// ===== min_inside_the_loop | mlir-opt 22 | scf-for-loop-specialization
#map = affine_map<(d0) -> (4, -d0 + 64)>
#map1 = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @min_inside_the_loop(%arg0: memref<64xf32>, %arg1: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    scf.for %arg2 = %c0 to %c64 step %c4 {
      %0 = affine.min #map(%arg2)
      %c4_0 = arith.constant 4 : index
      %1 = arith.cmpi eq, %0, %c4_0 : index
      scf.if %1 {
        scf.for %arg3 = %c0 to %c4_0 step %c1 {
          %2 = affine.apply #map1(%arg2, %arg3)
          %3 = memref.load %arg0[%2] : memref<64xf32>
          memref.store %3, %arg1[%2] : memref<64xf32>
        }
      } else {
        scf.for %arg3 = %c0 to %0 step %c1 {
          %2 = affine.apply #map1(%arg2, %arg3)
          %3 = memref.load %arg0[%2] : memref<64xf32>
          memref.store %3, %arg1[%2] : memref<64xf32>
        }
      }
    }
    return
  }
}
// ===== max_inside_the_loop | mlir-opt 22 | scf-for-loop-peeling{peel-front}
#map = affine_map<(d0) -> (d0 - 1, 1)>
module {
  func.func @max_inside_the_loop(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %arg3 = %c2 to %c3 step %c1 {
      %0 = affine.max #map(%arg3)
      %1 = memref.load %arg1[%0] : memref<?xf32>
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    scf.for %arg3 = %c3 to %arg0 step %c1 {
      %0 = affine.max #map(%arg3)
      %1 = memref.load %arg1[%0] : memref<?xf32>
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== max_inside_the_loop | mlir-opt 22 | scf-for-loop-peeling{skip-partial=false},canonicalize
#map = affine_map<(d0) -> (1, d0 - 1)>
module {
  func.func @max_inside_the_loop(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c2 to %arg0 step %c1 {
      %0 = affine.max #map(%arg3)
      %1 = memref.load %arg1[%0] : memref<?xf32>
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== max_inside_the_loop | mlir-opt 22 | scf-for-loop-canonicalization
#map = affine_map<(d0) -> (d0 - 1)>
module {
  func.func @max_inside_the_loop(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c2 to %arg0 step %c1 {
      %0 = affine.apply #map(%arg3)
      %1 = memref.load %arg1[%0] : memref<?xf32>
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== size_of_the_buffer_in_the_loop | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @size_of_the_buffer_in_the_loop(%arg0: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    scf.for %arg1 = %c0 to %c1 step %c1 {
      %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
      scf.for %arg2 = %c0 to %c1 step %c1 {
        %0 = memref.load %arg0[%arg1, %arg2] : memref<?x?xf32>
        %1 = arith.negf %0 : f32
        memref.store %1, %arg0[%arg1, %arg2] : memref<?x?xf32>
      }
      scf.for %arg2 = %c1 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg1, %arg2] : memref<?x?xf32>
        %1 = arith.negf %0 : f32
        memref.store %1, %arg0[%arg1, %arg2] : memref<?x?xf32>
      }
    }
    scf.for %arg1 = %c1 to %dim step %c1 {
      %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
      scf.for %arg2 = %c0 to %c1 step %c1 {
        %0 = memref.load %arg0[%arg1, %arg2] : memref<?x?xf32>
        %1 = arith.negf %0 : f32
        memref.store %1, %arg0[%arg1, %arg2] : memref<?x?xf32>
      }
      scf.for %arg2 = %c1 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg1, %arg2] : memref<?x?xf32>
        %1 = arith.negf %0 : f32
        memref.store %1, %arg0[%arg1, %arg2] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== size_of_the_buffer_in_the_loop | mlir-opt 22 | loop-invariant-code-motion
module {
  func.func @size_of_the_buffer_in_the_loop(%arg0: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg1 = %c0 to %dim step %c1 {
      scf.for %arg2 = %c0 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg1, %arg2] : memref<?x?xf32>
        %1 = arith.negf %0 : f32
        memref.store %1, %arg0[%arg1, %arg2] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== offset_is_folded_into_the_range | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @offset_is_folded_into_the_range(%arg0: index, %arg1: index, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %c1 step %c1 {
      %0 = arith.addi %arg3, %arg1 : index
      %1 = memref.load %arg2[%0] : memref<?xf32>
      %2 = arith.mulf %1, %1 : f32
      memref.store %2, %arg2[%0] : memref<?xf32>
    }
    scf.for %arg3 = %c1 to %arg0 step %c1 {
      %0 = arith.addi %arg3, %arg1 : index
      %1 = memref.load %arg2[%0] : memref<?xf32>
      %2 = arith.mulf %1, %1 : f32
      memref.store %2, %arg2[%0] : memref<?xf32>
    }
    return
  }
}
// ===== offset_is_folded_into_the_range | mlir-opt 22 | scf-for-loop-range-folding
module {
  func.func @offset_is_folded_into_the_range(%arg0: index, %arg1: index, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.addi %c0, %arg1 : index
    %1 = arith.addi %arg0, %arg1 : index
    scf.for %arg3 = %0 to %1 step %c1 {
      %2 = memref.load %arg2[%arg3] : memref<?xf32>
      %3 = arith.mulf %2, %2 : f32
      memref.store %3, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== scale_is_folded_into_the_range | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @scale_is_folded_into_the_range(%arg0: index, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %arg2 = %c0 to %c1 step %c1 {
      %0 = arith.muli %arg2, %c3 : index
      %1 = memref.load %arg1[%0] : memref<?xf32>
      %2 = arith.addf %1, %1 : f32
      memref.store %2, %arg1[%0] : memref<?xf32>
    }
    scf.for %arg2 = %c1 to %arg0 step %c1 {
      %0 = arith.muli %arg2, %c3 : index
      %1 = memref.load %arg1[%0] : memref<?xf32>
      %2 = arith.addf %1, %1 : f32
      memref.store %2, %arg1[%0] : memref<?xf32>
    }
    return
  }
}
// ===== scale_is_folded_into_the_range | mlir-opt 22 | scf-for-loop-range-folding
module {
  func.func @scale_is_folded_into_the_range(%arg0: index, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %0 = arith.muli %c0, %c3 : index
    %1 = arith.muli %arg0, %c3 : index
    %2 = arith.muli %c1, %c3 : index
    scf.for %arg2 = %0 to %1 step %2 {
      %3 = memref.load %arg1[%arg2] : memref<?xf32>
      %4 = arith.addf %3, %3 : f32
      memref.store %4, %arg1[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== bound_of_a_tile_is_specialised | mlir-opt 22 | scf-for-loop-peeling{peel-front}
#map = affine_map<()[s0, s1] -> (16, s0 - s1)>
module {
  func.func @bound_of_a_tile_is_specialised(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = affine.min #map()[%arg0, %arg1]
    scf.for %arg4 = %c0 to %c1 step %c1 {
      %1 = memref.load %arg2[%arg4] : memref<?xf32>
      %2 = memref.load %arg3[%arg4] : memref<?xf32>
      %3 = arith.addf %1, %2 : f32
      memref.store %3, %arg3[%arg4] : memref<?xf32>
    }
    scf.for %arg4 = %c1 to %0 step %c1 {
      %1 = memref.load %arg2[%arg4] : memref<?xf32>
      %2 = memref.load %arg3[%arg4] : memref<?xf32>
      %3 = arith.addf %1, %2 : f32
      memref.store %3, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== bound_of_a_tile_is_specialised | mlir-opt 22 | scf-for-loop-specialization
#map = affine_map<()[s0, s1] -> (16, s0 - s1)>
module {
  func.func @bound_of_a_tile_is_specialised(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = affine.min #map()[%arg0, %arg1]
    %c16 = arith.constant 16 : index
    %1 = arith.cmpi eq, %0, %c16 : index
    scf.if %1 {
      scf.for %arg4 = %c0 to %c16 step %c1 {
        %2 = memref.load %arg2[%arg4] : memref<?xf32>
        %3 = memref.load %arg3[%arg4] : memref<?xf32>
        %4 = arith.addf %2, %3 : f32
        memref.store %4, %arg3[%arg4] : memref<?xf32>
      }
    } else {
      scf.for %arg4 = %c0 to %0 step %c1 {
        %2 = memref.load %arg2[%arg4] : memref<?xf32>
        %3 = memref.load %arg3[%arg4] : memref<?xf32>
        %4 = arith.addf %2, %3 : f32
        memref.store %4, %arg3[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== product_with_carried_sum | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @product_with_carried_sum(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %c1 step %c1 {
      %0 = scf.for %arg4 = %c0 to %c1 step %c1 iter_args(%arg5 = %cst) -> (f32) {
        %2 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %3 = memref.load %arg1[%arg4] : memref<?xf32>
        %4 = arith.mulf %2, %3 : f32
        %5 = arith.addf %arg5, %4 : f32
        scf.yield %5 : f32
      } {unroll}
      %1 = scf.for %arg4 = %c1 to %dim_0 step %c1 iter_args(%arg5 = %0) -> (f32) {
        %2 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %3 = memref.load %arg1[%arg4] : memref<?xf32>
        %4 = arith.mulf %2, %3 : f32
        %5 = arith.addf %arg5, %4 : f32
        scf.yield %5 : f32
      } {unroll}
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    scf.for %arg3 = %c1 to %dim step %c1 {
      %0 = scf.for %arg4 = %c0 to %c1 step %c1 iter_args(%arg5 = %cst) -> (f32) {
        %2 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %3 = memref.load %arg1[%arg4] : memref<?xf32>
        %4 = arith.mulf %2, %3 : f32
        %5 = arith.addf %arg5, %4 : f32
        scf.yield %5 : f32
      } {unroll}
      %1 = scf.for %arg4 = %c1 to %dim_0 step %c1 iter_args(%arg5 = %0) -> (f32) {
        %2 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %3 = memref.load %arg1[%arg4] : memref<?xf32>
        %4 = arith.mulf %2, %3 : f32
        %5 = arith.addf %arg5, %4 : f32
        scf.yield %5 : f32
      } {unroll}
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== product_with_carried_sum | mlir-opt 22 | transform-preload-library{transform-library-paths=SCHEDULES/unroll.mlir},transform-interpreter
module {
  func.func @product_with_carried_sum(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      %0 = arith.subi %dim_0, %c0 : index
      %c1_1 = arith.constant 1 : index
      %1 = arith.subi %c1, %c1_1 : index
      %2 = arith.addi %0, %1 : index
      %3 = arith.divui %2, %c1 : index
      %c3 = arith.constant 3 : index
      %4 = arith.remsi %3, %c3 : index
      %5 = arith.subi %3, %4 : index
      %6 = arith.muli %5, %c1 : index
      %7 = arith.addi %c0, %6 : index
      %8 = arith.muli %c1, %c3 : index
      %9 = scf.for %arg4 = %c0 to %7 step %8 iter_args(%arg5 = %cst) -> (f32) {
        %11 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %12 = memref.load %arg1[%arg4] : memref<?xf32>
        %13 = arith.mulf %11, %12 : f32
        %14 = arith.addf %arg5, %13 : f32
        %c1_2 = arith.constant 1 : index
        %15 = arith.muli %c1, %c1_2 : index
        %16 = arith.addi %arg4, %15 : index
        %17 = memref.load %arg0[%arg3, %16] : memref<?x?xf32>
        %18 = memref.load %arg1[%16] : memref<?xf32>
        %19 = arith.mulf %17, %18 : f32
        %20 = arith.addf %14, %19 : f32
        %c2 = arith.constant 2 : index
        %21 = arith.muli %c1, %c2 : index
        %22 = arith.addi %arg4, %21 : index
        %23 = memref.load %arg0[%arg3, %22] : memref<?x?xf32>
        %24 = memref.load %arg1[%22] : memref<?xf32>
        %25 = arith.mulf %23, %24 : f32
        %26 = arith.addf %20, %25 : f32
        scf.yield %26 : f32
      } {unroll}
      %10 = scf.for %arg4 = %7 to %dim_0 step %c1 iter_args(%arg5 = %9) -> (f32) {
        %11 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %12 = memref.load %arg1[%arg4] : memref<?xf32>
        %13 = arith.mulf %11, %12 : f32
        %14 = arith.addf %arg5, %13 : f32
        scf.yield %14 : f32
      } {unroll}
      memref.store %10, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== unrolled_copy | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @unrolled_copy(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %c1 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    } {unroll}
    scf.for %arg3 = %c1 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    } {unroll}
    return
  }
}
// ===== unrolled_copy | mlir-opt 22 | transform-preload-library{transform-library-paths=SCHEDULES/unroll.mlir},transform-interpreter
module {
  func.func @unrolled_copy(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.subi %arg0, %c0 : index
    %c1_0 = arith.constant 1 : index
    %1 = arith.subi %c1, %c1_0 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.divui %2, %c1 : index
    %c3 = arith.constant 3 : index
    %4 = arith.remsi %3, %c3 : index
    %5 = arith.subi %3, %4 : index
    %6 = arith.muli %5, %c1 : index
    %7 = arith.addi %c0, %6 : index
    %8 = arith.muli %c1, %c3 : index
    scf.for %arg3 = %c0 to %7 step %8 {
      %9 = memref.load %arg1[%arg3] : memref<?xf32>
      %10 = arith.mulf %9, %9 : f32
      memref.store %10, %arg2[%arg3] : memref<?xf32>
      %c1_1 = arith.constant 1 : index
      %11 = arith.muli %c1, %c1_1 : index
      %12 = arith.addi %arg3, %11 : index
      %13 = memref.load %arg1[%12] : memref<?xf32>
      %14 = arith.mulf %13, %13 : f32
      memref.store %14, %arg2[%12] : memref<?xf32>
      %c2 = arith.constant 2 : index
      %15 = arith.muli %c1, %c2 : index
      %16 = arith.addi %arg3, %15 : index
      %17 = memref.load %arg1[%16] : memref<?xf32>
      %18 = arith.mulf %17, %17 : f32
      memref.store %18, %arg2[%16] : memref<?xf32>
    } {unroll}
    scf.for %arg3 = %7 to %arg0 step %c1 {
      %9 = memref.load %arg1[%arg3] : memref<?xf32>
      %10 = arith.mulf %9, %9 : f32
      memref.store %10, %arg2[%arg3] : memref<?xf32>
    } {unroll}
    return
  }
}
// ===== jammed_rows | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @jammed_rows(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg4 = %c0 to %c1 step %c1 {
      scf.for %arg5 = %c0 to %c1 step %c1 {
        %0 = memref.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        memref.store %1, %arg3[%arg4, %arg5] : memref<?x?xf32>
      }
      scf.for %arg5 = %c1 to %arg1 step %c1 {
        %0 = memref.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        memref.store %1, %arg3[%arg4, %arg5] : memref<?x?xf32>
      }
    } {jam}
    scf.for %arg4 = %c1 to %arg0 step %c1 {
      scf.for %arg5 = %c0 to %c1 step %c1 {
        %0 = memref.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        memref.store %1, %arg3[%arg4, %arg5] : memref<?x?xf32>
      }
      scf.for %arg5 = %c1 to %arg1 step %c1 {
        %0 = memref.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        memref.store %1, %arg3[%arg4, %arg5] : memref<?x?xf32>
      }
    } {jam}
    return
  }
}
// ===== two_copies_in_turn | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @two_copies_in_turn(%arg0: memref<12xf32>, %arg1: memref<12xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c12 = arith.constant 12 : index
    %cst = arith.constant 1.000000e+00 : f32
    scf.for %arg2 = %c0 to %c1 step %c1 {
      %0 = memref.load %arg0[%arg2] : memref<12xf32>
      %1 = arith.addf %0, %cst : f32
      memref.store %1, %arg1[%arg2] : memref<12xf32>
    } {pipeline}
    scf.for %arg2 = %c1 to %c12 step %c1 {
      %0 = memref.load %arg0[%arg2] : memref<12xf32>
      %1 = arith.addf %0, %cst : f32
      memref.store %1, %arg1[%arg2] : memref<12xf32>
    } {pipeline}
    return
  }
}
// ===== two_copies_in_turn | mlir-opt 22 | transform-preload-library{transform-library-paths=SCHEDULES/pipeline.mlir},transform-interpreter
module {
  func.func @two_copies_in_turn(%arg0: memref<12xf32>, %arg1: memref<12xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c12 = arith.constant 12 : index
    %cst = arith.constant 1.000000e+00 : f32
    %c0_0 = arith.constant 0 : index
    %0 = arith.muli %c1, %c0_0 : index
    %1 = arith.addi %c0, %0 : index
    %2 = memref.load %arg0[%1] : memref<12xf32>
    %c1_1 = arith.constant 1 : index
    %3 = arith.muli %c1, %c1_1 : index
    %4 = arith.addi %c0, %3 : index
    %5 = memref.load %arg0[%4] : memref<12xf32>
    %6 = arith.addf %2, %cst : f32
    %c2 = arith.constant 2 : index
    %7 = arith.muli %c1, %c2 : index
    %8 = arith.subi %c12, %7 : index
    %9:2 = scf.for %arg2 = %c0 to %8 step %c1 iter_args(%arg3 = %5, %arg4 = %6) -> (f32, f32) {
      %c2_5 = arith.constant 2 : index
      %25 = arith.muli %c1, %c2_5 : index
      %26 = arith.addi %arg2, %25 : index
      %27 = memref.load %arg0[%26] : memref<12xf32>
      %28 = arith.addf %arg3, %cst : f32
      %c0_6 = arith.constant 0 : index
      %29 = arith.muli %c1, %c0_6 : index
      %30 = arith.addi %arg2, %29 : index
      memref.store %arg4, %arg1[%30] : memref<12xf32>
      scf.yield %27, %28 : f32, f32
    }
    %c0_2 = arith.constant 0 : index
    %c1_3 = arith.constant 1 : index
    %10 = arith.cmpi slt, %c1, %c0_2 : index
    %c-1 = arith.constant -1 : index
    %11 = arith.select %10, %c1_3, %c-1 : index
    %12 = arith.subi %c12, %c0 : index
    %13 = arith.addi %12, %c1 : index
    %14 = arith.addi %13, %11 : index
    %15 = arith.divsi %14, %c1 : index
    %c2_4 = arith.constant 2 : index
    %16 = arith.subi %15, %c2_4 : index
    %17 = arith.maxsi %c0_2, %16 : index
    %18 = arith.muli %c1, %17 : index
    %19 = arith.addi %c0, %18 : index
    %20 = arith.addi %17, %c1_3 : index
    %21 = arith.muli %c1, %20 : index
    %22 = arith.addi %c0, %21 : index
    %23 = arith.addi %20, %c1_3 : index
    %24 = arith.addf %9#0, %cst : f32
    memref.store %9#1, %arg1[%19] : memref<12xf32>
    memref.store %24, %arg1[%22] : memref<12xf32>
    return
  }
}
// ===== sum_of_products_in_turn | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @sum_of_products_in_turn(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = scf.for %arg3 = %c0 to %c1 step %c1 iter_args(%arg4 = %cst) -> (f32) {
      %2 = memref.load %arg1[%arg3] : memref<?xf32>
      %3 = arith.mulf %2, %2 : f32
      %4 = arith.addf %arg4, %3 : f32
      scf.yield %4 : f32
    } {pipeline}
    %1 = scf.for %arg3 = %c1 to %arg0 step %c1 iter_args(%arg4 = %0) -> (f32) {
      %2 = memref.load %arg1[%arg3] : memref<?xf32>
      %3 = arith.mulf %2, %2 : f32
      %4 = arith.addf %arg4, %3 : f32
      scf.yield %4 : f32
    } {pipeline}
    memref.store %1, %arg2[%c0] : memref<1xf32>
    return
  }
}
// ===== nest_that_is_coalesced | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @nest_that_is_coalesced(%arg0: index, %arg1: memref<?x12xf32>, %arg2: memref<?x12xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c12 = arith.constant 12 : index
    scf.for %arg3 = %c0 to %c1 step %c1 {
      scf.for %arg4 = %c0 to %c3 step %c3 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x12xf32>
        memref.store %0, %arg2[%arg3, %arg4] : memref<?x12xf32>
      }
      scf.for %arg4 = %c3 to %c12 step %c3 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x12xf32>
        memref.store %0, %arg2[%arg3, %arg4] : memref<?x12xf32>
      }
    } {coalesce}
    scf.for %arg3 = %c1 to %arg0 step %c1 {
      scf.for %arg4 = %c0 to %c3 step %c3 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x12xf32>
        memref.store %0, %arg2[%arg3, %arg4] : memref<?x12xf32>
      }
      scf.for %arg4 = %c3 to %c12 step %c3 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x12xf32>
        memref.store %0, %arg2[%arg3, %arg4] : memref<?x12xf32>
      }
    } {coalesce}
    return
  }
}
// ===== nest_that_is_coalesced | mlir-opt 22 | transform-preload-library{transform-library-paths=SCHEDULES/coalesce.mlir},transform-interpreter
#map = affine_map<()[s0] -> (s0 * 4)>
#map1 = affine_map<(d0) -> (d0 * 3)>
module {
  func.func @nest_that_is_coalesced(%arg0: index, %arg1: memref<?x12xf32>, %arg2: memref<?x12xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c12 = arith.constant 12 : index
    %c0_0 = arith.constant 0 : index
    %c1_1 = arith.constant 1 : index
    %c0_2 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1_3 = arith.constant 1 : index
    %0 = affine.apply #map()[%arg0]
    scf.for %arg3 = %c0_0 to %0 step %c1_1 {
      %1:2 = affine.delinearize_index %arg3 into (%arg0, 4) : index, index
      %2 = affine.apply #map1(%1#1)
      %3 = memref.load %arg1[%1#0, %2] : memref<?x12xf32>
      memref.store %3, %arg2[%1#0, %2] : memref<?x12xf32>
    } {coalesce}
    return
  }
}
// ===== division_is_hoisted | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @division_is_hoisted(%arg0: index, %arg1: i32, %arg2: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100_i32 = arith.constant 100 : i32
    %c7_i32 = arith.constant 7 : i32
    scf.for %arg3 = %c0 to %c1 step %c1 {
      %0 = arith.divsi %arg1, %c7_i32 : i32
      %1 = arith.addi %0, %c100_i32 : i32
      memref.store %1, %arg2[%arg3] : memref<?xi32>
    }
    scf.for %arg3 = %c1 to %arg0 step %c1 {
      %0 = arith.divsi %arg1, %c7_i32 : i32
      %1 = arith.addi %0, %c100_i32 : i32
      memref.store %1, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== division_is_hoisted | mlir-opt 22 | loop-invariant-code-motion
module {
  func.func @division_is_hoisted(%arg0: index, %arg1: i32, %arg2: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100_i32 = arith.constant 100 : i32
    %c7_i32 = arith.constant 7 : i32
    %0 = arith.divsi %arg1, %c7_i32 : i32
    %1 = arith.addi %0, %c100_i32 : i32
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      memref.store %1, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== division_by_an_argument_stays | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @division_by_an_argument_stays(%arg0: index, %arg1: i32, %arg2: i32, %arg3: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg4 = %c0 to %c1 step %c1 {
      %0 = arith.divsi %arg1, %arg2 : i32
      %1 = arith.muli %arg1, %arg2 : i32
      %2 = arith.addi %0, %1 : i32
      memref.store %2, %arg3[%arg4] : memref<?xi32>
    }
    scf.for %arg4 = %c1 to %arg0 step %c1 {
      %0 = arith.divsi %arg1, %arg2 : i32
      %1 = arith.muli %arg1, %arg2 : i32
      %2 = arith.addi %0, %1 : i32
      memref.store %2, %arg3[%arg4] : memref<?xi32>
    }
    return
  }
}
// ===== division_by_an_argument_stays | mlir-opt 22 | loop-invariant-code-motion
module {
  func.func @division_by_an_argument_stays(%arg0: index, %arg1: i32, %arg2: i32, %arg3: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.muli %arg1, %arg2 : i32
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %1 = arith.divsi %arg1, %arg2 : i32
      %2 = arith.addi %1, %0 : i32
      memref.store %2, %arg3[%arg4] : memref<?xi32>
    }
    return
  }
}
// ===== quotient_below_a_condition | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @quotient_below_a_condition(%arg0: index, %arg1: i32, %arg2: i32, %arg3: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi ne, %arg2, %c0_i32 : i32
    scf.for %arg4 = %c0 to %c1 step %c1 {
      %1 = arith.muli %arg1, %arg1 : i32
      memref.store %1, %arg3[%arg4] : memref<?xi32>
      scf.if %0 {
        %2 = arith.divsi %arg1, %arg2 : i32
        memref.store %2, %arg3[%arg4] : memref<?xi32>
      }
    }
    scf.for %arg4 = %c1 to %arg0 step %c1 {
      %1 = arith.muli %arg1, %arg1 : i32
      memref.store %1, %arg3[%arg4] : memref<?xi32>
      scf.if %0 {
        %2 = arith.divsi %arg1, %arg2 : i32
        memref.store %2, %arg3[%arg4] : memref<?xi32>
      }
    }
    return
  }
}
// ===== quotient_below_a_condition | mlir-opt 22 | loop-invariant-code-motion
module {
  func.func @quotient_below_a_condition(%arg0: index, %arg1: i32, %arg2: i32, %arg3: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi ne, %arg2, %c0_i32 : i32
    %1 = arith.muli %arg1, %arg1 : i32
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      memref.store %1, %arg3[%arg4] : memref<?xi32>
      scf.if %0 {
        %2 = arith.divsi %arg1, %arg2 : i32
        memref.store %2, %arg3[%arg4] : memref<?xi32>
      }
    }
    return
  }
}
// ===== remainder_in_the_inner_loop | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @remainder_in_the_inner_loop(%arg0: index, %arg1: index, %arg2: memref<?xi32>, %arg3: memref<?x?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100_i32 = arith.constant 100 : i32
    scf.for %arg4 = %c0 to %c1 step %c1 {
      %0 = memref.load %arg2[%arg4] : memref<?xi32>
      scf.for %arg5 = %c0 to %c1 step %c1 {
        %1 = arith.remui %c100_i32, %0 : i32
        %2 = arith.addi %0, %c100_i32 : i32
        %3 = arith.addi %1, %2 : i32
        memref.store %3, %arg3[%arg4, %arg5] : memref<?x?xi32>
      }
      scf.for %arg5 = %c1 to %arg1 step %c1 {
        %1 = arith.remui %c100_i32, %0 : i32
        %2 = arith.addi %0, %c100_i32 : i32
        %3 = arith.addi %1, %2 : i32
        memref.store %3, %arg3[%arg4, %arg5] : memref<?x?xi32>
      }
    }
    scf.for %arg4 = %c1 to %arg0 step %c1 {
      %0 = memref.load %arg2[%arg4] : memref<?xi32>
      scf.for %arg5 = %c0 to %c1 step %c1 {
        %1 = arith.remui %c100_i32, %0 : i32
        %2 = arith.addi %0, %c100_i32 : i32
        %3 = arith.addi %1, %2 : i32
        memref.store %3, %arg3[%arg4, %arg5] : memref<?x?xi32>
      }
      scf.for %arg5 = %c1 to %arg1 step %c1 {
        %1 = arith.remui %c100_i32, %0 : i32
        %2 = arith.addi %0, %c100_i32 : i32
        %3 = arith.addi %1, %2 : i32
        memref.store %3, %arg3[%arg4, %arg5] : memref<?x?xi32>
      }
    }
    return
  }
}
// ===== remainder_in_the_inner_loop | mlir-opt 22 | loop-invariant-code-motion
module {
  func.func @remainder_in_the_inner_loop(%arg0: index, %arg1: index, %arg2: memref<?xi32>, %arg3: memref<?x?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100_i32 = arith.constant 100 : i32
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg2[%arg4] : memref<?xi32>
      %1 = arith.remui %c100_i32, %0 : i32
      %2 = arith.addi %0, %c100_i32 : i32
      %3 = arith.addi %1, %2 : i32
      scf.for %arg5 = %c0 to %arg1 step %c1 {
        memref.store %3, %arg3[%arg4, %arg5] : memref<?x?xi32>
      }
    }
    return
  }
}
// ===== remainder_in_the_inner_loop | iree-opt 24 | loop-invariant-code-motion
module {
  func.func @remainder_in_the_inner_loop(%arg0: index, %arg1: index, %arg2: memref<?xi32>, %arg3: memref<?x?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100_i32 = arith.constant 100 : i32
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg2[%arg4] : memref<?xi32>
      %1 = arith.addi %0, %c100_i32 : i32
      scf.for %arg5 = %c0 to %arg1 step %c1 {
        %2 = arith.remui %c100_i32, %0 : i32
        %3 = arith.addi %2, %1 : i32
        memref.store %3, %arg3[%arg4, %arg5] : memref<?x?xi32>
      }
    }
    return
  }
}
