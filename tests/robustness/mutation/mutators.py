"""Damage to bytes, to text and to JSON."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Sequence
from typing import Any

_EXTREME = (
    "0",
    "1",
    "-1",
    "2",
    "7",
    "255",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1" + "0" * 40,
    "1e400",
    "nan",
    "-0.0",
    "?",
    "",
)
_ODD = (
    "",
    "\0",
    "\x1b[31m",
    "../../x",
    "/etc/hostname",
    "../canary.safetensors",
    "é日本",
    "\udcff",
    "a" * 300,
    '"',
    "\\",
    "%x",
    "@main",
    "{}",
    "None",
    "__class__",
    "0x",
    "tensor<4xf32>",
    "memref<?x?xf32>",
    "index",
    "i1",
    "vector<4xf32>",
    "affine_map<(d0) -> (d0)>",
    "loop.for",
    "graph.relu",
    "//",
    "// -----",
)
_TOKEN = re.compile(r"[A-Za-z_][\w.]*|[%@#^!][\w.$]+|-?\d+(?:\.\d+(?:e[+-]?\d+)?)?|\s+|.", re.S)
_NUMBER = re.compile(r"-?\d+")


def damaged_bytes(random_: random.Random, data: bytes) -> bytes:
    """Return bytes with one to four places changed."""
    result = bytearray(data)
    for _ in range(random_.choice((1, 1, 1, 2, 4))):
        size = len(result)
        at = random_.randrange(size + 1)
        length = random_.choice((1, 1, 2, 4, 8, 64))
        match random_.randrange(8):
            case 0 if size:
                result[min(at, size - 1)] ^= 1 << random_.randrange(8)
            case 1:
                del result[at : at + length]
            case 2:
                result[at:at] = random_.randbytes(length)
            case 3:
                result[at:at] = result[max(0, at - length) : at]
            case 4:
                result[at : at + length] = bytes(length)
            case 5:
                result[at : at + length] = b"\xff" * length
            case 6:
                result[at : at + 8] = random_.choice((2**63 - 1, 2**31, 2**62, 0)).to_bytes(8, "little")
            case _:
                del result[at:]
    return bytes(result)


def damaged_text(random_: random.Random, text: str, others: Sequence[str] = ()) -> str:
    """Return text with one to four tokens or lines changed; `others` are texts that pieces may be taken from."""
    if random_.random() < 0.08:
        return damaged_bytes(random_, text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogateescape")
    tokens = _TOKEN.findall(text)
    words = [n for n, token in enumerate(tokens) if not token.isspace()]
    for _ in range(random_.choice((1, 1, 1, 2, 4))):
        if not words:
            break
        n = random_.choice(words)
        match random_.randrange(9):
            case 0:
                tokens[n] = ""
            case 1:
                tokens[n] += tokens[n]
            case 2:
                tokens[n] = tokens[random_.choice(words)]
            case 3 | 4:
                numbers = [k for k in words if _NUMBER.fullmatch(tokens[k])]
                tokens[random_.choice(numbers or words)] = random_.choice(_EXTREME)
            case 5:
                tokens[n] = random_.choice(_ODD)
            case 6:
                other = _TOKEN.findall(random_.choice(others)) if others else tokens
                start = random_.randrange(len(other) or 1)
                tokens[n:n] = other[start : start + random_.choice((1, 4, 20, 60))]
                words = [k for k, token in enumerate(tokens) if not token.isspace()]
            case 7:
                same = [k for k in words if tokens[k][:1] == tokens[n][:1]]
                tokens[n] = tokens[random_.choice(same)]
            case _:
                lines = "".join(tokens).splitlines(keepends=True)
                at = random_.randrange(len(lines) or 1)
                moved = lines[at : at + random_.choice((1, 1, 3))]
                if random_.random() < 0.5:
                    del lines[at : at + len(moved)]
                position = random_.randrange(len(lines) + 1)
                lines[position:position] = moved
                tokens = _TOKEN.findall("".join(lines))
                words = [k for k, token in enumerate(tokens) if not token.isspace()]
    return "".join(tokens)


def damaged_json(random_: random.Random, text: str) -> str:
    """Return JSON with one to three values replaced, moved or lost; sometimes no JSON."""
    if random_.random() < 0.15:
        return damaged_text(random_, text)
    if random_.random() < 0.03:
        return "[" * 100_000 + "]" * 100_000
    value = json.loads(text)
    for _ in range(random_.choice((1, 1, 2, 3))):
        slots = list(_slots(value))
        if not slots:
            break
        holder, key = random_.choice(slots)
        match random_.randrange(6):
            case 0:
                del holder[key]
            case 1:
                other, name = random_.choice(slots)
                holder[key] = copy.deepcopy(other[name])
            case 2:
                holder[key] = [holder[key]]
            case 3:
                holder[key] = random_.choice((None, True, {}, [], "", *_ODD))
            case 4 if isinstance(holder, list):
                holder.insert(key, copy.deepcopy(holder[key]))
            case _:
                holder[key] = random_.choice((0, 1, -1, 2**31, 2**63, -(2**63), 2**64, 10**40, 0.5, 1e308))
    return json.dumps(value)


def _slots(value: Any) -> Any:
    """Return the places of all values inside: (list or dict, index or key)."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(entries):
        yield value, key
        yield from _slots(inner)
