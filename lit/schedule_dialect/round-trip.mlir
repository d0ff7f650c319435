// RUN: ROUNDTRIP

// One operation for each method of a schedule; here every form that arguments and results have.
// CHECK-LABEL: schedule.sequence @kernel {
schedule.sequence @kernel {
  // CHECK-NEXT: %C = schedule.get_block "C"
  %C = schedule.get_block "C"
  // CHECK-NEXT: %i, %j, %k = schedule.get_loops %C
  %i, %j, %k = schedule.get_loops %C
  // CHECK-NEXT: %io, %ii = schedule.split %i factors [?, 32]
  %io, %ii = schedule.split %i factors [?, 32]
  // CHECK-NEXT: %jo, %ji = schedule.split %j factor 16 preserve_unit_iters false
  %jo, %ji = schedule.split %j factor 16 preserve_unit_iters false
  // CHECK-NEXT: schedule.reorder %io, %jo, %k, %ii, %ji assert_legal true
  schedule.reorder %io, %jo, %k, %ii, %ji assert_legal true
  // CHECK-NEXT: %f = schedule.fuse %io, %jo
  %f = schedule.fuse %io, %jo
  // CHECK-NEXT: schedule.parallel %f
  schedule.parallel %f
  // CHECK-NEXT: schedule.bind %ii, "threadIdx.x" attributes {note = 1 : i64}
  schedule.bind %ii, "threadIdx.x" attributes {note = 1 : i64}
  // CHECK-NEXT: %A_local = schedule.cache_read %C, "A", "local" assert_legal true
  %A_local = schedule.cache_read %C, "A", "local" assert_legal true
  // CHECK-NEXT: %0, %1 = schedule.get_child_loops
  %0, %1 = schedule.get_child_loops
  // CHECK-NEXT: %2 = schedule.get_child_loops parent %k
  %2 = schedule.get_child_loops parent %k
}

// Arguments may all go by name, the name of the dialect may be left out, and two results have the same name.
// CHECK-LABEL: schedule.sequence {
schedule.sequence {
  // CHECK-NEXT: %C = schedule.get_block "C"
  %C = get_block name "C"
  // CHECK-NEXT: %C_local = schedule.cache_write %C, "C", "local"
  %C_local = cache_write scope "local" buffer "C" block %C
  // CHECK-NEXT: %l, %l_1 = schedule.get_loops %C_local
  %l:2 = get_loops %C_local
  // CHECK-NEXT: schedule.unroll %l_1
  unroll %l#1
}

// Lists inside lists, numbers of all kinds, and nothing at all.
// CHECK-LABEL: schedule.sequence @values attributes {origin = "tests"} {
schedule.sequence @values attributes {origin = "tests"} {
  // CHECK-NEXT: %B = schedule.get_block "B"
  %B = schedule.get_block "B"
  // CHECK-NEXT: %i = schedule.get_loops %B
  %i = schedule.get_loops %B
  // CHECK-NEXT: %p, %q = schedule.split %i factors [-1, 2.5, 1.0e-30, -inf, true, ?, ["a\22b", [], %B]]
  %p, %q = schedule.split %i factors [-1, 2.5, 1.0e-30, -inf, true, ?, ["a\22b", [], %B]]
}

// CHECK-LABEL: schedule.sequence @nothing {
// CHECK-NEXT: }
schedule.sequence @nothing {
}
