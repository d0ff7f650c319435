"""Passes in four phases, and what registers, orders and runs them."""
