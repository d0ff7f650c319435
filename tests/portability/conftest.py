"""Every program of `cases`, built once for each machine that tests ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import tilewright
from tilewright.runtime import Module

from .cases import programs
from .machines import programs_on


@pytest.fixture(scope="session", autouse=True)
def object_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Provide an object cache of these tests' own."""
    folder = tmp_path_factory.mktemp("objects")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TILEWRIGHT_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture(scope="session")
def built(object_cache: Path) -> Callable[[str], Module]:
    """Build the module of the programs that are compared on a target."""

    @cache
    def build(target: str) -> Module:
        cheap = f"{target} -fork=100"  # so that loops of small programs are parallel
        return tilewright.build({name: [*programs()[name]] for name in programs_on(target)}, target=cheap)

    return build
