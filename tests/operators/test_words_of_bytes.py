"""Convolutions of bytes with sums of 32 bits: on blocks of channels, whose bytes are read as words, they are exact."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import tilewright
from convolutions import Convolution
from tilewright.diagnostics.parsing import parse
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context
from tilewright.operators.convolution import convolve
from tilewright.semantics import run as interpret

TARGETS = {
    "avx2": "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=1",
    "vnni": "llvm -mcpu=x86-64-v4 -mattr=+avx512vnni -caches=48K,2M,32M -threads=1",
}
NUMPY = {"ui8": np.uint8, "i8": np.int8}
MARGIN = 7


@dataclass(frozen=True)
class BytesConvolution(Convolution):
    """A convolution of bytes; the number of images may be open."""

    image: str = "ui8"
    weight: str = "i8"
    is_open: bool = True
    low: int | None = None
    """The least weight, where not that of the type: small ones have sums that fit in 16 bits."""

    def weights(self) -> np.ndarray:
        limits = np.iinfo(NUMPY[self.weight])
        low, high = (limits.min, limits.max) if self.low is None else (self.low, -self.low)
        return np.random.default_rng(0).integers(low, high + 1, self.weight_shape).astype(NUMPY[self.weight])

    def text(self, size: tuple[int, int], images: int) -> str:
        """Return a module: the convolution, an addend for each channel, and what makes bytes of the sums."""

        def type_(channels: int, extents: tuple[int, ...], element: str) -> str:
            sizes = "x".join(map(str, (channels, *extents)))
            return (
                f"tensor<?x{sizes}x{element}, #graph.dims<n, _, _, _>>"
                if self.is_open
                else (f"tensor<{images}x{sizes}x{element}>")
            )

        out = tuple(self.extents(size))
        x, sums, y = (
            type_(c, s, e)
            for c, s, e in ((self.inputs, size, self.image), (self.outputs, out, "i32"), (self.outputs, out, "ui8"))
        )
        pads, weights = self.padding, self.weights()
        shape = "x".join(map(str, weights.shape))
        return f"""
func.func @main(%x: {x}) -> {y} {{
  %w = graph.constant dense<{weights.tolist()}> : tensor<{shape}x{self.weight}>
  %b = graph.constant dense<{self.addends().tolist()}> : tensor<{self.outputs}x1x1xi32>
  %c = graph.conv2d %x, %w strides [{self.stride}, {self.stride}] padding {pads}
    dilations [{self.dilation}, {self.dilation}] groups {self.groups} pad_value {MARGIN} out_dtype i32 : {sums}
  %d = graph.add %c, %b : {sums}
  %z = graph.constant dense<8> : tensor<i32>
  %s = graph.right_shift %d, %z : {sums}
  %y = graph.cast %s to ui8 : {y}
  func.return %y : {y}
}}
"""

    def addends(self) -> np.ndarray:
        return np.arange(self.outputs, dtype=np.int32).reshape(-1, 1, 1) * 100 - 500

    def expected(self, x: np.ndarray) -> np.ndarray:
        sums = convolve(
            x, self.weights(), None, strides=[self.stride] * 2, padding=[self.kernel // 2] * 4,
            dilations=[self.dilation] * 2, groups=self.groups, pad_value=MARGIN, out_dtype="int32",
        )  # fmt: skip
        return ((sums + self.addends()) >> 8).astype(np.uint8)


CONVOLUTIONS = [
    BytesConvolution(16, 32),
    BytesConvolution(16, 32, low=-1),
    BytesConvolution(3, 16, kernel=7, stride=2),
    BytesConvolution(32, 16, kernel=1, is_open=False),
    BytesConvolution(16, 16, dilation=2, weight="ui8"),
    BytesConvolution(16, 16, image="i8"),
    BytesConvolution(16, 16, image="i8", weight="ui8"),
    BytesConvolution(64, 32, groups=2),
    BytesConvolution(32, 32, groups=32, stride=2),
    BytesConvolution(32, 32, groups=32, stride=2, low=-3, is_open=False),
    BytesConvolution(16, 16, kernel=5, groups=16, stride=2, image="i8"),
    BytesConvolution(16, 16, kernel=2, groups=16, stride=2, dilation=2, weight="ui8"),
    BytesConvolution(17, 13, kernel=5, is_open=False),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.each("conv", CONVOLUTIONS, ids=str, shards=2)
def test_sums_of_bytes_are_exact(conv: BytesConvolution, target: str, tmp_path: Path) -> None:
    """Any number of images of prime sizes; numbers at both ends of the types."""
    size, rng = (11, 7), np.random.default_rng(1)
    path = tmp_path / "conv.mlir"
    path.write_text(conv.text(size, 2))
    program = tilewright.compile(path, target=TARGETS[target])
    limits = np.iinfo(NUMPY[conv.image])
    failures: list[str] = []
    for images in (1, 2, 5) if conv.is_open else (2,):
        x = rng.integers(limits.min, limits.max + 1, (images, conv.inputs, *size)).astype(NUMPY[conv.image])
        x[0, 0], x[-1, -1] = limits.min, limits.max
        expected = conv.expected(x)
        if not np.array_equal(np.asarray(program(x)), expected):
            failures.append(f"{images} images: machine code")
    module = parse(context(), conv.text(size, images), "conv.mlir")
    if not np.array_equal(interpret(module, "main", x)[0], expected):
        failures.append("interpreter")
    assert not failures


def test_a_tile_of_sums_takes_the_instruction_for_four_products(tmp_path: Path) -> None:
    """Sums stay in registers, and the bytes that are made of them are stored by the tile."""
    path = tmp_path / "conv.mlir"
    path.write_text(BytesConvolution(64, 64).text((14, 14), 1))
    with collect_remarks() as remarks:
        program = tilewright.compile(path, target=TARGETS["vnni"])
    messages = [remark.message for remark in remarks]
    assert any("keeps tiles of" in message for message in messages)
    assert any("graph.conv2d is computed on blocks of 16 channels" in message for message in messages), messages
    assert program.get_source("asm").count("vpdpbusd") >= 24
