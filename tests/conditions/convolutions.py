"""Convolutions that tests draw networks from, by their numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Convolution:
    """A convolution of an image of so many channels, with margins of half its kernel and equal steps on both axes."""

    inputs: int
    outputs: int
    kernel: int = 3
    stride: int = 1
    dilation: int = 1
    groups: int = 1

    @property
    def weight_shape(self) -> tuple[int, int, int, int]:
        return self.outputs, self.inputs // self.groups, self.kernel, self.kernel

    @property
    def padding(self) -> list[int]:
        return [self.kernel // 2] * 4

    def extents(self, size: tuple[int, int]) -> list[int]:
        """Return the height and the width of the result for those of the image."""
        reach = self.dilation * (self.kernel - 1)
        return [(n + 2 * (self.kernel // 2) - reach - 1) // self.stride + 1 for n in size]
