// RUN: opt-tool --pass "cse,unroll,remove-no-op" --statistics %s -o /dev/null 2>&1 | filecheck %s --strict-whitespace --match-full-lines
// RUN: opt-tool --pass "cse,unroll" --statistics=json %s -o /dev/null 2>&1 | filecheck %s --check-prefix JSON

//      CHECK:cse
// CHECK-NEXT:  ops                          7 -> 6
// CHECK-NEXT:  ops loop                     4 -> 3
// CHECK-NEXT:  rewrites use an equal value  1
// CHECK-NEXT:unroll
// CHECK-NEXT:  rewrites unroll              1
// CHECK-NEXT:remove-no-op: no change
// CHECK-NEXT:total
// CHECK-NEXT:  rewrites unroll              1
// CHECK-NEXT:  rewrites use an equal value  1

//      JSON: [
// JSON-NEXT: {"pass": "cse", "ops": {"before": {"arith": 1, "func": 2, "loop": 4}, "after": {"arith": 1, "func": 2, "loop": 3}}, "rewrites": {"use an equal value": 1}, "statistics": {}},
// JSON-NEXT: {"pass": "unroll", {{.*}} "rewrites": {"unroll": 1}, "statistics": {}}
// JSON-NEXT: ]
func.func @twice(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for %k = 0 to 2 {
    %a = loop.load %A[%k] : memref<8xf32>
    %b = loop.load %A[%k] : memref<8xf32>
    %c = arith.addf %a, %b : f32
    loop.store %c, %B[%k] : memref<8xf32>
  }
  func.return
}
