"""Functions by name, values for programs, and errors under the names that old programs catch."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.code_table import CODES


def refused(code: str, message: str):
    return pytest.raises(TilewrightError, match=rf"(?s){code}.*{message}")


def test_functions_by_name() -> None:
    @tvm.register_func("classic.test.add")
    def add(x, y):
        return x + y

    @tvm.register_func
    def classic_test_named(x):
        return -x

    try:
        assert tvm.get_global_func("classic.test.add") is add
        assert tvm.get_global_func("classic_test_named")(3) == -3
        with refused("TW0253", "'classic.test.add' already"):
            tvm.register_func("classic.test.add", lambda: 0)
        tvm.register_func("classic.test.add", lambda x, y: 7, override=True)
        assert tvm.get_global_func("classic.test.add")(1, 2) == 7
        assert {"classic.test.add", "classic_test_named"} <= {*tvm._ffi.list_global_func_names()}
    finally:
        tvm._ffi.remove_global_func("classic.test.add")
        tvm._ffi.remove_global_func("classic_test_named")
    assert tvm.get_global_func("classic.test.add", allow_missing=True) is None
    with refused("TW0252", "no function is registered as 'classic.test.add'"):
        tvm.get_global_func("classic.test.add")
    with refused("TW0725", "'func_name'"):
        tvm.register_func(3)
    with refused("TW0725", "'f' to be of type function"):
        tvm.register_func("classic.test.add", 3)


def test_values_for_programs() -> None:
    five, half = tvm.runtime.convert(5), tvm.runtime.convert(0.5)
    assert (five.value, five.dtype, half.value, half.dtype) == (5, "int32", 0.5, "float32")
    n = te.var("n")
    assert tvm.runtime.convert(n) is n and tvm.runtime.convert("text") == "text" and tvm.runtime.convert(None) is None
    first, (second,) = tvm.runtime.convert([1, (2,)])
    assert (first.value, second.value) == (1, 2)
    assert tvm.runtime.convert({"a": 1})["a"].value == 1
    double = tvm.runtime.convert(lambda x: 2 * x)
    assert double(4) == 8
    constant = tvm.runtime.const(3, "int64")
    assert (constant.value, constant.dtype) == (3, "int64")


def test_what_runs_here() -> None:
    assert tvm.runtime.enabled("llvm") and tvm.runtime.enabled("llvm -mcpu=x86-64-v2")
    assert tvm.runtime.enabled("interpreter") and not tvm.runtime.enabled("rocm")
    assert tvm.runtime.enabled("cuda") == tvm.cuda(0).exist
    assert tvm.cpu(0).exist and not tvm.cpu(1).exist and tvm.cpu(0).sync() is None
    assert tvm.gpu is tvm.cuda


@pytest.mark.each("code", sorted(code for code, entry in CODES.items() if entry.also is not None))
def test_errors_derive_from_pythons_too(code: str) -> None:
    also = CODES[code].also
    assert also in (ValueError, TypeError, IndexError, KeyError)
    error = TilewrightError(code, "expected x", notes=["n"], help="h")
    assert isinstance(error, also) and isinstance(error, tvm.TVMError) and type(error).__name__ == "TilewrightError"
    again = pickle.loads(pickle.dumps(error))
    assert error.args == again.args == (error.message,)  # as an exception of Python has it
    assert type(again) is type(error) and str(again) == str(error) and again.notes == ["n"]


def test_errors_of_programs_are_caught_as_old_programs_catch_them() -> None:
    A = te.placeholder((4,), name="A")
    with pytest.raises(ValueError, match="TW0602"):
        tvm.target.Target("nothing")
    with pytest.raises(ValueError, match="TW0452"):
        bool(A[0] > 1.0)
    with pytest.raises(TypeError, match="TW0725"):
        tvm.build([A], [A], "llvm", name=3)
    program = tvm.build([A, te.compute((4,), lambda i: A[i] + 1.0, name="B")])
    with pytest.raises(ValueError, match="TW0704"):
        program(np.zeros(5, np.float32))
    with pytest.raises(TypeError, match="TW0703"):
        program(np.zeros(4, np.float64))
    with pytest.raises(tvm.error.TVMError, match="TW0701"):
        program()
    plain = TilewrightError("TW0601", "expected x")
    assert type(plain) is TilewrightError and not isinstance(plain, (ValueError, TypeError))


def test_programs_raise_errors_that_they_define() -> None:
    with pytest.raises(tvm.TVMError, match="mine"):
        raise tvm.TVMError("mine")
    assert tvm.TVMError is tvm.error.TVMError is tvm._ffi.base.TVMError and issubclass(TilewrightError, tvm.TVMError)
    for name in ("OpNotImplemented", "OpAttributeRequired", "OpAttributeInvalid", "OpAttributeUnImplemented"):
        assert issubclass(getattr(tvm.error, name), tvm.error.OpError)
    assert issubclass(tvm.error.OpNotImplemented, NotImplementedError)
    assert issubclass(tvm.error.OpAttributeInvalid, AttributeError)

    @tvm.error.register_error
    class Mine(tvm.error.OpError): ...

    assert tvm.error.register_error("Mine", Mine) is tvm.error.register_error("Mine")(Mine) is Mine


def test_modules_and_functions_are_shown_as_they_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    a = te.placeholder((4,), name="a")
    module = tvm.lower(te.create_schedule(te.compute((4,), lambda i: a[i] + 1, name="b").op), [a])
    module.show()
    assert capsys.readouterr().out == f"{module.script()}\n"
    module.show(dialect="tvmscript")
    assert capsys.readouterr().out == f"{module.script('tvmscript')}\n"
    with refused("TW0725", "'html'"):
        module.show(dialect="html")
