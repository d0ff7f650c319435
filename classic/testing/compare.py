"""Tests of passes as classes: a module before the pass, and the expected module after it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any, ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...diagnostics import fail
from ...diagnostics.expectations import WRONG_TYPE
from ...dialects.ir_module import IRModule
from ...frontends.tvmscript.functions import read_function
from ...tir.sequences import CallablePass, Sequential
from ..structural import assert_structural_equal


class CompareBeforeAfter:
    """A base class of tests: the module `before`, changed by the pass `transform`, has the structure of `expected`.

        class TestUnroll(tilewright.testing.CompareBeforeAfter):
            transform = tir.transform.UnrollLoop()

            def before(A: T.Buffer((4,), "float32")):
                for i in T.unroll(4):
                    A[i] = 0.0

            def expected(A: T.Buffer((4,), "float32")):
                A[0] = 0.0
                ...

    `before` and `expected` are TVMScript without its decorator, a class of such functions, a function or a module, a
    method that returns one, or a fixture; `transform` is a pass, a method that returns one, or a fixture. Where
    `expected` is a class of exceptions, the pass raises one. Their names may begin with capitals.
    """

    check_well_formed: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        for name in ("before", "expected"):
            given = vars(cls).get(name, vars(cls).get(name.capitalize()))
            if given is not None:
                setattr(cls, name, _fixture(given, _module))
        if "transform" in vars(cls):
            cls.transform = _fixture(vars(cls)["transform"], lambda each: each)

    def test_compare(self, before: Any, expected: Any, transform: Any) -> None:
        """Compare the transformed program with the expected one; pytest runs this."""
        if inspect.isclass(expected):
            with import_module("pytest").raises(expected):
                _changed(transform, _as_module(before))
            return
        assert_structural_equal(_changed(transform, _as_module(before)), _as_module(expected))


def _changed(transform: Any, module: IRModule) -> IRModule:
    """Apply a pass, or a function that returns another module or changes its argument."""
    if isinstance(transform, CallablePass):
        return transform(module)
    if isinstance(transform, ModulePass) or not callable(transform):
        return Sequential([transform])(module)
    copy = module.clone()
    result = transform(copy)
    return copy if result is None else _as_module(result)


def _fixture(given: Any, made: Callable[[Any], Any]) -> Any:
    """Return a fixture of pytest from the value that a class has under a name."""
    pytest = import_module("pytest")
    if not callable(given) or isinstance(given, ModulePass):
        return pytest.fixture(lambda self: made(given))  # pyright: ignore[reportUnknownLambdaType]
    if hasattr(given, "_fixture_function") or hasattr(given, "_pytestfixturefunction"):
        return given
    if not inspect.isclass(given) and "self" in inspect.signature(given).parameters:
        return pytest.fixture(given)
    return pytest.fixture(lambda self: made(given))  # pyright: ignore[reportUnknownLambdaType]


def _module(given: Any) -> Any:
    """Return the module, or the function, of a class or a function in TVMScript; anything else as it is."""
    if inspect.isclass(given) and not issubclass(given, Exception):
        return IRModule({name: _module(each) for name, each in vars(given).items() if not name.startswith("_")})
    return read_function(given) if inspect.isfunction(given) else given


def _as_module(given: Any) -> IRModule:
    if isinstance(given, IRModule):
        return given
    if isinstance(given, ModuleOp):
        return IRModule(given)
    if isinstance(given, (str, int, float, list, tuple)) or given is None:
        fail(WRONG_TYPE, f"expected a function or a module to compare, but got {given!r}")
    return IRModule({"main": given})
