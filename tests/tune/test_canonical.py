"""The canonical form of functions: equal for equal work, and schedules of it are schedules of the function."""

from __future__ import annotations

from functools import cache

import pytest
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.light_models import light_model
from tilewright.schedule import Schedule
from tilewright.schedule.canonical import canonical, target_in_records
from tilewright.schedule.rules.default import scheduled_copy
from tilewright.schedule.trace import Trace
from tuning_tasks import PRODUCT, TARGET, module_of, plain_kernels, target
from xdsl.dialects.builtin import UnknownLoc
from xdsl.dialects.func import FuncOp

RENAMED = PRODUCT.replace("%x", "%left").replace("%w", "%right").replace("%s", "%product").replace("@main", "@net")


def kernel(text: str = PRODUCT) -> FuncOp:
    (function,) = plain_kernels(module_of(text))
    return function


def test_text() -> None:
    lines = str(canonical(kernel()).function).splitlines()
    assert lines[0] == (
        "func.func private @kernel(%a0: memref<24x32xf32>, %a1: memref<32x40xf32>, "
        "%a2: memref<24x40xf32> {tw.output}) {"
    )
    assert [line.strip() for line in lines if "loop.block" in line] == [
        'loop.block "b0" (%vj0 = spatial(%i0) in 24, %vj1 = spatial(%i1) in 40, %vj2 = reduce(%i2) in 32) {',
        'loop.block "b1" (%vj3 = spatial(%i3) in 24, %vj4 = spatial(%i4) in 40) {',
    ]


def test_names_and_locations_do_not_count() -> None:
    ones, others = canonical(kernel()), canonical(kernel(RENAMED))
    assert str(ones.function) == str(others.function)
    assert ones.key(target()) == others.key(target())


@pytest.mark.parametrize(
    "text, named",
    [(PRODUCT.replace("24", "25"), TARGET), (PRODUCT.replace("relu", "tanh"), TARGET),
     (PRODUCT, TARGET.replace("threads=2", "threads=3")), (PRODUCT, TARGET.replace("8M", "4M"))],
)  # fmt: skip
def test_other_work_and_other_targets_have_other_keys(text: str, named: str) -> None:
    assert canonical(kernel(text)).key(target(named)) != canonical(kernel()).key(target())


def test_facts_that_were_measured_do_not_count() -> None:
    """Two measurements of a machine find the records of each other; a stated fact is another target."""
    form = canonical(kernel())
    measured = [f"{TARGET} -loads={loads}@measured -page=4096@system" for loads in ("1.93", "1.97")]
    assert {form.key(target(text)) for text in (TARGET, *measured)} == {form.key(target())}
    assert {target_in_records(target(text)) for text in (TARGET, *measured)} == {str(target())}
    for text in ("-loads=3", "-loads=3@datasheet", "-loads=3 -page=4096@system"):
        assert form.key(target(f"{TARGET} {text}")) != form.key(target())


def test_locations_are_kept_unless_they_are_not_wanted() -> None:
    function = kernel()
    here = [op.location for op in canonical(function).function.walk()]
    assert here == [op.location for op in function.walk()]
    assert not all(isinstance(location, UnknownLoc) for location in here)
    assert all(isinstance(op.location, UnknownLoc) for op in canonical(function, located=False).function.walk())


def test_names_come_back() -> None:
    function = kernel()
    form = canonical(function)
    assert str(form.names.restore(form.function)) == str(function)


def test_equal_labels_after_restoring_are_numbered() -> None:
    form = canonical(kernel())
    known = dict(form.names.known) | {"b0": "C", "b1": "C"}
    object.__setattr__(form.names, "known", known)
    text = str(form.names.restore(form.function))
    assert 'loop.block "C"' in text and 'loop.block "C2"' in text


@cache
def network(name: str) -> list[FuncOp]:
    module = import_model(light_model(name, seed=None))
    module.attributes[TARGET_ATTRIBUTE] = target()
    return plain_kernels(module)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["squeezenet", "resnet50", "densenet121"])
def test_traces_of_the_form_replay_to_the_schedules_of_the_function(name: str) -> None:
    different = []
    for function in network(name)[:16]:
        form = canonical(function)
        trace = scheduled_copy(form.function, target()).schedule.trace
        Trace.from_json(trace.as_json()).apply_to(Schedule(form.function))
        direct = scheduled_copy(function, target()).schedule.func
        if str(form.names.restore(form.function)) != str(direct):
            different.append(function.sym_name.data)
    assert different == []


def test_traces_of_the_form_replay_for_a_gpu() -> None:
    gpu = target("cuda -arch=sm_80")
    for function in plain_kernels(module_of(PRODUCT, gpu)):
        form = canonical(function)
        trace = scheduled_copy(form.function, gpu).schedule.trace
        trace.apply_to(Schedule(form.function))
        assert str(form.names.restore(form.function)) == str(scheduled_copy(function, gpu).schedule.func)
