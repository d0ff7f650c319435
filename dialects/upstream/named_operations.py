"""The named operations of linalg: one row for each, with the index of every operand in the notation of einsum.

`"n oh+kh ow+kw c"` indexes an operand of four dimensions; `oh+kh` is a window: `oh * stride + kh * dilation`, with the
first stride and dilation for the first window of the operand, and so on. The loops of an operation are the names of its
result in order, which are parallel, then the others in order of first use, which are reductions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from xdsl.ir.affine import AffineExpr, AffineMap


@dataclass(frozen=True)
class NamedOperation:
    """The indexing of a named operation's operands, and the name of its scalar body (`scalar_bodies.py`)."""

    inputs: tuple[str, ...]
    output: str
    body: str

    @cached_property
    def loops(self) -> tuple[str, ...]:
        """The names of the loops, from the outermost to the innermost."""
        names = self.output.split()
        names += [name for text in self.inputs for part in text.split() for name in part.split("+")]
        return tuple(dict.fromkeys(names))

    def maps(self, strides: list[int], dilations: list[int]) -> list[AffineMap]:
        """Return the indexing maps of the inputs and of the output."""
        return [self._map(text, strides, dilations) for text in (*self.inputs, self.output)]

    def _map(self, text: str, strides: list[int], dilations: list[int]) -> AffineMap:
        results: list[AffineExpr] = []
        windows = 0
        for part in text.split():
            first, _, second = part.partition("+")
            index = AffineExpr.dimension(self.loops.index(first))
            if second:
                offset = AffineExpr.dimension(self.loops.index(second))
                stride = strides[windows] if strides else 1
                dilation = dilations[windows] if dilations else 1
                index = index * stride + offset * dilation
                windows += 1
            results.append(index)
        return AffineMap(len(self.loops), 0, tuple(results))


def _product(first: str, second: str, output: str) -> NamedOperation:
    return NamedOperation((first, second), output, "mul_add")


def _pools(layout: str, windows: str, image: str, output: str) -> dict[str, NamedOperation]:
    kinds = {"sum": "add", "max": "max", "min": "min", "max_unsigned": "max_unsigned", "min_unsigned": "min_unsigned"}
    return {
        f"pooling_{layout}_{name}": NamedOperation((image, windows), output, f"pool_{combine}")
        for name, combine in kinds.items()
    }


NAMED: dict[str, NamedOperation] = {
    "matmul": _product("m k", "k n", "m n"),
    "matmul_transpose_a": _product("k m", "k n", "m n"),
    "matmul_transpose_b": _product("m k", "n k", "m n"),
    "batch_matmul": _product("b m k", "b k n", "b m n"),
    "batch_matmul_transpose_a": _product("b k m", "b k n", "b m n"),
    "batch_matmul_transpose_b": _product("b m k", "b n k", "b m n"),
    "batch_reduce_matmul": _product("b m k", "b k n", "m n"),
    "matvec": _product("m n", "n", "m"),
    "vecmat": _product("m", "m n", "n"),
    "batch_matvec": _product("b m k", "b k", "b m"),
    "batch_vecmat": _product("b k", "b k n", "b n"),
    "dot": _product("m", "m", ""),
    "mmt4d": _product("m k m0 k0", "n k n0 k0", "m n m0 n0"),
    "batch_mmt4d": _product("b m k m0 k0", "b n k n0 k0", "b m n m0 n0"),
    "conv_1d": _product("ow+kw", "kw", "ow"),
    "conv_2d": _product("oh+kh ow+kw", "kh kw", "oh ow"),
    "conv_3d": _product("od+kd oh+kh ow+kw", "kd kh kw", "od oh ow"),
    "conv_1d_nwc_wcf": _product("n ow+kw c", "kw c f", "n ow f"),
    "conv_1d_ncw_fcw": _product("n c ow+kw", "f c kw", "n f ow"),
    "conv_2d_nhwc_hwcf": _product("n oh+kh ow+kw c", "kh kw c f", "n oh ow f"),
    "conv_2d_nhwc_fhwc": _product("n oh+kh ow+kw c", "f kh kw c", "n oh ow f"),
    "conv_2d_nchw_fchw": _product("n c oh+kh ow+kw", "f c kh kw", "n f oh ow"),
    "conv_2d_ngchw_fgchw": _product("n g c oh+kh ow+kw", "f g c kh kw", "n g f oh ow"),
    "conv_2d_ngchw_gfchw": _product("n g c oh+kh ow+kw", "g f c kh kw", "n g f oh ow"),
    "conv_2d_nhwgc_gfhwc": _product("n oh+kh ow+kw g c", "g f kh kw c", "n oh ow g f"),
    "conv_3d_ndhwc_dhwcf": _product("n od+kd oh+kh ow+kw c", "kd kh kw c f", "n od oh ow f"),
    "conv_3d_ncdhw_fcdhw": _product("n c od+kd oh+kh ow+kw", "f c kd kh kw", "n f od oh ow"),
    "depthwise_conv_1d_nwc_wc": _product("n ow+kw c", "kw c", "n ow c"),
    "depthwise_conv_1d_ncw_cw": _product("n c ow+kw", "c kw", "n c ow"),
    "depthwise_conv_1d_nwc_wcm": _product("n ow+kw c", "kw c m", "n ow c m"),
    "depthwise_conv_2d_nhwc_hwc": _product("n oh+kh ow+kw c", "kh kw c", "n oh ow c"),
    "depthwise_conv_2d_nchw_chw": _product("n c oh+kh ow+kw", "c kh kw", "n c oh ow"),
    "depthwise_conv_2d_nhwc_hwcm": _product("n oh+kh ow+kw c", "kh kw c m", "n oh ow c m"),
    "depthwise_conv_3d_ndhwc_dhwc": _product("n od+kd oh+kh ow+kw c", "kd kh kw c", "n od oh ow c"),
    "depthwise_conv_3d_ncdhw_cdhw": _product("n c od+kd oh+kh ow+kw", "c kd kh kw", "n c od oh ow"),
    **_pools("nhwc", "kh kw", "n oh+kh ow+kw c", "n oh ow c"),
    **_pools("nchw", "kh kw", "n c oh+kh ow+kw", "n c oh ow"),
    **_pools("nwc", "kw", "n ow+kw c", "n ow c"),
    **_pools("ncw", "kw", "n c ow+kw", "n c ow"),
    **_pools("ndhwc", "kd kh kw", "n od+kd oh+kh ow+kw c", "n od oh ow c"),
}
"""The operations whose indexing maps follow from their names."""

ELEMENTWISE: dict[str, str] = {
    "copy": "copy",
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "div": "div",
    "div_unsigned": "div_unsigned",
    "max": "max",
    "min": "min",
    "powf": "powf",
    "exp": "exp",
    "log": "log",
    "abs": "abs",
    "ceil": "ceil",
    "floor": "floor",
    "negf": "negf",
    "reciprocal": "reciprocal",
    "round": "round",
    "sqrt": "sqrt",
    "rsqrt": "rsqrt",
    "square": "square",
    "tanh": "tanh",
    "erf": "erf",
    "select": "select",
}
"""The named operations all of whose operands have the shape of the result, with their bodies."""

KINDS: dict[str, str] = {
    **{name: body for name, body in ELEMENTWISE.items() if name not in ("copy", "max", "min")},
    "max_signed": "max",
    "min_signed": "min",
    "max_unsigned": "max_unsigned",
    "min_unsigned": "min_unsigned",
}
"""The functions of `linalg.elementwise`, with their bodies."""
