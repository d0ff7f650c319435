// RUN: opt-tool --pass block-channels %s | filecheck %s

module attributes {tw.target = #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 1>} {

// CASE fires: from the first convolution to the last, images stay in blocks.
// CHECK-LABEL: func.func @network(
// CHECK: graph.blocked_conv2d %x, {{.*}} padding [1, 1, 1, 1] : tensor<1x1x6x6x8xf32>
// CHECK-NEXT: graph.relu {{.*}} : tensor<1x1x6x6x8xf32>
// CHECK-NEXT: graph.max_pool2d {{.*}} kernel [2, 2] strides [2, 2] blocked : tensor<1x1x3x3x8xf32>
// CHECK-NEXT: graph.constant
// CHECK-NEXT: graph.blocked_conv2d {{.*}} : tensor<1x2x3x3x8xf32>
// CHECK-NEXT: graph.concat {{.*}} axis 1 : tensor<1x3x3x3x8xf32>
// CHECK-NEXT: graph.unblock_channels {{.*}} : tensor<1x24x3x3xf32>
// CHECK-NEXT: func.return
func.func @network(%x: tensor<1x3x6x6xf32>) -> tensor<1x24x3x3xf32> {
  %w1 = graph.constant dense<1.0> : tensor<8x3x3x3xf32>
  %w2 = graph.constant dense<1.0> : tensor<16x8x1x1xf32>
  %0 = graph.conv2d %x, %w1 padding [1, 1, 1, 1] : tensor<1x8x6x6xf32>
  %1 = graph.relu %0 : tensor<1x8x6x6xf32>
  %2 = graph.max_pool2d %1 kernel [2, 2] strides [2, 2] : tensor<1x8x3x3xf32>
  %3 = graph.conv2d %2, %w2 : tensor<1x16x3x3xf32>
  %4 = graph.concat %2, %3 axis 1 : tensor<1x24x3x3xf32>
  func.return %4 : tensor<1x24x3x3xf32>
}

// CASE fires: groups of whole blocks, channels that are convolved alone, and an addend that is one number a channel.
// CHECK-LABEL: func.func @groups(
// CHECK: %[[X:.*]] = graph.block_channels %x size 8 : tensor<1x2x6x6x8xf32>
// CHECK-NEXT: graph.constant
// CHECK-NEXT: graph.blocked_conv2d %[[X]], {{.*}} groups 2 : tensor<1x2x6x6x8xf32>
// CHECK: graph.blocked_conv2d {{.*}} : tensor<1x2x4x4x8xf32>
// CHECK: graph.reshape {{.*}} shape [1, 2, 1, 1, 8] : tensor<1x2x1x1x8xf32>
// CHECK-NEXT: graph.add {{.*}} : tensor<1x2x4x4x8xf32>
// CHECK-NEXT: graph.unblock_channels
func.func @groups(%x: tensor<1x16x6x6xf32>) -> tensor<1x16x4x4xf32> {
  %w1 = graph.constant dense<1.0> : tensor<16x8x1x1xf32>
  %w2 = graph.constant dense<1.0> : tensor<16x1x3x3xf32>
  %b = graph.constant dense<2.0> : tensor<16x1x1xf32>
  %0 = graph.conv2d %x, %w1 groups 2 : tensor<1x16x6x6xf32>
  %1 = graph.conv2d %0, %w2 groups 16 : tensor<1x16x4x4xf32>
  %2 = graph.add %1, %b : tensor<1x16x4x4xf32>
  func.return %2 : tensor<1x16x4x4xf32>
}

// CASE fires: any number of images, of any height and width.
// CHECK-LABEL: func.func @open_sizes(
// CHECK: graph.blocked_conv2d %x, {{.*}} : tensor<?x1x?x?x8xf32, #graph.dims<n, _, h, w, _>>
// CHECK-NEXT: graph.relu {{.*}} : tensor<?x1x?x?x8xf32, #graph.dims<n, _, h, w, _>>
// CHECK-NEXT: graph.global_avg_pool {{.*}} : tensor<?x1x1x1x8xf32, #graph.dims<n, _, _, _, _>>
// CHECK-NEXT: graph.reshape {{.*}} shape [-1, 8, 1, 1] : tensor<?x8x1x1xf32, #graph.dims<n, _, _, _>>
func.func @open_sizes(%x: tensor<?x3x?x?xf32, #graph.dims<n, _, h, w>>) -> tensor<?x8x1x1xf32, #graph.dims<n, _, _, _>> {
  %w = graph.constant dense<1.0> : tensor<8x3x3x3xf32>
  %0 = graph.conv2d %x, %w padding [1, 1, 1, 1] : tensor<?x8x?x?xf32, #graph.dims<n, _, h, w>>
  %1 = graph.relu %0 : tensor<?x8x?x?xf32, #graph.dims<n, _, h, w>>
  %2 = graph.global_avg_pool %1 : tensor<?x8x1x1xf32, #graph.dims<n, _, _, _>>
  func.return %2 : tensor<?x8x1x1xf32, #graph.dims<n, _, _, _>>
}
// CASE fires: bytes are read as words of four channels; a pixel of the margin is four times its byte. Three channels get
// a fourth one. Blocks have as many channels as a vector has sums.
// CHECK-LABEL: func.func @bytes(
// CHECK: %[[FOUR:.*]] = graph.pad %x before [0, 0, 0, 0] after [0, 1, 0, 0] : tensor<1x4x6x6xui8>
// CHECK-NEXT: %[[BLOCKS:.*]] = graph.block_channels %[[FOUR]] size 4 : tensor<1x1x6x6x4xui8>
// CHECK-NEXT: graph.constant {{.*}} : tensor<2x1x3x3x1x8xi32>
// CHECK-NEXT: %[[WORDS:.*]] = graph.words %[[BLOCKS]] : tensor<1x1x6x6x1xi32>
// CHECK-NEXT: graph.blocked_conv2d %[[WORDS]], {{.*}} padding [1, 1, 1, 1] pad_value 117901063 out_dtype i32 words "u8s8_fits" : tensor<1x2x6x6x8xi32>
// CHECK-NEXT: graph.cast {{.*}} to ui8 : tensor<1x2x6x6x8xui8>
// CHECK: graph.words {{.*}} : tensor<1x2x6x6x2xi32>
// CHECK-NEXT: graph.blocked_conv2d {{.*}} words "u8s8" : tensor<1x2x6x6x8xi32>
func.func @bytes(%x: tensor<1x3x6x6xui8>) -> tensor<1x16x6x6xi32> {
  %w1 = graph.constant dense<1> : tensor<16x3x3x3xi8>
  %w2 = graph.constant dense<-128> : tensor<16x16x1x1xi8>
  %0 = graph.conv2d %x, %w1 padding [1, 1, 1, 1] pad_value 7 out_dtype i32 : tensor<1x16x6x6xi32>
  %1 = graph.cast %0 to ui8 : tensor<1x16x6x6xui8>
  %2 = graph.conv2d %1, %w2 out_dtype i32 : tensor<1x16x6x6xi32>
  func.return %2 : tensor<1x16x6x6xi32>
}
// CASE fires: bytes of each channel alone are multiplied as words of the rows of the window.
// CHECK-LABEL: func.func @bytes_alone(
// CHECK: graph.constant {{.*}} : tensor<2x1x2x8xi32>
// CHECK-NEXT: graph.depthwise_of_words {{.*}} rows 2 strides [2, 2] words "u8s8_fits" : tensor<1x2x3x3x8xi32>
func.func @bytes_alone(%x: tensor<1x16x6x6xui8>) -> tensor<1x16x3x3xi32> {
  %w = graph.constant dense<1> : tensor<16x1x2x2xi8>
  %0 = graph.conv2d %x, %w strides [2, 2] groups 16 out_dtype i32 : tensor<1x16x3x3xi32>
  func.return %0 : tensor<1x16x3x3xi32>
}
// CASE fires: bytes with a sign are moved by 128, for which sums of weights make up; so is the margin.
// CHECK-LABEL: func.func @signed(
// CHECK-DAG: %[[B:.*]] = graph.constant dense<-6144> : tensor<8xi32>
// CHECK-DAG: %[[H:.*]] = graph.constant dense<128> : tensor<i32>
// CHECK: %[[M:.*]] = graph.add {{.*}}, %[[H]] : tensor<1x1x6x6x8xi32>
// CHECK: %[[U:.*]] = graph.cast %[[M]] to ui8 : tensor<1x1x6x6x8xui8>
// CHECK: %[[W:.*]] = graph.words %[[U]]
// CHECK: %[[R:.*]] = graph.reshape %[[B]] shape [-1, 8]
// CHECK: graph.blocked_conv2d %[[W]], {{.*}}, %[[R]] {{.*}} pad_value -2088533117 out_dtype i32 words "u8s8_fits"
func.func @signed(%x: tensor<1x8x6x6xi8>) -> tensor<1x8x8x8xi32> {
  %w = graph.constant dense<6> : tensor<8x8x1x1xi8>
  %0 = graph.conv2d %x, %w padding [1, 1, 1, 1] pad_value 3 out_dtype i32 : tensor<1x8x8x8xi32>
  func.return %0 : tensor<1x8x8x8xi32>
}
// CASE fires: a table for bytes in blocks.
// CHECK-LABEL: func.func @table(
// CHECK: graph.lookup {{.*}}, %t : tensor<1x2x3x3x8xui8>
func.func @table(%x: tensor<1x16x3x3xui8>, %t: tensor<256xui8>) -> tensor<1x16x3x3xui8> {
  %w = graph.constant dense<1> : tensor<16x16x1x1xi8>
  %0 = graph.conv2d %x, %w out_dtype i32 : tensor<1x16x3x3xi32>
  %1 = graph.cast %0 to ui8 : tensor<1x16x3x3xui8>
  %2 = graph.lookup %1, %t : tensor<1x16x3x3xui8>
  func.return %2 : tensor<1x16x3x3xui8>
}
// CASE fires: a convolution reads an image that is in no blocks as it lies.
// CHECK-LABEL: func.func @plain_image(
// CHECK: graph.constant {{.*}} : tensor<2x16x1x1x8xf32>
// CHECK-NEXT: graph.blocked_conv2d %x, {{.*}} : tensor<1x2x6x6x8xf32>
func.func @plain_image(%x: tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32> {
  %w = graph.constant dense<1.0> : tensor<16x16x1x1xf32>
  %0 = graph.conv2d %x, %w : tensor<1x16x6x6xf32>
  func.return %0 : tensor<1x16x6x6xf32>
}

// CASE fires: pixels that each channel alone steps over would have to be gathered.
// CHECK-LABEL: func.func @stepping_channels(
// CHECK: graph.block_channels %x size 8
// CHECK: graph.blocked_conv2d
func.func @stepping_channels(%x: tensor<1x16x6x6xf32>) -> tensor<1x16x3x3xf32> {
  %w = graph.constant dense<1.0> : tensor<16x1x2x2xf32>
  %0 = graph.conv2d %x, %w strides [2, 2] groups 16 : tensor<1x16x3x3xf32>
  func.return %0 : tensor<1x16x3x3xf32>
}

// CASE fires: two channels of zeros fill the last vector up; they are dropped where the image leaves its blocks.
// CHECK-LABEL: func.func @filled(
// CHECK: graph.blocked_conv2d %x, {{.*}} : tensor<1x4x4x4x8xf32>
// CHECK-NEXT: graph.relu {{.*}} : tensor<1x4x4x4x8xf32>
// CHECK-NEXT: graph.unblock_channels {{.*}} : tensor<1x32x4x4xf32>
// CHECK-NEXT: graph.slice {{.*}} : tensor<1x30x4x4xf32>
// CHECK-NEXT: func.return
func.func @filled(%x: tensor<1x64x4x4xf32>) -> tensor<1x30x4x4xf32> {
  %w = graph.constant dense<1.0> : tensor<30x64x1x1xf32>
  %0 = graph.conv2d %x, %w : tensor<1x30x4x4xf32>
  %1 = graph.relu %0 : tensor<1x30x4x4xf32>
  func.return %1 : tensor<1x30x4x4xf32>
}

// CASE fires: four channels fill half of a vector; zeros beside them would cost as much as they do, so blocks are shorter.
// CHECK-LABEL: func.func @halves(
// CHECK: graph.blocked_conv2d %x, {{.*}} : tensor<1x3x4x4x4xf32>
func.func @halves(%x: tensor<1x64x4x4xf32>) -> tensor<1x12x4x4xf32> {
  %w = graph.constant dense<1.0> : tensor<12x64x1x1xf32>
  %0 = graph.conv2d %x, %w : tensor<1x12x4x4xf32>
  func.return %0 : tensor<1x12x4x4xf32>
}

// CASE leaves alone: channels each alone, in an image that is in no blocks.
// CHECK-LABEL: func.func @channels_alone(
// CHECK-NOT: blocked
// CHECK: func.return
func.func @channels_alone(%x: tensor<1x16x6x6xf32>) -> tensor<1x16x4x4xf32> {
  %w = graph.constant dense<1.0> : tensor<16x1x3x3xf32>
  %0 = graph.conv2d %x, %w groups 16 : tensor<1x16x4x4xf32>
  func.return %0 : tensor<1x16x4x4xf32>
}

// CASE leaves alone: its weights are not known while compiling.
func.func @unknown_weights(%x: tensor<1x8x4x4xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> {
  %0 = graph.conv2d %x, %w : tensor<1x8x4x4xf32>
  func.return %0 : tensor<1x8x4x4xf32>
}

// CASE leaves alone: there is no convolution that would gain from blocks.
func.func @no_convolution(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x3x3xf32> {
  %0 = graph.max_pool2d %x kernel [2, 2] : tensor<1x8x3x3xf32>
  %1 = graph.relu %0 : tensor<1x8x3x3xf32>
  func.return %1 : tensor<1x8x3x3xf32>
}

}
