"""Testing utilities for programs: comparisons, marks that skip without a target, parameters and fixtures.

    import tilewright as tvm

    n = tvm.testing.parameter(16, 17)

    @tvm.testing.parametrize_targets("llvm", "cuda")
    def test_add(target, dev, n):
        tvm.testing.assert_allclose(...)

Marks, parameters and fixtures are pytest's, which is imported with the first of them. `dev`, `parameters`, and tests
that take `target` without naming any, need the plugin. In `conftest.py`:

    pytest_plugins = ["tilewright.testing.plugin"]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ...lazy import be_face, exports

if TYPE_CHECKING:
    from .compare import CompareBeforeAfter as CompareBeforeAfter
    from .fixtures import fixture as fixture
    from .fixtures import parameter as parameter
    from .fixtures import parameters as parameters
    from .marks import DEFAULT_TEST_TARGETS as DEFAULT_TEST_TARGETS
    from .marks import device_enabled as device_enabled
    from .marks import enabled_targets as enabled_targets
    from .marks import exclude_targets as exclude_targets
    from .marks import known_failing_targets as known_failing_targets
    from .marks import parametrize_targets as parametrize_targets
    from .marks import requires_package as requires_package
    from .marks import uses_gpu as uses_gpu
    from .values import assert_allclose as assert_allclose
    from .values import assert_array_equal as assert_array_equal
    from .values import assert_prim_expr_equal as assert_prim_expr_equal
    from .values import check_numerical_grads as check_numerical_grads
    from .values import identity_after as identity_after
    from .values import main as main
    from .values import terminate_self as terminate_self

_REQUIREMENTS = (
    "cmsisnn", "corstone300", "cublas", "cuda", "cudagraph", "cudnn", "ethosn", "gpu", "hexagon", "llvm", "metal",
    "micro", "nvptx", "opencl", "rocm", "rpc", "tensorcore", "vulkan",
)  # fmt: skip
"""The endings of the names of marks that begin with `requires_`."""

_MARKS = "marks"

_EXPORTS = {
    "CompareBeforeAfter": "compare:CompareBeforeAfter",
    "DEFAULT_TEST_TARGETS": "marks:DEFAULT_TEST_TARGETS",
    "assert_allclose": "values:assert_allclose",
    "assert_array_equal": "values:assert_array_equal",
    "assert_prim_expr_equal": "values:assert_prim_expr_equal",
    "check_numerical_grads": "values:check_numerical_grads",
    "device_enabled": "marks:device_enabled",
    "enabled_targets": "marks:enabled_targets",
    "exclude_targets": "marks:exclude_targets",
    "fixture": "fixtures:fixture",
    "identity_after": "values:identity_after",
    "known_failing_targets": "marks:known_failing_targets",
    "main": "values:main",
    "parameter": "fixtures:parameter",
    "parameters": "fixtures:parameters",
    "parametrize_targets": "marks:parametrize_targets",
    "requires_package": "marks:requires_package",
    "terminate_self": "values:terminate_self",
    "uses_gpu": "marks:uses_gpu",
    **{f"requires_{what}": f"{_MARKS}:requires_{what}" for what in _REQUIREMENTS},
}
_get, __dir__ = exports(__name__, _EXPORTS)


def __getattr__(name: str) -> Any:
    return be_face(import_module(f".{name}", __name__)) if name == "utils" else _get(name)
