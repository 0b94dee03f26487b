"""`python -m tests.again`: what failed in the run before, alone and in a fresh process.

On a busy machine a browser or a cluster may be late once; a defect fails twice. More than a few are no chance: then
nothing is tried again.
"""

import json
import sys

import pytest

from tests.budget import TOLD, budget
from tests.stack import ROOT

#: The share of the tests that may need a second try.
FEW = 0.01


def main() -> int:
    told = json.loads((ROOT / ".pytest_cache/v" / TOLD).read_text())
    failed, over = told["failed"], told["over"]
    print(f"\nTried again: {len(failed)} of {told['tests']} tests", *failed, sep="\n  ", flush=True)
    if len(failed) > max(1, FEW * told["tests"]):
        print(f"papercrane: more than {FEW:.0%} of the tests failed; that is no chance")
        return 1
    status = int(pytest.main(["-q", *failed])) if failed else 0
    for file, seconds in over.items():
        print(f"papercrane: {file} took {seconds:.0f} s and may take {budget(file)} (tests/budget.py)")
    return 1 if over else status


if __name__ == "__main__":
    sys.exit(main())
