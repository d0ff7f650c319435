"""Names that exist for old programs: modules and functions of the classic surface, each a face on this compiler.

`import_paths` lists them by the path under which programs import them: `tilewright.contrib.utils` is
`tilewright.classic.contrib.utils`. docs/classic.md states what each of them covers.
"""
