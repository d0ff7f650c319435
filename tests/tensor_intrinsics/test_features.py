"""The tile registers of AMX count as present only where the system grants them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pytest
from tilewright.runtime import cpu_features


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    cpu_features.may_use_tiles.cache_clear()
    yield
    cpu_features.may_use_tiles.cache_clear()


class Kernel:
    """A C library whose system call answers as told."""

    def __init__(self, answer: int) -> None:
        self.answer = answer
        self.calls: list[tuple[int, ...]] = []

    def syscall(self, *arguments: int) -> int:
        self.calls.append(arguments)
        return self.answer


@pytest.fixture
def on_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_features.platform, "system", lambda: "Linux")
    monkeypatch.setattr(cpu_features.platform, "machine", lambda: "x86_64")


@pytest.mark.usefixtures("on_linux")
def test_granted_tiles_are_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(0)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: kernel)
    features = ("amx-int8", "amx-tile", "avx2")
    assert cpu_features.usable_features(features) == features
    assert cpu_features.usable_features(features) == features
    assert kernel.calls == [(158, 0x1023, 18)]


@pytest.mark.usefixtures("on_linux")
def test_refused_tiles_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: Kernel(-1))
    assert cpu_features.usable_features(("amx-int8", "amx-tile", "avx2")) == ("avx2",)
    monkeypatch.setattr(cpu_features, "_flags", lambda: frozenset({"amx_tile", "avx2"}))
    assert cpu_features.missing_features(["amx-tile", "avx2"]) == ["amx-tile"]


def test_other_systems_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_features.platform, "system", lambda: "Darwin")
    assert not cpu_features.may_use_tiles()


def test_nobody_asks_without_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_features, "may_use_tiles", lambda: pytest.fail("asked"))
    assert cpu_features.usable_features(("avx2", "fma")) == ("avx2", "fma")
