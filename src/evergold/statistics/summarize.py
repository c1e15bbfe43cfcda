"""Repeated scores of one thing, such as a judge that is asked several times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import isfinite, lgamma, log, sqrt
from statistics import fmean, stdev

from evergold.errors import UsageError
from evergold.model import DECIMALS, Measurement, Sample

# The published formats stop here: with more degrees of freedom this one's quantile is used.
_MOST_DEGREES = 120


def summarize(samples: Sequence[float]) -> Measurement:
    """Return the mean with its 95 % interval: mean ± t * s / sqrt(n), two-sided, not clamped.

    One sample gives a value without an interval. Source: Student, "The Probable Error of a
    Mean", Biometrika 6(1), 1908.
    """
    if not samples:
        raise UsageError("summarize needs at least one sample")
    for sample in samples:
        if not isfinite(sample):
            raise UsageError(f"a sample must be a finite number, found {sample}")
    n = len(samples)
    mean = fmean(samples)
    if n == 1:
        return Measurement(round(mean, DECIMALS), n=1, deterministic=False)
    deviation = stdev(samples)
    margin = student_t_975(min(n - 1, _MOST_DEGREES)) * deviation / sqrt(n)
    return Measurement(
        round(mean, DECIMALS),
        n=n,
        deterministic=False,
        stdev=round(deviation, DECIMALS),
        ci=(round(mean - margin, DECIMALS), round(mean + margin, DECIMALS)),
    )


def measurements(samples: Iterable[Sample]) -> dict[str, Measurement]:
    """Return the measurement of each metric, as `summarize`, in order of first appearance.

    What is summarized are the means of the queries, where samples name their query: answers to
    one question are not independent, and asking again does not make more questions. Else it is
    the samples themselves.
    """
    of_metric: dict[str, dict[object, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number, sample in enumerate(samples):
        unit = number if sample.query_id is None else sample.query_id
        of_metric[sample.metric][unit].append(sample.score)
    return {
        metric: summarize([fmean(scores) for scores in units.values()])
        for metric, units in of_metric.items()
    }


@lru_cache(maxsize=_MOST_DEGREES)  # slow, and reports have many measurements of one n
def student_t_975(degrees: int) -> float:
    """Return the 0.975 quantile of Student's t distribution.

    Found by bisection of its distribution function; scipy.stats.t.ppf agrees to 1e-12.
    """
    low, high = 0.0, 13.0
    for _ in range(100):
        middle = (low + high) / 2
        if _upper_tail(middle, degrees) > 0.025:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _upper_tail(t: float, degrees: int) -> float:
    """Return P(T > t) for t >= 0: half the regularised incomplete beta I_x(degrees / 2, 1 / 2)."""
    x = degrees / (degrees + t * t)
    return 0.5 * _incomplete_beta(degrees / 2, 0.5, x)


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return I_x(a, b) by its continued fraction (DLMF 8.17.22)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _incomplete_beta(b, a, 1 - x)
    front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)
    fraction = 1.0
    for m in range(200, 0, -1):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1))
        fraction = 1.0 + odd / (1.0 + even / fraction)
    return float(2.718281828459045**front / (a * fraction))
