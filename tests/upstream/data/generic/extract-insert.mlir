"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, memref<8xf32>, memref<4x8xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: memref<8xf32>, %arg2: memref<4x8xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 4 : index}> : () -> index
    %3 = "vector.load"(%arg1, %0) : (memref<8xf32>, index) -> vector<8xf32>
    %4 = "vector.load"(%arg2, %0, %0) : (memref<4x8xf32>, index, index) -> vector<4x8xf32>
    %5 = "vector.extract"(%4) <{static_position = array<i64: 1>}> : (vector<4x8xf32>) -> vector<8xf32>
    %6 = "vector.extract"(%4) <{static_position = array<i64: 2, 3>}> : (vector<4x8xf32>) -> f32
    %7 = "vector.insert"(%5, %4) <{static_position = array<i64: 0>}> : (vector<8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    %8 = "vector.insert"(%6, %7) <{static_position = array<i64: 3, 7>}> : (f32, vector<4x8xf32>) -> vector<4x8xf32>
    %9 = "vector.shape_cast"(%8) : (vector<4x8xf32>) -> vector<2x16xf32>
    %10 = "vector.transpose"(%9) <{permutation = array<i64: 1, 0>}> : (vector<2x16xf32>) -> vector<16x2xf32>
    %11 = "vector.transpose"(%10) <{permutation = array<i64: 1, 0>}> : (vector<16x2xf32>) -> vector<2x16xf32>
    %12 = "vector.shape_cast"(%11) : (vector<2x16xf32>) -> vector<4x8xf32>
    %13 = "vector.extract_strided_slice"(%12) <{offsets = [1, 2], sizes = [2, 4], strides = [1, 1]}> : (vector<4x8xf32>) -> vector<2x4xf32>
    %14 = "vector.insert_strided_slice"(%13, %12) <{offsets = [0, 0], strides = [1, 1]}> : (vector<2x4xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    %15 = "vector.insert_strided_slice"(%3, %14) <{offsets = [2, 0], strides = [1]}> : (vector<8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    %16 = "vector.broadcast"(%6) : (f32) -> vector<4x8xf32>
    %17 = "arith.addf"(%15, %16) <{fastmath = #arith.fastmath<none>}> : (vector<4x8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    %18 = "vector.shuffle"(%3, %3) <{mask = array<i64: 0, 9, 2, 11>}> : (vector<8xf32>, vector<8xf32>) -> vector<4xf32>
    %19 = "vector.broadcast"(%3) : (vector<8xf32>) -> vector<4x8xf32>
    %20 = "arith.addf"(%17, %19) <{fastmath = #arith.fastmath<none>}> : (vector<4x8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    %21 = "vector.shape_cast"(%18) : (vector<4xf32>) -> vector<4x1xf32>
    %22 = "vector.broadcast"(%21) : (vector<4x1xf32>) -> vector<4x8xf32>
    %23 = "arith.mulf"(%20, %22) <{fastmath = #arith.fastmath<none>}> : (vector<4x8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    "vector.store"(%23, %arg2, %0, %0) : (vector<4x8xf32>, memref<4x8xf32>, index, index) -> ()
    "scf.for"(%0, %2, %1) ({
    ^bb0(%arg3: index):
      %24 = "vector.extract"(%18, %arg3) <{static_position = array<i64: -9223372036854775808>}> : (vector<4xf32>, index) -> f32
      %25 = "vector.insert"(%24, %3, %arg3) <{static_position = array<i64: -9223372036854775808>}> : (f32, vector<8xf32>, index) -> vector<8xf32>
      %26 = "vector.reduction"(%25) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<add>}> : (vector<8xf32>) -> f32
      "memref.store"(%26, %arg0, %arg3) : (f32, memref<4xf32>, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
