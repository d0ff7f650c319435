"""Classify 10,000 small images on a cluster: dask ships the compiled program to its workers.

    pip install 'tilewright[onnx,distributed]'
    python examples/batch_inference.py

A compiled module pickles as the files that `save` writes, and a process loads it once. So it is an argument of tasks as
any other; `scatter` sends it to each worker before the first of them. The same holds for joblib and ray, and for
`concurrent.futures`.
"""

from __future__ import annotations

import numpy as np
import tilewright
from distributed import Client, LocalCluster
from onnx import TensorProto, helper, numpy_helper
from tilewright.runtime import Module

IMAGES, BATCH, SIZE, CLASSES = 10_000, 250, 16, 10


def model() -> tilewright.runtime.Module:
    """Return a small network for images of any number, compiled."""
    draw = np.random.default_rng(0)
    weights = [
        numpy_helper.from_array(draw.standard_normal(shape, np.float32) * 0.2, name)
        for name, shape in (("w0", (8, 3, 3, 3)), ("w1", (16, 8, 3, 3)), ("w2", (16, CLASSES)))
    ]
    nodes = [
        helper.make_node("Conv", ["images", "w0"], ["c0"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c0"], ["r0"]),
        helper.make_node("MaxPool", ["r0"], ["p0"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Conv", ["p0", "w1"], ["c1"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c1"], ["r1"]),
        helper.make_node("GlobalAveragePool", ["r1"], ["g"]),
        helper.make_node("Flatten", ["g"], ["f"]),
        helper.make_node("MatMul", ["f", "w2"], ["scores"]),
    ]
    graph = helper.make_graph(
        nodes,
        "classifier",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, ["n", 3, SIZE, SIZE])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", CLASSES])],
        weights,
    )
    onnx_model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return tilewright.compile(onnx_model)


def images(number: int) -> np.ndarray:
    """Return the images of a batch, which stand for files that workers read."""
    return np.random.default_rng(number).standard_normal((BATCH, 3, SIZE, SIZE), np.float32)


def classify(program: Module, number: int) -> np.ndarray:
    """Return the scores of a batch."""
    return program.run({"images": images(number)}, threads=1)["scores"]


def main() -> None:
    """Compare the results of two processes with those of this one."""
    program = model()
    numbers = range(IMAGES // BATCH)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        shipped = client.scatter(program, broadcast=True)
        tasks = client.map(lambda number, program: classify(program, number), numbers, program=shipped)
        scores = np.concatenate(client.gather(tasks))
    expected = np.concatenate([classify(program, number) for number in numbers])
    assert scores.shape == (IMAGES, CLASSES) and np.array_equal(scores, expected)
    print(f"{IMAGES} images in {len(numbers)} batches on two processes: the scores of one process, bit for bit")


if __name__ == "__main__":
    main()
