"""Hypothesis strategies that several test modules share."""
