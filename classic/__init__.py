"""Compatibility with programs for TVM: modules and functions of the classic API, implemented by this compiler.

`import_paths` lists them by the path under which programs import them: `tilewright.contrib.utils` is
`tilewright.classic.contrib.utils`. docs/classic.md states what each of them covers.
"""
