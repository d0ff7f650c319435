#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (9)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<() -> (4)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x9xf64>, memref<4xf64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4x9xf64>, %arg1: memref<4xf64>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f64}> : () -> f64
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map4}> ({
    ^bb0(%arg2: index):
      %1 = "affine.for"(%0) <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 1>, step = 2 : index, upperBoundMap = #map2}> ({
      ^bb0(%arg3: index, %arg4: f64):
        %2 = "affine.load"(%arg0, %arg2, %arg3) <{map = #map}> : (memref<4x9xf64>, index, index) -> f64
        %3 = "arith.addf"(%arg4, %2) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        "affine.yield"(%3) : (f64) -> ()
      }) : (f64) -> f64
      "affine.store"(%1, %arg1, %arg2) <{map = #map3}> : (f64, memref<4xf64>, index) -> ()
      "affine.yield"() : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

