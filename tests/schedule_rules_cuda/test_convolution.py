"""Convolutions as products of a GPU's tiles, in the simulator against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import te, topi

from .gpu import build, draw, messages_of, source
from .products import close, convolved, tiles

SMALL_TILE = (16, 32, 8, 4, 4)


def products(program) -> list[str]:
    return [message for message in messages_of(program) if "is a product of" in message]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("image", "filters", "kernel", "stride", "padding", "dilation"),
    [
        ((1, 6, 7, 9), 8, 3, 1, 1, 1),
        ((2, 4, 9, 8), 8, 3, 2, 1, 1),
        ((1, 4, 9, 8), 5, 3, 1, 2, 2),
        ((2, 8, 6, 6), 12, 1, 1, 0, 1),
        ((1, 3, 11, 11), 8, 7, 2, 3, 1),
    ],
)
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_convolutions(monkeypatch, image, filters, kernel, stride, padding, dilation, layout: str) -> None:
    batch, channels, height, width = image
    x, w = draw(image), draw((filters, channels, kernel, kernel))
    expected = np.maximum(convolved(x, w, (stride,) * 2, (padding,) * 2, (dilation,) * 2, 1), 0)
    if layout == "NHWC":
        x, w, expected = x.transpose(0, 2, 3, 1).copy(), w.transpose(2, 3, 1, 0).copy(), expected.transpose(0, 2, 3, 1)
    a, b = te.placeholder(x.shape, name="X"), te.placeholder(w.shape, name="W")
    convolve = topi.nn.conv2d_nchw if layout == "NCHW" else topi.nn.conv2d_nhwc
    with tiles(monkeypatch, *SMALL_TILE):
        program = build([a, b], topi.nn.relu(convolve(a, b, stride, padding, dilation)))
    assert len(products(program)) == 1
    assert source(program).count("def ") == 1, "padding and activation are parts of the kernel"
    close(program(x, w), expected)


def test_a_thread_keeps_what_it_needs_for_a_term(monkeypatch) -> None:
    """Its rows and columns lie in two groups of four each; both operands are read as four neighbours."""
    x, w = draw((1, 4, 8, 16)), draw((32, 4, 3, 3))
    a, b = te.placeholder(x.shape, name="X"), te.placeholder(w.shape, name="W")
    with tiles(monkeypatch, 32, 64, 8, 8, 8):
        program = build([a, b], topi.nn.conv2d_nchw(a, b, 1, 1))
    assert source(program).count("_local2 = cuda.local.array(8, float32)") == 2
    close(program(x, w), convolved(x, w, (1, 1), (1, 1), (1, 1), 1))


@pytest.mark.parametrize("groups", [2, 4])
def test_groups(groups: int) -> None:
    """Groups are batches of products, though the image is read at quotients of the output channel."""
    x, w = draw((1, 8, 6, 6)), draw((16, 8 // groups, 3, 3))
    a, b = te.placeholder(x.shape, name="X"), te.placeholder(w.shape, name="W")
    program = build([a, b], topi.nn.group_conv2d_nchw(a, b, 1, 1, 1, groups))
    (message,) = products(program)
    assert f"is a product of {groups} x {16 // groups} x 36 x " in message
    close(program(x, w), convolved(x, w, (1, 1), (1, 1), (1, 1), groups))


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_depthwise(layout: str) -> None:
    """Each channel has its own filter: nothing is shared that a tile could hold."""
    x, w = draw((1, 6, 9, 10)), draw((6, 1, 3, 3))
    expected = convolved(x, w, (1, 1), (1, 1), (1, 1), 6)
    if layout == "NHWC":
        x, w, expected = x.transpose(0, 2, 3, 1).copy(), w.transpose(2, 3, 0, 1).copy(), expected.transpose(0, 2, 3, 1)
    a, b = te.placeholder(x.shape, name="X"), te.placeholder(w.shape, name="W")
    convolve = topi.nn.depthwise_conv2d_nchw if layout == "NCHW" else topi.nn.depthwise_conv2d_nhwc
    program = build([a, b], convolve(a, b, 1, 1))
    assert not products(program)
    assert not messages_of(program, "TW0647"), "threads share the pixels"
    close(program(x, w), expected)


def test_a_symbolic_batch() -> None:
    n = te.var("n")
    a, b = te.placeholder((n, 4, 6, 8), name="X"), te.placeholder((8, 4, 3, 3), name="W")
    program = build([a, b], topi.nn.conv2d_nchw(a, b, 1, 1))
    assert products(program)
    for batch in (1, 3):
        x, w = draw((batch, 4, 6, 8)), draw((8, 4, 3, 3))
        close(program(x, w), convolved(x, w, (1, 1), (1, 1), (1, 1), 1))
