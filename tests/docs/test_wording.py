"""Docstrings and identifiers use the words of docs/glossary.md."""

from __future__ import annotations

from . import wording


def test_docstrings_and_identifiers_use_the_words_of_the_glossary() -> None:
    found = [f"{kind}: {text}" for kind, text in sorted(wording.uses())]
    assert found == [], "reword these (docs/glossary.md): docstrings of functions begin with a verb"


def test_offenders_are_found_in_functions_classes_values_and_parameters() -> None:
    source = '''"""Which module."""
class ToldStage:
    """The stage."""
    limit = 3
    """How many."""
    def split(self, own_axis, placeholder, downloads):
        """Whether it splits.

        What follows is no first line."""
        at_rest = place = replaced = 1
'''
    assert wording.offenders(source, wording.replaced_words()) == {
        ("docstring", "Which module."): 1,
        ("docstring", "How many."): 1,
        ("docstring", "Whether it splits."): 1,
        ("identifier", "ToldStage"): 1,
        ("identifier", "own_axis"): 1,
        ("identifier", "at_rest"): 1,
        ("identifier", "place"): 1,
    }


def test_docstrings_of_functions_that_begin_with_a_noun_phrase_are_found() -> None:
    source = '''
class Stage:
    """The stage."""
    def split(self):
        """The parts."""
    @property
    def extent(self):
        """The extent."""
    @functools.cached_property
    def stride(self):
        """The stride."""
    def test_that_the_bound_holds(self):
        """The bound holds."""
    def fuse(self):
        """Return the fused loop."""
'''
    assert wording.offenders(source, set()) == {("function", "The parts."): 1}
