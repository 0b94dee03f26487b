"""Tasks for the real queue, and what slots say and do."""

import secrets
from collections.abc import Sequence
from typing import Any

from cluster import queue
from cluster.queue import Claim
from cluster.task import Input, Made, Outcome, Status, Task


def make(lane: str, parts: int = 1, rank: str = "guest", planned: bool = False, owner: str = "me", **more: Any) -> Task:
    """A task that nobody has put yet."""
    files = tuple(Input(f"uploads/{owner}/g/{number}", f"{number}.pdf", 10, "e") for number in range(parts))
    return Task(
        id=secrets.token_hex(16),
        owner=owner,
        tool=16,
        lane=lane,
        rank=rank,
        language="zh",
        options={},
        inputs=files,
        status=Status.CREATE,
        parts=1 if planned else parts,
        planned=planned,
        created=queue.now_ms(),
        **more,
    )


def queued(lane: str, *arguments: Any, **more: Any) -> Task:
    """A task in its lane."""
    task = make(lane, *arguments, **more)
    queue.put(task)
    return task


def claimed(lane: str, slot: str = "one") -> Claim:
    """The next part; there must be one."""
    held = queue.claim(lane, slot)
    assert held
    return held


def good(held: Claim, word: str = "made") -> Outcome:
    return Outcome(Status.SUCCESS, [Made(word, "a.pdf", 1, "pdf", 1, held.part)])


def silence(held: Claim, slot: str) -> None:
    """Make the claim look as old as a dead slot's."""
    queue.connect().xclaim(held.stream, queue.GROUP, slot, 0, [held.message], idle=10**8, justid=True)


def owners_of(lane: str, claims: int) -> str:
    """Who owns the next claimed parts, a letter each; the parts are ended."""
    order = ""
    for _ in range(claims):
        held = claimed(lane)
        task = queue.find(held.task)
        assert task
        order += task.owner[0]
        queue.done(held, good(held))
    return order


def unique(*names: str) -> Sequence[str]:
    """Names that no other test uses."""
    mark = secrets.token_hex(4)
    return [f"{name}{mark}" for name in names]
