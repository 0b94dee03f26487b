"""The id of a request, by which it is followed from the browser through edge, API and queue into a slot's log.

Whoever asks may bring one (our page does not; the edge gives every request one); else we give it. It stands in the log
lines of the request and of the task that it makes, in the task's record, in the header X-Request-Id of the answer and
in what a page shows of a fault of ours, where people can read it out to support. It is no label of a metric: there is
one for each request.
"""

import re
import secrets
from collections.abc import Sequence
from itertools import count

#: What others may call a request; anything else could be words of theirs in our log.
_FITS = re.compile(r"[0-9a-f]{16,64}")
_numbers = count(secrets.randbits(24))
_process = [secrets.token_hex(4)]


def begin() -> None:
    """In a new process: its ids are its own."""
    _process[0] = secrets.token_hex(4)


def request_id(brought: Sequence[str]) -> str:
    """The id that the request brought, when that is one and fits, else a new one."""
    if len(brought) == 1 and _FITS.fullmatch(brought[0]):
        return brought[0]
    # No call of the system for each: that costs as much as routing.
    return f"{_process[0]}{next(_numbers) & 0xFFFFFFFF:08x}"
