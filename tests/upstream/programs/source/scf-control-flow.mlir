// Conditions, carried values and dead code of scf.
// passes: canonicalize
// passes: sccp
// passes: cse
// passes: sccp,canonicalize
// passes: loop-invariant-code-motion
// passes: control-flow-sink
// passes: int-range-optimizations
// passes: scf-for-to-while
// passes: remove-dead-values

// -----
// program: branch_on_data
// follows: mlir/test/Dialect/SCF/canonicalize.mlir
func.func @branch_on_data(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %a[%i] : memref<?xf32>
    %positive = arith.cmpf ogt, %0, %zero : f32
    %r = scf.if %positive -> f32 {
      scf.yield %0 : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %r, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: store_in_a_branch_on_data
// follows: mlir/test/Dialect/SCF/canonicalize.mlir
func.func @store_in_a_branch_on_data(%n: index, %a: memref<?xi32>, %b: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %limit = arith.constant 10 : i32
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %a[%i] : memref<?xi32>
    %small = arith.cmpi slt, %0, %limit : i32
    scf.if %small {
      %1 = arith.addi %0, %limit : i32
      %2 = arith.addi %0, %limit : i32
      %3 = arith.muli %1, %2 : i32
      memref.store %3, %b[%i] : memref<?xi32>
    }
  }
  return
}

// -----
// program: condition_inside_its_own_branch
// follows: mlir/test/Dialect/SCF/if-cond-prop.mlir
func.func @condition_inside_its_own_branch(%n: index, %k: index, %a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %below = arith.cmpi slt, %i, %k : index
    scf.if %below {
      scf.if %below {
        memref.store %one, %a[%i] : memref<?xf32>
      } else {
        memref.store %two, %a[%i] : memref<?xf32>
      }
    } else {
      %v = arith.select %below, %one, %two : f32
      memref.store %v, %a[%i] : memref<?xf32>
    }
  }
  return
}

// -----
// program: equal_branches_are_merged
// follows: mlir/test/Dialect/SCF/canonicalize.mlir
func.func @equal_branches_are_merged(%n: index, %k: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %below = arith.cmpi slt, %i, %k : index
    scf.if %below {
      memref.store %one, %a[%i] : memref<?xf32>
    }
    scf.if %below {
      memref.store %two, %b[%i] : memref<?xf32>
    } else {
      memref.store %one, %b[%i] : memref<?xf32>
    }
  }
  return
}

// -----
// program: carried_constant
// follows: mlir/test/Transforms/sccp-structured.mlir
func.func @carried_constant(%n: index, %a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %five) -> i32 {
    %0 = arith.addi %x, %zero : i32
    memref.store %0, %a[%i] : memref<?xi32>
    scf.yield %0 : i32
  }
  memref.store %r, %a[%c0] : memref<?xi32>
  return
}

// -----
// program: branch_of_a_constant
// follows: mlir/test/Transforms/sccp-structured.mlir
func.func @branch_of_a_constant(%n: index, %a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %true = arith.constant true
  scf.for %i = %c0 to %n step %c1 {
    %x = scf.if %true -> i32 {
      scf.yield %three : i32
    } else {
      scf.yield %four : i32
    }
    %y = arith.addi %x, %three : i32
    memref.store %y, %a[%i] : memref<?xi32>
  }
  return
}

// -----
// program: unused_carried_value
// follows: mlir/test/Dialect/SCF/for-loop-dead-cycle.mlir
func.func @unused_carried_value(%n: index, %a: memref<?xf32>, %s: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %y = %zero) -> (f32, f32) {
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = arith.addf %x, %0 : f32
    %2 = arith.mulf %y, %0 : f32
    scf.yield %1, %2 : f32, f32
  }
  memref.store %r#0, %s[%c0] : memref<1xf32>
  return
}

// -----
// program: loop_of_one_iteration
// follows: mlir/test/Dialect/SCF/loop_canonicalize.mlir
func.func @loop_of_one_iteration(%n: index, %a: memref<?x4xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c2 to %c3 step %c1 {
      %0 = memref.load %a[%i, %j] : memref<?x4xf32>
      memref.store %0, %b[%i] : memref<?xf32>
    }
    scf.for %j = %c3 to %c2 step %c1 {
      %0 = memref.load %a[%i, %c0] : memref<?x4xf32>
      memref.store %0, %b[%i] : memref<?xf32>
    }
  }
  return
}

// -----
// program: same_expression_twice
// follows: mlir/test/Transforms/cse.mlir
func.func @same_expression_twice(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = memref.load %a[%i] : memref<?xf32>
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.mulf %0, %1 : f32
    %4 = arith.addf %2, %3 : f32
    memref.store %4, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: load_across_a_store_stays
// follows: mlir/test/Transforms/cse.mlir
func.func @load_across_a_store_stays(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = memref.load %a[%i] : memref<?xf32>
    memref.store %0, %a[%c0] : memref<?xf32>
    %2 = memref.load %a[%i] : memref<?xf32>
    %3 = arith.addf %1, %2 : f32
    memref.store %3, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: value_used_in_one_branch
// follows: mlir/test/Dialect/SCF/control-flow-sink.mlir
func.func @value_used_in_one_branch(%n: index, %k: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = arith.mulf %0, %0 : f32
    %below = arith.cmpi slt, %i, %k : index
    scf.if %below {
      memref.store %1, %b[%i] : memref<?xf32>
    } else {
      memref.store %0, %b[%i] : memref<?xf32>
    }
  }
  return
}

// -----
// program: range_of_the_induction_variable
// follows: mlir/test/Dialect/Affine/int-range-interface.mlir
func.func @range_of_the_induction_variable(%a: memref<16xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %inside = arith.cmpi slt, %i, %c16 : index
    %rest = arith.remui %i, %c16 : index
    %0 = memref.load %a[%rest] : memref<16xi32>
    %1 = arith.select %inside, %0, %zero : i32
    memref.store %1, %b[%i] : memref<16xi32>
  }
  return
}

// -----
// program: integer_arithmetic_folds
// follows: mlir/test/Transforms/canonicalize.mlir
func.func @integer_arithmetic_folds(%n: index, %a: memref<?xi32>, %b: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %a[%i] : memref<?xi32>
    %1 = arith.muli %0, %one : i32
    %2 = arith.addi %1, %two : i32
    %3 = arith.addi %2, %two : i32
    %4 = arith.subi %3, %zero : i32
    %5 = arith.andi %4, %4 : i32
    %6 = arith.xori %5, %zero : i32
    memref.store %6, %b[%i] : memref<?xi32>
  }
  return
}

// -----
// program: select_of_loads
// follows: mlir/test/Dialect/SCF/canonicalize.mlir
func.func @select_of_loads(%n: index, %k: index, %a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = memref.load %b[%i] : memref<?xf32>
    %below = arith.cmpi ult, %i, %k : index
    %above = arith.cmpi uge, %i, %k : index
    %r:2 = scf.if %below -> (f32, f32) {
      scf.yield %0, %1 : f32, f32
    } else {
      scf.yield %1, %1 : f32, f32
    }
    %2 = arith.addf %r#0, %r#1 : f32
    memref.store %2, %c[%i] : memref<?xf32>
  }
  return
}

// -----
// program: region_that_runs_once
// follows: mlir/test/Dialect/SCF/canonicalize.mlir
func.func @region_that_runs_once(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = scf.execute_region -> f32 {
      %0 = memref.load %a[%i] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      scf.yield %1 : f32
    }
    memref.store %v, %b[%i] : memref<?xf32>
  }
  return
}
