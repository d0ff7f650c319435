"""Parameters in the classic format: the bytes of the original, and one code for bytes that are none."""

from __future__ import annotations

import json
import random
import struct
import sys
from typing import Any

import numpy as np
import pytest
import recorded_params
import tilewright as tvm
from tilewright.runtime import params
from tilewright.runtime.buffers import ALIGNMENT, aligned_empty, is_aligned

RECORD: dict[str, str] = json.loads(recorded_params.RECORD.read_text(encoding="utf-8"))


def refused(code: str, message: str):
    return pytest.raises(tvm.TilewrightError, match=rf"(?s){code}.*{message}")


def test_the_bytes_are_those_of_the_original() -> None:
    cases = recorded_params.cases()
    assert RECORD.keys() == cases.keys()
    different = [name for name, arrays in cases.items() if params.pack_params(arrays).hex() != RECORD[name]]
    assert not different


def test_arrays_come_back() -> None:
    for name, arrays in recorded_params.cases().items():
        found = params.unpack_params(bytes.fromhex(RECORD[name]))
        assert [*found] == [*arrays], name
        for key, array in arrays.items():
            assert (found[key].dtype, found[key].shape) == (array.dtype, array.shape), name
            assert found[key].tobytes() == array.tobytes(), name
            assert found[key].ctypes.data % ALIGNMENT == 0 and found[key].flags.writeable, name


def test_bool_of_older_files_is_an_unsigned_bit() -> None:
    data = bytearray(bytes.fromhex(RECORD["bool"]))
    at = data.index(bytes([6, 8, 1, 0]))
    data[at : at + 2] = 1, 1
    np.testing.assert_array_equal(params.unpack_params(data)["x"], [False, True, True, True])


def test_arrays_of_every_kind_are_written() -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    wanted = params.pack_params({"x": x})
    for given in (tvm.nd.array(x), np.asfortranarray(x), x.astype(">f4"), np.repeat(x, 2, 0)[::2]):
        assert params.pack_params({"x": given}) == wanted
    read_only = x.copy()
    read_only.flags.writeable = False
    assert params.pack_params({"x": read_only}) == wanted
    assert params.unpack_params(memoryview(wanted))["x"].tolist() == x.tolist()


def test_what_cannot_be_written() -> None:
    for value in (np.array(["a"]), np.array([1 + 2j]), np.array([None]), np.zeros((1,) * 33)):
        with refused("TW0778", "an array of numbers for parameter 'x'"):
            params.pack_params({"x": value})
    with refused("TW0725", "'params'"):
        params.pack_params([1])  # type: ignore[arg-type]
    with refused("TW0725", "'name'"):
        params.pack_params({1: np.zeros(1)})  # type: ignore[dict-item]
    with refused("TW0725", "'data'"):
        params.unpack_params("text")  # type: ignore[arg-type]


def _aligned_cases() -> dict[str, np.ndarray[Any, Any]]:
    """Return arrays of several types, ranks and odd sizes, small and large ones by turns."""
    rng = np.random.default_rng(0)
    shapes = [(), (1025,), (3,), (0, 4), (7, 11, 13, 3), (1,) * 5 + (2001,), (1023, 1), (33, 64), (1, 0), (5, 4099)]
    dtypes = ["int8", "float32", "bool", "float64", "uint16"]
    return {
        f"{'p' * (n % 7 + 1)}{n}é": rng.integers(0, 2, shape).astype(dtypes[n % len(dtypes)])
        for n, shape in enumerate(shapes * 3)
    }


def test_large_arrays_are_aligned_in_the_block() -> None:
    arrays = _aligned_cases()
    block = np.frombuffer(params.pack_params(params.aligned_params(arrays)), np.uint8)
    data = aligned_empty((len(block),), block.dtype)
    data[:] = block
    data.flags.writeable = False
    found = params.params_in(data.data)
    copies = params.unpack_params(data.data)
    assert [*found] == [*arrays] == [*copies]
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array, strict=True)
        np.testing.assert_array_equal(copies[name], array, strict=True)
        assert not array.size or np.shares_memory(found[name], data), name
        assert array.nbytes < 1024 or is_aligned(found[name]), name
        assert not found[name].flags.writeable, name
        assert copies[name].flags.writeable and is_aligned(copies[name]) and not np.shares_memory(copies[name], data)
    assert sum(array.nbytes >= 1024 for array in arrays.values()) == 18


def test_arrays_that_merely_resemble_those_which_align_are_kept() -> None:
    x, zeros = np.ones(3, np.float32), np.zeros(4, np.uint8)
    given = [
        {"x.aligning": zeros},
        {"x": x, "x.aligning": zeros},
        {"x.aligning": zeros, "y": x},
        {"x.aligning": zeros + 1, "x": x},
        {"x.aligning": zeros.astype(np.int8), "x": x},
        {"x.aligning": zeros.reshape(2, 2), "x": x},
        {"x.aligning": np.zeros(65, np.uint8), "x": x},
    ]
    for arrays in given:
        assert params.unpack_params(params.pack_params(arrays)).keys() == arrays.keys()


def test_sizes_beyond_those_of_arrays_are_refused() -> None:
    data = params.pack_params({"x": np.zeros((0, 1, 1), np.float32)})
    for size in (1 << 40, 1 << 62):
        struct.pack_into("<qq", data, len(data) - 24, size, size)
        with refused("TW0777", "has shape"):
            params.unpack_params(data)


def _damaged() -> dict[str, bytes]:
    """Return blocks that are not valid, by what is wrong with them."""
    whole = bytes(params.pack_params({"x": np.arange(6, dtype=np.float32).reshape(2, 3), "y": np.ones(1)}))
    found = {f"cut at {end}": whole[:end] for end in range(len(whole))}
    found["more"] = whole + b"\0"
    start = whole.index(struct.pack("<Q", params.ARRAY_MAGIC))

    def changed(name: str, at: int, form: str, value: Any) -> None:
        data = bytearray(whole)
        struct.pack_into(form, data, at, value)
        found[name] = bytes(data)

    changed("magic", 0, "<Q", 1)
    changed("reserved", 8, "<Q", 1)
    changed("many names", 16, "<Q", 1 << 63)
    changed("fewer names", 16, "<Q", 1)
    changed("long name", 24, "<Q", 1 << 62)
    changed("no text", 32, "<B", 0xFF)
    changed("one name twice", 32, "<B", ord("y"))
    changed("fewer arrays", start - 8, "<Q", 1)
    changed("magic of an array", start, "<Q", 7)
    changed("device", start + 16, "<i", 2)
    changed("rank", start + 24, "<i", -1)
    changed("large rank", start + 24, "<i", 1 << 30)
    changed("type", start + 28, "<B", 99)
    changed("bits", start + 29, "<B", 4)
    changed("lanes", start + 30, "<H", 4)
    changed("shape", start + 32, "<q", -2)
    changed("other shape", start + 32, "<q", 1 << 40)
    changed("size", start + 48, "<q", 23)
    bools = bytearray(bytes.fromhex(RECORD["bool"]))
    bools[-1] = 2
    return {**found, "bool": bytes(bools)}


def test_damaged_blocks_end_in_one_code() -> None:
    wrong: list[str] = []
    for name, data in _damaged().items():
        try:
            params.unpack_params(data)
        except tvm.TilewrightError as error:
            if error.code != "TW0777":
                wrong.append(f"{name}: {error.code}")
        else:
            wrong.append(f"{name}: accepted")
    assert not wrong


def test_floats_that_numpy_lacks_are_bits_without_ml_dtypes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    found = params.unpack_params(bytes.fromhex(RECORD["bfloat16"]))["x"]
    assert found.dtype == np.uint16 and found.tolist() == [0, 0x3F80, 0x4040, 0x42C8]
    assert params.unpack_params(bytes.fromhex(RECORD["float8_e5m2"]))["x"].dtype == np.uint8


def test_the_names_of_old_programs() -> None:
    x = np.arange(3, dtype=np.float32)
    block = tvm.runtime.save_param_dict({"x": tvm.nd.array(x)})
    found = tvm.runtime.load_param_dict(block)
    assert isinstance(found["x"], tvm.nd.NDArray) and found["x"].numpy().tolist() == [0, 1, 2]
    with refused("TW0777", "begins with other numbers"):
        tvm.runtime.load_param_dict(bytes(40))


def test_changed_bytes_end_in_one_code_or_are_parameters() -> None:
    rng = random.Random(0)
    whole = bytes(params.pack_params({"x": np.arange(6, dtype=np.float32).reshape(2, 3), "y": np.ones(1, bool)}))
    codes = set[str]()
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 1, 3))):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 2, 0x7F, 0xFF, rng.randrange(256)))
        try:
            found = params.unpack_params(data)
        except tvm.TilewrightError as error:
            codes.add(error.code)
        else:
            assert len(found) == 2
    assert codes == {"TW0777"}
