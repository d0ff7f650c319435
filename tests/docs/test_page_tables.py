"""Tables of pages say what the code says."""

from __future__ import annotations

import re

from tilewright.analysis.equivalence import Axiom
from tilewright.diagnostics import CODES
from tilewright.passes.framework import config
from tilewright.passes.framework.base import algebra_of
from tilewright.passes.framework.registry import get_pass

from .pages import ROOT


def test_table_of_settings_is_in_step() -> None:
    rows = [
        f"| `{key}` | {setting.type.__name__} | `{setting.default!r}` | {setting.doc} |"
        for key, setting in config.SETTINGS.items()
    ]
    text = (ROOT / "docs" / "extend.md").read_text(encoding="utf-8")
    written = re.findall(r"^\| `[\w.]+` \| (?:bool|int|str|list|dict) .*$", text, re.MULTILINE)
    assert written == rows, "the table of settings is\n" + "\n".join(rows)


def test_what_the_page_on_proofs_names_exists() -> None:
    text = (ROOT / "docs" / "proof.md").read_text(encoding="utf-8")
    assert set(re.findall(r"TW0\d{3}", text)) <= {*CODES}
    rows = re.findall(r"^\| `(\w+) = (.*?)` \| .* \| (.*) \|$", text, re.MULTILINE)
    assert {name for name, _, _ in rows} == {"reassociates", "contracts", "axioms"}
    labels = {label for _, value, _ in rows for label in re.findall(r'"([\w-]+)"', value)}
    assert labels == {axiom.label for axiom in Axiom}
    for name, value, users in rows:
        for user in re.findall(r"`([a-z-]+)`", users):
            declared = algebra_of(get_pass(user))
            given = eval(value)
            if name == "axioms":
                assert {axiom.label for axiom in declared.axioms} >= set(given)
            else:
                assert getattr(declared, name) == given
