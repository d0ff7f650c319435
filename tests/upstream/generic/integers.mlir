#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (24)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<24xi8>, memref<24xi32>, memref<24xindex>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<24xi8>, %arg1: memref<24xi32>, %arg2: memref<24xindex>):
    %0 = "arith.constant"() <{value = 3 : index}> : () -> index
    %1 = "arith.constant"() <{value = 5 : i32}> : () -> i32
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg3: index):
      %2 = "affine.load"(%arg0, %arg3) <{map = #map}> : (memref<24xi8>, index) -> i8
      %3 = "arith.extsi"(%2) : (i8) -> i32
      %4 = "arith.extui"(%2) : (i8) -> i32
      %5 = "arith.cmpi"(%3, %1) <{predicate = 2 : i64}> : (i32, i32) -> i1
      %6 = "arith.select"(%5, %3, %4) : (i1, i32, i32) -> i32
      %7 = "arith.index_cast"(%arg3) : (index) -> i32
      %8 = "arith.xori"(%6, %7) : (i32, i32) -> i32
      %9 = "arith.shli"(%8, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "affine.store"(%9, %arg1, %arg3) <{map = #map}> : (i32, memref<24xi32>, index) -> ()
      %10 = "arith.remui"(%arg3, %0) : (index, index) -> index
      %11 = "arith.divui"(%arg3, %0) : (index, index) -> index
      %12 = "arith.muli"(%10, %11) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      "affine.store"(%12, %arg2, %arg3) <{map = #map}> : (index, memref<24xindex>, index) -> ()
      "affine.yield"() : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

