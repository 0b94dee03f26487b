"""`python -m tests.again`: what failed in the run before, alone and in a fresh process.

On a busy machine a browser or a cluster may be late once; a defect fails twice. More than a few are no chance: then
nothing is tried again.
"""

import json
import sys

import pytest

from tests.stack import ROOT

#: The share of the tests that may need a second try.
FEW = 0.01
_CACHE = ROOT / ".pytest_cache/v"


def main() -> int:
    # xdist names a test with the group that it ran in behind an @.
    failed = [name.rpartition("@")[0] or name for name in _read("cache/lastfailed")]
    print(f"\nTried again: {len(failed)} of {_read('papercrane/tests')} tests", *failed, sep="\n  ", flush=True)
    if len(failed) > max(1, FEW * _read("papercrane/tests")):
        print(f"papercrane: more than {FEW:.0%} of the tests failed; that is no chance")
        return 1
    return int(pytest.main(["-q", *failed]))


def _read(name: str):  # type: ignore[no-untyped-def]
    return json.loads((_CACHE / name).read_text())


if __name__ == "__main__":
    sys.exit(main())
