"""The garbage collector rests while passes run, and only then."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from tilewright import PassManager
from tilewright.dialects import context
from tilewright.passes.framework.instruments import Instrument
from tilewright.passes.framework.manager import collection_paused
from tilewright.passes.framework.registry import parse_pipeline
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


class Look(Instrument):
    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self.enabled = gc.isenabled()


def test_paused_while_passes_run() -> None:
    look = Look()
    PassManager(parse_pipeline("simplify"), (look,)).run(context(), ModuleOp([]))
    assert (look.enabled, gc.isenabled()) == (False, True)


def test_who_paused_it_resumes_it() -> None:
    with collection_paused():
        with collection_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_was_off_stays_off() -> None:
    gc.disable()
    with collection_paused():
        pass
    assert not gc.isenabled()


def test_resumed_after_an_error() -> None:
    with pytest.raises(ValueError), collection_paused():
        raise ValueError
    assert gc.isenabled()
