"""A headless Chromium, spoken to over pipes in its DevTools protocol: JSON objects, each ended by a zero byte."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any, Self

from hangs import HANG
from needed_tools import chromium

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
    "--window-size=1400,900",
)
_KEYS = {"Enter": "\r", "Escape": ""}
_NAVIGATED = "target navigated or closed"
"""The browser's message for an expression whose page was left before it had a value."""


class Browser:
    """A browser with one page. Use as a context manager."""

    def __init__(self, profile: Path) -> None:
        executable = chromium()
        assert executable is not None, "tests with a browser are marked as needing chromium"
        self.errors: list[str] = []
        """Uncaught exceptions, and addresses that could not be loaded."""
        self.requests: list[str] = []
        """Addresses that the page asked for."""
        read, self._to = os.pipe()
        self._from, write = os.pipe()
        self._process = subprocess.Popen(
            ["bash", "-c", 'exec "$@" 3<&"$0" 4>&"$TO"', str(read), executable, *_FLAGS, f"--user-data-dir={profile}"],
            pass_fds=(read, write),
            env={**os.environ, "TO": str(write)},
            stderr=subprocess.DEVNULL,
        )
        os.close(read)
        os.close(write)
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._to)
        os.close(self._from)
        self._process.terminate()
        self._process.wait(HANG)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol; its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self._note(answer)

    def open(self, url: str, condition: str = "document.body?.dataset.shown !== undefined") -> None:
        """Open an address and wait until a condition holds: by default, until the page of a trace shows a step."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.wait_for(condition)

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Wait until an expression is true, in the page that a click may just have left for another."""
        end = time.monotonic() + HANG
        while not self._holds(condition):
            assert time.monotonic() < end, f"never became true: {condition}; errors: {self.errors}"
            time.sleep(0.02)

    def _holds(self, condition: str) -> bool:
        """Return whether an expression is true; not while one page gives way to another."""
        try:
            return bool(self.evaluate(condition))
        except AssertionError as error:
            if _NAVIGATED not in str(error):
                raise
            return False

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            text = _KEYS.get(key, key)
            down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
            code = {"Enter": 13, "Escape": 27}.get(key, 0)
            self.call("Input.dispatchKeyEvent", **down, key=key, windowsVirtualKeyCode=code)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def screenshot(self) -> bytes:
        """Return the window, made smaller by half, as a PNG file."""
        clip = {"x": 0, "y": 0, "width": 1400, "height": 800, "scale": 0.5}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", clip=clip)["data"])

    def prefer(self, scheme: str) -> None:
        """Prefer the colour scheme "light" or "dark"."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            data = os.read(self._from, 1 << 20)
            assert data, "the browser has gone"
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _note(self, event: dict[str, Any]) -> None:
        match event.get("method"):
            case "Runtime.exceptionThrown":
                details = event["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description") or details["text"])
            case "Network.requestWillBeSent":
                self.requests.append(event["params"]["request"]["url"])
            case _:
                pass
