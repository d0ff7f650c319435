"""Loops that operators insert themselves, read when such an operator is expressed."""
