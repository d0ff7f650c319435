"""Classifies a drawn image in the browser: SqueezeNet as one module of WebAssembly, with a page around it.

    python examples/web/build.py FOLDER [--serve PORT]

writes the page and the module to FOLDER, which any web server can offer; `--serve` offers it on 127.0.0.1. It takes
clang, lld and wasi-libc. The graph ships in the onnx package without weights; seeded random ones replace them.
"""

from __future__ import annotations

import argparse
import shutil
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import onnx
import tilewright
from tilewright.frontends.onnx.light_models import light_model_path, without_constant_inputs
from tilewright.frontends.onnx.random_weights import with_random_weights

PAGE = ("index.html", "tilewright.js")


def model(seed: int = 0) -> onnx.ModelProto:
    """Build SqueezeNet with its softmax and random weights."""
    return without_constant_inputs(with_random_weights(onnx.load(light_model_path("squeezenet")), seed))


def build(folder: Path) -> None:
    """Write the page and the module."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PAGE:
        shutil.copy(Path(__file__).with_name(name), folder)
    tilewright.compile(model(), target="wasm32").save(folder / "squeezenet.wasm")


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of the folder on this machine; port 0 takes any that is free."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(SimpleHTTPRequestHandler, directory=folder))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--serve", type=int, metavar="PORT")
    options = parser.parse_args()
    build(options.folder)
    print(f"{options.folder}: {(options.folder / 'squeezenet.wasm').stat().st_size} bytes of WebAssembly")
    if options.serve is not None:
        with server(options.folder, options.serve) as serving:
            print(f"http://127.0.0.1:{serving.server_port}/")
            serving.serve_forever()


if __name__ == "__main__":
    main()
