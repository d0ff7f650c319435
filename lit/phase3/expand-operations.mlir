// RUN: opt-tool --pass expand-operations --split-input-file %s | filecheck %s

builtin.module attributes {tw.target = #target.cpu<features ["f16c"], vector_bits 256, caches [1, 1, 1], threads 1>} {
  // CASE fires: halves are added as f32, and converted by instructions.
  // CHECK-LABEL: func.func private @halves(
  // CHECK-NEXT:    [[A:%[a-z0-9_]+]] = arith.extf %a : f16 to f32
  // CHECK-NEXT:    [[B:%[a-z0-9_]+]] = arith.extf %b : f16 to f32
  // CHECK-NEXT:    [[S:%[a-z0-9_]+]] = arith.addf [[A]], [[B]] : f32
  // CHECK-NEXT:    [[R:%[a-z0-9_]+]] = arith.truncf [[S]] : f32 to f16
  // CHECK-NEXT:    func.return [[R]] : f16
  func.func private @halves(%a: f16, %b: f16) -> f16 {
    %c = arith.addf %a, %b : f16
    func.return %c : f16
  }

  // CASE fires: the bits of a bf16 are the upper half of an f32's.
  // CHECK-LABEL: func.func private @wider(
  // CHECK-NEXT:    [[H:%[a-z0-9_]+]] = arith.bitcast %a : vector<8xbf16> to vector<8xi16>
  // CHECK-NEXT:    [[W:%[a-z0-9_]+]] = arith.extui [[H]] : vector<8xi16> to vector<8xi32>
  // CHECK:         [[L:%[a-z0-9_]+]] = arith.shli [[W]], %{{.*}} : vector<8xi32>
  // CHECK-NEXT:    arith.bitcast [[L]] : vector<8xi32> to vector<8xf32>
  func.func private @wider(%a: vector<8xbf16>) -> vector<8xf32> {
    %b = arith.extf %a : vector<8xbf16> to vector<8xf32>
    func.return %b : vector<8xf32>
  }

  // CASE fires: the bits of a float of 8 bits are widened in integers.
  // CHECK-LABEL: func.func private @stored(
  // CHECK-NEXT:    [[CODE:%[a-z0-9_]+]] = arith.bitcast %a : f8E5M2 to i8
  // CHECK-NEXT:    [[WORD:%[a-z0-9_]+]] = arith.extui [[CODE]] : i8 to i32
  // CHECK-NEXT:    [[LOW:%[a-z0-9_]+]] = arith.constant 127 : i32
  // CHECK-NEXT:    [[SIZE:%[a-z0-9_]+]] = arith.andi [[WORD]], [[LOW]] : i32
  // CHECK:         [[SIGN:%[a-z0-9_]+]] = arith.andi [[WORD]], %{{.*}} : i32
  // CHECK-NOT:     f8E5M2
  // CHECK:         [[R:%[a-z0-9_]+]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK-NEXT:    func.return [[R]] : f32
  func.func private @stored(%a: f8E5M2) -> f32 {
    %b = arith.extf %a : f8E5M2 to f32
    func.return %b : f32
  }

  // CASE fires: the sign of an integer of 4 bits is copied by shifts.
  // CHECK-LABEL: func.func private @nibble(
  // CHECK-NEXT:    [[W:%[a-z0-9_]+]] = arith.extui %a : i4 to i32
  // CHECK:         [[L:%[a-z0-9_]+]] = arith.shli [[W]], %{{.*}} : i32
  // CHECK:         [[S:%[a-z0-9_]+]] = arith.shrsi [[L]], %{{.*}} : i32
  // CHECK-NEXT:    [[T:%[a-z0-9_]+]] = arith.trunci [[S]] : i32 to i8
  func.func private @nibble(%a: i4) -> i8 {
    %b = arith.extsi %a : i4 to i8
    func.return %b : i8
  }

  // CASE leaves alone: what only moves the bits of a storage type.
  // CHECK-LABEL: func.func private @stored_moves(
  // CHECK-NEXT:    [[C:%[a-z0-9_]+]] = arith.select %q, %a, %b : f4E2M1FN
  // CHECK-NEXT:    [[B:%[a-z0-9_]+]] = arith.bitcast [[C]] : f4E2M1FN to i4
  // CHECK-NEXT:    arith.extui [[B]] : i4 to i32
  func.func private @stored_moves(%q: i1, %a: f4E2M1FN, %b: f4E2M1FN) -> i32 {
    %c = arith.select %q, %a, %b : f4E2M1FN
    %d = arith.bitcast %c : f4E2M1FN to i4
    %e = arith.extui %d : i4 to i32
    func.return %e : i32
  }

  // CASE fires: there is no instruction that rounds to an integer.
  // CHECK-LABEL: func.func private @down(
  // CHECK-NOT:     math.floor
  // CHECK:         math.copysign
  func.func private @down(%a: f32) -> f32 {
    %b = math.floor %a : f32
    func.return %b : f32
  }

  // CASE fires: quotients that are rounded down, by divisors that are safe.
  // CHECK-LABEL: func.func private @quotient(
  // CHECK:         arith.divsi %a, %{{.*}} {tw.safe_divisor} : i32
  // CHECK:         arith.remsi %a, %{{.*}} {tw.safe_divisor} : i32
  // CHECK:         arith.select
  func.func private @quotient(%a: i32, %b: i32) -> i32 {
    %c = arith.floordivsi %a, %b : i32
    func.return %c : i32
  }

  // CASE leaves alone: what the target has, and what only moves halves.
  // CHECK-LABEL: func.func private @moved(
  // CHECK-NEXT:    arith.select %{{.*}} : f16
  // CHECK-NEXT:    arith.extf %{{.*}} : f16 to f32
  // CHECK-NEXT:    arith.addf %{{.*}} : f32
  func.func private @moved(%q: i1, %a: f16, %b: f16) -> f32 {
    %c = arith.select %q, %a, %b : f16
    %d = arith.extf %c : f16 to f32
    %e = arith.addf %d, %d : f32
    func.return %e : f32
  }
}

// -----

// CASE fires: on a GPU halves are converted by what its backend has; it divides by what has a quotient, here 1 for 0.
// CHECK: #target.cuda
builtin.module attributes {tw.target = #target.cuda<arch "sm_90", max_threads 1024, shared 49152, warp 32>} {
  // CHECK-LABEL: func.func private @gpu(
  // CHECK:         arith.mulf %{{.*}} : f32
  // CHECK-NEXT:    arith.truncf %{{.*}} : f32 to bf16
  // CHECK:         [[ZERO:%[a-z0-9_]+]] = arith.cmpi eq, %n, %{{.*}} : i32
  // CHECK:         [[SAFE:%[a-z0-9_]+]] = arith.select [[ZERO]], %{{.*}}, %n : i32
  // CHECK-NEXT:    [[Q:%[a-z0-9_]+]] = arith.divui %n, [[SAFE]] {tw.safe_divisor} : i32
  // CHECK:         arith.select [[ZERO]], %{{.*}}, [[Q]] : i32
  func.func private @gpu(%a: bf16, %n: i32) -> (bf16, i32) {
    %b = arith.mulf %a, %a : bf16
    %m = arith.divui %n, %n : i32
    func.return %b, %m : bf16, i32
  }
}

// -----

// CASE leaves alone: a quotient by a number that has one is what the language has.
// CHECK: #target.cuda
builtin.module attributes {tw.target = #target.cuda<arch "sm_90", max_threads 1024, shared 49152, warp 32>} {
  // CHECK-LABEL: func.func private @plain(
  // CHECK:         arith.floordivsi %n, %seven : i32
  // CHECK-NEXT:    func.return
  func.func private @plain(%n: i32) -> i32 {
    %seven = arith.constant 7 : i32
    %m = arith.floordivsi %n, %seven : i32
    func.return %m : i32
  }
}
