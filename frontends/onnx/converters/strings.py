"""Operators on characters of strings. Strings are values of the host alone, so the operands are constants."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ..node import Node, Value
from ..text_values import TEXT, as_text, is_text


def normalize(node: Node) -> Value:
    """Convert StringNormalizer: without the stopwords, in small or capital letters; one empty string where nothing is
    left."""
    x = _text(node, 0)
    if x.ndim not in (1, 2) or (x.ndim == 2 and x.shape[0] != 1):
        node.fail("TW0303", f"expected strings of shape [C] or [1, C], but got {list(x.shape)}")
    case, exact = node.attr("case_change_action", "NONE"), node.flag("is_case_sensitive", 0)
    node.has_attr("locale")
    if case not in ("NONE", "LOWER", "UPPER"):
        node.fail("TW0303", f"expected case_change_action NONE, LOWER or UPPER, but got {case}")
    stopwords = {word.decode() for word in node.attr("stopwords") or ()}
    if not exact:
        stopwords = {word.lower() for word in stopwords}
    words = [word for word in x.reshape(-1).tolist() if (word if exact else word.lower()) not in stopwords]
    if case != "NONE":
        words = [word.lower() if case == "LOWER" else word.upper() for word in words]
    found = as_text(words or [""])
    return found.reshape(1, -1) if x.ndim == 2 else found


def split(node: Node) -> Sequence[Value]:
    """Convert StringSplit: the pieces of each string along a new last dimension, as long as the most pieces; and how
    many there are."""
    x, most = _text(node, 0), node.attr("maxsplit", None)
    delimiter = node.attr("delimiter", None) or None
    pieces = [word.split(delimiter, -1 if most is None else most) for word in x.reshape(-1).tolist()]
    counts = np.array([len(each) for each in pieces], np.int64).reshape(x.shape)
    width = int(counts.max(initial=0))
    padded = [[*each, *[""] * (width - len(each))] for each in pieces]
    return as_text(padded).reshape(*x.shape, width), counts


def concat(node: Node) -> Value:
    """Convert StringConcat: each string of one operand before that of the other, which broadcast."""
    return np.asarray(np.strings.add(_text(node, 0), _text(node, 1)), TEXT)


def full_match(node: Node) -> Value:
    """Convert RegexFullMatch: whether a regular expression matches the whole of each string."""
    x = _text(node, 0)
    try:
        pattern = re.compile(node.attr("pattern", ""))
    except re.error as error:
        node.fail("TW0303", f"expected a regular expression, but got {node.attr('pattern')!r}: {error}")
    return np.array([pattern.fullmatch(word) is not None for word in x.reshape(-1).tolist()], bool).reshape(x.shape)


def parsed(node: Node, x: np.ndarray, to: str) -> np.ndarray:
    """Parse strings as numbers."""
    from ....dialects.dtypes import numpy_dtype

    try:
        numbers = [(float if "float" in to else int)(word) for word in x.reshape(-1).tolist()]
    except ValueError as error:
        node.fail("TW0303", f"expected strings that are numbers: {error}")
    return np.array(numbers).astype(numpy_dtype(to)).reshape(x.shape)


def printed(node: Node, x: Value) -> np.ndarray:
    """Return numbers as strings: integers in decimals, floats with the fewest digits that give the same number back."""
    known = node.constant(0, "what becomes strings")
    return as_text([_number(item) for item in known.reshape(-1)]).reshape(known.shape)


def _number(item: np.generic) -> str:
    if item.dtype.kind != "f":
        return str(int(item))
    if not np.isfinite(item):
        return "NaN" if np.isnan(item) else "INF" if float(item) > 0 else "-INF"
    return str(item)


def _text(node: Node, index: int) -> np.ndarray:
    value = node.constant(index, "strings")
    if not is_text(value):
        node.fail("TW0303", f"expected strings, but got {value.dtype}")
    return value
