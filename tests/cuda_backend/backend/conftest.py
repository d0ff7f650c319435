"""Programs of the CUDA backend's tests run in the simulator; their source goes to a folder of the test."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tilewright.backends.cuda.module import build
from tilewright.dialects import context
from tilewright.runtime import Module
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "cuda"


_spec = importlib.util.spec_from_file_location("host_driver", Path(__file__).with_name("host_driver.py"))
assert _spec is not None and _spec.loader is not None
host_driver = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(host_driver)


@pytest.fixture
def drivers() -> ModuleType:
    """The module that has the stand-in for CUDA's driver, and arrays that lie on its devices."""
    return host_driver


@pytest.fixture
def use_driver(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Any]:
    """Puts a driver in place of CUDA's, for programs that are built afterwards."""

    def use(driver: Any) -> Any:
        monkeypatch.setattr("tilewright.runtime.kernels.device_program.cuda_driver", lambda: driver)
        monkeypatch.setattr("tilewright.runtime.kernels.device_array.cuda_driver", lambda: driver)
        monkeypatch.setattr("tilewright.backends.cuda.module.ptx_of", host_driver.source_as_ptx)
        return driver

    return use


@pytest.fixture
def driver(use_driver: Callable[[Any], Any]) -> Any:
    """One device, which is the host with the simulator."""
    return use_driver(host_driver.HostDriver())


@pytest.fixture
def parse() -> Callable[[str], ModuleOp]:
    def parse_text(text: str) -> ModuleOp:
        module = Parser(context(), text).parse_module()
        module.verify()
        return module

    return parse_text


@pytest.fixture
def simulated(parse: Callable[[str], ModuleOp]) -> Callable[[str], Module]:
    """A module given as text, for the simulator, as it stands."""
    return lambda text: build(parse(text), device="simulator")
