"""`python -m tilewright.tools.reference DIR`: writes the pages that are generated from the code."""

import sys
from pathlib import Path

from .pages import write_pages

if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
