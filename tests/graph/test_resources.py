"""Weights beside the text: saving, resolving lazily, and every way in which that can go wrong."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from tilewright import TilewrightError
from tilewright.dialects import context
from tilewright.dialects.constant_data import constant_array, constant_attr, derived_name
from tilewright.dialects.graph import ConstantOp
from tilewright.dialects.resource import (
    Resource,
    ResourceAttr,
    resolve_resources,
    resource_attr,
    save_resources,
    walk_resources,
)
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.parser import Parser


def module_of(arrays: dict[str, np.ndarray]) -> ModuleOp:
    constants = [ConstantOp.from_array(array, name) for name, array in arrays.items()]
    for constant, (name, array) in zip(constants, arrays.items(), strict=True):
        constant.properties["value"] = resource_attr(name, array)
    return ModuleOp(constants)


def reparsed(module: ModuleOp) -> ModuleOp:
    return Parser(context(), str(module)).parse_module()


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "int8", "int32", "int64", "bool"])
def test_saved_and_resolved(dtype: str, tmp_path: Path) -> None:
    numpy_dtype = np.dtype(ml_dtypes.bfloat16) if dtype == "bfloat16" else np.dtype(dtype)
    array = (np.arange(24).reshape(2, 3, 4) % 5).astype(numpy_dtype)
    module = module_of({"odd name/0": array, "transposed": array.T})
    save_resources(module, tmp_path / "m.safetensors")
    assert module.attributes["tw.weights"] == StringAttr("m.safetensors")
    again = reparsed(module)
    resolve_resources(again, tmp_path)
    again.verify()
    first, second = (op.array for op in again.body.block.ops)
    assert first.dtype == numpy_dtype
    np.testing.assert_array_equal(first, array)
    np.testing.assert_array_equal(second, array.T)


def test_saving_over_the_file_that_is_read(tmp_path: Path) -> None:
    module = module_of({"w": np.arange(40.0)})
    save_resources(module, tmp_path / "w.safetensors")
    again = reparsed(module)
    resolve_resources(again, tmp_path)
    save_resources(again, tmp_path / "w.safetensors")
    third = reparsed(again)
    resolve_resources(third, tmp_path)
    np.testing.assert_array_equal(third.body.block.first_op.array, np.arange(40.0))
    assert [path.name for path in tmp_path.iterdir()] == ["w.safetensors"]


def test_equality_is_by_name_and_data() -> None:
    array = np.zeros(3)
    assert Resource("w") == Resource("w") != Resource("v")
    assert Resource("w", array) == Resource("w", array)
    assert Resource("w", array) != Resource("w", array.copy())
    assert Resource("w", array) != Resource("w")


def test_contents_stay_out_of_sight_and_read_only() -> None:
    array = np.full(1000, 7.25)
    attr = resource_attr("w", array)
    assert str(attr) == '#tw.resource<"w">' and "7.25" not in repr(attr)
    with pytest.raises(ValueError, match="read-only"):
        attr.data.array[0] = 1
    array[0] = 2  # the caller's own array stays writable


def test_small_data_stays_inline() -> None:
    inline, outside = constant_attr(np.arange(8), "a"), constant_attr(np.arange(9), "b")
    assert not isinstance(inline, ResourceAttr) and isinstance(outside, ResourceAttr)
    np.testing.assert_array_equal(constant_array(inline), np.arange(8))
    np.testing.assert_array_equal(constant_array(outside), np.arange(9))


def test_derived_names_follow_content() -> None:
    a, b = np.arange(4.0), np.arange(4.0) + 1
    assert derived_name("w", a) == derived_name("w", a.copy()) != derived_name("w", b)
    assert derived_name("w", a) != derived_name("w", a.reshape(2, 2))
    assert derived_name(derived_name("w", a), b) == derived_name("w", b)


def failure(module: ModuleOp, directory: Path) -> TilewrightError:
    with pytest.raises(TilewrightError) as caught:
        resolve_resources(module, directory)
    return caught.value


def test_module_without_weights_file(tmp_path: Path) -> None:
    error = failure(reparsed(module_of({"w": np.zeros(9)})), tmp_path)
    assert error.code == "TW0705" and "the module names no weights file" in error.message


def test_missing_weights_file(tmp_path: Path) -> None:
    module = reparsed(module_of({"w": np.zeros(9)}))
    module.attributes["tw.weights"] = StringAttr("gone.safetensors")
    error = failure(module, tmp_path)
    assert error.code == "TW0705" and "does not exist" in error.message


@pytest.mark.parametrize("keep", [0, 3, 20, -8])
def test_damaged_weights_file(keep: int, tmp_path: Path) -> None:
    module = module_of({"w": np.arange(100.0)})
    path = tmp_path / "w.safetensors"
    save_resources(module, path)
    path.write_bytes(path.read_bytes()[:keep])
    error = failure(reparsed(module), tmp_path)
    assert error.code == "TW0705" and "not a readable safetensors file" in error.message


def test_missing_tensor_names_the_nearest(tmp_path: Path) -> None:
    save_resources(module_of({"conv1.weight": np.zeros(9)}), tmp_path / "w.safetensors")
    module = reparsed(module_of({"conv2.weight": np.zeros(9)}))
    module.attributes["tw.weights"] = StringAttr("w.safetensors")
    error = failure(module, tmp_path)
    assert error.code == "TW0705" and "has no tensor 'conv2.weight'" in error.message
    assert error.help is not None and "conv1.weight" in error.help


@pytest.mark.parametrize("stored", [np.zeros(10), np.zeros(9, np.float32), np.zeros((3, 3))])
def test_tensor_of_another_type(stored: np.ndarray, tmp_path: Path) -> None:
    save_resources(module_of({"w": stored}), tmp_path / "w.safetensors")
    module = reparsed(module_of({"w": np.zeros(9)}))
    module.attributes["tw.weights"] = StringAttr("w.safetensors")
    error = failure(module, tmp_path)
    assert error.code == "TW0710" and "expected resource 'w' to hold float64[9], but got" in error.message


def test_one_name_for_two_arrays(tmp_path: Path) -> None:
    first, second = module_of({"w": np.zeros(9)}), module_of({"w": np.ones(9)})
    first.body.block.add_op(second.body.block.first_op.clone())
    with pytest.raises(TilewrightError) as caught:
        save_resources(first, tmp_path / "w.safetensors")
    assert caught.value.code == "TW0710"
    assert not list(tmp_path.iterdir())


def test_unresolved_data_is_an_error_when_read() -> None:
    (_, _, attr), *_ = walk_resources(reparsed(module_of({"w": np.zeros(9)})))
    with pytest.raises(TilewrightError) as caught:
        _ = attr.data.array
    assert caught.value.code == "TW0705"
