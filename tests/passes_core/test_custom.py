"""Passes of users: functions, classes, rewrite patterns; registered, added, removed and registered again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
import tilewright
from tilewright import PassContext, PassManager, TilewrightError, te
from tilewright.analysis import accesses_in
from tilewright.analysis.equivalence import Algebra, Axiom
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context, loop
from tilewright.ir.rewrites import count_rewrites
from tilewright.passes import Level
from tilewright.passes.framework import config, registry
from tilewright.passes.framework.base import ALL_LEVELS, algebra_of
from tilewright.passes.framework.context import as_pass
from tilewright.passes.framework.custom import function_pass
from tilewright.passes.framework.options import spec_of
from tilewright.tools.pass_descriptions import list_passes
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

TEXT = """
func.func @f(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  %c = arith.subi %b, %b : i32
  func.return %c : i32
}
"""


@pytest.fixture(autouse=True)
def no_passes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_user", {})
    yield


def run(passes: str | list[Any]) -> ModuleOp:
    root = parse(context(), TEXT, "<text>")
    made = registry.parse_pipeline(passes) if isinstance(passes, str) else [as_pass(p) for p in passes]
    PassManager(made).run(context(), root)
    return root


def names(root: ModuleOp) -> list[str]:
    return [op.name for op in root.walk() if op.dialect_name() == "arith"]


class AddiToMuli(RewritePattern):
    """x + y is x * y, for the sake of the test."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.AddiOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, arith.MuliOp(op.lhs, op.rhs))


class SubiToMuli(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: arith.SubiOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, arith.MuliOp(op.lhs, op.rhs))


def mark(root: ModuleOp, word: str = "function") -> None:
    root.attributes["test.mark"] = StringAttr(word)


def marked(root: ModuleOp) -> str:
    attribute = root.attributes["test.mark"]
    assert isinstance(attribute, StringAttr)
    return attribute.data


class TestFunctions:
    def test_of_the_module_or_of_the_context_and_the_module(self) -> None:
        @tilewright.register_pass(phase=1)
        def mark_module(module: ModuleOp) -> None:
            """Leave a word."""
            mark(module)

        @tilewright.register_pass(phase=1, name="with-context", levels=[Level.LOOP])
        def other(ctx: Context, module: ModuleOp) -> None:
            mark(module, "Context" if isinstance(ctx, Context) else "")

        assert marked(run("mark-module")) == "function"
        assert marked(run("with-context")) == "Context"
        assert callable(mark_module), "the function is what it was"
        assert "mark-module" in list_passes()
        assert "phase 1  loop: " in next(line for line in list_passes().splitlines() if line.startswith("with-context"))

    def test_keyword_only_parameters_are_options(self) -> None:
        @tilewright.register_pass(phase=1)
        def repeat(module: ModuleOp, *, word: str, times: int = 2, sizes: tuple[int, ...] = ()) -> None:
            mark(module, word * times + "".join(map(str, sizes)))

        assert marked(run("repeat{word=ab}")) == "abab"
        assert marked(run("repeat{sizes=3,4 times=1 word=ab}")) == "ab34"
        assert spec_of(registry.parse_pipeline("repeat{times=3 word=x}")[0]) == "repeat{word=x times=3}"
        with pytest.raises(TilewrightError, match="TW0202.*'repeat' needs option 'word'"):
            run("repeat")
        with pytest.raises(TilewrightError, match="TW0202.*option 'times' of pass 'repeat': expected int, but got x"):
            run("repeat{word=ab times=x}")

    def test_options_without_types_take_anything(self) -> None:
        @tilewright.register_pass(phase=1)
        def untyped(module: ModuleOp, *, word, other=None) -> None:  # type: ignore[no-untyped-def]
            mark(module, f"{word} {other}")

        assert marked(run("untyped{word=abc}")) == "abc None"
        assert marked(run("untyped{word=1,2 other=3}")) == "(1, 2) 3"
        lines = list_passes().splitlines()
        at = next(number for number, line in enumerate(lines) if line.startswith("untyped "))
        assert lines[at].endswith(": Call TestFunctions.test_options_without_types_take_anything.<locals>.untyped.")
        assert [line.strip() for line in lines[at + 1 : at + 3]] == ["word: Any", "other: Any = None"]

    def test_a_class_without_a_sentence_is_listed_without_one(self) -> None:
        tilewright.register_pass(phase=1)(make_class("word"))
        line = next(line for line in list_passes().splitlines() if line.startswith("test-reloaded "))
        assert line.rstrip().endswith("phase 1  any level:")

    def test_added_without_a_name(self) -> None:
        assert as_pass(mark).name == "mark"
        assert as_pass(lambda module: None).name == "function"
        assert marked(run([partial(mark, word="partial")])) == "partial"
        seen: list[ModuleOp] = []
        root = run([seen.append])
        assert seen == [root]

    def test_of_other_parameters_are_refused(self) -> None:
        with pytest.raises(TilewrightError, match=r"TW0208.*to take \(module\) or \(context, module\).*a, b, c"):
            as_pass(lambda a, b, c: None)

        def defaults(module: ModuleOp, *, sizes: list[int] = [1]) -> None: ...  # noqa: B006

        with pytest.raises(TilewrightError, match="TW0208.*cannot be options: mutable default"):
            as_pass(defaults)

    def test_another_module_is_not_lost_silently(self) -> None:
        with pytest.raises(TilewrightError, match="TW0217.*'function' returned another module"):
            run([lambda module: module.clone()])
        run([lambda module: module])

    def test_types_for_checkers_only_do_not_stop_options(self) -> None:
        def tuned(module: NotImported, *, times: int = 2) -> None:  # type: ignore[name-defined] # noqa: F821
            mark(module, str(times))

        tilewright.register_pass(phase=0)(tuned)
        assert marked(run("tuned{times=3}")) == "3"


class TestPatterns:
    def test_a_pattern_is_a_pass(self) -> None:
        tilewright.register_pass(phase=3)(AddiToMuli)
        assert names(run("addi-to-muli")) == ["arith.muli", "arith.subi"]
        listed = next(line for line in list_passes().splitlines() if line.startswith("addi-to-muli"))
        assert listed.endswith("phase 3  any level: x + y is x * y, for the sake of the test.")

    def test_several_patterns_and_instances(self) -> None:
        tilewright.register_pass(phase=3, name="all-muli")([AddiToMuli, SubiToMuli()])
        assert names(run("all-muli")) == ["arith.muli", "arith.muli"]
        assert "Apply AddiToMuli, SubiToMuli." in list_passes()
        assert names(run([AddiToMuli])) == ["arith.muli", "arith.subi"]
        assert names(run([SubiToMuli()])) == ["arith.addi", "arith.muli"]
        assert names(run([(AddiToMuli, SubiToMuli)])) == ["arith.muli", "arith.muli"]

    def test_pattern_pass(self) -> None:
        made = tilewright.pattern_pass("muli", [AddiToMuli], phase=2, levels=[Level.LOOP], doc="Multiply.")
        assert (made.name, made.phase, made.levels, made.__doc__) == ("muli", 2, (Level.LOOP,), "Multiply.")
        assert names(run([made])) == ["arith.muli", "arith.subi"]
        tilewright.register_pass(phase=2)(made)
        assert names(run("muli")) == ["arith.muli", "arith.subi"]

    def test_their_rewrites_are_counted_and_keep_locations(self) -> None:
        with count_rewrites() as counter:
            root = run([[AddiToMuli, SubiToMuli]])
        assert counter.count == 2
        products = [op for op in root.walk() if isinstance(op, arith.MuliOp)]
        assert all("<text>" in str(tilewright.passes.location_of(op)) for op in products)
        with count_rewrites(1):
            assert names(run([[AddiToMuli, SubiToMuli]])) == ["arith.muli", "arith.subi"]

    @pytest.mark.parametrize(
        ("patterns", "message"),
        [
            ([], "expected at least one pattern"),
            ([3], "expected rewrite patterns, but got 3"),
            (int, "expected a class of passes or of rewrite patterns, but got int"),
            (3, "expected a pass, its name, a function"),
        ],
    )
    def test_what_is_no_pattern(self, patterns: Any, message: str) -> None:
        with pytest.raises(TilewrightError, match=f"TW0208.*{message}"):
            tilewright.register_pass(phase=3)(patterns)


def make_class(word: str, name: str = "test-reloaded") -> type[ModulePass]:
    """Return the class that running a cell of a notebook defines."""

    @dataclass(frozen=True)
    class Reloaded(ModulePass):
        def apply(self, ctx: Context, op: ModuleOp) -> None:
            mark(op, word)

    Reloaded.name = name
    return Reloaded


class TestRegistry:
    def test_a_cell_that_runs_again_replaces_its_pass(self) -> None:
        for word in ("first", "second"):
            tilewright.register_pass(phase=1)(make_class(word))
            assert marked(run("test-reloaded")) == word

    def test_another_pass_of_the_name_is_refused_until_the_first_is_forgotten(self) -> None:
        tilewright.register_pass(phase=1)(make_class("first"))

        def other(module: ModuleOp) -> None:
            mark(module, "other")

        with pytest.raises(TilewrightError, match="TW0211.*by .*make_class.<locals>.Reloaded") as caught:
            tilewright.register_pass(phase=1, name="test-reloaded")(other)
        assert caught.value.help == "tilewright.unregister_pass('test-reloaded') forgets that one"
        tilewright.unregister_pass("test-reloaded")
        tilewright.register_pass(phase=1, name="test-reloaded")(other)
        assert marked(run("test-reloaded")) == "other"

    def test_the_same_name_in_another_module_is_another_pass(self) -> None:
        tilewright.register_pass(phase=1)(make_class("first"))
        second = make_class("second")
        second.__module__ = "another.module"
        with pytest.raises(TilewrightError, match="TW0211"):
            tilewright.register_pass(phase=1)(second)

    def test_names(self) -> None:
        with pytest.raises(TilewrightError, match="TW0211.*the compiler has a pass named 'cse'"):
            tilewright.register_pass(phase=1, name="cse")(mark)
        with pytest.raises(TilewrightError, match="TW0208.*in the name of a pass, but got 'my pass'"):
            tilewright.register_pass(phase=1, name="my pass")(mark)
        with pytest.raises(TilewrightError, match="TW0208.*expected pass .*Reloaded to have a class attribute 'name'"):
            tilewright.register_pass(phase=1)(make_class("x", name=None))  # type: ignore[arg-type]
        with pytest.raises(TilewrightError, match="TW0208.*expected a phase of 0 to 3, but got"):
            tilewright.register_pass(mark)  # type: ignore[arg-type]  # without parentheses

    @pytest.mark.parametrize(
        ("name", "reason"), [("cse", "is one of the compiler's"), ("nothing", "is not registered")]
    )
    def test_forgetting_what_is_not_registered(self, name: str, reason: str) -> None:
        with pytest.raises(TilewrightError, match=f"TW0201.*but '{name}' {reason}"):
            tilewright.unregister_pass(name)

    def test_levels_are_set_on_a_class_that_inherits_them(self) -> None:
        @tilewright.register_pass(phase=2, levels=[Level.LOOP])
        @dataclass(frozen=True)
        class Inherits(tilewright.Pass):
            name = "test-inherits"

            def apply(self, ctx: Context, op: ModuleOp) -> None: ...

        assert (Inherits.phase, Inherits.levels) == (2, (Level.LOOP,))

    def test_a_pass_that_says_nothing_keeps_rounding_and_always_runs(self) -> None:
        tilewright.register_pass(phase=3)(AddiToMuli)
        cls: Any = registry.get_pass("addi-to-muli")
        assert (cls.phase, cls.levels, cls.reassociates, cls.opt_level) == (3, ALL_LEVELS, False, 0)

    def test_what_is_said_of_a_pass(self) -> None:
        tilewright.register_pass(phase=3, reassociates=True, opt_level=3)(AddiToMuli)
        cls: Any = registry.get_pass("addi-to-muli")
        assert (cls.phase, cls.levels, cls.reassociates, cls.opt_level) == (3, ALL_LEVELS, True, 3)
        assert names(run("addi-to-muli")) == ["arith.addi", "arith.subi"], "the context's level is 2"
        made = tilewright.pattern_pass("made", [AddiToMuli], phase=1, levels=[Level.LOOP])
        tilewright.register_pass(phase=3, levels=ALL_LEVELS, reassociates=True)(made)
        assert (made.phase, made.levels, made.reassociates) == (1, (Level.LOOP,), False), "what a class says is kept"
        with pytest.raises(TilewrightError, match="TW0208.*expected no name beside .*Reloaded, which has one"):
            tilewright.register_pass(phase=1, name="other")(make_class("word"))

    def test_what_a_pass_does_to_arithmetic(self) -> None:
        tilewright.register_pass(phase=3, contracts=True, axioms=["add-zero"])(AddiToMuli)
        assert algebra_of(registry.get_pass("addi-to-muli")) == Algebra(
            contracts=True, axioms=frozenset({Axiom.ADD_ZERO})
        )
        made = tilewright.pattern_pass("made", [AddiToMuli], axioms=("multiply-zero",), reassociates=True)
        tilewright.register_pass(phase=3, contracts=True, axioms=["add-zero"])(made)
        kept = Algebra(reassociates=True, axioms=frozenset({Axiom.MULTIPLY_ZERO}))
        assert algebra_of(made()) == kept, "what a class says is kept"

    @pytest.mark.parametrize(
        "declare",
        [
            lambda: tilewright.register_pass(phase=3, axioms=["add-nothing"])(AddiToMuli),
            lambda: tilewright.pattern_pass("made", [AddiToMuli], axioms=["add-nothing"]),
        ],
    )
    def test_an_axiom_has_to_be_known(self, declare: Callable[[], object]) -> None:
        with pytest.raises(TilewrightError, match="TW0240.*label of an axiom, but got 'add-nothing'") as raised:
            declare()
        assert raised.value.help == "the axioms are add-zero, multiply-zero, expand-intrinsic"


class TestInThePipeline:
    def test_a_pass_sees_the_level_it_asks_for(self) -> None:
        """A pass over loops at the end of phase 0 comes after the conversion; one over tensors is refused there."""
        A = te.placeholder((8,), name="A")
        B = te.compute((8,), lambda i: A[i] + 1, name="B")
        seen: list[tuple[int, bool]] = []

        def look(module: ModuleOp) -> None:
            blocks = any(isinstance(op, loop.BlockOp) for op in module.walk())
            seen.append((len([access for op in module.ops for access in accesses_in(op)]), blocks))

        made = function_pass(look)
        made.levels = (Level.LOOP,)
        with PassContext(add_lower_pass=[(0, look), (0, made)]):
            tilewright.lower([A, B])
        assert seen == [(2, True), (2, False)]
        made.levels = (Level.TE,)
        for simple in (False, True):
            with (
                PassContext(add_lower_pass=[(2, made)]),
                pytest.raises(TilewrightError, match="TW0205.*'look' works at level te, but the module is at"),
            ):
                tilewright.lower([A, B], simple_mode=simple)

    def test_passes_of_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tilewright.register_pass(phase=0)(make_class("environment"))
        monkeypatch.setenv("TILEWRIGHT_TIR_ADD_LOWER_PASS", "2:test-reloaded; 9:cse")
        assert [p.name for p in PassContext().added(2)] == ["test-reloaded"]
        assert [p.name for p in PassContext(add_lower_pass=[(3, "hoist")]).added(3)] == ["hoist", "cse"]
        assert PassContext(config={"tir.add_lower_pass": []}).added(2) == ()
        monkeypatch.setenv("TILEWRIGHT_TIR_ADD_LOWER_PASS", "test-reloaded")
        with pytest.raises(TilewrightError, match="TW0208.*expected phase:pass, with ';' between them"):
            PassContext().added(2)


class Hooks:
    """Writes down what it is told; skips the passes named."""

    def __init__(self, lines: list[str], skip: tuple[str, ...] = ()) -> None:
        self.lines = lines
        self.skip = skip

    def enter_pass_ctx(self) -> None:
        self.lines.append("enter")

    def exit_pass_ctx(self) -> None:
        self.lines.append("exit")

    def should_run(self, module: ModuleOp, info: Any) -> bool:
        return info.name not in self.skip

    def run_before_pass(self, module: ModuleOp, info: Any) -> None:
        self.lines.append(f"before {info.name} {info.opt_level}")

    def run_after_pass(self, module: ModuleOp, info: Any) -> None:
        self.lines.append(f"after {info.name}")


class TestHooks:
    def test_they_are_called_for_contexts_and_passes(self) -> None:
        lines: list[str] = []
        with PassContext(instruments=[tilewright.instrument.pass_instrument(Hooks)(lines)]):
            run([mark])
        assert lines == ["enter", "before mark 0", "after mark", "exit"]

    def test_one_that_says_no_skips_a_pass_unless_it_is_required(self) -> None:
        lines: list[str] = []
        tilewright.register_pass(phase=0)(mark)
        with PassContext(instruments=[Hooks(lines, skip=("mark",))]):
            assert "test.mark" not in run("mark").attributes
        assert lines == ["enter", "exit"]
        with PassContext(instruments=[Hooks([], skip=("mark", "lower-te"))], required_pass=["mark"]):
            assert marked(run("mark,lower-te")) == "function"

    def test_a_skipped_last_pass_leaves_a_verified_module(self) -> None:
        def breaks(module: ModuleOp) -> None:
            add = next(op for op in module.walk() if isinstance(op, arith.AddiOp))
            add.operands[0] = add.result

        last = tilewright.pattern_pass("last", [SubiToMuli])
        with (
            PassContext(instruments=[Hooks([], skip=("last",))], config={"verify_each": False}),
            pytest.raises(TilewrightError, match="TW0104"),
        ):
            run([breaks, last])

    def test_contexts_end_after_errors(self) -> None:
        lines: list[str] = []

        class Fails(Hooks):
            def enter_pass_ctx(self) -> None:
                raise KeyError("no")

        with pytest.raises(KeyError), PassContext(instruments=[Hooks(lines), Fails(lines)]):
            pass
        assert lines == ["enter", "exit"]
        assert PassContext.current().instruments == ()
        with pytest.raises(ValueError, match="inside"), PassContext(instruments=[Hooks(lines)]):
            raise ValueError("inside")
        assert lines == ["enter", "exit"] * 2

    def test_timing_in_that_spelling(self) -> None:
        timing = tilewright.instrument.PassTimingInstrument()
        with PassContext(instruments=[timing]):
            run([mark])
            assert "mark" in timing.render()

    def test_a_class_without_hooks_is_refused(self) -> None:
        with pytest.raises(TilewrightError, match="TW0218.*expected a class with one of the methods enter_pass_ctx"):
            tilewright.instrument.pass_instrument(int)


@pytest.mark.parametrize("key", sorted(config.SETTINGS))
def test_every_setting_is_typed_and_its_default_fits(key: str) -> None:
    setting = config.SETTINGS[key]
    assert setting.type in (bool, int, str, list, dict)
    assert isinstance(setting.default, setting.type)
    assert setting.doc
    config.check(key, setting.default)
    with pytest.raises(TilewrightError, match=f"TW0207.*unknown configuration key '{key}x'; did you mean.* '{key}'"):
        PassContext(config={f"{key}x": setting.default})
    with pytest.raises(TilewrightError, match=f"TW0208.*configuration key '{key}': expected {setting.type.__name__}"):
        PassContext(config={key: object()})


def test_what_a_pass_finds_is_a_remark_of_that_pass() -> None:
    def look(module: ModuleOp) -> None:
        for function in module.ops:
            tilewright.passes.remark("TW0219", "here", op=function, kind="analysis")

    with tilewright.passes.collect_remarks() as remarks:
        run([look])
    (found,) = remarks
    assert (found.code, found.kind, found.pass_name, found.function) == ("TW0219", "analysis", "look", "f")


def test_names_for_those_who_write_passes() -> None:
    for face in (tilewright.passes, tilewright.analysis):
        assert all(getattr(face, name) is not None for name in face._EXPORTS)
        assert set(face._EXPORTS) <= set(dir(face))
        with pytest.raises(AttributeError, match="no attribute 'nothing'"):
            _ = face.nothing
