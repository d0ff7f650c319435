"""Lit files in Python: a runner in this process, a pytest plugin, and a generator of CHECK lines.

`suite` reads `lit.cfg.py`, `shell` runs RUN lines, `cases` compares the runs of a pass with the cases that a file
announces, and `runner` combines them. The tests of this package run their lit files by the same modules.
"""
