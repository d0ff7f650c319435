"""The one limit of time in tests.

A test's verdict does not depend on how fast the machine is or on what else it does. A limit of time serves only to end
what would never end by itself.
"""

HANG = 1800
"""Seconds after which a process, a thread or a draw counts as hung."""
