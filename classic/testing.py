"""What tests of compiled programs need."""

from numpy.testing import assert_allclose, assert_array_equal

__all__ = ["assert_allclose", "assert_array_equal"]
