"""A pytest plugin for tests that take `target` and `dev`: `pytest_plugins = ["tilewright.testing.plugin"]`.

A test that takes `target` and names none runs for each of `enabled_targets`. A target whose programs cannot run on this
machine is skipped. `dev` is the device of `target`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ...runtime.devices import Device, device
from .fixtures import CORRELATED
from .marks import listed_targets, marks_of

MARKS = (
    "corstone300", "cuda", "ethosn", "gpu", "hexagon", "llvm", "metal", "opencl", "rocm", "tensorcore", "vulkan",
)  # fmt: skip
"""Names that `pytest -m` selects by."""


_target_to_requirement = marks_of
"""TVM's name, which tests of its plugin call."""


def pytest_configure(config: pytest.Config) -> None:
    """Make the names of marks known."""
    for name in MARKS:
        config.addinivalue_line("markers", f"{name}: needs {name}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests for their targets, and fixtures that take their values together."""
    _parametrize_correlated(metafunc)
    if "target" in metafunc.fixturenames:
        _parametrize_targets(metafunc)


@pytest.fixture
def dev(target: Any) -> Device:
    """Return the device of the target of a test."""
    return device(_kind(target))


def _kind(target: Any) -> str:
    return target.split()[0] if isinstance(target, str) else target.kind.name


def _parametrize_targets(metafunc: pytest.Metafunc) -> None:
    named = [mark for mark in metafunc.definition.iter_markers("parametrize") if "target" in _names(mark)]
    for mark in named:
        index = _names(mark).index("target")
        mark.args[1][:] = [_with_marks(metafunc, values, index) for values in mark.args[1]]
    if not named and "target" not in metafunc.definition._fixtureinfo.name2fixturedefs:  # pyright: ignore[reportPrivateUsage]
        excluded = getattr(metafunc.function, "tvm_excluded_targets", ())
        targets = [each.text for each in listed_targets() if each.kind not in excluded]
        metafunc.parametrize("target", [_with_marks(metafunc, text, 0) for text in targets])


def _names(mark: pytest.Mark) -> list[str]:
    names = mark.args[0]
    return [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]


def _with_marks(metafunc: pytest.Metafunc, values: Any, index: int) -> Any:
    """Return one set of values of parameters, with the marks of the target among them."""
    marks: list[Any] = []
    if hasattr(values, "marks"):
        values, marks = values.values, list(values.marks)
    elif not isinstance(values, (tuple, list)):
        values = (values,)
    target = values[index]
    if _kind(target) in getattr(metafunc.function, "tvm_known_failing_targets", ()):
        marks.append(pytest.mark.xfail(reason=f"known to fail for {_kind(target)}"))
    return pytest.param(*values, marks=[*marks, *marks_of(target)])


def _parametrize_correlated(metafunc: pytest.Metafunc) -> None:
    groups: dict[object, list[tuple[str, list[Any], Any]]] = {}
    for name, (group, values, ids) in _correlated(metafunc):
        groups.setdefault(group, []).append((name, values, ids))
    for members in groups.values():
        names = [name for name, _, _ in members]
        sets = list(zip(*(values for _, values, _ in members), strict=True))
        metafunc.parametrize(names, sets, indirect=True, ids=members[0][2])


def _correlated(metafunc: pytest.Metafunc) -> Iterator[tuple[str, Any]]:
    known = metafunc.definition._fixtureinfo.name2fixturedefs  # pyright: ignore[reportPrivateUsage]
    for name, definitions in known.items():
        found = getattr(definitions[-1].func, CORRELATED, None)
        if found is not None:
            yield name, found
