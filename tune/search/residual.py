"""The residual model: the logarithm of measured over predicted time, from the trials so far.

The model is a Gaussian process whose covariance falls exponentially with the distance of two points (Rasmussen and
Williams, Gaussian Processes for Machine Learning, 2.2 and 5.4.1). It suits few samples, and its variance is large where
there are none near. Beyond `MOST_ROWS` samples, gradient boosting of lightgbm replaces it, where the extra `tune` is
installed.

Failures are separate samples: the probability that a point fails is interpolated from its neighbours with the same
covariance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...diagnostics.remarks import remark
from .features import Vector, matrix

Floats = NDArray[np.float64]

MOST_ROWS = 500
"""Samples of the Gaussian process: its time grows with their cube."""
MOST_CHOOSING = 128
"""Samples that choose its hyperparameters."""
LENGTHS = (1.0, 2.0, 4.0, 8.0)
NOISES = (1e-3, 1e-2, 1e-1)
"""The hyperparameters to choose among: distance over which covariance falls to 1/e, and variance of the noise."""
CEILING = 2.0
"""Logarithms above the best one by more than this are clipped, because only fast points matter to a search."""
DIGITS = 9
"""Decimals of predictions: further digits depend on the order in which a library adds."""


@dataclass(frozen=True)
class Prediction:
    """Predictions for some points."""

    mean: Floats
    """The logarithm of measured over predicted time."""
    deviation: Floats
    """Its standard deviation; 0 where the model gives none."""
    failing: Floats
    """The share of failures to be expected, from 0 to 1."""


class ResidualModel:
    """A model of the trials so far. `log_ratios` are NaN for failures."""

    def __init__(self, vectors: Sequence[Vector], log_ratios: Sequence[float], seed: int = 0) -> None:
        self._vectors = list(vectors)
        self._values = np.array(log_ratios, dtype=float)
        self._seed = seed

    def predict(self, vectors: Sequence[Vector]) -> Prediction:
        """Return the predictions for points."""
        count = len(vectors)
        rows = matrix([*self._vectors, *vectors])
        known, asked = rows[: len(self._vectors)], rows[len(self._vectors) :]
        ok = np.isfinite(self._values)
        failing = _share_of_failures(known, ~ok, asked)
        if ok.sum() < 2:
            mean = float(self._values[ok].mean()) if ok.any() else 0.0
            return Prediction(np.full(count, mean), np.ones(count), failing)
        values = np.minimum(self._values[ok], self._values[ok].min() + CEILING)
        fit = self._fit(known[ok], values)
        mean, deviation = fit(asked)
        return Prediction(np.round(mean, DIGITS), np.round(deviation, DIGITS), failing)

    def _fit(self, rows: Floats, values: Floats) -> Callable[[Floats], tuple[Floats, Floats]]:
        if len(values) <= MOST_ROWS:
            return GaussianProcess(rows, values)
        if find_spec("lightgbm") is not None:
            return _boosted(rows, values, self._seed)
        remark(
            "TW0830",
            f"the residual model is fitted to {MOST_ROWS} of {len(values)} samples: lightgbm, which takes all of them, "
            "is not installed",
            kind="analysis",
        )
        best = np.argsort(values, kind="stable")[: MOST_ROWS // 2]
        rest = np.setdiff1d(np.arange(len(values)), best)[-(MOST_ROWS - len(best)) :]
        chosen = np.sort(np.concatenate([best, rest]))
        return GaussianProcess(rows[chosen], values[chosen])


class GaussianProcess:
    """A Gaussian process, with the best-fitting hyperparameters among the candidates above."""

    def __init__(self, rows: Floats, values: Floats) -> None:
        self._rows = rows
        self._mean = values.mean()
        self._scale = max(float(values.std()), 1e-6)
        distances = distances_between(rows, rows)
        standard = (values - self._mean) / self._scale
        some = slice(None, None, -(-len(values) // MOST_CHOOSING))
        part = distances[some, some]
        fits = [_Factor.of(part, standard[some], length, noise) for length, noise in product(LENGTHS, NOISES)]
        best = max(fits, key=lambda fit: fit.likelihood)
        self._factor = best if len(part) == len(values) else _Factor.of(distances, standard, best.length, best.noise)

    def __call__(self, asked: Floats) -> tuple[Floats, Floats]:
        """Return means and standard deviations."""
        factor = self._factor
        covariance = np.exp(-distances_between(asked, self._rows) / factor.length)
        mean = covariance @ factor.weights
        solved = np.linalg.solve(factor.lower, covariance.T)
        variance = np.maximum(1.0 - (solved**2).sum(axis=0), 0.0)
        return self._mean + self._scale * mean, self._scale * np.sqrt(variance)


@dataclass(frozen=True)
class _Factor:
    length: float
    noise: float
    lower: Floats
    weights: Floats
    likelihood: float

    @staticmethod
    def of(distances: Floats, values: Floats, length: float, noise: float) -> _Factor:
        covariance = np.exp(-distances / length) + noise * np.eye(len(values))
        lower: Floats = np.linalg.cholesky(covariance).astype(np.float64)
        weights: Floats = np.linalg.solve(lower.T, np.linalg.solve(lower, values)).astype(np.float64)
        likelihood = -0.5 * float(values @ weights) - float(np.log(np.diag(lower)).sum())
        return _Factor(length, noise, lower, weights, round(likelihood, DIGITS))


def distances_between(ones: Floats, others: Floats) -> Floats:
    """Return the sums of absolute differences of rows: exp of their negative is positive definite."""
    found = np.zeros((len(ones), len(others)))
    for one, other in zip(ones.T, others.T, strict=True):
        found += np.abs(one[:, None] - other[None, :])
    return found


def _share_of_failures(known: Floats, failed: NDArray[np.bool_], asked: Floats) -> Floats:
    """Return the failures near each point over all trials near it, with one trial in the middle that did not fail."""
    if not failed.any():
        return np.zeros(len(asked))
    near = np.exp(-2.0 * distances_between(asked, known))
    return np.round((near @ failed) / (near.sum(axis=1) + 0.2), DIGITS)


def _boosted(rows: Floats, values: Floats, seed: int) -> Callable[[Floats], tuple[Floats, Floats]]:
    import lightgbm  # pyright: ignore[reportMissingImports]  (of the extra `tune`)

    parameters: dict[str, Any] = {
        "objective": "regression",
        "num_leaves": 31,
        "learning_rate": 0.08,
        "min_data_in_leaf": 5,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "seed": seed,
        "verbosity": -1,
    }
    booster = lightgbm.train(parameters, lightgbm.Dataset(rows, values), num_boost_round=150)

    def predict(asked: Floats) -> tuple[Floats, Floats]:
        return np.asarray(booster.predict(asked)), np.zeros(len(asked))

    return predict
