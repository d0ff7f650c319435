"""Parts refer one way: circles of modules stay small, and what a lower part needs from above is a slot."""

from __future__ import annotations

import ast
from importlib import import_module

import tilewright
from tilewright import lazy

from . import import_circles
from .import_circles import MOST, PACKAGE, circles, measured, modules


def test_circles_are_the_strongly_connected_components() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a", "e"}, "e": {"f"}, "f": {"e"}, "g": set[str]()}
    found = circles(graph)
    assert [len(each) for each in found] == [3, 2, 1, 1]
    assert found[:2] == [["a", "b", "c"], ["e", "f"]]


def test_references_of_all_kinds_count() -> None:
    known = modules()
    found = import_circles.references(known, f"{PACKAGE}.driver")
    assert f"{PACKAGE}.driver.building" in found, "a string of a face is a reference"
    assert import_circles.references(known, f"{PACKAGE}.te.whole_tensors") >= {
        f"{PACKAGE}.te.define",
        f"{PACKAGE}.lazy",
    }


def test_no_circle_is_large() -> None:
    largest = measured()[0]
    assert len(largest) <= MOST, f"{len(largest)} modules refer to each other in a circle: {', '.join(largest)}"


def test_all_slots_have_a_value() -> None:
    declared: set[str] = set()
    for name, path in modules().items():
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "Slot(" in text else ():
            match node:
                case ast.AnnAssign(target=ast.Name(id=target), value=ast.Call(func=ast.Name(id="Slot"), args=[key])):
                    where = name.partition(".")[2]
                    if where != "runtime.slots":
                        assert ast.literal_eval(key) == f"{where}:{target}", "a slot has its own name"
                        declared.add(f"{where}:{target}")
                case _:
                    pass
    assert declared == {*lazy._ABOVE}
    for key in declared:
        module, _, name = key.partition(":")
        slot = getattr(import_module(f"{tilewright.__name__}.{module}"), name)
        assert slot.value is not None, key
