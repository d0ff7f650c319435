"""Rules for functions that have a definition: asked where the target has one, and without any the IR is as it was."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import tilewright
import tilewright.backends  # its rules must be registered before a test replaces the table
from tilewright import TilewrightError, ir, te, tir
from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.targets import Target
from tilewright.passes import PassManager, collect_remarks
from tilewright.passes.framework import intrinsics as rules
from tilewright.passes.phase0.lower_te import LowerTePass
from tilewright.semantics.intrinsics import DEFINED, EXPANDED, OPERATIONS
from tilewright.te import functions
from xdsl.parser import Parser

TARGETS = {"llvm": {}, "c": {}, "opencl": {}, "cuda": {"device": "simulator"}}
REFERENCES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-x.astype(np.float64))),
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
}
X = np.array([-2.5, -0.0, 0.5, 3, np.inf, -np.inf, np.nan, 1e30], np.float32)


@pytest.fixture(autouse=True)
def registries(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Remove the rules that a test registers after it."""
    monkeypatch.setattr(rules, "_rules", {key: dict(levels) for key, levels in rules._rules.items()})
    yield


def program(name: str, target: str, lanes: int = 0):
    """Schedule the function of every element of a vector, its loops bound to threads where the target has them."""
    a = te.placeholder((8,), name="a")
    b = te.compute((8,), lambda i: te.Select(getattr(te, name)(a[i]), 1.0, 0.0) if "is" in name else te.sigmoid(a[i]))
    schedule = te.create_schedule(b.op)
    if target in ("opencl", "cuda"):
        schedule[b].bind(b.op.axis[0], te.thread_axis("threadIdx.x"))
    elif lanes:
        _, inner = schedule[b].split(b.op.axis[0], factor=lanes)
        schedule[b].vectorize(inner)
    return schedule, [a, b]


def differences(name: str, target: str, expected: np.ndarray, **options) -> list[str]:
    """Return the mismatch of a program with `expected`, where calls of the target need no device."""
    built = tilewright.build(*program(name, target, **options), target, **TARGETS[target])
    if target == "opencl":
        return []
    with np.errstate(over="ignore"):
        return [] if np.allclose(built(X), expected, rtol=1e-6, equal_nan=True) else [f"{name} on {target}"]


def test_rules_are_asked_on_every_target() -> None:
    """A user's rule is asked for each function; where it declines, the definition serves."""
    wrong: list[str] = []
    for target in TARGETS:
        for name in DEFINED:
            asked: list[str] = []
            made = program(name, target)  # a rule that comes after the expression is asked too
            ir.register_intrin_lowering(f"tir.{name}", target=target, f=_declining(asked), level=99)
            tilewright.build(*made, target, **TARGETS[target])
            wrong += [] if asked else [f"the rule for {name} on {target} is not asked"]
            with np.errstate(over="ignore"):
                wrong += differences(name, target, REFERENCES[name](X))
            rules.unregister_lowering(f"tir.{name}", target, 99)
            ir.register_intrin_lowering(f"tir.{name}", target=target, f=_seven, level=99)
            wrong += differences(name, target, np.full(8, 1.0 if "is" in name else 7.0))
            wrong += differences(name, target, np.full(8, 1.0 if "is" in name else 7.0), lanes=4)
            wrong += differences(name, "llvm" if target != "llvm" else "c", REFERENCES[name](X))
            rules.unregister_lowering(f"tir.{name}", target, 99)
    assert wrong == []


def _declining(asked: list[str]) -> Callable[[te.Expr], None]:
    """Return a rule that notes the name of each call and declines."""
    return lambda op: asked.append(op.op.name)


def _seven(op: te.Expr) -> te.Expr:
    return tir.const(True, "bool") if op.dtype == "bool" else tir.const(7.0, op.dtype)


def test_without_rules_the_definition_is_written() -> None:
    text = "\n".join(lowered(name, "c") for name in DEFINED)
    assert "call_intrin" not in text
    for name in DEFINED:
        ir.register_intrin_lowering(f"tir.{name}", target="llvm", f=_seven, level=99)
    assert "\n".join(lowered(name, "c") for name in DEFINED) == text
    assert [name for name in DEFINED if f'call_intrin "{name}"' not in lowered(name, "llvm")] == []


def lowered(name: str, target: str) -> str:
    """Return the IR after `lower-te` of a module for a target."""
    a = te.placeholder((8,), name="a")
    function = getattr(te, name)
    module = te.to_module([a, te.compute((8,), lambda i: function(a[i]), name="b")])
    module.attributes[TARGET_ATTRIBUTE] = Target(target).attribute()
    PassManager([LowerTePass()]).run(context(), module)
    module.attributes.pop(TARGET_ATTRIBUTE)
    return str(module)


def test_calls_reach_operators_of_models() -> None:
    """A rule is asked for the operators of graphs, whose expressions are the same functions."""
    asked: list[str] = []
    ir.register_intrin_lowering("tir.sigmoid", target="c", f=lambda op: asked.append(op.op.name), level=99)
    text = "func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {\n  %y = graph.sigmoid %x : tensor<4x8xf32>\n"
    text += "  func.return %y : tensor<4x8xf32>\n}"
    x = np.linspace(-3, 3, 32, dtype=np.float32).reshape(4, 8)
    y = tilewright.compile(Parser(context(), text).parse_module(), target="c")(x)
    np.testing.assert_allclose(y, REFERENCES["sigmoid"](x), rtol=1e-6)
    assert asked


def test_rules_that_no_call_asks() -> None:
    """A function without a name in the IR is refused, one that does not exist gets a remark."""
    no_names = {n for n, f in vars(functions).items() if inspect.isfunction(f) and f.__module__ == functions.__name__}
    no_names = {n for n in no_names if not n.startswith("_") and n not in (*OPERATIONS, *DEFINED)}
    assert no_names <= set(EXPANDED)
    for name in EXPANDED:
        with pytest.raises(TilewrightError) as raised:
            ir.register_intrin_lowering(f"tir.{name}", target="c", f=lambda op: op)
        assert raised.value.code == "TW0672"
    ir.register_intrin_lowering("tir.sigmiod", target="c", f=lambda op: op)
    ir.register_intrin_lowering("tir.exp", target="c", f=lambda op: op, level=99)
    rules.register_lowering("math.exq", "c")(lambda op: op)
    with collect_remarks() as remarks:
        tilewright.build(*program("sigmoid", "c"), "c")
    assert [r.message.split("'")[1] for r in remarks if r.code == "TW0673"] == ["sigmiod", "math.exq"]
