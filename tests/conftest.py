"""Hypothesis profiles: `default` for every run, `campaign` (HYPOTHESIS_PROFILE=campaign) for long ones."""

import os

from hypothesis import HealthCheck, settings

_common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("default", max_examples=100, **_common)
settings.register_profile("campaign", max_examples=5_000, **_common)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
