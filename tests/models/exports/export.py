"""Exports of the networks of `networks.py` by both exporters of torch, and quantised and float16 forms of some.

    build/models/venv/bin/python tests/models/exports/export.py FOLDER [--match TEXT]

Needs what requirements.txt lists, and nothing of tilewright. Writes FOLDER/<name>/model.onnx, and inputs-0.npz and
further ones for each set of sizes. What is there stays as long as the code that wrote it (`SOURCES`) is the same: two
forms of a network are compared with each other. Weights are seeded random numbers. Beside them, form.json says
how a form was made, sizes.json that one compilation has to serve all sizes, and beyond.npz is a call of sizes that the
network has no positions for. An export that torch or the quantiser refuses leaves FOLDER/<name>/refused.txt.
"""

from __future__ import annotations

import argparse
import json
import logging
import shutil
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

import forms
import numpy as np
import torch
from networks import EXPORTS, Export
from torch import Tensor, nn

OPSET = 18
SOURCES = ("export.py", "forms.py", "language.py", "networks.py", "requirements.txt", "vision.py")
"""The files that decide what is written."""
MADE_BY = "made_by.txt"


def network_of(export: Export) -> nn.Module:
    """Return the network in evaluation mode. Statistics of normalisations, and biases, are such that one left out
    shows."""
    torch.manual_seed(0)
    network = export.network.build().eval()
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d) and module.running_mean is not None:
            assert module.running_var is not None
            module.running_mean.uniform_(-0.1, 0.1)
            module.running_var.uniform_(0.5, 1.5)
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_in")
    with torch.no_grad():
        for vector in network.parameters():
            # Equal ones, as of zeros, become one initializer, which the quantiser cannot quantise in two ways.
            if vector.ndim == 1 and len(vector) > 1 and bool((vector == vector[0]).all()):
                vector += torch.empty_like(vector).uniform_(-0.05, 0.05)
    return network


def suppression(g, boxes, scores, most, overlap, least):  # type: ignore[no-untyped-def]
    """Return the operator of `vision.suppress` for the exporter on TorchScript."""
    from torch.onnx import symbolic_helper

    values = [symbolic_helper._parse_arg(value, kind) for value, kind in ((most, "i"), (overlap, "f"), (least, "f"))]
    kinds = (torch.int64, torch.float32, torch.float32)
    limits = [
        g.op("Constant", value_t=torch.tensor([value], dtype=kind)) for value, kind in zip(values, kinds, strict=True)
    ]
    return g.op("NonMaxSuppression", boxes, scores, *limits)


def dynamo_options(export: Export) -> dict[str, object]:
    """Return the options of the torch.export exporter for open sizes and custom operators."""
    from onnxscript import opset18 as op

    def suppress(boxes, scores, most: int, overlap: float, least: float):  # type: ignore[no-untyped-def]
        limits = (
            op.Constant(value_ints=[most]),
            op.Constant(value_floats=[overlap]),
            op.Constant(value_floats=[least]),
        )
        return op.NonMaxSuppression(boxes, scores, *limits)

    options: dict[str, object] = {
        "custom_translation_table": {torch.ops.tilewright_tests.suppress.default: suppress},
    }
    if export.axes:
        dims: dict[str, object] = {}
        shapes = []
        for axes in export.axes:
            for name in axes.values():
                dims.setdefault(name, torch.export.Dim.DYNAMIC if export.is_free else torch.export.Dim(name))
            shapes.append({axis: dims[name] for axis, name in axes.items()} or None)
        lead = export.network.packed_from
        options["dynamic_shapes"] = (*shapes[:lead], *([tuple(shapes[lead:])] if shapes[lead:] else []))
    return options


def write(export: Export, folder: Path) -> None:
    """Write one export and its inputs."""
    network = network_of(export)
    names = [f"x{number}" for number in range(len(export.inputs(export.sizes[0])))]
    torch.manual_seed(1)
    given = [export.inputs(sizes) for sizes in export.sizes]
    options: dict[str, object]
    if export.exporter == "dynamo":
        options = dynamo_options(export)
    else:
        torch.onnx.register_custom_op_symbolic("tilewright_tests::suppress", suppression, OPSET)
        options = {}
        if export.axes:
            options["dynamic_axes"] = {name: axes for name, axes in zip(names, export.axes, strict=True) if axes}
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            tuple(given[0]),
            str(folder / "model.onnx"),
            input_names=names,
            opset_version=OPSET,
            dynamo=export.exporter == "dynamo",
            **({"verbose": False} if export.exporter == "dynamo" else {}),
            **options,  # type: ignore[arg-type]
        )
    for number, tensors in enumerate(given):
        np.savez(folder / f"inputs-{number}.npz", **arrays_of(export, tensors))
    if export.beyond:
        np.savez(folder / "beyond.npz", **arrays_of(export, export.inputs(export.beyond)))
    if export.is_single:
        wanted = {"versions": 1, "refused": export.refusal}
        (folder / "sizes.json").write_text(json.dumps(wanted), encoding="utf-8")


def arrays_of(export: Export, tensors: Sequence[Tensor]) -> dict[str, np.ndarray]:
    """Return inputs by name."""
    return {f"x{number}": tensor.detach().numpy() for number, tensor in enumerate(tensors)}


def write_form(form: forms.Form, source: Path, folder: Path) -> None:
    """Write a form of an export, calibrated by random inputs."""
    export = next(each for each in EXPORTS if each.name == form.export)
    torch.manual_seed(2)
    calls = [arrays_of(export, export.inputs(export.sizes[0])) for _ in range(4)]
    forms.write(form, source, folder, calls)


@cache
def maker() -> str:
    """Return the digest of the code and the versions that write exports."""
    here = Path(__file__).parent
    return sha256(b"".join((here / name).read_bytes() for name in SOURCES)).hexdigest()


def is_current(directory: Path) -> bool:
    """Return whether a folder has what this code writes."""
    stated = directory / MADE_BY
    return stated.exists() and stated.read_text(encoding="utf-8") == maker()


def written(directory: Path, write: Callable[[Path], None]) -> None:
    """Write a network into a folder, which is complete once it is there."""
    partial = directory.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        write(partial)
        print(f"exported {directory.name}", flush=True)
    except Exception as error:  # torch and the quantiser raise errors of many kinds
        shutil.rmtree(partial)
        partial.mkdir()
        (partial / "refused.txt").write_text(f"{type(error).__name__}: {error}\n", encoding="utf-8")
        print(f"torch or the quantiser refuses {directory.name}: {str(error)[:300]}", flush=True)
    (partial / MADE_BY).write_text(maker(), encoding="utf-8")
    shutil.rmtree(directory, ignore_errors=True)
    partial.rename(directory)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--match", default="", metavar="TEXT", help="only networks with this in their names")
    args = parser.parse_args()
    torch.set_num_threads(1)
    logging.disable(logging.WARNING)
    chosen = [form for form in forms.FORMS if args.match in form.name]
    sources = {form.export for form in chosen}
    for export in EXPORTS:
        directory = args.folder / export.name
        if (args.match in export.name or export.name in sources) and not is_current(directory):
            written(directory, lambda folder, export=export: write(export, folder))
    for form in chosen:
        directory, source = args.folder / form.name, args.folder / form.export
        if not is_current(directory) and (source / "model.onnx").exists():
            written(directory, lambda folder, form=form, source=source: write_form(form, source, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
