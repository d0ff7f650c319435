"""Docstrings and identifiers use the words of docs/glossary.md."""

from __future__ import annotations

from . import wording


def test_docstrings_and_identifiers_use_the_words_of_the_glossary() -> None:
    found = [f"{kind}: {text}" for kind, text in sorted(wording.uses())]
    assert found == [], "reword these (docs/glossary.md): a docstring is a noun phrase or begins with a verb"


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
