"""Parameters and fixtures of tests, as names of a module or a class of tests."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import wraps
from importlib import import_module
from typing import Any

from ...diagnostics import fail

CORRELATED = "tilewright_correlated"
"""An attribute of a fixture that is one of several which take their values together; the plugin reads it."""


def _pytest() -> Any:
    return import_module("pytest")


def parameter(*values: Any, ids: Sequence[str] | None = None, by_dict: Mapping[str, Any] | None = None) -> Any:
    """Return a fixture with each of the values in turn, named by `ids`, or by the keys of `by_dict` instead of both.

    n = tilewright.testing.parameter(16, 17)    # tests that take `n` run twice
    """
    if by_dict is not None:
        if values or ids:
            fail("TW0225", "parameter: expected values, or by_dict alone")
        ids, values = list(by_dict), tuple(by_dict.values())

    def value_of(*_: Any, request: Any) -> Any:
        return request.param

    return _pytest().fixture(value_of, params=values, ids=ids)


def parameters(*value_sets: Sequence[Any], ids: Sequence[str] | None = None) -> list[Any]:
    """Return fixtures that take their values together, one tuple of values at a time.

    n, dtype = tilewright.testing.parameters((16, "float32"), (512, "float16"))
    """
    group = object()
    return [_one_of(group, list(values), ids) for values in zip(*value_sets, strict=True)]


def _one_of(group: object, values: list[Any], ids: Sequence[str] | None) -> Any:
    def value_of(*_: Any, request: Any) -> Any:
        if not hasattr(request, "param"):
            fail(
                "TW0225",
                "parameters: expected the plugin tilewright.testing.plugin, which gives tests their values",
                help='state pytest_plugins = ["tilewright.testing.plugin"] in conftest.py',
            )
        return request.param

    setattr(value_of, CORRELATED, (group, values, ids))
    return _pytest().fixture(value_of)


def fixture(func: Callable[..., Any] | None = None, *, cache_return_value: bool = False) -> Any:
    """Return a decorator for a fixture that is made for each test.

    With `cache_return_value` it is made once for the same arguments, and each test gets a copy, unless the environment
    variable TVM_TEST_DISABLE_CACHE is 1. Arguments are compared by their pickles.
    """
    if func is None:
        return lambda each: fixture(each, cache_return_value=cache_return_value)
    is_cached = cache_return_value and os.environ.get("TVM_TEST_DISABLE_CACHE", "0") == "0"
    return _pytest().fixture(_cached(func) if is_cached else func)


def _cached(func: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[bytes, Any] = {}

    @wraps(func)
    def value_of(*owner: Any, **arguments: Any) -> Any:
        key = pickle.dumps(arguments)
        if key not in known:
            known[key] = func(*owner, **arguments)
        return deepcopy(known[key])

    return value_of
