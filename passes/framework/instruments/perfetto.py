"""Recorded spans as a trace for Perfetto and chrome://tracing.

The format is Chrome's trace events in JSON: a complete event (`ph` X) for each span, times in microseconds, and
metadata events that name the process and the threads. Events of one thread nest by their times.
"""

from __future__ import annotations

import json
import os
from typing import Any

from .spans import Recorder, Span


def chrome_trace(recorder: Recorder, title: str = "tilewright") -> dict[str, Any]:
    """Return the trace of what was recorded, times from the first span's start."""
    spans = list(recorder.walk())
    start = min((span.start for span in spans), default=0.0)
    threads = list(dict.fromkeys(span.thread for span in spans))
    process = os.getpid()
    events: list[dict[str, Any]] = [_metadata("process_name", process, 0, title)]
    for number, thread in enumerate(threads):
        events.append(_metadata("thread_name", process, thread, f"worker {number}" if number else "main"))
    events += [_complete(span, process, start) for span in spans]
    return {"displayTimeUnit": "ms", "traceEvents": events}


def chrome_trace_text(recorder: Recorder, title: str = "tilewright") -> str:
    """Return `chrome_trace` as JSON, one event a line."""
    trace = chrome_trace(recorder, title)
    events = ",\n".join(json.dumps(event) for event in trace["traceEvents"])
    return f'{{"displayTimeUnit": "ms", "traceEvents": [\n{events}\n]}}\n'


def _metadata(name: str, process: int, thread: int, value: str) -> dict[str, Any]:
    return {"ph": "M", "name": name, "pid": process, "tid": thread, "args": {"name": value}}


def _complete(span: Span, process: int, start: float) -> dict[str, Any]:
    # Whole nanoseconds, so that rounding leaves children inside their parents.
    begin, end = round(1e9 * (span.start - start)), round(1e9 * (span.end - start))
    return {
        "ph": "X",
        "name": f"{span.name} @{function}" if (function := span.arguments.get("function")) else span.name,
        "cat": span.kind,
        "ts": begin / 1000,
        "dur": (end - begin) / 1000,
        "pid": process,
        "tid": span.thread,
        "args": dict(span.arguments),
    }
