"""Measuring compiled candidates: in a process of this machine, or on a cluster."""
