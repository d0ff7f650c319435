"""Classic names that are missing: one coded refusal, whether a name is asked for or imported."""

from __future__ import annotations

import importlib
import subprocess
import sys
from typing import Any

import pytest
import tilewright as tvm
from tilewright import te
from tilewright.classic.reasons import FIELDS, MODULES, NAMES, reason_of


def module_of(path: str) -> Any:
    module = path.rpartition(".")[0]
    return importlib.import_module(f"tilewright.{module}" if module else "tilewright")


@pytest.mark.each("path", sorted(NAMES))
def test_a_missing_name_is_refused_with_its_reason(path: str) -> None:
    name, (reason, _) = path.rpartition(".")[2], NAMES[path]
    module = module_of(path)
    assert not hasattr(module, name)
    with pytest.raises(AttributeError) as asked:
        getattr(module, name)
    with pytest.raises(ImportError) as imported:
        exec(f"from {module.__name__} import {name}", {})
    for error in (asked.value, imported.value):
        assert isinstance(error, tvm.TilewrightError)
        assert (error.code, error.message) == ("TW0251", f"'{path}' is not part of this package: {reason}")


@pytest.mark.each("path", sorted(MODULES))
def test_a_missing_module_can_be_imported_and_not_used(path: str) -> None:
    module = importlib.import_module(f"tilewright.{path}")
    assert not hasattr(module, "anything")
    with pytest.raises(AttributeError, match=f"TW0251.*'{path}.anything' is not part of"):
        _ = module.anything
    scope: dict[str, Any] = {}
    exec(f"import tilewright.{path}.below\nfrom tilewright.{path}.below import Thing", scope)
    thing = scope["Thing"]
    assert thing is importlib.import_module(f"tilewright.{path}.below.Thing")
    assert not isinstance(3, thing)
    with pytest.raises(tvm.TilewrightError, match=f"TW0251.*'{path}.below.Thing' is not part of"):
        thing(1)
    with pytest.raises(tvm.TilewrightError, match=f"TW0251.*'{path}.below.Thing'"):
        exec("class Mine(Thing): ...", scope)
    with pytest.raises(tvm.TilewrightError, match=f"TW0251.*'{path}.below.Thing.name'"):
        _ = thing.name


def test_a_missing_field_of_a_device_is_refused_with_its_reason() -> None:
    for path, (reason, _) in FIELDS.items():
        owner, _, name = path.rpartition(".")
        assert owner == "runtime.Device"
        with pytest.raises(AttributeError) as asked:
            getattr(tvm.cpu(), name)
        assert isinstance(asked.value, tvm.TilewrightError)
        assert (asked.value.code, asked.value.message) == ("TW0251", f"'{path}' is not part of this package: {reason}")


@pytest.mark.each("path", sorted({*FIELDS, *MODULES, *NAMES}))
def test_reasons_are_phrases(path: str) -> None:
    reason = reason_of(path)
    assert reason is not None
    assert all(phrase and not phrase.endswith(".") for phrase in reason)


@pytest.mark.parametrize("statement", ["from tilewright.te import compuet", "from tilewright import te; te.compuet"])
def test_an_unknown_name_is_reported_with_the_nearest(statement: str) -> None:
    with pytest.raises(tvm.TilewrightError, match="TW0225.*'tilewright.te' has no attribute 'compuet'; did you mean"):
        exec(statement, {})


@pytest.mark.parametrize(
    "path", ["nothing", "contrib.nothing", "nd.nothing", "tir.nothing", "tir.transform.nothing", "te.tensor.nothing"]
)
def test_an_unknown_module_raises_pythons_error_too(path: str) -> None:
    with pytest.raises(ModuleNotFoundError, match="TW0225.*has no attribute 'nothing'"):
        importlib.import_module(f"tilewright.{path}")
    with pytest.raises(ImportError, match="TW0225.*has no attribute 'nothing'"):
        exec(f"from tilewright.{path.rpartition('.')[0]} import nothing".replace(". ", " "), {})


def test_a_name_that_is_no_module_is_not_imported_as_one() -> None:
    for path in ("tir.IntImm", "tir.Add"):
        with pytest.raises(ModuleNotFoundError, match=f"TW0225.*'tilewright.{path}' is a name of a module"):
            importlib.import_module(f"tilewright.{path}")


def test_programs_can_try() -> None:
    code = """
try:
    from tilewright.tir import IndexMap
except ImportError:
    IndexMap = None
try:
    import tilewright.tir.IndexMap
except ModuleNotFoundError:
    pass
from tilewright import tir
assert IndexMap is None and getattr(tir, "IndexMap", 1) == 1
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_packages_that_the_original_splits_are_one_module() -> None:
    code = """
import tilewright as tvm
import tilewright.tir.expr, tilewright.ir.transform, tilewright.te.operation
from tilewright.tir.expr import Load, IntImm
from tilewright.tir.op import call_extern
from tilewright.tir.transform.transform import VectorizeLoop
from tilewright.tir.schedule.schedule import Schedule
from tilewright.ir.expr import Range
from tilewright._ffi.base import TVMError
from tilewright.target.target import Target
assert tvm.tir.expr is tvm.tir.stmt is tvm.tir and tvm.te.operation is tvm.te
assert Load is tvm.tir.Load and Range is tvm.ir.Range and Schedule is tvm.tir.Schedule and Target is tvm.Target
assert TVMError is tvm.TVMError and tvm.ir.transform.PassContext is tvm.transform.PassContext
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_ranges() -> None:
    n = te.var("n")
    for made, low, extent in ((tvm.ir.Range(3, 10), 3, 7), (tvm.ir.Range(5), 0, 5)):
        assert (made.min, made.extent) == (low, extent)
    made = tvm.ir.Range.from_min_extent(2, n)
    assert made.min == 2
    assert made.extent is n
    assert str(made) == "range(min=2, ext=n)"
    assert isinstance(te.reduce_axis((0, 4), "k").dom, tvm.ir.Range)


def test_names_of_functions_dtypes_and_devices() -> None:
    main = tvm.ir.GlobalVar("main")
    A = te.placeholder((4,), name="A")
    module = tvm.IRModule({main: te.create_prim_func([A, te.compute((4,), lambda i: A[i], name="B")])})
    assert main.name_hint == "main"
    assert module[main] is not None
    for name, bits, lanes in (("float32x4", 32, 4), ("int8", 8, 1), ("bool", 1, 1), ("float16", 16, 1)):
        dtype = tvm.DataType(name)
        assert (dtype, dtype.dtype, dtype.bits, dtype.lanes) == (name, name, bits, lanes)
    assert te.var("x", tvm.ir.PrimType("float64")).dtype == "float64"
    for device in (tvm.vulkan(0), tvm.opencl(), tvm.nd.metal(0), tvm.runtime.rocm(1)):
        assert not device.exist
    assert isinstance(tvm.runtime.convert([1, 2]), tvm.ir.Array)


def test_equal_expressions() -> None:
    n, m = te.var("n"), te.var("m")
    assert tvm.tir.analysis.expr_deep_equal(n + 1, n + 1)
    assert not tvm.tir.analysis.expr_deep_equal(n + 1, m + 1)
