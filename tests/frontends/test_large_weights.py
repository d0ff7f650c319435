"""Weights of more than 2 GB beside a model: mapped, and neither read nor copied before they are used."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import tilewright
from onnx import TensorProto, helper

ROWS, COLUMNS = 1 << 20, 640
BYTES = 4 * ROWS * COLUMNS


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Write a model that looks rows up in a table of 2.5 GiB, whose file takes no room: all but two rows are a hole."""
    weight = TensorProto(
        name="table", data_type=TensorProto.FLOAT, dims=[ROWS, COLUMNS], data_location=TensorProto.EXTERNAL
    )
    for key, value in {"location": "table.bin", "offset": "64", "length": str(BYTES)}.items():
        weight.external_data.add(key=key, value=value)
    with (tmp_path / "table.bin").open("wb") as file:
        file.truncate(64 + BYTES)
        for row, number in ((1, 2.5), (ROWS - 1, -3.0)):
            file.seek(64 + 4 * COLUMNS * row)
            file.write(np.full(COLUMNS, number, np.float32).tobytes())
    nodes = [helper.make_node("Gather", ["table", "rows"], ["found"]), helper.make_node("Abs", ["found"], ["y"])]
    inputs = [helper.make_tensor_value_info("rows", TensorProto.INT64, ["n"])]
    graph = helper.make_graph(nodes, "g", inputs, [helper.make_empty_tensor_value_info("y")], [weight])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    return tmp_path / "model.onnx"


def test_a_table_of_more_than_two_gigabytes_is_mapped(table: Path) -> None:
    assert BYTES > 2 << 30 and os.stat(table.with_name("table.bin")).st_blocks * 512 < 1 << 20
    program = tilewright.compile(str(table))
    with table.with_name("table.bin").open("r+b") as file:  # what was read or copied before would not have this
        file.seek(64 + 4 * COLUMNS * 7)
        file.write(np.full(COLUMNS, -1.5, np.float32).tobytes())
    for rows in ([ROWS - 1, 0, 1, 7], [5]):
        expected = np.array([{1: 2.5, 7: 1.5, ROWS - 1: 3.0}.get(row, 0.0) for row in rows], np.float32)
        np.testing.assert_array_equal(program(np.array(rows)), np.repeat(expected[:, None], COLUMNS, 1))
