"""Remarks: their kinds, who makes them, and their text as YAML."""

from __future__ import annotations

import json
import re

import pytest
from tilewright.diagnostics.locations import file_location
from tilewright.diagnostics.remarks import Remark, as_yaml, collect_remarks, remark, remarks_of, remarks_wanted
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Block, Region

ODD = 'a "quote", a \\ and a %v: {x} # \t tab\nline \x85 \u2028 \x00 é 😀'


def test_remarks_know_pass_function_and_kind() -> None:
    op = AnyOp(regions=[Region(Block())])
    ModuleOp([FuncOp("main", ((), ()), Region(Block([op])))])
    with collect_remarks() as found:
        with remarks_of("outer"):
            remark("TW0220", "one", op=op, kind="passed")
            with remarks_of("inner"):
                remark("TW0221", lambda: "two")
            remark("TW0510", "three", kind="analysis")
        remark("TW0510", "four")
    assert [(r.message, r.kind, r.pass_name, r.function) for r in found] == [
        ("one", "passed", "outer", "main"),
        ("two", "missed", "inner", ""),
        ("three", "analysis", "outer", ""),
        ("four", "missed", "", ""),
    ]
    assert str(found[0]) == "@main: remark[TW0220]: one [passed, outer]"
    assert str(found[3]) == "remark[TW0510]: four [missed]"


def test_nothing_is_built_where_nobody_collects() -> None:
    def message() -> str:
        raise AssertionError

    assert not remarks_wanted()
    remark("TW0220", message)
    with collect_remarks():
        assert remarks_wanted()
    with collect_remarks(), pytest.raises(ValueError, match="TW9999"):
        remark("TW9999", "no such code")


EXAMPLES = [
    Remark("TW0510", ODD, file_location("a 'b' \"c\".mlir", 3, 5), (ODD, "n"), "missed", "vectorize", "f"),
    Remark("TW0220", "- x: y", None, (), "passed", "unroll", ""),
    Remark("TW0521", "~", None, (), "analysis"),
]


def test_yaml_has_a_document_for_each_remark() -> None:
    lines = as_yaml(EXAMPLES).splitlines()
    assert [line for line in lines if line.startswith("---")] == ["--- !Missed", "--- !Passed", "--- !Analysis"]
    assert lines.count("...") == 3
    strings = [json.loads(text) for line in lines for text in re.findall(r'"(?:[^"\\]|\\.)*"', line)]
    assert strings == [
        *("vectorize", "TW0510", "a 'b' \"c\".mlir", "f", ODD, ODD, "n"),
        *("unroll", "TW0220", "", "- x: y"),
        *("", "TW0521", "", "~"),
    ]
    assert all(line.isprintable() for line in lines)


def test_yaml_parser_reads_it() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

    class Loader(yaml.SafeLoader):
        pass

    for tag in ("!Missed", "!Passed", "!Analysis"):
        Loader.add_constructor(tag, lambda loader, node: (node.tag, loader.construct_mapping(node, deep=True)))
    documents = list(yaml.load_all(as_yaml(EXAMPLES), Loader))
    assert documents == [
        (
            "!Missed",
            {
                "Pass": "vectorize",
                "Name": "TW0510",
                "DebugLoc": {"File": "a 'b' \"c\".mlir", "Line": 3, "Column": 5},
                "Function": "f",
                "Args": [{"String": ODD}, {"Note": ODD}, {"Note": "n"}],
            },
        ),
        ("!Passed", {"Pass": "unroll", "Name": "TW0220", "Function": "", "Args": [{"String": "- x: y"}]}),
        ("!Analysis", {"Pass": "", "Name": "TW0521", "Function": "", "Args": [{"String": "~"}]}),
    ]
