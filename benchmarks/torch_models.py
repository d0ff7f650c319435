"""ResNet-50 v1.5 and MobileNetV2 as torch exports them, imported, compiled and compared with onnxruntime.

    python benchmarks/torch_models.py [--models resnet50 mobilenet_v2] [--exporters dynamo script] [--opsets 18 23]

Needs torch and onnxscript beside tilewright. The networks are those of He et al. 2015, "Deep Residual Learning for
Image Recognition", with the stride in the 3x3 convolution (version 1.5), and of Sandler et al. 2018, "MobileNetV2:
Inverted Residuals and Linear Bottlenecks". Weights are seeded random numbers that keep the scale of activations, so
that a wrong layer shows. The error is the largest difference over the spread of the expected outputs, which are logits.

Each model is exported with a fixed batch of 1 and with an open batch, which is fixed again while importing.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import tilewright
import torch
from tilewright.frontends.onnx import import_model
from torch import Tensor, nn

TOLERANCE = 1e-4


def convolution(inputs: int, outputs: int, kernel: int = 1, stride: int = 1, groups: int = 1) -> list[nn.Module]:
    """Return a convolution that keeps the size up to its stride, and its normalisation."""
    return [
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    ]


class Bottleneck(nn.Module):
    """1x1, 3x3, 1x1 beside a shortcut, which is a convolution where sizes change."""

    def __init__(self, inputs: int, width: int, stride: int) -> None:
        super().__init__()
        outputs = 4 * width
        self.branch = nn.Sequential(
            *convolution(inputs, width),
            nn.ReLU(inplace=True),
            *convolution(width, width, 3, stride),
            nn.ReLU(inplace=True),
            *convolution(width, outputs),
        )
        same = stride == 1 and inputs == outputs
        self.shortcut = nn.Identity() if same else nn.Sequential(*convolution(inputs, outputs, stride=stride))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.branch(x) + self.shortcut(x))


class ResNet50(nn.Module):
    """Four stages of bottlenecks between a 7x7 convolution and a linear layer."""

    def __init__(self, classes: int = 1000) -> None:
        super().__init__()
        layers = [*convolution(3, 64, 7, 2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
        inputs = 64
        for width, count, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
            for index in range(count):
                layers.append(Bottleneck(inputs, width, stride if index == 0 else 1))
                inputs = 4 * width
        self.features = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Linear(inputs, classes)

    def forward(self, x: Tensor) -> Tensor:
        y = self.pool(self.features(x))
        return self.classifier(y.view(y.size(0), -1))  # with an open batch, exporters compute this shape in the model


class InvertedResidual(nn.Module):
    """Widen, filter each channel, narrow; added to the input where sizes stay."""

    def __init__(self, inputs: int, outputs: int, stride: int, expansion: int) -> None:
        super().__init__()
        hidden = inputs * expansion
        widen = [*convolution(inputs, hidden), nn.ReLU6(inplace=True)] if expansion != 1 else []
        self.branch = nn.Sequential(
            *widen,
            *convolution(hidden, hidden, 3, stride, groups=hidden),
            nn.ReLU6(inplace=True),
            *convolution(hidden, outputs),
        )
        self.residual = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        return x + self.branch(x) if self.residual else self.branch(x)


class MobileNetV2(nn.Module):
    """Seventeen inverted residuals; the mean over each channel is a reduction, not a pooling."""

    STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))
    """Expansion, channels, blocks, stride of the first."""

    def __init__(self, classes: int = 1000) -> None:
        super().__init__()
        layers = [*convolution(3, 32, 3, 2), nn.ReLU6(inplace=True)]
        inputs = 32
        for expansion, outputs, count, stride in self.STAGES:
            for index in range(count):
                layers.append(InvertedResidual(inputs, outputs, stride if index == 0 else 1, expansion))
                inputs = outputs
        layers += [*convolution(inputs, 1280), nn.ReLU6(inplace=True)]
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(1280, classes))

    def forward(self, x: Tensor) -> Tensor:
        return self.classifier(self.features(x).mean([2, 3]))


MODELS: dict[str, Callable[[], nn.Module]] = {"resnet50": ResNet50, "mobilenet_v2": MobileNetV2}
EXPORTERS = ("dynamo", "script")
"""torch's two exporters: the one on torch.export, and the older one on TorchScript."""


def network(name: str, seed: int = 0) -> nn.Module:
    """Return a model in evaluation mode with seeded weights as a trained one has them."""
    model = MODELS[name]()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, nn.Conv2d | nn.Linear):
                fan_in = module.weight[0].numel()
                module.weight.normal_(0.0, (2.0 / fan_in) ** 0.5, generator=generator)
            if isinstance(module, nn.Linear):
                module.bias.uniform_(-0.1, 0.1, generator=generator)
            if isinstance(module, nn.BatchNorm2d):
                _normalization(module, generator)
        for module in model.modules():
            if isinstance(module, Bottleneck | InvertedResidual):
                module.branch[-1].weight *= 0.25  # deep sums do not grow
    return model.eval()


def _normalization(module: nn.BatchNorm2d, generator: torch.Generator) -> None:
    assert module.running_mean is not None and module.running_var is not None
    module.weight.uniform_(0.8, 1.2, generator=generator)
    module.bias.uniform_(-0.1, 0.1, generator=generator)
    module.running_mean.uniform_(-0.1, 0.1, generator=generator)
    module.running_var.uniform_(0.5, 1.5, generator=generator)


def export(model: nn.Module, path: Path, exporter: str, opset: int, open_batch: bool) -> None:
    """Write the model with one of `EXPORTERS`; an open batch is a size named "batch"."""
    # An example of two images: torch.export takes a size of 1 for a fixed one.
    x = torch.zeros(2 if open_batch else 1, 3, 224, 224)
    sizes: dict[str, object] = {}
    if open_batch and exporter == "dynamo":
        sizes = {"dynamic_shapes": ({0: torch.export.Dim("batch")},)}
    elif open_batch:
        sizes = {"dynamic_axes": {"x": {0: "batch"}, "y": {0: "batch"}}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model,
            (x,),
            str(path),
            input_names=["x"],
            output_names=["y"],
            opset_version=opset,
            dynamo=exporter == "dynamo",
            **sizes,  # type: ignore[arg-type]
        )


def onnxruntime_result(path: Path, x: np.ndarray) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return session.run(None, {"x": x})[0]


def compare(path: Path, batch: int | None) -> tuple[float, float, float]:
    """Return the error against onnxruntime, and the seconds that importing and compiling took."""
    start = time.perf_counter()
    module = import_model(path, batch=batch)
    imported = time.perf_counter()
    program = tilewright.compile(module)
    compiled = time.perf_counter()
    x = np.random.default_rng(1).standard_normal((batch or 1, 3, 224, 224)).astype(np.float32)
    expected, actual = onnxruntime_result(path, x), np.asarray(program(x))
    assert actual.shape == expected.shape and actual.dtype == expected.dtype
    error = float(np.abs(actual - expected).max() / np.ptp(expected))
    return error, imported - start, compiled - imported


def operators(path: Path) -> str:
    """Return the operators that the exporter wrote."""
    nodes = onnx.load(path, load_external_data=False).graph.node
    return " ".join(sorted({node.op_type for node in nodes}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS), metavar="NAME")
    parser.add_argument("--exporters", nargs="+", choices=EXPORTERS, default=EXPORTERS, metavar="NAME")
    parser.add_argument("--opsets", nargs="+", type=int, default=[18], metavar="N")
    parser.add_argument(
        "--batches", nargs="+", type=int, default=[1], metavar="N", help="what an open batch is fixed to"
    )
    parser.add_argument("--folder", type=Path, help="keep the exported models here")
    arguments = parser.parse_args()
    print(f"torch {torch.__version__}, onnxruntime {onnxruntime.__version__}, tilewright {tilewright.__version__}")
    print("model        exporter opset batch  import_s compile_s   error")
    worst = 0.0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in arguments.models:
            model = network(name)
            for exporter in arguments.exporters:
                for opset in arguments.opsets:
                    for batch in (None, *arguments.batches):
                        path = folder / f"{name}-{exporter}-{opset}-{'open' if batch else 'fixed'}.onnx"
                        export(model, path, exporter, opset, open_batch=batch is not None)
                        error, importing, compiling = compare(path, batch)
                        worst = max(worst, error)
                        print(
                            f"{name:12} {exporter:8} {opset:5} {'fixed' if batch is None else batch:>5} "
                            f"{importing:9.2f} {compiling:9.2f} {error:9.1e}   {operators(path)}",
                            flush=True,
                        )
    print(f"largest error {worst:.1e}, tolerance {TOLERANCE:.0e}")
    return 0 if worst < TOLERANCE else 1


if __name__ == "__main__":
    raise SystemExit(main())
