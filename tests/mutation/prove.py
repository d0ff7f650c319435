"""Run in a package with a fault: the first lit module whose values the fault changes, and what bisection says of it.

The arguments are the modules to try, by their numbers in the order of `lit_modules`. The answer is JSON on standard
output: null where no value changes.
"""

from __future__ import annotations

import json
import sys

from proof.lit_modules import TRIALS, LitModule, lit_modules
from tilewright.diagnostics import TilewrightError
from tilewright.passes.framework.bisection import bisect


def prove(case: LitModule) -> dict[str, str | None] | None:
    """Return the findings about a module whose values change; None if they do not."""
    try:
        finding = case.changed_value()
    except Exception:  # a fault that is noticed without any proof
        return None
    if finding is None:
        return None
    module = case.parsed()
    found: dict[str, str | None] = {"module": str(case), "problem": f"@{finding.function}: {finding.problem}"}
    try:
        bisection = bisect(module, case.passes(module), TRIALS)
    except TilewrightError as error:
        return {**found, "error": str(error)}
    rewrite = bisection.rewrite
    code = bisection.error.code if isinstance(bisection.error, TilewrightError) else type(bisection.error).__name__
    return {
        **found,
        "code": code,
        "pass": type(bisection.pass_).__module__,
        "rewrite": None if rewrite is None else f"{rewrite.number} of {rewrite.total}: {rewrite.description}",
    }


def main() -> None:
    cases = list(lit_modules())
    for number in map(int, sys.argv[1:]):
        if (found := prove(cases[number])) is not None:
            json.dump(found, sys.stdout)
            return
    json.dump(None, sys.stdout)


if __name__ == "__main__":
    main()
