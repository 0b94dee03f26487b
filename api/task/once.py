"""Doing what one request asks only once, however often it is sent."""

import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import Any

from typing_extensions import TypedDict

from api.caller import new_id
from api.calls import Asked
from api.problems import Refusal
from cluster import queue
from cluster.seal import server_key


class Created(TypedDict):
    """Answer of createTask and retryCompressTask."""

    taskId: str
    status: int


@dataclass(frozen=True)
class Once:
    """What a request makes: the task's id, and with an Idempotency-Key a mark of all that was asked.

    The same key of the same owner makes the same id, and an id is put only once: no lock is needed.
    """

    task: str
    mark: str = ""

    @classmethod
    def of(cls, asked: Asked[Any]) -> "Once":
        if not asked.once:
            return cls(new_id())
        text = f"{asked.caller.owner}.{asked.once}"
        body = json.dumps(asked.given.model_dump(mode="json"), sort_keys=True)
        # Nobody keeps the key itself, so a password in the body cannot be guessed from its mark.
        return cls(_hash(text)[:40], _hash(f"{text}.{type(asked.given).__name__}.{body}"))

    async def made(self) -> Created | None:
        """The task that this key has made. Raises Refusal key_reused when something else was asked then."""
        first = await queue.look_up(self.task) if self.mark else None
        if first and not hmac.compare_digest(first.mark, self.mark):
            raise Refusal("key_reused")
        return {"taskId": first.id, "status": int(first.status)} if first else None


def _hash(text: str) -> str:
    return hmac.new(server_key("idempotency"), text.encode(), hashlib.sha256).hexdigest()
