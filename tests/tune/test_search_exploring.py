"""Walks in spaces whose decisions depend on one another."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tilewright.diagnostics import fail
from tilewright.schedule.decisions import decide
from tilewright.tune.search.exploring import Candidate, Explorer, Move, in_order, key_of
from tilewright.tune.search.features import distance, diverse, features_of

from .synthetic import BEST, Asked, bowl, refused


def candidate(explorer: Explorer, point: Any) -> Candidate:
    found = explorer.build(point)
    assert isinstance(found, Candidate)
    return found


def test_keys_distinguish_types() -> None:
    assert key_of({"a": True}) != key_of({"a": 1}) != key_of({"a": "1"})
    assert key_of({"b": (1, 2), "a": None}) == key_of({"a": None, "b": (1, 2)}) == '{"a":null,"b":[1,2]}'


def test_order_of_candidates() -> None:
    """Numbers and tuples of as many numbers by size, names and mixtures as they are listed."""
    assert in_order((8, 1, 4)) == [1, 4, 8]
    assert in_order(((2, 1), (1, 8), (1, 2))) == [(1, 2), (1, 8), (2, 1)]
    for listed in (("ji", "ij"), (True, False), (None, 4, 2), ((2, 1), (1,)), (8, True)):
        assert in_order(listed) == list(listed)


def test_moves() -> None:
    """Every other value of every decision, nearest first; values beside the present one are adjacent."""
    explorer = Explorer(Asked(bowl))
    moves = explorer.moves(candidate(explorer, {"rule": "rows", "rows.width": 8}))
    widths = [(move.value, move.is_adjacent) for move in moves if move.decision.key == "rows.width"]
    assert widths == [(4, True), (16, True), (2, False), (32, False), (1, False)]
    assert len(moves) == 2 + 7 + 5


def test_later_answers_that_fit_are_kept() -> None:
    """Another tile asks for no order: the other answers stay. Another rule asks for nothing of it."""
    explorer = Explorer(Asked(bowl))
    best = candidate(explorer, BEST)
    rule, tile = best.built.decisions[:2]
    small = explorer.changed(best, Move(tile, (2, 4), False))
    assert isinstance(small, Candidate)
    assert small.point == {"rule": "panels", "panels.tile": (2, 4), "panels.pack": True, "panels.depth": 256}
    rows = explorer.changed(best, Move(rule, "rows", True))
    assert isinstance(rows, Candidate)
    assert rows.point == {"rule": "rows", "rows.height": 2, "rows.width": 1}


def test_enumeration() -> None:
    """Each point once, lexicographically, defaults first."""
    space = Asked(bowl)
    explorer = Explorer(space)
    found = [each for each in explorer.all_points() if isinstance(each, Candidate)]
    points = 1 + 8 * 6 + (8 + 16 * 2) * 2 * 4
    assert len(found) == len({each.key for each in found}) == points == 369
    assert found[0].point == {"rule": "rows", "rows.height": 2, "rows.width": 1}
    assert [each.point["rule"] for each in found[47:50]] == ["rows", "plain", "panels"]
    assert space.builds < 2 * points


def test_estimated_size() -> None:
    """Near the number of points with many walks, exact where all walks are alike; none in a space without points."""
    assert Explorer(Asked(bowl)).estimated_size(Random(3), 2000) == pytest.approx(369, rel=0.05)
    assert Explorer(Asked(lambda: None)).estimated_size(Random(3)) == 1
    assert Explorer(Asked(refused)).estimated_size(Random(3)) == 0


def test_draws() -> None:
    """All values are drawn, later decisions of drawn rules among them; a share of 0 draws nothing."""
    explorer = Explorer(Asked(bowl))
    random = Random(5)
    drawn = [explorer.draw(random, {}) for _ in range(800)]
    points = [each.point for each in drawn if isinstance(each, Candidate)]
    assert len(points) == 800
    assert {point["rule"] for point in points} == {"plain", "rows", "panels"}
    assert len({point["panels.tile"] for point in points if "panels.tile" in point}) == 24
    assert {point["panels.order"] for point in points if "panels.order" in point} == {"ij", "ji"}
    default = explorer.draw(random, {}, share=0.0)
    assert isinstance(default, Candidate) and default.key == candidate(explorer, {}).key
    kept = explorer.draw(random, {"rule": "panels", "panels.pack": True}, share=0.0)
    assert isinstance(kept, Candidate) and kept.point["panels.pack"] is True


def test_draws_where_values_exclude_one_another() -> None:
    """Of ten decisions no three neighbours may all be large: draws find legal points with many large ones."""

    def ask() -> None:
        values = [decide(f"d{i}", (1, 2), 1) for i in range(10)]
        if any(values[i : i + 3] == [2, 2, 2] for i in range(8)):
            fail("TW0409", "planted")

    explorer = Explorer(Asked(ask))
    random = Random(5)
    drawn = [explorer.draw(random, {}) for _ in range(50)]
    large = [sum(v == 2 for v in each.point.values()) for each in drawn if isinstance(each, Candidate)]
    assert len(large) == 50 and max(large) >= 6 and sum(large) / 50 > 3
    assert explorer.builds < 50 * 16


def test_builds_are_kept() -> None:
    """The same answers are built once, under their full point too; a refusal as well."""

    def ask() -> None:
        if decide("a", (1, 2), 1) == 2:
            raise RuntimeError("planted\nsecond line")

    space = Asked(ask)
    explorer = Explorer(space)
    for _ in range(3):
        explorer.build({})
        explorer.build({"a": 1})
        refused = explorer.build({"a": 2})
    assert space.builds == 2
    assert not isinstance(refused, Candidate) and refused.detail == "RuntimeError: planted"


def test_distances() -> None:
    """Two names differ by 1, a number and its eightfold too; a decision that is not asked differs."""
    assert distance(features_of({"a": "x"}), features_of({"a": "y"})) == 1
    assert abs(distance(features_of({"a": 1}), features_of({"a": 15})) - 1) < 1e-12
    assert distance(features_of({"a": False}), features_of({"a": True})) == 1
    assert distance(features_of({"a": "x", "b": "x"}), features_of({"a": "x"})) == 1
    assert distance(features_of({}, {"bytes": 7}), features_of({}, {"bytes": 7})) == 0


def test_diverse_points() -> None:
    """The best of each group first; nearer ones where there are no others."""
    vectors = [features_of({"rule": rule, "n": n}) for rule in ("x", "y") for n in (1, 2, 3)]
    assert diverse(range(6), vectors, 2, least=1.0) == [0, 3]
    assert sorted(diverse(range(6), vectors, 6, least=1.0)) == list(range(6))
    assert diverse([], vectors, 3) == []
