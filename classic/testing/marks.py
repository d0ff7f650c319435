"""The targets for which tests run, and pytest marks that skip tests where a requirement is not met.

    @tilewright.testing.requires_cuda
    def test_kernel(): ...

    pytestmark = tilewright.testing.requires_gpu.marks()

A mark is a decorator; called without a function it returns a list of pytest's marks, which is a decorator too. Tests
run for the targets of a list whose programs can be built on this machine, and whose device is present.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from ...driver.targets import Target
from ...runtime.devices import Device, device
from ..contrib.nvcc import get_target_compute_version, have_tensorcore
from ..ir_names import enabled

Test = TypeVar("Test", bound="Callable[..., Any] | type")

DEFAULT_TEST_TARGETS = ("llvm", "llvm -device=arm_cpu", "cuda", "opencl")
"""The targets that are tested if the environment variable TVM_TEST_TARGETS lists none."""

_LIBRARY = "products and convolutions are compiled: libraries are not called"


@dataclass(frozen=True)
class TestTarget:
    """A target that tests may run for."""

    __test__ = False  # pytest would otherwise collect it as a class of tests

    text: str

    @property
    def kind(self) -> str:
        """The first word."""
        return self.text.split()[0]

    @property
    def runs(self) -> bool:
        """True if its programs can be built, and its device is present."""
        return enabled(self.kind) and device(self.kind).exist


def listed_targets() -> list[TestTarget]:
    """Return the targets of TVM_TEST_TARGETS, separated by semicolons, or those of the default list.

    "llvm" alone where none of them runs.
    """
    texts = [text.strip() for text in os.environ.get("TVM_TEST_TARGETS", "").split(";")]
    targets = [TestTarget(text) for text in dict.fromkeys(texts) if text]
    targets = targets or [TestTarget(text) for text in DEFAULT_TEST_TARGETS]
    return targets if any(target.runs for target in targets) else [TestTarget("llvm")]


def device_enabled(target: str) -> bool:
    """Return whether tests run for the kind of a target."""
    kind = target.split()[0]
    return any(each.kind == kind and each.runs for each in listed_targets())


def enabled_targets() -> list[tuple[str, Device]]:
    """Return the targets that tests run for, each with its device."""
    return [(each.text, device(each.kind)) for each in listed_targets() if each.runs]


def _pytest() -> Any:
    return import_module("pytest")


def _has_tensor_cores() -> bool:
    return Device("cuda").exist and have_tensorcore(get_target_compute_version())


class Marks(list[Any]):
    """Marks of pytest for `pytestmark`, or for one test: `@requires_llvm()`."""

    def __call__(self, test: Test) -> Test:
        return _marked(test, self)


class Requirement:
    """A decorator that skips tests if `is_met` returns False. `names` are marks for `pytest -m`."""

    def __init__(self, name: str, reason: str, is_met: Callable[[], bool], *, names: tuple[str, ...] = ()) -> None:
        self.name, self.reason, self.is_met, self.names = name, reason, is_met, names

    def marks(self) -> Marks:
        """Return the marks of pytest."""
        pytest = _pytest()
        named = [getattr(pytest.mark, name) for name in self.names]
        return Marks([pytest.mark.skipif(not self.is_met(), reason=self.reason), *named])

    def __call__(self, test: Any = None) -> Any:
        return self.marks() if test is None else _marked(test, self.marks())

    def __repr__(self) -> str:
        return f"<requires_{self.name}>"


def _marked(test: Test, marks: Sequence[Any]) -> Test:
    for mark in reversed(marks):
        test = mark(test)
    return test


def _kind(kind: str, *names: str) -> Requirement:
    return Requirement(kind, f"no program runs on {kind} here", lambda: device_enabled(kind), names=(kind, *names))


def _never(name: str, reason: str, *names: str) -> Requirement:
    return Requirement(name, reason, lambda: False, names=names)


requires_llvm = Requirement("llvm", "no test runs for llvm", lambda: device_enabled("llvm"), names=("llvm",))
requires_gpu = Requirement("gpu", "there is no GPU", lambda: Device("cuda").exist, names=("gpu",))
requires_cuda = _kind("cuda", "gpu")
requires_opencl = _kind("opencl", "gpu")
requires_metal = _never("metal", "Metal is no target", "metal", "gpu")
requires_rocm = _never("rocm", "ROCm is no target", "rocm", "gpu")
requires_vulkan = _never("vulkan", "Vulkan is no target", "vulkan", "gpu")
requires_hexagon = _never("hexagon", "Hexagon is no target", "hexagon")
requires_nvptx = _never("nvptx", "nvptx is no separate target: build for cuda", "gpu")
requires_tensorcore = Requirement(
    "tensorcore", "there are no tensor cores", _has_tensor_cores, names=("tensorcore", "gpu")
)
requires_cudagraph = _never("cudagraph", "kernels are launched by one native call, without a graph", "gpu")
requires_cudnn = _never("cudnn", _LIBRARY, "gpu")
requires_cublas = _never("cublas", _LIBRARY, "gpu")
requires_cmsisnn = _never("cmsisnn", _LIBRARY)
requires_ethosn = _never("ethosn", "Ethos is no target", "ethosn")
requires_corstone300 = _never("corstone300", "no simulator of microcontrollers is used", "corstone300")
requires_micro = _never("micro", "microcontrollers are no target")
requires_rpc = _never("rpc", "programs run in the process that loads them")


def requires_package(*packages: str) -> Callable[[Test], Test]:
    """Return a decorator that skips a test where a package cannot be imported."""

    def missing(name: str) -> bool:
        try:
            import_module(name)
        except ImportError:
            return True
        return False

    marks = [_pytest().mark.skipif(missing(name), reason=f"'{name}' cannot be imported") for name in packages]
    return lambda test: _marked(test, marks)


def uses_gpu(test: Any = None) -> Any:
    """Return a decorator that lets `pytest -m gpu` select a test, which is not skipped where there is none."""
    marks = Marks([_pytest().mark.gpu])
    return marks if test is None else _marked(test, marks)


_OF_KIND = {
    each.name: each
    for each in (requires_cuda, requires_hexagon, requires_llvm, requires_metal, requires_nvptx, requires_opencl,
                 requires_rocm, requires_vulkan)
}  # fmt: skip


def marks_of(target: str | Target) -> list[Any]:
    """Return the marks of a test that runs for a target."""
    kind = target.split()[0] if isinstance(target, str) else target.kind.name
    return _OF_KIND[kind].marks() if kind in _OF_KIND else []


def parametrize_targets(*targets: Any) -> Any:
    """Return a decorator that runs a test for each of the targets that runs here, as its parameter `target`.

    Without targets, those of `enabled_targets`: it then has no effect, as the plugin finds them for every such test.
    """
    if len(targets) == 1 and callable(targets[0]):
        return targets[0]
    pytest = _pytest()
    return pytest.mark.parametrize("target", [pytest.param(each, marks=marks_of(each)) for each in targets])


def exclude_targets(*kinds: str) -> Callable[[Test], Test]:
    """Return a decorator for a test that the plugin does not run for targets of these kinds."""
    return lambda test: _noted(test, "tvm_excluded_targets", kinds)


def known_failing_targets(*kinds: str) -> Callable[[Test], Test]:
    """Return a decorator for a test that is expected to fail for targets of these kinds."""
    return lambda test: _noted(test, "tvm_known_failing_targets", kinds)


def _noted(test: Test, name: str, kinds: tuple[str, ...]) -> Test:
    setattr(test, name, kinds)
    return test
