"""Inputs and outputs of models are not copied: the program reads the caller's memory and writes into it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx.parser
import tilewright

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[n, 4] x) => (float[n, 4] y) { y = Neg(x) }""")


def test_memory_of_the_caller_is_read_and_written(tmp_path: Path) -> None:
    program = tilewright.compile(MODEL)
    np.arange(24, dtype=np.float32).tofile(tmp_path / "x.bin")
    x = np.memmap(tmp_path / "x.bin", np.float32, "r", shape=(6, 4))
    (taken,) = program.signature.collect([x], {})
    assert np.shares_memory(taken, x)
    part = np.asarray(x)[2:5]
    (taken,) = program.signature.collect([part], {})
    assert taken is part
    room = np.zeros((8, 4), np.float32)
    assert program(part, room[1:4]) is None
    np.testing.assert_array_equal(room[1:4], -np.asarray(part))
    assert not room[0].any() and not room[4:].any()
    result = program.run({"x": part}, out={"y": room[5:]})["y"]
    assert np.shares_memory(result, room)
    np.testing.assert_array_equal(room[5:], -np.asarray(part))
