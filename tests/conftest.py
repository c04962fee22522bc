"""Hypothesis finds the same examples in every run, so that a red test is red for everybody."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("facedown", derandomize=True, deadline=None, database=None)
settings.load_profile("facedown")
