"""The networks that are exported: how each is built, what it is called with, and which sizes are left open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import language
import torch
import vision
from language import mask, past, tokens
from torch import Tensor, nn

Sizes = tuple[int, ...]
SCRIPT, DYNAMO = "script", "dynamo"
"""torch's exporter on TorchScript (`dynamo=False`), and the one on torch.export (`dynamo=True`)."""


@dataclass(frozen=True)
class Network:
    """A network and its inputs for sizes, whose meaning is the network's own."""

    build: Callable[[], nn.Module]
    inputs: Callable[..., Sequence[Tensor]]
    sizes: Sizes
    packed_from: int = 0
    """The inputs from here on are one parameter of the network, of the form `*past`."""


@dataclass(frozen=True)
class Export:
    """A network, an exporter, the sets of sizes that it is called with, and the open axes of each input."""

    name: str
    network: Network
    exporter: str
    sizes: tuple[Sizes, ...]
    axes: tuple[dict[int, str], ...] = ()
    is_free: bool = False
    """True if torch infers which sizes are equal, because no names can state it."""
    is_single: bool = False
    """True where one compilation has to serve all sizes."""
    beyond: Sizes = ()
    """Sizes that the network has no positions for; empty where it has some for all."""
    refusal: str = ""
    """A part of the message that refuses them."""

    def inputs(self, sizes: Sizes) -> list[Tensor]:
        return list(self.network.inputs(*sizes))


def image(batch: int, height: int, width: int) -> list[Tensor]:
    return [torch.randn(batch, 3, height, width)]


def masked(batch: int, length: int, vocabulary: int = language.VOCABULARY) -> list[Tensor]:
    return [tokens(batch, length, vocabulary), mask(batch, length)]


def continued(layers: int, heads: int) -> Callable[..., list[Tensor]]:
    """Return a maker of inputs: the next tokens after some, with the keys and values of these."""

    def inputs(batch: int, length: int, before: int) -> list[Tensor]:
        return [
            tokens(batch, length),
            torch.ones(batch, before + length, dtype=torch.int64),
            *past(batch, before, layers, heads),
        ]

    return inputs


TEXT = (1, 64)
NETWORKS: dict[str, Network] = {
    "bert": Network(language.bert, lambda b, n: [*masked(b, n), torch.randint(0, 2, (b, n))], TEXT),
    "distilbert": Network(language.distilbert, masked, TEXT),
    "roberta": Network(language.roberta, masked, TEXT),
    "mobilebert": Network(language.mobilebert, masked, TEXT),
    "gpt2": Network(language.gpt2, masked, TEXT),
    "clip-text": Network(language.clip_text, masked, TEXT),
    "llama": Network(language.llama, masked, TEXT),
    "gpt2-past": Network(language.gpt2_past, continued(2, 12), (1, 4, 60), 2),
    "llama-past": Network(language.llama_past, continued(2, 4), (1, 4, 60), 2),
    "vit": Network(language.vit, image, (1, 224, 224)),
    "clip": Network(language.clip, lambda b, n: [tokens(2 * b, n), *image(b, 224, 224), mask(2 * b, n)], (1, 16)),
    "detr": Network(language.detr, image, (1, 256, 320)),
    "swin": Network(language.swin, image, (1, 224, 224)),
    "convnext": Network(language.convnext, image, (1, 224, 224)),
    "segformer": Network(language.segformer, image, (1, 256, 256)),
    "efficientnet": Network(vision.EfficientNet, image, (1, 224, 224), 1),
    "mobilenet-v2": Network(vision.MobileNetV2, image, (1, 224, 224), 1),
    "mobilenet-v3": Network(vision.MobileNetV3, image, (1, 224, 224), 1),
    "resnet50": Network(vision.ResNet50, image, (1, 224, 224), 1),
    "whisper": Network(language.whisper, lambda b: [torch.randn(b, 80, 3000)], (1,)),
    "t5": Network(language.t5, masked, TEXT),
    "lstm": Network(lambda: vision.Recurrent(nn.LSTM), lambda b, n: [tokens(b, n, 500)], (2, 32), 1),
    "gru": Network(lambda: vision.Recurrent(nn.GRU), lambda b, n: [tokens(b, n, 500)], (2, 32), 1),
    "unet-bilinear": Network(lambda: vision.UNet(True), image, (1, 128, 160), 1),
    "unet-transposed": Network(lambda: vision.UNet(False), image, (1, 128, 160), 1),
    "yolo": Network(vision.Detector, image, (1, 256, 320), 1),
}

FIXED = [
    Export(f"{name}-{exporter}", network, exporter, (network.sizes,))
    for name, network in NETWORKS.items()
    for exporter in (SCRIPT, DYNAMO)
]

BATCH, LENGTH = {0: "batch"}, {0: "batch", 1: "length"}
TEXTS = ((2, 24), (1, 7), (3, 64))
LENGTHS = (24, *range(2, 15), 21, 32, 47, 64, 70, 77)
"""Twenty lengths of a text; torch traces the first."""
MANY_TEXTS = tuple((2 if number == 0 else 1 + number % 3, length) for number, length in enumerate(LENGTHS))
IMAGES = ((2, 224, 224), (1, 224, 224), (5, 224, 224))
PAST = {0: "batch", 2: "before"}
CONTINUED = (LENGTH, {0: "batch", 1: "whole"}, *[PAST] * 4)


def _open(name: str, exporter: str, sizes: tuple[Sizes, ...], *axes: dict[int, str], is_free: bool = False) -> Export:
    return Export(f"{name}-{exporter}-open", NETWORKS[name], exporter, sizes, axes, is_free)


POSITIONS = {"bert": 512, "distilbert": 512, "roberta": 510, "clip-text": 77, "gpt2": 1024, "llama": 0}
"""The longest text of networks that take one of any length; 0 where positions are computed."""


def _texts(name: str, exporter: str) -> Export:
    """Return a network of texts with open batch and length: one compilation serves twenty lengths."""
    axes = (LENGTH,) * (3 if name == "bert" else 2)
    beyond = (2, POSITIONS[name] + 1) if POSITIONS[name] else ()
    made = _open(name, exporter, MANY_TEXTS, *axes)
    return replace(made, is_single=True, beyond=beyond, refusal="length")


OPEN = [
    *[_texts(name, exporter) for name in POSITIONS for exporter in (SCRIPT, DYNAMO)],
    _open("gpt2-past", DYNAMO, ((2, 3, 20), (1, 1, 33), (3, 5, 9)), *CONTINUED, is_free=True),
    _open("llama-past", DYNAMO, ((2, 3, 20), (1, 1, 33), (3, 5, 9)), *CONTINUED, is_free=True),
    *[_open(name, DYNAMO, IMAGES, BATCH) for name in ("vit", "swin", "convnext")],
    _open("whisper", DYNAMO, ((2,), (1,), (3,)), BATCH),
    _open("resnet50", SCRIPT, IMAGES, BATCH),
    _open("t5", SCRIPT, TEXTS, LENGTH, LENGTH),
    _open("lstm", SCRIPT, ((2, 32), (1, 5), (4, 50)), LENGTH),
    _open(
        "unet-transposed",
        DYNAMO,
        ((2, 64, 96), (1, 128, 160), (3, 48, 40)),
        {0: "batch", 2: "height", 3: "width"},
        is_free=True,
    ),
]

REAL = [
    Export(
        "bert-base-dynamo",
        Network(lambda: language.bert(12, 30522), NETWORKS["bert"].inputs, (1, 128)),
        DYNAMO,
        ((1, 128),),
    ),
    Export(
        "gpt2-small-dynamo",
        Network(lambda: language.gpt2(12, 50257), lambda b, n: masked(b, n, 50257), (1, 128)),
        DYNAMO,
        ((1, 128),),
    ),
]
"""At the size of the published networks: for the report of compile times, and for quantised forms."""

EXPORTS = [*FIXED, *OPEN, *REAL]
