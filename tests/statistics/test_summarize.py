"""Repeated samples: mean, deviation and the interval of Student's t."""

from __future__ import annotations

from math import pi, tan
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evergold.errors import UsageError
from evergold.model import Measurement, Sample
from evergold.statistics.summarize import measurements, student_t_975, summarize

SAMPLES = st.lists(st.floats(-1, 2, allow_nan=False), min_size=2, max_size=40)

# The published table has 12 decimals: mean and margin each carry at most this much of it.
PUBLISHED = 1e-11


@pytest.mark.parametrize("degrees", range(1, 121))
def test_the_quantile_is_that_of_students_t(degrees: int) -> None:
    """Every quantile in use agrees with scipy."""
    expected = float(stats.t.ppf(0.975, degrees))
    assert expected == pytest.approx(student_t_975(degrees), rel=1e-12)


def test_five_samples_have_the_published_interval() -> None:
    """The published vector: 0.8 with its deviation and bounds."""
    assert Measurement(
        value=0.8,
        n=5,
        deterministic=False,
        stdev=0.158113883008,
        ci=(0.603675683852, 0.996324316148),
    ) == summarize([0.8, 1.0, 0.6, 0.9, 0.7])


def test_one_sample_has_no_interval() -> None:
    """A single score says nothing of its certainty."""
    assert Measurement(0.7, n=1, deterministic=False) == summarize([0.7])


def test_no_sample_is_refused() -> None:
    """There is no mean of nothing."""
    with pytest.raises(UsageError, match="summarize needs at least one sample"):
        summarize([])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_sample_is_finite(value: float) -> None:
    """What is no number is refused instead of spread."""
    with pytest.raises(UsageError, match="a sample must be a finite number, found "):
        summarize([0.5, value])


def test_the_interval_is_not_clamped() -> None:
    """Of 0 and 1 it is 0.5 ± tan(0.475 π) / 2, far beyond the range of a metric."""
    expected = (round(0.5 - tan(0.475 * pi) / 2, 12), round(0.5 + tan(0.475 * pi) / 2, 12))
    assert (-5.853102368087, 6.853102368087) == expected
    assert expected == summarize([0.0, 1.0]).ci


def test_many_samples_use_the_last_quantile_of_the_table() -> None:
    """Above 120 degrees of freedom that of 120 is used, as published."""
    samples = [0.0, 1.0] * 200
    measurement = summarize(samples)
    margin = float(stats.t.ppf(0.975, 120)) * float(np.std(samples, ddof=1)) / 20
    assert measurement.ci is not None
    assert round(0.5 + margin, 12) == pytest.approx(measurement.ci[1], abs=1.1e-12)


@settings(deadline=None)
@given(SAMPLES)
def test_deviation_and_interval_are_those_of_scipy(samples: list[float]) -> None:
    """Sample deviation (n - 1) and the two-sided 95 % interval of the mean."""
    measurement = summarize(samples)
    deviation = float(np.std(samples, ddof=1))
    error = deviation / len(samples) ** 0.5
    margin = float(stats.t.ppf(0.975, len(samples) - 1)) * error
    assert measurement.stdev is not None
    assert measurement.ci is not None
    assert deviation == pytest.approx(measurement.stdev, abs=1.1e-12)
    assert fmean(samples) - margin == pytest.approx(measurement.ci[0], abs=PUBLISHED)
    assert fmean(samples) + margin == pytest.approx(measurement.ci[1], abs=PUBLISHED)


@settings(deadline=None)
@given(SAMPLES)
def test_the_value_does_not_depend_on_the_order(samples: list[float]) -> None:
    """The mean is correctly rounded."""
    assert summarize(samples).value == summarize(sorted(samples)).value


def test_scores_of_one_query_are_averaged_before_the_interval_is_taken() -> None:
    """Asking again narrows no interval: n counts queries."""
    scores = {"q1": (1.0, 0.5), "q2": (0.25,), "q3": (0.5, 0.5, 0.5)}
    samples = [Sample("faithful", s, query) for query, found in scores.items() for s in found]
    assert {"faithful": summarize([0.75, 0.25, 0.5])} == measurements(samples)


def test_samples_without_a_query_are_one_each() -> None:
    """Metrics stand in order of first appearance."""
    samples = [Sample("b", 0.5), Sample("a", 1.0), Sample("b", 0.7)]
    found = measurements(samples)
    assert ["b", "a"] == list(found)
    assert {"b": summarize([0.5, 0.7]), "a": summarize([1.0])} == found
