"""How many examples a property's test draws."""

import os

#: A number by which every count is multiplied: `deploy/test.sh quick` draws fewer, a long search by hand more.
TIMES = "PAPERCRANE_TEST_EXAMPLES"


def examples(usual: int) -> int:
    """As many as the whole run draws, times what the environment says; at least 3."""
    return max(3, round(usual * float(os.environ.get(TIMES, "1"))))
