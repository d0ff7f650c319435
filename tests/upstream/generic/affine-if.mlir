#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (8)>
#map3 = affine_map<() -> (9)>
#set = affine_set<(d0, d1)[s0] : (d0 - 1 >= 0, -d0 + s0 - 2 >= 0, d1 mod 2 == 0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<9x8xi32>, memref<9x8xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<9x8xi32>, %arg1: memref<9x8xi32>):
    %0 = "arith.constant"() <{value = 9 : index}> : () -> index
    %1 = "arith.constant"() <{value = -1 : i32}> : () -> i32
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map3}> ({
    ^bb0(%arg2: index):
      "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
      ^bb0(%arg3: index):
        "affine.if"(%arg2, %arg3, %0) <{condition = #set}> ({
          %2 = "affine.load"(%arg0, %arg2, %arg3) <{map = #map}> : (memref<9x8xi32>, index, index) -> i32
          "affine.store"(%2, %arg1, %arg2, %arg3) <{map = #map}> : (i32, memref<9x8xi32>, index, index) -> ()
          "affine.yield"() : () -> ()
        }, {
          "affine.store"(%1, %arg1, %arg2, %arg3) <{map = #map}> : (i32, memref<9x8xi32>, index, index) -> ()
          "affine.yield"() : () -> ()
        }) : (index, index, index) -> ()
        "affine.yield"() : () -> ()
      }) : () -> ()
      "affine.yield"() : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

