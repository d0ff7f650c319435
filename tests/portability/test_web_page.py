"""The page of examples/web in a browser: a drawing, classified as onnxruntime does."""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import onnxruntime
import pytest
import tilewright
from browser import Browser
from tilewright import te

pytestmark = pytest.mark.needs("chromium", "clang", "wasm-ld", "wasi-libc")

BUILD = Path(__file__).resolve().parents[2] / "examples" / "web" / "build.py"
SIZE = 224
TOLERANCE = 1e-4
"""Of probabilities."""
STROKES = ([(30, 40), (190, 60), (120, 180)], [(60, 200), (110, 90), (200, 30)])


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("web_example", BUILD)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drag(browser: Browser, points: list[tuple[int, int]]) -> None:
    """Move the mouse over the drawing with its button pressed."""
    left, top = browser.evaluate("(({left, top}) => [left, top])(drawing.getBoundingClientRect())")

    def send(kind: str, x: int, y: int, **more: Any) -> None:
        browser.call("Input.dispatchMouseEvent", type=kind, x=left + x, y=top + y, button="left", buttons=1, **more)

    send("mousePressed", *points[0], clickCount=1)
    for point in points[1:]:
        send("mouseMoved", *point)
    send("mouseReleased", *points[-1], clickCount=1)


def normalized(pixels: np.ndarray) -> np.ndarray:
    """Return an image of (height, width, 4) bytes as the network takes it."""
    mean, deviation = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
    return ((pixels[..., :3] / 255 - mean) / deviation).transpose(2, 0, 1)[None].astype(np.float32)


def test_a_drawing_has_the_class_that_onnxruntime_finds(example: ModuleType, tmp_path: Path) -> None:
    example.build(tmp_path / "page")
    session = onnxruntime.InferenceSession(example.model().SerializeToString(), providers=["CPUExecutionProvider"])
    with example.server(tmp_path / "page", 0) as serving, Browser(tmp_path / "profile") as browser:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{serving.server_port}/"
        browser.open(address, "document.querySelector('#classify')?.disabled === false")
        seen: list[np.ndarray] = []
        for stroke in STROKES:
            drag(browser, stroke)
            browser.evaluate("document.querySelector('#classify').click()")
            actual = np.array(browser.evaluate("window.probabilities"), np.float32)
            shown = browser.evaluate("document.querySelector('#classes').rows[0].cells[0].textContent")
            pixels = browser.evaluate(f"[...drawing.getContext('2d').getImageData(0, 0, {SIZE}, {SIZE}).data]")
            drawn = np.array(pixels, np.uint8).reshape(SIZE, SIZE, 4)
            assert len(np.unique(drawn.reshape(-1, 4), axis=0)) > 2, "something is drawn"
            expected = session.run(None, {session.get_inputs()[0].name: normalized(drawn)})[0].ravel()
            np.testing.assert_allclose(actual, expected, rtol=0, atol=TOLERANCE)
            assert shown == f"class {expected.argmax()}" and expected.max() > 10 * TOLERANCE
            seen.append(actual)
        assert np.abs(seen[0] - seen[1]).max() > 10 * TOLERANCE, "the drawings are told apart"
        assert not browser.errors
        assert all(request.startswith((address, "about:")) for request in browser.requests)
        serving.shutdown()


RUN = """
import('./tilewright.js').then(async ({ Program }) => {
  const program = await Program.load(fetch('sizes.wasm'), 'shift');
  const [x, k] = [{ data: new Float32Array([1, 2, 3, 4, 5, 6]), dims: [3, 2] }, { data: new BigInt64Array([4n]) }];
  const { y, z } = program.run({ x, k });
  const wrong = [];
  for (const inputs of [{ x }, { x: { ...x, dims: [2, 2] }, k }, { x: { ...x, data: new Float64Array(6) }, k }])
    try { program.run(inputs); } catch (error) { wrong.push(error.message); }
  return [[...y.data], y.dims, [...z.data].map(String), z.dims, wrong];
})
"""


def test_arrays_of_open_sizes(example: ModuleType, tmp_path: Path) -> None:
    """Sizes are found in the inputs; an input that is missing or does not fit is refused."""
    n = te.var("n")
    x, k = te.placeholder((n, 2), name="x"), te.placeholder((1,), "int64", name="k")
    y = te.compute((n * 2 + 1,), lambda i: te.if_then_else(i < n * 2, x[i // 2, i % 2], -1.0), name="y")
    z = te.compute((2, n), lambda i, j: k[0] * (i + j).astype("int64"), name="z")
    folder = tmp_path / "page"
    folder.mkdir()
    for name in example.PAGE:
        (folder / name).write_bytes(BUILD.with_name(name).read_bytes())
    tilewright.build({"shift": [x, k, y, z]}, target="wasm32").save(folder / "sizes.wasm")
    with example.server(folder, 0) as serving, Browser(tmp_path / "profile") as browser:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        browser.open(f"http://127.0.0.1:{serving.server_port}/tilewright.js", "document.readyState === 'complete'")
        data, dims, products, of_products, wrong = browser.evaluate(RUN)
        serving.shutdown()
    assert (data, dims) == ([1, 2, 3, 4, 5, 6, -1], [7])
    assert (products, of_products) == ([*"048", *["4", "8", "12"]], [2, 3])
    for message, part in zip(wrong, ("an input k", "of 6 elements, [2,2]", "but got Float64Array"), strict=True):
        assert part in message
