"""
Operators between whole tensors: `A + 1` and `A * B` define new tensors, elementwise and broadcast.

The operators of a higher layer compute them: this module has the Python syntax, and a slot for the implementation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..lazy import Slot

if TYPE_CHECKING:
    from .tensor import Tensor

ARITHMETIC: Slot[Callable[..., Any]] = Slot("te.whole_tensors:ARITHMETIC")
"""Makes the tensor of an operator by the name of its record: `(name, *operands)`."""


def operate(name: str, *operands: Any) -> Tensor:
    """Return the tensor that an operator makes of tensors, numbers and scalar expressions."""
    return ARITHMETIC.value(name, *operands)


class WholeTensor:
    """The operators of a tensor as a whole. `==` stays identity: tensors are keys of dictionaries."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Apply an operator to the tensor and one of numpy's scalars. Functions of whole tensors are topi's
        (TW0451)."""
        from .numpy_functions import apply_ufunc

        return apply_ufunc(ufunc, method, inputs, options)

    def __add__(self, other: Any) -> Tensor:
        return operate("add", self, other)

    def __radd__(self, other: Any) -> Tensor:
        return operate("add", other, self)

    def __sub__(self, other: Any) -> Tensor:
        return operate("sub", self, other)

    def __rsub__(self, other: Any) -> Tensor:
        return operate("sub", other, self)

    def __mul__(self, other: Any) -> Tensor:
        return operate("mul", self, other)

    def __rmul__(self, other: Any) -> Tensor:
        return operate("mul", other, self)

    def __truediv__(self, other: Any) -> Tensor:
        return operate("true_div", self, other)

    def __rtruediv__(self, other: Any) -> Tensor:
        return operate("true_div", other, self)

    def __floordiv__(self, other: Any) -> Tensor:
        return operate("floor_div", self, other)

    def __rfloordiv__(self, other: Any) -> Tensor:
        return operate("floor_div", other, self)

    def __mod__(self, other: Any) -> Tensor:
        return operate("floor_mod", self, other)

    def __rmod__(self, other: Any) -> Tensor:
        return operate("floor_mod", other, self)

    def __pow__(self, other: Any) -> Tensor:
        return operate("pow", self, other)

    def __rpow__(self, other: Any) -> Tensor:
        return operate("pow", other, self)

    def astype(self, dtype: Any) -> Tensor:
        """Return the tensor with its elements converted."""
        from .define import compute

        tensor: Any = self
        return compute(tensor.shape, lambda *i: tensor(*i).astype(dtype), name="cast")

    def __neg__(self) -> Tensor:
        return operate("neg", self)

    def __abs__(self) -> Tensor:
        return operate("abs", self)

    def __invert__(self) -> Tensor:
        return operate("bitwise_not", self)

    def __and__(self, other: Any) -> Tensor:
        return operate("bitwise_and", self, other)

    def __rand__(self, other: Any) -> Tensor:
        return operate("bitwise_and", other, self)

    def __or__(self, other: Any) -> Tensor:
        return operate("bitwise_or", self, other)

    def __ror__(self, other: Any) -> Tensor:
        return operate("bitwise_or", other, self)

    def __xor__(self, other: Any) -> Tensor:
        return operate("bitwise_xor", self, other)

    def __rxor__(self, other: Any) -> Tensor:
        return operate("bitwise_xor", other, self)

    def __lshift__(self, other: Any) -> Tensor:
        return operate("left_shift", self, other)

    def __rlshift__(self, other: Any) -> Tensor:
        return operate("left_shift", other, self)

    def __rshift__(self, other: Any) -> Tensor:
        return operate("right_shift", self, other)

    def __rrshift__(self, other: Any) -> Tensor:
        return operate("right_shift", other, self)

    def __lt__(self, other: Any) -> Tensor:
        return operate("less", self, other)

    def __le__(self, other: Any) -> Tensor:
        return operate("less_equal", self, other)

    def __gt__(self, other: Any) -> Tensor:
        return operate("greater", self, other)

    def __ge__(self, other: Any) -> Tensor:
        return operate("greater_equal", self, other)
