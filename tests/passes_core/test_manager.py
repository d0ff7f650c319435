"""The pass registry, manager, instruments, contexts and pipelines, on small passes made for the purpose."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from typing import ClassVar

import pytest
import tilewright
from tilewright import PassContext, PassManager, TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.passes import pipeline
from tilewright.passes.framework import config, registry
from tilewright.passes.framework.base import Level, Pass, level_of
from tilewright.passes.framework.instruments import Instrument, PrintIR, Timing
from tilewright.passes.framework.options import spec_of
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException, VerifyException

TEXT = "func.func @f(%a: i32) -> i32 {\n  %b = arith.addi %a, %a : i32\n  func.return %b : i32\n}\n"


@dataclass(frozen=True)
class Mark(Pass):
    """Writes its options into the module.

    More words that a list does not show.
    """

    name = "test-mark"
    phase: ClassVar[int] = 1
    word: str = "mark"
    sizes: tuple[int, ...] = ()
    scale: float = 1.0
    full: bool = False
    limit: int | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        before = op.attributes.get("test.marks")
        op.attributes["test.marks"] = StringAttr(
            (f"{before.data} " if isinstance(before, StringAttr) else "") + self.word
        )


@dataclass(frozen=True)
class Needs(Pass):
    """Has an option without a default, which must be positive."""

    name = "test-needs"
    phase: ClassVar[int] = 1
    width: int

    def __post_init__(self) -> None:
        if self.width <= 0:
            raise ValueError(f"expected a positive width, but got {self.width}")

    def apply(self, ctx: Context, op: ModuleOp) -> None: ...


@dataclass(frozen=True)
class Breaks(Pass):
    """Does what `how` says."""

    name = "test-breaks"
    phase: ClassVar[int] = 1
    how: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        add = next(nested for nested in op.walk() if isinstance(nested, arith.AddiOp))
        match self.how:
            case "dominance":
                add.operands[0] = add.result
            case "types":
                add.operands[0] = op.body.block.insert_arg(StringAttr("not a type"), 0)
            case "verify":
                raise VerifyException("expected a tile, but got a brick")
            case "refuse":
                raise PassFailedException("not this module")
            case "recursion":
                self.apply(ctx, op)
            case _:
                raise KeyError(self.how)


@dataclass(frozen=True)
class Lower(Pass):
    """Says that it lowers te to block."""

    name = "test-lower"
    phase: ClassVar[int] = 0
    levels: ClassVar[tuple[Level, ...]] = (Level.TE,)
    lowers_to: ClassVar[Level | None] = Level.BLOCK

    def apply(self, ctx: Context, op: ModuleOp) -> None: ...


@dataclass(frozen=True)
class Aggressive(Mark):
    """Runs at opt_level 3 only."""

    name = "test-aggressive"
    opt_level: ClassVar[int] = 3


@pytest.fixture(autouse=True)
def passes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_user", {})
    for cls in (Mark, Needs, Breaks, Lower, Aggressive):
        tilewright.register_pass(phase=2)(cls)
    yield


def module() -> ModuleOp:
    return parse(context(), TEXT, "<text>")


def marks(root: ModuleOp) -> str | None:
    attribute = root.attributes.get("test.marks")
    return attribute.data if isinstance(attribute, StringAttr) else None


def run(pipeline_text: str, instruments: tuple[Instrument, ...] = ()) -> ModuleOp:
    root = module()
    PassManager(registry.parse_pipeline(pipeline_text), instruments).run(context(), root)
    return root


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("test-mark", Mark()),
        ("test-mark{sizes=32,32}", Mark(sizes=(32, 32))),
        ("test-mark{sizes=4}", Mark(sizes=(4,))),
        ("test-mark{full}", Mark(full=True)),
        ("test-mark{full=true limit=3}", Mark(full=True, limit=3)),
        ("test-mark{scale=2}", Mark(scale=2.0)),
        ('test-mark{word="two words"}', Mark(word="two words")),
        ("test-needs{width=16}", Needs(16)),
    ],
)
def test_options(text: str, expected: ModulePass) -> None:
    (parsed,) = registry.parse_pipeline(text)
    assert parsed == expected
    assert registry.parse_pipeline(spec_of(parsed)) == [expected]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("test-marc", "TW0201", "unknown pass 'test-marc'; did you mean 'test-mark'?"),
        ("nothing-like-it", "TW0201", "unknown pass 'nothing-like-it'"),
        ("test-mark{size=1}", "TW0202", "pass 'test-mark' has no option 'size'; did you mean 'sizes'?"),
        (
            "test-mark{x=1}",
            "TW0202",
            "pass 'test-mark' has no option 'x'; its options are word, sizes, scale, full, limit",
        ),
        ("test-mark{sizes=1,a}", "TW0202", "option 'sizes' of pass 'test-mark': expected tuple[int, ...], but got 1,a"),
        ("test-mark{limit=true}", "TW0202", "option 'limit' of pass 'test-mark': expected int | None, but got true"),
        ("test-mark{full=2}", "TW0202", "option 'full' of pass 'test-mark': expected bool, but got 2"),
        ("test-needs", "TW0202", "pass 'test-needs' needs option 'width' (int)"),
        ("test-needs{width}", "TW0202", "option 'width' of pass 'test-needs': expected int, but got nothing"),
        ("test-needs{width=0}", "TW0202", "pass 'test-needs': expected a positive width, but got 0"),
        ("test-mark{sizes=1", "TW0203", "pass pipeline 'test-mark{sizes=1' cannot be read at character 18"),
        ("a b", "TW0203", "pass pipeline 'a b' cannot be read at character 2"),
        ("test-mark{word=\u00e9}", "TW0203", "cannot be read at character 16"),
    ],
)
def test_option_errors(text: str, code: str, message: str) -> None:
    with pytest.raises(TilewrightError) as info:
        registry.parse_pipeline(text)
    assert info.value.code == code
    assert message in info.value.message
    _, remedy = str(info.value).splitlines()
    assert remedy.startswith("help: ")


def test_passes_run_in_order() -> None:
    assert marks(run("test-mark{word=a},test-mark{word=b},test-mark{word=c}")) == "a b c"


def test_register_pass_wants_an_unused_name() -> None:
    with pytest.raises(TilewrightError, match="TW0211.*'test-mark' is registered already"):
        tilewright.register_pass(phase=0)(type("Other", (Mark,), {"name": "test-mark"}))
    tilewright.register_pass(phase=0)(Mark)  # the same class again, as after a reload
    with pytest.raises(TilewrightError, match="TW0208.*expected a phase of 0 to 3, but got 5"):
        tilewright.register_pass(phase=5)


def test_register_pass_completes_a_pass_written_for_xdsl() -> None:
    @tilewright.register_pass(phase=2, levels=[Level.LOOP])
    @dataclass(frozen=True)
    class Foreign(ModulePass):
        name = "test-foreign"

        def apply(self, ctx: Context, op: ModuleOp) -> None: ...

    assert registry.get_pass("test-foreign") is Foreign
    assert (Foreign.phase, Foreign.levels) == (2, (Level.LOOP,))  # type: ignore[attr-defined]
    assert Mark.phase == 1, "a class's own phase is kept"


@pytest.mark.parametrize(
    ("how", "code", "message"),
    [
        ("dominance", "TW0107", "pass 'test-breaks' left invalid IR: 'arith.addi' uses its own result %b"),
        ("types", "TW0107", "pass 'test-breaks' left invalid IR: 'arith.addi'"),
        ("verify", "TW0107", "pass 'test-breaks' built an invalid operation: expected a tile, but got a brick"),
        ("refuse", "TW0214", "pass 'test-breaks' failed: not this module"),
        ("recursion", "TW0224", "this code, which is not the compiler's, failed: RecursionError"),
    ],
)
def test_broken_passes(how: str, code: str, message: str) -> None:
    with pytest.raises(TilewrightError) as info:
        run(f"test-breaks{{how={how}}}")
    assert info.value.code == code
    assert message in info.value.message


def test_invalid_ir_after_a_pass_is_located_at_the_op() -> None:
    with pytest.raises(TilewrightError, match="<text>:2:8: error"):
        run("test-breaks{how=dominance}")


def test_other_exceptions_name_the_pass() -> None:
    with pytest.raises(KeyError) as info:
        run("test-breaks{how=what}")
    assert info.value.__notes__ == ["in pass 'test-breaks{how=what}'"]


def test_verification_between_passes_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "test-breaks{how=dominance},test-mark"
    with pytest.raises(TilewrightError, match="pass 'test-breaks' left invalid IR"):
        run(text)
    late = "pass 'test-mark' left invalid IR"  # the last pass's module is always verified
    with PassContext(config={"verify_each": False}), pytest.raises(TilewrightError, match=late):
        run(text)
    monkeypatch.setenv("TILEWRIGHT_VERIFY_EACH", "0")
    with pytest.raises(TilewrightError, match=late):
        run(text)
    monkeypatch.setenv("TILEWRIGHT_VERIFY_EACH", "perhaps")
    with pytest.raises(TilewrightError, match="TW0208.*TILEWRIGHT_VERIFY_EACH: expected bool, but got 'perhaps'"):
        run("test-mark")


class Log(Instrument):
    def __init__(self, name: str, lines: list[str]) -> None:
        self.name = name
        self.lines = lines

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self.lines.append(f"{self.name} before {pass_.name} {marks(module)}")

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self.lines.append(f"{self.name} after {pass_.name} {marks(module)}")


def test_instruments_nest_and_those_of_the_context_stand_around() -> None:
    lines: list[str] = []
    with PassContext(instruments=[Log("context", lines)]):
        run("test-mark", (Log("first", lines), Log("second", lines)))
    assert lines == [
        "context before test-mark None",
        "first before test-mark None",
        "second before test-mark None",
        "second after test-mark mark",
        "first after test-mark mark",
        "context after test-mark mark",
    ]


def test_timing_reports_each_pass_in_order() -> None:
    timing = Timing()
    run("test-mark{word=a},test-mark{word=b}", (timing,))
    assert [name for name, _ in timing.seconds] == ["test-mark{word=a}", "test-mark{word=b}"]
    assert all(seconds > 0 for _, seconds in timing.seconds)
    assert timing.report().splitlines()[-1].endswith("ms 100.0 %  total")


def printed(text: str, **options: object) -> list[str]:
    stream = StringIO()
    run(text, (PrintIR(stream=stream, **options),))  # type: ignore[arg-type]
    return [line for line in stream.getvalue().splitlines() if line.startswith("// -----")]


def test_print_ir() -> None:
    text = "test-mark,test-needs{width=1}"
    mark, needs = "// ----- IR after test-mark ----- //", "// ----- IR after test-needs{width=1} ----- //"
    assert printed(text, after_all=True) == [mark, needs]
    assert printed(text, after=["test-needs"]) == [needs]
    assert printed(text, before=["test-mark"]) == ["// ----- IR before test-mark ----- //"]
    unchanged = "// ----- IR after test-needs{width=1}: no change ----- //"
    assert printed(text, after_change=True) == [mark, unchanged]


def test_a_broken_module_is_printed_before_it_is_refused() -> None:
    stream = StringIO()
    with pytest.raises(TilewrightError):
        run("test-breaks{how=dominance}", (PrintIR(after_all=True, stream=stream),))
    assert "%b = arith.addi %b, %a : i32" in stream.getvalue()


def test_the_level_of_a_context_that_says_nothing() -> None:
    assert PassContext().opt_level == PassContext.current().opt_level == 2


def test_context_disables_and_requires_passes() -> None:
    with PassContext(disabled_pass=["test-mark"]):
        assert marks(run("test-mark")) is None
    assert marks(run("test-aggressive")) is None
    with PassContext(opt_level=3):
        assert marks(run("test-aggressive")) == "mark"
    with PassContext(required_pass=["test-aggressive"]):
        assert marks(run("test-aggressive")) == "mark"
    with PassContext(opt_level=3, required_pass=["test-aggressive"], disabled_pass=["test-aggressive"]):
        assert marks(run("test-aggressive,test-mark{word=other}")) == "other"
    with (
        PassContext(disabled_pass=["test-lower"]),
        pytest.raises(TilewrightError, match="TW0213.*'test-lower' is a conv"),
    ):
        run("test-lower")


@pytest.mark.each(
    ("arguments", "message"),
    [
        ({"opt_level": 7}, "TW0208.*expected an opt_level of 0 to 3, but got 7"),
        ({"disabled_pass": ["test-marc"]}, "TW0201.*did you mean 'test-mark'"),
        ({"opt_level": "3"}, "TW0208.*expected an opt_level of 0 to 3, but got '3'"),
        ({"disabled_pass": "test-mark"}, "TW0208.*expected a list as disabled_pass, but got 'test-mark'"),
        ({"required_pass": [Mark]}, "TW0208.*expected names of passes in required_pass, but got .*Mark"),
        ({"validate": -1}, "TW0208.*expected validate to be True, a number of trials or one of .*, but got -1"),
        ({"validate": "yes"}, "TW0208.*expected validate to be True, a number of trials or one of .*, but got 'yes'"),
        ({"config": ["verify_each"]}, "TW0208.*expected a dictionary as config"),
        ({"config": {3: True}}, "TW0207.*unknown configuration key '3'"),
        ({"instruments": Timing()}, "TW0208.*expected a list as instruments"),
        ({"add_lower_pass": Mark()}, "TW0208.*expected a list as add_lower_pass"),
        (
            {"config": {"verify_eech": True}},
            "TW0207.*unknown configuration key 'verify_eech'; did you mean 'verify_each'",
        ),
        ({"config": {"verify_each": 1}}, "TW0208.*'verify_each': expected bool, but got 1"),
        ({"config": {"rewrite_budget": True}}, "TW0208.*'rewrite_budget': expected int, but got True"),
        ({"add_lower_pass": [(-1, "test-mark")]}, "TW0208.*expected a phase of 0 to 3 in add_lower_pass, but got -1"),
        ({"add_lower_pass": [(True, "test-mark")]}, "TW0208.*a phase of 0 to 3 in add_lower_pass, but got True"),
        ({"add_lower_pass": [(1, 3)]}, "TW0208.*expected a pass, its name, a function"),
        ({"add_lower_pass": ["test-mark"]}, "TW0208.*expected pairs of a phase and a pass in add_lower_pass"),
        ({"add_lower_pass": [(1, "test-mark,test-mark")]}, "TW0208.*expected the name of one pass"),
        ({"add_lower_pass": [(1, "test-marc")]}, "TW0201.*did you mean 'test-mark'"),
        ({"add_lower_pass": [(1, Needs)]}, "TW0202.*'test-needs' needs option 'width'"),
        ({"instruments": [Timing]}, "TW0218.*expected an instrument, but got the class Timing"),
        ({"instruments": [print]}, "TW0218.*expected an instrument"),
    ],
)
def test_context_errors(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(TilewrightError, match=message):
        PassContext(**arguments)  # type: ignore[arg-type]


def test_none_is_the_default_of_every_argument() -> None:
    names = ("required_pass", "disabled_pass", "instruments", "add_lower_pass", "config")
    made = PassContext(**dict.fromkeys(names))  # type: ignore[arg-type]
    assert not any(getattr(made, name, ()) for name in names)


def test_contexts_nest_and_belong_to_their_thread() -> None:
    assert PassContext.current().opt_level == 2
    seen: list[int] = []
    with PassContext(opt_level=3) as outer:
        with PassContext(opt_level=0):
            assert PassContext.current().opt_level == 0
            with outer:
                assert PassContext.current().opt_level == 3
        thread = threading.Thread(target=lambda: seen.append(PassContext.current().opt_level))
        thread.start()
        thread.join()
        assert PassContext.current() is outer
    assert PassContext.current().opt_level == 2
    assert seen == [2]


def test_added_passes_stand_at_the_end_of_their_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "PHASES", {n: (f"test-mark{{word=phase-{n}}}",) for n in range(4)})
    ran: list[str] = []
    added = [
        (1, Mark(word="instance")),
        (1, Mark),
        (7, "test-mark{word=text}"),  # beyond the last phase
        (0, lambda ctx, op: ran.append(type(op).__name__)),
    ]
    root = module()
    with PassContext(add_lower_pass=added[:2], config={"tir.add_lower_pass": added[2:]}):
        PassManager(pipeline.default_pipeline(Level.LOOP)).run(context(), root)
    assert marks(root) == "phase-0 phase-1 instance mark phase-2 phase-3 text"
    assert ran == ["ModuleOp"]
    with PassContext(add_lower_pass=added[:2]):
        assert len(pipeline.default_pipeline(Level.LOOP, 0)) == 1


def test_the_default_pipeline_leaves_out_passes_above_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "PHASES", {0: ("test-lower", "test-mark"), 1: (), 2: (), 3: ()})
    assert [p.name for p in pipeline.default_pipeline(Level.TE)] == ["test-lower", "test-mark"]
    assert [p.name for p in pipeline.default_pipeline(Level.BLOCK)] == ["test-mark"]


def test_conversions_are_inserted_or_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "CONVERSIONS", {Level.TE: ("test-lower",)})
    on_block = type("OnBlock", (Mark,), {"name": "test-on-block", "levels": (Level.BLOCK,)})()
    on_te = type("OnTe", (Mark,), {"name": "test-on-te", "levels": (Level.TE,)})()
    result = pipeline.with_conversions([on_te, on_block], Level.TE)
    assert [p.name for p in result] == ["test-on-te", "test-lower", "test-on-block"]
    with pytest.raises(
        TilewrightError, match="TW0205.*'test-on-block' works at level block, but the module is at level te"
    ):
        pipeline.with_conversions([on_block], Level.TE, insert=False)
    with pytest.raises(
        TilewrightError, match="TW0205.*'test-on-te' works at level te, but the module is at level block"
    ):
        pipeline.with_conversions([on_block, on_te], Level.TE)


def test_level_of() -> None:
    assert level_of(module()) is Level.LOOP
    ctx = context()
    ctx.allow_unregistered = True
    for text, level in (("loop.block", Level.BLOCK), ("te.compute", Level.TE), ("graph.relu", Level.GRAPH)):
        op = ctx.get_op(text)
        both = ModuleOp([op.create(), arith.ConstantOp.from_int_and_width(0, 32)])
        assert level_of(both) is level


def test_settings_have_environment_variables() -> None:
    assert config.environment_variable("tir.add_lower_pass") == "TILEWRIGHT_TIR_ADD_LOWER_PASS"


@pytest.mark.each("name", sorted(registry.BUILTIN))
def test_every_pass_says_what_it_is(name: str) -> None:
    cls = registry.get_pass(name)
    assert cls.name == name
    assert issubclass(cls, Pass)
    assert cls.phase in (0, 1, 2, 3)
    assert cls.__module__.split(".")[2] == f"phase{cls.phase}"
    sentence = (cls.__doc__ or "").strip().partition("\n")[0]
    assert sentence.endswith("."), f"expected a sentence as the first line of the docstring, but got {sentence!r}"


def test_conversions_lower_by_one_level() -> None:
    for level, names in pipeline.CONVERSIONS.items():
        below = Level.TE if level is Level.UPSTREAM else level - 1  # upstream MLIR never becomes a graph
        assert registry.get_pass(names[-1]).lowers_to == below  # type: ignore[attr-defined]
        assert all(level in pipeline.levels_of(p) for p in registry.parse_pipeline(",".join(names)))


def test_conversion_of_upstream_mlir_leaves_out_the_graph() -> None:
    names = [pass_.name for pass_ in pipeline.conversion(Level.UPSTREAM, Level.BLOCK)]
    assert names == [*pipeline.UPSTREAM, "lower-te"]
