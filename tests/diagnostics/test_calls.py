"""Calls of public functions with arguments that do not fit end in a code that names the nearest parameter."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te, tir, topi
from tilewright.diagnostics.expectations import coded, coded_methods, public

X = np.ones(4, np.float32)


def refused(call: Callable[[], Any]) -> TilewrightError:
    with pytest.raises(TypeError) as caught:
        call()
    assert isinstance(caught.value, TilewrightError), caught.value
    return caught.value


def functions() -> dict[str, Callable[..., Any]]:
    """Return the functions of the public modules by name."""
    found: dict[str, Callable[..., Any]] = {}
    for prefix, module in (("", tilewright), ("te.", te), ("topi.", topi), ("topi.nn.", topi.nn), ("tir.", tir)):
        for name in getattr(module, "__all__", []):
            value = getattr(module, name)
            if isinstance(value, FunctionType):
                found[f"{prefix}{name}"] = value
    for name in ("from_source",):
        found[f"script.{name}"] = getattr(tilewright.script, name)
    for name in ("array", "empty"):
        found[f"nd.{name}"] = getattr(tilewright.nd, name)
    for name in ("decl_buffer", "call_extern", "call_packed", "hypot"):
        found[f"tir.{name}"] = getattr(tir, name)
    for name in ("load_module", "device", "cpu", "cuda"):
        found[f"runtime.{name}"] = getattr(tilewright.runtime, name)
    found["register_func"] = tilewright.register_func
    return found


def classes() -> dict[str, Callable[..., Any]]:
    return {
        "Target": tilewright.Target,
        "PassContext": tilewright.PassContext,
        "PassManager": tilewright.PassManager,
        "IRModule": tilewright.IRModule,
        "Schedule": tilewright.Schedule,
        "Sequential": tilewright.transform.Sequential,
    }


def test_keywords_that_no_parameter_has() -> None:
    """Of every public function, with its own first parameter misspelt."""
    found = {**functions(), **classes()}
    assert len(found) > 150
    wrong: list[str] = []
    for name, function in found.items():
        parameters = inspect.signature(function).parameters.values()
        named = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        if not named or any(p.kind is p.VAR_KEYWORD for p in parameters):
            continue
        misspelt = f"{named[-1]}z"
        try:
            function(**{misspelt: 1})
            wrong.append(f"{name}({misspelt}=1) is accepted")
        except TilewrightError as error:
            if error.code != "TW0725" or misspelt not in error.message:
                wrong.append(f"{name}: {error}")
        except Exception as error:
            wrong.append(f"{name}: {type(error).__name__}: {error}")
    assert wrong == []


def test_methods() -> None:
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: a[i] + 1.0, name="B")
    s = te.create_schedule(b.op)
    program = tilewright.build(s, [a, b])
    axis = s[b].op.axis[0]
    for call, said in (
        (lambda: program.run({"A": X}, outt=None), "run has no parameter 'outt'; did you mean 'out'?"),
        (lambda: program["main"].run({"A": X}, treads=1), "run has no parameter 'treads'; did you mean 'threads'?"),
        (lambda: program.save(pth="x.so"), "save has no parameter 'pth'; did you mean 'path'?"),
        (lambda: program.profile({"A": X}, repet=1), "profile has no parameter 'repet'; did you mean 'repeat'?"),
        (lambda: program.time_evaluator("main", tilewright.cpu(), nunber=1), "did you mean 'number'?"),
        (lambda: program.get_source(knd="asm"), "get_source has no parameter 'knd'; did you mean 'kind'?"),
        (lambda: s[b].split(axis, factors=2), "split has no parameter 'factors'; did you mean 'factor'?"),
        (lambda: s[b].vectorize(), "vectorize: missing a required argument: 'var'"),
        (lambda: s.cache_read(a, "local", readrs=[b]), "cache_read has no parameter 'readrs'; did you mean 'readers'?"),
        (lambda: tilewright.build(s, [a, b], traget="llvm"), "build has no parameter 'traget'; did you mean 'target'?"),
        (lambda: tilewright.lower(s, [a, b], "f", True, 1, 2), "lower: too many positional arguments"),
        (lambda: tilewright.build(), "build: missing a required argument: 'inputs'"),
        (lambda: topi.nn.conv2d(a, a, stridez=1), "conv2d has no parameter 'stridez'; did you mean 'strides'?"),
        (lambda: topi.nn.conv2d(a), "conv2d: missing a required argument: 'kernel'"),
    ):
        error = refused(call)
        assert error.code == "TW0725" and said in error.message, (said, error.message)
    error = refused(lambda: program(X, treads=2))
    assert error.code == "TW0702" and error.message.endswith("'treads'; did you mean 'threads'?")
    assert refused(lambda: tilewright.compile("m.onnx", traget="c")).help == (
        "compile takes model, target, threads, shapes, sizes, specialise, device, copy, allow_foreign, unchecked, "
        "fast, records"
    )


def test_errors_from_within_stay_as_they_are() -> None:
    """Of a function's own code, of a callback, and of a call in it with arguments that do not fit."""

    def inner(x: int) -> int:
        return x

    @coded
    def outer(call: Callable[[], object]) -> object:
        return call()

    for call in (lambda: inner(y=1), lambda: 1 + "a", lambda: len(1)):  # pyright: ignore
        with pytest.raises(TypeError) as caught:
            outer(call)
        assert not isinstance(caught.value, TilewrightError)
    assert outer(lambda: 3) == 3
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        te.compute((4,), lambda i: te.const(1.0) + inner(), name="C")  # pyright: ignore


def test_wrapped_functions_are_themselves() -> None:
    """Under one identity, by their names, signatures and documentation; errors point at the user's line."""
    assert tilewright.build is tilewright.build and tilewright.driver.build is tilewright.driver.build
    assert tilewright.build is tilewright.driver.build
    assert public(tilewright.build) is tilewright.build
    assert tilewright.lower.__name__ == "lower" and "simple_mode" in str(inspect.signature(tilewright.lower))
    assert te.compute.__doc__
    assert pickle.loads(pickle.dumps(public(5))) == 5

    @coded_methods
    class Counter:
        def count(self, step: int = 1) -> int:
            return step

        def _hidden(self) -> int:
            return self.count(2)

    assert Counter().count() == 1 and Counter()._hidden() == 2
    assert refused(lambda: Counter().count(stepp=2)).message == "count has no parameter 'stepp'; did you mean 'step'?"  # pyright: ignore
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: a[i] + 1.0, name="B")
    s = te.create_schedule(b.op)
    with pytest.raises(TilewrightError) as caught:
        s[b].split(b.op.axis[0], factor=-1)
    assert str(caught.value).startswith(__file__)
