"""Refusing what would fill the disk."""

from api.problems import Refusal
from cluster.room import has_room

#: Seconds after which asking again makes sense.
_RETRY = 60


def check_room(size: int = 0) -> None:
    """Raises Refusal `storage_full` when `size` bytes more would leave too little for what already runs."""
    if not has_room(size):
        raise Refusal("storage_full", retry=_RETRY)
