"""`python -m tilewright` is the command line `tilewright`."""

import sys

from .tools.cli import main

sys.exit(main())
