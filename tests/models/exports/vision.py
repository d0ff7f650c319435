"""Networks of images in torch, written here because torch alone brings none: what torchvision and others publish."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def normalised(
    inputs: int, outputs: int, kernel: int = 1, stride: int = 1, groups: int = 1, act: type[nn.Module] | None = None
) -> nn.Sequential:
    """Return a convolution, its normalisation, and perhaps an activation."""
    layers: list[nn.Module] = [
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    ]
    return nn.Sequential(*layers, *([act()] if act else []))


class SqueezeExcite(nn.Module):
    """Scales each channel by a gate that is computed from the channels' means (Hu et al. 2018)."""

    def __init__(self, channels: int, hidden: int, act: type[nn.Module], gate: type[nn.Module]) -> None:
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.gate = nn.Sequential(nn.Conv2d(channels, hidden, 1), act(), nn.Conv2d(hidden, channels, 1), gate())

    def forward(self, x: Tensor) -> Tensor:
        return x * self.gate(self.pool(x))


class Inverted(nn.Module):
    """Widen, filter each channel, perhaps squeeze and excite, narrow; added to the input where sizes stay."""

    def __init__(
        self,
        inputs: int,
        hidden: int,
        outputs: int,
        kernel: int,
        stride: int,
        act: type[nn.Module],
        excite: nn.Module | None = None,
    ) -> None:
        super().__init__()
        layers = [normalised(inputs, hidden, act=act)] if hidden != inputs else []
        layers.append(normalised(hidden, hidden, kernel, stride, hidden, act))
        layers += [excite] if excite is not None else []
        self.branch = nn.Sequential(*layers, normalised(hidden, outputs))
        self.is_residual = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        return x + self.branch(x) if self.is_residual else self.branch(x)


class MobileNetV2(nn.Module):
    """Sandler et al. 2018; the classifier's input is the mean over each channel."""

    STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))

    def __init__(self, classes: int = 1000) -> None:
        super().__init__()
        layers: list[nn.Module] = [normalised(3, 32, 3, 2, act=nn.ReLU6)]
        channels = 32
        for widen, outputs, count, stride in self.STAGES:
            for index in range(count):
                step = stride if index == 0 else 1
                layers.append(Inverted(channels, channels * widen, outputs, 3, step, nn.ReLU6))
                channels = outputs
        self.features = nn.Sequential(*layers, normalised(channels, 1280, act=nn.ReLU6))
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(1280, classes))

    def forward(self, x: Tensor) -> Tensor:
        return self.classifier(self.features(x).mean([2, 3]))


class MobileNetV3(nn.Module):
    """Howard et al. 2019, the small one: hard swish, and gates by hard sigmoid."""

    BLOCKS = (
        # kernel, hidden, outputs, excited, hard swish, stride
        (3, 16, 16, True, False, 2),
        (3, 72, 24, False, False, 2),
        (3, 88, 24, False, False, 1),
        (5, 96, 40, True, True, 2),
        (5, 240, 40, True, True, 1),
        (5, 240, 40, True, True, 1),
        (5, 120, 48, True, True, 1),
        (5, 144, 48, True, True, 1),
        (5, 288, 96, True, True, 2),
        (5, 576, 96, True, True, 1),
        (5, 576, 96, True, True, 1),
    )

    def __init__(self, classes: int = 1000) -> None:
        super().__init__()
        layers: list[nn.Module] = [normalised(3, 16, 3, 2, act=nn.Hardswish)]
        channels = 16
        for kernel, hidden, outputs, is_excited, is_hard, stride in self.BLOCKS:
            reduced = max(8, int(hidden / 4 + 4) // 8 * 8)
            excite = SqueezeExcite(hidden, reduced, nn.ReLU, nn.Hardsigmoid) if is_excited else None
            act = nn.Hardswish if is_hard else nn.ReLU
            layers.append(Inverted(channels, hidden, outputs, kernel, stride, act, excite))
            channels = outputs
        self.features = nn.Sequential(*layers, normalised(channels, 576, act=nn.Hardswish))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Linear(576, 1024), nn.Hardswish(), nn.Dropout(0.2), nn.Linear(1024, classes))

    def forward(self, x: Tensor) -> Tensor:
        return self.classifier(torch.flatten(self.pool(self.features(x)), 1))


class EfficientNet(nn.Module):
    """Tan and Le 2019, B0: SiLU, and gates of a quarter of the block's input."""

    STAGES = (
        # widen, kernel, stride, outputs, blocks
        (1, 3, 1, 16, 1),
        (6, 3, 2, 24, 2),
        (6, 5, 2, 40, 2),
        (6, 3, 2, 80, 3),
        (6, 5, 1, 112, 3),
        (6, 5, 2, 192, 4),
        (6, 3, 1, 320, 1),
    )

    def __init__(self, classes: int = 1000) -> None:
        super().__init__()
        layers: list[nn.Module] = [normalised(3, 32, 3, 2, act=nn.SiLU)]
        channels = 32
        for widen, kernel, stride, outputs, count in self.STAGES:
            for index in range(count):
                hidden = channels * widen
                excite = SqueezeExcite(hidden, max(1, channels // 4), nn.SiLU, nn.Sigmoid)
                step = stride if index == 0 else 1
                layers.append(Inverted(channels, hidden, outputs, kernel, step, nn.SiLU, excite))
                channels = outputs
        self.features = nn.Sequential(*layers, normalised(channels, 1280, act=nn.SiLU))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(1280, classes))

    def forward(self, x: Tensor) -> Tensor:
        return self.classifier(torch.flatten(self.pool(self.features(x)), 1))


class Bottleneck(nn.Module):
    """1x1, 3x3, 1x1 beside a shortcut (He et al. 2015), the stride in the 3x3 convolution."""

    def __init__(self, inputs: int, width: int, stride: int) -> None:
        super().__init__()
        outputs = 4 * width
        self.branch = nn.Sequential(
            normalised(inputs, width, act=nn.ReLU),
            normalised(width, width, 3, stride, act=nn.ReLU),
            normalised(width, outputs),
        )
        is_same = stride == 1 and inputs == outputs
        self.shortcut = nn.Identity() if is_same else normalised(inputs, outputs, stride=stride)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.branch(x) + self.shortcut(x))


class ResNet50(nn.Module):
    """He et al. 2015, with a `view` whose sizes exporters compute in the model where the batch is open."""

    def __init__(self, classes: int = 1000) -> None:
        super().__init__()
        layers: list[nn.Module] = [normalised(3, 64, 7, 2, act=nn.ReLU), nn.MaxPool2d(3, 2, 1)]
        channels = 64
        for width, count, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
            for index in range(count):
                layers.append(Bottleneck(channels, width, stride if index == 0 else 1))
                channels = 4 * width
        self.features = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Linear(channels, classes)

    def forward(self, x: Tensor) -> Tensor:
        y = self.pool(self.features(x))
        return self.classifier(y.view(y.size(0), -1))


class UNet(nn.Module):
    """Ronneberger et al. 2015, padded, two levels fewer; the way up is bilinear or a transposed convolution."""

    def __init__(self, is_bilinear: bool, width: int = 32, levels: int = 3, classes: int = 2) -> None:
        super().__init__()
        widths = [width << level for level in range(levels + 1)]
        self.first = self._pair(3, width)
        self.down = nn.ModuleList(
            nn.Sequential(nn.MaxPool2d(2), self._pair(a, b)) for a, b in zip(widths, widths[1:], strict=False)
        )
        self.up = nn.ModuleList(
            nn.Sequential(nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True), nn.Conv2d(2 * w, w, 1))
            if is_bilinear
            else nn.ConvTranspose2d(2 * w, w, 2, 2)
            for w in reversed(widths[:-1])
        )
        self.merge = nn.ModuleList(self._pair(2 * w, w) for w in reversed(widths[:-1]))
        self.last = nn.Conv2d(width, classes, 1)

    @staticmethod
    def _pair(inputs: int, outputs: int) -> nn.Sequential:
        return nn.Sequential(normalised(inputs, outputs, 3, act=nn.ReLU), normalised(outputs, outputs, 3, act=nn.ReLU))

    def forward(self, x: Tensor) -> Tensor:
        seen = [self.first(x)]
        for level in self.down:
            seen.append(level(seen[-1]))
        y = seen.pop()
        for up, merge in zip(self.up, self.merge, strict=True):
            y = up(y)
            skip = seen.pop()
            # Images whose sizes are odd lose a row on the way down, which is put back at the edges.
            high, wide = skip.size(2) - y.size(2), skip.size(3) - y.size(3)
            y = nn.functional.pad(y, [wide // 2, wide - wide // 2, high // 2, high - high // 2])
            y = merge(torch.cat([skip, y], dim=1))
        return self.last(y)


class CrossStage(nn.Module):
    """Half of the channels go through bottlenecks, all that came of them are joined (as in YOLOv5 and v8)."""

    def __init__(self, inputs: int, outputs: int, count: int, is_residual: bool) -> None:
        super().__init__()
        self.half = outputs // 2
        self.enter = normalised(inputs, outputs, act=nn.SiLU)
        self.blocks = nn.ModuleList(
            nn.Sequential(
                normalised(self.half, self.half, 3, act=nn.SiLU), normalised(self.half, self.half, 3, act=nn.SiLU)
            )
            for _ in range(count)
        )
        self.leave = normalised((2 + count) * self.half, outputs, act=nn.SiLU)
        self.is_residual = is_residual

    def forward(self, x: Tensor) -> Tensor:
        parts = list(self.enter(x).chunk(2, 1))
        for block in self.blocks:
            parts.append(parts[-1] + block(parts[-1]) if self.is_residual else block(parts[-1]))
        return self.leave(torch.cat(parts, 1))


class PooledPyramid(nn.Module):
    """Maxima over growing windows, joined."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.enter = normalised(channels, channels // 2, act=nn.SiLU)
        self.pool = nn.MaxPool2d(5, 1, 2)
        self.leave = normalised(2 * channels, channels, act=nn.SiLU)

    def forward(self, x: Tensor) -> Tensor:
        parts = [self.enter(x)]
        for _ in range(3):
            parts.append(self.pool(parts[-1]))
        return self.leave(torch.cat(parts, 1))


class Detector(nn.Module):
    """A detector of one stage like YOLO: a backbone, a feature pyramid up and down, and heads. The side of a box is the
    expectation over bins of distances. NonMaxSuppression is part of the network, as in exports for deployment."""

    BINS = 16

    def __init__(self, classes: int = 20, width: int = 16, boxes: int = 50) -> None:
        super().__init__()
        w, self.classes, self.boxes = width, classes, boxes
        self.stem = nn.Sequential(normalised(3, w, 3, 2, act=nn.SiLU), normalised(w, 2 * w, 3, 2, act=nn.SiLU))
        self.stage2 = CrossStage(2 * w, 2 * w, 1, True)
        self.stage3 = nn.Sequential(normalised(2 * w, 4 * w, 3, 2, act=nn.SiLU), CrossStage(4 * w, 4 * w, 2, True))
        self.stage4 = nn.Sequential(normalised(4 * w, 8 * w, 3, 2, act=nn.SiLU), CrossStage(8 * w, 8 * w, 2, True))
        self.stage5 = nn.Sequential(
            normalised(8 * w, 16 * w, 3, 2, act=nn.SiLU), CrossStage(16 * w, 16 * w, 1, True), PooledPyramid(16 * w)
        )
        self.widen = nn.Upsample(scale_factor=2, mode="nearest")
        self.up4, self.up3 = CrossStage(24 * w, 8 * w, 1, False), CrossStage(12 * w, 4 * w, 1, False)
        self.down4 = normalised(4 * w, 4 * w, 3, 2, act=nn.SiLU)
        self.down5 = normalised(8 * w, 8 * w, 3, 2, act=nn.SiLU)
        self.out4, self.out5 = CrossStage(12 * w, 8 * w, 1, False), CrossStage(24 * w, 16 * w, 1, False)
        self.heads = nn.ModuleList(
            nn.Sequential(normalised(c, c, 3, act=nn.SiLU), nn.Conv2d(c, 4 * self.BINS + classes, 1))
            for c in (4 * w, 8 * w, 16 * w)
        )

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        fine = self.stage3(self.stage2(self.stem(x)))
        middle = self.stage4(fine)
        coarse = self.stage5(middle)
        middle = self.up4(torch.cat([self.widen(coarse), middle], 1))
        fine = self.up3(torch.cat([self.widen(middle), fine], 1))
        middle = self.out4(torch.cat([self.down4(fine), middle], 1))
        coarse = self.out5(torch.cat([self.down5(middle), coarse], 1))
        found = [
            self._boxes(head(y), 8 << k)
            for k, (head, y) in enumerate(zip(self.heads, (fine, middle, coarse), strict=True))
        ]
        boxes, scores = (torch.cat(parts, 1) for parts in zip(*found, strict=True))
        chosen = suppress(boxes, scores.transpose(1, 2), self.boxes, 0.5, 0.3)
        return boxes, scores, boxes[chosen[:, 0], chosen[:, 2]]

    def _boxes(self, y: Tensor, stride: int) -> tuple[Tensor, Tensor]:
        """Return corners and scores of one level's boxes."""
        batch, _, high, wide = y.shape
        distances, scores = y.flatten(2).transpose(1, 2).split([4 * self.BINS, self.classes], 2)
        weights = distances.reshape(batch, high * wide, 4, self.BINS).softmax(-1)
        sides = weights @ torch.arange(self.BINS, dtype=y.dtype)
        rows, columns = torch.meshgrid(torch.arange(high), torch.arange(wide), indexing="ij")
        middles = torch.stack([columns, rows], -1).reshape(-1, 2).to(y.dtype) + 0.5
        first, second = sides.chunk(2, -1)
        return torch.cat([middles - first, middles + second], -1) * stride, scores.sigmoid()


@torch.library.custom_op("tilewright_tests::suppress", mutates_args=())
def suppress(boxes: Tensor, scores: Tensor, most: int, overlap: float, least: float) -> Tensor:
    """Return rows of (image, class, box), as many as stay: what exporters write as NonMaxSuppression. Only its type
    counts."""
    return torch.zeros(1, 3, dtype=torch.int64)


@suppress.register_fake
def _suppress(boxes: Tensor, scores: Tensor, most: int, overlap: float, least: float) -> Tensor:
    return boxes.new_empty((torch.library.get_ctx().new_dynamic_size(), 3), dtype=torch.int64)


class Recurrent(nn.Module):
    """Embedded tokens through two layers of an LSTM or a GRU in both directions; a linear layer on each step."""

    def __init__(self, kind: type[nn.RNNBase], vocabulary: int = 500, width: int = 128) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.layers = kind(width, width, num_layers=2, bidirectional=True, batch_first=True)
        self.head = nn.Linear(2 * width, 32)

    def forward(self, tokens: Tensor) -> Tensor:
        return self.head(self.layers(self.embed(tokens))[0])
