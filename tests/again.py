"""`python -m tests.again`: what failed in the run before, alone and in a fresh process.

On a busy machine a browser or a cluster may be late once; a defect fails twice. More than a few are no chance: then
nothing is tried again.
"""

import json
import sys

import pytest

from tests.budget import TOLD
from tests.stack import ROOT

#: The share of the tests that may need a second try.
FEW = 0.01


def main() -> int:
    told = json.loads((ROOT / ".pytest_cache/v" / TOLD).read_text())
    return verdict(told["failed"], told["tests"], told["broken"])


def verdict(failed: list[str], tests: int, broken: list[str]) -> int:
    """0 when a second try mended all there was; a run that failed with nothing to try again has failed."""
    nothing = [] if failed or broken else ["the run failed and no test did; what it printed above says why"]
    return max(second_try(failed, tests), tell([*broken, *nothing]))


def second_try(failed: list[str], tests: int) -> int:
    """Run them again; 0 when all pass now."""
    print(f"\nTried again: {len(failed)} of {tests} tests", *failed, sep="\n  ", flush=True)
    if len(failed) > max(1, FEW * tests):
        print(f"papercrane: more than {FEW:.0%} of the tests failed; that is no chance")
        return 1
    return int(pytest.main(["-q", *failed])) if failed else 0


def tell(broken: list[str]) -> int:
    """Say what no second try mends; 0 when there is nothing."""
    for sentence in broken:
        print(f"papercrane: {sentence}")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
