"""A user's library of tensor intrinsics."""

from tilewright import tir

BUFFERS = "%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>"

tir.TensorIntrin.register(
    "library.add_8",
    f"""
    func.func @described({BUFFERS}) {{
      loop.for %i = 0 to 8 {{
        loop.block "c" (%v = spatial(%i) in 8) {{
          %x = loop.load %a[%v] : memref<8xf32>
          %y = loop.load %b[%v] : memref<8xf32>
          %z = arith.addf %x, %y : f32
          loop.store %z, %c[%v] : memref<8xf32>
        }}
      }}
      func.return
    }}
    """,
    f"""
    func.func @implemented({BUFFERS}) attributes {{
        tw.foreign = [#loop.foreign<"c", "void add_8(float *c, const float *a, const float *b);">]}} {{
      loop.call_extern "add_8"(write %c[0] box [8] : memref<8xf32>, read %a[0] box [8] : memref<8xf32>,
                               read %b[0] box [8] : memref<8xf32>)
      func.return
    }}
    """,
    override=True,
)
