"""`tilewright.testing`: comparisons, marks, parameters and fixtures, and tests of passes as classes."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te

testing = tvm.testing


def run_tests(tmp_path: Path, text: str, *options: str, plugin: bool = True, **environment: str) -> str:
    """Run a file of tests as a process of its own, and return the outcomes, one a line."""
    (tmp_path / "test_it.py").write_text("import pytest\nimport tilewright as tvm\n" + text)
    if plugin:
        (tmp_path / "conftest.py").write_text('pytest_plugins = ["tilewright.testing.plugin"]\n')
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\nfilterwarnings = error\n")
    flags = ["-q", "-rA", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist", "-p", "no:tilewright_lit"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *flags, *options, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), **environment},
    )
    kept = [line for line in done.stdout.splitlines() if line.split(" ")[0] in ("PASSED", "FAILED", "XFAIL", "ERROR")]
    skipped = [line for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    return "\n".join([*(line.replace("test_it.py::", "") for line in kept), *(s.split(": ")[-1] for s in skipped)])


def test_close_arrays() -> None:
    testing.assert_allclose([1.0, 2.0], np.array([1.0, 2.0 + 1e-8]))
    with pytest.raises(AssertionError, match="Not equal to tolerance rtol=1e-07, atol=1e-07"):
        testing.assert_allclose([1.0], [1.1])
    with pytest.raises(AssertionError, match=r"expected an array of shape \(2,\), but got one of \(1,\)"):
        testing.assert_allclose([1.0], [1.0, 1.0])


def test_equal_expressions() -> None:
    n, m = te.var("n"), te.var("m")
    testing.assert_prim_expr_equal(n * 4 + m - n, m + n * 3)
    testing.assert_prim_expr_equal((n * 4 + 8) // 4, n + 2)
    testing.assert_prim_expr_equal(te.exp(te.const(1.0)), te.exp(te.const(1.0)))
    with pytest.raises(ValueError, match="expected equal expressions, but got n and m"):
        testing.assert_prim_expr_equal(n, m)


def test_gradients() -> None:
    x, y = np.array([1.0, 2.0]), np.array([[3.0], [4.0]])
    testing.check_numerical_grads(lambda a, b: (a**3).sum() + b.prod(), [x, y], [3 * x**2, y[::-1]])
    testing.check_numerical_grads(lambda a: (a**2).sum(), {"a": x}, {"a": 2 * x})
    with pytest.raises(AssertionError, match="the gradient for a is off by"):
        testing.check_numerical_grads(lambda a: (a**2).sum(), {"a": x}, {"a": 3 * x})
    with pytest.raises(AssertionError, match=r"expected a gradient of shape \(2,\) for 0, but got \(1,\)"):
        testing.check_numerical_grads(lambda a: a.sum(), [x], [np.ones(1)])
    with pytest.raises(ValueError, match="is not finite"):
        testing.check_numerical_grads(lambda a: a.sum(), [x], [x * np.nan])


def test_a_value_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    slept = list[float]()
    monkeypatch.setattr(time, "sleep", slept.append)
    assert testing.identity_after("x", 0.02) == testing.identity_after("x", 0) == "x"
    assert slept == [0.02]


def test_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ("llvm", tvm.cpu()) in testing.enabled_targets()
    assert testing.device_enabled("llvm -mcpu=x86-64-v3")
    assert not testing.device_enabled("opencl")
    monkeypatch.setenv("TVM_TEST_TARGETS", "c; opencl ;c")
    assert testing.enabled_targets() == [("c", tvm.device("cpu"))] or not tvm.runtime.enabled("c")
    monkeypatch.setenv("TVM_TEST_TARGETS", "opencl;vulkan")
    assert testing.enabled_targets() == [("llvm", tvm.cpu())]
    assert not testing.device_enabled("opencl")


def test_requirements_are_marks_and_decorators() -> None:
    (skip,) = testing.requires_micro.marks()

    @testing.requires_micro()
    def called() -> None: ...

    assert called.pytestmark == [skip.mark]  # pyright: ignore[reportFunctionMemberAccess]
    assert (skip.name, skip.args, skip.kwargs) == ("skipif", (True,), {"reason": "microcontrollers are no target"})
    assert testing.requires_micro() == [skip]
    assert testing.requires_llvm.is_met()
    assert testing.requires_gpu.is_met() == tvm.cuda().exist

    @testing.requires_package("no_such_package")
    def test() -> None: ...

    assert [mark.kwargs["reason"] for mark in test.pytestmark] == ["'no_such_package' cannot be imported"]


def test_marks_skip_and_select(tmp_path: Path) -> None:
    text = """
@tvm.testing.requires_llvm
def test_llvm(): pass

@tvm.testing.requires_rocm
def test_rocm(): pass

@tvm.testing.uses_gpu
def test_maybe(): pass

@tvm.testing.requires_rpc()[0]
def test_rpc(): pass
"""
    assert run_tests(tmp_path, text).splitlines() == [
        "PASSED test_llvm",
        "PASSED test_maybe",
        "ROCm is no target",
        "programs run in the process that loads them",
    ]
    assert run_tests(tmp_path, text, "-m", "gpu").splitlines() == ["PASSED test_maybe", "ROCm is no target"]


def test_tests_run_for_targets(tmp_path: Path) -> None:
    text = """
def test_all(target, dev):
    assert tvm.runtime.enabled(target) and dev == tvm.device(target)

@tvm.testing.parametrize_targets("llvm", "vulkan")
def test_named(target): pass

@pytest.mark.parametrize("n,target", [(1, "llvm"), (2, "metal")])
def test_pairs(n, target): pass

@tvm.testing.exclude_targets("c")
def test_without(target): assert target == "llvm"

@tvm.testing.known_failing_targets("llvm")
def test_failing(target): assert target != "llvm"
"""
    assert run_tests(tmp_path, text, TVM_TEST_TARGETS="llvm;c").splitlines() == [
        "PASSED test_all[llvm]",
        "PASSED test_all[c]",
        "PASSED test_named[llvm]",
        "PASSED test_pairs[1-llvm]",
        "PASSED test_without[llvm]",
        "PASSED test_failing[c]",
        "XFAIL test_failing[llvm] - known to fail for llvm",
        "Vulkan is no target",
        "Metal is no target",
    ]


def test_parameters_and_fixtures(tmp_path: Path) -> None:
    text = """
n = tvm.testing.parameter(1, 2)
size = tvm.testing.parameter(by_dict={"small": 3, "large": 300})
a, b = tvm.testing.parameters((1, "x"), (2, "y"), ids=["one", "two"])
made = []

@tvm.testing.fixture
def twice(n): return 2 * n

@tvm.testing.fixture(cache_return_value=True)
def costly(n):
    made.append(n)
    return [n]

def test_product(n, size): assert n < size
def test_together(a, b): assert (a, b) in ((1, "x"), (2, "y"))
def test_fixtures(n, size, twice, costly):
    assert twice == 2 * n and costly == [n]
    costly.append(0)
def test_made(): assert sorted(made) == [1, 2]

class TestClass:
    m = tvm.testing.parameter(5)

    @tvm.testing.fixture
    def more(self, m): return m + 1

    def test_it(self, more): assert more == 6
"""
    outcomes = run_tests(tmp_path, text).splitlines()
    both = [f"{n}-{size}" for n in (1, 2) for size in ("small", "large")]
    expected = [f"test_{what}[{each}]" for what in ("product", "fixtures") for each in both]
    expected += ["test_together[one]", "test_together[two]", "test_made", "TestClass::test_it[5]"]
    assert sorted(outcomes) == sorted(f"PASSED {each}" for each in expected)


def test_passes_before_and_after(tmp_path: Path) -> None:
    text = """
from tilewright.script import tir as T

class TestSimplify(tvm.testing.CompareBeforeAfter):
    transform = tvm.tir.transform.Simplify()

    def before(A: T.Buffer((4,), "int32")):
        for i in range(4):
            if i < 8:
                A[i + 0] = 1

    def expected(A: T.Buffer((4,), "int32")):
        for i in range(4):
            A[i] = 1

class TestDiffers(TestSimplify):
    def expected(A: T.Buffer((4,), "int32")):
        for i in range(4):
            A[i] = 2

class TestFixtures(tvm.testing.CompareBeforeAfter):
    @pytest.fixture
    def transform(self): return tvm.tir.transform.Simplify()

    def before(self):
        @T.prim_func
        def main(A: T.Buffer((4,), "int32")):
            A[0] = 3
        return main

    class Expected:
        def main(A: T.Buffer((4,), "int32")):
            A[0] = 3

class TestRaises(tvm.testing.CompareBeforeAfter):
    def transform(self):
        def fails(f, mod, ctx): raise KeyError("no")
        return tvm.tir.transform.prim_func_pass(fails, opt_level=0)

    before = TestFixtures.before
    expected = KeyError
"""
    outcomes = run_tests(tmp_path, text, plugin=False).splitlines()
    assert [line.split(" - ")[0] for line in outcomes] == [
        "PASSED TestSimplify::test_compare",
        "PASSED TestFixtures::test_compare",
        "PASSED TestRaises::test_compare",
        "FAILED TestDiffers::test_compare",
    ]
    assert "runtime.errors" in outcomes[-1]


def test_main_runs_the_file(tmp_path: Path) -> None:
    path = tmp_path / "test_own.py"
    path.write_text("import tilewright\ndef test(): pass\nif __name__ == '__main__': tilewright.testing.main()\n")
    done = subprocess.run([sys.executable, str(path), "-q", "-p", "no:tilewright_lit"], capture_output=True, text=True)
    assert done.returncode == 0
    assert "1 passed" in done.stdout


def test_pytest_is_imported_late() -> None:
    code = """
import sys, tilewright as tvm
from tilewright import testing
testing.assert_allclose, testing.requires_llvm, testing.enabled_targets()
print("pytest" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_programs_of_the_gallery_call_a_hook_that_does_nothing() -> None:

    before = urllib.request.urlopen
    assert tvm.testing.utils.install_request_hook(depth=3) is None
    assert urllib.request.urlopen is before
    with pytest.raises(tvm.TilewrightError, match="TW0725.*depth"):
        tvm.testing.utils.install_request_hook("3")
