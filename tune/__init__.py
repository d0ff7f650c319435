"""Tuning: search spaces, measurement, search and records.

A space (`space`) is a set of schedules of one task; a search proposes points of it, a runner (`measure`) measures the
compiled programs, and records keep the outcomes.
"""
