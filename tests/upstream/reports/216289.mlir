// The inner loop reads the value that the outer one carries, and carries another one itself.
func.func @grow(%seed: i64) -> i64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %end = scf.for %i = %zero to %three step %one iter_args(%fixed = %seed) -> (i64) {
    %sum = scf.for %j = %zero to %three step %one iter_args(%running = %fixed) -> (i64) {
      %next = arith.addi %running, %fixed : i64
      scf.yield %next : i64
    }
    scf.yield %sum : i64
  }
  return %end : i64
}
