"""Records of a compilation's times, under their public path."""

from ..framework.instruments.spans import Recorder as Recorder
