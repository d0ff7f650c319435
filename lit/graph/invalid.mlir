// RUN: opt-tool --split-input-file --verify-diagnostics %s

func.func @element_types(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{expected operands of one element type, but got f32 and f64}}
  %0 = graph.add %a, %b : tensor<4xf32>
  func.return
}

// -----

func.func @float_only(%a: tensor<4xi32>) {
  // expected-error @+1 {{expected floating-point elements, but got i32}}
  %0 = graph.sqrt %a : tensor<4xi32>
  func.return
}

// -----

func.func @bool_only(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected i1 elements, but got f32}}
  %0 = graph.not %a : tensor<4xf32>
  func.return
}

// -----

func.func @no_arithmetic_on_bool(%a: tensor<4xi1>) {
  // expected-error @+1 {{expected integer or floating-point elements, but got i1}}
  %0 = graph.add %a, %a : tensor<4xi1>
  func.return
}

// -----

func.func @broadcast(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{expected shapes that broadcast, but got [2, 3] and [2]}}
  %0 = graph.add %a, %b : tensor<2x3xf32>
  func.return
}

// -----

func.func @names_differ(%a: tensor<?xf32, #graph.dims<n>>, %b: tensor<?xf32, #graph.dims<m>>) {
  // expected-error @+1 {{expected shapes that broadcast, but got [n] and [m]}}
  %0 = graph.add %a, %b : tensor<?xf32, #graph.dims<n>>
  func.return
}

// -----

func.func @nameless(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // expected-error @+1 {{expected shapes that broadcast, but got [?] and [?]}}
  %0 = graph.add %a, %b : tensor<?xf32>
  func.return
}

// -----

func.func @result(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected result type tensor<2x3xf32>, but got tensor<2x4xf32>}}
  %0 = graph.relu %a : tensor<2x4xf32>
  func.return
}

// -----

func.func @result_name(%a: tensor<?xf32, #graph.dims<n>>) {
  // expected-error @+1 {{expected result type tensor<?xf32, #graph.dims<n>>, but got tensor<?xf32, #graph.dims<m>>}}
  %0 = graph.relu %a : tensor<?xf32, #graph.dims<m>>
  func.return
}

// -----

func.func @no_tensor(%a: f32) {
  // expected-error @+1 {{expected a ranked tensor, but got f32}}
  %0 = graph.relu %a : f32
  func.return
}

// -----

func.func @encoding(%a: tensor<?xf32, 1 : i64>) {
  // expected-error @+1 {{expected #graph.dims as the encoding of tensor<?xf32, 1 : i64>}}
  %0 = graph.relu %a : tensor<?xf32>
  func.return
}

// -----

func.func @too_many_names(%a: tensor<?xf32, #graph.dims<n, m>>) {
  // expected-error @+1 {{expected 1 names in #graph.dims<n, m>, but got 2}}
  %0 = graph.relu %a : tensor<?xf32>
  func.return
}

// -----

func.func @static_name(%a: tensor<4xf32, #graph.dims<n>>) {
  // expected-error @+1 {{expected _ for the static dimension 0 in #graph.dims<n>, but got n}}
  %0 = graph.relu %a : tensor<4xf32>
  func.return
}

// -----

func.func @conv_rank(%x: tensor<3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{expected an NCHW image of rank 4, but got [3, 8, 8]}}
  %0 = graph.conv2d %x, %w : tensor<4x6x6xf32>
  func.return
}

// -----

func.func @conv_channels(%x: tensor<1x3x8x8xf32>, %w: tensor<4x2x3x3xf32>) {
  // expected-error @+1 {{expected input channels of the weights to be 3, but got 2}}
  %0 = graph.conv2d %x, %w : tensor<1x4x6x6xf32>
  func.return
}

// -----

func.func @conv_groups(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{expected groups that divide 3 and 4 channels, but got 2}}
  %0 = graph.conv2d %x, %w groups 2 : tensor<1x4x6x6xf32>
  func.return
}

// -----

func.func @conv_bias(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{expected bias of 4 elements, but got 3}}
  %0 = graph.conv2d %x, %w, %b : tensor<1x4x6x6xf32>
  func.return
}

// -----

func.func @conv_window(%x: tensor<1x3x2x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{expected a window of at most 2 elements, but got 3}}
  %0 = graph.conv2d %x, %w : tensor<1x4x1x6xf32>
  func.return
}

// -----

func.func @conv_strides(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{expected strides to be 2 integers >= 1, but got [1, 0]}}
  %0 = graph.conv2d %x, %w strides [1, 0] : tensor<1x4x6x6xf32>
  func.return
}

// -----

func.func @conv_dynamic(%x: tensor<1x3x?x8xf32, #graph.dims<_, _, h, _>>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{expected result type tensor<1x4x?x6xf32, #graph.dims<_, _, "h - 2", _>>, but got tensor<1x4x6x6xf32>}}
  %0 = graph.conv2d %x, %w : tensor<1x4x6x6xf32>
  func.return
}

// -----

func.func @statistics(%x: tensor<1x3x8x8xf32>, %s: tensor<3xf32>, %t: tensor<4xf32>) {
  // expected-error @+1 {{expected mean of 3 elements, but got 4}}
  %0 = graph.batch_norm %x, %s, %s, %t, %s : tensor<1x3x8x8xf32>
  func.return
}

// -----

func.func @dense(%x: tensor<2x3xf32>, %w: tensor<5x4xf32>) {
  // expected-error @+1 {{expected columns of the weights to be 3, but got 4}}
  %0 = graph.dense %x, %w : tensor<2x5xf32>
  func.return
}

// -----

func.func @matmul(%a: tensor<2x3xf32>, %b: tensor<5x3xf32>) {
  // expected-error @+1 {{expected rows of the second matrix to be 3, but got 5}}
  %0 = graph.matmul %a, %b : tensor<2x3xf32>
  func.return
}

// -----

func.func @packed_matmul(%a: tensor<2x3xf32>, %w: tensor<5x4x16xf32>) {
  // expected-error @+1 {{expected terms of the weights to be 3, but got 4}}
  %0 = graph.packed_matmul %a, %w : tensor<2x80xf32>
  func.return
}

// -----

func.func @packed_rows(%w: tensor<?x3x16xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{expected static numbers of columns}}
  %0 = graph.packed_gather %w, %i : tensor<2x3xf32>
  func.return
}

// -----

func.func @packed_rows_outside(%w: tensor<2x3x16xf32>) {
  %i = graph.constant dense<[0, 32]> : tensor<2xi64>
  // expected-error @+1 {{expected indices from -32 to 31, but got 32}}
  %0 = graph.packed_gather %w, %i : tensor<2x3xf32>
  func.return
}

// -----

func.func @packed_rows_of_floats(%w: tensor<2x3x16xf32>, %i: tensor<2xf32>) {
  // expected-error @+1 {{expected i32 or i64 indices, but got f32}}
  %0 = graph.packed_gather %w, %i : tensor<2x3xf32>
  func.return
}

// -----

func.func @packed_columns(%a: tensor<2x3xf32>, %w: tensor<?x3x16xf32>) {
  // expected-error @+1 {{expected static numbers of columns}}
  %0 = graph.packed_matmul %a, %w : tensor<2x80xf32>
  func.return
}

// -----

func.func @reduce_axis(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an axis in [-2, 2), but got 2}}
  %0 = graph.reduce_sum %a axes [2] : tensor<2xf32>
  func.return
}

// -----

func.func @reduce_twice(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected distinct axes, but got [1, -1]}}
  %0 = graph.reduce_sum %a axes [1, -1] : tensor<2xf32>
  func.return
}

// -----

func.func @softmax_axis(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an axis in [-2, 2), but got -3}}
  %0 = graph.softmax %a axis -3 : tensor<2x3xf32>
  func.return
}

// -----

func.func @reshape_count(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected as many elements as [2, 3] has, but got [5]}}
  %0 = graph.reshape %a shape [5] : tensor<5xf32>
  func.return
}

// -----

func.func @reshape_two_open(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected sizes >= 0 and at most one -1, but got [-1, -1]}}
  %0 = graph.reshape %a shape [-1, -1] : tensor<2x3xf32>
  func.return
}

// -----

func.func @reshape_divide(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected sizes that divide [2, 3], but got [4]}}
  %0 = graph.reshape %a shape [4, -1] : tensor<4x2xf32>
  func.return
}

// -----

func.func @flatten_axis(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected an axis in [-2, 2], but got 3}}
  %0 = graph.flatten %a axis 3 : tensor<2x3xf32>
  func.return
}

// -----

func.func @squeeze(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected dimension 0 to be 1, but got 2}}
  %0 = graph.squeeze %a axes [0] : tensor<3xf32>
  func.return
}

// -----

func.func @permutation(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected a permutation of 2 axes, but got [0, 0]}}
  %0 = graph.transpose %a permutation [0, 0] : tensor<2x2xf32>
  func.return
}

// -----

func.func @broadcast_to(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected shapes that broadcast, but got [2, 3] and [2, 4]}}
  %0 = graph.broadcast_to %a shape [2, 4] : tensor<2x4xf32>
  func.return
}

// -----

func.func @concat_rank(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{expected operands of rank 2, but got [2]}}
  %0 = graph.concat %a, %b axis 0 : tensor<4x3xf32>
  func.return
}

// -----

func.func @concat_size(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // expected-error @+1 {{expected dimension 1 to be 3, but got 4}}
  %0 = graph.concat %a, %b axis 0 : tensor<4x3xf32>
  func.return
}

// -----

func.func @split(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected sizes that sum up to 3, but got [1, 1]}}
  %0, %1 = graph.split %a axis 1 sizes [1, 1] : tensor<2x1xf32>, tensor<2x1xf32>
  func.return
}

// -----

func.func @split_results(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{expected 2 results, but got 1}}
  %0 = graph.split %a axis 1 sizes [1, 2] : tensor<2x1xf32>
  func.return
}

// -----

func.func @slice(%a: tensor<7xf32>) {
  // expected-error @+1 {{expected a slice within 7 elements, but got 1 to 7}}
  %0 = graph.slice %a starts [1] sizes [4] steps [2] : tensor<4xf32>
  func.return
}

// -----

func.func @slice_dynamic(%a: tensor<?xf32, #graph.dims<n>>) {
  // expected-error @+1 {{expected size -1 for the dynamic dimension n, but got 4}}
  %0 = graph.slice %a starts [0] sizes [4] steps [1] : tensor<4xf32>
  func.return
}

// -----

func.func @pad(%a: tensor<?xf32, #graph.dims<n>>) {
  // expected-error @+1 {{expected result type tensor<?xf32, #graph.dims<"n + 1">>, but got tensor<?xf32, #graph.dims<n>>}}
  %0 = graph.pad %a before [1] after [0] : tensor<?xf32, #graph.dims<n>>
  func.return
}

// -----

func.func @gather(%a: tensor<7xf32>, %i: tensor<2xf32>) {
  // expected-error @+1 {{expected i32 or i64 indices, but got f32}}
  %0 = graph.gather %a, %i : tensor<2xf32>
  func.return
}

// -----

func.func @constant() {
  %0 = graph.constant dense<1.0> : tensor<2xf32>
  // expected-error @+1 {{expected a dense or resource value, but got 1 : i64}}
  %1 = "graph.constant"() <{value = 1 : i64}> : () -> tensor<2xf32>
  func.return
}

// -----

func.func @undefined(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected a value that is defined before, but got %b}}
  %0 = graph.relu %b : tensor<4xf32>
  func.return
}

// -----

func.func @cycle() {
  // expected-error @+1 {{expected a value that is defined before, but got %1}}
  %0 = graph.relu %1 : tensor<4xf32>
  %1 = graph.relu %0 : tensor<4xf32>
  func.return
}

// -----

func.func @twice(%a: tensor<4xf32>) {
  // expected-error @+1 {{low is given twice}}
  %0 = graph.clip %a low 0.0 low 1.0 : tensor<4xf32>
  func.return
}

// -----

func.func @fused_arguments(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected arguments of the operands' types (tensor<4xf32>), but got (tensor<5xf32>)}}
  graph.fused "g" (%b = %a : tensor<5xf32>) -> () {
    graph.yield
  }
  func.return
}

// -----

func.func @fused_yield(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected to yield (tensor<5xf32>), but got (tensor<4xf32>)}}
  %0 = graph.fused "g" (%b = %a : tensor<4xf32>) -> (tensor<5xf32>) {
    graph.yield %b
  }
  func.return
}

// -----

func.func @block_size(%a: tensor<1x12x4x4xf32>) {
  // expected-error @+1 {{expected a size that divides the channels of [1, 12, 4, 4], but got 8}}
  %0 = graph.block_channels %a size 8 : tensor<1x2x4x4x8xf32>
  func.return
}

// -----

func.func @blocked_groups(%a: tensor<1x3x4x4x8xf32>, %w: tensor<4x1x1x1x8x8xf32>) {
  // expected-error @+1 {{expected groups that divide 3 and 4 blocks of channels, but got 2}}
  %0 = graph.blocked_conv2d %a, %w groups 2 : tensor<1x4x4x4x8xf32>
  func.return
}

// -----

func.func @blocked_weights(%a: tensor<1x3x4x4x8xf32>, %w: tensor<4x3x1x1x4x8xf32>) {
  // expected-error @+1 {{expected input channels of the weights to be 8, but got 4}}
  %0 = graph.blocked_conv2d %a, %w : tensor<1x4x4x4x8xf32>
  func.return
}

// -----

func.func @winograd_tile(%a: tensor<1x3x4x4x8xf32>, %w: tensor<3x3x4x3x8x8xf32>) {
  // expected-error @+1 {{expected weights of tiles of 4 x 4 elements, but got the shape [3, 3, 4, 3, 8, 8]}}
  %0 = graph.winograd_conv2d %a, %w : tensor<1x4x2x2x8xf32>
  func.return
}

// -----

func.func @winograd_channels(%a: tensor<1x3x4x4x8xf32>, %w: tensor<4x4x4x2x8x8xf32>) {
  // expected-error @+1 {{expected blocks of input channels of the weights to be 3, but got 2}}
  %0 = graph.winograd_conv2d %a, %w : tensor<1x4x2x2x8xf32>
  func.return
}

// -----

func.func @winograd_integers(%a: tensor<1x3x4x4x8xi32>, %w: tensor<4x4x4x3x8x8xi32>) {
  // expected-error @+1 {{expected floating-point elements, but got i32}}
  %0 = graph.winograd_conv2d %a, %w : tensor<1x4x2x2x8xi32>
  func.return
}

// -----

func.func @words_of_floats(%a: tensor<1x3x4x4x8xf32>) {
  // expected-error @+1 {{expected integers of 8 bits, but got f32}}
  %0 = graph.words %a : tensor<1x3x4x4x2xi32>
  func.return
}

// -----

func.func @columns_of_words(%a: tensor<1x2x4x4x8xui8>, %w: tensor<2x1x3x8xi32>) {
  // expected-error @+1 {{expected rows of which 1 words have four each, but got 5}}
  %0 = graph.depthwise_of_words %a, %w rows 5 : tensor<1x2x1x2x8xi32>
  func.return
}

// -----

func.func @columns_of_signed_bytes(%a: tensor<1x2x4x4x8xi8>, %w: tensor<2x1x3x8xi32>) {
  // expected-error @+1 {{expected an image of uint8, as `words` says, but got int8}}
  %0 = graph.depthwise_of_words %a, %w rows 3 words "u8s8" : tensor<1x2x2x2x8xi32>
  func.return
}

// -----

func.func @columns_of_unknown_words(%a: tensor<1x2x4x4x8xui8>, %w: tensor<2x1x3x8xi32>) {
  // expected-error @+1 {{expected words to be one of u8s8, u8s8_fits, u8u8, s8s8, s8u8, but got u4s4}}
  %0 = graph.depthwise_of_words %a, %w rows 3 words "u4s4" : tensor<1x2x2x2x8xi32>
  func.return
}

// -----

func.func @columns_of_floats(%a: tensor<1x2x4x4x8xui8>, %w: tensor<2x1x3x8xf32>) {
  // expected-error @+1 {{expected weights of i32, but got tensor<2x1x3x8xf32>}}
  %0 = graph.depthwise_of_words %a, %w rows 3 : tensor<1x2x2x2x8xi32>
  func.return
}

// -----

func.func @columns_of_other_blocks(%a: tensor<1x3x4x4x8xui8>, %w: tensor<2x1x3x8xi32>) {
  // expected-error @+1 {{expected blocks of channels of the weights to be 3, but got 2}}
  %0 = graph.depthwise_of_words %a, %w rows 3 : tensor<1x3x2x2x8xi32>
  func.return
}

// -----

func.func @lookup_of_words(%a: tensor<4xi32>, %t: tensor<256xi8>) {
  // expected-error @+1 {{expected integers of 8 bits, but got i32}}
  %0 = graph.lookup %a, %t : tensor<4xi8>
  func.return
}

// -----

func.func @lookup_in_a_short_table(%a: tensor<4xi8>, %t: tensor<16xi8>) {
  // expected-error @+1 {{expected table of 256 elements, but got 16}}
  %0 = graph.lookup %a, %t : tensor<4xi8>
  func.return
}

// -----

func.func @part_of_a_word(%a: tensor<1x3x4x4x6xi8>) {
  // expected-error @+1 {{expected a last dimension of a multiple of 4 bytes, but got the shape [1, 3, 4, 4, 6]}}
  %0 = graph.words %a : tensor<1x3x4x4x1xi32>
  func.return
}

// -----

func.func @types_of_bytes(%a: tensor<1x3x4x4x2xi32>, %w: tensor<4x3x1x1x2x8xi32>) {
  // expected-error @+1 {{expected words to be one of u8s8, u8s8_fits, u8u8, s8s8, s8u8, but got s4s4}}
  %0 = graph.blocked_conv2d %a, %w words "s4s4" : tensor<1x4x4x4x8xi32>
  func.return
}

// -----

func.func @words_of_bytes(%a: tensor<1x3x4x4x8xi8>, %w: tensor<4x3x1x1x8x8xi8>) {
  // expected-error @+1 {{expected factors of i32, as `words` says}}
  %0 = graph.blocked_conv2d %a, %w words "s8s8" : tensor<1x4x4x4x8xi8>
  func.return
}

// -----

func.func @blocked_rank(%a: tensor<1x3x4x4x8xf32>, %w: tensor<4x3x1xf32>) {
  // expected-error @+1 {{expected weights of rank 4 to 6, but got rank 3}}
  %0 = graph.blocked_conv2d %a, %w : tensor<1x4x4x4x8xf32>
  func.return
}

// -----

func.func @pad_beyond(%a: tensor<3xui8>) {
  // expected-error @+1 {{expected a value from 0 to 255, as ui8 has, but got -1.0}}
  %0 = graph.pad %a before [1] after [0] value -1.0 : tensor<4xui8>
  func.return
}

// -----

func.func @dilate_beyond(%a: tensor<3xi1>) {
  // expected-error @+1 {{expected a dilation_value from 0 to 1, as i1 has, but got 2.0}}
  %0 = graph.dilate %a strides [2] dilation_value 2.0 : tensor<5xi1>
  func.return
}

// -----

func.func @mask_beyond(%a: tensor<2x3xi8>, %n: tensor<3xi32>) {
  // expected-error @+1 {{expected a mask_value from -128 to 127, as i8 has, but got 128.0}}
  %0 = graph.sequence_mask %a, %n mask_value 128.0 axis 0 : tensor<2x3xi8>
  func.return
}

// -----

func.func @margins_beyond(%a: tensor<1x4xi16>) {
  // expected-error @+1 {{expected a pad_value from -32768 to 32767, as i16 has, but got 40000.0}}
  %0 = graph.space_to_batch_nd %a block_shape [2] pad_before [0] pad_after [0] pad_value 40000.0 : tensor<2x2xi16>
  func.return
}

// -----

func.func @quantized_type(%x: tensor<2xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected integers of 8 or 16 bits, but got i32}}
  %0 = graph.quantize %x, %s to i32 : tensor<2xi32>
  func.return
}

// -----

func.func @zero_point_type(%x: tensor<2xf32>, %s: tensor<f32>, %z: tensor<i8>) {
  // expected-error @+1 {{expected a zero point of ui8, but got i8}}
  %0 = graph.quantize %x, %s, %z to ui8 : tensor<2xui8>
  func.return
}

// -----

func.func @scales(%x: tensor<2x3xi8>, %s: tensor<2xf32>) {
  // expected-error @+1 {{expected scale of 3 elements, but got 2}}
  %0 = graph.dequantize %x, %s to f32 : tensor<2x3xf32>
  func.return
}

// -----

func.func @dequantized_floats(%x: tensor<2xf32>, %s: tensor<f32>) {
  // expected-error @+1 {{expected integers of 8 to 32 bits, but got f32}}
  %0 = graph.dequantize %x, %s to f32 : tensor<2xf32>
  func.return
}

// -----

func.func @margin(%x: tensor<1x1x3x3xi8>, %w: tensor<1x1x1x1xi8>) {
  // expected-error @+1 {{expected a pad_value from -128 to 127, as i8 has, but got 128}}
  %0 = graph.conv2d %x, %w padding [1, 1, 1, 1] pad_value 128 out_dtype i32 : tensor<1x1x5x5xi32>
  func.return
}

// -----

func.func @bias_type(%x: tensor<1x3xi8>, %w: tensor<2x3xi8>, %b: tensor<2xi8>) {
  // expected-error @+1 {{expected a bias of i32 as the result, but got i8}}
  %0 = graph.dense %x, %w, %b out_dtype i32 : tensor<1x2xi32>
  func.return
}
