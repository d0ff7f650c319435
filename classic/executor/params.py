"""`runtime.save_param_dict` and `runtime.load_param_dict`: parameters in the classic format, as arrays of `nd`."""

from __future__ import annotations

from ...runtime.params import pack_params as save_param_dict
from ...runtime.params import unpack_params as load
from ..nd import NDArray

__all__ = ["load_param_dict", "save_param_dict"]


def load_param_dict(param_bytes: bytes | bytearray) -> dict[str, NDArray]:
    """Return the arrays that `save_param_dict` wrote, by name. Raises TilewrightError TW0777 for other bytes."""
    return {name: array.view(NDArray) for name, array in load(param_bytes).items()}
