"""A small convolutional network, saved for programs in C: digits.so for tilewright.h, digits.c with its header.

The Makefile beside this file runs it. The weights are seeded random numbers, and expected.txt gets the scores of the
image that both programs draw, by the reference semantics.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx.parser
import tilewright
from onnx import ModelProto, numpy_helper

TEXT = """<ir_version: 10, opset_import: ["" : 21]>
digits (float[1, 1, 16, 16] image) => (float[1, 10] scores) {
  features = Conv(image, kernel)
  active = Relu(features)
  pooled = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(active)
  flat = Flatten(pooled)
  sums = Gemm<transB = 1>(flat, dense)
  scores = Softmax(sums)
}"""
# What C compilers vectorise well where vectors have 128 bits, as on most machines.
C_TARGET = "c -vector-width=128 -threads=1"


def network() -> ModelProto:
    """Return the network with its weights."""
    random = np.random.default_rng(0)
    model = onnx.parser.parse_model(TEXT)
    for name, shape in {"kernel": (8, 1, 3, 3), "dense": (10, 8 * 7 * 7)}.items():
        weights = random.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))
        model.graph.initializer.append(numpy_helper.from_array(weights.astype(np.float32), name))
    return model


def image() -> np.ndarray:
    """Return a ring."""
    y, x = np.mgrid[0:16, 0:16] * 2 - 15
    distance = x * x + y * y
    return ((distance > 64) & (distance < 160)).astype(np.float32).reshape(1, 1, 16, 16)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    tilewright.compile(network(), target=sys.argv[2]).save(folder / "digits.so")
    tilewright.compile(network(), target=C_TARGET).save(folder / "digits.c")
    scores = tilewright.compile(network(), target="interpreter")(image())
    (folder / "expected.txt").write_text("".join(f"{score:.6f}\n" for score in scores.reshape(-1)))
    print(f"{folder}: digits.so, digits.c, digits.h, expected.txt")
